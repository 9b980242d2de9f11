"""Declarations of the header reader for the kernel resolve_groups."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from header_rows cimport Header, Headers, Rules
from id_numbers cimport KnownNames, Text
from sqlite_api cimport ocg_sqlite_api, sqlite3, sqlite3_stmt

# A game whose header is read, and its index among the headers.
ctypedef struct WantedHeader:
    int64_t game_id
    size_t place
    bint is_read

# State of the thread that reads rows.
ctypedef struct HeaderJob:
    const ocg_sqlite_api *api
    const Rules *rules
    Headers *all
    WantedHeader *wanted               # by rising ID
    size_t room
    size_t count
    size_t next                        # the first game without a row so far
    bint is_merged                     # rows are headers from before a merge
    bint has_memory

cdef class HeaderReader:
    cdef sqlite3 *db
    cdef const ocg_sqlite_api *api
    cdef object connection             # must stay open
    cdef object names                  # NameRules of group_headers.py
    cdef Rules rules
    cdef uint8_t[26 * 26] unknown_pairs
    cdef Headers all                   # of the groups read last
    cdef Headers headers               # of one of these groups
    cdef HeaderJob job
    cdef KnownNames known
    cdef sqlite3_stmt *sources[2]
    cdef int source_count

    cdef int open(self) except -1
    cdef int finalize(self) except -1
    cdef size_t read_groups(
        self, const int64_t[:] ids, const uint32_t[:] lines, const uint64_t[:] ends,
        const uint8_t[:] closed, size_t group,
    ) except? 0 nogil
    cdef bint can_read(self, const uint32_t[:] lines, size_t start, size_t end) noexcept nogil
    cdef int want(self, const int64_t[:] ids, size_t start, size_t end, size_t base) except -1 nogil
    cdef int read_wanted(self) except -1 nogil
    cdef int read_rows(self, sqlite3_stmt *rows) except -1 nogil
    cdef bint choose_group(self, size_t start, size_t end) except -1 nogil
    cdef int take_name(self, Header *header, int name) except -1 nogil
    cdef int add_player_points(self, Header *header) except -1 nogil
    cdef bint player_is_named(self, int64_t player) except -1 nogil
    cdef bint surely_is_named(self, Text name) noexcept nogil
    cdef bint ask_if_named(self, Text name) except -1 with gil
