"""Choose the kept game of groups with equal mainlines, and find groups that need no merge.

Headers come straight from SQLite, which loads this module as an extension (see sqlite_api.h). The
rules are those of matching/header_score.py and best_of_equal() in matching/canonical.py. A group
that these do not decide, or that has values of odd types, is left open.
"""

from libc.stdint cimport INT64_MIN, int64_t, uint8_t, uint32_t, uint64_t, uintptr_t
from libc.string cimport memset
from libc.stdlib cimport free
from cpython cimport array

from game_columns cimport header_columns
from group_merge cimport (
    MOST_RECORDS, UNDECIDED, Group, Values, add_group, best_code, best_place, fullest_of_plain,
    have_equal_texts, list_codes, list_names, only_names_differ, rank_records, take_value,
)
from header_rows cimport (
    HAS_COLOURS, HAS_HEADERS, IS_OPEN, NAME_COUNT, OCG_TAKE_HEADER, Header, best_of_equal,
    have_other_players, is_ascii, needs,
)
from id_numbers cimport (
    ASKED, BLANK, EMPTY, EVENTS, NAMED, PERSONS, PLAYERS, SITES, TABLES, Text,
    keep_state, state_of, text_of_name,
)
from pair_merge cimport (
    ASK, FIELDS, F_BLACK, F_ECO, F_EVENT, F_WHITE, F_WHITE_ELO, NEITHER, OTHER, OWN, PairMerge,
    PairMerges, add_merge, are_of_one, better_elo, better_place, compare_texts, field_of_name,
    fuller_of_plain, is_code, may_be_outweighed, of_known, plain_given, reasons_of, tags_stay,
    taken_fields,
)
from parsed_name cimport ParsedName, parse_name
from player_name cimport NAME_COMPATIBLE, NAME_EQUAL, NAME_SIMILAR, name_relation
from sqlite_api cimport open_sqlite, prepared, sqlite3


HEADER_COLUMNS = header_columns()      # arguments of TAKE_HEADER in statements for headers
TAKE_HEADER = OCG_TAKE_HEADER.decode()
# What a group needs, as bits: Python to choose its kept game; headers to be merged; annotations of
# duplicates to be merged; a check for swapped players.
OPEN, HEADERS, NOTES, COLOURS = 1, 2, 4, 8


