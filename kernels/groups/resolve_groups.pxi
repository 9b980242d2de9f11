"""Choose the kept game of groups with equal mainlines, and find groups that need no merge.

Headers come straight from SQLite, which loads this module as an extension (see sqlite_api.h). A
group with values of odd types is left open.
"""

from field_rules cimport RIGHT, plain_given, usable_sides
from game_columns cimport header_columns
from header_rows cimport (
    HAS_COLOURS, HAS_HEADERS, IS_OPEN, POINTS_LEAST_ELO, POINTS_MOST_ELO, TEXT_EXTRA_TAGS,
    best_of_equal, have_other_players, header_text, needs,
)
from names_by_id cimport EVENTS, IS_GENERIC, SITES
from merge_store cimport PairMerges, add_merge, are_of_one, field_of_name, tags_stay
from parsed_name cimport ParsedName, parse_name
from player_name cimport NAME_COMPATIBLE, NAME_EQUAL, NAME_SIMILAR, name_relation
from thresholds cimport ABOVE_RARE, FEW_GAMES

from ocgdedup.model import KeptGames, KernelMerges


HEADER_COLUMNS = header_columns()      # arguments of TAKE_HEADER in statements for headers
TAKE_HEADER = OCG_TAKE_HEADER.decode()
# Needs of a group, as bits: Python chooses its kept game; headers are merged; annotations of
# duplicates are merged; swapped players are checked.
OPEN, HEADERS, NOTES, COLOURS = 1, 2, 4, 8


cdef enum:
    MOST_RANKED_VALUES = 64       # of a field, whose frequency ranks are looked up

ctypedef struct RecordRank:
    size_t index               # of the header
    int score
    int64_t game_id


cdef int compare_ranks(const void *left, const void *right) noexcept nogil:
    cdef const RecordRank *a = <const RecordRank *>left
    cdef const RecordRank *b = <const RecordRank *>right
    return order_of(<int64_t>b.score, <int64_t>a.score) or order_of(a.game_id, b.game_id)


cdef inline str decoded(Text text):
    return text.text[:text.length].decode() if text.length else ""


cdef inline str shown(Text text):
    return text.text[:text.length].decode("utf-8", "replace")


