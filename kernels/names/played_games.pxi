"""Games without their moves, as a query of the store returns them, and what their tags claim.

The columns are those of store/players.py: _SELECT_PLAYED.
"""

from libc.stdint cimport int16_t, int64_t

from careers cimport NumberSet, add_to_set, is_in_set, sort_set
from game_record cimport hash_bytes
from name_words cimport is_digit
from sorted_numbers cimport count_before, free_numbers, order_of
from sqlite_api cimport OCG_STATIC

cdef enum:
    GAME_ID, GAME_PLAYERS, GAME_PLAYED_ON = 3, GAME_EVENT, GAME_SITE, GAME_SOURCE, GAME_KEY,
    GAME_FILLED, GAME_ELOS, GAME_EXTRA_TAGS = 11, GAME_COLUMNS

cdef enum:
    MOST_FIDE_DIGITS = 10
    MOST_TITLE_LETTERS = 8
    MOST_MONTHS = 12           # between a game and a rating list: strength may change later
    NOT_ASKED = -1
    EVENT_BITS = 48            # of an ID that SQLite gives

_FICS_ADDRESS = "ficsgames.org/cgi-bin/show.cgi?ID="

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

# A side of a game. Fields that were filled in are missing. `claimed`: the title in capitals.
ctypedef struct PlayedSide:
    int64_t player
    uint32_t name              # set by the reader's caller
    int64_t elo
    int64_t fide_id
    KnownText title
    KnownText claimed
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
        known.hash = hash_bytes(<const uint8_t *>address, size)
        known.number, known.rank, known.required = i, rank, required
    qsort(table.texts, table.count, sizeof(KnownText), by_hash)


cdef KnownText text_with_hash(const TextTable *table, uint64_t value) noexcept nogil:
    cdef KnownText wanted = KnownText(value, <uint16_t>table.count, 0, 0)
    cdef size_t at = count_before(table.texts, table.count, sizeof(KnownText), &wanted, by_hash)
    return table.texts[at] if at < table.count and table.texts[at].hash == value else wanted


cdef KnownText title_in_capitals(const TextTable *titles, Span text) noexcept nogil:
    """Return a title that has any case of letters."""
    cdef uint8_t capitals[MOST_TITLE_LETTERS]
    cdef size_t i
    if not text.length or text.length > MOST_TITLE_LETTERS:
        return KnownText(0, 0, 0, 0)
    for i in range(text.length):
        capitals[i] = text.at[i] & 0xDF if c"a" <= text.at[i] <= c"z" else text.at[i]
    return text_with_hash(titles, hash_bytes(capitals, text.length))


cdef int64_t read_fide_id(Span tag) noexcept nogil:
    """Return the FIDE ID in a tag, 0 if there is none."""
    cdef const uint8_t *text = tag.at
    cdef size_t i, length = tag.length
    cdef int64_t number = 0
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


