"""Lexer for SGF text: blanks, names of properties, values, games.

SGF FF[4] (https://www.red-bean.com/sgf/sgf4.html): Collection = { GameTree }, GameTree = "(" Node {
Node } { GameTree } ")", Node = ";" { Property }, Property = PropIdent "[" text "]" { "[" ... }. Old
files have lower-case letters in names, which are ignored: "White" is W. A name of one or two small
letters is read as capitals.
"""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr

from go_board cimport GoBoard
from sgf_records cimport SGF_PAIRS, SGF_SHIFT_JIS, SGF_SINGLE_BYTE, SgfBuffers, SgfRecord

cdef enum:
    PROPERTY_LETTERS = 32      # of the name of a property

cdef enum:
    # Names of properties, as returned by sgf_code().
    GM = 0x4D47, FF = 0x4646, SZ = 0x5A53, CA = 0x4143, EV = 0x5645, PB = 0x4250
    PW = 0x5750, GN = 0x4E47, AP = 0x5041, DT = 0x5444, GC = 0x4347, TE = 0x4554, KO = 0x4F4B
    AB = 0x4241, AW = 0x5741, AE = 0x4541, B = 0x42, W = 0x57, C = 0x43


cdef inline bint sgf_is_blank(uint8_t byte) noexcept nogil:
    # 26 ends a DOS file.
    return byte == b' ' or b'\t' <= byte <= b'\r' or byte == 0 or byte == 26


cdef inline const uint8_t *sgf_skip_blanks(const uint8_t *p, const uint8_t *end) noexcept nogil:
    while p < end and sgf_is_blank(p[0]):
        p += 1
    return p


cdef inline bint sgf_is_letter(uint8_t byte) noexcept nogil:
    return b'A' <= byte <= b'Z' or b'a' <= byte <= b'z'


