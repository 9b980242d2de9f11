"""The values of a game as they are stored, without the GIL and without Python objects.

Owns the rules for single values. Games with values that these rules cannot decode,
with text that is not UTF-8, escapes or garbled names are left to odd_values.pxd: they are rare.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.string cimport memchr, memcmp, memset

from find_bytes cimport is_study_address
from game_buffers cimport (
    ENCODED_TAGS, HAS_COMMENTS, HAS_HIGH_BYTES, HAS_VARIATIONS, ITEM_LOOSE_VARIATION, ITEM_NAG,
    ITEM_VARIATION, NO_FAULT, ODD_FEN, REPEATED_TAGS, RESULT_BLACK, RESULT_DRAW, RESULT_NONE,
    RESULT_OPEN, RESULT_WHITE, GameRecord, Item, Names, Span, TagRecord, name_hash, type_of_item,
)
from game_columns cimport (
    TAG_BLACK, TAG_BLACK_ELO, TAG_COUNT, TAG_DATE, TAG_EVENT, TAG_FEN, TAG_RESULT, TAG_SET_UP,
    TAG_SITE, TAG_VARIANT, TAG_WHITE, TAG_WHITE_ELO,
)
from memory cimport try_reserve
from movetext cimport Reader
from pgn_game cimport trimmed
from pgn_lex cimport has_escape, has_escapes
from sqlite_api cimport OCG_STATIC, ocg_destructor
from utf8 cimport is_utf8, may_be_garbled

cdef enum:
    UNKNOWN_RESULT = -1
    UNKNOWN_QUALITY = -1   # of a date
    FEW_TAGS = 64          # compare each pair of names up to this number

ctypedef struct RowContext:
    Reader *reader
    Names *events
    Names *sites
    Names *players
    int64_t game_id
    int64_t source_id
    int64_t number         # of the block in its source, 1-based
    int64_t offset         # bytes of the source before this block
    int64_t line           # line ends of the source before `line_at`
    size_t line_at
    bint decode_all        # in Python

ctypedef struct Scratch:               # memory that grows
    uint8_t *bytes
    size_t capacity

ctypedef struct Value:
    const uint8_t *at      # NULL: there is none
    size_t length

ctypedef struct Values:                # of a game
    Value[TAG_COUNT] tags  # Elos as written, Date and Result in standard form
    uint32_t[2] players    # IDs of White and Black, set by enter_players()
    int date_quality
    int result
    size_t extra_bytes      # maximum size of the JSON object of extra tags as written, 0 if none
    Value extra_tags        # if they had to be decoded
    Value charset
    ocg_destructor lifetime


# --- single values ----------------------------------------------------------------------------

cdef inline Value literal(const char *text, size_t length) noexcept nogil:
    cdef Value made
    made.at = <const uint8_t *>text
    made.length = length
    return made


cdef inline bint is_text(const Value *text, const char *other, size_t length) noexcept nogil:
    return text.length == length and memcmp(text.at, other, length) == 0


cdef inline Value text_at(const uint8_t *base, Span span) noexcept nogil:
    """Return a value without blanks around it; none if it is empty or the standard's "?"."""
    span = trimmed(base, span)
    if span.length == 0 or (span.length == 1 and base[span.start] == b'?'):
        return literal(NULL, 0)
    return literal(<const char *>base + span.start, span.length)


cdef inline int number_of(const Value *text) noexcept nogil:
    """Parse 1 to 4 digits as a number; return -1 for anything else."""
    cdef int value = 0
    cdef size_t i
    if text.length == 0 or text.length > 4:
        return -1
    for i in range(text.length):
        if not b'0' <= text.at[i] <= b'9':
            return -1
        value = value * 10 + text.at[i] - c'0'
    return value


cdef inline bint is_odd_elo(const Value *text) noexcept nogil:
    """Return whether an Elo is neither a number nor absent, so that it is an extra tag."""
    if text.length == 0:
        return False
    if text.length > 1 and text.at[0] == b'0':
        return True                                   # else "0000" would be exported as "0"
    return number_of(text) < 0


