"""The search after new games: arrays for all games, records only of those that it compares.

The arrays come from the rows that the search before left, see known_order.pxd. Methods that need
records which are not loaded return their IDs; the caller reads these games, passes them to take()
and calls the method again.
"""

from blocking_keys cimport core_key, enter_key, index_of_key
from candidate_pairs cimport have_more_theory, is_paired_in_line, is_settled
from game_record cimport (
    MARK_HAS_CHOSEN_KEY, MARK_HAS_MORE_THEORY, MARK_HAS_NEW_LINE, MARK_IS_IN_SCOPE, MARK_IS_NEW,
    MARK_IS_OPEN, MARK_IS_TOUCHED, are_of_one_line, free_games, index_of_game, shared_start,
)
from id_list cimport add_id
from known_order cimport (
    NO_PLIES, MoveReader, Place, StartSpan, begins_span, continues_line, fill_new_row,
    find_known_ends, number_lines, order_of_ply, place_games, summary_of_row,
)
from memory cimport allocate_zeros
from opening_theory cimport ANY_ID, MOST_THEORY, theory_of
from previous_verdicts cimport has_key, list_source_keys
from search_results cimport EDGE_BITS
from sorted_numbers cimport add_number, add_number_to, has_number
from thresholds cimport MOST_NEIGHBOURS

ORDER_ROW_BYTES = sizeof(OrderRow)

cdef enum:
    MOST_REACH = 2 * MOST_NEIGHBOURS + 1
    MARK_HAS_THEORY = 128          # the theory was found again
    MARKS_OF_CHANGE = MARK_IS_NEW | MARK_IS_TOUCHED | MARK_HAS_MORE_THEORY
    MARKS_OF_SCOPE = MARKS_OF_CHANGE | MARK_IS_OPEN | MARK_IS_IN_SCOPE


