"""Count records per event, site and player; find days of rounds and sites of events.

The counts are of headers as read, before any merge. matching/consensus.py uses them to decide which
value of a group the rest of the database supports. Works without the GIL on sorted games.
"""

from memory cimport allocate_zeros, new_item
from name_words cimport WORD_BYTES
from parsed_name cimport ParsedName, parse_name
from packed_name cimport WORD_HEAD, next_packed_word, packed_as_written
from thresholds cimport (
    ABOVE_RARE, ABOVE_VERY_RARE, EVENT, FEW_RECORDS, FREQUENT_RECORDS, FREQUENT_TIMES, MANY_TIMES,
    PLAYER, RARE_RECORDS, SITE,
)

cdef enum:
    GAMES_A_RELEASE = 1 << 15  # games between two releases of mapped memory
    GAMES_AHEAD = 8            # of a list of IDs, whose records are prefetched
    MOST_EVENT_ROWS = 1 << 20  # of EventRow, before equal rows are merged
    MOST_GROUP_VALUES = 16     # values of one group that are compared with each other
    HAS_DAYS = 1               # mark of an event: a group has several days
    HAS_SITES = 2              # mark of an event: a group has several sites

cdef uint32_t ANY_SOURCE = 0xFFFFFFFF


cdef inline int frequency_rank_of(uint64_t records, uint64_t others) noexcept nogil:
    if records < others:
        return -frequency_rank_of(others, records)
    if others == 0 or records < FREQUENT_TIMES * others:
        return 0
    if others > FEW_RECORDS and records < MANY_TIMES * others:
        return 0
    if others > RARE_RECORDS or records < FREQUENT_RECORDS:
        return 1
    return ABOVE_VERY_RARE if records >= MANY_TIMES * others else ABOVE_RARE


cdef int by_event(const void *a, const void *b) noexcept nogil:
    cdef const EventRow *left = <const EventRow *>a
    cdef const EventRow *right = <const EventRow *>b
    return (
        order_of(left.event, right.event) or order_of(left.source, right.source)
        or order_of(left.round, right.round) or order_of(left.value, right.value)
    )


cdef inline bint is_exact(uint32_t date) noexcept nogil:
    """Return whether a packed date has a year, a month and a day."""
    return date & 31 != 0 and date >> 5 & 15 != 0 and date >> 9 != 0


# Number of records of an event on a day, or at a site (then `source` is ANY_SOURCE).
ctypedef struct EventRow:
    uint32_t event
    uint32_t source
    uint32_t round             # 0 in a row of a site
    uint32_t value             # packed date, or index of a site
    uint64_t games


