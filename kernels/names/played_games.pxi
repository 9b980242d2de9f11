"""Games without their moves, as a query of the store returns them, and what their tags claim.

The columns are those of store/players.py: _SELECT_PLAYED.
"""

from libc.stdint cimport int16_t, int64_t

from sorted_numbers cimport count_before, order_of
from sqlite_api cimport OCG_STATIC

cdef enum:
    GAME_ID, GAME_PLAYERS, GAME_YEAR = 3, GAME_EVENT, GAME_KEY, GAME_ELOS,
    GAME_FIDE_IDS = 8, GAME_TITLES = 10, GAME_COUNTRIES = 12, GAME_SOURCE = 14,
    GAME_SITE, GAME_MONTH, GAME_LINK, GAME_COLUMNS

cdef enum:
    MOST_FIDE_DIGITS = 10
    MOST_TITLE_LETTERS = 8
    MOST_MONTHS = 12           # between a game and a rating list: strength may change later
    NOT_ASKED = -1

# A title as written, or a federation: `number` is its index in a table, the count of the table for
# another text, 0 for none; `required`: the rating that FIDE requires for the title, 0 for none.
ctypedef struct KnownText:
    uint64_t hash
    uint16_t number
    int16_t rank
    int16_t required

ctypedef struct TextTable:
    KnownText *texts           # by hash
    size_t count

# A side of a game. `claimed`: the rating required for the title in any case of letters.
ctypedef struct PlayedSide:
    int64_t player
    uint32_t name              # set by the reader's caller
    int64_t elo
    int64_t fide_id
    KnownText title
    int16_t claimed
    uint16_t country

ctypedef struct PlayedGame:
    int64_t game_id
    int64_t event
    int64_t site
    int64_t key                # MoveHash, 0 for a short game
    int64_t source
    int year
    int month                  # from year 0; 0 if unknown
    bint has_link
    int is_on_web              # or NOT_ASKED
    PlayedSide sides[2]


cdef inline uint64_t hash_text(const uint8_t *text, size_t length) noexcept nogil:
    """Return the FNV-1a hash of a text."""
    cdef uint64_t value = 0xCBF29CE484222325u
    cdef size_t i
    for i in range(length):
        value = (value ^ text[i]) * 0x100000001B3u
    return value


cdef int by_hash(const void *a, const void *b) noexcept nogil:
    return order_of((<const KnownText *>a).hash, (<const KnownText *>b).hash)


cdef int open_texts(TextTable *table, list rows) except -1:
    """Read rows of (text, rank, required rating)."""
    cdef KnownText *known
    cdef const char *address
    cdef Py_ssize_t size
    cdef size_t i
    table.count = len(rows)
    table.texts = <KnownText *>allocate_zeros(table.count, sizeof(KnownText))
    for i in range(table.count):
        text, rank, required = rows[i]
        address = PyUnicode_AsUTF8AndSize(text, &size)
        known = &table.texts[i]
        known.hash = hash_text(<const uint8_t *>address, size)
        known.number, known.rank, known.required = i, rank, required
    qsort(table.texts, table.count, sizeof(KnownText), by_hash)


cdef KnownText text_with_hash(const TextTable *table, uint64_t value) noexcept nogil:
    cdef KnownText wanted = KnownText(value, <uint16_t>table.count, 0, 0)
    cdef size_t at = count_before(table.texts, table.count, sizeof(KnownText), &wanted, by_hash)
    return table.texts[at] if at < table.count and table.texts[at].hash == value else wanted


cdef int16_t required_by_title(
    const TextTable *titles, const uint8_t *text, size_t length
) noexcept nogil:
    """Return the rating that FIDE requires for a title in any case of letters."""
    cdef uint8_t capitals[MOST_TITLE_LETTERS]
    cdef size_t i
    if length > MOST_TITLE_LETTERS:
        return 0
    for i in range(length):
        capitals[i] = text[i] & 0xDF if c"a" <= text[i] <= c"z" else text[i]
    return text_with_hash(titles, hash_text(capitals, length)).required


