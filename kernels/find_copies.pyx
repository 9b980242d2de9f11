"""Find the games that are records of one played game: scan, candidates, verdicts, groups.

Works on arrays of its own without the GIL; rows come straight from SQLite, whose loadable
extension this module is opened as (see sqlite_api.h). What the weights are, the caller says.
"""

from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport int64_t, uint16_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from copy_addresses cimport (
    enter_addresses, enter_site_addresses, games_with_address_tags, pair_addresses,
)
from copy_components cimport group_edges, order_edges, unite_edges
from copy_evidence cimport FEW_DIFFERENCES, FEW_IN_GO, Judgement, Rules, compare_players, judge
from copy_game cimport NO_NAME, EventText, Game, Games, free_games, moves_of, place_of, reserve
from copy_gates cimport gate_names
from copy_groups cimport Groups, apply_decision, close_groups, enter_decision
from copy_keys cimport PLACE_BITS, Keys, add_move_keys, add_player_keys
from copy_names cimport load_names, load_texts
from copy_numbers cimport (
    BUCKETS as BUCKET_COUNT, BUCKET_BITS, Buckets, Numbers, add_numbers, free_buckets,
    free_numbers, sort_numbers,
)
from copy_order cimport find_lines, sort_games, start_of_line
from copy_pairs cimport (
    CONDITION_BITS, Edges, Search, append_edges, judge_pairs, pair_by_keys, pair_equal_games,
)
from copy_records cimport pair_equal_records
from copy_results cimport (
    Member, Results, append_results, field_names, fields_of, free_results, list_groups, list_pairs,
    sort_results,
)
from copy_scan cimport OCG_ODD_VALUE, OddValue, scan_rows
from copy_theory cimport find_theory
from copy_turn cimport is_changed, turn_between, turn_moves
from copy_weights cimport numbers_of, term_names, terms_of, weight_names
from fen cimport set_start
from go_symmetry cimport go_turn_back
from kernel_constants cimport constants
from player_name cimport ParsedName
from position cimport ocg_fill_tables
from sqlite_api cimport OCG_SQLITE_OK, ocg_sqlite_api, open_sqlite, sqlite3

from ocgdedup.model import Comparison, Terms

ocg_fill_tables()

ENTRY_POINT = "ocgdedup_rows_init"     # of the extension: see sqlite_api.h
WEIGHTS, TERMS, GATES = weight_names(), term_names(), gate_names()
CONSTANTS = constants()
if Comparison._fields != field_names() or Terms._fields != TERMS:
    raise ImportError("model.py is of another version than the kernels; build the kernels again")

BUCKETS = BUCKET_COUNT

cdef enum:
    MOST_GAMES = 1 << 26


class SqliteError(Exception):
    """SQLite refused: its extended result code and its message."""


cdef int require_memory(bint ok) except -1:
    if not ok:
        raise MemoryError("no memory for the search for duplicates")
    return 0


cdef class NumberBuckets:
    """Numbers of 64 bits by their top bits: blocking keys or candidate pairs."""
    cdef Buckets buckets

    def __cinit__(self, int bits=64):
        memset(&self.buckets, 0, sizeof(Buckets))
        if not BUCKET_BITS <= bits <= 64:
            raise ValueError(f"numbers of {bits} bits")
        self.buckets.shift = bits - BUCKET_BITS

    def __dealloc__(self):
        free_buckets(&self.buckets)

    cdef Numbers *part(self, int bucket) except NULL:
        if not 0 <= bucket < BUCKET_COUNT:
            raise ValueError(f"no bucket {bucket}")
        return &self.buckets.parts[bucket]

    def take(self, NumberBuckets other not None, int bucket):
        """Move a bucket of another here, behind what is there."""
        cdef Numbers *source = other.part(bucket)
        require_memory(add_numbers(self.part(bucket), source.items, source.count))
        free_numbers(source)


cdef class EdgeList:
    """Edges: pairs whose verdict is worth keeping."""
    cdef Edges edges

    def __cinit__(self):
        memset(&self.edges, 0, sizeof(Edges))

    def __dealloc__(self):
        free(self.edges.items)

    def take(self, EdgeList other not None):
        """Move the edges of another here."""
        require_memory(append_edges(&self.edges, &other.edges))
        free(other.edges.items)
        memset(&other.edges, 0, sizeof(Edges))


