"""Find the games that are records of one played game: candidates, verdicts, groups.

Works without the GIL on the arrays of a GameBatch. What the weights are, the caller says.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from copy_addresses cimport add_address_keys, pair_by_addresses
from copy_components cimport group_edges, order_edges, unite_edges
from copy_evidence cimport FEW_DIFFERENCES, FEW_IN_GO, Judgement, Rules, compare_players, judge
from copy_game cimport (
    NO_NAME, Game, Games, Outline, make_outlines, moves_of, require_memory, reserve,
)
from copy_gates cimport gate_names
from copy_groups cimport Groups, apply_decision, close_groups, enter_decision
from copy_keys cimport PLACE_BITS, Keys, add_move_keys, add_player_keys, free_keys
from copy_known cimport EDGE_BYTES, load_edges, mark_games, sort_edges, sort_known, store_edge
from copy_numbers cimport BUCKET_BITS, Numbers, free_numbers, sort_numbers
from copy_order cimport find_lines, sort_games, start_of_line
from copy_pairs cimport (
    CONDITION_BITS, Edge, Edges, Search, judge_pairs, pair_by_keys, pair_equal_games,
)
from copy_records cimport pair_equal_records
from copy_results cimport (
    Member, Results, append_results, field_names, fields_of, free_results, list_groups, list_pairs,
    sort_results,
)
from copy_theory cimport find_ends, find_shared, find_theory
from copy_turn cimport is_changed, turn_between, turn_moves
from copy_weights cimport numbers_of, term_names, terms_of, weight_names
from fen cimport set_start
from go_symmetry cimport go_turn_back
from kernel_constants cimport constants
from ocgdedup._kernels.game_batch cimport GameBatch
from ocgdedup._kernels.number_buckets cimport EdgeList, NumberBuckets
from pair_memo cimport open_memo
from position cimport ocg_fill_tables

from ocgdedup.model import Comparison, Terms

ocg_fill_tables()

WEIGHTS, TERMS, GATES = weight_names(), term_names(), gate_names()
CONSTANTS = constants()
if Comparison._fields != field_names() or Terms._fields != TERMS:
    raise ImportError("model.py is of another version than the kernels; build the kernels again")

SOURCES = ("moves", "players", "addresses")    # of blocking keys

cdef enum:
    # Places in SOURCES.
    BY_PLAYERS = 1
    BY_ADDRESS = 2

cdef enum:
    OFTEN = 256                    # games that are asked for before memory is handed back


cdef class CopyFinder:
    """What of the games of a batch are duplicates.

    To be used once, in the order of the stages; then the rest in any order.
    """
    cdef readonly GameBatch batch
    cdef Search s
    cdef size_t asked              # games that were asked for since memory was handed back
    cdef Numbers open_lines
    cdef uint32_t *places          # of the games by rising ID, in sorted order
    cdef uint32_t *homes           # of each place: its component, then where its group begins
    cdef Numbers order             # edges by component
    cdef EdgeList connected
    cdef Results results
    cdef uint64_t judged
    cdef int64_t last_id           # of the games of an earlier search
    cdef bint found

    def __cinit__(
        self, GameBatch batch not None, weights not None, gates not None, named=None,
        int min_shorter=0,
    ):
        """Take the weights and the gates by their names (see the stub)."""
        cdef Rules *r = &self.s.rules
        memset(&self.s, 0, sizeof(Search))
        memset(&self.results, 0, sizeof(Results))
        memset(&self.order, 0, sizeof(Numbers))
        memset(&self.open_lines, 0, sizeof(Numbers))
        r.weights = numbers_of("weights", weights, WEIGHTS)
        r.join = numbers_of("gates", gates, GATES)
        if named is not None:
            r.has_named = True
            r.named = numbers_of("gates", named, GATES)
        r.min_shorter = min_shorter
        set_start(&self.s.standard)
        self.batch = batch
        self.s.all = &batch.all
        r.few_differences = FEW_IN_GO if batch.all.is_go else FEW_DIFFERENCES

    def __dealloc__(self):
        free_numbers(&self.open_lines)
        free_results(&self.results)
        free_numbers(&self.order)
        free(self.places)
        free(self.homes)
        free(self.s.known.items)
        free(self.s.same.slots)
        free(self.s.different.slots)

    def sort(self):
        """Bring the games that were read in order: see the stub."""
        cdef bint ok
        cdef Games *all = self.s.all
        if all.lines != NULL:
            raise ValueError("the games have been sorted")
        if not self.batch.is_complete:
            raise ValueError("no games have been read")
        self.places = <uint32_t *>malloc((self.batch.scanned + 1) * sizeof(uint32_t))
        all.lines = <uint32_t *>malloc((self.batch.scanned + 1) * sizeof(uint32_t))
        all.ends = <uint32_t *>malloc((self.batch.scanned + 1) * sizeof(uint32_t))
        all.shared = <uint16_t *>malloc((self.batch.scanned + 1) * sizeof(uint16_t))
        require_memory(
            self.places != NULL and all.lines != NULL and all.ends != NULL and all.shared != NULL
        )
        while self.batch.scanned >> (BUCKET_BITS + all.low_bits):
            all.low_bits += 1
        if all.is_mapped:
            return
        all.outlines = <Outline *>malloc((self.batch.scanned + 1) * sizeof(Outline))
        require_memory(all.outlines != NULL)
        # A turned record of any Go game has room behind the moves of all.
        require_memory(
            reserve(<void **>&all.arena, &all.moves_room, all.moves + all.longest + 8, 2)
        )
        with nogil:
            ok = sort_games(all)
        require_memory(ok)

    def use_known(self, int64_t last_id):
        """Say that an earlier search had all games up to an ID, once the games are sorted."""
        self.require_range(0, 0)
        self.last_id = last_id
        self.s.all.marks = <uint8_t *>malloc(self.batch.scanned + 1)
        require_memory(self.s.all.marks != NULL)

    def load_known(self, const uint8_t[::1] edges not None):
        """Enter edges of that search, as judged_edges() yields them, once lines are known."""
        if edges.shape[0] % EDGE_BYTES:
            raise ValueError(f"{edges.shape[0]} bytes are no edges")
        if edges.shape[0] and not load_edges(
            &self.s, &edges[0], edges.shape[0] // EDGE_BYTES, self.places, self.batch.scanned
        ):
            raise ValueError("an edge of an earlier search is of a game that is not there")

    def start_of_line(self, size_t place):
        """Return where the first mainline begins that begins at a place or later."""
        return start_of_line(self.s.all, place)

    def find_lines(self, size_t first, size_t end):
        """Number the mainlines of a range of places that begins and ends with a line."""
        cdef size_t i
        self.require_range(first, end)
        with nogil:
            find_lines(self.s.all, first, end)
            make_outlines(self.s.all, first, end)
            for i in range(first, end):
                self.places[self.batch.index_of(self.s.all.games[i].game_id)] = <uint32_t>i

    def find_shared(self, size_t first, size_t end):
        """Find how many plies the games of a range share with the one before, once lines are known.
        """
        self.require_range(first, end)
        with nogil:
            find_shared(self.s.all, first, end)

    def find_theory(self, size_t first, size_t end):
        """Find how many plies the games of a range share with unrelated ones."""
        self.require_range(first, end)
        with nogil:
            find_theory(self.s.all, first, end)
            if self.s.all.marks != NULL:
                mark_games(self.s.all, self.last_id, first, end)

    def find_ends(self, size_t first, size_t end):
        """Find which games continue those of a range; the ranges come in order."""
        cdef bint ok
        self.require_range(first, end)
        with nogil:
            ok = find_ends(self.s.all, first, end, &self.open_lines)
        require_memory(ok)

    def add_keys(self, str source not None, size_t first, size_t end, NumberBuckets keys not None):
        """Add the blocking keys of a range of places: see the stub."""
        cdef bint ok = True
        cdef int kind = SOURCES.index(source)
        cdef Keys work
        self.require_range(first, end)
        memset(&work, 0, sizeof(Keys))
        work.keys = &keys.buckets
        with nogil:
            if kind == BY_ADDRESS:
                ok = add_address_keys(self.s.all, first, end, &keys.buckets)
            elif kind == BY_PLAYERS:
                ok = add_player_keys(self.s.all, first, end, &work)
            else:
                ok = add_move_keys(self.s.all, first, end, &work)
            free_keys(&work)
        require_memory(ok)

    def pair_by_keys(
        self, str source not None, NumberBuckets keys not None, int bucket,
        NumberBuckets pairs not None,
    ):
        """Add the candidate pairs of games that share a key of a bucket, which is emptied."""
        cdef bint ok
        cdef int kind = SOURCES.index(source)
        cdef Numbers *numbers = keys.part(bucket)
        with nogil:
            sort_numbers(numbers, keys.buckets.shift)
            if kind == BY_ADDRESS:
                ok = pair_by_addresses(self.s.all, numbers, &pairs.buckets)
            else:
                ok = pair_by_keys(self.s.all, numbers, kind == BY_PLAYERS, &pairs.buckets)
            free_numbers(numbers)
        require_memory(ok)

    def pair_equal_games(self, size_t first, size_t end, NumberBuckets pairs not None):
        """Add the candidate pairs of games of one line, of a range as find_lines() takes it."""
        cdef bint ok
        self.require_range(first, end)
        with nogil:
            ok = pair_equal_games(self.s.all, first, end, &pairs.buckets)
        require_memory(ok)

    def pair_equal_records(self, size_t first, size_t end, NumberBuckets pairs not None):
        """Add pairs of equal records of several sources; ranges as above, in order."""
        cdef bint ok
        self.require_range(first, end)
        with nogil:
            ok = pair_equal_records(self.s.all, first, end, &pairs.buckets)
        require_memory(ok)

    def sort_known(self):
        """Bring the known edges in order, before pairs are judged."""
        require_memory(sort_known(&self.s))

    def judge(
        self, NumberBuckets pairs not None, int bucket, EdgeList edges not None, size_t first,
        size_t most,
    ):
        """Judge distinct pairs of a bucket from a place on: see the stub."""
        cdef bint ok
        cdef Numbers *numbers = pairs.part(bucket)
        cdef size_t end = min(first + most, numbers.count)
        with nogil:
            if first == 0:
                sort_numbers(numbers, pairs.buckets.shift)
            ok = open_memo(&edges.memo) and judge_pairs(
                &self.s, numbers, first, end, &edges.memo, &edges.edges
            )
            if end == numbers.count:
                free_numbers(numbers)
        require_memory(ok)
        return 0 if numbers.count == 0 else end

    def judged_edges(self, EdgeList edges not None, size_t most):
        """Yield all edges, so many at a time, as load_known() takes them."""
        cdef size_t first = 0
        sort_edges(&edges.edges)
        while first < edges.edges.count:
            yield self.stored(edges, first, min(first + most, edges.edges.count))
            first += most

    cdef bytes stored(self, EdgeList edges, size_t first, size_t end):
        cdef bytes found = PyBytes_FromStringAndSize(NULL, (end - first) * EDGE_BYTES)
        cdef uint8_t *out = <uint8_t *>PyBytes_AS_STRING(found)
        cdef const Edge *edge
        cdef size_t i
        for i in range(first, end):
            edge = &edges.edges.items[i]
            store_edge(
                edge, self.batch.index_of(self.s.all.games[edge.left].game_id),
                self.batch.index_of(self.s.all.games[edge.right].game_id), out,
            )
            out += EDGE_BYTES
        return found

    def connect(self, EdgeList edges not None, decisions=()):
        """Find the connected components of all edges; return how many edges these have.

        `decisions`: (ID, ID, whether they are one game) as the user said.
        """
        cdef bint ok
        for first, second, is_same in decisions:
            self.decide(first, second, is_same, edges)
        free(self.s.all.outlines)
        free(self.s.all.ends)
        free(self.s.all.marks)
        free(self.s.all.shared)
        self.s.all.outlines = NULL
        self.s.all.ends = NULL
        self.s.all.marks = NULL
        self.s.all.shared = NULL
        free(self.s.known.items)
        memset(&self.s.known, 0, sizeof(Edges))
        self.homes = <uint32_t *>malloc((self.batch.scanned + 1) * sizeof(uint32_t))
        require_memory(self.homes != NULL)
        self.reset_homes()
        self.judged = edges.edges.judged
        self.connected = edges
        with nogil:
            unite_edges(self.homes, &edges.edges)
            ok = order_edges(self.homes, &edges.edges, &self.order)
            self.reset_homes()
        require_memory(ok)
        return self.order.count

    def group(self, size_t first, size_t end):
        """Group the components that begin in a range of edges: see the stub."""
        cdef bint ok
        cdef Groups groups
        cdef Edges component
        cdef Results found
        memset(&groups, 0, sizeof(Groups))
        memset(&component, 0, sizeof(Edges))
        memset(&found, 0, sizeof(Results))
        with nogil:
            ok = group_edges(
                &self.s, &self.connected.edges, &self.order, first, end, &groups, &component,
                self.homes, &found,
            )
            close_groups(&groups)
            free(component.items)
        ok = ok and append_results(&self.results, &found)
        free_results(&found)
        require_memory(ok)

    def finish(self):
        """Put together what all calls of group() found; after that all can be asked for."""
        sort_results(&self.results)
        free_numbers(&self.order)
        self.connected = None
        self.found = True

    cdef void reset_homes(self) noexcept nogil:
        cdef size_t i
        for i in range(self.batch.scanned):
            self.homes[i] = <uint32_t>i

    cdef int require_range(self, size_t first, size_t end) except -1:
        if self.places == NULL or not first <= end <= self.batch.scanned:
            raise ValueError(f"no sorted games from {first} to {end}")
        return 0

    cdef int require_found(self) except -1:
        if not self.found:
            raise ValueError("copies have not been looked for")
        return 0

    cdef int64_t place(self, game_id) except -2:
        """Return the place of a game in sorted order, -1 if there is none of that ID."""
        cdef uint32_t found = self.batch.index_of(game_id)
        return -1 if found == NO_NAME else self.places[found]

    cdef const Game *game(self, game_id) except NULL:
        """Return a game, after the search; raise KeyError if there is none of that ID."""
        cdef int64_t found
        self.require_found()
        self.asked += 1
        if self.asked >= OFTEN and self.batch.release is not None:
            self.asked = 0
            self.batch.release()
        found = self.place(game_id)
        if found < 0:
            raise KeyError(game_id)
        return &self.s.all.games[found]

    cdef int decide(self, first, second, bint is_same, EdgeList edges) except -1:
        cdef int64_t left = self.place(first)
        cdef int64_t right = self.place(second)
        if left < 0 or right < 0 or left == right:
            return 0                       # one of them is gone
        require_memory(enter_decision(
            &self.s, <uint32_t>min(left, right), <uint32_t>max(left, right), is_same, &edges.edges
        ))
        return 0

    def groups_found(self):
        """Return arrays of the groups of two or more games: IDs, mainlines, ends: see the stub."""
        self.require_found()
        return list_groups(&self.results)

    def suspects_found(self):
        """Return (ID, ID, score) of pairs that are likely one game, but not sure to be.

        Of several pairs between two groups the surest; none between groups that contradict each
        other, unless one game fits both; none of a group that fits many others: what fits so many
        says nothing.
        """
        self.require_found()
        return list_pairs(&self.results)

    def compare(self, first not None, second not None, bint lenient=False):
        """Return the Comparison of two games; raise KeyError for an unknown ID.

        `lenient`: they are of one group, the question is only what their moves are to each other.
        """
        cdef Judgement found
        cdef const Game *left = self.game(first)
        cdef const Game *right = self.game(second)
        judge(
            self.s.all, &self.s.rules, &self.s.standard, min(left, right), max(left, right),
            lenient, NULL, &found,
        )
        apply_decision(&self.s, min(left, right), max(left, right), &found)
        return tuple.__new__(Comparison, fields_of(
            &found, max(left.theory, right.theory), self.turn_of(left, right, found.turn),
            tuple.__new__(Terms, terms_of(&found.terms)),
        ).values())

    def __contains__(self, game_id):
        """Tell if a game was read."""
        return self.batch.index_of(game_id) != NO_NAME

    def are_together(self, first not None, second not None):
        """Tell if two games came into one group; raise KeyError for an unknown ID."""
        cdef const Game *left = self.game(first)
        cdef const Game *right = self.game(second)
        cdef const Game *games = self.s.all.games
        return self.homes[left - games] == self.homes[right - games]

    def has_swapped_colours(self, first not None, second not None):
        """Tell if the players of two games agree better with the colours exchanged."""
        cdef Judgement found
        cdef const Game *left = self.game(first)
        cdef const Game *right = self.game(second)
        memset(&found, 0, sizeof(Judgement))
        compare_players(
            self.s.all, &self.s.rules.weights, min(left, right), max(left, right), NULL,
            &found,
        )
        return found.swapped

    def mainline(self, game_id not None):
        """Return the move blob of a game as it was read; raise KeyError for an unknown ID."""
        cdef const Game *game = self.game(game_id)
        return self.turned(game, go_turn_back(game.turn))

    def mainline_beside(self, game_id not None, other not None):
        """Return the move blob of a game, turned to lie as another does; KeyError as above."""
        cdef const Game *game = self.game(game_id)
        return self.turned(game, go_turn_back(game.turn), self.turn(other, game_id))

    def turn(self, first not None, second not None):
        """Return what turns the second game to lie as the first: see the stub."""
        cdef Judgement found
        cdef const Game *left = self.game(first)
        cdef const Game *right = self.game(second)
        memset(&found, 0, sizeof(Judgement))
        if left.line != right.line and left.lines and right.lines:
            judge(
                self.s.all, &self.s.rules, &self.s.standard, min(left, right), max(left, right),
                True, NULL, &found,
            )
        return self.turn_of(left, right, found.turn)

    cdef int turn_of(self, const Game *left, const Game *right, int symmetry):
        """Return what turns a record to another; `symmetry` turns the later one in order."""
        cdef int found
        if not left.lines or not right.lines:
            return 0
        found = turn_between(left, right, symmetry if left < right else go_turn_back(symmetry))
        return found if is_changed(self.s.all, right, found) else 0

    cdef bytes turned(self, const Game *game, int symmetry, int again=0):
        """Return moves, turned as they are compared, by one or two symmetries."""
        cdef bytes moves = <bytes>(<const char *>moves_of(self.s.all, game))[:2 * game.plies]
        if game.lines and game.plies and (symmetry or again):
            # A bytes object of our own, which nobody else has seen yet.
            turn_moves(<uint16_t *>PyBytes_AS_STRING(moves), game.plies, game.lines, symmetry)
            turn_moves(<uint16_t *>PyBytes_AS_STRING(moves), game.plies, game.lines, again)
        return moves

    def starts_alike(self, first not None, second not None):
        """Tell if two games start from one position, however it lies; KeyError as above."""
        return self.game(first).start == self.game(second).start

    def starts_elsewhere(self, game_id not None):
        """Tell if a game starts from another position than the standard one."""
        return self.game(game_id).start != 0

    def stones(self, game_id not None):
        """Return how many stones are on a board of Go before the first move; KeyError as above."""
        return self.game(game_id).stones

    @property
    def is_go(self):
        """True for games of Go, False for chess."""
        return bool(self.s.all.is_go)

    @property
    def games(self):
        """Number of games that were read."""
        return self.batch.scanned

    @property
    def pair_bits(self):
        """Bits of a candidate pair as a number."""
        return BUCKET_BITS + PLACE_BITS + self.s.all.low_bits + CONDITION_BITS

    @property
    def pairs_judged(self):
        """Number of candidate pairs whose moves were compared."""
        return self.judged

    @property
    def memory(self):
        """Bytes held for games, names and results."""
        return self.batch.memory + self.results.room * sizeof(Member)
