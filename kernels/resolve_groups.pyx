"""Choose the kept game of groups with equal mainlines, and tell which groups need no merge.

Headers come straight from SQLite, whose loadable extension this module is opened as (see
sqlite_api.h). The rules are those of matching/header_score.py and best_of_equal() in
matching/canonical.py. A group that they do not decide, or with values of odd types, is left open.
"""

from cpython cimport array
from libc.stdint cimport INT64_MIN, int64_t, uint8_t, uint32_t, uint64_t, uintptr_t
from libc.string cimport memset
from libc.stdlib cimport free

from header_rows cimport (
    C_NAMES, IS_INTEGER, IS_NULL, NAME_COUNT, P_EVENT, P_FIDE_ID, P_SITE, Header, Headers, Rules,
    header_columns, is_ascii, take_header,
)
from header_rules cimport take_rules
from field_of_two cimport ASK, NEITHER, OTHER, OWN, better_place, fuller_of_plain, of_known
from group_needs cimport (
    HAS_COLOURS, HAS_HEADERS, IS_OPEN, best_of_equal, have_other_players, needs,
)
from id_texts cimport Text
from known_names cimport (
    ASKED, BLANK, EMPTY, EVENTS, NAMED, ODD, PERSONS, PLAYERS, SITES, TABLES, KnownNames,
    fetch_text, forget_names, keep_state, state_of, text_of_name,
)
from pair_merge cimport (
    F_BLACK, F_EVENT, F_SITE, F_WHITE, F_WHITE_ELO, FIELDS, PairMerge, PairMerges, add_merge,
    are_of_one, better_elo, compare_texts, tags_stay, taken_fields,
)
from parsed_name cimport ParsedName, parse_name
from player_name cimport NAME_COMPATIBLE, NAME_EQUAL, NAME_SIMILAR, name_relation
from sqlite_api cimport (
    OCG_SQLITE_DONE, OCG_SQLITE_ROW, ocg_sqlite_api, open_sqlite, prepared, refuse,
    sqlite3, sqlite3_stmt,
)

ENTRY_POINT = "ocgdedup_rows_init"     # of the extension: see sqlite_api.h

COLUMNS = header_columns()             # what the statements for headers select
# What a group needs, as bits: its kept game to be chosen by Python, headers to be merged,
# annotations of duplicates to be merged, a look at exchanged players.
OPEN, HEADERS, NOTES, COLOURS = 1, 2, 4, 8