cdef class CopyFinder:
    """The games of one database, and what of them are copies.

    To be used in this order: load_players(), load_events(), load_sites(), scan_games(),
    scan_headers(), find(); then the rest in any order.
    """
    cdef Search s
    cdef int64_t *ids              # of all games, rising
    cdef uint32_t *places          # of these games in sorted order
    cdef uint32_t *homes           # of each place: its component, then where its group begins
    cdef Numbers order             # edges by component
    cdef EdgeList connected
    cdef Results results
    cdef uint64_t judged
    cdef size_t scanned
    cdef bint found

    def __cinit__(
        self, weights not None, gates not None, bint is_go=False, named=None, int min_shorter=0
    ):
        """Take the weights and the gates by their names (see the stub)."""
        cdef Rules *r = &self.s.rules
        memset(&self.s, 0, sizeof(Search))
        memset(&self.results, 0, sizeof(Results))
        memset(&self.order, 0, sizeof(Numbers))
        r.weights = numbers_of("weights", weights, WEIGHTS)
        r.join = numbers_of("gates", gates, GATES)
        if named is not None:
            r.has_named = True
            r.named = numbers_of("gates", named, GATES)
        r.min_shorter = min_shorter
        set_start(&self.s.standard)
        self.s.all.is_go = is_go
        r.few_differences = FEW_IN_GO if is_go else FEW_DIFFERENCES

    def __dealloc__(self):
        free_games(&self.s.all)
        free_results(&self.results)
        free_numbers(&self.order)
        free(self.ids)
        free(self.places)
        free(self.homes)
        free(self.s.same.slots)
        free(self.s.different.slots)

    def load_players(self, rows not None, fold not None):
        """Enter (ID, name, ...) by rising ID; `fold` brings a name that is not ASCII to ASCII."""
        load_names(&self.s.all, rows, fold)

    def load_events(self, rows not None):
        """Enter (ID, text, ...) by rising ID."""
        cdef Games *all = &self.s.all
        load_texts(rows, &all.event_ids, &all.events, &all.event_count, &all.event_room)

    def load_sites(self, rows not None, addresses=()):
        """Enter (ID, text, ...) by rising ID, and addresses of games: see the stub."""
        cdef Games *all = &self.s.all
        load_texts(rows, &all.site_ids, &all.sites, &all.site_count, &all.site_room)
        enter_site_addresses(all, addresses)

    def scan_games(self, connection not None, sql not None):
        """Read games by rising ID; return how many. The columns: see copy_scan.pxd.

        `connection`: an apsw.Connection that has just loaded this module by ENTRY_POINT, in this
        thread.
        """
        cdef size_t i
        if self.ids != NULL:
            raise ValueError("games have been read")
        self.run_statement(connection, sql, False)
        self.scanned = self.s.all.count
        self.reserve_turned()
        if self.scanned >= MOST_GAMES:
            raise ValueError(f"{self.scanned} games; {MOST_GAMES} can be compared at once")
        self.ids = <int64_t *>malloc((self.scanned + 1) * sizeof(int64_t))
        if self.ids == NULL:
            raise MemoryError("no memory for the IDs of games")
        for i in range(self.scanned):
            self.ids[i] = self.s.all.games[i].game_id
            if i and self.ids[i] <= self.ids[i - 1]:
                raise ValueError(f"ID {self.ids[i]} comes after ID {self.ids[i - 1]}")
        return self.scanned

    cdef int reserve_turned(self) except -1:
        """See that a turned copy of any game has room behind the moves of all."""
        cdef Games *all = &self.s.all
        if not reserve(<void **>&all.arena, &all.moves_room, all.moves + all.longest + 8, 2):
            raise MemoryError("no memory for the games")
        return 0

    def scan_headers(self, connection not None, sql not None):
        """Read headers that take the place of those the games have now; arguments as above."""
        self.run_statement(connection, sql, True)

    def load_addresses(self, rows_of not None):
        """Enter the addresses that tags hold: see the stub."""
        enter_addresses(&self.s.all, self.ids, rows_of(games_with_address_tags(&self.s.all)))

    cdef int run_statement(self, connection, sql, bint patch) except -1:
        cdef sqlite3 *db = <sqlite3 *><uintptr_t>connection.sqlite3_pointer()
        cdef const ocg_sqlite_api *api = open_sqlite(db)
        cdef bytes text = sql.encode()
        cdef const char *statement = text
        cdef bint ok = True
        cdef int code
        cdef OddValue odd
        odd.column = -1
        with nogil:
            code = scan_rows(
                api, db, statement, &self.s.all, &self.s.standard, self.ids if patch else NULL,
                &ok, &odd,
            )
        if not ok:
            raise MemoryError("no memory for the games")
        if code == OCG_ODD_VALUE:
            raise TypeError(
                f"game {odd.game_id}: column {odd.column} of the statement has another type"
            )
        if code != OCG_SQLITE_OK:
            message = (<bytes>api.errmsg(db)).decode("utf-8", "replace")
            raise SqliteError(code, message)
        return 0

    # --- stages ---------------------------------------------------------------------------------

    def sort(self):
        """Bring the games that were read in order: see the stub."""
        cdef bint ok
        cdef size_t i
        cdef Games *all = &self.s.all
        if self.homes != NULL:
            raise ValueError("the games have been sorted")
        if self.ids == NULL:
            raise ValueError("no games have been read")
        self.homes = <uint32_t *>malloc((self.scanned + 1) * sizeof(uint32_t))
        all.lines = <uint32_t *>malloc((self.scanned + 1) * sizeof(uint32_t))
        if self.homes == NULL or all.lines == NULL:
            raise MemoryError("no memory to sort the games")
        for i in range(self.scanned):
            self.homes[i] = <uint32_t>i
        with nogil:
            ok = sort_games(all)
        require_memory(ok)
        self.fill_places()

    def start_of_line(self, size_t place):
        """Return where the first mainline begins that begins at a place or later."""
        return start_of_line(&self.s.all, place)

    def find_lines(self, size_t first, size_t end):
        """Number the mainlines of a range of places that begins and ends with a line."""
        self.require_range(first, end)
        with nogil:
            find_lines(&self.s.all, first, end)

    def find_theory(self, size_t first, size_t end):
        """Find how many plies the games of a range share with unrelated ones."""
        cdef bint ok
        self.require_range(first, end)
        with nogil:
            ok = find_theory(&self.s.all, first, end)
        require_memory(ok)

    def add_keys(self, bint by_players, size_t first, size_t end, NumberBuckets keys not None):
        """Add the blocking keys of a range of places."""
        cdef bint ok
        cdef Keys work
        self.require_range(first, end)
        memset(&work, 0, sizeof(Keys))
        work.keys = &keys.buckets
        with nogil:
            if by_players:
                ok = add_player_keys(&self.s.all, first, end, &work)
            else:
                ok = add_move_keys(&self.s.all, first, end, &work)
            free(work.shape)
        require_memory(ok)

    def pair_by_keys(
        self, bint by_players, NumberBuckets keys not None, int bucket,
        NumberBuckets pairs not None,
    ):
        """Add the candidate pairs of games that share a key of a bucket, which is emptied."""
        cdef bint ok
        cdef Numbers *numbers = keys.part(bucket)
        with nogil:
            sort_numbers(numbers, keys.buckets.shift)
            ok = pair_by_keys(&self.s.all, numbers, by_players, &pairs.buckets)
            free_numbers(numbers)
        require_memory(ok)

    def pair_equal_games(self, size_t first, size_t end, NumberBuckets pairs not None):
        """Add the candidate pairs of games of one line, of a range as find_lines() takes it."""
        cdef bint ok
        self.require_range(first, end)
        with nogil:
            ok = pair_equal_games(&self.s.all, first, end, &pairs.buckets)
        require_memory(ok)

    def pair_equal_records(self, size_t first, size_t end, NumberBuckets pairs not None):
        """Add pairs of equal records of several sources; ranges as above, in order."""
        cdef bint ok
        self.require_range(first, end)
        with nogil:
            ok = pair_equal_records(&self.s.all, first, end, &pairs.buckets)
        require_memory(ok)

    def pair_addresses(self, NumberBuckets pairs not None):
        """Add the pairs of games that share an address on the web."""
        cdef bint ok
        with nogil:
            ok = pair_addresses(&self.s.all, &pairs.buckets)
        require_memory(ok)

    def judge(self, NumberBuckets pairs not None, int bucket, EdgeList edges not None):
        """Judge the distinct pairs of a bucket, which is emptied, and add those worth keeping."""
        cdef bint ok
        cdef Numbers *numbers = pairs.part(bucket)
        with nogil:
            sort_numbers(numbers, pairs.buckets.shift)
            ok = judge_pairs(&self.s, numbers, 0, numbers.count, &edges.edges)
            free_numbers(numbers)
        require_memory(ok)

    def connect(self, EdgeList edges not None, decisions=()):
        """Find the connected components of all edges; return how many edges these have.

        `decisions`: (ID, ID, whether they are one game) as the user said.
        """
        cdef bint ok
        for first, second, is_same in decisions:
            self.decide(first, second, is_same, edges)
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
        for i in range(self.scanned):
            self.homes[i] = <uint32_t>i

    cdef int require_range(self, size_t first, size_t end) except -1:
        if self.homes == NULL or not first <= end <= self.scanned:
            raise ValueError(f"no sorted games from {first} to {end}")
        return 0

    cdef int fill_places(self) except -1:
        """Note where each game stands now."""
        cdef size_t i
        self.places = <uint32_t *>malloc((self.scanned + 1) * sizeof(uint32_t))
        if self.places == NULL:
            raise MemoryError("no memory for the places of games")
        for i in range(self.s.all.count):
            self.places[place_of(self.ids, self.scanned, self.s.all.games[i].game_id)] = <uint32_t>i
        return 0

    cdef int require_found(self) except -1:
        if not self.found:
            raise ValueError("copies have not been looked for")
        return 0

    cdef int64_t place(self, game_id) except -2:
        """Return the place of a game in sorted order, -1 if there is none of that ID."""
        cdef uint32_t found = place_of(self.ids, self.scanned, game_id)
        return -1 if found == NO_NAME else self.places[found]

    cdef const Game *game(self, game_id) except NULL:
        """Return a game, after the search; raise KeyError if there is none of that ID."""
        cdef int64_t found
        self.require_found()
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
            &self.s.all, &self.s.rules, &self.s.standard, min(left, right), max(left, right),
            lenient, &found,
        )
        apply_decision(&self.s, min(left, right), max(left, right), &found)
        return tuple.__new__(Comparison, fields_of(
            &found, max(left.theory, right.theory), self.turn_of(left, right, found.turn),
            tuple.__new__(Terms, terms_of(&found.terms)),
        ).values())

    def __contains__(self, game_id):
        """Tell if a game was read."""
        return place_of(self.ids, self.scanned, game_id) != NO_NAME

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
            &self.s.all, &self.s.rules.weights, min(left, right), max(left, right), &found
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
                &self.s.all, &self.s.rules, &self.s.standard, min(left, right), max(left, right),
                True, &found,
            )
        return self.turn_of(left, right, found.turn)

    cdef int turn_of(self, const Game *left, const Game *right, int symmetry):
        """Return what turns a record to another; `symmetry` turns the later one in order."""
        cdef int found
        if not left.lines or not right.lines:
            return 0
        found = turn_between(left, right, symmetry if left < right else go_turn_back(symmetry))
        return found if is_changed(&self.s.all, right, found) else 0

    cdef bytes turned(self, const Game *game, int symmetry, int again=0):
        """Return moves, turned as they are compared, by one or two symmetries."""
        cdef bytes moves = <bytes>(<const char *>moves_of(&self.s.all, game))[:2 * game.plies]
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
        """Whether the games are of Go."""
        return bool(self.s.all.is_go)

    @property
    def games(self):
        """Number of games that were read."""
        return self.s.all.count

    @property
    def pair_bits(self):
        """Bits of a candidate pair as a number, at least those of a bucket."""
        cdef int bits = PLACE_BITS + CONDITION_BITS
        while self.scanned >> (bits - PLACE_BITS - CONDITION_BITS):
            bits += 1
        return bits

    @property
    def pairs_judged(self):
        """Number of candidate pairs whose moves were compared."""
        return self.judged

    @property
    def memory(self):
        """Bytes held for games, names and results."""
        cdef Games *all = &self.s.all
        return (
            all.room * sizeof(Game) + 2 * all.moves_room + all.name_room * sizeof(ParsedName)
            + (all.event_room + all.site_room) * sizeof(EventText)
            + all.count * (3 * sizeof(uint32_t) + sizeof(int64_t))
            + self.results.room * sizeof(Member)
        )