cdef class GroupResolver(HeaderReader):
    """Reads headers of one database in batches; see the stub."""
    cdef object has_swapped            # whether two games have swapped players
    cdef bint asks_swapped, is_merging, merges_again
    cdef HeaderCounts counts           # over all records; None: no value outweighs another
    cdef bint has_counts
    cdef PairMerges merges

    def __cinit__(
        self, connection not None, points not None, tags not None, names not None,
        HeaderCounts counts=None,
    ):
        self.db = <sqlite3 *><uintptr_t>connection.sqlite3_pointer()
        self.api = open_sqlite(self.db)
        self.known.db, self.known.api = self.db, self.api
        self.open()
        self.counts = counts
        self.has_counts = counts is not None

    def __dealloc__(self):
        free(self.merges.rows)
        free(self.merges.texts.arena)

    def resolve(
        self, ids not None, lines not None, ends not None, closed not None, sources not None,
        lookups not None, has_swapped=None, bint is_merging=False, bint merges_again=False,
    ):
        """Resolve the groups of a batch: see the stub."""
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
                self.known.lookups[i] = prepared(self.api, self.db, lookups[i])
            return self.resolve_all(ids, lines, ends, closed)
        finally:
            self.finalize()

    cdef int left_to_do(self, size_t kept) except -1 nogil:
        """Return what a group needs, as bits, except for a merge that is decided here."""
        cdef int tasks = needs(&self.headers, kept)
        cdef size_t i
        cdef const Header *own = &self.headers.rows[kept]
        if tasks & HAS_COLOURS and self.asks_swapped:
            for i in range(self.headers.count):
                if have_other_players(&self.headers.rows[i], own) and self.are_swapped(
                    own.game_id, self.headers.rows[i].game_id
                ):
                    return tasks
            tasks ^= HAS_COLOURS
        if self.is_merging and tasks & (HAS_HEADERS | HAS_COLOURS) == HAS_HEADERS and (
            self.merge_pair(own, &self.headers.rows[1 - kept]) if self.headers.count == 2
            else self.merge_group(kept)
        ):
            tasks ^= HAS_HEADERS
        return tasks

    cdef bint are_swapped(self, int64_t first, int64_t second) except -1 with gil:
        return self.has_swapped(first, second)

    cdef tuple resolve_all(self, const int64_t[:] ids, const uint32_t[:] lines, ends, closed):
        cdef size_t count = len(ends)
        cdef const uint64_t[:] group_ends = ends
        cdef const uint8_t[:] is_closed = closed
        kinds = bytearray(count)
        notes = bytearray(len(ids))
        masters = array.clone(array.array("q"), count, True)
        scores = array.clone(array.array("h"), len(ids), True)
        plies = array.clone(array.array("q"), count, True)
        cdef uint8_t[:] kind_of = kinds
        cdef uint8_t[:] notes_of = notes
        cdef int64_t[:] master_of = masters
        cdef short[:] score_of = scores
        cdef int64_t[:] plies_of = plies
        cdef size_t group = 0, start = 0, base, last
        cdef Py_ssize_t kept
        with nogil:
            while group < count:
                base = start
                last = self.read_groups(ids, lines, group_ends, is_closed, group)
                while group < last:
                    kind_of[group] = IS_OPEN
                    kept = -1
                    if (
                        not is_closed[group] and self.can_read(lines, start, group_ends[group])
                        and self.choose_group(start - base, group_ends[group] - base)
                    ):
                        kept = <Py_ssize_t>best_of_equal(&self.headers)
                    if kept >= 0:
                        kind_of[group] = <uint8_t>self.left_to_do(kept)
                        master_of[group] = self.headers.rows[kept].game_id
                        plies_of[group] = self.headers.rows[kept].plies
                        self.take_scores(&score_of[start], &notes_of[start])
                    start = group_ends[group]
                    group += 1
        merges = (<const char *>self.merges.rows)[:self.merges.count * sizeof(PairMerge)]
        texts = (<const char *>self.merges.texts.arena)[:self.merges.texts.arena_bytes]
        return kinds, masters, scores, notes, plies, merges, texts

    cdef void take_scores(self, short *scores, uint8_t *notes) noexcept nogil:
        """Copy the header score and the kinds of annotations of each game."""
        cdef size_t i
        for i in range(self.headers.count):
            scores[i] = self.headers.rows[i].score
            notes[i] = self.headers.rows[i].notes

    # --- merges of two records ---

    cdef bint merge_pair(self, const Header *own, const Header *other) except -1 nogil:
        """Store what the kept game gets from the other; return False if Python must decide."""
        cdef uint8_t[FIELDS] choices
        cdef uint32_t outweighed = 0   # bit n: all records decide field n
        cdef int64_t taken
        cdef int side
        memset(choices, NEITHER, FIELDS)
        if (
            (own.is_merged and not self.merges_again) or not are_of_one(own, other)
            or own.plies != other.plies        # a wrong number, in a file of another program
        ):
            return False
        compare_texts(&self.headers, own, other, choices, self.has_counts)
        for side in range(2):
            choices[F_WHITE_ELO + side] = <uint8_t>better_elo(&self.rules, own, other, side)
        self.compare_names(own, other, choices, &outweighed)
        taken = taken_fields(&self.headers, own, other, choices)
        if (
            taken < 0 or not tags_stay(&self.headers, own, other, taken)
            or self.are_own_opponents(
                own, (other if taken >> F_WHITE & 1 else own).content.names[2],
                (other if taken >> F_BLACK & 1 else own).content.names[3],
            )
        ):
            return False
        if taken and not add_merge(
            &self.known, &self.headers, own, other, taken,
            reasons_of(&self.headers, &self.rules, own, choices, outweighed, self.empty_names(own)),
            &self.merges,
        ):
            with gil:
                raise MemoryError("out of memory for merged headers")
        return True

    # --- merges of more records ---

    cdef bint merge_group(self, size_t kept) except -1 nogil:
        """Store what the kept game gets from the others; return False if Python must decide."""
        cdef Group group
        cdef Values values
        cdef const Header *own = &self.headers.rows[kept]
        cdef int64_t[NAME_COUNT] names
        cdef uint32_t empty_fields
        cdef int name, best
        if not 2 < self.headers.count <= MOST_RECORDS or (
            own.is_merged and not self.merges_again
        ):
            return False
        rank_records(&self.headers, kept, &group)
        if not only_names_differ(&self.headers, &self.rules, &group) or self.has_mark(&group):
            return False
        empty_fields = self.empty_names(own)
        for name in range(NAME_COUNT):
            names[name] = own.content.names[name]
            list_names(&self.known, &group, name, &values)
            if values.count == 1:
                continue
            best = UNDECIDED
            if not have_equal_texts(&values):
                best = self.best_player(&values) if name >= PLAYERS else self.best_text(
                    &group, &values, name
                )
            if best == UNDECIDED:
                return False
            if best > 0:
                names[name] = values.ids[best]
            take_value(
                &group, &values, best, field_of_name(name),
                empty_fields >> field_of_name(name) & 1,
            )
        list_codes(&self.headers, &group, &values)
        best = best_code(&values)
        if best == UNDECIDED or self.are_own_opponents(own, names[2], names[3]):
            return False
        take_value(&group, &values, best, F_ECO, not is_code(values.texts[0]))
        if not add_group(&self.known, &self.headers, &group, &self.merges):
            with gil:
                raise MemoryError("out of memory for merged headers")
        return True

    cdef bint has_mark(self, const Group *group) noexcept nogil:
        """Return whether a record other than the kept game may have the mark of a duplicate."""
        cdef int i, name
        cdef Text text
        for i in range(1, group.count):
            for name in range(PLAYERS):
                text = text_of_name(&self.known, name, group.records[i].content.names[name])
                if text.length and text.text[0] == c"[":
                    return True
        return False

    cdef int best_text(self, const Group *group, const Values *values, int kind) except -3 nogil:
        """Compare events or sites."""
        cdef Values sites
        cdef bint[MOST_RECORDS] are_event_like
        cdef int i, j
        for i in range(values.count):
            are_event_like[i] = kind == EVENTS and self.event_is_like(
                values.ids[i], values.texts[i]
            )
            for j in range(i):
                if (
                    self.has_counts and values.texts[i].length and values.texts[j].length
                    and may_be_outweighed(values.texts[i], values.texts[j], kind == SITES)
                    and self.counts.standing_of_names(kind, values.ids[i], values.ids[j])
                ):
                    return UNDECIDED   # perhaps all records decide
        if kind == SITES:
            return best_place(values, NULL, are_event_like)
        list_names(&self.known, group, SITES, &sites)
        return best_place(values, &sites, are_event_like)

    cdef int best_player(self, const Values *values) except -3 nogil:
        """Compare spellings of a player's name."""
        cdef size_t surname
        cdef int i
        cdef int best = fullest_of_plain(values)
        if best == UNDECIDED or not self.player_is_named(values.ids[best]):
            return UNDECIDED
        for i in range(values.count):
            if self.has_title(values.texts[i], plain_given(values.texts[i], &surname)):
                return UNDECIDED
        return best

    # --- names ---

    cdef uint32_t empty_names(self, const Header *header) except? 0xFFFF nogil:
        """Return as bits the name fields that are empty or placeholders."""
        cdef uint32_t empty_fields = 0
        cdef int i
        cdef int64_t name
        for i in range(NAME_COUNT):
            name = header.content.names[i]
            if name == INT64_MIN or state_of(&self.known, min(i, <int>PLAYERS), name) & BLANK or (
                i >= PLAYERS and not self.player_is_named(name)
            ):
                empty_fields |= 1 << field_of_name(i)
        return empty_fields

    cdef int compare_names(
        self, const Header *own, const Header *other, uint8_t *found, uint32_t *outweighed
    ) except -1 nogil:
        cdef Text[NAME_COUNT] left
        cdef Text[NAME_COUNT] right
        cdef Text[2] sites
        cdef int i, side
        for i in range(NAME_COUNT):
            left[i] = text_of_name(&self.known, min(i, <int>PLAYERS), own.content.names[i])
            right[i] = text_of_name(&self.known, min(i, <int>PLAYERS), other.content.names[i])
            if i < PLAYERS and right[i].length and right[i].text[0] == c"[":
                found[F_EVENT] = ASK       # perhaps a mark of a duplicate
                return 0
        sites = [left[SITES], right[SITES]]
        for i in range(PLAYERS):
            if own.content.names[i] != other.content.names[i]:
                found[i] = <uint8_t>self.better_text(
                    own, other, i, left[i], right[i], sites, outweighed
                )
        for side in range(2):
            i = PLAYERS + side
            if own.content.names[i] != other.content.names[i]:
                found[F_WHITE + side] = <uint8_t>self.better_name(
                    own, other, side, left[i], right[i], outweighed
                )
        return 0

    cdef int better_text(
        self, const Header *own, const Header *other, int kind, Text left, Text right,
        const Text *sites, uint32_t *outweighed,
    ) except -1 nogil:
        """Compare two events, or two sites: F_EVENT and F_SITE are EVENTS and SITES."""
        cdef int winner
        if may_be_outweighed(left, right, kind == SITES):
            winner = self.outweighing(own, other, kind, left, right, sites)
            if winner != NEITHER:
                outweighed[0] |= 1 << kind
                return winner
        if kind == SITES:
            return better_place(left, right, NULL, 0, False, False)
        return better_place(
            left, right, sites, 2, self.event_is_like(own.content.names[EVENTS], left),
            self.event_is_like(other.content.names[EVENTS], right),
        )

    cdef bint event_is_like(self, int64_t event, Text text) except -1 nogil:
        """Ask Python, once, whether an event is not a nickname of a game."""
        cdef uint8_t state
        if text.length == 0:
            return False
        state = state_of(&self.known, EVENTS, event)
        if not state & ASKED:
            state |= ASKED | (NAMED if self.ask_if_event_like(text) else 0)
            keep_state(&self.known, EVENTS, event, state)
        return state & NAMED != 0

    cdef bint ask_if_event_like(self, Text text) except -1 with gil:
        return self.names.is_event_like(text.text[:text.length].decode("utf-8", "replace"))

    cdef int outweighing(
        self, const Header *own, const Header *other, int name, Text left, Text right,
        const Text *sites,
    ) except -1 nogil:
        """Return OWN or OTHER if all records decide against the other value, else NEITHER."""
        cdef int ahead
        if not self.has_counts or left.length == 0 or right.length == 0:
            return NEITHER
        if name == SITES:
            ahead = self.counts.standing_of_sites(
                [own.content.names[EVENTS], other.content.names[EVENTS]],
                [own.content.names[SITES], other.content.names[SITES]],
            )
        else:
            ahead = self.counts.standing_of_names(
                min(name, <int>PLAYERS), own.content.names[name], other.content.names[name]
            )
        if ahead > 0 and self.ask_if_outweighed(name, left, right, ahead, sites):
            return OWN
        if ahead < 0 and self.ask_if_outweighed(name, right, left, -ahead, sites):
            return OTHER
        return NEITHER

    cdef bint ask_if_outweighed(
        self, int name, Text text, Text other, int ahead, const Text *sites
    ) except -1 with gil:
        cdef tuple places = ()
        try:
            if name == EVENTS:
                places = tuple([
                    site.text[:site.length].decode() for site in sites[:2] if site.length
                ])
            return self.names.outweighs(
                min(name, <int>PLAYERS), text.text[:text.length].decode(),
                other.text[:other.length].decode(), ahead, places,
            )
        except UnicodeDecodeError:
            return False

    cdef int better_name(
        self, const Header *own, const Header *other, int side, Text left, Text right,
        uint32_t *outweighed,
    ) except -1 nogil:
        """Compare two spellings of a player's name: best_of_two_names() in name_choice.py."""
        cdef int64_t left_id = own.content.names[2 + side], right_id = other.content.names[2 + side]
        cdef int winner
        cdef size_t given = 0
        if left.length == 0 or right.length == 0:
            return of_known(
                left.length and self.player_is_named(left_id),
                right.length and self.player_is_named(right_id),
            )
        winner = fuller_of_plain(left, right, &given)
        if winner != ASK and (
            self.has_title(right if winner == OTHER else left, given)
            or not self.player_is_named(left_id if winner == OWN else right_id)
        ):
            winner = ASK
        if winner == ASK:
            winner = self.outweighing(own, other, PLAYERS + side, left, right, NULL)
            if winner != NEITHER:
                outweighed[0] |= 1 << (F_WHITE + side)
                return winner
            return self.ask_name(own, side, left, right)
        return winner

    cdef bint has_title(self, Text name, size_t given) except -1 with gil:
        cdef bytes words
        if name.length - given < 2:
            return False
        words = name.text[given:name.length]
        return not self.names.no_given_names.isdisjoint(
            words.lower().replace(b"-", b" ").split()
        )

    cdef int ask_name(self, const Header *own, int side, Text left, Text right) except -1 with gil:
        cdef uint8_t state = EMPTY
        if not own.content.nulls >> side & 1:
            state = state_of(&self.known, PERSONS, own.content.numbers[side])
        if not state & (EMPTY | NAMED):
            return ASK
        try:
            one = left.text[:left.length].decode()
            two = right.text[:right.length].decode()
        except UnicodeDecodeError:
            return ASK
        best = self.names.best_of_two(one, two, state & NAMED != 0)
        return ASK if best is None else of_known(one in best, two in best)

    cdef bint are_own_opponents(
        self, const Header *own, int64_t white, int64_t black
    ) except -1 nogil:
        """Return whether these names could make a player of the kept game his own opponent."""
        if white == own.content.names[2] and black == own.content.names[3]:
            return False
        return self.may_be_one(white, black) and not self.may_be_one(
            own.content.names[2], own.content.names[3]
        )

    cdef bint may_be_one(self, int64_t white, int64_t black) except -1 nogil:
        cdef ParsedName parsed, other_parsed
        cdef Text left = text_of_name(&self.known, PLAYERS, white)
        cdef Text right = text_of_name(&self.known, PLAYERS, black)
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