cdef inline const uint8_t *sgf_name_end(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Return the end of a name: letters, then digits."""
    if p < end and sgf_is_letter(p[0]):
        p += 1
        while p < end and (sgf_is_letter(p[0]) or b'0' <= p[0] <= b'9'):
            p += 1
    return p


cdef inline uint32_t sgf_code(const uint8_t *name, const uint8_t *end) noexcept nogil:
    """Return the capitals of a name as a number, 'A' | 'B' << 8; 0 if there are more than two."""
    cdef uint32_t code = 0
    cdef int count = 0
    if end - name <= 2 and name[0] >= b'a' and (end - 1)[0] >= b'a':
        return (name[0] - 32) | (0 if end - name == 1 else <uint32_t>(name[1] - 32) << 8)
    while name < end:
        if b'A' <= name[0] <= b'Z' or b'0' <= name[0] <= b'9':
            if count == 2:
                return 0
            code |= <uint32_t>name[0] << (8 * count)
            count += 1
        name += 1
    return code


cdef inline bint sgf_is_lead(uint8_t byte, int double_byte) noexcept nogil:
    """Return whether a byte begins a two-byte letter."""
    if double_byte == SGF_SHIFT_JIS:
        return 0x81 <= byte <= 0x9F or 0xE0 <= byte <= 0xFC
    return double_byte == SGF_PAIRS and 0x81 <= byte <= 0xFE


cdef inline const uint8_t *sgf_plain_end(
    const uint8_t *p, const uint8_t *end, int double_byte
) noexcept nogil:
    """Return the first bracket from `p` on that ends a value, NULL if there is none."""
    while p < end:
        if p[0] == b']':
            return p
        if p[0] == b'\\' and p + 1 < end:
            p += 1
        if double_byte != SGF_SINGLE_BYTE and p + 1 < end and sgf_is_lead(p[0], double_byte):
            p += 1
        p += 1
    return NULL


cdef inline bint sgf_lacks_value(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Return whether a property without a value follows: "KM", then ";B[" or "PB[".

    Other words are text.
    """
    cdef const uint8_t *stop
    if end - p < 3 or not (b'A' <= p[0] <= b'Z' and b'A' <= p[1] <= b'Z'):
        return False
    p = sgf_skip_blanks(p + 2, end)
    if p < end and p[0] == b';':
        p = sgf_skip_blanks(p + 1, end)
    elif sgf_is_letter((p - 1)[0]):
        return False
    stop = sgf_name_end(p, end)
    return stop > p and stop < end and stop[0] == b'['


cdef inline bint sgf_may_follow(const uint8_t *p, const uint8_t *end, bint *saw_end) noexcept nogil:
    """Return whether the text after a bracket can follow a value.

    Some files have unescaped brackets in names and comments. Such a bracket is part of the text if
    what follows is not SGF. `saw_end` is set if more text could change the answer.
    """
    cdef const uint8_t *name
    p = sgf_skip_blanks(p, end)
    if p < end and (p[0] == b'[' or p[0] == b';' or p[0] == b'('):
        return True
    if p < end and p[0] == b')':              # then no text follows on its line
        p += 1
        while p < end and sgf_is_blank(p[0]):
            if p[0] == b'\n' or p[0] == b'\r':
                return True
            p += 1
        if p < end:
            return p[0] == b')' or p[0] == b'('
    if p == end:
        saw_end[0] = True
        return True
    if not sgf_is_letter(p[0]):
        return False
    name = p
    p = sgf_name_end(p, end)
    if p - name > PROPERTY_LETTERS:
        return False
    p = sgf_skip_blanks(p, end)
    if p == end:
        saw_end[0] = True
    return p < end and (p[0] == b'[' or sgf_lacks_value(name, end))


cdef inline const uint8_t *sgf_text_end(
    const uint8_t *p, const uint8_t *end, int double_byte, bint *saw_end
) noexcept nogil:
    """Return the first bracket that can end a value, judging by what follows; NULL if none.

    `saw_end` is set if more text could change the answer.
    """
    cdef const uint8_t *bracket = sgf_plain_end(p, end, double_byte)
    while bracket != NULL and not sgf_may_follow(bracket + 1, end, saw_end):
        bracket = sgf_plain_end(bracket + 1, end, double_byte)
    if bracket == NULL:
        saw_end[0] = True
    return bracket


cdef inline const uint8_t *sgf_missing_end(const uint8_t *p, const uint8_t *stop) noexcept nogil:
    """Return the line end inside a value after which a property follows, NULL if there is none.

    "EV[Meijin" on one line and "RO[1]" on the next: the closing bracket is missing.
    """
    cdef const uint8_t *name
    while p < stop:
        p = <const uint8_t *>memchr(p, b'\n', stop - p)
        if p == NULL:
            return NULL
        name = p + 1
        if name < stop and b'A' <= name[0] <= b'Z':
            name += 1
            if name < stop and b'A' <= name[0] <= b'Z':
                name += 1
            if name < stop and name[0] == b'[':
                return p
        p += 1
    return NULL


cdef inline const uint8_t *sgf_parenthesis(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Return the first "(" from `p` on, or `end`."""
    cdef const void *hit = memchr(p, b'(', end - p) if p < end else NULL
    return end if hit == NULL else <const uint8_t *>hit


cdef inline bint sgf_begins_game(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Return whether a game begins: "(", ";", with blanks between."""
    if p == end or p[0] != b'(':
        return False
    p = sgf_skip_blanks(p + 1, end)
    return p < end and p[0] == b';'


cdef inline bint sgf_has_code(uint32_t code, const char *names) noexcept nogil:
    """Return whether a code is among names of two letters, with a blank after each."""
    while names[0]:
        if code == (<uint32_t><uint8_t>names[0] | <uint32_t><uint8_t>names[1] << 8):
            return True
        names += 3
    return False


cdef inline const uint8_t *sgf_first_value(
    const uint8_t *p, const uint8_t *end, uint32_t *code
) noexcept nogil:
    """Set the code of the property that follows; return its first value, NULL if it has none."""
    cdef const uint8_t *stop = sgf_name_end(p, end)
    if stop == p or stop - p > PROPERTY_LETTERS or stop == end or stop[0] != b'[':
        return NULL
    code[0] = sgf_code(p, stop)
    return stop + 1


cdef inline bint sgf_is_root_name(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Return whether a property follows that only roots have and that often comes first."""
    cdef uint32_t code = 0
    return sgf_first_value(p, end, &code) != NULL and sgf_has_code(
        code, b"GM FF SZ CA EV PB PW GN AP DT "
    )


cdef inline bint sgf_is_judgement(const uint8_t *p, const uint8_t *stop) noexcept nogil:
    """Return whether a value is that of a mark on a move (TE, KO): 1, 2 or nothing."""
    p = sgf_skip_blanks(p, stop)
    if p < stop and (p[0] == b'1' or p[0] == b'2'):
        p = sgf_skip_blanks(p + 1, stop)
    return p == stop


cdef inline bint sgf_begins_root(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Return whether a property follows with which a game without "(" or ";" can begin.

    Some programs write the event, date and komi as TE, RD and KO.
    """
    cdef uint32_t code = 0
    cdef const uint8_t *value = sgf_first_value(p, end, &code)
    cdef const uint8_t *stop
    if value == NULL:
        return False
    if code == TE or code == KO:
        stop = <const uint8_t *>memchr(value, b']', end - value)
        return stop != NULL and not sgf_is_judgement(value, stop)
    return sgf_is_root_name(p, end) or sgf_has_code(
        code, b"RD PC RE KM HA RU RO TM LT LC OT BR WR BT WT US SO GC ON AN CP ST "
    )


cdef inline bint sgf_begins_bare_game(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Return whether a game without "(" begins: a root property, maybe with ";" before it."""
    if p < end and p[0] == b';':
        p = sgf_skip_blanks(p + 1, end)
    return sgf_begins_root(p, end)


cdef inline bint sgf_is_hard_start(
    const uint8_t *base, const uint8_t *p, const uint8_t *end
) noexcept nogil:
    """Return whether a game begins at `p` whatever precedes it, even an unclosed value.

    True at the start of a line, with a root property whose value ends with a bare bracket.
    """
    cdef const uint8_t *value
    if p > base and (p - 1)[0] != b'\n' and (p - 1)[0] != b'\r':
        return False
    if not sgf_begins_game(p, end):
        return False
    p = sgf_skip_blanks(p + 1, end) + 1
    p = sgf_skip_blanks(p, end)
    if not sgf_is_root_name(p, end):
        return False
    value = p + 3
    while value < end and value[0] != b']' and value[0] != b'\n':
        if value[0] == b'\\' or value - p > 200:
            return False
        value += 1
    return value < end and value[0] == b']'


cdef inline const uint8_t *sgf_hard_start(
    const uint8_t *base, const uint8_t *p, const uint8_t *end
) noexcept nogil:
    """Return the first hard start from `p` on, or `end`."""
    p = sgf_parenthesis(p, end)
    while p < end and not sgf_is_hard_start(base, p, end):
        p = sgf_parenthesis(p + 1, end)
    return p


cdef inline bint sgf_says(const uint8_t *p, const uint8_t *end, const char *word) noexcept nogil:
    """Return whether a text begins with a word, ignoring case; `word` is in lower case."""
    cdef int i = 0
    while word[i]:
        if p + i >= end or (p[i] | 32) != <uint8_t>word[i]:
            return False
        i += 1
    return True


# --- state of the reader --------------------------------------------------------------------------

cdef enum:
    MOST_BRANCHES = 1024       # branches along the mainline of a record

ctypedef struct SgfReader:
    const uint8_t *base
    const uint8_t *end
    SgfBuffers out
    bint use_ni
    bint is_utf8               # the whole text is UTF-8, so no letter contains a bracket
    int default_double_byte    # for records that do not declare a charset
    bint overrides_charset     # for all records, whatever charset they declare
    bint saw_end               # more text might change the result for the current record
    const uint8_t *next_hard   # cached: the first hard start after the record
    # The last search for the end of a text and its result. It is valid up to the result, so that
    # unescaped brackets are not searched again for each value.
    const uint8_t *text_from
    const uint8_t *text_to     # NULL: none up to text_stop
    const uint8_t *text_stop
    int text_double_byte
    # of the current record
    const uint8_t *stop        # it ends there at the latest, since another must begin
    int double_byte
    GoBoard setup
    bint has_setup
    bint in_root
    int depth
    uint32_t[MOST_BRANCHES] branch_before  # annotation, by depth
    int[MOST_BRANCHES] branch_ply


cdef inline int fail_at(SgfReader *r, SgfRecord *g, int fault, const uint8_t *p) noexcept nogil:
    g.fault = <uint8_t>fault
    g.fault_at = <uint32_t>(p - r.base)
    return -1


cdef inline void limit_record(SgfReader *r, const uint8_t *p) noexcept nogil:
    """Find how far a record that begins at `p` can extend."""
    if r.next_hard == NULL or r.next_hard <= p:
        r.next_hard = sgf_hard_start(r.base, p + 1, r.end)
    r.stop = r.next_hard


cdef inline const uint8_t *value_end(SgfReader *r, const uint8_t *p, bint is_text) noexcept nogil:
    """Return the bracket that ends a value, NULL if none does; `p` is after the first one.

    For text, prefer a bracket that can end a value; without one, return the first bracket.
    """
    if not is_text:
        return sgf_plain_end(p, r.stop, r.double_byte)
    if (
        r.text_from == NULL or p < r.text_from or r.text_stop != r.stop
        or r.text_double_byte != r.double_byte or (r.text_to != NULL and p > r.text_to)
    ):
        r.text_to = sgf_text_end(p, r.stop, r.double_byte, &r.saw_end)
        r.text_from = p
        r.text_stop = r.stop
        r.text_double_byte = r.double_byte
    elif r.text_to == NULL:
        r.saw_end = True
    if r.text_to != NULL:
        return r.text_to
    return sgf_plain_end(p, r.stop, r.double_byte)
