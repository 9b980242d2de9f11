"""What the games of each name say about its player, from one pass over the games.

Kept for each name: counts, extremes, FIDE IDs and federations; beside them events and opponents.
"""

from cpython cimport array
import array

from careers cimport CareerRecords, NumberSet, add_to_career, add_to_set, sort_career, sort_set
from game_record cimport hash_bytes, index_of_id
from pair_table cimport PairTable, pair_slot

cdef enum:
    NO_TALLY = 0xFFFFFFFF      # NO_NAME of index_of_id()
    MOST_KNOWN_TITLES = 16
    NO_ELO = 0x7FFFFFFF

# Sums and extremes of the games of a name; 0 if there are none. `claims`: games with claims;
# `country`: of the last game that has one.
ctypedef struct NameTally:
    uint32_t games
    uint32_t claims
    uint32_t on_web
    uint16_t first_year
    uint16_t last_year
    uint8_t title              # number of the highest one
    uint8_t claimed_title
    bint is_youth
    bint is_new
    int64_t lowest_elo
    int64_t highest_elo
    int64_t claimed_elo
    uint64_t country           # hash
    int64_t event
    int32_t[MOST_KNOWN_TITLES] least_elos    # of claims, by title

ctypedef struct EventPlayer:
    int64_t event
    uint32_t name


cdef int by_event_and_name(const void *a, const void *b) noexcept nogil:
    cdef const EventPlayer *left = <const EventPlayer *>a
    cdef const EventPlayer *right = <const EventPlayer *>b
    if left.event != right.event:
        return order_of(left.event, right.event)
    return order_of(left.name, right.name)


cdef void join_players(void *joined, const void *other) noexcept nogil:
    """Equal players of an event are one."""


