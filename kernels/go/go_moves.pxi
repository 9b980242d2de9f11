"""Decode move blobs of Go games: points, the board, their keys.

Nothing is guessed: a blob or start that cannot be played raises a ValueError that names the ply.
"""

from cpython.unicode cimport PyUnicode_AsUTF8AndSize

from go_board cimport (
    GO_OFF_BOARD, GO_ORIGIN, GO_STRIDE, GoBoard, GoKeys, go_keys, go_message_bytes, go_play,
    go_read_start, go_write_move,
)
from go_symmetry cimport GO_SYMMETRIES, go_map_move


COLOUR, PASS, SYMMETRIES = GO_COLOUR, GO_PASS, GO_SYMMETRIES


cdef int read_board(GoBoard *board, start) except -1:
    """Set up the start of a game; None is the empty 19x19 board."""
    cdef Py_ssize_t length = 0
    cdef const uint8_t *text = NULL
    if start is not None:
        text = <const uint8_t *>PyUnicode_AsUTF8AndSize(start, &length)
    if not go_read_start(board, text, text + length):
        raise ValueError(f"not a start position of a Go game: {start!r}")


cdef int raise_off_board(bytes moves, Py_ssize_t ply) except -1:
    raise ValueError(
        f"ply {ply + 1} of {count_moves(moves)}: stored move "
        f"0x{stored_move(<const uint8_t *>PyBytes_AS_STRING(moves), ply):04x} is not on the board"
    )


def move_texts(bytes moves not None):
    """Return the moves as colour and point: "Bpd"; a pass is the colour alone."""
    cdef const uint8_t *raw = <const uint8_t *>PyBytes_AS_STRING(moves)
    cdef Py_ssize_t plies = count_moves(moves)
    cdef uint8_t[4] text
    cdef Py_ssize_t i
    cdef list texts = []
    for i in range(plies):
        if not go_is_move(stored_move(raw, i), GO_MOST_LINES):
            raise_off_board(moves, i)
        length = go_write_move(text, stored_move(raw, i)) - text
        texts.append((<const char *>text)[:length].decode("ascii"))
    return texts


def keys_of(bytes moves not None, start=None):
    """Return MoveHash, FinalZobrist, PositionsKey, SampledKey (as in SQLite), SpecialMoves."""
    cdef Py_ssize_t length = 0
    cdef const uint8_t *text = NULL
    cdef Py_ssize_t plies = count_moves(moves)
    cdef const uint8_t *raw = <const uint8_t *>PyBytes_AS_STRING(moves)
    cdef GoKeys keys
    cdef Py_ssize_t played
    cdef uint8_t *memory
    cdef uint16_t *line
    cdef Py_ssize_t i
    if start is not None:
        text = <const uint8_t *>PyUnicode_AsUTF8AndSize(start, &length)
    # The moves as numbers, then the message.
    memory = <uint8_t *>allocate(2 * plies + go_message_bytes(length, plies), 1)
    line = <uint16_t *>memory
    with nogil:
        for i in range(plies):
            line[i] = stored_move(raw, i)
        played = go_keys(text, length, line, plies, memory + 2 * plies, USE_SHA_NI, &keys)
    free(memory)
    if played < 0:
        raise ValueError(f"not a start position of a Go game: {start!r}")
    if played < plies:
        raise_off_board(moves, played)
    return (
        <int64_t>keys.mainline_hash, <int64_t>keys.final_zobrist, <int64_t>keys.positions_key,
        <int64_t>keys.sampled_key, keys.special,
    )


def board_after(bytes moves not None, start=None, plies=None):
    """Return the board after all moves, or the first `plies`, row by row from the top."""
    cdef GoBoard board
    cdef Py_ssize_t last = count_moves(moves)
    cdef const uint8_t *raw = <const uint8_t *>PyBytes_AS_STRING(moves)
    cdef Py_ssize_t i
    read_board(&board, start)
    if plies is not None:
        last = min(last, <Py_ssize_t>plies)
    for i in range(last):
        if go_play(&board, stored_move(raw, i)) == GO_OFF_BOARD:
            raise_off_board(moves, i)
    signs = ".XO"
    return [
        "".join([
            signs[board.stones[GO_ORIGIN + GO_STRIDE * row + column]]
            for column in range(board.lines)
        ])
        for row in range(board.lines)
    ]


def rotate_moves(bytes moves not None, int lines, int symmetry):
    """Return a rotated move blob; numbers that are no moves on the board, such as passes, stay."""
    cdef Py_ssize_t plies = count_moves(moves)
    cdef const uint8_t *raw = <const uint8_t *>PyBytes_AS_STRING(moves)
    cdef bytes rotated = PyBytes_FromStringAndSize(NULL, 2 * plies)
    cdef uint8_t *out = <uint8_t *>PyBytes_AS_STRING(rotated)
    cdef uint16_t move
    cdef Py_ssize_t i
    if not (0 <= symmetry < GO_SYMMETRIES and 0 < lines <= GO_MOST_LINES):
        raise ValueError(f"invalid board size or symmetry: {lines} lines, symmetry {symmetry}")
    with nogil:
        for i in range(plies):
            move = stored_move(raw, i)
            if go_is_move(move, lines):
                move = go_map_move(move, lines, symmetry)
            store_move(out, i, move)
    return rotated
