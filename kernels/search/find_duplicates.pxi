"""Find duplicate games: candidate pairs, verdicts, groups.

Works without the GIL on the arrays of a GameBatch. The caller passes the weights.
"""

from blocking_keys cimport (
    KEYS_A_GAME, KeySet, Keys, close_key_set, free_keys, open_key_set,
)
from candidate_pairs cimport Edge, judge_pairs, pair_equal_games
from duplicate_groups cimport Groups, close_groups, enter_decision
from equal_records cimport pair_equal_records
from evidence cimport theory_only_weakens
from game_record cimport free_order, make_summaries
from id_list cimport GameIds, id_at
from kernel_constants cimport constants
from known_order cimport StartSpan, fill_row
from previous_verdicts cimport (
    BY_ADDRESS, BY_MOVES, BY_PLAYERS, add_source_keys, choose_keys, count_touched, mark_games,
    settle_edges, sort_edges, sort_previous_edges, store_edge,
)
from move_order cimport find_lines
from opening_theory cimport (
    MOST_THEORY, find_ends, find_shared, find_theory, find_theory_again,
)
from pair_memo cimport open_memo
from search_results cimport (
    Member, Results, append_results, free_results, group_edges, list_groups, order_edges,
    sort_results, unite_edges,
)


CONSTANTS = constants()


