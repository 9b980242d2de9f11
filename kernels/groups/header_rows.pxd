"""Records of stored headers: their content, for comparison, and their header score.

The points are those of matching/header_score.py. A header with values of odd types is marked `odd`
and left to Python. Names are IDs here: equal IDs are equal names. Must not know the tables.
"""

from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport INT64_MIN, int16_t, int64_t, uint8_t, uint32_t
from libc.string cimport memchr, memcmp, memcpy, memset

from field_rules cimport Text, bytes_of_chars, contains, count_char, is_blank, is_code
from game_columns cimport (
    HEADER_CORE_HASH, HEADER_DATE, HEADER_DATE_QUALITY, HEADER_ECO, HEADER_EVENT_ID,
    HEADER_EXTRA_TAGS, HEADER_HAS_COMMENTS, HEADER_ID, HEADER_PLY_COUNT, HEADER_RESULT,
    HEADER_ROUND, HEADER_TIME_CONTROL, HEADER_WHITE_ELO, HEADER_WHITE_PERSON_ID,
)
from memory cimport try_reserve
from sqlite_api cimport IS_INTEGER, IS_NULL, IS_TEXT, ocg_sqlite_api, sqlite3_value

cdef extern from *:
    """
    #define OCG_TAKE_HEADER "ocgdedup_take_header"
    """
    const char *OCG_TAKE_HEADER        # the SQL function that is called with a row

# Columns of a row: see HEADER_COLUMNS in ocgdedup/game_columns.py.
cdef enum:
    FIRST_NAME = HEADER_EVENT_ID           # event, site, White, Black
    FIRST_NUMBER = HEADER_WHITE_PERSON_ID  # players, Elos, DateQuality
    FIRST_TEXT = HEADER_DATE               # date, round, result, time control, ECO, tags
    FIRST_ANNOTATION = HEADER_HAS_COMMENTS   # comments, variations
    NAME_COUNT = HEADER_WHITE_PERSON_ID - HEADER_EVENT_ID
    NUMBER_COUNT = HEADER_DATE - HEADER_WHITE_PERSON_ID
    TEXT_COUNT = HEADER_PLY_COUNT - HEADER_DATE
    NO_TEXT = 0xFFFFFFFF       # length of a NULL text

cdef enum:
    TEXT_DATE = 0
    TEXT_ROUND = HEADER_ROUND - HEADER_DATE
    TEXT_RESULT = HEADER_RESULT - HEADER_DATE
    TEXT_TIME_CONTROL = HEADER_TIME_CONTROL - HEADER_DATE
    TEXT_ECO = HEADER_ECO - HEADER_DATE
    TEXT_EXTRA_TAGS = HEADER_EXTRA_TAGS - HEADER_DATE
    NUMBER_WHITE_ELO = HEADER_WHITE_ELO - HEADER_WHITE_PERSON_ID
    NUMBER_DATE_QUALITY = HEADER_DATE_QUALITY - HEADER_WHITE_PERSON_ID

# Points, in the order of POINTS in matching/header_score.py.
cdef enum:
    POINTS_FIDE_ID, POINTS_ELO, POINTS_EVENT, POINTS_SITE, POINTS_FULL_DATE, POINTS_YEAR_MONTH,
    POINTS_YEAR, POINTS_ECO, POINTS_TIME_CONTROL, POINTS_LEAST_ELO, POINTS_MOST_ELO,
    POINTS_PLIES                    # plies per additional point
    POINTS_LENGTHS                  # maximum number of such points
    POINTS_NO_NAME                  # subtracted
    POINTS_NO_RESULT, POINT_COUNT

cdef enum:
    MOST_TAG_POINTS = 8
    MOST_TAG_BYTES = 16

ctypedef struct Content:
    int64_t names[NAME_COUNT]
    int64_t numbers[NUMBER_COUNT]
    uint32_t lengths[TEXT_COUNT]
    uint32_t nulls             # bit n: numbers[n] is NULL
    uint32_t unused

ctypedef struct Header:
    Content content
    int64_t game_id
    size_t text                # offset in the arena
    int64_t plies
    int16_t score
    uint8_t notes              # whether it has comments, plus whether it has variations
    int64_t core_hash
    bint has_core_hash
    bint is_merged             # as before a merge
    bint odd
    bint has_number[2]         # the tags have a FIDE ID of White, of Black

