"""Read the headers of the games of groups, and cache facts about the names in them.

Headers come straight from SQLite, as arguments of an SQL function of this module, by rising ID:
SQLite locks the connection for each column read, and a step to the next row costs less than a
lookup. The points are those of matching/header_score.py.
"""

from game_columns cimport HEADER_COUNT, HEADER_ID
from header_rows cimport (
    POINTS_EVENT, POINTS_SITE, Headers, ScoreRules, is_preferred, score_player, score_texts,
    take_header, take_rules,
)
from memory cimport append_bytes
from names_by_id cimport IS_PLACEHOLDER, ODD, NameCache, free_names
from sqlite_api cimport OCG_SQLITE_DIRECT_UTF8, ocg_bound_pointer, sqlite3_context, sqlite3_value

cdef enum:
    HEADERS_AT_ONCE = 1 << 14          # headers in memory, or one group
    MOST_BETWEEN = 1                   # unneeded IDs in a range; more begin a new range


cdef void take_row(sqlite3_context *_context, int _count, sqlite3_value **values) noexcept nogil:
    """Implement OCG_TAKE_HEADER: read the row of a game that is still needed; return NULL."""
    cdef HeaderJob *job = <HeaderJob *>ocg_bound_pointer(values[0], OCG_TAKE_HEADER)
    cdef RequestedHeader *request
    cdef Header *header
    cdef int64_t game_id
    if job == NULL or not job.has_memory:
        return
    values += 1
    game_id = job.api.value_int64(values[HEADER_ID])
    while job.next < job.count and job.requested[job.next].game_id < game_id:
        job.next += 1
    while job.next < job.count and job.requested[job.next].game_id == game_id:
        request = &job.requested[job.next]
        job.next += 1
        if not request.is_read:
            header = &job.all.rows[request.index]
            job.has_memory = take_header(job.api, values, job.rules, job.all, header)
            header.is_merged = job.is_merged
            request.is_read = True


# A game whose header is read, and its index among the headers.
ctypedef struct RequestedHeader:
    int64_t game_id
    size_t index
    bint is_read

# State of the thread that reads rows.
ctypedef struct HeaderJob:
    const ocg_sqlite_api *api
    const ScoreRules *rules
    Headers *all
    RequestedHeader *requested         # by rising ID
    size_t capacity
    size_t count
    size_t next                        # the first game without a row so far
    bint is_merged                     # rows are headers from before a merge
    bint has_memory


cdef class HeaderScorer:
    """Computes header scores of headers that Python passes: see the stub."""
    cdef ScoreRules rules
    cdef Headers texts                 # arena of one header

    def __cinit__(self, points not None, tags not None):
        take_rules(points, tags, &self.rules)

    def __dealloc__(self):
        free(self.texts.arena)

    def score(self, header not None, bint has_white, bint has_black):
        cdef Header scored
        cdef int i
        cdef Text text
        memset(&scored, 0, sizeof(Header))
        self.texts.arena_bytes = 0
        for i, value in enumerate((
            header.date, header.round, header.result, header.time_control, header.eco,
            header.extra_tags,
        )):
            text = text_of_value(value)
            scored.content.lengths[i] = NO_TEXT
            if text.text != NULL:
                scored.content.lengths[i] = <uint32_t>text.length
                append_bytes(
                    &self.texts.arena, &self.texts.arena_bytes, &self.texts.arena_capacity,
                    text.text, text.length,
                )
        scored.content.numbers[NUMBER_WHITE_ELO] = header.white_elo or 0
        scored.content.numbers[NUMBER_WHITE_ELO + 1] = header.black_elo or 0
        scored.plies = header.plies
        score_texts(&self.rules, &self.texts, &scored)
        for i, value in enumerate((header.event, header.site)):
            if not is_blank(text_of_value(value)):
                scored.score += <short>self.rules.points[POINTS_SITE if i else POINTS_EVENT]
        score_player(&self.rules, &scored, 0, has_white, bool(header.white_fide_id))
        score_player(&self.rules, &scored, 1, has_black, bool(header.black_fide_id))
        return scored.score