cdef bint is_near_list(int list_month, int year, int month) noexcept nogil:
    """Return whether a game was played within a year of a rating list; see ClaimRules."""
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
    cdef Span[GAME_TAGS] tags  # of the current game
    cdef list unescaped        # objects whose memory they use

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

    cdef int read_tags(self, int column) except -1 nogil:
        """Set the tags of the current game; they are valid until the next one."""
        cdef Span text
        text.at = self.text(column, &text.length)
        if find_tags(text, self.tags):
            with gil:
                self.unescaped = unescape_tags(self.tags)

    cdef int read_game(
        self, PlayedGame *game, const TextTable *titles, const TextTable *countries
    ) except -1 nogil:
        """Read the current row; its texts are valid until the next one."""
        cdef PlayedSide *side
        cdef Span text
        cdef int i, filled = <int>self.number(GAME_FILLED)
        game.game_id = self.number(GAME_ID)
        game.event, game.site = self.number(GAME_EVENT), self.number(GAME_SITE)
        game.key, game.source = self.number(GAME_KEY), self.number(GAME_SOURCE)
        game.is_on_web = NOT_ASKED
        text.at = self.text(GAME_PLAYED_ON, &text.length)
        game.year = number_of_digits(text, 0, 4)
        game.month = number_of_digits(text, 5, 2)
        game.month = 12 * game.year + game.month if game.year > 0 and game.month >= 0 else 0
        game.year = max(game.year, 0)
        self.read_tags(GAME_EXTRA_TAGS)
        game.has_link = self.tags[LINK_TAG].length or self.tags[FICS_NUMBER_TAG].length
        for i in range(2):
            side = &game.sides[i]
            side.player = self.number(GAME_PLAYERS + i)
            side.elo = 0 if filled & FILLED_ELO << i else self.number(GAME_ELOS + i)
            if filled & FILLED_FIDE_ID << i:
                self.tags[FIDE_ID_TAG + i].length = 0
            if filled & FILLED_TITLE << i:
                self.tags[TITLE_TAG + i].length = 0
            side.fide_id = read_fide_id(self.tags[FIDE_ID_TAG + i])
            text = self.tags[TITLE_TAG + i]
            side.title = text_with_hash(titles, hash_bytes(text.at, text.length))
            side.claimed = title_in_capitals(titles, text)
            text = self.tags[COUNTRY_TAG + i]
            if countries != NULL:
                side.country = text_with_hash(countries, hash_bytes(text.at, text.length)).number

    cdef str tag(self, int number):
        """Return the value of a tag of the current game."""
        cdef Span value = self.tags[number]
        return (<const char *>value.at)[:value.length].decode("utf-8", "surrogatepass")

    cdef str link(self):
        """Return the address of the current game; FICS gives only a number."""
        if self.tags[LINK_TAG].length:
            return self.tag(LINK_TAG)
        return _FICS_ADDRESS + self.tag(FICS_NUMBER_TAG)


cdef inline int64_t event_key(int64_t event, int year) noexcept nogil:
    """Return a number for an event and a year, 0 if either is unknown (event 1 is "")."""
    return event ^ <int64_t>year << EVENT_BITS if event > 1 and year else 0


cdef int number_of_digits(Span text, size_t first, size_t count) noexcept nogil:
    """Return the number that some digits of a text are, -1 if others are there."""
    cdef int number = 0
    cdef size_t i
    if text.length < first + count:
        return -1
    for i in range(first, first + count):
        if not is_digit(text.at[i]):
            return -1
        number = 10 * number + text.at[i] - c"0"
    return number


cdef class ClaimRules:
    """Which games of a database can contradict a rating list, and why; see the stub."""
    cdef int list_month
    cdef NumberSet web_sites, web_events, youth_sites, youth_events
    cdef object has_nicknames

    def __cinit__(
        self, int list_month, *, sites not None, events not None, youth_sites not None,
        youth_events not None, has_nicknames not None,
    ):
        self.list_month, self.has_nicknames = list_month, has_nicknames
        read_set(&self.web_sites, sites)
        read_set(&self.web_events, events)
        read_set(&self.youth_sites, youth_sites)
        read_set(&self.youth_events, youth_events)

    def __dealloc__(self):
        free_numbers(&self.web_sites.numbers)
        free_numbers(&self.web_events.numbers)
        free_numbers(&self.youth_sites.numbers)
        free_numbers(&self.youth_events.numbers)

    cdef bint is_on_web(self, GameRows rows, PlayedGame *game) except -1 nogil:
        """Return whether a game was played on a website where players have nicknames."""
        if game.is_on_web == NOT_ASKED:
            game.is_on_web = (
                is_in_set(&self.web_sites, <uint64_t>game.site)
                or is_in_set(&self.web_events, <uint64_t>game.event)
            )
            if not game.is_on_web and game.has_link:
                with gil:
                    game.is_on_web = bool(self.has_nicknames(rows.link()))
        return game.is_on_web

    cdef bint is_youth(self, const PlayedGame *game) noexcept nogil:
        """Return whether a game was played in an event for children or juniors."""
        return (
            is_in_set(&self.youth_events, <uint64_t>game.event)
            or is_in_set(&self.youth_sites, <uint64_t>game.site)
        )

    cdef bint has_claims(self, GameRows rows, PlayedGame *game) except -1 nogil:
        """Return whether titles and Elos of a game can be compared with the rating list."""
        return is_near_list(self.list_month, game.year, game.month) or self.is_on_web(
            rows, game
        )


cdef int read_set(NumberSet *numbers, values) except -1:
    for value in values:
        add_to_set(numbers, <uint64_t><int64_t>value)
    sort_set(numbers)
