"""Write moves of Go games as SGF nodes: the long and plain part of a record's text.

Does not know properties, comments and branches.
"""


from go_board cimport GO_POINT

cdef enum:
    NODE_BYTES = 7                 # ";B[pd]" and a line end


cdef inline uint8_t *write_node(uint8_t *out, uint16_t move) noexcept nogil:
    """Write a node; a pass is "[]", as FF[4] requires and any board size allows."""
    cdef uint16_t point = move & GO_POINT
    out[0] = b';'
    out[1] = b'W' if move & GO_COLOUR else b'B'
    out[2] = b'['
    out += 3
    if point != GO_PASS:
        out[0] = c'a' + (point & 31)
        out[1] = c'a' + (point >> 5)
        out += 2
    out[0] = b']'
    return out + 1


cdef Py_ssize_t write_nodes(
    const uint8_t *moves, Py_ssize_t *ply, Py_ssize_t stop, int lines, Py_ssize_t on_line,
    uint8_t *out,
) noexcept nogil:
    """Write nodes up to `stop`, or to an invalid move (set `ply` to it); return the length."""
    cdef uint8_t *start = out
    cdef Py_ssize_t left = on_line
    cdef uint16_t move
    while ply[0] < stop:
        move = stored_move(moves, ply[0])
        if not go_is_move(move, lines):
            break
        if left == 0 and on_line:
            out[0] = b'\n'
            out += 1
            left = on_line
        out = write_node(out, move)
        left -= 1
        ply[0] += 1
    return out - start


def move_nodes(
    bytes moves not None, Py_ssize_t first, Py_ssize_t stop, int lines, Py_ssize_t on_line,
):
    """Return the moves `first` to before `stop` as nodes; see the stub."""
    cdef const uint8_t *raw = <const uint8_t *>PyBytes_AS_STRING(moves)
    cdef Py_ssize_t plies = count_moves(moves)
    cdef Py_ssize_t ply = first, length
    cdef uint8_t *out
    if not 0 <= first <= stop <= plies:
        raise ValueError(f"moves {first} to {stop} are out of range: {plies} moves")
    if not 0 < lines <= GO_MOST_LINES:
        raise ValueError(f"invalid board size: {lines} lines")
    if on_line < 0:
        raise ValueError(f"invalid number of moves per line: {on_line}")
    if first == stop:
        return ""
    out = <uint8_t *>allocate(stop - first, NODE_BYTES)
    try:
        with nogil:
            length = write_nodes(raw, &ply, stop, lines, on_line, out)
        if ply < stop:
            raise_off_board(moves, ply)
        return PyUnicode_DecodeASCII(<const char *>out, length, NULL)
    finally:
        free(out)