cdef class GroupResolver(HeaderReader):
    """Reads headers of one database in batches; see the stub."""
    cdef object has_swapped            # whether two games have swapped players
    cdef bint asks_swapped, is_merging, merges_again
    cdef HeaderCounts counts           # over all records; None: no value outweighs another
    cdef bint has_counts
    cdef PairMerges merges
    cdef HeaderChooser chooser
    cdef RecordRank *ranks             # records of a group, the kept game first
    cdef size_t rank_capacity

    def __cinit__(
        self, connection not None, points not None, tags not None, names not None,
        HeaderCounts counts=None,
    ):
        self.counts = counts
        self.has_counts = counts is not None
        self.chooser = HeaderChooser(
            names.letters, names.event_rank, self.rules.points[POINTS_LEAST_ELO],
            self.rules.points[POINTS_MOST_ELO],
        )
        self.chooser.eco_of = names.eco_of

    def __dealloc__(self):
        free(self.merges.rows)
        free(self.merges.texts.arena)
        free(self.ranks)

    def resolve(
        self, ids not None, lines not None, ends not None, closed not None, sources not None,
        lookups not None, has_swapped=None, bint is_merging=False, bint merges_again=False,
    ):
        cdef int i
        self.has_swapped = has_swapped
        self.asks_swapped = has_swapped is not None
        self.is_merging = is_merging
        self.merges_again = merges_again
        self.merges.count = self.merges.texts.arena_bytes = 0
        try:
            for i in range(<int>len(sources)):
                self.sources[i] = prepared(self.api, self.db, sources[i])
                self.source_count = i + 1
            for i in range(TABLES):
                self.name_cache.lookups[i] = prepared(self.api, self.db, lookups[i])
            return self.resolve_all(ids, lines, ends, closed)
        finally:
            self.finalize()

    cdef int needs_of_group(self, size_t kept) except -1 nogil:
        """Return the bits of needs(), without those that are settled here."""
        cdef int tasks = needs(&self.headers, kept)
        cdef size_t i
        cdef const Header *kept_header = &self.headers.rows[kept]
        if tasks & HAS_COLOURS and self.asks_swapped:
            for i in range(self.headers.count):
                if have_other_players(&self.headers.rows[i], kept_header) and self.are_swapped(
                    kept_header.game_id, self.headers.rows[i].game_id
                ):
                    return tasks
            tasks ^= HAS_COLOURS
        if self.is_merging and tasks & (HAS_HEADERS | HAS_COLOURS) == HAS_HEADERS and (
            self.merge_group(kept)
        ):
            tasks ^= HAS_HEADERS
        return tasks

    cdef bint are_swapped(self, int64_t first, int64_t second) except -1 with gil:
        return self.has_swapped(first, second)

    cdef resolve_all(self, const int64_t[:] ids, const uint32_t[:] lines, ends, closed):
        cdef size_t count = len(ends)
        cdef const uint64_t[:] group_ends = ends
        cdef const uint8_t[:] is_closed = closed
        needed = bytearray(count)
        notes = bytearray(len(ids))
        kept_ids = array.clone(array.array("q"), count, True)
        scores = array.clone(array.array("h"), len(ids), True)
        plies = array.clone(array.array("q"), count, True)
        cdef uint8_t[:] needs_of = needed
        cdef uint8_t[:] notes_of = notes
        cdef int64_t[:] kept_id_of = kept_ids
        cdef short[:] score_of = scores
        cdef int64_t[:] plies_of = plies
        cdef size_t group = 0, start = 0, base, last, i
        cdef Py_ssize_t kept
        with nogil:
            while group < count:
                base = start
                last = self.read_groups(ids, lines, group_ends, is_closed, group)
                while group < last:
                    needs_of[group] = IS_OPEN
                    kept = -1
                    if (
                        not is_closed[group] and self.can_read(lines, start, group_ends[group])
                        and self.choose_group(start - base, group_ends[group] - base)
                    ):
                        kept = <Py_ssize_t>best_of_equal(&self.headers)
                    if kept >= 0:
                        needs_of[group] = <uint8_t>self.needs_of_group(kept)
                        kept_id_of[group] = self.headers.rows[kept].game_id
                        plies_of[group] = self.headers.rows[kept].plies
                        for i in range(self.headers.count):
                            score_of[start + i] = self.headers.rows[i].score
                            notes_of[start + i] = self.headers.rows[i].notes
                    start = group_ends[group]
                    group += 1
        merges = (<const char *>self.merges.rows)[:self.merges.count * sizeof(PairMerge)]
        texts = (<const char *>self.merges.texts.arena)[:self.merges.texts.arena_bytes]
        return KeptGames(needed, kept_ids, scores, notes, plies, KernelMerges(merges, texts))

    # --- merges ---

    cdef bint merge_group(self, size_t kept) except -1 nogil:
        """Store the values that the kept game gets; return False if Python must decide."""
        cdef const Header *kept_header = &self.headers.rows[kept]
        cdef int field
        if kept_header.is_merged and not self.merges_again:
            return False
        self.rank_records(kept)
        self.fill_records()
        for field in range(FIELDS):
            self.chooser.find_values(field)
        if not self.are_alike() or not self.settle_dates() or not self.find_best_names():
            return False
        for field in range(FIELDS):
            if self.chooser.fields[field].count > 1 and field not in (FIELD_WHITE, FIELD_BLACK):
                self.chooser.find_best(field)
        self.chooser.kept_is_named = [
            self.is_named_player(kept_header.content.names[2]),
            self.is_named_player(kept_header.content.names[3]),
        ]
        self.chooser.choose()
        if (
            not self.are_tags_unchanged() or not self.is_quality_unchanged()
            or self.may_be_one(
                kept_header, self.record(self.chooser.givers[FIELD_WHITE]).content.names[2],
                self.record(self.chooser.givers[FIELD_BLACK]).content.names[3],
            )
        ):
            return False
        self.add_merges()
        return True

    cdef const Header *record(self, size_t record) noexcept nogil:
        return &self.headers.rows[self.ranks[record].index]

    cdef int rank_records(self, size_t kept) except -1 nogil:
        """Order the records: the kept game, then by header score and ID."""
        cdef const Header *header
        cdef size_t i, count = 1
        reserve(
            <void **>&self.ranks, &self.rank_capacity, self.headers.count + 1, sizeof(RecordRank)
        )
        self.ranks[0].index = kept
        for i in range(self.headers.count):
            if i != kept:
                header = &self.headers.rows[i]
                self.ranks[count] = RecordRank(i, header.score, header.game_id)
                count += 1
        if count > 2:
            qsort(self.ranks + 1, count - 1, sizeof(RecordRank), compare_ranks)

    cdef int fill_records(self) except -1 nogil:
        """Fill in the records of the chooser."""
        cdef size_t i
        cdef int name, field
        cdef const Header *header
        cdef Record *record
        self.chooser.begin(self.headers.count)
        self.chooser.kept_id = self.record(0).game_id
        for i in range(self.headers.count):
            header = self.record(i)
            record = &self.chooser.records[i]
            for name in range(NAME_COUNT):
                record.texts[field_of_name(name)] = text_of_name(
                    &self.name_cache, min(name, <int>PLAYERS), header.content.names[name]
                )
            for field in range(FIELDS):
                if TEXT_OF_FIELD[field] >= 0:
                    record.texts[field] = header_text(&self.headers, header, TEXT_OF_FIELD[field])
            record.tags = header_text(&self.headers, header, TEXT_EXTRA_TAGS)
            for name in range(2):
                record.elos[name] = header.content.numbers[NUMBER_WHITE_ELO + name]
                if header.content.nulls >> (NUMBER_WHITE_ELO + name) & 1:
                    record.elos[name] = INT64_MIN
            record.quality = header.content.numbers[NUMBER_DATE_QUALITY]
            record.plies = header.plies

    cdef bint are_alike(self) except -1 nogil:
        """Return whether the merge needs no Python rules: persons, marks."""
        cdef size_t i
        cdef int field
        cdef Text text
        for i in range(1, self.chooser.count):
            if not are_of_one(self.record(0), self.record(i)):
                return False
            for field in range(FIELD_EVENT, FIELD_SITE + 1):
                text = self.chooser.records[i].texts[field]
                if text.length and text.text[0] == c"[":
                    return False       # perhaps the mark of a duplicate
        return True

    # --- values that all records outweigh: see matching/consensus.py ---

    cdef bint settle_dates(self) except -1 nogil:
        """Leave out dates that other games of the event contradict; False: Python must decide."""
        cdef const FieldValues *dates = &self.chooser.fields[FIELD_DATE]
        cdef uint8_t[MOST_RANKED_VALUES] loses
        cdef size_t i, whole = 0
        cdef Text date
        if not self.has_counts:
            return True
        for i in range(dates.count):
            date = self.chooser.records[dates.first[i]].texts[FIELD_DATE]
            whole += date.length > 0 and count_char(date, c"?") == 0
        if whole < 2:
            return True
        if dates.count > MOST_RANKED_VALUES or not self.ask_days(loses):
            return False
        self.leave_out(FIELD_DATE, loses)
        return True

    cdef bint ask_days(self, uint8_t *loses) except -1 with gil:
        """Ask which dates lose; return False if a text is not valid."""
        cdef const FieldValues *dates = &self.chooser.fields[FIELD_DATE]
        cdef const Record *record
        cdef size_t i
        cdef list records = []
        if self.names.outweighed_days is None:
            return False
        try:
            for i in range(self.chooser.count):
                record = &self.chooser.records[i]
                records.append((
                    self.record(i).game_id, decoded(record.texts[FIELD_DATE]),
                    decoded(record.texts[FIELD_EVENT]),
                ))
        except UnicodeDecodeError:
            return False
        losing = self.names.outweighed_days(records)
        for i in range(dates.count):
            loses[i] = records[dates.first[i]][1] in losing
        return True

    cdef void leave_out(self, int field, const uint8_t *loses) noexcept nogil:
        """Leave out the records with a value that loses, unless all that count have one."""
        cdef FieldValues *values = &self.chooser.fields[field]
        cdef size_t i, left = 0, losers = 0
        for i in range(self.chooser.count):
            if self.chooser.is_considered(field, i):
                left += 1
                losers += loses[values.value_of[i]]
        if losers < left:
            for i in range(self.chooser.count):
                if loses[values.value_of[i]]:
                    self.chooser.mask(field, i)
        values.is_outweighed = loses[values.value_of[0]]

    cdef int find_losers(self, int field, uint8_t *loses) except -1 nogil:
        """Set for each of the names in a field, at most MOST_RANKED_VALUES, whether it loses."""
        cdef const FieldValues *values = &self.chooser.fields[field]
        cdef size_t i, j
        memset(loses, 0, values.count)
        if self.has_counts:
            for i in range(values.count):
                for j in range(i):
                    self.compare_frequencies(field, j, i, loses)

    cdef int compare_frequencies(
        self, int field, size_t value, size_t rare, uint8_t *loses
    ) except -1 nogil:
        """Note that one of two names loses, if it is much rarer and the other replaces it."""
        cdef const FieldValues *values = &self.chooser.fields[field]
        cdef int name = name_of_field(field)
        cdef int table = min(name, <int>PLAYERS)
        cdef int64_t name_id = self.record(values.first[value]).content.names[name]
        cdef int64_t rare_id = self.record(values.first[rare]).content.names[name]
        cdef int ahead
        if name_id == INT64_MIN or rare_id == INT64_MIN:
            return 0
        ahead = self.counts.frequency_rank_of_names(table, name_id, rare_id)
        if ahead < 0:
            value, rare, name_id, rare_id, ahead = rare, value, rare_id, name_id, -ahead
        if ahead:
            if table == SITES and ahead == 1 and self.is_site_of_event(name_id, rare_id):
                ahead = ABOVE_RARE
            loses[rare] |= self.ask_if_outweighed(
                table, self.chooser.records[values.first[value]].texts[field],
                self.chooser.records[values.first[rare]].texts[field], ahead,
            )

    cdef bint is_site_of_event(self, int64_t site, int64_t rare) except -1 with gil:
        """Return whether other games of the events have a site, and none has the rare one."""
        return self.other_games_at(site) >= FEW_GAMES and self.other_games_at(rare) == 0

    cdef int64_t other_games_at(self, int64_t site) except? -1:
        """Return how many other games of the events of a group have a site."""
        cdef uint32_t index = self.counts.index_of(SITES, site)
        cdef int64_t games = 0, at_event
        cdef uint32_t event
        cdef size_t i
        cdef set events = set()
        for i in range(self.chooser.count if index != NO_NAME else 0):
            event = self.counts.games.game(self.record(i).game_id).event
            at_event = self.counts.games_of_site(event, index)
            if event not in events:
                events.add(event)
                games += at_event
            if at_event and self.record(i).content.names[SITES] == site:
                games -= 1
        return games

    cdef bint ask_if_outweighed(
        self, int table, Text text, Text rarer, int ahead
    ) except -1 with gil:
        cdef size_t i
        cdef tuple sites = ()
        if table == EVENTS:
            sites = tuple(sorted({
                shown(self.chooser.records[i].texts[FIELD_SITE])
                for i in range(self.chooser.count)
                if self.chooser.records[i].texts[FIELD_SITE].length
            }))
        return self.names.outweighs(table, shown(text), shown(rarer), ahead, sites)

    # --- the best names ---

    cdef bint find_best_names(self) except -1 nogil:
        """Find the best names of players; return False if Python must decide."""
        cdef uint8_t[MOST_RANKED_VALUES] loses
        cdef size_t i
        cdef int field, side
        for field in range(FIELD_EVENT, FIELD_SITE + 1):
            if self.chooser.fields[field].count < 2:
                continue
            if field == FIELD_EVENT:
                for i in range(self.chooser.count):
                    self.chooser.records[i].event_rank = self.rank_of_event(
                        self.record(i).content.names[EVENTS],
                        self.chooser.records[i].texts[FIELD_EVENT],
                    )
            if self.chooser.fields[field].count > MOST_RANKED_VALUES:
                return False
            self.find_losers(field, loses)
            self.leave_out(field, loses)
        for side in range(2):
            if self.chooser.fields[FIELD_WHITE + side].count > 1:
                if not (
                    self.find_better_name(side) if self.chooser.count == 2
                    else self.find_fullest_name(side) or self.ask_best_names(side)
                ):
                    return False
        return True

    cdef bint find_better_name(self, int side) except -1 nogil:
        """Find the better of two spellings of a name; return False if Python must decide."""
        cdef int field = FIELD_WHITE + side
        cdef int better = self.better_name(
            side, self.chooser.records[0].texts[field], self.chooser.records[1].texts[field]
        )
        if better == ASK:
            return False
        if better & LEFT:
            self.chooser.set_best(field, 0)
        if better & RIGHT:
            self.chooser.set_best(field, 1)
        return True

    cdef bint find_fullest_name(self, int side) except -1 nogil:
        """Find the best of simple spellings of a name; return False for others."""
        cdef int field = FIELD_WHITE + side
        cdef const FieldValues *values = &self.chooser.fields[field]
        cdef size_t i, given, surname, best = 0
        cdef int better
        cdef Text name
        for i in range(1, values.count):
            better = compare_plain(
                self.chooser.records[values.first[best]].texts[field],
                self.chooser.records[values.first[i]].texts[field], &given,
            )
            if better == ASK:
                return False
            if better == RIGHT:
                best = i
        if not self.player_is_named(self.record(values.first[best]).content.names[2 + side]):
            return False
        for i in range(values.count):
            name = self.chooser.records[values.first[i]].texts[field]
            if self.has_title(name, plain_given(name, &surname)):
                return False
        self.chooser.set_best(field, best)
        return True

    cdef bint are_tags_unchanged(self) noexcept nogil:
        """Return whether the merge certainly leaves the tags unchanged."""
        cdef size_t i
        cdef const size_t *givers = self.chooser.givers
        cdef bint is_replaced = (
            givers[FIELD_WHITE_ELO] or givers[FIELD_BLACK_ELO] or givers[FIELD_DATE]
            or givers[FIELD_RESULT]
        )
        for i in range(self.chooser.count):
            if not tags_stay(
                self.chooser.records[0].tags, self.chooser.records[i].tags,
                self.chooser.records[givers[FIELD_DATE]].texts[FIELD_DATE], is_replaced,
            ):
                return False
        return True

    cdef bint is_quality_unchanged(self) noexcept nogil:
        """Return whether the giver of a date has the DateQuality of the first record with it."""
        cdef const FieldValues *dates = &self.chooser.fields[FIELD_DATE]
        cdef size_t giver = self.chooser.givers[FIELD_DATE]
        cdef const Header *header = self.record(giver)
        cdef const Header *other = self.record(dates.first[dates.value_of[giver]])
        return (
            header.content.numbers[NUMBER_DATE_QUALITY]
            == other.content.numbers[NUMBER_DATE_QUALITY]
            and (header.content.nulls ^ other.content.nulls) >> NUMBER_DATE_QUALITY & 1 == 0
        )

    cdef int add_merges(self) except -1 nogil:
        """Store the values that the kept game gets from each record."""
        cdef size_t i
        cdef int field
        cdef uint32_t taken
        cdef uint64_t reasons = 0
        for field in range(FIELDS):
            if self.chooser.givers[field]:
                reasons |= <uint64_t>self.chooser.reasons[field] << REASON_BITS * field
        for i in range(1, self.chooser.count):
            taken = 0
            for field in range(FIELDS):
                if self.chooser.givers[field] == i:
                    taken |= <uint32_t>1 << field
            if taken:
                add_merge(
                    &self.name_cache, &self.headers, self.record(0), self.record(i), taken, reasons,
                    &self.merges,
                )

    # --- names ---

    cdef bint is_named_player(self, int64_t player) except -1 nogil:
        return player != INT64_MIN and self.player_is_named(player)

    cdef int rank_of_event(self, int64_t event, Text text) except -1 nogil:
        """Ask Python, once, how well a text names an event."""
        cdef uint8_t state
        cdef int rank
        if text.length == 0:
            return 0
        state = state_of(&self.name_cache, EVENTS, event)
        if not state & ASKED:
            rank = self.ask_event_rank(text)
            state |= ASKED | (NAMED if rank == 2 else IS_GENERIC if rank == 0 else 0)
            set_state(&self.name_cache, EVENTS, event, state)
        return 0 if state & IS_GENERIC else 2 if state & NAMED else 1

    cdef int ask_event_rank(self, Text text) except -1 with gil:
        return self.names.event_rank(text.text[:text.length].decode("utf-8", "replace"))

    cdef int better_name(self, int side, Text left, Text right) except -1 nogil:
        """Compare two spellings of a player's name: best_of_two_names() in name_choice.py."""
        cdef const Header *kept_header = self.record(0)
        cdef int64_t left_id = kept_header.content.names[2 + side]
        cdef int64_t right_id = self.record(1).content.names[2 + side]
        cdef int better
        cdef size_t given = 0
        if left.length == 0 or right.length == 0:
            return usable_sides(
                left.length and self.player_is_named(left_id),
                right.length and self.player_is_named(right_id),
            )
        better = compare_plain(left, right, &given)
        if better != ASK and (
            self.has_title(right if better == RIGHT else left, given)
            or not self.player_is_named(left_id if better == LEFT else right_id)
        ):
            better = ASK
        return self.ask_name(kept_header, side, left, right) if better == ASK else better

    cdef bint has_title(self, Text name, size_t given) except -1 with gil:
        cdef bytes words
        if name.length - given < 2:
            return False
        words = name.text[given:name.length]
        return not self.names.no_given_names.isdisjoint(words.lower().replace(b"-", b" ").split())

    cdef int ask_name(
        self, const Header *kept_header, int side, Text left, Text right
    ) except -1 with gil:
        cdef uint8_t[2] loses
        cdef int listed = self.is_listed(kept_header, side)
        if listed < 0:
            return ASK
        try:
            one, two = decoded(left), decoded(right)
        except UnicodeDecodeError:
            return ASK
        best = self.names.best_of_two(one, two, listed)
        if best is None:
            return ASK
        self.find_losers(FIELD_WHITE + side, loses)
        if loses[0] or loses[1]:
            if self.names.best_of_votes is None:
                return ASK
            self.leave_out(FIELD_WHITE + side, loses)
            return RIGHT if loses[0] else LEFT
        return usable_sides(one in best, two in best)

    cdef bint ask_best_names(self, int side) except -1 with gil:
        """Ask for the best of several spellings; return False if the whole group must be asked."""
        cdef int field = FIELD_WHITE + side
        cdef const FieldValues *values = &self.chooser.fields[field]
        cdef uint8_t[MOST_RANKED_VALUES] loses
        cdef int listed = self.is_listed(self.record(0), side)
        cdef size_t i
        if listed < 0 or values.count > MOST_RANKED_VALUES or self.names.best_of_votes is None:
            return False
        try:
            names = [
                decoded(self.chooser.records[i].texts[field]) for i in range(self.chooser.count)
            ]
        except UnicodeDecodeError:
            return False
        self.find_losers(field, loses)
        self.leave_out(field, loses)
        best = self.names.best_of_votes(
            names, [self.chooser.is_considered(field, i) for i in range(self.chooser.count)], listed
        )
        if best is None:
            return False
        for i in range(values.count):
            if names[values.first[i]] in best:
                self.chooser.set_best(field, i)
        return True

    cdef int is_listed(self, const Header *kept_header, int side) except -2:
        """Return whether the player is in the FIDE list, -1 if his entry is not valid."""
        cdef uint8_t state = EMPTY
        if not kept_header.content.nulls >> side & 1:
            state = state_of(&self.name_cache, PERSONS, kept_header.content.numbers[side])
        return state & NAMED != 0 if state & (EMPTY | NAMED) else -1

    cdef bint may_be_one(
        self, const Header *kept_header, int64_t white, int64_t black
    ) except -1 nogil:
        """Return whether a merge may give both sides the same player: Python must decide."""
        cdef ParsedName parsed, other_parsed
        cdef Text left, right
        if white == kept_header.content.names[2] and black == kept_header.content.names[3]:
            return False
        left = text_of_name(&self.name_cache, PLAYERS, white)
        right = text_of_name(&self.name_cache, PLAYERS, black)
        if left.length == 0 or right.length == 0:
            return False
        if is_ascii(left.text, left.length) and is_ascii(right.text, right.length):
            parse_name(left.text, left.length, &parsed)
            parse_name(right.text, right.length, &other_parsed)
            if name_relation(&parsed, &other_parsed) not in (
                NAME_EQUAL, NAME_COMPATIBLE, NAME_SIMILAR
            ):
                return False
        elif not self.ask_if_one(left, right):
            return False
        return self.player_is_named(white) and self.player_is_named(black)

    cdef bint ask_if_one(self, Text left, Text right) except -1 with gil:
        return self.names.may_be_one(
            left.text[:left.length].decode(), right.text[:right.length].decode()
        )
