"""Count records per event, site and player; find days of rounds and sites of events.

The counts are of headers as read, before any merge. matching/consensus.py uses them to decide which
value of a group the rest of the database supports. Works without the GIL on sorted games.
"""

from event_rows cimport (
    ANY_SOURCE, EventRow, EventRows, add_row, by_event, first_row, free_rows, sort_rows,
)
from id_list cimport count_up_to
from memory cimport allocate_zeros
from name_counts cimport (
    COUNTED_TABLES, EVENT, PLAYER, SITE, GroupValues, NameCounts, add_value, count_game,
    free_counts, frequency_rank_of, index_of_name, is_unsettled, open_counts,
)
from name_changes cimport (
    HashCount, HashCounts, NameChanges, add_hash, are_likelier, count_of_hash, free_changes,
    hash_of_word, words_of_name,
)
from name_words cimport WORD_BYTES
from parsed_name cimport ParsedName, parse_name
from packed_name cimport next_packed_word

cdef enum:
    GAMES_A_RELEASE = 1 << 15  # games between two releases of mapped memory
    GAMES_AHEAD = 8            # of a list of IDs, whose records are prefetched
    HAS_DAYS = 1               # mark of an event: a group has several days
    HAS_SITES = 2              # mark of an event: a group has several sites
    ALL_MARKS = 3              # HAS_DAYS | HAS_SITES
    STORED_RUNS = 2            # of rows of an earlier search

cdef class StoredHeaderCounts


cdef inline bint is_exact(uint32_t date) noexcept nogil:
    """Return whether a packed date has a year, a month and a day."""
    return date & 31 != 0 and date >> 5 & 15 != 0 and date >> 9 != 0