ctypedef struct TagPoints:
    char[MOST_TAG_BYTES] tag
    size_t length
    int points

ctypedef struct ScoreRules:
    int points[POINT_COUNT]
    TagPoints tags[MOST_TAG_POINTS]
    int tag_count

# An array of headers; a view of other headers shares their texts and has capacity 0.
ctypedef struct Headers:
    Header *rows
    size_t capacity
    size_t count
    uint8_t *arena
    size_t arena_capacity
    size_t arena_bytes


cdef inline bint take_ids(
    const ocg_sqlite_api *api, sqlite3_value **row, Header *header
) noexcept nogil:
    """Read the IDs of names, INT64_MIN for NULL; return False if one has another type."""
    cdef int i, value_type
    cdef bint ok = True
    for i in range(NAME_COUNT):
        header.content.names[i] = INT64_MIN
        value_type = api.value_type(row[FIRST_NAME + i])
        if value_type == IS_INTEGER:
            header.content.names[i] = api.value_int64(row[FIRST_NAME + i])
        elif value_type != IS_NULL:
            ok = False
    return ok


cdef inline bint take_numbers(
    const ocg_sqlite_api *api, sqlite3_value **row, Header *header
) noexcept nogil:
    """Read integer columns; return False if one has another type."""
    cdef int i, value_type
    for i in range(NUMBER_COUNT):
        value_type = api.value_type(row[FIRST_NUMBER + i])
        if value_type == IS_NULL:
            header.content.nulls |= <uint32_t>1 << i
        elif value_type != IS_INTEGER:
            return False
        else:
            header.content.numbers[i] = api.value_int64(row[FIRST_NUMBER + i])
    for i in range(3):
        value_type = api.value_type(row[HEADER_PLY_COUNT + i])
        if value_type != IS_INTEGER and value_type != IS_NULL:
            return False
    value_type = api.value_type(row[HEADER_CORE_HASH])
    if value_type != IS_INTEGER and value_type != IS_NULL:
        return False
    # Without players it hashes only the names.
    header.has_core_hash = value_type == IS_INTEGER and header.content.nulls & 3 != 3
    header.core_hash = api.value_int64(row[HEADER_CORE_HASH]) if header.has_core_hash else 0
    header.plies = api.value_int64(row[HEADER_PLY_COUNT])
    header.notes = (
        (api.value_int64(row[FIRST_ANNOTATION]) != 0)
        + (api.value_int64(row[FIRST_ANNOTATION + 1]) != 0)
    )
    return header.plies >= 0


cdef inline int take_texts(
    const ocg_sqlite_api *api, sqlite3_value **row, Headers *all, Header *header
) noexcept nogil:
    """Copy texts; return 0 if a value is not text, -1 if out of memory."""
    cdef int i, value_type
    cdef size_t length
    cdef const void *text
    for i in range(TEXT_COUNT):
        value_type = api.value_type(row[FIRST_TEXT + i])
        header.content.lengths[i] = NO_TEXT
        if value_type == IS_NULL:
            continue
        if value_type != IS_TEXT:
            return 0
        text = api.value_blob(row[FIRST_TEXT + i])        # its bytes, which are UTF-8
        length = api.value_bytes(row[FIRST_TEXT + i])
        if not try_reserve(
            <void **>&all.arena, &all.arena_capacity, all.arena_bytes + length + 16, 1
        ):
            return -1
        if length:
            memcpy(all.arena + all.arena_bytes, text, length)
        all.arena_bytes += length
        header.content.lengths[i] = <uint32_t>length
    return 1


cdef inline size_t bytes_before(const Content *content, int text) noexcept nogil:
    """Return the length of the texts of a header before a text; they follow each other."""
    cdef size_t length = 0
    cdef int i
    for i in range(text):
        if content.lengths[i] != NO_TEXT:
            length += content.lengths[i]
    return length


cdef inline Text text_in(const Content *content, const uint8_t *texts, int text) noexcept nogil:
    if content.lengths[text] == NO_TEXT:
        return Text(NULL, 0)
    return Text(texts + bytes_before(content, text), content.lengths[text])


