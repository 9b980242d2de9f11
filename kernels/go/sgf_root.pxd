"""Pre-parse the root of an SGF record: charset, game, board size.

These decide how the rest is parsed, and may be anywhere in the root.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memchr, memcpy

from go_board cimport (
    GO_BLACK_STONE, GO_COLOUR, GO_DEFAULT_LINES, GO_EMPTY, GO_MOST_LINES, GO_PASS, GO_WHITE_STONE,
    GoBoard, go_clear, go_index, go_on_board, go_point_of, go_put,
)
from sgf_lex cimport (
    AB, AW, C, GC, GM, KO, SZ, TE, W, SgfReader, fail_at, sgf_code, sgf_has_code, sgf_is_blank,
    sgf_is_judgement, sgf_is_letter, sgf_missing_end, sgf_name_end, sgf_parenthesis, sgf_plain_end,
    sgf_says, sgf_skip_blanks, value_end,
)
from sgf_records cimport (
    SGF_ACCEPTED, SGF_NO_POINT, SGF_OFF_BOARD, SGF_PAIRS, SGF_REJECT_BOARD, SGF_REJECT_OTHER_GAME,
    SGF_SHIFT_JIS, SGF_SINGLE_BYTE, SGF_TOO_LONG, SgfProperty, SgfRecord, sgf_add_move, sgf_reserve,
)
from utf8 cimport is_utf8

# --- points and start positions -------------------------------------------------------------------

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
    cdef const uint8_t *start = p
    cdef uint16_t colour = GO_COLOUR if code == W else 0
    cdef int point
    if r.out.move_count - g.first_move >= MOST_MOVES:
        return fail_at(r, g, SGF_TOO_LONG, start)
    trim(&p, &stop)
    if p == stop or (stop - p == 4 and sgf_says(p, stop, b"pass")):
        sgf_add_move(&r.out, GO_PASS | colour)
        return 0
    if stop - p != 2:
        return fail_at(r, g, SGF_NO_POINT, start)
    point = go_point_of(p)
    if point < 0:
        if sgf_is_letter(p[0]) and sgf_is_letter(p[1]):
            return fail_at(r, g, SGF_OFF_BOARD, start)
        return fail_at(r, g, SGF_NO_POINT, start)
    if point == PASS_TT and r.setup.lines <= GO_DEFAULT_LINES:
        point = GO_PASS
    elif not go_on_board(r.setup.lines, <uint32_t>point):
        return fail_at(r, g, SGF_OFF_BOARD, start)
    sgf_add_move(&r.out, <uint16_t>point | colour)
    return 0


cdef inline int set_up(
    SgfReader *r, SgfRecord *g, uint32_t code, const uint8_t *p, const uint8_t *stop
) noexcept nogil:
    """Put setup stones: a point "aa" or a rectangle "aa:cc"; return -1 at a fault."""
    cdef const uint8_t *start = p
    cdef uint8_t stone = GO_EMPTY
    cdef int first, last, column, row
    if code == AB:
        stone = GO_BLACK_STONE
    elif code == AW:
        stone = GO_WHITE_STONE
    trim(&p, &stop)
    if p == stop:
        return 0                       # AB[] in some old files
    if stop - p != 2 and (stop - p != 5 or p[2] != b':'):
        return fail_at(r, g, SGF_NO_POINT, start)
    first = go_point_of(p)
    last = go_point_of(stop - 2)
    if first < 0 or last < 0:
        return fail_at(r, g, SGF_NO_POINT, start)
    if first == PASS_TT and r.setup.lines <= GO_DEFAULT_LINES:
        return 0                       # no stone
    if not (
        go_on_board(r.setup.lines, <uint32_t>first) and go_on_board(r.setup.lines, <uint32_t>last)
    ):
        return fail_at(r, g, SGF_OFF_BOARD, start)
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
            if board.stones[go_index(<uint32_t>(column | row << 5))] != stone:
                continue
            if not is_named:
                out[0] = b'A'
                out[1] = letter
                out += 2
                is_named = True
            out[0] = b'['
            out[1] = <uint8_t>(c'a' + column)
            out[2] = <uint8_t>(c'a' + row)
            out[3] = b']'
            out += 4
    return out


cdef inline void write_start(SgfReader *r, SgfRecord *g) noexcept nogil:
    """Write the stored form of the start (docs/go.md); nothing for the empty 19x19 board."""
    cdef uint8_t *out
    cdef uint8_t *first
    cdef int lines = r.setup.lines
    g.first_letter = <uint32_t>r.out.letter_count
    g.start_length = 0
    if not sgf_reserve(
        &r.out, <void **>&r.out.letters, &r.out.letter_capacity, r.out.letter_count + START_BYTES, 1
    ):
        return
    first = out = r.out.letters + r.out.letter_count
    memcpy(out, b"SZ[", 3)
    out += 3
    if lines > 9:
        out[0] = <uint8_t>(c'0' + lines // 10)
        out += 1
    out[0] = <uint8_t>(c'0' + lines % 10)
    out[1] = b']'
    out += 2
    if r.has_setup:
        first = out
        out = write_stones(&r.setup, GO_BLACK_STONE, b'B', out)
        out = write_stones(&r.setup, GO_WHITE_STONE, b'W', out)
        if out == first and lines == GO_DEFAULT_LINES:
            return
    elif lines == GO_DEFAULT_LINES:
        return
    g.start_length = <uint32_t>(out - r.out.letters - r.out.letter_count)
    r.out.letter_count += g.start_length


# --- root properties ------------------------------------------------------------------------------

cdef enum:
    CHARSET_WITHIN = 1000      # bytes of a record in which CA is searched


cdef inline int double_byte_of(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Return the bracket mode of the charset that CA declares."""
    p = sgf_skip_blanks(p, end)
    if sgf_says(p, end, b"shift") or sgf_says(p, end, b"sjis") or sgf_says(p, end, b"cp932"):
        return SGF_SHIFT_JIS
    if sgf_says(p, end, b"windows-31j") or sgf_says(p, end, b"ms_kanji"):
        return SGF_SHIFT_JIS
    if sgf_says(p, end, b"gb") or sgf_says(p, end, b"big5") or sgf_says(p, end, b"cp936"):
        return SGF_PAIRS
    if sgf_says(p, end, b"cp950") or sgf_says(p, end, b"johab"):
        return SGF_PAIRS
    return SGF_SINGLE_BYTE


