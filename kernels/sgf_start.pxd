"""Moves and stones of an SGF record: points of the text, and the start as it is stored."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t

from go_board cimport (
    GO_BLACK_STONE, GO_COLOUR, GO_EMPTY, GO_PASS, GO_USUAL_LINES, GO_WHITE_STONE, GoBoard,
    go_on_board, go_place, go_point_of, go_put,
)
from sgf_lex cimport AB, AW, W, sgf_is_blank, sgf_is_letter, sgf_says
from sgf_reader cimport SgfReader, fail_at
from sgf_records cimport (
    SGF_NO_POINT, SGF_OFF_BOARD, SGF_TOO_LONG, SgfRecord, sgf_add_move, sgf_reserve,
)

cdef enum:
    PASS_TT = 19 | 19 << 5     # "tt", a pass on boards of up to 19 lines
    MOST_MOVES = 0xFFFF
    START_BYTES = 8 + 4 * 625 + 8


cdef inline void trim(const uint8_t **p, const uint8_t **end) noexcept nogil:
    while p[0] < end[0] and sgf_is_blank(p[0][0]):
        p[0] += 1
    while end[0] > p[0] and sgf_is_blank((end[0] - 1)[0]):
        end[0] -= 1


cdef inline int read_move(
    SgfReader *r, SgfRecord *g, uint32_t code, const uint8_t *p, const uint8_t *stop
) noexcept nogil:
    """Add a move; -1 at a fault."""
    cdef const uint8_t *place = p
    cdef uint16_t colour = GO_COLOUR if code == W else 0
    cdef int point
    if r.out.move_count - g.first_move >= MOST_MOVES:
        return fail_at(r, g, SGF_TOO_LONG, place)
    trim(&p, &stop)
    if p == stop or (stop - p == 4 and sgf_says(p, stop, b"pass")):
        sgf_add_move(&r.out, GO_PASS | colour)
        return 0
    if stop - p != 2:
        return fail_at(r, g, SGF_NO_POINT, place)
    point = go_point_of(p)
    if point < 0:
        if sgf_is_letter(p[0]) and sgf_is_letter(p[1]):
            return fail_at(r, g, SGF_OFF_BOARD, place)
        return fail_at(r, g, SGF_NO_POINT, place)
    if point == PASS_TT and r.setup.lines <= GO_USUAL_LINES:
        point = GO_PASS
    elif not go_on_board(r.setup.lines, <uint32_t>point):
        return fail_at(r, g, SGF_OFF_BOARD, place)
    sgf_add_move(&r.out, <uint16_t>point | colour)
    return 0


cdef inline int set_up(
    SgfReader *r, SgfRecord *g, uint32_t code, const uint8_t *p, const uint8_t *stop
) noexcept nogil:
    """Put stones on the start: a point "aa" or a rectangle "aa:cc"; -1 at a fault."""
    cdef const uint8_t *place = p
    cdef uint8_t stone = GO_EMPTY
    cdef int first, last, column, row
    if code == AB:
        stone = GO_BLACK_STONE
    elif code == AW:
        stone = GO_WHITE_STONE
    trim(&p, &stop)
    if p == stop:
        return 0                       # AB[] in some old files
    if stop - p != 2 and (stop - p != 5 or p[2] != 58):
        return fail_at(r, g, SGF_NO_POINT, place)
    first = go_point_of(p)
    last = go_point_of(stop - 2)
    if first < 0 or last < 0:
        return fail_at(r, g, SGF_NO_POINT, place)
    if first == PASS_TT and r.setup.lines <= GO_USUAL_LINES:
        return 0                       # no stone
    if not go_on_board(r.setup.lines, <uint32_t>first):
        return fail_at(r, g, SGF_OFF_BOARD, place)
    if not go_on_board(r.setup.lines, <uint32_t>last):
        return fail_at(r, g, SGF_OFF_BOARD, place)
    for row in range(min(first >> 5, last >> 5), max(first >> 5, last >> 5) + 1):
        for column in range(min(first & 31, last & 31), max(first & 31, last & 31) + 1):
            go_put(&r.setup, <uint32_t>(column | row << 5), stone)
    r.has_setup = True
    return 0


cdef inline uint8_t *write_stones(
    const GoBoard *board, uint8_t stone, uint8_t letter, uint8_t *out
) noexcept nogil:
    cdef bint is_named = False
    cdef int column, row
    for column in range(board.lines):
        for row in range(board.lines):
            if board.stones[go_place(<uint32_t>(column | row << 5))] != stone:
                continue
            if not is_named:
                out[0] = 65
                out[1] = letter
                out += 2
                is_named = True
            out[0] = 91
            out[1] = <uint8_t>(97 + column)
            out[2] = <uint8_t>(97 + row)
            out[3] = 93
            out += 4
    return out


cdef inline void write_start(SgfReader *r, SgfRecord *g) noexcept nogil:
    """Write the start as it is stored (docs/go.md); nothing for the empty board of 19 lines."""
    cdef uint8_t *out
    cdef uint8_t *first
    cdef int lines = r.setup.lines
    g.first_letter = <uint32_t>r.out.letter_count
    g.start_length = 0
    if not sgf_reserve(
        &r.out, <void **>&r.out.letters, &r.out.letter_room, r.out.letter_count + START_BYTES, 1
    ):
        return
    first = out = r.out.letters + r.out.letter_count
    out[0], out[1], out[2] = 83, 90, 91
    out += 3
    if lines > 9:
        out[0] = <uint8_t>(48 + lines // 10)
        out += 1
    out[0] = <uint8_t>(48 + lines % 10)
    out[1] = 93
    out += 2
    if r.has_setup:
        first = out
        out = write_stones(&r.setup, GO_BLACK_STONE, 66, out)
        out = write_stones(&r.setup, GO_WHITE_STONE, 87, out)
        if out == first and lines == GO_USUAL_LINES:
            return
    elif lines == GO_USUAL_LINES:
        return
    g.start_length = <uint32_t>(out - r.out.letters - r.out.letter_count)
    r.out.letter_count += g.start_length