cdef class DeltaFinder(DuplicateFinder):
    """The search for duplicates of new games among those of an earlier search."""
    cdef size_t row_count
    cdef StartSpan *spans
    cdef size_t span_count
    cdef const OrderRow *known     # of the earlier search, while games are placed
    cdef const StartSpan *known_spans
    cdef size_t known_count, known_span_count
    cdef object buffers            # that own them
    cdef Games fresh               # new games in move order, until they are merged
    cdef Place *places
    cdef GameIds known_ids
    cdef Numbers new_lines         # first indexes of mainlines with new games
    cdef Numbers listed_keys[3]    # by source: hashes of touched games
    cdef Numbers requested         # indexes
    cdef Numbers needed_lines      # first indexes of mainlines that are loaded as a whole
    cdef uint8_t *ranked           # by first index of a mainline: its equal records were found
    cdef uint8_t *scope_marks
    cdef Numbers changed           # indexes of earlier games whose players changed
    cdef Numbers core_hashes       # that they had, 0 if a player was unknown
    cdef Numbers dropped           # rising: keys that runs have and their games no longer have
    cdef Numbers newly_dropped
    cdef Numbers gained            # keys with indexes that their games have now
    cdef Numbers left              # hashes: see Games

    def __dealloc__(self):
        cdef int i
        free(self.spans)
        free_games(&self.fresh)
        free(self.places)
        free_numbers(&self.known_ids.listed)
        free_numbers(&self.new_lines)
        for i in range(3):
            free_numbers(&self.listed_keys[i])
        free_numbers(&self.requested)
        free_numbers(&self.needed_lines)
        free(self.ranked)
        free(self.scope_marks)
        free_numbers(&self.changed)
        free_numbers(&self.core_hashes)
        free_numbers(&self.dropped)
        free_numbers(&self.newly_dropped)
        free_numbers(&self.gained)
        free_numbers(&self.left)

    # --- order --------------------------------------------------------------------------------

    def place(
        self, const uint8_t[::1] rows not None, const uint8_t[::1] spans not None,
        const int64_t[::1] id_ranges not None, connection not None, str sql not None,
    ):
        cdef Games *all = &self.batch.all
        cdef MoveReader reader
        cdef sqlite3 *db = <sqlite3 *><uintptr_t>connection.sqlite3_pointer()
        cdef size_t count = rows.shape[0] // sizeof(OrderRow), i
        cdef bint ok
        cdef int64_t game_id
        if all.longest >= MOST_THEORY:
            raise ValueError(f"a game has {all.longest} plies")
        if rows.shape[0] % sizeof(OrderRow) or spans.shape[0] % sizeof(StartSpan) or not count:
            raise ValueError("rows of the order of games have another size")
        for i in range(<size_t>id_ranges.shape[0] // 2):
            for game_id in range(id_ranges[2 * i], id_ranges[2 * i + 1]):
                add_id(&self.known_ids, game_id)
        if self.known_ids.count != count:
            raise ValueError(f"{self.known_ids.count} IDs for {count} games")
        self.buffers = rows, spans
        self.known = <const OrderRow *>&rows[0]
        self.known_spans = <const StartSpan *>&spans[0]
        self.known_count = count
        self.known_span_count = spans.shape[0] // sizeof(StartSpan)
        sort_games(all)
        self.fresh = all[0]
        self.fresh.has_own_texts = False
        all.games = NULL
        all.arena = NULL
        all.count = all.capacity = all.moves = all.moves_capacity = 0
        self.places = <Place *>allocate(self.fresh.count, sizeof(Place))
        reader.api = open_sqlite(db)
        reader.ids = &self.known_ids
        reader.statement = prepared(reader.api, db, sql)
        try:
            with nogil:
                ok = self.place_all(&reader)
        finally:
            reader.api.finalize(reader.statement)
        if not ok:
            raise ValueError("the moves of a game differ from those of the earlier search")
        return self.ids_of_equal_lines()

    cdef bint place_all(self, MoveReader *reader) noexcept nogil:
        cdef size_t first = 0, end, span = 0, begin, stop, i
        while first < self.fresh.count:
            end = first + 1
            while end < self.fresh.count and (
                self.fresh.games[end].start == self.fresh.games[first].start
            ):
                end += 1
            while span < self.known_span_count and (
                self.known_spans[span].start < self.fresh.games[first].start
            ):
                span += 1
            begin = stop = self.known_count
            if span < self.known_span_count:
                begin = stop = self.known_spans[span].first
            if span < self.known_span_count and (
                self.known_spans[span].start == self.fresh.games[first].start
            ):
                stop = self.end_of_span(span)
            if not place_games(
                self.known, begin, stop, &self.fresh, first, end, reader, self.places
            ):
                return False
            first = end
        return True

    cdef size_t end_of_span(self, size_t span) noexcept nogil:
        if span + 1 < self.known_span_count:
            return self.known_spans[span + 1].first
        return self.known_count

    cdef size_t end_of_known_line(self, size_t first) noexcept nogil:
        """Return the index after the mainline that begins at an index of the earlier search."""
        cdef size_t end = first + 1
        while end < self.known_count and continues_line(
            self.known, self.known_spans, self.known_span_count, end
        ):
            end += 1
        return end

    cdef ids_of_equal_lines(self):
        """Return the IDs of the earlier games with the mainline of a new game."""
        cdef size_t end = 0, i, k
        cdef array.array ids = array.array("q")
        for i in range(self.fresh.count):
            if not self.places[i].has_line or self.places[i].before < end:
                continue
            end = self.end_of_known_line(self.places[i].before)
            for k in range(self.places[i].before, end):
                ids.append(id_at(&self.known_ids, self.known[k].ordinal))
        return ids

    def merge(self, GameBatch lines not None, int64_t last_id):
        cdef Games *all = &self.batch.all
        cdef size_t count = self.known_count + self.fresh.count, i
        if self.places == NULL:
            raise ValueError("place() has not been called")
        self.last_id = last_id
        if count >= MOST_GAMES:
            raise ValueError(f"more than {MOST_GAMES} games in one search")
        for i in range(self.fresh.count):
            if self.places[i].has_line:
                self.place_in_line(i, lines)
        all.rows = <OrderRow *>allocate(count, sizeof(OrderRow))
        self.spans = <StartSpan *>allocate(
            self.known_span_count + self.fresh.count, sizeof(StartSpan)
        )
        self.row_count = count
        self.sorted_indexes = <uint32_t *>allocate(count, sizeof(uint32_t))
        all.lines = <uint32_t *>allocate(count, sizeof(uint32_t))
        all.ends = <uint32_t *>allocate(count, sizeof(uint32_t))
        all.shared = <uint16_t *>allocate(count, sizeof(uint16_t))
        all.reach = <uint8_t *>allocate(count, 2)
        all.summaries = <GameSummary *>allocate(count, sizeof(GameSummary))
        all.marks = <uint8_t *>allocate_zeros(count, 1)
        all.loaded = <uint8_t *>allocate_zeros(count, 1)
        self.ranked = <uint8_t *>allocate_zeros(count, 1)
        # Pages of records that are not loaded take no memory.
        all.games = <Game *>allocate_zeros(count, sizeof(Game))
        all.count = all.capacity = count
        while count >> (BUCKET_BITS + all.low_bits):
            all.low_bits += 1
        self.enter_ids()
        with nogil:
            self.merge_rows()
        self.fill_arrays()
        free_games(&self.fresh)
        memset(&self.fresh, 0, sizeof(Games))
        free(self.places)
        self.places = NULL
        self.buffers = None

    cdef int place_in_line(self, size_t number, GameBatch lines) except -1:
        """Put a new game between the games with its mainline, which are sorted by content."""
        cdef const Game *game = &self.fresh.games[number]
        cdef Place *place = &self.places[number]
        cdef size_t first = place.before, end = self.end_of_known_line(place.before)
        cdef size_t stop = end, middle
        cdef const Game *other
        while place.before < stop:
            middle = (place.before + stop) >> 1
            other = self.game_in_line(middle, lines)
            if other.final_key != game.final_key:
                raise ValueError("games with one mainline have different last positions")
            if other.content > game.content:
                stop = middle
            else:
                place.before = middle + 1
        if place.before > first:
            place.shared = game.plies
        if place.before < end:
            place.shared_after = game.plies
            place.differing = 0
        elif end < self.known_count and not begins_span(
            self.known_spans, self.known_span_count, end
        ):
            place.shared_after = self.known[end].shared
            place.differing = self.known[end].differing
        else:
            place.shared_after = NO_PLIES

    cdef const Game *game_in_line(self, size_t known, GameBatch lines) except NULL:
        cdef uint32_t index = index_of_game(
            &lines.all, id_at(&self.known_ids, self.known[known].ordinal)
        )
        if index == NO_NAME:
            raise ValueError("a game with the mainline of a new game was not read")
        return &lines.all.games[index]

    cdef int enter_ids(self) except -1:
        """List the IDs of all games; those of new games come after the earlier ones."""
        cdef GameIds new_ids = self.batch.ids
        cdef size_t i
        memset(&self.batch.ids, 0, sizeof(GameIds))
        self.batch.ids = self.known_ids
        memset(&self.known_ids, 0, sizeof(GameIds))
        for i in range(new_ids.count):
            add_id(&self.batch.ids, id_at(&new_ids, i))
        free_numbers(&new_ids.listed)

    cdef void merge_rows(self) noexcept nogil:
        """Fill rows, spans and the records of new games."""
        cdef Games *all = &self.batch.all
        cdef size_t known = 0, fresh = 0, index, span = 0
        cdef OrderRow *row
        cdef const Game *game
        cdef const Place *place
        cdef int shared_after = NO_PLIES       # of the new game just before an earlier one
        self.span_count = 0
        for index in range(all.count):
            row = &self.s.all.rows[index]
            if fresh < self.fresh.count and (
                known == self.known_count or self.places[fresh].before <= known
            ):
                place = &self.places[fresh]
                game = &self.fresh.games[fresh]
                fill_new_row(game, index_in(&self.batch.ids, game.game_id), row)
                row.shared = <uint16_t>max(place.shared, 0)
                if fresh and self.places[fresh - 1].before == place.before:
                    row.shared = 0
                    if game.start == (game - 1).start:
                        row.shared = <uint16_t>shared_start(&self.fresh, game - 1, game)
                if index == 0 or self.spans[self.span_count - 1].start != game.start:
                    self.spans[self.span_count] = StartSpan(game.start, index)
                    self.span_count += 1
                row.differing = order_of_ply(
                    moves_of(&self.fresh, game), game.plies, row.shared
                )
                all.games[index] = game[0]
                all.loaded[index] = IS_LOADED
                all.marks[index] = MARK_IS_NEW
                shared_after = place.shared_after
                fresh += 1
                continue
            row[0] = self.known[known]
            while span < self.known_span_count and self.known_spans[span].first <= known:
                if index == 0 or self.spans[self.span_count - 1].start != (
                    self.known_spans[span].start
                ):
                    self.spans[self.span_count] = StartSpan(self.known_spans[span].start, index)
                    self.span_count += 1
                span += 1
            if index and all.marks[index - 1] & MARK_IS_NEW and shared_after != NO_PLIES:
                row.shared = <uint16_t>shared_after
                row.differing = self.places[fresh - 1].differing
            known += 1

    cdef int fill_arrays(self) except -1:
        cdef Games *all = &self.batch.all
        cdef size_t span, first, end, i
        cdef uint16_t *plies = <uint16_t *>allocate(all.count, sizeof(uint16_t))
        cdef uint32_t *open_games = <uint32_t *>allocate(all.count, sizeof(uint32_t))
        with nogil:
            for i in range(all.count):
                plies[i] = self.s.all.rows[i].plies
                all.shared[i] = self.s.all.rows[i].shared
                all.reach[2 * i] = self.s.all.rows[i].reach[0]
                all.reach[2 * i + 1] = self.s.all.rows[i].reach[1]
                self.sorted_indexes[self.s.all.rows[i].ordinal] = <uint32_t>i
            for span in range(self.span_count):
                first = self.spans[span].first
                end = self.spans[span + 1].first if span + 1 < self.span_count else all.count
                for i in range(first, end):
                    all.summaries[i] = summary_of_row(&all.rows[i], self.spans[span].start)
                number_lines(all, plies, first, end)
                find_known_ends(all, plies, open_games, first, end)
        free(plies)
        free(open_games)
        # Moves of new games go to the common arena.
        for i in range(all.count):
            if all.marks[i] & MARK_IS_NEW:
                self.copy_game(<uint32_t>i, &self.fresh, &all.games[i])
                if self.new_lines.count == 0 or (
                    self.new_lines.items[self.new_lines.count - 1] != self.first_of_line(i)
                ):
                    add_number_to(&self.new_lines, self.first_of_line(i))

    cdef size_t first_of_line(self, size_t index) noexcept nogil:
        return self.s.all.lines[index] & ~<uint32_t>LINE_IS_OPEN

    cdef size_t end_of_line(self, size_t first) noexcept nogil:
        cdef size_t end = first + 1
        while end < self.s.all.count and are_of_one_line(self.s.all, first, end):
            end += 1
        return end

    cdef int copy_game(self, uint32_t index, const Games *source, const Game *game) except -1:
        cdef Games *all = &self.batch.all
        cdef Game *record = &all.games[index]
        reserve(<void **>&all.arena, &all.moves_capacity, all.moves + game.plies + 8, 2)
        memcpy(all.arena + all.moves, moves_of(source, game), 2 * <size_t>game.plies)
        record[0] = game[0]
        record.moves = all.moves
        record.line = <uint32_t>self.first_of_line(index)
        record.theory = self.s.all.rows[index].theory
        all.moves += game.plies
        all.longest = max(all.longest, game.plies)
        all.loaded[index] = IS_LOADED

    # --- records ------------------------------------------------------------------------------

    def take(self, GameBatch part not None):
        cdef uint32_t index
        cdef size_t i
        for i in range(part.all.count):
            index = <uint32_t>self.required_index(part.all.games[i].game_id)
            if self.s.all.loaded[index] == IS_LOADED:
                continue
            if part.all.games[i].plies != self.s.all.rows[index].plies:
                raise ValueError("the moves of a game differ from those of the earlier search")
            self.copy_game(index, &part.all, &part.all.games[i])

    cdef int request(self, size_t index) except -1 nogil:
        if self.s.all.loaded[index] == NOT_LOADED:
            self.s.all.loaded[index] = IS_REQUESTED
            add_number_to(&self.requested, index)

    cdef int request_line(self, size_t index) except -1 nogil:
        """Request all games with the mainline of a game, which decide about its equal records."""
        cdef size_t i, first = self.first_of_line(index)
        if self.ranked[first]:
            return 0
        self.ranked[first] = True
        add_number_to(&self.needed_lines, first)
        for i in range(first, self.end_of_line(first)):
            self.request(i)

    cdef requested_ids(self):
        cdef array.array ids = array.clone(array.array("q"), self.requested.count, False)
        cdef size_t i
        for i in range(self.requested.count):
            ids.data.as_longlongs[i] = id_at(
                &self.batch.ids, self.s.all.rows[self.requested.items[i]].ordinal
            )
        self.requested.count = 0
        return ids

    # --- theory and touched games -------------------------------------------------------------

    def change_players(
        self, const int64_t[::1] ids not None, const int64_t[::1] core_hashes not None,
        const uint64_t[::1] dropped not None,
    ):
        cdef Py_ssize_t i
        if ids.shape[0] != core_hashes.shape[0]:
            raise ValueError("columns of changed games have different lengths")
        for i in range(ids.shape[0]):
            add_number_to(&self.changed, self.required_index(ids[i]))
            add_number_to(&self.core_hashes, <uint64_t>core_hashes[i])
            self.s.all.marks[self.changed.items[i]] |= MARK_IS_TOUCHED
        for i in range(dropped.shape[0]):
            add_number_to(&self.dropped, dropped[i])
        sort_numbers(&self.dropped, 64)

    cdef int move_core_keys(self, Numbers *hashes) except -1:
        """Note which keys of the players changed: the old ones are dropped, new ones are gained.

        Adds the hashes of old ones to `hashes` and to the chosen keys.
        """
        cdef const Game *game
        cdef uint64_t before, after, ordinal
        cdef Numbers revived
        cdef size_t i, kept = 0
        memset(&revived, 0, sizeof(Numbers))
        try:
            for i in range(self.changed.count):
                game = &self.s.all.games[self.changed.items[i]]
                ordinal = self.s.all.rows[self.changed.items[i]].ordinal
                before = after = 0
                if self.core_hashes.items[i]:
                    before = core_key(game, <int64_t>self.core_hashes.items[i]) >> INDEX_BITS
                if game.persons[0] > 0 and game.persons[1] > 0:
                    after = core_key(game, game.core_hash) >> INDEX_BITS
                if before == after:
                    continue
                if before:
                    enter_key(&self.chosen, before << INDEX_BITS)
                    add_number_to(hashes, before)
                    add_number_to(&self.left, before)
                if after and has_number(
                    self.dropped.items, self.dropped.count, after << INDEX_BITS | ordinal
                ):
                    add_number_to(&revived, after << INDEX_BITS | ordinal)
                elif after:
                    add_number_to(&self.gained, after << INDEX_BITS | self.changed.items[i])
                if before:
                    add_number_to(&self.newly_dropped, before << INDEX_BITS | ordinal)
            sort_numbers(&revived, 64)
            for i in range(self.dropped.count):
                if not has_number(revived.items, revived.count, self.dropped.items[i]):
                    self.dropped.items[kept] = self.dropped.items[i]
                    kept += 1
            self.dropped.count = kept
            for i in range(self.newly_dropped.count):
                add_number_to(&self.dropped, self.newly_dropped.items[i])
        finally:
            free_numbers(&revived)
        sort_numbers(&self.dropped, 64)
        sort_numbers(&self.left, 64)
        self.s.all.left = self.left.items
        self.s.all.left_count = self.left.count

    def find_new_theory(self):
        """Find the theory of new games, and again that of earlier games beside them."""
        cdef bint only_weakens = theory_only_weakens(&self.s.rules.weights)
        cdef size_t i
        with nogil:
            for i in range(self.s.all.count):
                if self.s.all.marks[i] & MARK_IS_NEW:
                    self.find_theory_of(i, only_weakens)
                    self.find_theory_beside(i, only_weakens)

    cdef void find_theory_beside(self, size_t index, bint only_weakens) noexcept nogil:
        """Find the theory of the earlier games whose theory visits the place of a new game."""
        cdef const Games *all = self.s.all
        cdef size_t at = index
        cdef int before = 0, after = 0
        while at and before < MOST_REACH:
            at -= 1
            if not all.marks[at] & MARK_IS_NEW:
                if all.reach[2 * at + 1] >= before:
                    self.find_theory_of(at, only_weakens)
                before += 1
        at = index + 1
        while at < all.count and after < MOST_REACH:
            if not all.marks[at] & MARK_IS_NEW:
                if all.reach[2 * at] >= after:
                    self.find_theory_of(at, only_weakens)
                after += 1
            at += 1

    cdef void find_theory_of(self, size_t index, bint only_weakens) noexcept nogil:
        cdef Games *all = self.s.all
        cdef uint16_t before = all.rows[index].theory
        cdef uint32_t theory
        cdef bint is_by_new
        if all.marks[index] & MARK_HAS_THEORY:
            return
        all.marks[index] |= MARK_HAS_THEORY
        theory = min(
            theory_of(all, index, ANY_ID, False, &is_by_new, all.rows[index].reach),
            <uint32_t>MOST_THEORY,
        )
        all.rows[index].theory = all.games[index].theory = <uint16_t>theory
        if all.marks[index] & MARK_IS_NEW or theory == before:
            return
        if only_weakens and theory > before:
            all.marks[index] |= MARK_HAS_MORE_THEORY
        else:
            all.marks[index] |= MARK_IS_TOUCHED

    def request_new_lines(self):
        cdef size_t i
        for i in range(self.new_lines.count):
            self.request_line(<size_t>self.new_lines.items[i])
        return self.requested_ids()

    def mark_new_lines(self):
        cdef Games *all = self.s.all
        cdef size_t first, end, i, k
        for i in range(self.new_lines.count):
            first = <size_t>self.new_lines.items[i]
            end = self.end_of_line(first)
            for k in range(first, end):
                if all.games[k].final_key != all.games[first].final_key:
                    raise ValueError("games with one mainline have different last positions")
                all.marks[k] |= MARK_HAS_CHOSEN_KEY
            mark_games(all, self.last_id, first, end)

    def request_touched(self):
        cdef size_t i
        with nogil:
            for i in range(self.s.all.count):
                if self.s.all.marks[i] & (MARK_IS_TOUCHED | MARK_HAS_MORE_THEORY):
                    self.request_line(i)
        return self.requested_ids()

    # --- keys ---------------------------------------------------------------------------------

    def touched_keys(self, str source not None):
        """Return the distinct hashes of the keys of touched games, rising."""
        cdef int source_index = SOURCES.index(source)
        cdef Numbers *hashes = &self.listed_keys[source_index]
        cdef Games *all = self.s.all
        cdef Keys work
        cdef size_t i, k
        memset(&work, 0, sizeof(Keys))
        if self.chosen.words == NULL:
            open_key_set(&self.chosen, 2 * KEYS_A_GAME * count_touched(all))
        try:
            with nogil:
                for i in range(all.count):
                    if all.marks[i] & MARK_IS_TOUCHED:
                        work.listed.count = 0
                        list_source_keys(all, i, source_index, &work)
                        for k in range(work.listed.count):
                            enter_key(&self.chosen, work.listed.items[k])
                            add_number_to(hashes, work.listed.items[k] >> INDEX_BITS)
        finally:
            free_keys(&work)
        if source_index == BY_PLAYERS:
            self.move_core_keys(hashes)
        return distinct_numbers(hashes)

    def shared_keys(self, str source not None):
        """Return the distinct hashes of the keys that games of open edges share, rising.

        Those that touched_keys() returned are left out.
        """
        cdef int source_index = SOURCES.index(source)
        cdef const Numbers *touched = &self.listed_keys[source_index]
        cdef Games *all = self.s.all
        cdef Numbers hashes
        cdef const Edge *edge
        cdef Keys left, right
        cdef size_t i
        memset(&hashes, 0, sizeof(Numbers))
        memset(&left, 0, sizeof(Keys))
        memset(&right, 0, sizeof(Keys))
        try:
            with nogil:
                for i in range(self.s.previous.count):
                    edge = &self.s.previous.items[i]
                    if self.depends_on_keys(edge):
                        left.listed.count = right.listed.count = 0
                        list_source_keys(all, edge.left, source_index, &left)
                        list_source_keys(all, edge.right, source_index, &right)
                        add_shared(&left.listed, &right.listed, touched, &hashes)
            return distinct_numbers(&hashes)
        finally:
            free_numbers(&hashes)
            free_keys(&left)
            free_keys(&right)

    cdef bint depends_on_keys(self, const Edge *edge) noexcept nogil:
        """Return whether new games may end a previous edge, whose games then must be loaded."""
        cdef const uint8_t *marks = self.s.all.marks
        if (marks[edge.left] | marks[edge.right]) & MARK_IS_TOUCHED:
            return False
        if is_paired_in_line(self.s.all, edge.left, edge.right):
            return False
        if marks[edge.left] & marks[edge.right] & MARK_HAS_CHOSEN_KEY:
            return True
        return marks[edge.left] & MARK_HAS_NEW_LINE and are_of_one_line(
            self.s.all, edge.left, edge.right
        )

    def add_known_keys(
        self, str source not None, const uint64_t[::1] entries, NumberBuckets keys not None
    ):
        """Add blocking keys of earlier games: hashes and ordinals, as KeyRuns.lookup() returns."""
        cdef bint are_of_lines = SOURCES.index(source) == BY_MOVES
        cdef Games *all = self.s.all
        cdef size_t index, end, i
        cdef Py_ssize_t at
        for at in range(entries.shape[0]):
            if has_number(self.dropped.items, self.dropped.count, entries[at]):
                continue
            index = index_of_key(entries[at])
            if index >= self.known_count:
                raise ValueError("a stored key belongs to an unknown game")
            index = self.sorted_indexes[index]
            if all.marks[index] & MARK_HAS_NEW_LINE:
                continue               # add_new_line_keys() makes them again
            end = index + 1
            if are_of_lines and not self.s.all.rows[index].has_own_end:
                index = self.first_of_line(index)
                end = self.end_of_line(index)
            for i in range(index, end):
                all.marks[i] |= MARK_HAS_CHOSEN_KEY
            add_number(&keys.buckets, entries[at] >> INDEX_BITS << INDEX_BITS | index)

    def add_new_line_keys(self, str source not None, NumberBuckets keys not None):
        """Add the chosen keys of the games whose mainline has new games, and gained keys."""
        cdef int source_index = SOURCES.index(source)
        cdef size_t i, first
        cdef Keys work
        memset(&work, 0, sizeof(Keys))
        work.keys = &keys.buckets
        work.chosen = &self.chosen
        work.by_line = True
        try:
            with nogil:
                for i in range(self.new_lines.count):
                    first = <size_t>self.new_lines.items[i]
                    add_source_keys(
                        self.s.all, first, self.end_of_line(first), source_index, &work
                    )
        finally:
            free_keys(&work)
        for i in range(self.gained.count if source_index == BY_PLAYERS else 0):
            if not self.s.all.marks[index_of_key(self.gained.items[i])] & MARK_HAS_NEW_LINE:
                add_number(&keys.buckets, self.gained.items[i])

    def add_keys_of_new_games(self, str source not None, NumberBuckets keys not None):
        """Add all keys of new games and mainlines, and gained keys, for the next search."""
        cdef int source_index = SOURCES.index(source), bucket
        cdef const Games *all = self.s.all
        cdef Numbers *numbers
        cdef size_t i
        cdef Keys work
        memset(&work, 0, sizeof(Keys))
        work.keys = &keys.buckets
        work.by_line = True
        try:
            for i in range(all.count):
                if all.marks[i] & MARK_IS_NEW and (
                    source_index != BY_MOVES or (self.first_of_line(i) == i and self.is_new_line(i))
                ):
                    add_source_keys(all, i, i + 1, source_index, &work)
        finally:
            free_keys(&work)
        for i in range(self.gained.count if source_index == BY_PLAYERS else 0):
            add_number(&keys.buckets, self.gained.items[i])
        for bucket in range(BUCKET_COUNT):
            numbers = &keys.buckets.parts[bucket]
            for i in range(numbers.count):
                numbers.items[i] = numbers.items[i] >> INDEX_BITS << INDEX_BITS | (
                    all.rows[index_of_key(numbers.items[i])].ordinal
                )

    cdef bint is_new_line(self, size_t first) noexcept nogil:
        """Return whether all games of a mainline are new."""
        cdef size_t i
        for i in range(first, self.end_of_line(first)):
            if not self.s.all.marks[i] & MARK_IS_NEW:
                return False
        return True

    # --- edges and pairs ----------------------------------------------------------------------

    def request_edges(self):
        """Return the IDs of the games to load before settle_previous_edges()."""
        cdef size_t i
        for i in range(self.s.previous.count):
            if self.depends_on_keys(&self.s.previous.items[i]):
                self.request_line(self.s.previous.items[i].left)
                self.request_line(self.s.previous.items[i].right)
        return self.requested_ids()

    def pair_touched_lines(self, NumberBuckets pairs not None):
        """Add the pairs of games with one mainline, as far as it has touched games."""
        cdef const Games *all = self.s.all
        cdef size_t end = 0, i, first
        with nogil:
            for i in range(all.count):
                if i < end or not all.marks[i] & MARK_IS_TOUCHED:
                    continue
                first = self.first_of_line(i)
                end = self.end_of_line(first)
                pair_equal_records(self.s.all, first, end, &pairs.buckets)
                pair_equal_games(self.s.all, first, end, &pairs.buckets)

    def request_pairs(self, NumberBuckets pairs not None):
        """Return the IDs of the games to load before pairs are judged."""
        cdef const Games *all = self.s.all
        cdef const Numbers *numbers
        cdef uint32_t left, right
        cdef size_t i
        cdef int bucket, flags
        for bucket in range(BUCKET_COUNT):
            numbers = &pairs.buckets.parts[bucket]
            for i in range(numbers.count):
                left = left_of(all, numbers.items[i])
                right = right_of(all, numbers.items[i])
                flags = 1 << (numbers.items[i] & ((1 << CONDITION_BITS) - 1))
                if not is_settled(all, left, right, flags) or have_more_theory(all, left, right):
                    self.request_line(left)
                    self.request_line(right)
        return self.requested_ids()

    def rank_lines(self):
        """Find the equal records of the mainlines that were loaded."""
        cdef NumberBuckets pairs = NumberBuckets(self.pair_bits)
        cdef size_t i, first
        for i in range(self.needed_lines.count):
            first = <size_t>self.needed_lines.items[i]
            if self.s.all.marks == NULL or not self.s.all.marks[first] & MARK_HAS_NEW_LINE:
                pair_equal_records(
                    self.s.all, first, self.end_of_line(first), &pairs.buckets
                )
        self.needed_lines.count = 0

    cdef bytes stored(self, EdgeList edges, size_t first, size_t end):
        cdef bytes blob = PyBytes_FromStringAndSize(NULL, (end - first) * EDGE_BYTES)
        cdef uint8_t *out = <uint8_t *>PyBytes_AS_STRING(blob)
        cdef const OrderRow *rows = self.s.all.rows
        cdef const Edge *edge
        cdef size_t i
        for i in range(first, end):
            edge = &edges.edges.items[i]
            store_edge(edge, rows[edge.left].ordinal, rows[edge.right].ordinal, out)
            out += EDGE_BYTES
        return blob

    # --- groups -------------------------------------------------------------------------------

    def connect(self, EdgeList edges not None, decisions=()):
        """As DuplicateFinder.connect(), but only for components that may have changed."""
        cdef const Edge *edge
        cdef size_t first = 0, last, kept = 0, i
        cdef uint64_t edge_mask = (<uint64_t>1 << EDGE_BITS) - 1
        cdef bint has_changed
        self.scope_marks = self.s.all.marks
        self.s.all.marks = NULL
        DuplicateFinder.connect(self, edges, decisions)
        while first < self.order.count:
            last = first
            has_changed = False
            while last < self.order.count and (
                self.order.items[last] >> EDGE_BITS == self.order.items[first] >> EDGE_BITS
            ):
                edge = &edges.edges.items[self.order.items[last] & edge_mask]
                if (self.scope_marks[edge.left] | self.scope_marks[edge.right]) & MARKS_OF_SCOPE:
                    has_changed = True
                last += 1
            for i in range(first, last if has_changed else first):
                edge = &edges.edges.items[self.order.items[i] & edge_mask]
                self.scope_marks[edge.left] |= MARK_IS_IN_SCOPE
                self.scope_marks[edge.right] |= MARK_IS_IN_SCOPE
                self.order.items[kept] = self.order.items[i]
                kept += 1
            first = last
        self.order.count = kept
        return kept

    def add_to_scope(self, const int64_t[::1] ids not None):
        cdef Py_ssize_t i
        for i in range(ids.shape[0]):
            self.s.all.marks[self.required_index(ids[i])] |= MARK_IS_IN_SCOPE

    def request_scope(self):
        """Return the IDs of the games to load before grouping."""
        cdef size_t i
        for i in range(self.row_count):
            if self.scope_marks[i] & MARKS_OF_SCOPE:
                self.request_line(i)
        return self.requested_ids()

    def scope(self):
        """Return the IDs of the games of all components that may have changed."""
        cdef size_t i
        return [
            id_at(&self.batch.ids, self.s.all.rows[i].ordinal) for i in range(self.row_count)
            if self.scope_marks[i] & MARKS_OF_SCOPE
        ]

    # --- what the next search needs -----------------------------------------------------------

    def dropped_keys(self):
        return <bytes>(<char *>self.dropped.items)[:self.dropped.count * sizeof(uint64_t)]

    def order_rows(self, size_t first, size_t end):
        self.require_range(first, end)
        return PyMemoryView_FromMemory(
            <char *>(self.s.all.rows + first), (end - first) * sizeof(OrderRow), PyBUF_READ
        )

    def start_spans(self):
        return <bytes>(<char *>self.spans)[:self.span_count * sizeof(StartSpan)]


cdef int add_shared(
    const Numbers *left, const Numbers *right, const Numbers *known, Numbers *hashes
) except -1 nogil:
    """Add the hashes of keys that are in two lists, but not in rising `known` ones."""
    cdef uint64_t hashed
    cdef size_t i
    for i in range(left.count):
        hashed = left.items[i] >> INDEX_BITS
        if has_key(right, left.items[i]) and not has_number(known.items, known.count, hashed):
            add_number_to(hashes, hashed)


cdef void keep_distinct(Numbers *numbers) noexcept nogil:
    """Sort a list, and keep one of equal numbers."""
    cdef size_t count = 0, i
    sort_numbers(numbers, 64)
    for i in range(numbers.count):
        if i == 0 or numbers.items[i] != numbers.items[i - 1]:
            numbers.items[count] = numbers.items[i]
            count += 1
    numbers.count = count


cdef distinct_numbers(Numbers *numbers):
    """Return the distinct numbers of a list, rising, as an array."""
    cdef array.array distinct
    keep_distinct(numbers)
    distinct = array.clone(array.array("Q"), numbers.count, False)
    if numbers.count:
        memcpy(distinct.data.as_chars, numbers.items, numbers.count * sizeof(uint64_t))
    return distinct