cdef class HeaderCounts:
    """Counts over the games of a search, which must have ended."""
    cdef SortedGames games
    cdef StoredHeaderCounts stored  # of the games up to `last_id`; may be None
    cdef int64_t last_id
    cdef bint has_added
    cdef bint has_all_rows         # of all events, not only of those of some groups
    cdef NameCounts names
    cdef NameChanges changes
    cdef HashCounts words          # records of each name, names with each word; once needed
    cdef EventRows rows            # of games after `last_id`, if the others are stored

    def __cinit__(
        self, SortedGames games not None, last_id=None, StoredHeaderCounts stored=None
    ):
        cdef Games *all = games.s.all
        cdef size_t first
        games.require_found()
        self.games = games
        self.stored = stored
        self.last_id = 0 if last_id is None else last_id
        self.has_added = last_id is not None
        open_counts(&self.names, all, self.has_added)
        if stored is not None:
            if last_id is None:
                raise ValueError("counts of an earlier search need its last ID")
            self.count_new_games()
            return
        for first in range(0, all.count, GAMES_A_RELEASE):
            with nogil:
                self.count_range(first, min(first + GAMES_A_RELEASE, all.count))
            self.hand_back()

    def __dealloc__(self):
        free_counts(&self.names)
        free_changes(&self.changes)
        free(self.words.slots)
        free_rows(&self.rows)

    cdef int hand_back(self) except -1:
        if self.games.batch.release is not None:
            self.games.batch.release()

    cdef void count_range(self, size_t first, size_t end) noexcept nogil:
        cdef const Game *game
        cdef size_t i
        for i in range(first, end):
            game = &self.games.s.all.games[i]
            count_game(self.names.counts, game)
            if self.has_added and game.game_id > self.last_id:
                count_game(self.names.added, game)

    cdef int count_new_games(self) except -1:
        """Add the games after `last_id` to the stored counts, and collect their rows."""
        cdef const GameIds *ids = &self.games.batch.ids
        cdef const Game *game
        cdef size_t i
        self.stored.copy_counts(&self.names, self.games.s.all)
        self.changes.old_names = self.stored.sizes[PLAYER]
        for i in range(count_up_to(ids, self.last_id), ids.count):
            game = &self.games.s.all.games[self.games.sorted_indexes[i]]
            count_game(self.names.counts, game)
            count_game(self.names.added, game)
            self.collect_game(game, ALL_MARKS if self.is_event(game.event) else 0)
        sort_rows(&self.rows)
        self.has_all_rows = True

    cdef bint is_event(self, uint32_t event) noexcept nogil:
        """Return whether rows of an event are collected: it is known."""
        return event != NO_NAME and self.games.s.all.events.texts[event].key != 0

    def names_with(self, bytes word not None):
        cdef const uint8_t *letters = word
        cdef size_t length = min(<size_t>len(word), <size_t>WORD_BYTES - 1)
        return self.count_with(hash_bytes(letters, length))

    def records_of(self, bytes name not None):
        cdef ParsedName parsed
        cdef const uint8_t *letters = name
        cdef size_t length = len(name)
        with nogil:
            parse_name(letters, length, &parsed)
        return self.count_with(parsed.hash)

    cdef uint32_t count_with(self, uint64_t hashed) except? 0:
        """Return the number of names with a word, or of records of a name."""
        cdef const HashCount *found
        if self.words.count == 0:
            self.count_words()
        found = count_of_hash(&self.words, hashed)
        return 0 if found == NULL else found.now

    cdef int count_words(self) except -1:
        """Count the names with each word, as written, and the records of each name."""
        cdef const Games *all = self.games.s.all
        cdef const uint8_t *word
        cdef uint8_t count, _k
        cdef size_t i
        # With the GIL, so that no other thread asks before all are counted.
        for i in range(all.name_count):
            add_hash(&self.words, all.names[i].hash, 0, self.names.counts[PLAYER][i])
            word = words_of_name(all, i, &count)
            for _k in range(count):
                add_hash(&self.words, hash_of_word(word), 0, 1)
                word = next_packed_word(word)

    cdef uint32_t index_of(self, int table, int64_t name_id) noexcept nogil:
        return index_of_name(&self.names, self.games.s.all, table, name_id)

    cdef uint32_t count_of(self, int table, int64_t name_id) noexcept nogil:
        cdef uint32_t index = self.index_of(table, name_id)
        return 0 if index == NO_NAME else self.names.counts[table][index]

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
        cdef const EventRow *rows
        cdef uint64_t games = 0
        cdef size_t index, count
        cdef int run
        for run in range(self.runs()):
            rows = self.run_of(run, &count)
            index = first_row(rows, count, &target)
            if index < count and by_event(&rows[index], &target) == 0:
                games += rows[index].games
        return games

    def games_at(self, uint32_t event, int64_t site_id):
        cdef uint32_t site = self.index_of(SITE, site_id)
        return 0 if site == NO_NAME else self.games_of_site(event, site)

    cdef int runs(self) noexcept nogil:
        """Return the number of runs of sorted rows: own ones, and those of an earlier search."""
        return 1 if self.stored is None else 1 + STORED_RUNS

    cdef const EventRow *run_of(self, int run, size_t *count) noexcept nogil:
        if run == 0:
            count[0] = self.rows.count
            return self.rows.rows
        count[0] = self.stored.row_counts[run - 1]
        return self.stored.rows[run - 1]

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
        cdef GroupValues values
        cdef size_t group, start = 0
        if not self.has_added:
            raise ValueError("records of new games were not counted separately")
        for group in range(<size_t>ends.shape[0]):
            if kept[group]:
                self.list_values(ids, start, ends[group], &values)
                if is_unsettled(&self.names, &values) or are_likelier(
                    &self.changes, &self.names, self.games.s.all, &values
                ):
                    kept[group] = 0
            start = ends[group]

    cdef int list_values(
        self, const int64_t[::1] ids, size_t start, size_t end, GroupValues *values
    ) except -1:
        """List the names in which the records of a group differ."""
        cdef const Game *game
        cdef size_t i
        cdef uint32_t date = 0
        cdef int table
        cdef bint[COUNTED_TABLES] differs = [False, False, False]
        cdef uint32_t[2] players = [NO_NAME, NO_NAME]
        memset(values, 0, sizeof(GroupValues))
        for i in range(start, end):
            game = self.game_in_list(ids, i)
            if is_exact(game.date):
                values.is_by_event |= date != 0 and date != game.date
                date = game.date
            differs[EVENT] |= add_value(values, EVENT, game.event)
            differs[SITE] |= add_value(values, SITE, game.site)
            for table in range(2):
                add_value(values, PLAYER, game.names[table])
                differs[PLAYER] |= i > start and players[table] != game.names[table]
                players[table] = game.names[table]
        values.is_by_event |= differs[SITE]
        for table in range(COUNTED_TABLES):
            if not (differs[table] or (table == EVENT and values.is_by_event)):
                values.counts[table] = 0

    # --- days of rounds and sites of events -------------------------------------------------------

    def collect_events(self, const int64_t[::1] ids not None, const uint64_t[::1] ends not None):
        cdef uint8_t *marks
        cdef size_t group, start = 0
        cdef bint has_any = False
        if self.has_all_rows:
            return
        free_rows(&self.rows)
        marks = <uint8_t *>allocate_zeros(self.names.sizes[EVENT], 1)
        try:
            for group in range(<size_t>ends.shape[0]):
                has_any |= self.mark_events(ids, start, ends[group], marks)
                start = ends[group]
            if has_any:
                self.collect(marks)
        finally:
            free(marks)

    def collect_all_events(self):
        cdef uint8_t *marks
        cdef uint32_t event
        if self.has_all_rows:
            return
        free_rows(&self.rows)
        marks = <uint8_t *>allocate_zeros(self.names.sizes[EVENT], 1)
        try:
            for event in range(<uint32_t>self.names.sizes[EVENT]):
                marks[event] = ALL_MARKS if self.is_event(event) else 0
            self.collect(marks)
        finally:
            free(marks)
        self.has_all_rows = True

    cdef int collect(self, const uint8_t *marks) except -1:
        """Collect the rows of all games with marked events."""
        cdef size_t first, count = self.games.s.all.count
        for first in range(0, count, GAMES_A_RELEASE):
            with nogil:
                self.collect_range(first, min(first + GAMES_A_RELEASE, count), marks)
            self.hand_back()
        sort_rows(&self.rows)

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
            if self.is_event(game.event):
                marks[game.event] |= event_marks
        return event_marks != 0

    cdef int collect_range(self, size_t first, size_t end, const uint8_t *marks) except -1 nogil:
        cdef const Game *game
        cdef size_t i
        for i in range(first, end):
            game = &self.games.s.all.games[i]
            if game.event != NO_NAME and marks[game.event]:
                self.collect_game(game, marks[game.event])

    cdef int collect_game(self, const Game *game, uint8_t mark) except -1 nogil:
        cdef EventRow row
        if mark & HAS_DAYS and game.round and is_exact(game.date):
            row = EventRow(game.event, game.source, game.round, game.date, 1)
            add_row(&self.rows, &row)
        if mark & HAS_SITES and game.site != NO_NAME:
            row = EventRow(game.event, ANY_SOURCE, 0, game.site, 1)
            add_row(&self.rows, &row)

    def round_of(self, game_id not None):
        cdef const Game *game = self.games.game(game_id)
        return game.event, game.source, game.round, game.date

    def days_of(self, uint32_t event):
        cdef EventRow target = EventRow(event, 0, 0, 0, 0)
        cdef const EventRow *rows
        cdef size_t index, count
        cdef int run
        days = {}
        for run in range(self.runs()):
            rows = self.run_of(run, &count)
            index = first_row(rows, count, &target)
            while index < count and rows[index].event == event and rows[index].source != ANY_SOURCE:
                day = (rows[index].source, rows[index].round, rows[index].value)
                days[day] = days.get(day, 0) + rows[index].games
                index += 1
        return [(*day, games) for day, games in sorted(days.items())]
