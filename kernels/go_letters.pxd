"""The letters of points: two for each, of moves and of the stones of a start, the board turned."""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memset

from go_board cimport (
    GO_BLACK_STONE, GO_PASS, GO_WHITE_STONE, GoBoard, go_on_board, go_place,
)
from go_symmetry cimport GO_SYMMETRIES, go_turn_back, go_turn_point

cdef enum:
    GO_POINTS = 1024           # column | row << 5


cdef inline uint8_t *go_write_stones(
    uint8_t *out, const GoBoard *board, int symmetry
) noexcept nogil:
    """Write the letters of the stones as they stand on the turned board; return the end.

    Black ones first, each colour by column, then by row.
    """
    cdef int back = go_turn_back(symmetry)
    cdef int stone, column, row
    for stone in range(GO_BLACK_STONE, GO_WHITE_STONE + 1):
        for column in range(board.lines):
            for row in range(board.lines):
                if board.stones[
                    go_place(go_turn_point(column | row << 5, board.lines, back))
                ] == stone:
                    out[0] = <uint8_t>(97 + column)
                    out[1] = <uint8_t>(97 + row)
                    out += 2
    return out


ctypedef struct GoLetters:
    int lines                  # what `texts` is filled for; 0: for nothing yet
    # Two letters of each point, turned in each way; a pass is tt, what is off the board is zeros.
    uint8_t[GO_SYMMETRIES][GO_POINTS][2] texts


cdef inline void go_fill_letters(GoLetters *letters, int lines) noexcept nogil:
    """Fill in the letters for a board of that many lines, if they are not those already."""
    cdef int symmetry
    cdef uint32_t turned
    cdef int point
    if letters.lines == lines:
        return
    memset(letters, 0, sizeof(GoLetters))
    letters.lines = lines
    for symmetry in range(GO_SYMMETRIES):
        for point in range(GO_POINTS):
            if go_on_board(lines, <uint32_t>point):
                turned = go_turn_point(<uint32_t>point, lines, symmetry)
                letters.texts[symmetry][point][0] = <uint8_t>(97 + (turned & 31))
                letters.texts[symmetry][point][1] = <uint8_t>(97 + (turned >> 5))
        letters.texts[symmetry][<int>GO_PASS][0] = 116
        letters.texts[symmetry][<int>GO_PASS][1] = 116