cdef inline Text header_text(const Headers *all, const Header *header, int text) noexcept nogil:
    return text_in(&header.content, all.arena + header.text, text)


cdef inline bint are_equal(
    const Headers *all, const Header *left, const Header *right
) noexcept nogil:
    """Return whether two headers are equal in everything that a merge can change."""
    cdef size_t length = bytes_before(&left.content, TEXT_COUNT)
    if memcmp(&left.content, &right.content, sizeof(Content)):
        return False
    return length == 0 or memcmp(all.arena + left.text, all.arena + right.text, length) == 0


cdef inline int points_of_date(const ScoreRules *r, Text date) noexcept nogil:
    cdef size_t year = bytes_of_chars(date, 4)
    if date.length == 0:
        return 0
    if memchr(date.text, c"?", date.length) == NULL:
        return r.points[POINTS_FULL_DATE]
    if memchr(date.text, c"?", year) != NULL:
        return 0
    if memchr(date.text + year, c"?", bytes_of_chars(date, 7) - year) != NULL:
        return r.points[POINTS_YEAR]
    return r.points[POINTS_YEAR_MONTH]


cdef inline bint ends_with(
    const uint8_t *text, size_t end, const char *ending, size_t length
) noexcept nogil:
    return end >= length and memcmp(text + end - length, ending, length) == 0


cdef inline int take_tags(
    const ScoreRules *r, const uint8_t *tags, size_t length, Header *header
) noexcept nogil:
    """Return the points of tags, and note FIDE IDs other than 0.

    A tag is found by the `":"` after its name, as a search for `"Tag":"` would find it.
    """
    cdef const uint8_t *at = tags
    cdef const uint8_t *end = tags + length
    cdef size_t here
    cdef int i, side, total = 0
    cdef uint32_t seen = 0, sides = 0
    while True:
        at = <const uint8_t *>memchr(at, c":", end - at)
        if at == NULL:
            return total
        here = at - tags
        at += 1
        if here == 0 or tags[here - 1] != c'"' or at == end or at[0] != c'"':
            continue
        for i in range(r.tag_count):
            if not seen >> i & 1 and ends_with(tags, here, r.tags[i].tag, r.tags[i].length):
                seen |= <uint32_t>1 << i
                total += r.tags[i].points
        for side in range(2):
            if sides >> side & 1 or not ends_with(
                tags, here, b'"BlackFideId"' if side else b'"WhiteFideId"', 13
            ):
                continue
            if at + 1 == end:
                return total
            sides |= <uint32_t>1 << side
            header.has_number[side] = c"1" <= at[1] <= c"9"


