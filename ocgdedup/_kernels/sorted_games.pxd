"""Declarations of SortedGames for the search for duplicates."""

from libc.stdint cimport int64_t, uint16_t, uint32_t

from candidate_pairs cimport Search
from game_record cimport Game
from move_order cimport Sort
from ocgdedup._kernels.game_batch cimport GameBatch


cdef class SortedGames:
    cdef readonly GameBatch batch
    cdef Search s
    cdef Sort sorting
    cdef set ranges                # of the current step, to be passed once each
    cdef uint16_t *moves           # copies in the order of the games, until end_move_copy()
    cdef size_t moves_end
    cdef uint32_t *places          # by index of rising ID: the place in sorted order
    cdef size_t asked              # games compared since memory was last handed back
    cdef bint is_searched

    cdef list opened(self, ranges)
    cdef int take_range(self, size_t first, size_t end) except -1
    cdef int require_all_taken(self) except -1
    cdef int require_places(self) except -1
    cdef int require_range(self, size_t first, size_t end) except -1
    cdef int require_found(self) except -1
    cdef int64_t place(self, int64_t game_id) noexcept nogil
    cdef const Game *game(self, int64_t game_id) except NULL
    cdef void fetch(self, int64_t game_id) noexcept
    cdef int symmetry_of(self, const Game *left, const Game *right, int symmetry)
    cdef bytes rotated(self, const Game *game, int symmetry, int again=*)