cdef int64_t read_fide_id(const uint8_t *text, size_t length) noexcept nogil:
    """Return the FIDE ID in a tag, 0 if there is none."""
    cdef int64_t number = 0
    cdef size_t i
    while length and text[0] <= c" ":
        text += 1
        length -= 1
    while length and text[length - 1] <= c" ":
        length -= 1
    if length > MOST_FIDE_DIGITS:
        return 0
    for i in range(length):
        if not c"0" <= text[i] <= c"9":
            return 0
        number = 10 * number + text[i] - c"0"
    return number


def is_near_list(int list_month, int year, int month):
    return game_is_near_list(list_month, year, month)


cdef bint game_is_near_list(int list_month, int year, int month) noexcept nogil:
    if not list_month:
        return False
    if not month:
        return year == (list_month - 1) // 12
    return -MOST_MONTHS <= month - list_month <= MOST_MONTHS


cdef class GameRows:
    """The rows of a query on games; see the stub."""
    cdef SqliteConnection source
    cdef sqlite3_stmt *rows
    cdef bytes ids             # bound to the statement

    def __cinit__(self, connection not None, str sql not None, str ids=None):
        self.source = SqliteConnection(connection)
        self.rows = self.source.prepare(sql)
        if ids is not None:
            self.ids = ids.encode()
            self.source.check(self.source.api.bind_text(
                self.rows, 1, <const char *>self.ids, <int>len(self.ids), OCG_STATIC
            ))

    def __dealloc__(self):
        self.close()

    def close(self):
        if self.rows != NULL:
            self.source.api.finalize(self.rows)
        self.rows = NULL

    cdef bint step(self) except -1 nogil:
        """Go to the next row; return False after the last one."""
        cdef int code = self.source.api.step(self.rows)
        if code == OCG_SQLITE_ROW:
            return True
        if code != OCG_SQLITE_DONE:
            with gil:
                self.source.check(code)
        return False

    cdef int64_t number(self, int column) noexcept nogil:
        return self.source.api.column_int64(self.rows, column)

    cdef const uint8_t *text(self, int column, size_t *length) noexcept nogil:
        """Return the text of a column, NULL and no letters for NULL."""
        cdef const uint8_t *text = self.source.api.column_text(self.rows, column)
        length[0] = self.source.api.column_bytes(self.rows, column) if text != NULL else 0
        return text

    cdef int require_columns(self, int count) except -1:
        if self.rows == NULL:
            raise ValueError("the rows are closed")
        cdef int columns = self.source.api.column_count(self.rows)
        if columns != count:
            raise ValueError(f"the query has {columns} columns, not {count}")

    cdef void read_game(
        self, PlayedGame *game, const TextTable *titles, const TextTable *countries
    ) noexcept nogil:
        """Read the current row; its texts are valid until the next one."""
        cdef PlayedSide *side
        cdef const uint8_t *text
        cdef size_t length
        cdef int i
        game.game_id = self.number(GAME_ID)
        game.event, game.site = self.number(GAME_EVENT), self.number(GAME_SITE)
        game.key, game.source = self.number(GAME_KEY), self.number(GAME_SOURCE)
        game.year, game.month = self.number(GAME_YEAR), self.number(GAME_MONTH)
        text = self.text(GAME_LINK, &length)
        game.has_link = length > 0
        game.is_on_web = NOT_ASKED
        for i in range(2):
            side = &game.sides[i]
            side.player = self.number(GAME_PLAYERS + i)
            side.elo = self.number(GAME_ELOS + i)
            text = self.text(GAME_FIDE_IDS + i, &length)
            side.fide_id = read_fide_id(text, length)
            text = self.text(GAME_TITLES + i, &length)
            side.title = text_with_hash(titles, hash_text(text, length))
            side.claimed = required_by_title(titles, text, length) if length else 0
            text = self.text(GAME_COUNTRIES + i, &length)
            side.country = text_with_hash(countries, hash_text(text, length)).number

    cdef str link(self):
        """Return the address of the current game."""
        cdef size_t length
        cdef const uint8_t *text = self.text(GAME_LINK, &length)
        return (<const char *>text)[:length].decode("utf-8", "surrogatepass")