def preferred_record(headers not None):
    cdef Header read, best
    preferred = None
    memset(&read, 0, sizeof(Header))
    for header in headers:
        read.plies = header.plies
        read.notes = bool(header.has_comments) + bool(header.has_variations)
        read.game_id = header.game_id
        if preferred is None or is_preferred(&read, &best):
            preferred, best = header, read
    return preferred


cdef class HeaderReader:
    """Reads headers of one database by group, by statements that a subclass prepares."""
    cdef sqlite3 *db
    cdef const ocg_sqlite_api *api
    cdef object connection             # must stay open
    cdef object names                  # NameRules of merges.py
    cdef ScoreRules rules
    cdef uint8_t[26 * 26] unknown_pairs
    cdef Headers all                   # of the groups read last
    cdef Headers headers               # of one of these groups
    cdef HeaderJob job
    cdef NameCache name_cache
    cdef sqlite3_stmt *sources[2]
    cdef int source_count

    def __cinit__(self, connection not None, points not None, tags not None, names not None, *_):
        take_rules(points, tags, &self.rules)
        self.connection = connection
        self.names = names
        self.db = <sqlite3 *><uintptr_t>connection.sqlite3_pointer()
        self.api = open_sqlite(self.db)
        self.name_cache.db, self.name_cache.api = self.db, self.api
        if len(names.unknown_pairs) != sizeof(self.unknown_pairs):
            raise ValueError(f"{len(names.unknown_pairs)} bytes for 26 x 26 pairs of letters")
        memcpy(self.unknown_pairs, PyBytes_AS_STRING(names.unknown_pairs), 26 * 26)
        # Fails only while a statement with the function is active, so the function then exists.
        self.api.create_function(
            self.db, OCG_TAKE_HEADER, 1 + HEADER_COUNT, OCG_SQLITE_DIRECT_UTF8, NULL, take_row,
            NULL, NULL,
        )

    def __dealloc__(self):
        free_names(&self.name_cache)
        free(self.all.rows)
        free(self.all.arena)
        free(self.job.requested)

    cdef int finalize(self) except -1:
        cdef int i
        for i in range(2):
            self.api.finalize(self.sources[i])
            self.sources[i] = NULL
        for i in range(TABLES):
            self.api.finalize(self.name_cache.lookups[i])
            self.name_cache.lookups[i] = NULL
        self.source_count = 0

    cdef size_t read_groups(
        self, const int64_t[:] ids, const uint32_t[:] lines, const uint64_t[:] ends,
        const uint8_t[:] closed, size_t group,
    ) except? 0 nogil:
        """Read the headers of several groups from this group on; return the index after them.

        Closed groups and groups with several mainlines are left out. Raises KeyError for an unknown
        game.
        """
        cdef size_t base = ends[group - 1] if group else 0
        cdef size_t start = base
        self.job.count = 0
        while group < <size_t>ends.shape[0]:
            if start > base and ends[group] - base > HEADERS_AT_ONCE:
                break
            if not closed[group] and self.can_read(lines, start, ends[group]):
                self.request_group(ids, start, ends[group], base)
            start = ends[group]
            group += 1
        self.all.count = start - base
        reserve(<void **>&self.all.rows, &self.all.capacity, start - base + 1, sizeof(Header))
        self.read_requested()
        return group

    cdef bint can_read(self, const uint32_t[:] lines, size_t start, size_t end) noexcept nogil:
        """Return whether a group has games, and only one mainline."""
        cdef size_t i
        for i in range(start + 1, end):
            if lines[i] != lines[start]:
                return False
        return start < end

    cdef int request_group(
        self, const int64_t[:] ids, size_t start, size_t end, size_t base
    ) except -1 nogil:
        cdef HeaderJob *job = &self.job
        cdef size_t i
        reserve(
            <void **>&job.requested, &job.capacity, job.count + end - start, sizeof(RequestedHeader)
        )
        for i in range(start, end):
            job.requested[job.count] = RequestedHeader(ids[i], i - base, False)
            job.count += 1

    cdef int read_requested(self) except -1 nogil:
        cdef HeaderJob *job = &self.job
        cdef size_t i
        cdef int source
        sort_by_id(job.requested, job.count, sizeof(RequestedHeader))
        job.api, job.rules, job.all = self.api, &self.rules, &self.all
        job.has_memory = True
        self.all.arena_bytes = 0
        for source in range(self.source_count):
            job.is_merged = self.source_count == 2 and source == 0
            self.read_rows(self.sources[source])
        for i in range(job.count):
            if not job.requested[i].is_read:
                with gil:
                    raise KeyError(job.requested[i].game_id)

    cdef int read_rows(self, sqlite3_stmt *rows) except -1 nogil:
        """Step a statement over the requested games, by ranges of their IDs."""
        cdef HeaderJob *job = &self.job
        cdef size_t first = 0, last
        cdef int code
        job.next = 0
        self.api.bind_pointer(rows, 3, job, OCG_TAKE_HEADER, NULL)
        while first < job.count:
            last = first
            while last + 1 < job.count and (
                job.requested[last + 1].game_id - job.requested[last].game_id <= MOST_BETWEEN + 1
            ):
                last += 1
            self.api.bind_int64(rows, 1, job.requested[first].game_id)
            self.api.bind_int64(rows, 2, job.requested[last].game_id)
            code = self.api.step(rows)
            while code == OCG_SQLITE_ROW:
                code = self.api.step(rows)
            if code != OCG_SQLITE_DONE:
                with gil:
                    refuse(self.api, self.db)
            self.api.reset(rows)
            require_memory(job.has_memory)
            first = last + 1

    cdef bint choose_group(self, size_t start, size_t end) except -1 nogil:
        """Load the headers of a group that was read; return False if it must be left open.

        `start`, `end`: its range among the games of the groups read with it.
        """
        cdef Header *header
        cdef size_t i
        cdef int name
        self.headers = self.all
        self.headers.rows = self.all.rows + start
        self.headers.count = end - start
        for i in range(self.headers.count):
            header = &self.headers.rows[i]
            for name in range(NAME_COUNT):
                self.take_name(header, name)
            if header.odd:
                return False
            self.add_player_points(header)
        return True

    cdef int take_name(self, Header *header, int name) except -1 nogil:
        """Add the points of an event or a site; clear a name that is empty."""
        cdef int64_t name_id = header.content.names[name]
        cdef uint8_t state
        if name_id == INT64_MIN:
            return 0
        state = state_of(&self.name_cache, min(name, <int>PLAYERS), name_id)
        header.odd = header.odd or state & ODD
        if state & EMPTY:
            header.content.names[name] = INT64_MIN
        if name < PLAYERS and not state & (EMPTY | IS_PLACEHOLDER):
            header.score += <short>self.rules.points[POINTS_SITE if name else POINTS_EVENT]

    cdef int add_player_points(self, Header *header) except -1 nogil:
        cdef int side
        cdef int64_t player
        for side in range(2):
            player = header.content.names[2 + side]
            score_player(
                &self.rules, header, side, player != INT64_MIN and self.player_is_named(player),
                not header.content.nulls >> side & 1
                and state_of(&self.name_cache, PERSONS, header.content.numbers[side]) & NAMED != 0,
            )

    cdef bint player_is_named(self, int64_t player) except -1 nogil:
        """Return whether a name is a player's; Python is asked once per name, for few names."""
        cdef uint8_t state = state_of(&self.name_cache, PLAYERS, player)
        cdef Text name
        if not state & ASKED:
            name = text_of_name(&self.name_cache, PLAYERS, player)
            state |= ASKED
            if self.surely_is_named(name) or self.ask_if_named(name):
                state |= NAMED
            set_state(&self.name_cache, PLAYERS, player, state)
        return state & NAMED != 0

    cdef bint surely_is_named(self, Text name) noexcept nogil:
        """Return whether no placeholder name begins with the first two letters."""
        cdef int first, second
        if name.length < 2 or not is_ascii(name.text, name.length):
            return False
        first = (name.text[0] | 32) - c"a"
        second = (name.text[1] | 32) - c"a"
        return 0 <= first < 26 and 0 <= second < 26 and not self.unknown_pairs[26 * first + second]

    cdef bint ask_if_named(self, Text name) except -1 with gil:
        return self.names.is_named(name.text[:name.length].decode())