cdef class DuplicateFinder(SortedGames):
    """The search for duplicates among the games of a batch.

    Call the stages once each, in the order of their definition. After finish(), call the other
    methods in any order.
    """
    cdef Numbers open_lines
    cdef uint32_t *ordinals        # by index; NULL: see keep_ordinals()
    cdef uint32_t *homes           # by index: its component; after grouping, its group
    cdef Numbers order             # edges by component
    cdef EdgeList connected
    cdef Results results
    cdef uint64_t judged
    cdef int64_t last_id           # highest ID of the previous search
    cdef KeySet chosen             # the only keys that are made; empty: all keys are made
    cdef size_t kept               # previous edges that must be looked up again

    def __dealloc__(self):
        free_numbers(&self.open_lines)
        free_results(&self.results)
        free_numbers(&self.order)
        close_key_set(&self.chosen)
        free(self.homes)
        free(self.ordinals)

    def keep_ordinals(self):
        self.require_range(0, 0)
        if self.ordinals == NULL:
            self.ordinals = <uint32_t *>allocate(self.batch.ids.count, sizeof(uint32_t))

    def use_previous_search(self, int64_t last_id):
        self.require_range(0, 0)
        self.last_id = last_id
        self.s.all.marks = <uint8_t *>allocate(self.batch.ids.count, 1)

    def load_previous_edges(self, const uint8_t[::1] edges not None):
        if edges.shape[0] % EDGE_BYTES:
            raise ValueError(f"edges: {edges.shape[0]} bytes, not a multiple of {EDGE_BYTES}")
        if edges.shape[0] and not load_edges(
            &self.s, &edges[0], edges.shape[0] // EDGE_BYTES, self.sorted_indexes,
            self.batch.ids.count,
        ):
            raise ValueError("an edge of the previous search refers to an unknown game")

    def find_lines(self, size_t first, size_t end):
        cdef size_t i
        cdef uint32_t ordinal
        self.require_range(first, end)
        with nogil:
            find_lines(self.s.all, first, end)
            make_summaries(self.s.all, first, end)
            for i in range(first, end):
                ordinal = index_in(&self.batch.ids, self.s.all.games[i].game_id)
                self.sorted_indexes[ordinal] = <uint32_t>i
                if self.ordinals != NULL:
                    self.ordinals[i] = ordinal

    def find_shared(self, size_t first, size_t end):
        self.require_range(first, end)
        with nogil:
            find_shared(self.s.all, first, end)

    def find_theory(self, size_t first, size_t end):
        self.require_range(first, end)
        with nogil:
            if self.s.all.marks == NULL:
                find_theory(self.s.all, first, end)
            else:
                find_theory_again(
                    self.s.all, first, end, self.last_id,
                    theory_only_weakens(&self.s.rules.weights),
                )
                mark_games(self.s.all, self.last_id, first, end)

    def set_theory(
        self, const int64_t[::1] ids not None, const int32_t[::1] theory not None
    ):
        cdef int64_t index, last = -1
        cdef Py_ssize_t i
        if ids.shape[0] != theory.shape[0]:
            raise ValueError(f"{ids.shape[0]} IDs and {theory.shape[0]} plies of theory")
        for i in range(ids.shape[0]):
            index = self.sorted_index(ids[i])
            if index <= last:
                raise ValueError(f"game {ids[i]} is unknown or in another place")
            last = index
            if theory[i] >= 0:
                self.s.all.games[index].theory = <uint16_t>theory[i]

    def find_ends(self, size_t first, size_t end):
        self.require_range(first, end)
        with nogil:
            find_ends(self.s.all, first, end, &self.open_lines)

    def add_keys(
        self, str source not None, size_t first, size_t end, NumberBuckets keys not None,
        bint by_line=False,
    ):
        cdef int source_index = SOURCES.index(source)
        cdef Keys work
        self.require_range(first, end)
        memset(&work, 0, sizeof(Keys))
        work.keys = &keys.buckets
        work.chosen = &self.chosen if self.chosen.words != NULL else NULL
        work.by_line = by_line and not self.s.all.is_go
        try:
            with nogil:
                add_source_keys(self.s.all, first, end, source_index, &work)
        finally:
            free_keys(&work)

    def pair_by_keys(
        self, str source not None, NumberBuckets keys not None, int bucket,
        NumberBuckets pairs not None, bint by_line=False, bint packs=False,
    ):
        cdef int source_index = SOURCES.index(source)
        cdef Numbers *numbers = keys.part(bucket)
        cdef bytes packed_keys = None
        if packs and self.ordinals == NULL:
            raise ValueError("keep_ordinals() has not been called")
        with nogil:
            sort_numbers(numbers, keys.buckets.shift)
            if source_index == BY_ADDRESS:
                pair_by_addresses(self.s.all, numbers, &pairs.buckets)
            else:
                pair_by_keys(
                    self.s.all, numbers, source_index == BY_PLAYERS,
                    by_line and source_index == BY_MOVES and not self.s.all.is_go, &pairs.buckets,
                )
            if packs:
                use_ordinals(numbers, self.ordinals)
        if packs:
            packed_keys = packed(numbers)
        free_numbers(numbers)
        return packed_keys

    def ordinals_by_index(self):
        if self.ordinals == NULL:
            raise ValueError("keep_ordinals() has not been called")
        return PyMemoryView_FromMemory(
            <char *>self.ordinals, self.batch.ids.count * sizeof(uint32_t), PyBUF_READ
        )

    def pair_equal_games(self, size_t first, size_t end, NumberBuckets pairs not None):
        self.require_range(first, end)
        with nogil:
            pair_equal_games(self.s.all, first, end, &pairs.buckets)

    def pair_equal_records(self, size_t first, size_t end, NumberBuckets pairs not None):
        self.require_range(first, end)
        with nogil:
            pair_equal_records(self.s.all, first, end, &pairs.buckets)

    def sort_previous_edges(self):
        sort_previous_edges(&self.s)

    def count_touched(self):
        self.require_marks()
        return count_touched(self.s.all)

    cdef int require_marks(self) except -1:
        self.require_range(0, 0)
        if self.s.all.marks == NULL:
            raise ValueError("no previous search is loaded")

    def choose_keys(self, size_t first, size_t end):
        self.require_marks()
        self.require_range(first, end)
        if self.chosen.words == NULL:
            open_key_set(&self.chosen, 2 * KEYS_A_GAME * count_touched(self.s.all))
        with nogil:
            choose_keys(self.s.all, first, end, &self.chosen)

    def settle_previous_edges(
        self, EdgeList edges not None, NumberBuckets pairs not None, size_t first, size_t most
    ):
        cdef size_t count = self.s.previous.count
        cdef size_t end = min(first + most, count)
        if self.chosen.words == NULL:
            raise ValueError("choose_keys() has not been called")
        with nogil:
            settle_edges(
                &self.s, first, end, &self.kept, &self.chosen, &edges.edges, &pairs.buckets
            )
        if end < count:
            return end
        self.s.previous.count = self.kept
        self.s.all.skips_settled = True
        return 0

    def judge(
        self, NumberBuckets pairs not None, int bucket, EdgeList edges not None, size_t first,
        size_t most,
    ):
        cdef Numbers *numbers = pairs.part(bucket)
        cdef size_t end = min(first + most, numbers.count)
        with nogil:
            if first == 0:
                sort_numbers(numbers, pairs.buckets.shift)
            open_memo(&edges.memo)
            judge_pairs(&self.s, numbers, first, end, &edges.memo, &edges.edges)
            if end == numbers.count:
                free_numbers(numbers)
        return 0 if numbers.count == 0 else end

    def judged_edges(self, EdgeList edges not None, size_t most):
        with nogil:
            sort_edges(&edges.edges)
        return self._stored_edges(edges, edges.edges.count, most)

    def _stored_edges(self, EdgeList edges not None, size_t count, size_t most):
        cdef size_t first = 0
        while first < count:
            yield self.stored(edges, first, min(first + most, count))
            first += most

    cdef bytes stored(self, EdgeList edges, size_t first, size_t end):
        cdef bytes blob = PyBytes_FromStringAndSize(NULL, (end - first) * EDGE_BYTES)
        cdef uint8_t *out = <uint8_t *>PyBytes_AS_STRING(blob)
        cdef const Edge *edge
        cdef size_t i
        for i in range(first, end):
            edge = &edges.edges.items[i]
            store_edge(
                edge, index_in(&self.batch.ids, self.s.all.games[edge.left].game_id),
                index_in(&self.batch.ids, self.s.all.games[edge.right].game_id), out,
            )
            out += EDGE_BYTES
        return blob

    def order_rows(self, size_t first, size_t end):
        cdef bytes rows = PyBytes_FromStringAndSize(NULL, (end - first) * sizeof(OrderRow))
        cdef OrderRow *row = <OrderRow *>PyBytes_AS_STRING(rows)
        cdef const Games *all = self.s.all
        cdef size_t i
        self.require_range(first, end)
        if all.reach == NULL:
            raise ValueError("move order is no longer available: components have been made")
        if all.longest >= MOST_THEORY:
            raise ValueError(f"a game has {all.longest} plies")
        with nogil:
            for i in range(first, end):
                fill_row(all, i, index_in(&self.batch.ids, all.games[i].game_id), row + i - first)
        return rows

    def start_spans(self):
        cdef const Games *all = self.s.all
        cdef bytearray spans = bytearray()
        cdef StartSpan span
        cdef size_t i
        for i in range(self.batch.ids.count):
            if i == 0 or all.games[i - 1].start != all.games[i].start:
                span = StartSpan(all.games[i].start, i)
                spans += <bytes>(<char *>&span)[:sizeof(StartSpan)]
        return bytes(spans)

    def id_ranges(self):
        cdef const GameIds *ids = &self.batch.ids
        cdef array.array ranges = array.array("q")
        cdef size_t first = 0, i
        for i in range(1 if ids.count else 0, ids.count + 1):
            if i == ids.count or ids.listed.count and id_at(ids, i) != id_at(ids, i - 1) + 1:
                ranges.extend((id_at(ids, first), id_at(ids, i - 1) + 1))
                first = i
        return ranges

    def connect(self, EdgeList edges not None, decisions=()):
        cdef int64_t left, right
        for first, second, is_same in decisions:
            left, right = self.sorted_index(first), self.sorted_index(second)
            if left >= 0 and right >= 0 and left != right:     # else a game no longer exists
                enter_decision(
                    &self.s, <uint32_t>min(left, right), <uint32_t>max(left, right), is_same,
                    &edges.edges,
                )
        free_order(self.s.all)
        self.s.all.skips_settled = False
        free(self.s.previous.items)
        memset(&self.s.previous, 0, sizeof(Edges))
        self.homes = <uint32_t *>allocate(self.batch.ids.count, sizeof(uint32_t))
        self.reset_homes()
        self.judged = edges.edges.judged
        self.connected = edges
        with nogil:
            unite_edges(self.homes, &edges.edges)
            order_edges(self.homes, &edges.edges, &self.order)
            self.reset_homes()
        return self.order.count

    def group(self, size_t first, size_t end):
        cdef Groups groups
        cdef Edges component
        cdef Results results
        memset(&groups, 0, sizeof(Groups))
        memset(&component, 0, sizeof(Edges))
        memset(&results, 0, sizeof(Results))
        try:
            with nogil:
                group_edges(
                    &self.s, &self.connected.edges, &self.order, first, end, &groups, &component,
                    self.homes, &results,
                )
            append_results(&self.results, &results)
        finally:
            close_groups(&groups)
            free(component.items)
            free_results(&results)

    def finish(self):
        sort_results(&self.results)
        free_numbers(&self.order)
        self.connected = None
        self.is_searched = True

    cdef void reset_homes(self) noexcept nogil:
        cdef size_t i
        for i in range(self.batch.ids.count):
            self.homes[i] = <uint32_t>i

    def groups_found(self):
        self.require_found()
        return GroupsFound._make(list_groups(&self.results))

    def possible_duplicates(self):
        cdef const Results *out = &self.results
        cdef size_t i
        self.require_found()
        return [
            PossibleDuplicate(out.pairs[i].first, out.pairs[i].second, out.pairs[i].score)
            for i in range(out.pair_count)
        ]

    def are_together(self, first not None, second not None):
        cdef const Game *left = self.game(first)
        cdef const Game *right = self.game(second)
        cdef const Game *games = self.s.all.games
        return self.homes[left - games] == self.homes[right - games]

    @property
    def pair_bits(self):
        return BUCKET_BITS + INDEX_BITS + self.s.all.low_bits + CONDITION_BITS

    @property
    def pairs_judged(self):
        return self.judged

    @property
    def memory(self):
        return self.batch.memory + self.results.capacity * sizeof(Member)