cdef inline void score_texts(
    const ScoreRules *r, const Headers *all, Header *header
) noexcept nogil:
    """Set the points of all but names and FIDE IDs."""
    cdef Text text
    cdef int side
    header.score = <int16_t>(
        1 + min(header.plies // r.points[POINTS_PLIES], r.points[POINTS_LENGTHS] - 1)
    )
    for side in range(2):
        if (
            r.points[POINTS_LEAST_ELO] <= header.content.numbers[NUMBER_WHITE_ELO + side]
            <= r.points[POINTS_MOST_ELO]
        ):
            header.score += <int16_t>r.points[POINTS_ELO]
    header.score += <int16_t>points_of_date(r, header_text(all, header, TEXT_DATE))
    text = header_text(all, header, TEXT_RESULT)
    if text.length == 0 or (text.length == 1 and text.text[0] == c"*"):
        header.score -= <int16_t>r.points[POINTS_NO_RESULT]
    if not is_blank(header_text(all, header, TEXT_TIME_CONTROL)):
        header.score += <int16_t>r.points[POINTS_TIME_CONTROL]
    if is_code(header_text(all, header, TEXT_ECO)):
        header.score += <int16_t>r.points[POINTS_ECO]
    text = header_text(all, header, TEXT_EXTRA_TAGS)
    if text.length:
        header.score += <int16_t>take_tags(r, text.text, text.length, header)


cdef inline void score_player(
    const ScoreRules *r, Header *header, int side, bint is_named, bint has_fide_id
) noexcept nogil:
    """Add the points of a player's FIDE ID, of the person or in the tags, or of no name."""
    if not is_named:
        header.score -= <int16_t>r.points[POINTS_NO_NAME]
    elif has_fide_id or header.has_number[side]:
        header.score += <int16_t>r.points[POINTS_FIDE_ID]


cdef inline bint may_lack_month(const Headers *all, const Header *header) noexcept nogil:
    """Return whether the date may be the first day of the event rather than of the game."""
    cdef Text date = header_text(all, header, TEXT_DATE)
    if date.length and not count_char(date, c"?"):
        return False
    return contains(header_text(all, header, TEXT_EXTRA_TAGS), b'"EventDate"', 11)


cdef inline bint take_header(
    const ocg_sqlite_api *api, sqlite3_value **row, const ScoreRules *r, Headers *all,
    Header *header
) noexcept nogil:
    """Read a row, without facts about its names; return False if out of memory."""
    cdef int status
    memset(header, 0, sizeof(Header))
    header.game_id = api.value_int64(row[HEADER_ID])
    header.text = all.arena_bytes
    header.odd = not take_ids(api, row, header)
    header.odd = not take_numbers(api, row, header) or header.odd
    status = take_texts(api, row, all, header)
    if status < 0:
        return False
    header.odd = header.odd or status == 0
    if not header.odd:
        score_texts(r, all, header)
    return True


# --- rules of the header score --------------------------------------------------------------------

cdef inline int take_rules(points, tags, ScoreRules *rules) except -1:
    """Load POINTS and TAG_POINTS; raise ValueError for a wrong number of them."""
    cdef int i
    cdef bytes tag
    if len(points) != POINT_COUNT or len(tags) > MOST_TAG_POINTS:
        raise ValueError(
            f"{len(points)} points and {len(tags)} tags; expected {POINT_COUNT} points and "
            f"at most {MOST_TAG_POINTS} tags"
        )
    for i in range(POINT_COUNT):
        rules.points[i] = points[i]
    for i in range(<int>len(tags)):
        tag = tags[i][0].encode()
        if len(tag) > MOST_TAG_BYTES:
            raise ValueError(f"tag {tags[i][0]} is too long")
        memcpy(rules.tags[i].tag, PyBytes_AS_STRING(tag), len(tag))
        rules.tags[i].length = len(tag)
        rules.tags[i].points = tags[i][1]
    rules.tag_count = <int>len(tags)


# --- needs of a group -----------------------------------------------------------------------------

cdef enum:
    IS_OPEN = 1
    HAS_HEADERS = 2
    HAS_NOTES = 4
    HAS_COLOURS = 8


cdef inline bint is_preferred(const Header *left, const Header *right) noexcept nogil:
    """Return whether a record is preferred to another with the same moves as the kept game."""
    if left.score != right.score:
        return left.score > right.score
    if left.plies != right.plies:
        return left.plies > right.plies
    if left.notes != right.notes:
        return left.notes > right.notes
    return left.game_id < right.game_id


cdef inline size_t best_of_equal(const Headers *all) noexcept nogil:
    """Return the index of the kept game."""
    cdef size_t i, best = 0
    for i in range(1, all.count):
        if is_preferred(&all.rows[i], &all.rows[best]):
            best = i
    return best


cdef inline bint have_other_players(const Header *left, const Header *right) noexcept nogil:
    return (
        left.content.names[2] != right.content.names[2]
        and left.content.names[3] != right.content.names[3]
    )


cdef inline int needs(const Headers *all, size_t kept) noexcept nogil:
    """Return the needs of a group, as bits."""
    cdef size_t i
    cdef const Header *kept_header = &all.rows[kept]
    cdef const Header *right
    cdef int tasks = HAS_HEADERS if may_lack_month(all, kept_header) else 0
    for i in range(all.count):
        right = &all.rows[i]
        if not tasks & HAS_HEADERS and not are_equal(all, kept_header, right):
            tasks |= HAS_HEADERS
        if right.notes and i != kept:
            tasks |= HAS_NOTES
        if have_other_players(right, kept_header):
            tasks |= HAS_COLOURS
    return tasks