cdef class NameGames:
    """Facts about names from games; see the stub."""
    cdef int64_t *ids          # of names, rising
    cdef NameTally *tallies
    cdef size_t count
    cdef TextTable title_texts
    cdef list titles
    cdef ClaimRules claims
    cdef int64_t newest        # games with a higher ID are new
    cdef NumberSet pairs       # lower number of a name << 32 | higher number
    cdef CareerRecords players     # of EventPlayer
    cdef PairTable fide_id_games       # by number of a name and FIDE ID
    cdef dict fide_ids, countries, texts
    cdef size_t largest        # players of an event that may all have met
    cdef int64_t *events       # of each name
    cdef size_t *event_ends

    def __cinit__(
        self, const int64_t[::1] names not None, list titles not None, ClaimRules claims not None,
        *, int64_t newest, size_t largest_event,
    ):
        cdef size_t i
        cdef int k
        self.claims, self.newest, self.largest = claims, newest, largest_event
        self.fide_ids, self.countries, self.texts = {}, {}, {}
        self.titles = [text for text, _ in titles]
        if len(titles) > MOST_KNOWN_TITLES:
            raise ValueError(f"{len(titles)} titles, at most {MOST_KNOWN_TITLES}")
        open_texts(&self.title_texts, [(text, 0, required) for text, required in titles])
        self.count = names.shape[0]
        self.ids = <int64_t *>allocate(self.count, sizeof(int64_t))
        self.tallies = <NameTally *>allocate_zeros(self.count, sizeof(NameTally))
        for i in range(self.count):
            if i and names[i - 1] >= names[i]:
                raise ValueError(f"names {names[i - 1]} and {names[i]} are not in rising order")
            self.ids[i] = names[i]
            for k in range(MOST_KNOWN_TITLES):
                self.tallies[i].least_elos[k] = NO_ELO

    def __dealloc__(self):
        free(self.ids)
        free(self.tallies)
        free(self.title_texts.texts)
        free_numbers(&self.pairs.numbers)
        free(self.players.items)
        free(self.events)
        free(self.event_ends)
        free(self.fide_id_games.slots)

    def read(self, GameRows rows not None):
        cdef PlayedGame game
        rows.require_columns(GAME_COLUMNS)
        if self.event_ends != NULL:
            raise ValueError("the games were read before")
        with nogil:
            while rows.step():
                rows.read_game(&game, &self.title_texts, NULL)
                self.add_game(rows, &game)
            sort_set(&self.pairs)
            sort_career(&self.players, sizeof(EventPlayer), by_event_and_name, join_players)
            self.list_events()
        for number, fide_id, count in rows_of_counts(&self.fide_id_games):
            self.fide_ids.setdefault(number, {})[fide_id] = count

    cdef int list_events(self) except -1 nogil:
        """Set the events of each name, without those that are too large."""
        cdef const EventPlayer *players = <const EventPlayer *>self.players.items
        cdef size_t *ends
        cdef size_t i, k, end
        cdef int step
        self.events = <int64_t *>allocate(self.players.count, sizeof(int64_t))
        self.event_ends = <size_t *>allocate_zeros(self.count + 1, sizeof(size_t))
        ends = self.event_ends + 1
        for step in range(2):                  # the numbers of events, then the events
            i = 0
            while i < self.players.count:
                end = i
                while end < self.players.count and players[end].event == players[i].event:
                    end += 1
                for k in range(i, end if end - i <= self.largest else i):
                    if step:
                        self.events[ends[players[k].name]] = players[k].event
                    ends[players[k].name] += 1
                i = end
            if not step:
                shift_counts(ends, self.count)

    cdef int add_game(self, GameRows rows, PlayedGame *game) except -1 nogil:
        cdef uint32_t[2] names
        cdef bint has_claims = self.claims.has_claims(rows, game)
        cdef bint is_youth = self.claims.is_youth(game)
        cdef NameTally *tally
        cdef int side
        for side in range(2):
            names[side] = index_of_id(self.ids, self.count, game.sides[side].player)
            if names[side] == NO_TALLY:
                continue
            tally = &self.tallies[names[side]]
            tally.games += 1
            tally.is_youth |= is_youth
            tally.is_new |= game.game_id > self.newest
            self.add_side(rows, tally, &game.sides[side], names[side], side)
            if game.year:
                self.add_year(tally, names[side], game)
            if has_claims:
                tally.on_web += self.claims.is_on_web(rows, game)
                add_claim(tally, &game.sides[side])
        if names[0] != NO_TALLY and names[1] != NO_TALLY:
            add_to_set(
                &self.pairs, <uint64_t>min(names[0], names[1]) << 32 | max(names[0], names[1])
            )

    cdef int add_side(
        self, GameRows rows, NameTally *tally, const PlayedSide *side, uint32_t name, int number
    ) except -1 nogil:
        cdef Span country = rows.tags[COUNTRY_TAG + number]
        cdef uint64_t hashed
        if side.elo:
            if not tally.lowest_elo or side.elo < tally.lowest_elo:
                tally.lowest_elo = side.elo
            tally.highest_elo = max(tally.highest_elo, side.elo)
        if side.claimed.required:
            tally.title = max(tally.title, <uint8_t>side.claimed.number)
        if side.fide_id:
            pair_slot(&self.fide_id_games, name, side.fide_id).value += 1
        if country.length:
            hashed = hash_bytes(country.at, country.length)
            if hashed != tally.country:
                tally.country = hashed
                with gil:
                    self.keep_country(name, hashed, rows.tag(COUNTRY_TAG + number))

    cdef int keep_country(self, uint32_t name, uint64_t hashed, str text) except -1:
        text = self.texts.setdefault(hashed, text)     # one object for equal texts
        self.countries.setdefault(name, set()).add(text)

    cdef int add_year(
        self, NameTally *tally, uint32_t name, const PlayedGame *game
    ) except -1 nogil:
        cdef EventPlayer player = EventPlayer(event_key(game.event, game.year), name)
        if not tally.first_year or game.year < tally.first_year:
            tally.first_year = game.year
        tally.last_year = max(tally.last_year, <uint16_t>game.year)
        if player.event and player.event != tally.event:
            tally.event = player.event
            add_to_career(
                &self.players, &player, sizeof(EventPlayer), by_event_and_name, join_players
            )

    def facts(self, int64_t player):
        cdef uint32_t number = index_of_id(self.ids, self.count, player)
        cdef const NameTally *tally
        cdef int i
        if number == NO_TALLY or not self.tallies[number].games:
            return None
        tally = &self.tallies[number]
        least = None
        if tally.claims == tally.games:
            least = {
                self.titles[i]: tally.least_elos[i]
                for i in range(len(self.titles)) if tally.least_elos[i] != NO_ELO
            }
        return (
            tally.games, self.fide_ids.get(number), tally.first_year, tally.last_year,
            (
                self.titles[tally.title], tally.lowest_elo, tally.highest_elo,
                frozenset(self.countries.get(number, ())), bool(tally.is_youth),
            ),
            least, (self.titles[tally.claimed_title], tally.claimed_elo),
            tally.on_web < tally.games,
        )

    def events_of(self, int64_t player):
        cdef uint32_t number = index_of_id(self.ids, self.count, player)
        cdef size_t i, first, count
        if number == NO_TALLY or self.event_ends == NULL:
            return ()
        first = self.event_ends[number]
        count = self.event_ends[number + 1] - first
        if not count:
            return ()
        cdef array.array events = new_numbers(count)
        memcpy(events.data.as_longlongs, self.events + first, count * sizeof(int64_t))
        return events

    def names(self, *, bint is_new=False):
        return [
            self.ids[i] for i in range(self.count)
            if self.tallies[i].games and (self.tallies[i].is_new or not is_new)
        ]

    def met(self):
        cdef size_t i
        cdef array.array lower = new_numbers(self.pairs.numbers.count)
        cdef array.array higher = new_numbers(self.pairs.numbers.count)
        for i in range(self.pairs.numbers.count):
            lower.data.as_longlongs[i] = self.ids[self.pairs.numbers.items[i] >> 32]
            higher.data.as_longlongs[i] = self.ids[self.pairs.numbers.items[i] & 0xFFFFFFFF]
        return lower, higher

    def players_of_events(self):
        cdef const EventPlayer *players = <const EventPlayer *>self.players.items
        cdef array.array events = new_numbers(self.players.count)
        cdef array.array names = new_numbers(self.players.count)
        cdef size_t i
        for i in range(self.players.count):
            events.data.as_longlongs[i] = players[i].event
            names.data.as_longlongs[i] = self.ids[players[i].name]
        return events, names


cdef void shift_counts(size_t *ends, size_t count) noexcept nogil:
    """Turn the sizes of rows into the begins of the rows."""
    cdef size_t i, size, total = 0
    for i in range(count):
        size = ends[i]
        ends[i] = total
        total += size


cdef array.array new_numbers(size_t count):
    return array.clone(array.array("q"), count, False)


cdef void add_claim(NameTally *tally, const PlayedSide *side) noexcept nogil:
    """Add title and Elo of a game that can contradict the rating list."""
    cdef int32_t elo = <int32_t>min(max(side.elo, 0), NO_ELO - 1)
    cdef int title = side.claimed.number if side.claimed.required else 0
    tally.claims += 1
    tally.least_elos[title] = min(tally.least_elos[title], elo)
    tally.claimed_title = max(tally.claimed_title, <uint8_t>title)
    tally.claimed_elo = max(tally.claimed_elo, side.elo)
