"""The games of an earlier search that a few new games may be compared with.

An index is that of a game in the rows of the earlier search, in move order. The chosen games and
the new ones are searched like a whole collection, and the verdicts on new games are the same: a key
that few games share has all of them; of a key that many share, the chosen ones are those that
pair_neighbours() pairs with a new game, and so many that it remains a key of many games.
"""

from move_distance cimport common_plies as plies_in_common
from thresholds cimport MOST_OF_PLAYERS

cdef enum:
    # Of a key that more games share, so many on either side of a new game are chosen.
    NEAR_GAMES = MOST_OF_PLAYERS + 1
    MOST_WHOLE = 3 * NEAR_GAMES
    SHORT_LINE = 16            # games with fewer plies are chosen if they may be continued


# Where a new game belongs: earlier games with its mainline, and those that it continues or that
# continue it.
ctypedef struct KnownPlace:
    size_t begin, end          # of the games with its start position
    size_t first, last         # the games with its mainline are those from `first` to before `last`
    size_t continued           # after the games that continue it


cdef class KnownOrder:
    """The order that an earlier search left, to choose games from it."""
    cdef const OrderRow *rows
    cdef size_t count
    cdef const StartSpan *spans
    cdef size_t span_count
    cdef const int64_t[::1] id_ranges
    cdef Numbers ids_before        # by range of IDs: number of IDs in the ranges before
    cdef object buffers            # that own rows and spans
    cdef KnownPlace *places        # by index of a new game
    cdef size_t place_count
    cdef Numbers *lineages         # by index of a new game: the games that it continues, falling
    cdef uint32_t *indexes         # by ordinal; only of those asked for
    cdef uint64_t *asked           # bits by ordinal
    cdef Numbers chosen
    cdef Numbers revised           # games whose theory new games may change

    def __cinit__(
        self, const uint8_t[::1] rows not None, const uint8_t[::1] spans not None,
        const int64_t[::1] id_ranges not None,
    ):
        cdef size_t i, ids = 0
        self.count = rows.shape[0] // sizeof(OrderRow)
        if rows.shape[0] % sizeof(OrderRow) or spans.shape[0] % sizeof(StartSpan) or (
            not self.count or not spans.shape[0]
        ):
            raise ValueError("rows of the order of games have another size")
        self.buffers = rows, spans
        self.rows = <const OrderRow *>&rows[0]
        self.spans = <const StartSpan *>&spans[0]
        self.span_count = spans.shape[0] // sizeof(StartSpan)
        for i in range(self.span_count):
            if self.spans[i].first >= self.count or (
                self.spans[i].first <= self.spans[i - 1].first if i else self.spans[i].first
            ):
                raise ValueError("starts of the order of games are damaged")
        self.id_ranges = id_ranges
        for i in range(<size_t>id_ranges.shape[0] // 2):
            add_number_to(&self.ids_before, ids)
            ids += <size_t>(id_ranges[2 * i + 1] - id_ranges[2 * i])
        if ids != self.count:
            raise ValueError(f"{ids} IDs for {self.count} games")

    def __dealloc__(self):
        cdef size_t i
        free_numbers(&self.ids_before)
        free_numbers(&self.chosen)
        free_numbers(&self.revised)
        if self.lineages != NULL:
            for i in range(self.place_count):
                free_numbers(&self.lineages[i])
        free(self.lineages)
        free(self.places)
        free(self.indexes)
        free(self.asked)

    @property
    def games(self):
        return self.count

    cdef int64_t id_of(self, uint32_t ordinal) noexcept nogil:
        cdef size_t at = count_below(
            self.ids_before.items, self.ids_before.count, <uint64_t>ordinal + 1
        ) - 1
        return self.id_ranges[2 * at] + <int64_t>(ordinal - self.ids_before.items[at])

    # --- places -------------------------------------------------------------------------------

    def place(self, SortedGames finder not None, connection not None, str sql not None):
        cdef const Games *fresh = finder.s.all
        cdef const ocg_sqlite_api *api
        cdef sqlite3 *db = <sqlite3 *><uintptr_t>connection.sqlite3_pointer()
        cdef sqlite3_stmt *statement
        cdef size_t i
        if self.places != NULL:
            raise ValueError("new games have already been placed")
        self.places = <KnownPlace *>allocate_zeros(fresh.count, sizeof(KnownPlace))
        self.lineages = <Numbers *>allocate_zeros(fresh.count, sizeof(Numbers))
        self.place_count = fresh.count
        api = open_sqlite(db)
        statement = prepared(api, db, sql)
        try:
            for i in range(fresh.count):
                self.place_game(fresh, i, api, statement)
        finally:
            api.finalize(statement)
        for i in range(fresh.count):
            self.choose_around(&self.places[i])

    cdef int place_game(
        self, const Games *fresh, size_t number, const ocg_sqlite_api *api, sqlite3_stmt *statement
    ) except -1:
        cdef const Game *game = &fresh.games[number]
        cdef KnownPlace *place = &self.places[number]
        cdef size_t low, high, middle
        cdef int shared, before = 0, after = 0, order
        self.find_span(game.start, place)
        low, high = place.begin, place.end
        while low < high:
            middle = (low + high) >> 1
            order = self.compare(fresh, game, middle, api, statement, &shared)
            if order > 0:                      # the new game comes after it
                low = middle + 1
            else:
                high = middle
        place.first = place.last = low
        if low > place.begin:
            self.compare(fresh, game, low - 1, api, statement, &before)
        if low < place.end:
            order = self.compare(fresh, game, low, api, statement, &after)
            if order == 0:
                place.last = self.end_of_line(low)
                after = self.rows[place.last].shared if place.last < place.end else 0
        place.continued = place.last
        while place.continued < place.end and game.plies and after >= <int>game.plies:
            place.continued += 1
            if place.continued < place.end:
                after = min(after, <int>self.rows[place.continued].shared)
        while low > place.begin and before >= SHORT_LINE:
            low -= 1
            if self.rows[low].plies <= before:
                add_number_to(&self.lineages[number], low)
            before = min(before, <int>self.rows[low].shared)

    cdef void find_span(self, uint64_t start, KnownPlace *place) noexcept nogil:
        cdef size_t low = 0, high = self.span_count, middle
        while low < high:
            middle = (low + high) >> 1
            if self.spans[middle].start < start:
                low = middle + 1
            else:
                high = middle
        place.begin = self.spans[low].first if low < self.span_count else self.count
        place.end = place.begin
        if low < self.span_count and self.spans[low].start == start:
            place.end = self.spans[low + 1].first if low + 1 < self.span_count else self.count

    cdef int compare(
        self, const Games *fresh, const Game *game, size_t index, const ocg_sqlite_api *api,
        sqlite3_stmt *statement, int *shared,
    ) except -2:
        """Return -1, 0 or 1 if a new game comes before an earlier one, equals it or comes after."""
        cdef const uint16_t *moves
        cdef uint32_t plies, own, other
        api.reset(statement)
        if (
            api.bind_int64(statement, 1, self.id_of(self.rows[index].ordinal)) != OCG_SQLITE_OK
            or api.step(statement) != OCG_SQLITE_ROW
        ):
            raise ValueError("a game of the earlier search cannot be read")
        moves = <const uint16_t *>api.column_blob(statement, 0)
        plies = <uint32_t>api.column_bytes(statement, 0) // 2
        if plies != self.rows[index].plies:
            raise ValueError("the moves of a game differ from those of the earlier search")
        shared[0] = plies_in_common(moves_of(fresh, game), game.plies, moves, plies)
        own = order_of_ply(moves_of(fresh, game), game.plies, shared[0])
        other = order_of_ply(moves, plies, shared[0])
        return (own > other) - (own < other)

    # --- choice -------------------------------------------------------------------------------

    cdef bint continues_line(self, size_t index) noexcept nogil:
        """Return whether a game has the mainline of the game before it."""
        return continues_line(self.rows, self.spans, self.span_count, index)

    cdef size_t first_of_line(self, size_t index) noexcept nogil:
        while self.continues_line(index):
            index -= 1
        return index

    cdef size_t end_of_line(self, size_t index) noexcept nogil:
        index += 1
        while index < self.count and self.continues_line(index):
            index += 1
        return index

    cdef int choose(self, size_t first, size_t end) except -1 nogil:
        cdef size_t i
        for i in range(first, end):
            add_number_to(&self.chosen, i)

    cdef int choose_around(self, const KnownPlace *place) except -1:
        """Choose the games that the theory of a new game depends on, or the other way round."""
        cdef size_t first = place.first, last = place.last, i, away
        cdef const OrderRow *row
        first = first - min(first - place.begin, <size_t>MOST_REACH + 1)
        last = last + min(place.end - last, <size_t>MOST_REACH + 1)
        self.choose(first, last)
        for i in range(first, last):
            row = self.rows + i
            away = 0
            if i < place.first:
                away = place.first - 1 - i
            elif i > place.last:
                away = i - place.last
            if max(row.reach[0], row.reach[1]) >= away:
                add_number_to(&self.revised, i)
                self.choose(
                    i - min(i - place.begin, <size_t>row.reach[0] + 1),
                    i + 1 + min(place.end - i - 1, <size_t>row.reach[1] + 1),
                )

    def ask(self, const uint64_t[::1] entries not None):
        cdef size_t i, ordinal
        if self.asked == NULL:
            self.asked = <uint64_t *>allocate_zeros(self.count // 64 + 1, sizeof(uint64_t))
        for i in range(<size_t>entries.shape[0]):
            ordinal = index_of_key(entries[i])
            if ordinal >= self.count:
                raise ValueError("a stored key belongs to an unknown game")
            self.asked[ordinal >> 6] |= <uint64_t>1 << (ordinal & 63)

    def find_asked(self):
        cdef size_t i
        cdef uint32_t ordinal
        if self.asked == NULL:
            return
        self.indexes = <uint32_t *>allocate_zeros(self.count, sizeof(uint32_t))
        with nogil:
            for i in range(self.count):
                ordinal = self.rows[i].ordinal
                if ordinal < self.count and self.asked[ordinal >> 6] >> (ordinal & 63) & 1:
                    self.indexes[ordinal] = <uint32_t>i

    def choose_by_keys(
        self, str source not None, const uint64_t[::1] keys not None,
        const uint64_t[::1] entries not None,
    ):
        cdef bint are_of_lines = SOURCES.index(source) == BY_MOVES
        cdef Numbers members
        cdef size_t first = 0, at = 0, i, number
        if self.indexes == NULL and entries.shape[0]:
            raise ValueError("find_asked() has not been called")
        memset(&members, 0, sizeof(Numbers))
        try:
            for i in range(1, <size_t>entries.shape[0] + 1):
                if i < <size_t>entries.shape[0] and (
                    entries[i] >> INDEX_BITS == entries[first] >> INDEX_BITS
                ):
                    continue
                self.list_members(entries[first:i], are_of_lines, &members)
                while at < <size_t>keys.shape[0] and (
                    keys[at] >> INDEX_BITS < entries[first] >> INDEX_BITS
                ):
                    at += 1
                while at < <size_t>keys.shape[0] and (
                    keys[at] >> INDEX_BITS == entries[first] >> INDEX_BITS
                ):
                    number = index_of_key(keys[at])
                    if number >= self.place_count:
                        raise ValueError(f"new game {number} is out of range")
                    self.choose_members(&members, number)
                    at += 1
                first = i
        finally:
            free_numbers(&members)

    cdef int list_members(
        self, const uint64_t[::1] entries, bint are_of_lines, Numbers *members
    ) except -1:
        """List the games that share one key, rising."""
        cdef size_t i, index, first, end
        members.count = 0
        for i in range(<size_t>entries.shape[0]):
            if index_of_key(entries[i]) >= self.count:
                raise ValueError("a stored key belongs to an unknown game")
            index = self.indexes[index_of_key(entries[i])]
            if self.rows[index].ordinal != index_of_key(entries[i]):
                raise ValueError("ordinals of the order of games are damaged")
            if are_of_lines and not self.rows[index].has_own_end:
                first = self.first_of_line(index)
                end = self.end_of_line(index)
                for index in range(first, end):
                    add_number_to(members, index)
            else:
                add_number_to(members, index)
        keep_distinct(members)

    cdef int choose_members(self, const Numbers *members, size_t number) except -1:
        """Choose the games of a key that a new game is paired with, and their mainlines."""
        cdef const KnownPlace *place = &self.places[number]
        cdef const Numbers *lineage = &self.lineages[number]
        cdef size_t below = count_below(members.items, members.count, <uint64_t>place.first)
        cdef size_t above = count_below(members.items, members.count, <uint64_t>place.last)
        cdef size_t i
        cdef uint64_t index
        cdef bint is_chosen
        for i in range(members.count):
            index = members.items[i]
            is_chosen = members.count <= MOST_WHOLE or (
                i + NEAR_GAMES >= below and i < above + NEAR_GAMES
            ) or (place.first <= index < place.continued)
            if not is_chosen and index < place.first:
                is_chosen = self.rows[index].plies < SHORT_LINE or holds(lineage, index)
            if is_chosen:
                self.choose(self.first_of_line(index), self.end_of_line(index))

    def chosen_games(self):
        """Return IDs, rising in move order, and the theory of each game; -1: find it again."""
        cdef array.array ids, theory
        cdef Numbers whole
        cdef size_t i, k = 0, count
        cdef uint64_t index
        memset(&whole, 0, sizeof(Numbers))
        keep_distinct(&self.chosen)
        sort_numbers(&self.revised, 64)
        try:
            for i in range(self.chosen.count):
                index = self.chosen.items[i]
                # The first game of a mainline has blocking keys on behalf of all.
                if not (i and index == self.chosen.items[i - 1] + 1) and self.continues_line(index):
                    add_number_to(&whole, self.first_of_line(index))
                add_number_to(&whole, index)
            count = whole.count
            ids = array.clone(array.array("q"), count, False)
            theory = array.clone(array.array("i"), count, False)
            for i in range(count):
                index = whole.items[i]
                ids.data.as_longlongs[i] = self.id_of(self.rows[index].ordinal)
                while k < self.revised.count and self.revised.items[k] < index:
                    k += 1
                theory.data.as_ints[i] = self.rows[index].theory
                if k < self.revised.count and self.revised.items[k] == index:
                    theory.data.as_ints[i] = -1
            return ids, theory
        finally:
            free_numbers(&whole)


cdef bint holds(const Numbers *falling, uint64_t number) noexcept nogil:
    cdef size_t low = 0, high = falling.count, middle
    while low < high:
        middle = (low + high) >> 1
        if falling.items[middle] > number:
            low = middle + 1
        else:
            high = middle
    return low < falling.count and falling.items[low] == number
