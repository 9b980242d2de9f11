"""The eight symmetries of a Go board, numbered as in sgfinfo of sgfutils.

With s = lines - 1, a point (x, y) maps to: 0 (x, y), 1 (x, s-y), 2 (y, s-x), 3 (y, x), 4 (s-x,
s-y), 5 (s-x, y), 6 (s-y, x), 7 (s-y, s-x). As bits: 2 swaps column and row, then 4 mirrors the
column, and an odd number of bits mirrors the row.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memset

from go_board cimport (
    GO_BLACK_STONE, GO_COLOUR, GO_PASS, GO_POINT, GO_WHITE_STONE, GoBoard, go_index, go_on_board,
)

cdef enum:
    GO_SYMMETRIES = 8


cdef inline uint32_t go_map_point(uint32_t point, int lines, int symmetry) noexcept nogil:
    """Return the image of a point, column | row << 5; a pass stays a pass."""
    cdef uint32_t column = point & 31, row = point >> 5 & 31
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


cdef inline uint16_t go_map_move(uint16_t move, int lines, int symmetry) noexcept nogil:
    """Return the image of a move that is on the board; colour and pass stay."""
    return (move & GO_COLOUR) | <uint16_t>go_map_point(move & GO_POINT, lines, symmetry)


cdef inline int go_inverse(int symmetry) noexcept nogil:
    """Return the inverse of a symmetry: each is its own inverse except 2 and 6."""
    return 8 - symmetry if symmetry == 2 or symmetry == 6 else symmetry


# --- letters of points ----------------------------------------------------------------------------

cdef enum:
    GO_POINTS = 1024           # column | row << 5


cdef inline uint8_t *go_write_stones(
    uint8_t *out, const GoBoard *board, int symmetry
) noexcept nogil:
    """Write the letters of the stones of the rotated board; return the end.

    Black stones come first, each colour by column, then by row.
    """
    cdef int back = go_inverse(symmetry)
    cdef int stone, column, row
    for stone in range(GO_BLACK_STONE, GO_WHITE_STONE + 1):
        for column in range(board.lines):
            for row in range(board.lines):
                if board.stones[
                    go_index(go_map_point(column | row << 5, board.lines, back))
                ] == stone:
                    out[0] = <uint8_t>(c'a' + column)
                    out[1] = <uint8_t>(c'a' + row)
                    out += 2
    return out


ctypedef struct GoLetters:
    int lines                  # board size that `texts` is filled for; 0: none yet
    # Two letters of each point under each symmetry; a pass is tt, points off the board are zeros.
    uint8_t[GO_SYMMETRIES][GO_POINTS][2] texts


cdef inline void go_fill_letters(GoLetters *letters, int lines) noexcept nogil:
    """Fill in the letters for a board size, unless already done."""
    cdef int symmetry
    cdef uint32_t rotated
    cdef int point
    if letters.lines == lines:
        return
    memset(letters, 0, sizeof(GoLetters))
    letters.lines = lines
    for symmetry in range(GO_SYMMETRIES):
        for point in range(GO_POINTS):
            if go_on_board(lines, <uint32_t>point):
                rotated = go_map_point(<uint32_t>point, lines, symmetry)
                letters.texts[symmetry][point][0] = <uint8_t>(c'a' + (rotated & 31))
                letters.texts[symmetry][point][1] = <uint8_t>(c'a' + (rotated >> 5))
        letters.texts[symmetry][<int>GO_PASS][0] = b't'
        letters.texts[symmetry][<int>GO_PASS][1] = b't'