cdef inline int elo_of(const Value *text) noexcept nogil:
    """Return an Elo, or the only number of three or four digits in an odd one; -1 for none."""
    cdef Value digits = literal(NULL, 0)
    cdef size_t i
    if not is_odd_elo(text):
        return number_of(text)
    for i in range(text.length):
        if not b'0' <= text.at[i] <= b'9':
            continue
        if digits.length and text.at + i != digits.at + digits.length:
            return -1                                 # a second number
        if digits.length == 0:
            digits.at = text.at + i
        digits.length += 1
    return number_of(&digits) if digits.length > 2 and digits.at[0] != b'0' else -1


cdef inline int two_digits(const uint8_t *p) noexcept nogil:
    if not (b'0' <= p[0] <= b'9' and b'0' <= p[1] <= b'9'):
        return -1
    return (p[0] - c'0') * 10 + p[1] - c'0'


cdef inline int month_days(int year, int month) noexcept nogil:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month == 4 or month == 6 or month == 9 or month == 11 else 31


cdef inline int standard_date_quality(const Value *text) noexcept nogil:
    """Return DateQuality of a date, UNKNOWN_QUALITY if it is not in standard form."""
    cdef const uint8_t *p = text.at
    cdef int year, month, day
    if text.length != 10 or p[4] != b'.' or p[7] != b'.':
        return UNKNOWN_QUALITY
    if memcmp(p, b"????.??.??", 10) == 0:
        return 0
    if not (p[0] == b'1' or p[0] == b'2') or two_digits(p) < 15 or two_digits(p) > 20 \
            or two_digits(p + 2) < 0:
        return UNKNOWN_QUALITY
    if memcmp(p + 5, b"??.??", 5) == 0:
        return 13
    month = two_digits(p + 5)
    if month < 1 or month > 12:
        return UNKNOWN_QUALITY
    if p[8] == b'?' and p[9] == b'?':
        return 23
    day = two_digits(p + 8)
    year = two_digits(p) * 100 + two_digits(p + 2)
    return 33 if 1 <= day <= month_days(year, month) else UNKNOWN_QUALITY


cdef inline int result_code(const Value *text) noexcept nogil:
    """Return the code of a result, UNKNOWN_RESULT if it is not in standard form."""
    if text.length == 0:
        return RESULT_NONE
    if is_text(text, b"1-0", 3):
        return RESULT_WHITE
    if is_text(text, b"0-1", 3):
        return RESULT_BLACK
    if is_text(text, b"1/2-1/2", 7):
        return RESULT_DRAW
    return RESULT_OPEN if is_text(text, b"*", 1) else UNKNOWN_RESULT


cdef inline Value result_text(int code) noexcept nogil:
    if code == RESULT_WHITE:
        return literal(b"1-0", 3)
    if code == RESULT_BLACK:
        return literal(b"0-1", 3)
    return literal(b"1/2-1/2", 7) if code == RESULT_DRAW else literal(b"*", 1)


cdef inline int agreed_result(int tag, int marker) noexcept nogil:
    """Return the result of tag and movetext together; UNKNOWN_RESULT if they differ.

    If one of them is "*" or missing, the other counts.
    """
    if tag == RESULT_NONE or tag == RESULT_OPEN:
        return RESULT_OPEN if marker == RESULT_NONE else marker
    if marker == RESULT_NONE or marker == RESULT_OPEN or marker == tag:
        return tag
    return UNKNOWN_RESULT


# --- extra tags -------------------------------------------------------------------------------

cdef inline bint is_extra(const TagRecord *tag, const GameRecord *g) noexcept nogil:
    """Return whether a tag has no column: unknown, repeated, Variant, or SetUp without a FEN."""
    return tag.tag == TAG_COUNT or tag.tag == TAG_VARIANT or (
        tag.tag == TAG_SET_UP and g.values[TAG_FEN].length == 0
    )


cdef inline bint needs_json_escape(const uint8_t *p, uint32_t length) noexcept nogil:
    cdef uint32_t i
    for i in range(length):
        if p[i] < 32 or p[i] == b'"' or p[i] == b'\\':
            return True
    return False