cdef class GroupResolver:
    """Reads headers of one database, batch by batch; see the stub."""
    cdef sqlite3 *db
    cdef const ocg_sqlite_api *api
    cdef object connection             # must not be closed before
    cdef object names                  # NameRules of group_headers.py
    cdef object has_swapped            # tells if two games have the players exchanged
    cdef bint asks_swapped, is_merging
    cdef Rules rules
    cdef Headers headers
    cdef KnownNames known
    cdef PairMerges merges
    cdef sqlite3_stmt *sources[2]
    cdef int source_count

    def __cinit__(self, connection not None, points not None, tags not None, names not None):
        take_rules(points, tags, &self.rules)
        self.db = <sqlite3 *><uintptr_t>connection.sqlite3_pointer()
        self.api = open_sqlite(self.db)
        self.known.db, self.known.api = self.db, self.api
        self.connection = connection
        self.names = names

    def __dealloc__(self):
        forget_names(&self.known)
        free(self.merges.rows)
        free(self.merges.texts.arena)
        free(self.headers.rows)
        free(self.headers.arena)

    def resolve(
        self, ids not None, lines not None, ends not None, closed not None, sources not None,
        lookups not None, has_swapped=None, bint is_merging=False,
    ):
        """Resolve the groups of a batch: see the stub."""
        cdef int i
        self.has_swapped = has_swapped
        self.asks_swapped = has_swapped is not None
        self.is_merging = is_merging
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
        """Return what a group needs, as bits, but for a merge that is decided here."""
        cdef int found = needs(&self.headers, kept)
        cdef size_t i
        cdef const Header *own = &self.headers.rows[kept]
        if found & HAS_COLOURS and self.asks_swapped:
            for i in range(self.headers.count):
                if have_other_players(&self.headers.rows[i], own) and self.are_swapped(
                    own.game_id, self.headers.rows[i].game_id
                ):
                    return found
            found ^= HAS_COLOURS
        if (
            self.is_merging and self.headers.count == 2 and found & (HAS_HEADERS | HAS_COLOURS)
            == HAS_HEADERS and self.merge_pair(own, &self.headers.rows[1 - kept])
        ):
            found ^= HAS_HEADERS
        return found

    cdef bint are_swapped(self, int64_t one, int64_t other) except -1 with gil:
        return self.has_swapped(one, other)

    cdef int finalize(self) except -1:
        cdef int i
        for i in range(2):
            self.api.finalize(self.sources[i])
            self.sources[i] = NULL
        for i in range(TABLES):
            self.api.finalize(self.known.lookups[i])
            self.known.lookups[i] = NULL
        self.source_count = 0
        return 0

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
        cdef size_t group, start = 0
        cdef Py_ssize_t kept
        with nogil:
            for group in range(count):
                kind_of[group] = IS_OPEN
                kept = -1
                if not is_closed[group] and group_ends[group] > start:
                    kept = self.kept_of(ids, lines, start, group_ends[group])
                if kept >= 0:
                    kind_of[group] = <uint8_t>self.left_to_do(kept)
                    master_of[group] = self.headers.rows[kept].game_id
                    plies_of[group] = self.headers.rows[kept].plies
                    self.take_scores(&score_of[start], &notes_of[start])
                start = group_ends[group]
        merges = (<const char *>self.merges.rows)[:self.merges.count * sizeof(PairMerge)]
        texts = (<const char *>self.merges.texts.arena)[:self.merges.texts.arena_bytes]
        return kinds, masters, scores, notes, plies, merges, texts

    cdef Py_ssize_t kept_of(
        self, const int64_t[:] ids, const uint32_t[:] lines, size_t start, size_t end
    ) except -2 nogil:
        """Read the headers of a group; return the place of its kept game, -1 for an open group."""
        if not self.read_group(ids, lines, start, end):
            return -1
        return <Py_ssize_t>best_of_equal(&self.headers)

    cdef void take_scores(self, short *scores, uint8_t *notes) noexcept nogil:
        """Copy what is known of each game."""
        cdef size_t i
        for i in range(self.headers.count):
            scores[i] = self.headers.rows[i].score
            notes[i] = self.headers.rows[i].notes

    cdef bint read_group(
        self, const int64_t[:] ids, const uint32_t[:] lines, size_t start, size_t end
    ) except -1 nogil:
        """Read the headers of a group of equal mainlines; False if it is to be left open."""
        cdef size_t i
        for i in range(start + 1, end):
            if lines[i] != lines[start]:
                return False
        self.headers.count = self.headers.arena_bytes = 0
        for i in range(start, end):
            self.read_header(ids[i])
            if self.headers.rows[self.headers.count - 1].odd:
                return False
        return True

    cdef int read_header(self, int64_t game_id) except -1 nogil:
        """Append the header of a game as it was before merges; KeyError if there is no game."""
        cdef int source, code, i
        cdef sqlite3_stmt *row
        cdef Header *header
        for source in range(self.source_count):
            row = self.sources[source]
            self.api.bind_int64(row, 1, game_id)
            code = self.api.step(row)
            if code == OCG_SQLITE_ROW:
                if take_header(self.api, row, &self.rules, &self.headers) < 0:
                    with gil:
                        raise MemoryError("no memory for the headers of a group")
                header = &self.headers.rows[self.headers.count - 1]
                header.is_merged = self.source_count == 2 and source == 0
                for i in range(NAME_COUNT):
                    self.take_name(row, header, i)
                if not header.odd:
                    self.add_fide_points(header)
                self.api.reset(row)
                return 0
            if code != OCG_SQLITE_DONE:
                with gil:
                    refuse(self.api, self.db)
            self.api.reset(row)
        with gil:
            raise KeyError(game_id)

    cdef int take_name(self, sqlite3_stmt *row, Header *header, int name) except -1 nogil:
        cdef int kind = self.api.column_type(row, C_NAMES + name)
        cdef int64_t name_id
        cdef uint8_t state
        header.content.names[name] = INT64_MIN
        if kind == IS_NULL:
            return 0
        if kind != IS_INTEGER:
            header.odd = True
            return 0
        name_id = self.api.column_int64(row, C_NAMES + name)
        state = state_of(&self.known, min(name, <int>PLAYERS), name_id)
        header.odd = header.odd or state & ODD
        if not state & EMPTY:
            header.content.names[name] = name_id
        if name < PLAYERS and not state & (EMPTY | BLANK):
            header.score += <short>self.rules.points[P_SITE if name else P_EVENT]
        return 0

    cdef int add_fide_points(self, Header *header) except -1 nogil:
        """Add the points for FIDE IDs of players who have a name."""
        cdef int side
        cdef int64_t player
        for side in range(2):
            player = header.content.names[2 + side]
            if player == INT64_MIN:
                continue
            if not header.has_number[side] and (
                header.content.nulls >> side & 1
                or not state_of(&self.known, PERSONS, header.content.numbers[side]) & NAMED
            ):
                continue
            if self.player_is_named(player):
                header.score += <short>self.rules.points[P_FIDE_ID]
        return 0

    cdef bint player_is_named(self, int64_t player) except -1 nogil:
        """Ask Python, once, if a name is somebody's."""
        cdef uint8_t found = state_of(&self.known, PLAYERS, player)
        if not found & ASKED:
            fetch_text(&self.known, PLAYERS, player)
            found |= ASKED | (
                NAMED if self.ask_if_named(text_of_name(&self.known, PLAYERS, player)) else 0
            )
            keep_state(&self.known, PLAYERS, player, found)
        return found & NAMED != 0

    cdef bint ask_if_named(self, Text name) except -1 with gil:
        return self.names.is_named(name.text[:name.length].decode())

    # --- merges of two records ---

    cdef bint merge_pair(self, const Header *own, const Header *other) except -1 nogil:
        """Note what the kept game gets of the other one; False if Python is to decide that."""
        cdef uint8_t[FIELDS] found
        cdef int64_t taken
        cdef int side
        memset(found, NEITHER, FIELDS)
        if own.is_merged or not are_of_one(own, other):
            return False
        compare_texts(&self.headers, own, other, found)
        for side in range(2):
            found[F_WHITE_ELO + side] = <uint8_t>better_elo(&self.rules, own, other, side)
        self.compare_names(own, other, found)
        taken = taken_fields(&self.headers, own, other, found)
        if (
            taken < 0 or not tags_stay(&self.headers, own, other, taken)
            or self.are_own_opponents(own, other, taken)
        ):
            return False
        if taken and not add_merge(&self.headers, own, other, taken, &self.merges):
            with gil:
                raise MemoryError("no memory for merged headers")
        return True

    cdef int compare_names(
        self, const Header *own, const Header *other, uint8_t *found
    ) except -1 nogil:
        cdef Text[NAME_COUNT] left
        cdef Text[NAME_COUNT] right
        cdef int i, side
        for i in range(NAME_COUNT):
            fetch_text(&self.known, min(i, <int>PLAYERS), own.content.names[i])
            fetch_text(&self.known, min(i, <int>PLAYERS), other.content.names[i])
        for i in range(NAME_COUNT):
            left[i] = text_of_name(&self.known, min(i, <int>PLAYERS), own.content.names[i])
            right[i] = text_of_name(&self.known, min(i, <int>PLAYERS), other.content.names[i])
            if i < PLAYERS and right[i].length and right[i].text[0] == c"[":
                found[F_EVENT] = ASK       # a mark of a duplicate, perhaps
                return 0
        if own.content.names[EVENTS] != other.content.names[EVENTS]:
            found[F_EVENT] = <uint8_t>better_place(
                left[EVENTS], right[EVENTS], [left[SITES], right[SITES]], 2
            )
        if own.content.names[SITES] != other.content.names[SITES]:
            found[F_SITE] = <uint8_t>better_place(left[SITES], right[SITES], NULL, 0)
        for side in range(2):
            i = PLAYERS + side
            if own.content.names[i] != other.content.names[i]:
                found[F_WHITE + side] = <uint8_t>self.better_name(
                    own, other, side, left[i], right[i]
                )
        return 0

    cdef int better_name(
        self, const Header *own, const Header *other, int side, Text left, Text right
    ) except -1 nogil:
        """Compare two spellings of a player's name: best_of_two_names() in name_choice.py."""
        cdef int64_t one = own.content.names[2 + side], two = other.content.names[2 + side]
        cdef int found
        cdef size_t given = 0
        if left.length == 0 or right.length == 0:
            return of_known(
                left.length and self.player_is_named(one),
                right.length and self.player_is_named(two),
            )
        found = fuller_of_plain(left, right, &given)
        if found == ASK or self.has_title(right if found == OTHER else left, given) or (
            not self.player_is_named(one if found == OWN else two)
        ):
            return self.ask_name(own, side, left, right)
        return found

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
        self, const Header *own, const Header *other, int64_t taken
    ) except -1 nogil:
        """Tell if somebody may become his own opponent by a merge."""
        cdef int64_t white = (other if taken >> F_WHITE & 1 else own).content.names[2]
        cdef int64_t black = (other if taken >> F_BLACK & 1 else own).content.names[3]
        if not taken & (1 << F_WHITE | 1 << F_BLACK) or not self.may_be_one(white, black):
            return False
        return not self.may_be_one(own.content.names[2], own.content.names[3])

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
