"""Declarations of the counts over all headers for the kernel resolve_groups."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from game_record cimport Game
from ocgdedup._kernels.sorted_games cimport SortedGames

# Number of records of an event on a day, or at a site (then `source` is ANY_SOURCE).
ctypedef struct EventRow:
    uint32_t event
    uint32_t source
    uint32_t round             # 0 in a row of a site
    uint32_t value             # packed date, or index of a site
    uint64_t games


cdef class HeaderCounts:
    cdef SortedGames games
    cdef int64_t last_id
    cdef bint has_added
    cdef bint is_given             # counts and rows cover more games than these
    cdef size_t[3] sizes           # number of events, sites, players
    cdef uint32_t *counts[3]       # by the index of a name
    cdef uint32_t *added[3]        # of records after `last_id`
    cdef EventRow *rows
    cdef size_t room, count, sorted

    cdef int hand_back(self) except -1
    cdef void count_range(self, size_t first, size_t end) noexcept nogil
    cdef void count_game(self, uint32_t **counts, const Game *game) noexcept nogil
    cdef uint32_t count_of(self, int kind, int64_t name_id) noexcept nogil
    cdef int standing_of_names(self, int kind, int64_t name_id, int64_t other_id) noexcept nogil
    cdef int standing_of_sites(self, const int64_t *events, const int64_t *sites) noexcept nogil
    cdef bint only_site_of_event(
        self, const int64_t *events, const int64_t *sites, int own
    ) noexcept nogil
    cdef uint64_t games_of_site(self, uint32_t event, uint32_t site) noexcept nogil
    cdef const Game *game_in_list(self, const int64_t[::1] ids, size_t i) except NULL
    cdef bint is_unsettled(self, const int64_t[::1] ids, size_t start, size_t end) except -1
    cdef bint is_changed(self, int kind, const uint32_t *places, size_t count) noexcept nogil
    cdef bint is_reordered(self, int kind, const uint32_t *places, size_t count) noexcept nogil
    cdef uint32_t before(self, int kind, uint32_t place) noexcept nogil
    cdef bint mark_events(
        self, const int64_t[::1] ids, size_t start, size_t end, uint8_t *marks
    ) except -1
    cdef bint collect_range(self, size_t first, size_t end, const uint8_t *marks) noexcept nogil
    cdef bint add_row(
        self, uint32_t event, uint32_t source, uint32_t round, uint32_t value
    ) noexcept nogil
    cdef size_t first_row(self, const EventRow *wanted) noexcept nogil
    cdef void join_equal_rows(self) noexcept nogil
