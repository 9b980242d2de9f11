"""Choose the kept game of groups with equal mainlines, and tell which groups need no merge.

Headers come straight from SQLite, whose loadable extension this module is opened as (see
sqlite_api.h). The rules are those of matching/header_score.py and best_of_equal() in
matching/canonical.py. A group that they do not decide, or with values of odd types, is left open.
"""

from cpython cimport array
from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport INT64_MIN, int64_t, uint8_t, uint32_t, uint64_t, uintptr_t
from libc.string cimport memcpy
from libc.stdlib cimport free

from header_rows cimport (
    C_NAMES, IS_INTEGER, IS_NULL, IS_TEXT, MOST_TAG_BYTES, MOST_TAG_POINTS, NAME_COUNT, P_EVENT,
    P_FIDE_ID, P_SITE, POINT_COUNT, Header, Headers, Rules, are_equal, may_lack_month,
    says_nothing, take_header,
)
from id_states cimport IdStates, free_states, set_state, state_of
from sqlite_api cimport (
    OCG_SQLITE_DONE, OCG_SQLITE_OK, OCG_SQLITE_ROW, ocg_sqlite_api, open_sqlite, sqlite3,
    sqlite3_stmt,
)

ENTRY_POINT = "ocgdedup_rows_init"     # of the extension: see sqlite_api.h

# What the statements for headers select, in the order of header_rows.pxd.
COLUMNS = (
    "ID", "EventID", "SiteID", "WhiteID", "BlackID", "WhitePersonID", "BlackPersonID", "WhiteElo",
    "BlackElo", "DateQuality", "Date", "Round", "Result", "TimeControl", "ECO", "ExtraTags",
    "PlyCount", "HasComments", "HasVariations",
)
# What a group needs, as bits: its kept game to be chosen by Python, headers to be merged,
# annotations to be merged, a look at exchanged players.
OPEN, HEADERS, NOTES, COLOURS = 1, 2, 4, 8

cdef enum:
    IS_OPEN = 1
    HAS_HEADERS = 2
    HAS_NOTES = 4
    HAS_COLOURS = 8

cdef enum:
    KNOWN = 1                  # states of names and persons
    EMPTY = 2                  # no name at all
    BLANK = 4                  # one that says nothing
    NAMED = 8                  # somebody's; of persons: has a FIDE ID
    ASKED = 16                 # whether it is somebody's is known
    ODD = 32                   # no text

cdef enum:
    EVENTS = 0
    SITES = 1
    PLAYERS = 2
    PERSONS = 3
    TABLES = 4


class SqliteError(Exception):
    """SQLite refused: its extended result code and its message."""


