"""The root of an SGF record, ahead of reading: charset, kind of game, lines of the board.

These say how the rest is to be read, and may stand anywhere in the root.
"""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr

from go_board cimport GO_MOST_LINES, GO_USUAL_LINES, go_clear
from sgf_lex cimport (
    C, GC, GM, SZ, sgf_code, sgf_is_letter, sgf_missing_end, sgf_name_end, sgf_plain_end,
    sgf_says, sgf_skip_blanks,
)
from sgf_reader cimport SgfReader, value_end
from sgf_records cimport (
    SGF_ACCEPTED, SGF_CHINESE, SGF_NARROW, SGF_REJECT_BOARD, SGF_REJECT_OTHER_GAME, SGF_SHIFT_JIS,
    SgfRecord,
)
from utf8 cimport is_utf8

cdef enum:
    CHARSET_WITHIN = 1000      # bytes of a record in which CA is looked for


cdef inline int wide_of(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Return what a charset that CA names does with brackets."""
    p = sgf_skip_blanks(p, end)
    if sgf_says(p, end, b"shift") or sgf_says(p, end, b"sjis") or sgf_says(p, end, b"cp932"):
        return SGF_SHIFT_JIS
    if sgf_says(p, end, b"windows-31j") or sgf_says(p, end, b"ms_kanji"):
        return SGF_SHIFT_JIS
    if sgf_says(p, end, b"gb") or sgf_says(p, end, b"big5") or sgf_says(p, end, b"cp936"):
        return SGF_CHINESE
    return SGF_CHINESE if sgf_says(p, end, b"cp950") else SGF_NARROW


cdef inline const uint8_t *first_branch(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Return the first "(;", of a branch or of the next record, or `end`."""
    while p < end:
        p = <const uint8_t *>memchr(p, 40, end - p)
        if p == NULL:
            return end
        if p + 1 < end and p[1] == 59:
            return p
        p += 1
    return end


cdef inline void find_charset(SgfReader *r, const uint8_t *p, SgfRecord *g) noexcept nogil:
    """Find CA near the start of a record: letters before it are not known yet."""
    cdef const uint8_t *end = p + min(r.stop - p, CHARSET_WITHIN)
    cdef const uint8_t *stop
    cdef bint is_sure = r.is_utf8 or is_utf8(p, r.stop)
    r.wide = SGF_NARROW if is_sure else r.usual_wide
    p += 1
    end = first_branch(p, end)
    while p + 3 < end:
        p = <const uint8_t *>memchr(p, 67, end - p - 3)        # C
        if p == NULL:
            return
        if p[1] == 65 and p[2] == 91 and not sgf_is_letter((p - 1)[0]):
            stop = sgf_plain_end(p + 3, end, SGF_NARROW)
            if stop != NULL:
                g.charset = <uint32_t>(p + 3 - r.base)
                g.charset_length = <uint32_t>(stop - p - 3)
                if not is_sure and not r.keeps_wide:
                    r.wide = wide_of(p + 3, stop)
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
        while p < end and 48 <= p[0] <= 57 and numbers[count] < 10000:
            numbers[count] = 10 * numbers[count] + p[0] - 48
            p += 1
        if p == digits:
            return -1
        count += 1
        p = sgf_skip_blanks(p, end)
        if p == end or p[0] != 58:
            break
        p += 1
    return numbers[0] if p == end and numbers[count - 1] == numbers[0] else -1


cdef inline const uint8_t *root_end(
    uint32_t code, const uint8_t *p, const uint8_t *stop
) noexcept nogil:
    """Return where a value of the root ends that lacks its bracket, NULL if it has it."""
    if code == C or code == GC:
        return NULL
    return sgf_missing_end(p, stop)


cdef inline void look_at_root(SgfReader *r, const uint8_t *p, SgfRecord *g) noexcept nogil:
    """Find what kind of game it is and the size of its board; `p` is behind the first ";"."""
    cdef const uint8_t *name
    cdef const uint8_t *stop
    cdef const uint8_t *cut
    cdef int lines = GO_USUAL_LINES
    cdef uint32_t code
    while True:
        name = sgf_skip_blanks(p, r.stop)
        p = sgf_name_end(name, r.stop)
        if p == name:
            break
        code = sgf_code(name, p)
        p = sgf_skip_blanks(p, r.stop)
        if p == r.stop or p[0] != 91:
            break
        while p < r.stop and p[0] == 91:
            stop = value_end(r, p + 1, True)
            if stop == NULL:
                break
            cut = root_end(code, p + 1, stop)
            if cut != NULL:
                stop = cut
            if code == GM and number_of(p + 1, stop) not in (-1, 1):
                g.rejection = SGF_REJECT_OTHER_GAME
            elif code == SZ and sgf_skip_blanks(p + 1, stop) != stop:
                lines = number_of(p + 1, stop)
            p = sgf_skip_blanks(stop + 1, r.stop)
            if cut != NULL:
                break
        if stop == NULL:
            break
    if not 0 < lines <= GO_MOST_LINES:
        if g.rejection == SGF_ACCEPTED:
            g.rejection = SGF_REJECT_BOARD
        lines = GO_USUAL_LINES
    go_clear(&r.setup, lines)
    r.has_setup = False


cdef inline bint keeps_as_tag(uint32_t code, uint32_t values) noexcept nogil:
    """Tell if a property of the root says something of the game, not of points on the board."""
    if values != 1:
        return False
    # AR CR DD LB LN MA SL SQ TR TB TW VW FG PM MN N V BM DO IT TE DM GB GW HO UC KO BL WL OB OW
    return not (
        code == 0x5241 or code == 0x5243 or code == 0x4444 or code == 0x424C or code == 0x4E4C
        or code == 0x414D or code == 0x4C53 or code == 0x5153 or code == 0x5254 or code == 0x4254
        or code == 0x5754 or code == 0x5756 or code == 0x4746 or code == 0x4D50 or code == 0x4E4D
        or code == 0x4E or code == 0x56 or code == 0x4D42 or code == 0x4F44 or code == 0x5449
        or code == 0x4554 or code == 0x4D44 or code == 0x4247 or code == 0x5747 or code == 0x4F48
        or code == 0x4355 or code == 0x4F4B or code == 0x4C42 or code == 0x4C57 or code == 0x424F
        or code == 0x574F
    )
