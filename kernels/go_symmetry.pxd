"""The eight ways to turn and mirror a Go board, numbered as sgfinfo of sgfutils does.

With s = lines - 1 a point (x, y) goes to: 0 (x, y), 1 (x, s-y), 2 (y, s-x), 3 (y, x),
4 (s-x, s-y), 5 (s-x, y), 6 (s-y, x), 7 (s-y, s-x). As bits: 2 swaps column and row, then 4 mirrors
the column, and an odd count of bits mirrors the row.
"""

from libc.stdint cimport uint16_t, uint32_t

from go_board cimport GO_COLOUR, GO_PASS, GO_POINT

cdef enum:
    GO_SYMMETRIES = 8


cdef inline uint32_t go_turn_point(uint32_t point, int lines, int symmetry) noexcept nogil:
    """Turn a point of a board of that many lines: column | row << 5; a pass stays a pass."""
    cdef uint32_t column = point & 31
    cdef uint32_t row = point >> 5 & 31
    cdef uint32_t last = <uint32_t>(lines - 1)
    cdef uint32_t swapped
    if point == GO_PASS:
        return point
    if symmetry & 2:
        swapped = column
        column = row
        row = swapped
    if symmetry & 4:
        column = last - column
    if (symmetry ^ symmetry >> 1 ^ symmetry >> 2) & 1:
        row = last - row
    return column | row << 5


cdef inline uint16_t go_turn_move(uint16_t move, int lines, int symmetry) noexcept nogil:
    """Turn a move that is on the board; its colour stays, and a pass stays a pass."""
    return (move & GO_COLOUR) | <uint16_t>go_turn_point(move & GO_POINT, lines, symmetry)


cdef inline int go_turn_back(int symmetry) noexcept nogil:
    """Return the symmetry that takes a symmetry back: each is its own, but for 2 and 6."""
    return 8 - symmetry if symmetry == 2 or symmetry == 6 else symmetry
