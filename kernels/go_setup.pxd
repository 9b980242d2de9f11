"""The stones that a Go game starts with, as sets of points; and the letters of points."""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memset

from go_board cimport (
    GO_MOST_LINES, GO_PASS, GO_USUAL_LINES, GoBoard, go_on_board, go_point_of, go_read_start,
)
from go_symmetry cimport GO_SYMMETRIES, go_turn_point

cdef enum:
    GO_POINTS = 1024           # column | row << 5
    GO_SETUP_ROOM = 2 * 2 * GO_MOST_LINES * GO_MOST_LINES   # bytes of all stones' letters

ctypedef struct GoSetup:
    int lines
    int stones
    uint32_t[2][32] rows       # of black and of white: for each column a bit for each row


cdef inline bint go_read_setup(
    GoSetup *setup, const uint8_t *text, const uint8_t *end
) noexcept nogil:
    """Read the start of a game as it is stored; False if the text is none."""
    cdef GoBoard board
    cdef uint32_t *rows = setup.rows[0]
    cdef uint32_t bit
    cdef int point
    memset(setup, 0, sizeof(GoSetup))
    setup.lines = GO_USUAL_LINES
    if text == end:
        return True
    if not go_read_start(&board, text, end):
        return False
    setup.lines = board.lines
    while text[0] != 93:              # behind SZ[n]
        text += 1
    text += 1
    while text < end:
        if text[0] == 65:             # AB or AW
            rows = setup.rows[0 if text[1] == 66 else 1]
            text += 2
            continue
        point = go_point_of(text + 1)
        bit = <uint32_t>1 << (point >> 5)
        if not rows[point & 31] & bit:
            setup.stones += 1
        rows[point & 31] |= bit
        text += 4
    return True


cdef inline void go_turn_setup(
    GoSetup *out, const GoSetup *setup, int symmetry
) noexcept nogil:
    """Turn all stones with the board."""
    cdef int colour, column, row
    cdef uint32_t point
    memset(out, 0, sizeof(GoSetup))
    out.lines = setup.lines
    out.stones = setup.stones
    for colour in range(2):
        for column in range(setup.lines):
            for row in range(setup.lines if setup.rows[colour][column] else 0):
                if setup.rows[colour][column] >> row & 1:
                    point = go_turn_point(column | row << 5, setup.lines, symmetry)
                    out.rows[colour][point & 31] |= <uint32_t>1 << (point >> 5)


cdef inline uint8_t *go_write_stones(
    uint8_t *out, const GoSetup *setup, int colour
) noexcept nogil:
    """Write the two letters of each stone of a colour, by column, then by row; return the end."""
    cdef int column, row
    for column in range(setup.lines):
        for row in range(setup.lines if setup.rows[colour][column] else 0):
            if setup.rows[colour][column] >> row & 1:
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
