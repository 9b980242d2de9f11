"""Read the index of a Scid database, and write the tags of a game as Scid's own export does.

From Scid's sources (codec_scid4.cpp, codec_scid5.h, indexentry.h, bytebuf.h, game.cpp, misc.cpp).
An entry of si4 has 47 bytes, big-endian; one of si5 has 56 bytes, little-endian 32-bit words. Tags
that have no place in an entry begin the game's data: a length and a name, or a number over 240 for
a common name, then a length and a value; a zero byte ends them.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, strlen

from tag_pairs cimport add_pair
from text_lines cimport Text, write_number

cdef extern from *:
    """
    static const char *const OCG_SCID_RATINGS[8] = {
        "Elo", "Rating", "Rapid", "ICCF", "USCF", "DWZ", "ECF", "Elo"
    };
    static const char *const OCG_SCID_TAGS[10] = {
        "WhiteCountry", "BlackCountry", "Annotator", "PlyCount", "EventDate", "Opening",
        "Variation", "Setup", "Source", "SetUp"
    };
    static const char *const OCG_SCID_RESULTS[4] = {"*", "1-0", "0-1", "1/2-1/2"};
    """
    const char *OCG_SCID_RATINGS[8]
    const char *OCG_SCID_TAGS[10]
    const char *OCG_SCID_RESULTS[4]

cdef enum:
    SI4_ENTRY_BYTES = 47
    SI5_ENTRY_BYTES = 56
    FIRST_FLAG = 3         # bits 0 to 2 describe the moves
    FIRST_COMMON_TAG = 241
    LAST_COMMON_TAG = 250
    OLD_EVENT_DATE = 255   # of version 2, with a value of 3 bytes
    ECO_CODES = 131        # of "B90": itself, a to z, and 1 to 4 of each
    FLAG_COUNT = 19

cdef enum:                 # the tables of names
    SCID_PLAYERS, SCID_EVENTS, SCID_SITES, SCID_ROUNDS, SCID_TABLES

ctypedef struct ScidEntry:
    uint64_t offset        # of the game's data
    uint32_t length
    uint32_t flags
    uint32_t white, black, event, site, round    # IDs of names
    uint32_t result
    uint32_t eco
    uint32_t date          # year << 9 | month << 5 | day
    uint32_t event_date
    uint32_t elo[2]
    uint32_t rating[2]
    bint is_chess960

ctypedef struct ScidTag:
    const char *name
    size_t name_length
    const char *value
    size_t length


cdef inline uint32_t big_endian(const uint8_t *p, int size) noexcept nogil:
    cdef uint32_t number = 0
    cdef int i
    for i in range(size):
        number = number << 8 | p[i]
    return number


cdef inline uint32_t word(const uint8_t *p, int index) noexcept nogil:
    p += 4 * index
    return p[0] | p[1] << 8 | p[2] << 16 | <uint32_t>p[3] << 24


cdef inline uint32_t near_event_date(uint32_t event_date, uint32_t date) noexcept nogil:
    """Return the event's date, of which si4 stores the year as 1 to 7, where 4 is the game's."""
    cdef uint32_t year = (event_date >> 9) + (date >> 9)
    if event_date >> 9 == 0:
        return 0
    return (year - 4 if year > 4 else 0) << 9 | (event_date & 0x1FF)


cdef inline void read_si4_entry(const uint8_t *p, ScidEntry *e) noexcept nogil:
    cdef int i
    e.offset = big_endian(p, 4)
    e.length = (p[6] & 0x80) << 9 | big_endian(p + 4, 2)
    e.flags = (p[6] & 0x3F) << 16 | big_endian(p + 7, 2)
    e.white = (p[9] & 0xF0) << 12 | big_endian(p + 10, 2)
    e.black = (p[9] & 0x0F) << 16 | big_endian(p + 12, 2)
    e.event = (p[14] & 0xE0) << 11 | big_endian(p + 15, 2)
    e.site = (p[14] & 0x1C) << 14 | big_endian(p + 17, 2)
    e.round = (p[14] & 0x03) << 16 | big_endian(p + 19, 2)
    e.result = p[21] >> 4
    e.eco = big_endian(p + 23, 2)
    e.date = big_endian(p + 25, 4) & 0xFFFFF
    e.event_date = near_event_date(big_endian(p + 25, 4) >> 20, e.date)
    for i in range(2):
        e.elo[i] = big_endian(p + 29 + 2 * i, 2) & 0xFFF
        e.rating[i] = p[29 + 2 * i] >> 4
    e.is_chess960 = False


cdef inline void read_si5_entry(const uint8_t *p, ScidEntry *e) noexcept nogil:
    cdef uint32_t ratings = word(p, 11) >> 16
    cdef int i
    e.white = word(p, 0) & 0xFFFFFFF
    e.black = word(p, 1) & 0xFFFFFFF
    e.event = word(p, 2) & 0xFFFFFFF
    e.site = word(p, 3)
    e.round = word(p, 4) & 0x7FFFFFFF
    e.is_chess960 = word(p, 4) >> 31
    e.date = word(p, 5) & 0xFFFFF
    e.event_date = word(p, 6) & 0xFFFFF
    for i in range(2):
        e.elo[i] = word(p, 5 + i) >> 20
        e.rating[i] = ratings >> (5 - 3 * i) & 7
    e.flags = word(p, 7) & 0x3FFFFF
    e.length = word(p, 8) >> 15
    e.offset = <uint64_t>(word(p, 8) & 0x7FFF) << 32 | word(p, 9)
    e.result = ratings & 3
    e.eco = word(p, 11) & 0xFFFF


cdef inline size_t write_scid_date(uint32_t date, char *out) noexcept nogil:
    """Write YYYY.MM.DD with "?" for the parts that are 0."""
    cdef uint32_t[3] parts = [date >> 9, date >> 5 & 15, date & 31]
    cdef uint32_t part
    cdef int i, k
    cdef size_t at = 0
    for i in range(3):
        part = parts[i]
        for k in range(1 if i else 3, -1, -1):
            out[at + k] = c'0' + part % 10 if parts[i] else b'?'
            part //= 10
        at += 2 if i else 4
        out[at] = b'.'
        at += 1
    return at - 1


cdef inline size_t write_eco(uint32_t eco, char *out) noexcept nogil:
    """Write a code such as B90 or, with Scid's extension, B90j1."""
    cdef uint32_t extension
    eco -= 1
    extension = eco % ECO_CODES
    eco //= ECO_CODES
    out[0] = c'A' + eco // 100
    out[1] = c'0' + eco // 10 % 10
    out[2] = c'0' + eco % 10
    if not extension:
        return 3
    out[3] = c'a' + (extension - 1) // 5
    if (extension - 1) % 5 == 0:
        return 4
    out[4] = c'0' + (extension - 1) % 5
    return 5


