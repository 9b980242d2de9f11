"""Read the headers of the games of a group, with what is known of the names in them.

Headers come straight from SQLite. The points are those of matching/header_score.py.
"""

from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport INT64_MIN, int64_t, uint8_t, uint32_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from header_rows cimport (
    C_NAMES, IS_INTEGER, IS_NULL, NAME_COUNT, P_EVENT, P_FIDE_ID, P_NO_NAME, P_SITE, Header,
    is_ascii, take_header,
)
from header_rules cimport take_rules
from id_texts cimport Text
from known_names cimport (
    ASKED, BLANK, EMPTY, NAMED, ODD, PERSONS, PLAYERS, TABLES, fetch_text, forget_names,
    keep_state, state_of, text_of_name,
)
from sqlite_api cimport OCG_SQLITE_DONE, OCG_SQLITE_ROW, refuse, sqlite3_stmt


cdef class HeaderReader:
    """Reads headers of one database, group by group; what it learns of names it keeps.

    A subclass sets `db` and `api`, and prepares the statements.
    """

    def __cinit__(self, connection not None, points not None, tags not None, names not None, *_):
        take_rules(points, tags, &self.rules)
        self.connection = connection
        self.names = names
        if len(names.unknown_pairs) != sizeof(self.unknown_pairs):
            raise ValueError(f"{len(names.unknown_pairs)} pairs of letters")
        memcpy(self.unknown_pairs, PyBytes_AS_STRING(names.unknown_pairs), 26 * 26)

    def __dealloc__(self):
        forget_names(&self.known)
        free(self.headers.rows)
        free(self.headers.arena)

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
                    self.add_player_points(header)
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

    cdef int add_player_points(self, Header *header) except -1 nogil:
        """Add the points for the players, and take off those for missing names."""
        cdef int side
        cdef int64_t player
        for side in range(2):
            player = header.content.names[2 + side]
            if player == INT64_MIN or not self.player_is_named(player):
                header.score -= <short>self.rules.points[P_NO_NAME]
            elif header.has_number[side] or (
                not header.content.nulls >> side & 1
                and state_of(&self.known, PERSONS, header.content.numbers[side]) & NAMED
            ):
                header.score += <short>self.rules.points[P_FIDE_ID]
        return 0

    cdef bint player_is_named(self, int64_t player) except -1 nogil:
        """Tell if a name is somebody's; Python is asked once, and only about few."""
        cdef uint8_t found = state_of(&self.known, PLAYERS, player)
        cdef Text name
        if not found & ASKED:
            fetch_text(&self.known, PLAYERS, player)
            name = text_of_name(&self.known, PLAYERS, player)
            found |= ASKED
            if self.surely_is_named(name) or self.ask_if_named(name):
                found |= NAMED
            keep_state(&self.known, PLAYERS, player, found)
        return found & NAMED != 0

    cdef bint surely_is_named(self, Text name) noexcept nogil:
        """Tell if no name that is nobody's begins with the first two letters."""
        cdef int first, second
        if name.length < 2 or not is_ascii(name.text, name.length):
            return False
        first = (name.text[0] | 32) - c"a"
        second = (name.text[1] | 32) - c"a"
        return 0 <= first < 26 and 0 <= second < 26 and not self.unknown_pairs[26 * first + second]

    cdef bint ask_if_named(self, Text name) except -1 with gil:
        return self.names.is_named(name.text[:name.length].decode())