cdef inline const uint8_t *first_branch(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Return the first "(;", of a branch or of the next record, or `end`."""
    p = sgf_parenthesis(p, end)
    while p < end and (p + 1 == end or p[1] != b';'):
        p = sgf_parenthesis(p + 1, end)
    return p


cdef inline void find_charset(SgfReader *r, const uint8_t *p, SgfRecord *g) noexcept nogil:
    """Find CA near the first name of a record, before its charset can be decided."""
    cdef const uint8_t *start = p
    cdef const uint8_t *end = p + min(r.stop - p, CHARSET_WITHIN)
    cdef const uint8_t *stop
    cdef bint is_utf8_record = r.is_utf8 or is_utf8(p, r.stop)
    r.double_byte = SGF_SINGLE_BYTE if is_utf8_record else r.default_double_byte
    end = first_branch(p, end)
    while p + 3 < end:
        p = <const uint8_t *>memchr(p, b'C', end - p - 3)
        if p == NULL:
            return
        if p[1] == b'A' and p[2] == b'[' and (p == start or not sgf_is_letter((p - 1)[0])):
            stop = sgf_plain_end(p + 3, end, SGF_SINGLE_BYTE)
            if stop != NULL:
                g.charset = <uint32_t>(p + 3 - r.base)
                g.charset_length = <uint32_t>(stop - p - 3)
                if not is_utf8_record and not r.overrides_charset:
                    r.double_byte = double_byte_of(p + 3, stop)
            return
        p += 1


cdef inline int number_of(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Return a number between blanks, "19" or "19:19"; -1 if it is none, or two."""
    cdef int numbers[2]
    cdef int count = 0
    cdef const uint8_t *digits
    while count < 2:
        numbers[count] = 0
        p = sgf_skip_blanks(p, end)
        digits = p
        while p < end and b'0' <= p[0] <= b'9' and numbers[count] < 10000:
            numbers[count] = 10 * numbers[count] + p[0] - c'0'
            p += 1
        if p == digits:
            return -1
        count += 1
        p = sgf_skip_blanks(p, end)
        if p == end or p[0] != b':':
            break
        p += 1
    return numbers[0] if p == end and numbers[count - 1] == numbers[0] else -1


cdef inline const uint8_t *root_end(
    uint32_t code, const uint8_t *p, const uint8_t *stop
) noexcept nogil:
    """Return where a root value without its closing bracket ends, NULL if it has one."""
    if code == C or code == GC:
        return NULL
    return sgf_missing_end(p, stop)


cdef inline void read_root_setup(SgfReader *r, const uint8_t *p, SgfRecord *g) noexcept nogil:
    """Find which game it is and the board size; `p` is at the first name."""
    cdef const uint8_t *name
    cdef const uint8_t *stop
    cdef const uint8_t *cut
    cdef int lines = GO_DEFAULT_LINES
    cdef uint32_t code
    while True:
        name = sgf_skip_blanks(p, r.stop)
        p = sgf_name_end(name, r.stop)
        if p == name:
            break
        code = sgf_code(name, p)
        p = sgf_skip_blanks(p, r.stop)
        if p == r.stop or p[0] != b'[':
            break
        while p < r.stop and p[0] == b'[':
            stop = value_end(r, p + 1, True)
            if stop == NULL:
                break
            cut = root_end(code, p + 1, stop)
            if cut != NULL:
                stop = cut
            if code == GM and number_of(p + 1, stop) not in (-1, 1):
                g.rejection = SGF_REJECT_OTHER_GAME
            elif code == SZ and sgf_skip_blanks(p + 1, stop) != stop:
                lines = number_of(p + 1, stop) or GO_DEFAULT_LINES  # some Fox files have SZ[0]
            p = sgf_skip_blanks(stop + 1, r.stop)
            if cut != NULL:
                break
        if stop == NULL:
            break
    if not 0 < lines <= GO_MOST_LINES:
        if g.rejection == SGF_ACCEPTED:
            g.rejection = SGF_REJECT_BOARD
        lines = GO_DEFAULT_LINES
    go_clear(&r.setup, lines)
    r.has_setup = False


cdef inline bint is_tag_property(const SgfReader *r, const SgfProperty *property) noexcept nogil:
    """Return whether a root property describes the game, not points on the board."""
    cdef uint32_t code = property.code
    cdef const uint8_t *value = r.base + property.value
    if property.values > 1 or code == c'N' or code == c'V':
        return False
    if code == TE or code == KO:
        return not sgf_is_judgement(value, value + property.value_length)
    return not sgf_has_code(
        code, b"AR CR DD LB LN MA SL SQ TR TB TW VW FG PM MN BM DO IT DM GB GW HO UC BL WL OB OW "
    )