cdef inline size_t write_flags(uint32_t flags, char *out) noexcept nogil:
    cdef const char *letters = b"DWBMENPTKQ!?U123456"
    cdef size_t length = 0
    cdef int i
    for i in range(FLAG_COUNT):
        if flags >> (FIRST_FLAG + i) & 1:
            out[length] = letters[i]
            length += 1
    return length


cdef inline int add_text(
    Text *out, const char *name, const char *value, size_t length
) except -1 nogil:
    return add_pair(out, name, strlen(name), value, length)


cdef inline int add_rating(
    Text *out, const char *side, uint32_t rating, uint32_t elo
) except -1 nogil:
    cdef char[32] name
    cdef uint8_t[20] digits
    cdef const char *suffix = OCG_SCID_RATINGS[min(rating, <uint32_t>7)]
    if elo:
        memcpy(name, side, 5)
        memcpy(name + 5, suffix, strlen(suffix) + 1)
        add_text(out, name, <const char *>digits, write_number(elo, digits) - digits)


cdef inline int add_entry_tags(Text *out, const ScidEntry *e) except -1 nogil:
    """Write the tags of the index that follow the Seven Tag Roster, but for EventDate."""
    cdef char[FLAG_COUNT] text
    add_rating(out, b"White", e.rating[0], e.elo[0])
    add_rating(out, b"Black", e.rating[1], e.elo[1])
    if e.eco:
        add_text(out, b"ECO", text, write_eco(e.eco, text))
    if e.flags >> FIRST_FLAG:
        add_text(out, b"ScidFlags", text, write_flags(e.flags, text))


cdef inline const uint8_t *read_scid_tag(
    const uint8_t *p, const uint8_t *end, ScidTag *tag
) noexcept nogil:
    """Read a tag of the game's data; return its end, or NULL at damage; no name: unknown tag."""
    cdef int number = p[0]
    p += 1
    tag.name = NULL
    if number < FIRST_COMMON_TAG:
        if end - p <= number:
            return NULL
        tag.name = <const char *>p
        tag.name_length = number
        p += number
    elif number <= LAST_COMMON_TAG:
        tag.name = OCG_SCID_TAGS[number - FIRST_COMMON_TAG]
        tag.name_length = strlen(tag.name)
    if p == end:
        return NULL
    tag.length = 3
    if number != OLD_EVENT_DATE:
        tag.length = p[0]
        p += 1
    if <size_t>(end - p) < tag.length:
        return NULL
    tag.value = <const char *>p
    return p + tag.length


cdef inline bint has_scid_tag(
    const uint8_t *p, const uint8_t *end, const char *name
) noexcept nogil:
    """Return whether a game's data, which begin at `p` or are missing, have a tag."""
    cdef ScidTag tag
    while p != NULL and p < end and p[0]:
        p = read_scid_tag(p, end, &tag)
        if p != NULL and tag.name != NULL and tag.name_length == strlen(name) and (
            memcmp(tag.name, name, tag.name_length) == 0
        ):
            return True
    return False


cdef inline int add_own_name(Text *out, const ScidTag *tag) except -1 nogil:
    """Write a tag; characters that end a tag name elsewhere become "_"."""
    cdef char[256] name
    cdef size_t i
    for i in range(tag.name_length):
        name[i] = tag.name[i]
        if <uint8_t>name[i] <= 32 or name[i] in (b'"', b'[', b']'):
            name[i] = b'_'
    return add_pair(out, name, tag.name_length, tag.value, tag.length)