cdef class HeaderCounts:
    """Counts over the games of a search, which must have ended."""
    cdef SortedGames games
    cdef int64_t last_id
    cdef bint has_added
    cdef bint is_given             # counts and rows cover more games than these
    cdef size_t[3] sizes           # number of events, sites, players
    cdef uint32_t *counts[3]       # by the index of a name
    cdef uint32_t *added[3]        # of records after `last_id`
    # Of words in names of players and of whole names, a hash table; NULL until it is needed.
    cdef uint64_t *word_hashes
    cdef uint32_t *word_names      # number of names with the word, or of records with the name
    cdef size_t word_slots         # a power of two
    cdef EventRow *rows
    cdef size_t capacity, count, sorted

    def __cinit__(self, SortedGames games not None, last_id=None):
        cdef Games *all = games.s.all
        cdef size_t first, table
        games.require_found()
        self.games = games
        self.last_id = 0 if last_id is None else last_id
        self.has_added = last_id is not None
        self.sizes = [all.events.count, all.sites.count, all.name_count]
        for table in range(3):
            self.counts[table] = <uint32_t *>allocate_zeros(self.sizes[table], sizeof(uint32_t))
            if self.has_added:
                self.added[table] = <uint32_t *>allocate_zeros(self.sizes[table], sizeof(uint32_t))
        for first in range(0, all.count, GAMES_A_RELEASE):
            with nogil:
                self.count_range(first, min(first + GAMES_A_RELEASE, all.count))
            self.hand_back()

    def __dealloc__(self):
        cdef int table
        for table in range(3):
            free(self.counts[table])
            free(self.added[table])
        free(self.word_hashes)
        free(self.word_names)
        free(self.rows)

    cdef int hand_back(self) except -1:
        if self.games.batch.release is not None:
            self.games.batch.release()

    cdef void count_range(self, size_t first, size_t end) noexcept nogil:
        cdef const Game *game
        cdef size_t i
        for i in range(first, end):
            game = &self.games.s.all.games[i]
            self.count_game(self.counts, game)
            if self.has_added and game.game_id > self.last_id:
                self.count_game(self.added, game)

    cdef void count_game(self, uint32_t **counts, const Game *game) noexcept nogil:
        cdef int side
        if game.event != NO_NAME:
            counts[EVENT][game.event] += 1
        if game.site != NO_NAME:
            counts[SITE][game.site] += 1
        for side in range(2):
            if game.names[side] != NO_NAME:
                counts[PLAYER][game.names[side]] += 1

    def names_with(self, bytes word not None):
        cdef const uint8_t *letters = word
        cdef size_t length = min(<size_t>len(word), <size_t>WORD_BYTES - 1)
        if self.word_hashes == NULL:
            self.count_words()
        return self.word_names[self.slot_of_word(hash_bytes(letters, length) | 1)]

    def records_of(self, bytes name not None):
        cdef ParsedName parsed
        cdef const uint8_t *letters = name
        cdef size_t length = len(name)
        if self.word_hashes == NULL:
            self.count_words()
        with nogil:
            parse_name(letters, length, &parsed)
        return self.word_names[self.slot_of_word(parsed.hash | 1)]

    cdef int count_words(self) except -1:
        """Count the names with each word, as written, and the records of each name."""
        cdef const Games *all = self.games.s.all
        cdef const uint8_t *at
        cdef size_t slots = 1024, words = 0, i, slot
        cdef uint8_t k
        for i in range(all.name_count):
            words += 1 + packed_as_written(&all.names[i], all.name_words)[0]
        while slots < 2 * words:
            slots <<= 1
        self.word_names = <uint32_t *>allocate_zeros(slots, sizeof(uint32_t))
        self.word_slots = slots
        self.word_hashes = <uint64_t *>allocate_zeros(slots, sizeof(uint64_t))
        with nogil:
            for i in range(all.name_count):
                slot = self.slot_of_word(all.names[i].hash | 1)
                self.word_hashes[slot] = all.names[i].hash | 1
                self.word_names[slot] += self.counts[PLAYER][i]
                at = packed_as_written(&all.names[i], all.name_words)
                words = at[0]
                at += 4
                for k in range(words):
                    slot = self.slot_of_word(hash_bytes(at + WORD_HEAD, at[0]) | 1)
                    self.word_hashes[slot] = hash_bytes(at + WORD_HEAD, at[0]) | 1
                    self.word_names[slot] += 1
                    at = next_packed_word(at)

    cdef size_t slot_of_word(self, uint64_t hashed) noexcept nogil:
        """Return the slot of a word, or a free slot."""
        cdef size_t slot = (hashed * 0x9E3779B97F4A7C15u) >> 20 & (self.word_slots - 1)
        while self.word_hashes[slot] and self.word_hashes[slot] != hashed:
            slot = (slot + 1) & (self.word_slots - 1)
        return slot

    cdef uint32_t index_of(self, int table, int64_t name_id) noexcept nogil:
        cdef const Games *all = self.games.s.all
        cdef const int64_t *ids = all.name_ids
        if table != PLAYER:
            ids = all.sites.ids if table == SITE else all.events.ids
        return index_of_id(ids, self.sizes[table], name_id)

    cdef uint32_t count_of(self, int table, int64_t name_id) noexcept nogil:
        cdef uint32_t index = self.index_of(table, name_id)
        return 0 if index == NO_NAME else self.counts[table][index]

    cdef int frequency_rank_of_names(
        self, int table, int64_t name_id, int64_t other_id
    ) noexcept nogil:
        return frequency_rank_of(self.count_of(table, name_id), self.count_of(table, other_id))

    def frequency_rank(self, int table, int64_t name_id, int64_t other_id):
        if not 0 <= table <= PLAYER:
            raise ValueError(f"unknown table of names: {table}")
        return self.frequency_rank_of_names(table, name_id, other_id)

    cdef uint64_t games_of_site(self, uint32_t event, uint32_t site) noexcept nogil:
        cdef EventRow target = EventRow(event, ANY_SOURCE, 0, site, 0)
        cdef size_t index = self.first_row(&target)
        if index < self.count and by_event(&self.rows[index], &target) == 0:
            return self.rows[index].games
        return 0

    def games_at(self, uint32_t event, int64_t site_id):
        cdef uint32_t site = self.index_of(SITE, site_id)
        return 0 if site == NO_NAME else self.games_of_site(event, site)

    cdef const Game *game_in_list(self, const int64_t[::1] ids, size_t i) except NULL:
        """Return game `i` of a list and prefetch a later one; KeyError for an unknown ID."""
        if i + GAMES_AHEAD < <size_t>ids.shape[0]:
            self.games.prefetch(ids[i + GAMES_AHEAD])
        return self.games.game(ids[i])

    # --- changes by new games ---------------------------------------------------------------------

    def unsettle(
        self, const int64_t[::1] ids not None, const uint64_t[::1] ends not None,
        uint8_t[::1] kept not None,
    ):
        cdef size_t group, start = 0
        if not self.has_added:
            raise ValueError("records of new games were not counted separately")
        for group in range(<size_t>ends.shape[0]):
            if kept[group] and self.is_unsettled(ids, start, ends[group]):
                kept[group] = 0
            start = ends[group]

    cdef bint is_unsettled(self, const int64_t[::1] ids, size_t start, size_t end) except -1:
        cdef uint32_t values[3][MOST_GROUP_VALUES]
        cdef size_t[3] counts
        cdef const Game *game
        cdef size_t i
        cdef uint32_t date = 0
        cdef int table
        cdef bint other_days = False, has_more = False
        memset(counts, 0, sizeof(counts))
        for i in range(start, end):
            game = self.game_in_list(ids, i)
            if is_exact(game.date):
                other_days = other_days or (date != 0 and date != game.date)
                date = game.date
            for table in range(4):
                if not add_value(
                    values[min(table, PLAYER)], &counts[min(table, PLAYER)],
                    game.event if table == EVENT else game.site if table == SITE
                    else game.names[table - PLAYER],
                ):
                    has_more = True
        if (other_days or counts[SITE] > 1) and self.is_changed(
            EVENT, values[EVENT], counts[EVENT]
        ):
            return True
        for table in range(3):
            if has_more and self.is_changed(table, values[table], counts[table]):
                return True
            if self.is_reordered(table, values[table], counts[table]):
                return True
        return has_more

    cdef bint is_changed(self, int table, const uint32_t *indexes, size_t count) noexcept nogil:
        cdef size_t i
        for i in range(count):
            if self.added[table][indexes[i]]:
                return True
        return False

    cdef bint is_reordered(self, int table, const uint32_t *indexes, size_t count) noexcept nogil:
        cdef size_t i, j
        if not self.is_changed(table, indexes, count):
            return False
        for i in range(count):
            for j in range(i):
                if frequency_rank_of(
                    self.counts[table][indexes[i]], self.counts[table][indexes[j]]
                ) != frequency_rank_of(
                    self.before(table, indexes[i]), self.before(table, indexes[j])
                ):
                    return True
        return False

    cdef uint32_t before(self, int table, uint32_t index) noexcept nogil:
        """Return the records of a name among the games of the previous search."""
        return self.counts[table][index] - self.added[table][index]

    # --- days of rounds and sites of events -------------------------------------------------------

    def collect_events(self, const int64_t[::1] ids not None, const uint64_t[::1] ends not None):
        cdef const Games *all = self.games.s.all
        cdef uint8_t *marks
        cdef size_t group, first, start = 0
        cdef bint has_any = False
        if self.is_given:
            return
        self.count = self.sorted = 0
        marks = <uint8_t *>allocate_zeros(self.sizes[EVENT], 1)
        try:
            for group in range(<size_t>ends.shape[0]):
                has_any |= self.mark_events(ids, start, ends[group], marks)
                start = ends[group]
            for first in range(0, all.count if has_any else 0, GAMES_A_RELEASE):
                with nogil:
                    self.collect_range(first, min(first + GAMES_A_RELEASE, all.count), marks)
                self.hand_back()
        finally:
            free(marks)
        self.merge_equal_rows()

    cdef bint mark_events(
        self, const int64_t[::1] ids, size_t start, size_t end, uint8_t *marks
    ) except -1:
        cdef const Game *game
        cdef size_t i
        cdef uint32_t date = 0, site = NO_NAME
        cdef uint8_t event_marks = 0
        for i in range(start, end):
            game = self.game_in_list(ids, i)
            if is_exact(game.date):
                event_marks |= HAS_DAYS if date != 0 and date != game.date else 0
                date = game.date
            if game.site != NO_NAME:
                event_marks |= HAS_SITES if site != NO_NAME and site != game.site else 0
                site = game.site
        for i in range(start, end if event_marks else start):
            game = self.games.game(ids[i])
            if game.event != NO_NAME and self.games.s.all.events.texts[game.event].key != 0:
                marks[game.event] |= event_marks
        return event_marks != 0

    cdef int collect_range(self, size_t first, size_t end, const uint8_t *marks) except -1 nogil:
        cdef const Game *game
        cdef size_t i
        cdef uint8_t mark
        for i in range(first, end):
            game = &self.games.s.all.games[i]
            mark = 0 if game.event == NO_NAME else marks[game.event]
            if mark & HAS_DAYS and game.round and is_exact(game.date):
                self.add_row(game.event, game.source, game.round, game.date)
            if mark & HAS_SITES and game.site != NO_NAME:
                self.add_row(game.event, ANY_SOURCE, 0, game.site)

    cdef int add_row(
        self, uint32_t event, uint32_t source, uint32_t round, uint32_t value, uint64_t games=1
    ) except -1 nogil:
        if self.count == self.sorted + MOST_EVENT_ROWS:
            self.merge_equal_rows()
        (<EventRow *>new_item(
            <void **>&self.rows, &self.count, &self.capacity, sizeof(EventRow)
        ))[0] = EventRow(event, source, round, value, games)

    cdef void merge_equal_rows(self) noexcept nogil:
        cdef size_t i, last = 0
        if self.count == 0:                # qsort() may not be given NULL
            return
        qsort(self.rows, self.count, sizeof(EventRow), by_event)
        for i in range(1, self.count):
            if by_event(&self.rows[last], &self.rows[i]) == 0:
                self.rows[last].games += self.rows[i].games
            else:
                last += 1
                self.rows[last] = self.rows[i]
        self.count = self.sorted = last + 1

    cdef size_t first_row(self, const EventRow *target) noexcept nogil:
        """Return the index of the first row that does not come before another one."""
        cdef size_t low = 0, high = self.count, middle
        while low < high:
            middle = (low + high) >> 1
            if by_event(&self.rows[middle], target) < 0:
                low = middle + 1
            else:
                high = middle
        return low

    def round_of(self, game_id not None):
        cdef const Game *game = self.games.game(game_id)
        return game.event, game.source, game.round, game.date

    def days_of(self, uint32_t event):
        cdef EventRow first = EventRow(event, 0, 0, 0, 0)
        cdef size_t index = self.first_row(&first)
        days = []
        while (
            index < self.count and self.rows[index].event == event
            and self.rows[index].source != ANY_SOURCE
        ):
            row = self.rows[index]
            days.append((row.source, row.round, row.value, row.games))
            index += 1
        return days


cdef inline bint add_value(uint32_t *values, size_t *count, uint32_t value) noexcept nogil:
    """Add an index to a list unless it is there; return False if the list is full."""
    cdef size_t i
    if value == NO_NAME:
        return True
    for i in range(count[0]):
        if values[i] == value:
            return True
    if count[0] == MOST_GROUP_VALUES:
        return False
    values[count[0]] = value
    count[0] += 1
    return True
