"""What the kernel resolve_groups sees of the headers of a group."""

from libc.stdint cimport int64_t, uint8_t, uint32_t

from header_rows cimport Header, Headers, Rules
from id_texts cimport Text
from known_names cimport KnownNames
from sqlite_api cimport ocg_sqlite_api, sqlite3, sqlite3_stmt


cdef class HeaderReader:
    cdef sqlite3 *db
    cdef const ocg_sqlite_api *api
    cdef object connection             # must not be closed before
    cdef object names                  # NameRules of group_headers.py
    cdef Rules rules
    cdef uint8_t[26 * 26] unknown_pairs
    cdef Headers headers               # of the group that was read last
    cdef KnownNames known
    cdef sqlite3_stmt *sources[2]
    cdef int source_count

    cdef int finalize(self) except -1
    cdef bint read_group(
        self, const int64_t[:] ids, const uint32_t[:] lines, size_t start, size_t end
    ) except -1 nogil
    cdef int read_header(self, int64_t game_id) except -1 nogil
    cdef int take_name(self, sqlite3_stmt *row, Header *header, int name) except -1 nogil
    cdef int add_player_points(self, Header *header) except -1 nogil
    cdef bint player_is_named(self, int64_t player) except -1 nogil
    cdef bint surely_is_named(self, Text name) noexcept nogil
    cdef bint ask_if_named(self, Text name) except -1 with gil