cdef inline bint are_equal(const uint8_t *base, Span a, Span b) noexcept nogil:
    return a.length == b.length and memcmp(base + a.start, base + b.start, a.length) == 0


cdef inline bint are_few_distinct(
    const uint8_t *base, const TagRecord *tags, uint32_t count
) noexcept nogil:
    cdef uint32_t i, k
    for i in range(count):
        for k in range(i):
            if are_equal(base, tags[i].name, tags[k].name):
                return False
    return True


cdef inline bint are_distinct(
    Scratch *scratch, const uint8_t *base, const TagRecord *tags, uint32_t count
) noexcept nogil:
    """Return whether all tags of a game have different names; False also if out of memory."""
    cdef uint32_t *slots       # index of a tag plus 1, by the hash of its name
    cdef uint32_t mask = 255, i, at
    if count <= FEW_TAGS:
        return are_few_distinct(base, tags, count)
    while mask < 2 * count:
        mask = mask * 2 + 1
    if not try_reserve(
        <void **>&scratch.bytes, &scratch.capacity, sizeof(uint32_t) * (<size_t>mask + 1), 1
    ):
        return False
    slots = <uint32_t *>scratch.bytes
    memset(slots, 0, sizeof(uint32_t) * (<size_t>mask + 1))
    for i in range(count):
        at = name_hash(base + tags[i].name.start, tags[i].name.length) & mask
        while slots[at]:
            if are_equal(base, tags[i].name, tags[slots[at] - 1].name):
                return False
            at = (at + 1) & mask
        slots[at] = i + 1
    return True


cdef inline bint are_plain_tags(
    RowContext *c, Scratch *scratch, const GameRecord *g, Values *v
) noexcept nogil:
    """Return whether no tag has escapes and the extra tags can be copied into a JSON object."""
    cdef const uint8_t *base = c.reader.base
    cdef const TagRecord *tags = c.reader.out.tags + g.first_tag
    cdef const TagRecord *tag
    cdef uint32_t i
    if g.odd_tags & (REPEATED_TAGS | ODD_FEN):
        return False
    for i in range(g.tag_count):
        tag = &tags[i]
        if tag.escaped:
            return False
        if not is_extra(tag, g):
            continue
        if needs_json_escape(base + tag.value.start, tag.value.length):
            return False
        # A tag that `export` writes, with the DateQuality.
        if tag.name.length == 12 and memcmp(base + tag.name.start, b"OriginalDate", 12) == 0:
            return False
        v.extra_bytes += tag.name.length + tag.value.length + 7
    return are_distinct(scratch, base, tags, g.tag_count)


# --- date from UTCDate --------------------------------------------------------------------------

cdef inline const TagRecord *find_tag(
    const Reader *reader, const GameRecord *g, const char *name, size_t length
) noexcept nogil:
    """Return the first tag with a name, NULL if there is none."""
    cdef const TagRecord *tags = reader.out.tags + g.first_tag
    cdef uint32_t i
    for i in range(g.tag_count):
        if tags[i].name.length == length and (
            memcmp(reader.base + tags[i].name.start, name, length) == 0
        ):
            return &tags[i]
    return NULL


cdef inline bint is_of_study(const Reader *reader, const GameRecord *g) noexcept nogil:
    """Return whether a record is a chapter of a study: its UTCDate is the day it was written down.

    Lichess exports the games of broadcasts, too, as chapters of a study.
    """
    cdef Span site = g.values[TAG_SITE]
    if is_study_address(reader.base + site.start, site.length):
        return True
    return find_tag(reader, g, b"StudyName", 9) != NULL and (
        find_tag(reader, g, b"BroadcastName", 13) == NULL
    )


cdef inline void take_utc_date(const Reader *reader, const GameRecord *g, Values *v) noexcept nogil:
    """Replace an unknown date by UTCDate, which the games of databases of Lichess have."""
    cdef const TagRecord *tag = find_tag(reader, g, b"UTCDate", 7)
    cdef Value date
    if tag == NULL or is_of_study(reader, g):
        return
    date = text_at(reader.base, tag.value)
    if standard_date_quality(&date) > 0:
        v.tags[TAG_DATE] = date
        v.date_quality = standard_date_quality(&date)


