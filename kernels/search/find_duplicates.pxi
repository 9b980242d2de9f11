"""Find duplicate games: candidate pairs, verdicts, groups.

Works without the GIL on the arrays of a GameBatch. The caller passes the weights.
"""


from blocking_keys cimport (
    KEYS_A_GAME, KeySet, Keys, add_move_keys, add_player_keys, close_key_set, free_keys,
    open_key_set,
)
from candidate_pairs cimport Edge, judge_pairs, pair_equal_games
from duplicate_groups cimport Groups, close_groups, enter_decision
from equal_records cimport pair_equal_records
from evidence cimport theory_only_weakens
from game_record cimport free_order, make_outlines
from kernel_constants cimport constants
from known_verdicts cimport (
    choose_keys, count_touched, mark_games, settle_edges, sort_edges, sort_known, store_edge,
)
from move_order cimport find_lines
from opening_theory cimport find_ends, find_shared, find_theory, find_theory_again
from pair_memo cimport open_memo
from search_results cimport (
    Member, Results, append_results, free_results, group_edges, list_groups, list_pairs,
    order_edges, sort_results, unite_edges,
)
from web_addresses cimport add_address_keys


CONSTANTS = constants()

SOURCES = ("moves", "players", "addresses")    # of blocking keys

cdef enum:
    # Indexes in SOURCES.
    BY_MOVES, BY_PLAYERS, BY_ADDRESS