cdef class GroupResolver:
    """Reads headers of one database, batch by batch; see the stub."""
    cdef sqlite3 *db
    cdef const ocg_sqlite_api *api
    cdef object connection             # must not be closed before
    cdef object is_named
    cdef Rules rules
    cdef Headers headers
    cdef IdStates[TABLES] states
    cdef sqlite3_stmt *lookups[TABLES]
    cdef sqlite3_stmt *sources[2]
    cdef int source_count

    def __cinit__(self, connection not None, points not None, tags not None, is_named not None):
        cdef int i
        cdef bytes tag
        if len(points) != POINT_COUNT or len(tags) > MOST_TAG_POINTS:
            raise ValueError(f"{len(points)} points and {len(tags)} tags")
        self.db = <sqlite3 *><uintptr_t>connection.sqlite3_pointer()
        self.api = open_sqlite(self.db)
        self.connection = connection
        self.is_named = is_named
        for i in range(POINT_COUNT):
            self.rules.points[i] = points[i]
        for i in range(<int>len(tags)):
            tag = tags[i][0].encode()
            if len(tag) > MOST_TAG_BYTES:
                raise ValueError(f"tag {tags[i][0]} is too long")
            memcpy(self.rules.tags[i].tag, PyBytes_AS_STRING(tag), len(tag))
            self.rules.tags[i].length = len(tag)
            self.rules.tags[i].points = tags[i][1]
        self.rules.tag_count = len(tags)

    def __dealloc__(self):
        cdef int i
        for i in range(TABLES):
            free_states(&self.states[i])
        free(self.headers.rows)
        free(self.headers.arena)

    def resolve(
        self, ids not None, lines not None, ends not None, closed not None, sources not None,
        lookups not None,
    ):
        """Resolve the groups of a batch: see the stub."""
        cdef int i
        try:
            for i in range(<int>len(sources)):
                self.sources[i] = self.prepare(sources[i])
                self.source_count = i + 1
            for i in range(TABLES):
                self.lookups[i] = self.prepare(lookups[i])
            return self.resolve_all(ids, lines, ends, closed)
        finally:
            self.finalize()

    cdef int finalize(self) except -1:
        cdef int i
        for i in range(2):
            self.api.finalize(self.sources[i])
            self.sources[i] = NULL
        for i in range(TABLES):
            self.api.finalize(self.lookups[i])
            self.lookups[i] = NULL
        self.source_count = 0
        return 0

    cdef sqlite3_stmt *prepare(self, str sql) except NULL:
        cdef sqlite3_stmt *row = NULL
        cdef bytes text = sql.encode()
        if self.api.prepare_v2(
            self.db, PyBytes_AS_STRING(text), -1, &row, NULL
        ) != OCG_SQLITE_OK or row == NULL:
            self.fail()
        return row

    cdef int fail(self) except -1:
        """Raise what SQLite said last."""
        cdef bytes message = self.api.errmsg(self.db)
        raise SqliteError(self.api.extended_errcode(self.db), message.decode("utf-8", "replace"))

    cdef tuple resolve_all(self, const int64_t[:] ids, const uint32_t[:] lines, ends, closed):
        cdef size_t count = len(ends)
        cdef size_t group, start = 0, end
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
        cdef size_t kept, i
        cdef Py_ssize_t annotated = 0
        for group in range(count):
            end = group_ends[group]
            kind_of[group] = IS_OPEN
            if not is_closed[group] and self.read_group(ids, lines, start, end):
                kept = best_of_equal(&self.headers)
                kind_of[group] = <uint8_t>needs(&self.headers, kept)
                master_of[group] = self.headers.rows[kept].game_id
                plies_of[group] = self.headers.rows[kept].plies
                for i in range(end - start):
                    score_of[start + i] = self.headers.rows[i].score
                    notes_of[start + i] = self.headers.rows[i].notes
                    annotated += i != kept and self.headers.rows[i].notes != 0
            start = end
        return kinds, masters, scores, notes, plies, annotated

    cdef bint read_group(
        self, const int64_t[:] ids, const uint32_t[:] lines, size_t start, size_t end
    ) except -1:
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

    cdef int read_header(self, int64_t game_id) except -1:
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
                    raise MemoryError("no memory for the headers of a group")
                header = &self.headers.rows[self.headers.count - 1]
                for i in range(NAME_COUNT):
                    self.take_name(row, header, i)
                if not header.odd:
                    self.add_fide_points(header)
                self.api.reset(row)
                return 0
            if code != OCG_SQLITE_DONE:
                self.fail()
            self.api.reset(row)
        raise KeyError(game_id)

    cdef int take_name(self, sqlite3_stmt *row, Header *header, int name) except -1:
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
        state = self.state(min(name, <int>PLAYERS), name_id)
        header.odd = header.odd or state & ODD
        if not state & EMPTY:
            header.content.names[name] = name_id
        if name < PLAYERS and not state & (EMPTY | BLANK):
            header.score += <short>self.rules.points[P_SITE if name else P_EVENT]
        return 0

    cdef int add_fide_points(self, Header *header) except -1:
        """Add the points for FIDE IDs of players who have a name."""
        cdef int side
        cdef int64_t player
        for side in range(2):
            player = header.content.names[2 + side]
            if player == INT64_MIN:
                continue
            if not header.has_number[side] and (
                header.content.nulls >> side & 1
                or not self.state(PERSONS, header.content.numbers[side]) & NAMED
            ):
                continue
            if self.player_is_named(player):
                header.score += <short>self.rules.points[P_FIDE_ID]
        return 0

    cdef uint8_t state(self, int table, int64_t key) except? 0:
        """Return what is known of a name or a person, by ID."""
        cdef uint8_t found = state_of(&self.states[table], key)
        cdef sqlite3_stmt *row = self.lookups[table]
        cdef int code
        if found:
            return found
        self.api.bind_int64(row, 1, key)
        code = self.api.step(row)
        if code == OCG_SQLITE_ROW:
            found = KNOWN | self.state_in(row, table)
        elif code == OCG_SQLITE_DONE:
            found = KNOWN | EMPTY
        else:
            self.fail()
        self.api.reset(row)
        return self.keep_state(table, key, found)

    cdef uint8_t state_in(self, sqlite3_stmt *row, int table) noexcept:
        cdef int kind = self.api.column_type(row, 0)
        cdef size_t length
        cdef const uint8_t *text
        if kind == IS_NULL:
            return EMPTY
        if table == PERSONS:
            return NAMED if self.api.column_int64(row, 0) else 0
        if kind != IS_TEXT:
            return ODD
        text = self.api.column_text(row, 0)
        length = self.api.column_bytes(row, 0)
        if length == 0:
            return EMPTY
        return BLANK if says_nothing(text, length) else 0

    cdef uint8_t keep_state(self, int table, int64_t key, uint8_t state) except? 0:
        if not set_state(&self.states[table], key, state):
            raise MemoryError("no memory for names")
        return state

    cdef bint player_is_named(self, int64_t player) except -1:
        """Ask Python, once, if a name is somebody's."""
        cdef uint8_t found = self.state(PLAYERS, player)
        cdef sqlite3_stmt *row = self.lookups[PLAYERS]
        cdef bytes name
        if not found & ASKED:
            self.api.bind_int64(row, 1, player)
            if self.api.step(row) != OCG_SQLITE_ROW:
                self.fail()
            name = (<const char *>self.api.column_text(row, 0))[:self.api.column_bytes(row, 0)]
            self.api.reset(row)
            found |= ASKED | (NAMED if self.is_named(name.decode()) else 0)
            self.keep_state(PLAYERS, player, found)
        return found & NAMED != 0


