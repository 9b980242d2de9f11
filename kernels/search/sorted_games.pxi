"""Games of a batch in move order, any two of which can be compared.

The base of the search for duplicates, and its queries after the search. The caller passes the
weights.
"""

from itertools import pairwise

from libc.stdlib cimport malloc

from board_symmetry cimport is_changed_by, rotate_moves, symmetry_between
from candidate_pairs cimport Search
from duplicate_groups cimport apply_decision
from evidence cimport Judgement, Rules, compare_players, judge
from game_record cimport ocg_prefetch, use_large_pages
from go_symmetry cimport go_inverse
from match_weights cimport field_names_of_structs, numbers_of, terms_of
from move_order cimport (
    Sort, close_sort, copy_moves, free_sort, move_chains, open_chains, open_sort, sort_part,
    start_of_line, start_of_part,
)
from search_results cimport field_names, fields_of
from thresholds cimport FEW_DIFFERENCES, FEW_IN_GO

from ocgdedup.model import (
    Comparison, EqualRecord, EventCount, GroupsFound, OrderFacts, PairColumns, PossibleDuplicate,
    Terms,
)


WEIGHTS, TERMS, GATES = field_names_of_structs()
if Comparison._fields != field_names() or Terms._fields != TERMS:
    raise ImportError("model.py does not match the kernels; rebuild the kernels")

cdef enum:
    OFTEN = 256                    # games to prefetch before memory is handed back


