"""Players of a rating list in little memory, and their fields in plain form.

A plain field is ASCII that needs no rule of ocgdedup/fide/fields.py: blanks around it, a number of
few digits. A field in any other form is odd, and Python reads it. Must not know the formats.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.stdlib cimport free
from libc.string cimport memchr, memcmp

from memory cimport append_bytes, new_item
from row_insert cimport Inserter, begin_row, end_row, put_int, put_null, put_text
from sqlite_api cimport OCG_STATIC
from utf8 cimport is_utf8

cdef enum:
    MOST_LISTED_BYTES = 200      # of a plain name
    MOST_TITLE_BYTES = 32      # of the titles of a player, as written
    MOST_TITLES = 64           # different ones, as written
    NO_NUMBER = -1             # NULL
    ODD_NUMBER = -2

cdef enum:
    FIELD_NAME, FIELD_COUNTRY, FIELD_SEX, FIELD_TITLE, FIELD_FLAG, TEXT_FIELDS

cdef enum:
    FIELD_RATING, FIELD_RAPID, FIELD_BLITZ, FIELD_BIRTH_YEAR, NUMBER_FIELDS

ctypedef struct Span:
    const uint8_t *at
    size_t length

ctypedef struct PlayerFields:
    int64_t fide_id
    int32_t[NUMBER_FIELDS] numbers     # NO_NUMBER: NULL
    Span[TEXT_FIELDS] texts

# A player in a PlayerStore, whose texts follow each other.
ctypedef struct StoredPlayer:
    int64_t fide_id
    size_t texts
    int32_t[NUMBER_FIELDS] numbers
    uint32_t[TEXT_FIELDS] lengths

ctypedef struct PlayerStore:
    StoredPlayer *players
    size_t count
    size_t capacity
    uint8_t *texts
    size_t text_bytes
    size_t text_capacity

# The highest title for the titles of a player as written.
ctypedef struct TitleEntry:
    uint8_t[MOST_TITLE_BYTES] written
    uint8_t[MOST_TITLE_BYTES] title
    uint8_t written_bytes
    uint8_t title_bytes


cdef inline void close_players(PlayerStore *store) noexcept nogil:
    free(store.players)
    free(store.texts)


cdef inline int store_player(PlayerStore *store, const PlayerFields *fields) except -1 nogil:
    """Append a player; copies the texts."""
    cdef StoredPlayer *player = <StoredPlayer *>new_item(
        <void **>&store.players, &store.count, &store.capacity, sizeof(StoredPlayer)
    )
    cdef int i
    player.fide_id = fields.fide_id
    player.numbers = fields.numbers
    player.texts = store.text_bytes
    for i in range(TEXT_FIELDS):
        player.lengths[i] = <uint32_t>fields.texts[i].length
        append_bytes(
            &store.texts, &store.text_bytes, &store.text_capacity, fields.texts[i].at,
            fields.texts[i].length,
        )


cdef inline int by_fide_id(const void *left, const void *right) noexcept nogil:
    """Compare two stored players; those with the same FIDE ID stay in their order."""
    cdef const StoredPlayer *a = <const StoredPlayer *>left
    cdef const StoredPlayer *b = <const StoredPlayer *>right
    if a.fide_id != b.fide_id:
        return -1 if a.fide_id < b.fide_id else 1
    return -1 if a.texts < b.texts else 1


cdef inline void insert_player(Inserter *i, const void *players, size_t number) noexcept nogil:
    """Bind FideID, Name, Country, Sex, Title, Rating, Rapid, Blitz, BirthYear, Flag."""
    cdef const PlayerStore *store = <const PlayerStore *>players
    cdef const StoredPlayer *player = &store.players[number]
    cdef const uint8_t *text = store.texts + player.texts
    cdef int field, column
    begin_row(i)
    put_int(i, 0, player.fide_id)
    for field in range(TEXT_FIELDS):
        column = 9 if field == FIELD_FLAG else 1 + field
        if player.lengths[field]:
            put_text(i, column, text, player.lengths[field], OCG_STATIC)
        else:
            put_null(i, column)
        text += player.lengths[field]
    for field in range(NUMBER_FIELDS):
        if player.numbers[field] == NO_NUMBER:
            put_null(i, 5 + field)
        else:
            put_int(i, 5 + field, player.numbers[field])
    end_row(i)


# --- fields ---------------------------------------------------------------------------------------

cdef inline Span stripped(Span text) noexcept nogil:
    """Return a text without spaces around it."""
    while text.length and text.at[0] == c" ":
        text.at += 1
        text.length -= 1
    while text.length and text.at[text.length - 1] == c" ":
        text.length -= 1
    return text


cdef inline int64_t number_of_digits(Span text, size_t most) noexcept nogil:
    """Return the number of a text of up to `most` digits, ODD_NUMBER for another text."""
    cdef int64_t number = 0
    cdef size_t i
    if not 0 < text.length <= most:
        return ODD_NUMBER
    for i in range(text.length):
        if not c"0" <= text.at[i] <= c"9":
            return ODD_NUMBER
        number = 10 * number + text.at[i] - c"0"
    return number


cdef inline int32_t plain_rating(Span text) noexcept nogil:
    text = stripped(text)
    cdef int64_t points = number_of_digits(text, 4) if text.length else 0
    return <int32_t>points if points else NO_NUMBER


cdef inline int32_t plain_birth_year(Span text) noexcept nogil:
    """Return the year of a text of up to four digits; dates are odd."""
    text = stripped(text)
    cdef int64_t year = number_of_digits(text, 4) if text.length else 0
    if year < 0:
        return ODD_NUMBER
    return <int32_t>year if 1800 <= year < 2100 else NO_NUMBER


cdef inline bint ends_oddly(const uint8_t *p) noexcept nogil:
    """Return whether a character may be a space or no character of XML."""
    return p[0] == 0xC2 or 0xE1 <= p[0] <= 0xE3 or p[0] == 0xEF


cdef inline bint is_plain_name(Span text) noexcept nogil:
    """Return whether a name without spaces around it is plain UTF-8.

    Non-ASCII names with a character that may be a space, or none of XML, are not.
    """
    cdef size_t i
    cdef bint is_ascii = True
    if not 0 < text.length <= MOST_LISTED_BYTES:
        return False
    for i in range(text.length):
        if text.at[i] >= 0x80:
            is_ascii = False
            if ends_oddly(text.at + i):
                return False
    return is_ascii or is_utf8(text.at, text.at + text.length)


cdef inline bint set_plain_fields(
    PlayerFields *player, Span fide_id, Span birthday
) noexcept nogil:
    """Set FIDE ID and year of birth, and strip the texts except the title; return if all are plain.

    Ratings are set already.
    """
    cdef Span *texts = player.texts
    cdef int i
    for i in range(TEXT_FIELDS):
        if i != FIELD_TITLE:
            texts[i] = stripped(texts[i])
    player.fide_id = number_of_digits(stripped(fide_id), 10)
    player.numbers[FIELD_BIRTH_YEAR] = plain_birth_year(birthday)
    if not texts[FIELD_SEX].length and texts[FIELD_FLAG].length and memchr(
        texts[FIELD_FLAG].at, c"w", texts[FIELD_FLAG].length
    ) != NULL:
        texts[FIELD_SEX].at = <const uint8_t *>b"F"
        texts[FIELD_SEX].length = 1
    for i in range(NUMBER_FIELDS):
        if player.numbers[i] == ODD_NUMBER:
            return False
    return player.fide_id > 0 and is_plain_name(texts[FIELD_NAME])


cdef inline const TitleEntry *find_title(
    const TitleEntry *entries, int count, const Span *written
) noexcept nogil:
    """Return the entry of titles as written, NULL if there is none."""
    cdef int i
    for i in range(count):
        if entries[i].written_bytes == written.length and not memcmp(
            entries[i].written, written.at, written.length
        ):
            return &entries[i]
    return NULL