cdef size_t best_of_equal(const Headers *all) noexcept nogil:
    """Return the place of the kept game: best_of_equal() in matching/canonical.py."""
    cdef size_t i, best = 0
    cdef const Header *one
    cdef const Header *other
    for i in range(1, all.count):
        one = &all.rows[best]
        other = &all.rows[i]
        if other.score != one.score:
            best = i if other.score > one.score else best
        elif other.plies != one.plies:
            best = i if other.plies > one.plies else best
        elif other.notes != one.notes:
            best = i if other.notes > one.notes else best
        elif other.game_id < one.game_id:
            best = i
    return best


cdef int needs(const Headers *all, size_t kept) noexcept nogil:
    """Return what a group needs, as bits."""
    cdef size_t i
    cdef const Header *master = &all.rows[kept]
    cdef const Header *other
    cdef int found = HAS_HEADERS if may_lack_month(all, master) else 0
    for i in range(all.count):
        other = &all.rows[i]
        if not found & HAS_HEADERS and not are_equal(all, master, other):
            found |= HAS_HEADERS
        if other.notes and not master.notes:
            found |= HAS_NOTES
        if (
            other.content.names[2] != master.content.names[2]
            and other.content.names[3] != master.content.names[3]
        ):
            found |= HAS_COLOURS
    return found