# --- all values -------------------------------------------------------------------------------

cdef inline void read_values(RowContext *c, const GameRecord *g, Values *v) noexcept nogil:
    """Set the values of tags with a column as far as they are in standard form."""
    cdef int tag
    for tag in range(TAG_COUNT):
        v.tags[tag] = text_at(c.reader.base, g.values[tag])
    v.date_quality = standard_date_quality(&v.tags[TAG_DATE])
    if v.tags[TAG_DATE].length == 0:
        v.tags[TAG_DATE] = literal(b"????.??.??", 10)
        v.date_quality = 0
    if v.date_quality == 0:
        take_utc_date(c.reader, g, v)
    v.result = result_code(&v.tags[TAG_RESULT])
    if v.result != UNKNOWN_RESULT:
        v.result = agreed_result(v.result, g.result)
    v.extra_bytes = 0
    v.extra_tags = v.charset = literal(NULL, 0)
    v.lifetime = OCG_STATIC


cdef inline bint is_garbled(const Value *name) noexcept nogil:
    return name.length > 0 and may_be_garbled(name.at, name.length)


cdef inline bint has_garbled_name(const Values *v) noexcept nogil:
    return (
        is_garbled(&v.tags[TAG_EVENT]) or is_garbled(&v.tags[TAG_SITE])
        or is_garbled(&v.tags[TAG_WHITE]) or is_garbled(&v.tags[TAG_BLACK])
    )


cdef inline bint is_plain_annotation(const uint8_t *base, const Item *item) noexcept nogil:
    """Return whether an item is neither a loose variation nor a variation with ; or % in it."""
    cdef int item_type = type_of_item(item)
    return item_type != ITEM_LOOSE_VARIATION and (
        item_type != ITEM_VARIATION or (
            memchr(base + item.start, b';', item.length) == NULL
            and memchr(base + item.start, b'%', item.length) == NULL
        )
    )


cdef inline bint has_encoded_comment(
    RowContext *c, const GameRecord *g
) noexcept nogil:
    """Return whether a comment may have entities or escapes of other formats."""
    cdef const uint8_t *base = c.reader.base
    cdef const uint8_t *text
    cdef const Item *item
    cdef uint32_t i
    if has_escapes(base + g.start, base + g.end):
        return True
    for i in range(g.item_count):
        item = c.reader.out.items + g.first_item + i
        text = base + item.start
        text += text[0] == b' '
        # Most comments are commands.
        if type_of_item(item) != ITEM_NAG and memcmp(text, b"[%", 2) != 0:
            if has_escape(text, base + item.start + item.length, b'%'):
                return True
    return False


cdef inline bint is_plain(
    RowContext *c, Scratch *scratch, const GameRecord *g, Values *v
) noexcept nogil:
    """Return whether all values of a game are as read_values() set them; count its extra tags."""
    cdef const uint8_t *base = c.reader.base
    cdef uint32_t i
    if v.date_quality == UNKNOWN_QUALITY or v.result == UNKNOWN_RESULT or g.fault != NO_FAULT:
        return False
    if g.odd_result.length or g.odd_tags & ENCODED_TAGS:
        return False
    if g.flags & (HAS_COMMENTS | HAS_VARIATIONS) and has_encoded_comment(c, g):
        return False
    if is_odd_elo(&v.tags[TAG_WHITE_ELO]) or is_odd_elo(&v.tags[TAG_BLACK_ELO]):
        return False
    if g.flags & HAS_HIGH_BYTES and (
        not is_utf8(base + g.start, base + g.end) or has_garbled_name(v)
    ):
        return False
    if g.odd_tags and not are_plain_tags(c, scratch, g, v):
        return False
    for i in range(g.item_count):
        if not is_plain_annotation(base, c.reader.out.items + g.first_item + i):
            return False
    return True
