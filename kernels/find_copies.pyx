"""Find the games that are records of one played game: scan, candidates, verdicts, groups.

Works on arrays of its own without the GIL; rows come straight from SQLite, whose loadable
extension this module is opened as (see sqlite_api.h). What the weights are, the caller says.
"""

from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport int64_t, uint16_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from copy_addresses cimport (
    enter_addresses, enter_site_addresses, games_with_address_tags, try_addresses,
)
from copy_evidence cimport FEW_DIFFERENCES, FEW_IN_GO, Judgement, Rules, compare_players, judge
from copy_game cimport NO_NAME, EventText, Game, Games, free_games, moves_of, place_of, reserve
from copy_gates cimport gate_names
from copy_groups cimport (
    Groups, apply_decision, close_groups, enter_decision, make_groups, open_groups,
)
from copy_keys cimport Keys, add_move_keys, add_player_keys, sort_keys
from copy_names cimport load_names, load_texts
from copy_order cimport sort_games
from copy_pairs cimport MOST_OF_MOVES, MOST_OF_PLAYERS, Edge, Search, try_equal_games, try_keys
from copy_records cimport try_equal_records
from copy_results cimport fields_of, list_groups, list_suspects
from copy_scan cimport OCG_ODD_VALUE, OddValue, scan_rows
from copy_theory cimport find_theory
from copy_turn cimport is_changed, turn_between, turn_moves
from copy_weights cimport numbers_of, term_names, weight_names
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

cdef enum:
    MOST_GAMES = 1 << 26


class SqliteError(Exception):
    """SQLite refused: its extended result code and its message."""


cdef class CopyFinder:
    """The games of one database, and what of them are copies.

    To be used in this order: load_players(), load_events(), load_sites(), scan_games(),
    scan_headers(), find(); then the rest in any order.
    """
    cdef Search s
    cdef Groups groups
    cdef int64_t *ids              # of all games, rising
    cdef uint32_t *places          # of these games in sorted order
    cdef size_t scanned
    cdef bint sorted
    cdef bint found

    def __cinit__(
        self, weights not None, gates not None, bint is_go=False, named=None, int min_shorter=0
    ):
        """Take the weights and the gates by their names (see the stub)."""
        cdef Rules *r = &self.s.rules
        memset(&self.s, 0, sizeof(Search))
        memset(&self.groups, 0, sizeof(Groups))
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
        close_groups(&self.groups)
        free(self.ids)
        free(self.places)
        free(self.s.edges)
        free(self.s.seen.slots)
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

    def find(self, decisions=()):
        """Find groups; `decisions`: (ID, ID, whether they are one game) as the user said."""
        cdef bint ok
        cdef list decided = [
            (int(first), int(second), bool(is_same)) for first, second, is_same in decisions
        ]
        if self.sorted:
            raise ValueError("copies have been looked for")
        if self.ids == NULL:
            raise ValueError("no games have been read")
        self.sorted = True
        with nogil:
            ok = sort_games(&self.s.all) and find_theory(&self.s.all)
        if not ok:
            raise MemoryError("no memory to sort the games")
        self.fill_places()
        with nogil:
            try_equal_records(&self.s)
            try_addresses(&self.s)
            try_equal_games(&self.s)
        self.try_source(False)
        self.try_source(True)
        if not open_groups(&self.groups, self.s.all.count):
            raise MemoryError("no memory for groups of games")
        for first, second, is_same in decided:
            self.decide(first, second, is_same)
        with nogil:
            make_groups(&self.s, &self.groups)
        self.check_memory()
        self.found = True

    cdef int check_memory(self) except -1:
        if self.s.out_of_memory:
            raise MemoryError("no memory for pairs of games")
        return 0

    cdef int try_source(self, bint players) except -1:
        """Compare the games that share keys, by moves or by players."""
        cdef Keys keys
        cdef bint ok
        memset(&keys, 0, sizeof(Keys))
        with nogil:
            if players:
                ok = add_player_keys(&self.s.all, &keys)
            else:
                ok = add_move_keys(&self.s.all, &keys)
            if ok:
                sort_keys(keys.keys, keys.count)
                try_keys(
                    &self.s, &keys, MOST_OF_PLAYERS if players else MOST_OF_MOVES, players
                )
            free(keys.keys)
            free(keys.shape)
        if not ok:
            raise MemoryError("no memory for the keys of games")
        return self.check_memory()

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

    cdef int decide(self, first, second, bint is_same) except -1:
        cdef int64_t left = self.place(first)
        cdef int64_t right = self.place(second)
        if left < 0 or right < 0 or left == right:
            return 0                       # one of them is gone
        enter_decision(
            &self.s, &self.groups, <uint32_t>min(left, right), <uint32_t>max(left, right), is_same
        )
        return self.check_memory()

    def groups_found(self):
        """Return arrays of the groups of two or more games: IDs, mainlines, ends: see the stub."""
        self.require_found()
        return list_groups(&self.s.all, &self.groups, self.places)

    def suspects_found(self):
        """Return (ID, ID, score) of pairs that are likely one game, but not sure to be.

        Of several pairs between two groups the surest; none between groups that contradict each
        other, unless one game fits both; none of a group that fits many others: what fits so many
        says nothing.
        """
        self.require_found()
        return list_suspects(&self.s, &self.groups)

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
        fields = fields_of(
            &found, max(left.theory, right.theory), self.turn_of(left, right, found.turn)
        )
        return Comparison(terms=Terms(**found.terms), **fields)

    def __contains__(self, game_id):
        """Tell if a game was read."""
        return place_of(self.ids, self.scanned, game_id) != NO_NAME

    def are_together(self, first not None, second not None):
        """Tell if two games came into one group; raise KeyError for an unknown ID."""
        cdef const Game *left = self.game(first)
        cdef const Game *right = self.game(second)
        cdef const Game *games = self.s.all.games
        return self.groups.home[left - games] == self.groups.home[right - games]

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
    def pairs_judged(self):
        """Number of candidate pairs whose moves were compared."""
        return self.s.judged

    @property
    def memory(self):
        """Bytes held for games, pairs and groups."""
        cdef Games *all = &self.s.all
        return (
            all.room * sizeof(Game) + 2 * all.moves_room + all.name_room * sizeof(ParsedName)
            + (all.event_room + all.site_room) * sizeof(EventText)
            + self.s.edge_room * sizeof(Edge) + self.s.seen.room * sizeof(uint64_t)
            + all.count * (7 * sizeof(uint32_t) + 3 + sizeof(double) + sizeof(int64_t))
        )
