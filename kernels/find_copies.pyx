"""Find the games that are records of one played game: scan, candidates, verdicts, groups.

Works on arrays of its own without the GIL; rows come straight from SQLite, whose loadable
extension this module is opened as (see sqlite_api.h). What the weights are, the caller says.
"""

from cpython.buffer cimport PyBUF_READ
from cpython.bytes cimport PyBytes_AS_STRING
from cpython.memoryview cimport PyMemoryView_FromMemory
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from copy_addresses cimport (
    add_address_keys, enter_addresses, enter_site_addresses, games_with_address_tags,
    pair_by_addresses,
)
from copy_components cimport group_edges, order_edges, unite_edges
from copy_evidence cimport FEW_DIFFERENCES, FEW_IN_GO, Judgement, Rules, compare_players, judge
from copy_game cimport NO_NAME, EventText, Game, Games, free_games, moves_of, place_of, reserve
from copy_gates cimport gate_names
from copy_groups cimport Groups, apply_decision, close_groups, enter_decision
from copy_keys cimport PLACE_BITS, Keys, add_move_keys, add_player_keys
from copy_names cimport load_names, load_texts
from copy_numbers cimport (
    BUCKETS as BUCKET_COUNT, BUCKET_BITS, Buckets, Numbers, add_number_to, add_numbers,
    free_buckets, free_numbers, sort_numbers,
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
from copy_runs cimport append_games, bound_in_run, pack_moves
from copy_scan cimport OCG_ODD_VALUE, OddValue, Scan, close_scan, open_scan, scan_rows
from copy_theory cimport find_ends, find_shared, find_theory
from copy_turn cimport is_changed, turn_between, turn_moves
from copy_weights cimport numbers_of, term_names, terms_of, weight_names
from fen cimport set_start
from go_symmetry cimport go_turn_back
from kernel_constants cimport constants
from player_name cimport ParsedName
from position cimport ocg_fill_tables
from sqlite_api cimport OCG_SQLITE_OK, open_sqlite, sqlite3

from ocgdedup.model import Comparison, Terms

ocg_fill_tables()

ENTRY_POINT = "ocgdedup_rows_init"     # of the extension: see sqlite_api.h
WEIGHTS, TERMS, GATES = weight_names(), term_names(), gate_names()
CONSTANTS = constants()
if Comparison._fields != field_names() or Terms._fields != TERMS:
    raise ImportError("model.py is of another version than the kernels; build the kernels again")

BUCKETS = BUCKET_COUNT
RECORD_BYTES = sizeof(Game)
SOURCES = ("moves", "players", "addresses")    # of blocking keys

cdef enum:
    # Places in SOURCES.
    BY_PLAYERS = 1
    BY_ADDRESS = 2

cdef enum:
    MOST_GAMES = 1 << 26
    SLICE_PLIES = 1 << 21          # of moves that are handed over at a time
    OFTEN = 256                    # games that are asked for before memory is handed back


class SqliteError(Exception):
    """SQLite refused: its extended result code and its message."""


cdef int require_memory(bint ok) except -1:
    if not ok:
        raise MemoryError("no memory for the search for duplicates")
    return 0


cdef int view_run(Games *run, const uint8_t[::1] records, const uint8_t[::1] moves) except -1:
    """Take two arrays of a run as games that are not to be changed."""
    memset(run, 0, sizeof(Games))
    if records.shape[0] % <Py_ssize_t>sizeof(Game) or records.shape[0] == 0:
        raise ValueError(f"{records.shape[0]} bytes are no games")
    run.games = <Game *>&records[0]
    run.count = records.shape[0] // sizeof(Game)
    if moves is not None and moves.shape[0]:
        run.arena = <uint16_t *>&moves[0]
    return 0


cdef class NumberBuckets:
    """Numbers of 64 bits by their top bits: blocking keys or candidate pairs."""
    cdef Buckets buckets

    def __cinit__(self, int bits=64, int first=0, int end=BUCKET_COUNT):
        memset(&self.buckets, 0, sizeof(Buckets))
        if not BUCKET_BITS <= bits <= 64:
            raise ValueError(f"numbers of {bits} bits")
        if not 0 <= first <= end <= BUCKET_COUNT:
            raise ValueError(f"no buckets from {first} to {end}")
        self.buckets.shift = bits - BUCKET_BITS
        self.buckets.first = first
        self.buckets.end = end

    def __dealloc__(self):
        free_buckets(&self.buckets)

    cdef Numbers *part(self, int bucket) except NULL:
        if not 0 <= bucket < BUCKET_COUNT:
            raise ValueError(f"no bucket {bucket}")
        return &self.buckets.parts[bucket]

    def count(self, int bucket):
        """Return how many numbers a bucket has."""
        return self.part(bucket).count

    def items(self, int bucket):
        """Return the bytes of a bucket, to be used before it changes."""
        cdef Numbers *numbers = self.part(bucket)
        if numbers.count == 0:
            return b""
        return PyMemoryView_FromMemory(<char *>numbers.items, 8 * numbers.count, PyBUF_READ)

    def clear(self, int bucket):
        """Empty a bucket."""
        free_numbers(self.part(bucket))

    def extend(self, int bucket, const uint8_t[::1] items not None):
        """Add numbers to a bucket, as items() returns them."""
        if items.shape[0]:
            require_memory(add_numbers(
                self.part(bucket), <const uint64_t *>&items[0], items.shape[0] // 8
            ))

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
    cdef Scan scan
    cdef object connection         # that is read from
    cdef object mapped             # buffers of the files that games are in
    cdef object release            # hands mapped memory back; None: there is none
    cdef size_t asked              # games that were asked for since
    cdef Games samples
    cdef Numbers ids               # of all games, rising; empty if they have no gaps
    cdef Numbers open_lines
    cdef int64_t first_id
    cdef int64_t last_id
    cdef uint32_t *places          # of the games by rising ID, in sorted order
    cdef uint32_t *homes           # of each place: its component, then where its group begins
    cdef Numbers order             # edges by component
    cdef EdgeList connected
    cdef Results results
    cdef uint64_t judged
    cdef size_t scanned
    cdef bint is_complete          # all games have been read
    cdef bint found

    def __cinit__(
        self, weights not None, gates not None, bint is_go=False, named=None, int min_shorter=0
    ):
        """Take the weights and the gates by their names (see the stub)."""
        cdef Rules *r = &self.s.rules
        memset(&self.s, 0, sizeof(Search))
        memset(&self.results, 0, sizeof(Results))
        memset(&self.order, 0, sizeof(Numbers))
        memset(&self.scan, 0, sizeof(Scan))
        memset(&self.samples, 0, sizeof(Games))
        memset(&self.ids, 0, sizeof(Numbers))
        memset(&self.open_lines, 0, sizeof(Numbers))
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
        close_scan(&self.scan)
        free_games(&self.samples)
        free_games(&self.s.all)
        free_numbers(&self.ids)
        free_numbers(&self.open_lines)
        free_results(&self.results)
        free_numbers(&self.order)
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

    def open_scan(self, connection not None, sql not None, headers=None):
        """Prepare to read games by rising ID: see the stub. The columns: see copy_scan.pxd."""
        cdef bytes text = sql.encode()
        cdef bytes other = b"" if headers is None else headers.encode()
        cdef const char *header_text = NULL
        cdef int code
        if self.is_complete or self.scan.db != NULL:
            raise ValueError("games have been read")
        if headers is not None:
            header_text = other
        self.scan.api = open_sqlite(<sqlite3 *><uintptr_t>connection.sqlite3_pointer())
        self.scan.db = <sqlite3 *><uintptr_t>connection.sqlite3_pointer()
        self.connection = connection
        code = open_scan(&self.scan, text, header_text)
        self.require_read(True, code)

    def scan_more(self, size_t most_bytes=-1):
        """Read games until they take so many bytes, with those in memory; return how many came."""
        cdef Games *all = &self.s.all
        cdef size_t before = all.count
        cdef bint ok = True
        cdef int code
        if self.scan.db == NULL:
            raise ValueError("no scan is open")
        with nogil:
            code = scan_rows(&self.scan, all, &self.s.standard, most_bytes, &ok)
        self.require_read(ok, code)
        self.note_ids(before)
        if self.scan.is_done:
            self.end_scan()
            self.is_complete = True
        return all.count - before

    def end_scan(self):
        """End the reading of games, if it has not ended."""
        close_scan(&self.scan)
        self.connection = None

    @property
    def is_read(self):
        """Whether all games have been read."""
        return bool(self.is_complete)

    cdef int require_read(self, bint ok, int code) except -1:
        """Raise what went wrong while reading, and end it."""
        cdef OddValue odd = self.scan.odd
        if ok and code == OCG_SQLITE_OK:
            return 0
        message = b"" if self.scan.api == NULL else <bytes>self.scan.api.errmsg(self.scan.db)
        self.end_scan()
        require_memory(ok)
        if code == OCG_ODD_VALUE:
            raise TypeError(
                f"game {odd.game_id}: column {odd.column} of the statement has another type"
            )
        raise SqliteError(code, message.decode("utf-8", "replace"))

    cdef int note_ids(self, size_t first) except -1:
        """Note the IDs of games that have just been read; a list is kept only if IDs have gaps."""
        cdef Games *all = &self.s.all
        cdef int64_t game_id
        cdef size_t i, known
        if self.scanned + all.count - first >= MOST_GAMES:
            raise ValueError(f"more than {MOST_GAMES} games cannot be compared at once")
        for i in range(first, all.count):
            game_id = all.games[i].game_id
            if self.scanned and game_id <= self.last_id:
                raise ValueError(f"ID {game_id} comes after ID {self.last_id}")
            if self.scanned == 0:
                self.first_id = game_id
            elif self.ids.count == 0 and game_id != self.last_id + 1:
                for known in range(self.scanned):
                    require_memory(add_number_to(&self.ids, <uint64_t>self.first_id + known))
            if self.ids.count:
                require_memory(add_number_to(&self.ids, <uint64_t>game_id))
            self.last_id = game_id
            self.scanned += 1
        return 0

    cdef uint32_t index_of(self, int64_t game_id) noexcept nogil:
        """Return the number of a game by rising ID, NO_NAME if it was not read."""
        if self.ids.count:
            return place_of(<int64_t *>self.ids.items, self.scanned, game_id)
        if self.scanned and self.first_id <= game_id <= self.last_id:
            return <uint32_t>(game_id - self.first_id)
        return NO_NAME

    def load_addresses(self, rows_of not None):
        """Enter the addresses that tags hold, of games read and not yet sorted: see the stub."""
        enter_addresses(&self.s.all, rows_of(games_with_address_tags(&self.s.all)))

    # --- runs, if memory does not hold all games -------------------------------------------------

    def sort_run(self):
        """Sort the games in memory, which are a part of all."""
        cdef bint ok
        with nogil:
            ok = sort_games(&self.s.all)
        require_memory(ok)

    def add_samples(self, size_t count):
        """Note so many of the sorted games in memory, evenly spaced, to split all games by."""
        cdef Games *all = &self.s.all
        require_memory(append_games(&self.samples, all, 0, all.count, max(1, all.count // count)))

    def sort_samples(self):
        """Sort the samples of all runs; return how many there are."""
        require_memory(sort_games(&self.samples))
        return self.samples.count

    def bound_in_run(self, const uint8_t[::1] records not None, const uint8_t[::1] moves, sample):
        """Return how many games of a sorted run come before a sample, by its number."""
        cdef Games run
        cdef size_t number = sample
        view_run(&run, records, moves)
        if number >= self.samples.count:
            raise ValueError(f"no sample {sample}")
        return bound_in_run(&run, &self.samples, &self.samples.games[number])

    def load_run(
        self, const uint8_t[::1] records not None, const uint8_t[::1] moves, size_t first,
        size_t end,
    ):
        """Add games of a run to those in memory; return the plies of the run before theirs."""
        cdef Games run
        view_run(&run, records, moves)
        if not first < end <= run.count:
            raise ValueError(f"no games from {first} to {end} in a run of {run.count}")
        require_memory(append_games(&self.s.all, &run, first, end, 1))
        return run.games[first].moves

    def take_run(self, write_records not None, write_moves not None, size_t base):
        """Hand the games in memory over to two functions that take bytes, and forget them.

        `base`: plies that are before theirs in the file of moves; returns how many there are then.
        """
        cdef Games *all = &self.s.all
        cdef size_t room = max(SLICE_PLIES, all.longest)
        cdef size_t first = 0
        cdef size_t written = 0
        cdef uint16_t *slice = <uint16_t *>malloc(room * sizeof(uint16_t) + 1)
        require_memory(slice != NULL)
        try:
            while first < all.count:
                with nogil:
                    first = pack_moves(all, first, base, slice, room, &written)
                write_moves(PyMemoryView_FromMemory(<char *>slice, 2 * written, PyBUF_READ))
                base += written
        finally:
            free(slice)
        if all.count:
            write_records(
                PyMemoryView_FromMemory(<char *>all.games, all.count * sizeof(Game), PyBUF_READ)
            )
        all.count = all.moves = 0
        return base

    def use_file(self, uint8_t[::1] records, uint8_t[::1] moves, release not None):
        """Take all games from mapped files from now on, in sorted order: see the stub."""
        cdef Games *all = &self.s.all
        if records.shape[0] != <Py_ssize_t>(self.scanned * sizeof(Game)):
            raise ValueError(f"{records.shape[0]} bytes are not {self.scanned} games")
        free(all.games)
        free(all.arena)
        all.is_mapped = True
        all.games = <Game *>&records[0]
        all.arena = <uint16_t *>&moves[0]
        all.count = self.scanned
        all.moves = moves.shape[0] // 2 - all.longest - 8
        free_games(&self.samples)
        memset(&self.samples, 0, sizeof(Games))
        self.mapped = (records, moves)
        self.release = release

    @property
    def plies(self):
        """Plies of the games in memory."""
        return self.s.all.moves

    @property
    def longest(self):
        """Plies of the longest game."""
        return self.s.all.longest

    # --- stages ---------------------------------------------------------------------------------

    def sort(self):
        """Bring the games that were read in order: see the stub."""
        cdef bint ok
        cdef Games *all = &self.s.all
        if self.places != NULL:
            raise ValueError("the games have been sorted")
        if not self.is_complete:
            raise ValueError("no games have been read")
        self.places = <uint32_t *>malloc((self.scanned + 1) * sizeof(uint32_t))
        all.lines = <uint32_t *>malloc((self.scanned + 1) * sizeof(uint32_t))
        all.ends = <uint32_t *>malloc((self.scanned + 1) * sizeof(uint32_t))
        all.shared = <uint16_t *>malloc((self.scanned + 1) * sizeof(uint16_t))
        require_memory(
            self.places != NULL and all.lines != NULL and all.ends != NULL and all.shared != NULL
        )
        while self.scanned >> (BUCKET_BITS + all.low_bits):
            all.low_bits += 1
        if all.is_mapped:
            return
        # A turned record of any Go game has room behind the moves of all.
        require_memory(
            reserve(<void **>&all.arena, &all.moves_room, all.moves + all.longest + 8, 2)
        )
        with nogil:
            ok = sort_games(all)
        require_memory(ok)

    def start_of_line(self, size_t place):
        """Return where the first mainline begins that begins at a place or later."""
        return start_of_line(&self.s.all, place)

    def find_lines(self, size_t first, size_t end):
        """Number the mainlines of a range of places that begins and ends with a line."""
        cdef size_t i
        self.require_range(first, end)
        with nogil:
            find_lines(&self.s.all, first, end)
            for i in range(first, end):
                self.places[self.index_of(self.s.all.games[i].game_id)] = <uint32_t>i

    def find_shared(self, size_t first, size_t end):
        """Find how many plies the games of a range share with the one before, once lines are known.
        """
        self.require_range(first, end)
        with nogil:
            find_shared(&self.s.all, first, end)

    def find_theory(self, size_t first, size_t end):
        """Find how many plies the games of a range share with unrelated ones."""
        self.require_range(first, end)
        with nogil:
            find_theory(&self.s.all, first, end)

    def find_ends(self, size_t first, size_t end):
        """Find which games continue those of a range; the ranges come in order."""
        cdef bint ok
        self.require_range(first, end)
        with nogil:
            ok = find_ends(&self.s.all, first, end, &self.open_lines)
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
                ok = add_address_keys(&self.s.all, first, end, &keys.buckets)
            elif kind == BY_PLAYERS:
                ok = add_player_keys(&self.s.all, first, end, &work)
            else:
                ok = add_move_keys(&self.s.all, first, end, &work)
            free(work.shape)
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
                ok = pair_by_addresses(&self.s.all, numbers, &pairs.buckets)
            else:
                ok = pair_by_keys(&self.s.all, numbers, kind == BY_PLAYERS, &pairs.buckets)
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
            ok = judge_pairs(&self.s, numbers, first, end, &edges.edges)
            if end == numbers.count:
                free_numbers(numbers)
        require_memory(ok)
        return 0 if numbers.count == 0 else end

    def connect(self, EdgeList edges not None, decisions=()):
        """Find the connected components of all edges; return how many edges these have.

        `decisions`: (ID, ID, whether they are one game) as the user said.
        """
        cdef bint ok
        for first, second, is_same in decisions:
            self.decide(first, second, is_same, edges)
        free(self.s.all.ends)
        free(self.s.all.shared)
        self.s.all.ends = NULL
        self.s.all.shared = NULL
        self.homes = <uint32_t *>malloc((self.scanned + 1) * sizeof(uint32_t))
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
        for i in range(self.scanned):
            self.homes[i] = <uint32_t>i

    cdef int require_range(self, size_t first, size_t end) except -1:
        if self.places == NULL or not first <= end <= self.scanned:
            raise ValueError(f"no sorted games from {first} to {end}")
        return 0

    cdef int require_found(self) except -1:
        if not self.found:
            raise ValueError("copies have not been looked for")
        return 0

    cdef int64_t place(self, game_id) except -2:
        """Return the place of a game in sorted order, -1 if there is none of that ID."""
        cdef uint32_t found = self.index_of(game_id)
        return -1 if found == NO_NAME else self.places[found]

    cdef const Game *game(self, game_id) except NULL:
        """Return a game, after the search; raise KeyError if there is none of that ID."""
        cdef int64_t found
        self.require_found()
        self.asked += 1
        if self.asked >= OFTEN and self.release is not None:
            self.asked = 0
            self.release()
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
        return self.index_of(game_id) != NO_NAME

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
        return self.scanned

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
        cdef Games *all = &self.s.all
        return (
            all.room * sizeof(Game) + 2 * all.moves_room + all.name_room * sizeof(ParsedName)
            + (all.event_room + all.site_room) * sizeof(EventText)
            + all.count * 3 * sizeof(uint32_t) + self.ids.room * sizeof(uint64_t)
            + self.results.room * sizeof(Member)
        )