cdef class SortedGames:
    """The games of a batch, sorted by moves; two can be compared after the search."""
    cdef readonly GameBatch batch
    cdef Search s
    cdef Sort sorting
    cdef set ranges                # of the current step, to be passed once each
    cdef uint16_t *moves           # copies in the order of the games, until end_move_copy()
    cdef size_t moves_end
    cdef uint32_t *sorted_indexes  # by index of rising ID: the index in sorted order
    cdef size_t asked              # games compared since memory was last handed back
    cdef bint is_searched

    def __cinit__(
        self, GameBatch batch not None, weights not None, gates not None, named=None,
        int min_shorter=0,
    ):
        cdef Rules *r = &self.s.rules
        r.weights = numbers_of("weights", weights, WEIGHTS)
        r.gates = numbers_of("gates", gates, GATES)
        if named is not None:
            r.has_user_gates = True
            r.user_gates = numbers_of("gates", named, GATES)
        r.min_shorter = min_shorter
        set_start(&self.s.standard)
        self.batch = batch
        self.s.all = &batch.all
        r.few_differences = FEW_IN_GO if batch.all.is_go else FEW_DIFFERENCES

    def __dealloc__(self):
        free(self.sorted_indexes)
        free_sort(&self.sorting)
        free(self.moves)
        free(self.s.previous.items)
        free(self.s.same.slots)
        free(self.s.different.slots)

    def sort(self):
        for first, end in self.begin_sort(1):
            self.sort_part(first, end)
        for first, end in self.begin_reordering(1):
            self.reorder_part(first, end)
        self.end_sort()

    def begin_sort(self, size_t parts):
        cdef Games *all = self.s.all
        cdef size_t i, at, count = self.batch.ids.count, bound = 0
        if all.lines != NULL:
            raise ValueError("games are already sorted")
        if not self.batch.is_complete:
            raise ValueError("games have not been read")
        self.sorted_indexes = <uint32_t *>allocate(count, sizeof(uint32_t))
        all.lines = <uint32_t *>allocate(count, sizeof(uint32_t))
        all.ends = <uint32_t *>allocate(count, sizeof(uint32_t))
        all.shared = <uint16_t *>allocate(count, sizeof(uint16_t))
        all.reach = <uint8_t *>allocate(count, 2)
        while count >> (BUCKET_BITS + all.low_bits):
            all.low_bits += 1
        self.ranges = set()
        if all.is_mapped:
            return []
        all.summaries = <GameSummary *>allocate(count, sizeof(GameSummary))
        # Room after all moves for a rotated record of any Go game.
        reserve(<void **>&all.arena, &all.moves_capacity, all.moves + all.longest + 8, 2)
        with nogil:
            open_sort(all, &self.sorting)
        bounds = [0]
        for i in range(1, parts):
            at = start_of_part(&self.sorting, all.count * i // parts)
            if bound < at < all.count:
                bounds.append(at)
                bound = at
        return self.opened(pairwise([*bounds, all.count]))

    def sort_part(self, size_t first, size_t end):
        self.take_range(first, end)
        with nogil:
            sort_part(self.s.all, &self.sorting, first, end)

    def begin_reordering(self, size_t parts):
        cdef size_t chains = 0, i
        self.require_sorting()
        self.require_all_taken()
        if self.sorting.aside != NULL:
            raise ValueError("games are already being put in order")
        if self.sorting.items != NULL:         # else they were sorted in files
            chains = open_chains(self.s.all, &self.sorting)
        parts = min(parts, chains)
        return self.opened(
            pairwise([chains * i // parts for i in range(parts + 1)] if parts else [])
        )

    def reorder_part(self, size_t first, size_t end):
        self.take_range(first, end)
        with nogil:
            move_chains(self.s.all, &self.sorting, first, end)

    def end_sort(self):
        self.require_sorting()
        self.require_all_taken()
        if self.sorting.items != NULL:         # else they were sorted in files
            with nogil:
                close_sort(self.s.all, &self.sorting)

    def begin_move_copy(self, ranges not None):
        cdef Games *all = self.s.all
        cdef size_t bound = 0
        self.require_sorting()
        if self.sorting.items != NULL or self.moves != NULL:
            raise ValueError("games are not sorted, or their moves are being copied")
        if all.is_mapped:
            raise ValueError("games in files have their moves in order")
        for first, end in ranges:
            if first != bound or end <= first:
                raise ValueError(f"range from {first} to {end} does not follow game {bound}")
            bound = end
        if bound != all.count:
            raise ValueError(f"ranges end at {bound}, and games at {all.count}")
        self.moves = <uint16_t *>malloc(2 * (all.moves + all.longest + 8))
        if self.moves == NULL:
            return False
        use_large_pages(self.moves, 2 * all.moves)
        self.moves_end = 0
        self.opened(ranges)
        return True

    def copy_moves(self, size_t first, size_t end):
        cdef size_t at, i, plies = 0
        self.take_range(first, end)
        with nogil:
            for i in range(first, end):
                plies += self.s.all.games[i].plies
        at = self.moves_end
        self.moves_end += plies
        with nogil:
            plies = copy_moves(self.s.all, self.moves, at, first, end) - at
        return plies

    def end_move_copy(self):
        cdef Games *all = self.s.all
        if self.moves == NULL:
            raise ValueError("begin_move_copy() has not been called")
        self.require_all_taken()
        free(all.arena)
        all.arena = self.moves
        all.moves_capacity = all.moves + all.longest + 8
        self.moves = NULL

    cdef list opened(self, ranges):
        """Return ranges of which each must be taken once."""
        cdef list spans = list(ranges)
        self.ranges = set(spans)
        return spans

    cdef int take_range(self, size_t first, size_t end) except -1:
        if self.ranges is None or (first, end) not in self.ranges:
            raise ValueError(f"range from {first} to {end} is unknown, or was passed before")
        self.ranges.remove((first, end))

    cdef int require_all_taken(self) except -1:
        if self.ranges:
            raise ValueError(f"ranges that were not passed: {len(self.ranges)}")

    cdef int require_sorting(self) except -1:
        if self.sorted_indexes == NULL:
            raise ValueError("begin_sort() has not been called")

    def start_of_line(self, size_t index):
        return start_of_line(self.s.all, index)

    cdef int require_range(self, size_t first, size_t end) except -1:
        if self.sorted_indexes == NULL or not first <= end <= self.batch.ids.count:
            raise ValueError(f"sorted games {first} to {end} are out of range")

    cdef int require_found(self) except -1:
        if not self.is_searched:
            raise ValueError("search is not finished")

    cdef int64_t sorted_index(self, int64_t game_id) noexcept nogil:
        """Return the index of a game in sorted order, -1 for an unknown ID."""
        cdef uint32_t index = index_in(&self.batch.ids, game_id)
        return -1 if index == NO_NAME else self.sorted_indexes[index]

    cdef int64_t required_index(self, int64_t game_id) except -1:
        """Return the index of a game in sorted order; raise KeyError for an unknown ID."""
        cdef int64_t index = self.sorted_index(game_id)
        if index < 0:
            raise KeyError(game_id)
        return index

    cdef const Game *game(self, int64_t game_id) except NULL:
        """Return a game after the search; raise KeyError for an unknown or unloaded game."""
        cdef int64_t index
        self.require_found()
        self.asked += 1
        if self.asked >= OFTEN and self.batch.release is not None:
            self.asked = 0
            self.batch.release()
        index = self.required_index(game_id)
        if self.s.all.loaded != NULL and self.s.all.loaded[index] != IS_LOADED:
            raise KeyError(game_id)
        return &self.s.all.games[index]

    cdef void prefetch(self, int64_t game_id) noexcept:
        """Prefetch date, names, event and site of a game that game() is about to return."""
        cdef int64_t index = self.sorted_index(game_id)
        if index >= 0:
            ocg_prefetch(&self.s.all.games[index].date)
            ocg_prefetch(&self.s.all.games[index].site)

    def compare(self, first not None, second not None, bint lenient=False):
        cdef Judgement judgement
        cdef const Game *left = self.game(first)
        cdef const Game *right = self.game(second)
        judge(
            self.s.all, &self.s.rules, &self.s.standard, min(left, right), max(left, right),
            lenient, NULL, &judgement,
        )
        apply_decision(&self.s, min(left, right), max(left, right), &judgement)
        return tuple.__new__(Comparison, fields_of(
            &judgement, max(left.theory, right.theory),
            self.symmetry_of(left, right, judgement.symmetry),
            tuple.__new__(Terms, terms_of(&judgement.terms)),
        ).values())

    def __contains__(self, game_id):
        """Return whether a game was read."""
        return index_in(&self.batch.ids, game_id) != NO_NAME

    def has_swapped_colours(self, first not None, second not None):
        cdef Judgement judgement
        cdef const Game *left = self.game(first)
        cdef const Game *right = self.game(second)
        memset(&judgement, 0, sizeof(Judgement))
        compare_players(
            self.s.all, &self.s.rules.weights, min(left, right), max(left, right), NULL, &judgement,
        )
        return judgement.swapped

    def mainline(self, game_id not None):
        cdef const Game *game = self.game(game_id)
        return self.rotated(game, go_inverse(game.symmetry))

    def mainline_beside(self, game_id not None, other not None):
        cdef const Game *game = self.game(game_id)
        return self.rotated(game, go_inverse(game.symmetry), self.symmetry(other, game_id))

    def symmetry(self, first not None, second not None):
        cdef Judgement judgement
        cdef const Game *left = self.game(first)
        cdef const Game *right = self.game(second)
        memset(&judgement, 0, sizeof(Judgement))
        if left.line != right.line and left.lines and right.lines:
            judge(
                self.s.all, &self.s.rules, &self.s.standard, min(left, right), max(left, right),
                True, NULL, &judgement,
            )
        return self.symmetry_of(left, right, judgement.symmetry)

    cdef int symmetry_of(self, const Game *left, const Game *right, int symmetry):
        """Return the symmetry from one record to another; `symmetry` rotates the later game."""
        cdef int mapping
        if not left.lines or not right.lines:
            return 0
        mapping = symmetry_between(left, right, symmetry if left < right else go_inverse(symmetry))
        return mapping if is_changed_by(self.s.all, right, mapping) else 0

    cdef bytes rotated(self, const Game *game, int symmetry, int again=0):
        """Return the moves of a game, rotated from canonical form by one or two symmetries."""
        cdef bytes moves = <bytes>(<const char *>moves_of(self.s.all, game))[:2 * game.plies]
        if game.lines and game.plies and (symmetry or again):
            # A new bytes object that nobody else has seen yet.
            rotate_moves(<uint16_t *>PyBytes_AS_STRING(moves), game.plies, game.lines, symmetry)
            rotate_moves(<uint16_t *>PyBytes_AS_STRING(moves), game.plies, game.lines, again)
        return moves

    def starts_alike(self, first not None, second not None):
        return self.game(first).start == self.game(second).start

    def starts_elsewhere(self, game_id not None):
        return self.game(game_id).start != 0

    def stones(self, game_id not None):
        return self.game(game_id).stones

    @property
    def is_go(self):
        return bool(self.s.all.is_go)

    @property
    def games(self):
        return self.batch.ids.count