cdef class DuplicateFinder(SortedGames):
    """The search for duplicates among the games of a batch.

    Call the stages once each, in the order of their definition. After finish(), call the other
    methods in any order.
    """
    cdef Numbers open_lines
    cdef uint32_t *homes           # by place: its component; after grouping, its group
    cdef Numbers order             # edges by component
    cdef EdgeList connected
    cdef Results results
    cdef uint64_t judged
    cdef int64_t last_id           # highest ID of the previous search
    cdef KeySet chosen             # the only keys that are made; empty: all keys are made
    cdef size_t kept               # known edges that must be looked up again

    def __dealloc__(self):
        free_numbers(&self.open_lines)
        free_results(&self.results)
        free_numbers(&self.order)
        close_key_set(&self.chosen)
        free(self.homes)

    def use_known(self, int64_t last_id):
        """Set the highest ID of the previous search; call it after the games are sorted."""
        self.require_range(0, 0)
        self.last_id = last_id
        self.s.all.marks = <uint8_t *>allocate(self.batch.ids.count, 1)

    def load_known(self, const uint8_t[::1] edges not None):
        """Load edges that judged_edges() yielded; lines must be numbered."""
        if edges.shape[0] % EDGE_BYTES:
            raise ValueError(f"known edges: {edges.shape[0]} bytes, not a multiple of {EDGE_BYTES}")
        if edges.shape[0] and not load_edges(
            &self.s, &edges[0], edges.shape[0] // EDGE_BYTES, self.places, self.batch.ids.count
        ):
            raise ValueError("an edge of the previous search refers to an unknown game")

    def find_lines(self, size_t first, size_t end):
        """Number the mainlines of a range of places that begins and ends with a line."""
        cdef size_t i
        self.require_range(first, end)
        with nogil:
            find_lines(self.s.all, first, end)
            make_outlines(self.s.all, first, end)
            for i in range(first, end):
                self.places[index_in(&self.batch.ids, self.s.all.games[i].game_id)] = <uint32_t>i

    def find_shared(self, size_t first, size_t end):
        """Count the plies that each game shares with the one before; lines are numbered."""
        self.require_range(first, end)
        with nogil:
            find_shared(self.s.all, first, end)

    def find_theory(self, size_t first, size_t end):
        """Count the plies that the games of a range share with unrelated games."""
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

    def find_ends(self, size_t first, size_t end):
        """Find which games continue those of a range; pass the ranges in order."""
        self.require_range(first, end)
        with nogil:
            find_ends(self.s.all, first, end, &self.open_lines)

    def add_keys(
        self, str source not None, size_t first, size_t end, NumberBuckets keys not None,
        bint by_line=False,
    ):
        """Add the blocking keys of a range of places: see the stub."""
        cdef int kind = SOURCES.index(source)
        cdef Keys work
        self.require_range(first, end)
        memset(&work, 0, sizeof(Keys))
        work.keys = &keys.buckets
        work.chosen = &self.chosen if self.chosen.words != NULL else NULL
        work.by_line = by_line and not self.s.all.is_go
        try:
            with nogil:
                if kind == BY_ADDRESS:
                    add_address_keys(self.s.all, first, end, &work)
                elif kind == BY_PLAYERS:
                    add_player_keys(self.s.all, first, end, &work)
                else:
                    add_move_keys(self.s.all, first, end, &work)
        finally:
            free_keys(&work)

    def pair_by_keys(
        self, str source not None, NumberBuckets keys not None, int bucket,
        NumberBuckets pairs not None, bint by_line=False,
    ):
        """Add the candidate pairs of games that share a key of a bucket; empty the bucket."""
        cdef int kind = SOURCES.index(source)
        cdef Numbers *numbers = keys.part(bucket)
        with nogil:
            sort_numbers(numbers, keys.buckets.shift)
            if kind == BY_ADDRESS:
                pair_by_addresses(self.s.all, numbers, &pairs.buckets)
            else:
                pair_by_keys(
                    self.s.all, numbers, kind == BY_PLAYERS,
                    by_line and kind == BY_MOVES and not self.s.all.is_go, &pairs.buckets,
                )
            free_numbers(numbers)

    def pair_equal_games(self, size_t first, size_t end, NumberBuckets pairs not None):
        """Add candidate pairs of games with one mainline; ranges as in find_lines()."""
        self.require_range(first, end)
        with nogil:
            pair_equal_games(self.s.all, first, end, &pairs.buckets)

    def pair_equal_records(self, size_t first, size_t end, NumberBuckets pairs not None):
        """Add pairs of equal records of several sources; ranges as in find_lines(), in order."""
        self.require_range(first, end)
        with nogil:
            pair_equal_records(self.s.all, first, end, &pairs.buckets)

    def sort_known(self):
        """Sort the known edges; call it before judge()."""
        sort_known(&self.s)

    def count_touched(self):
        """Return the number of games whose verdicts may differ from the previous search."""
        self.require_marks()
        return count_touched(self.s.all)

    cdef int require_marks(self) except -1:
        self.require_range(0, 0)
        if self.s.all.marks == NULL:
            raise ValueError("no previous search is loaded")

    def choose_keys(self, size_t first, size_t end):
        """Choose the keys of the touched games of a range of places: see the stub."""
        self.require_marks()
        self.require_range(first, end)
        if self.chosen.words == NULL:
            open_key_set(&self.chosen, 2 * KEYS_A_GAME * count_touched(self.s.all))
        with nogil:
            choose_keys(self.s.all, first, end, &self.chosen)

    def settle_known(
        self, EdgeList edges not None, NumberBuckets pairs not None, size_t first, size_t most
    ):
        """Keep known edges that hold whatever other keys there are: see the stub."""
        cdef size_t count = self.s.known.count
        cdef size_t end = min(first + most, count)
        if self.chosen.words == NULL:
            raise ValueError("choose_keys() has not been called")
        with nogil:
            settle_edges(
                &self.s, first, end, &self.kept, &self.chosen, &edges.edges, &pairs.buckets
            )
        if end < count:
            return end
        self.s.known.count = self.kept
        self.s.all.skips_settled = True
        return 0

    def judge(
        self, NumberBuckets pairs not None, int bucket, EdgeList edges not None, size_t first,
        size_t most,
    ):
        """Judge distinct pairs of a bucket from index `first` on: see the stub."""
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
        """Sort the edges; yield all, `most` at a time, in the format of load_known()."""
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

    def connect(self, EdgeList edges not None, decisions=()):
        """Find the connected components of all edges; return the number of edges within components.

        `decisions`: (ID, ID, True for a match) as declared by the user.
        """
        for first, second, is_same in decisions:
            self.decide(first, second, is_same, edges)
        free_order(self.s.all)
        self.s.all.skips_settled = False
        free(self.s.known.items)
        memset(&self.s.known, 0, sizeof(Edges))
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
        """Group the components that begin in a range of edges: see the stub."""
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
        """Merge the results of all group() calls; afterwards results can be queried."""
        sort_results(&self.results)
        free_numbers(&self.order)
        self.connected = None
        self.is_searched = True

    cdef void reset_homes(self) noexcept nogil:
        cdef size_t i
        for i in range(self.batch.ids.count):
            self.homes[i] = <uint32_t>i

    cdef int decide(self, first, second, bint is_same, EdgeList edges) except -1:
        cdef int64_t left = self.place(first)
        cdef int64_t right = self.place(second)
        if left < 0 or right < 0 or left == right:
            return 0                       # one of the games no longer exists
        enter_decision(
            &self.s, <uint32_t>min(left, right), <uint32_t>max(left, right), is_same, &edges.edges
        )

    def groups_found(self):
        """Return arrays of the groups of two or more games (IDs, mainlines, ends): see the stub."""
        self.require_found()
        return GroupsFound._make(list_groups(&self.results))

    def suspects_found(self):
        """Return the possible duplicates: see the stub.

        Lists the strongest pair between two groups, and no pair between contradicting groups unless
        an ambiguous game matches both. A group that would have too many possible duplicates has
        none, since a match with so many games says nothing.
        """
        self.require_found()
        return list(map(PossibleDuplicate._make, list_pairs(&self.results)))

    def are_together(self, first not None, second not None):
        """Return whether two games are in one group; raise KeyError for an unknown ID."""
        cdef const Game *left = self.game(first)
        cdef const Game *right = self.game(second)
        cdef const Game *games = self.s.all.games
        return self.homes[left - games] == self.homes[right - games]

    @property
    def pair_bits(self):
        """Bits of the number that encodes a candidate pair."""
        return BUCKET_BITS + PLACE_BITS + self.s.all.low_bits + CONDITION_BITS

    @property
    def pairs_judged(self):
        """Number of candidate pairs whose moves were compared."""
        return self.judged

    @property
    def memory(self):
        """Bytes used by games, names and results."""
        return self.batch.memory + self.results.room * sizeof(Member)
