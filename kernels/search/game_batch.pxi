"""A batch of games for the search for duplicates: read from SQLite, with their texts.

Records and moves are arrays without Python objects. Rows come straight from SQLite, which loads
this module as an extension (see sqlite_api.h). Several batches may share texts, so that several
connections can read parts of a database. If memory does not hold all games, sorted runs are written
to and read from files.
"""

from position cimport Position
from game_record cimport (
    GAME_HAS_ADDRESS_TAG, GAME_HAS_COMMENTS, EventText, TextTable, expect_games, free_games,
)
from id_list cimport GameIds, add_id, list_ids
from move_order cimport sort_games
from packed_name cimport NameRecord
from row_scan cimport (
    OCG_ODD_VALUE, OCG_TAKE_GAME, OddValue, Scan, close_scan, enter_different, enter_fide_ids,
    load_names, load_texts, open_scan, scan_rows,
)
from sorted_runs cimport append_games, borrow_texts, bound_in_run, move_neighbours, pack_moves
from web_addresses cimport enter_addresses, enter_site_addresses, games_without_address

from ocgdedup.errors import SqliteError


TAKE_GAME = OCG_TAKE_GAME.decode()
RECORD_BYTES = sizeof(Game)

cdef enum:
    MOST_GAMES = 1 << 26
    SLICE_PLIES = 1 << 21          # moves that are handed over at a time


cdef int view_run(Games *run, const uint8_t[::1] records, const uint8_t[::1] moves) except -1:
    """View two arrays of a run as read-only games."""
    memset(run, 0, sizeof(Games))
    if records.shape[0] % <Py_ssize_t>sizeof(Game) or records.shape[0] == 0:
        raise ValueError(f"records: {records.shape[0]} bytes, not a multiple of {RECORD_BYTES}")
    run.games = <Game *>&records[0]
    run.count = records.shape[0] // sizeof(Game)
    if moves is not None and moves.shape[0]:
        run.arena = <uint16_t *>&moves[0]


cdef class GameBatch:
    """The games of one database, or a part of them.

    Call the methods in this order: load_players(), load_events(), load_sites(); open_scan() and
    scan_more(), or append(); load_addresses().
    """
    cdef Games all
    cdef Games samples             # split points of sorted runs
    cdef Games neighbours          # see keep_neighbours()
    cdef bint has_neighbours       # the other games are not read yet
    cdef Position standard
    cdef Scan scan
    cdef object connection         # the connection that is read
    cdef object scanned_ids        # the buffer of the IDs that are read
    cdef object texts              # the batch that owns the texts; None: this batch
    cdef object mapped             # buffers of the files that hold the games
    cdef object release            # hands mapped memory back; may be None
    cdef bint is_complete          # all games have been read
    cdef GameIds ids               # of all games

    def __cinit__(self, bint is_go=False):
        set_start(&self.standard)
        self.all.is_go = is_go
        self.all.has_own_texts = True

    def __dealloc__(self):
        close_scan(&self.scan)
        free_games(&self.samples)
        free_games(&self.neighbours)
        free_games(&self.all)
        free_numbers(&self.ids.listed)

    def load_players(
        self, connection not None, str sql not None, fold not None, read=None, rewrite=None,
        const int64_t[::1] persons=None, const uint32_t[::1] fide_ids=None,
    ):
        cdef sqlite3_stmt *rows = self.texts_in(connection, sql)
        try:
            enter_fide_ids(&self.all, persons, fide_ids)
            self.require_done(load_names(&self.all, self.scan.api, rows, fold, read, rewrite))
        finally:
            self.scan.api.finalize(rows)

    def set_different_players(
        self, const int64_t[::1] unresolved not None, const int64_t[::1] different not None
    ):
        self.require_own_texts()
        enter_different(&self.all, unresolved, different)

    def load_events(self, connection not None, str sql not None):
        self.read_texts(connection, sql, &self.all.events)

    def load_sites(self, connection not None, str sql not None, addresses=()):
        self.read_texts(connection, sql, &self.all.sites)
        enter_site_addresses(&self.all, addresses)

    cdef int read_texts(self, connection, str sql, TextTable *table) except -1:
        cdef sqlite3_stmt *rows = self.texts_in(connection, sql)
        try:
            self.require_done(load_texts(self.scan.api, rows, table))
        finally:
            self.scan.api.finalize(rows)

    cdef int require_own_texts(self) except -1:
        if self.texts is not None:
            raise ValueError("a part shares the texts of its batch")

    cdef int take_connection(self, connection) except -1:
        """Set the connection; if it is new, it must have just loaded this module."""
        cdef sqlite3 *db = <sqlite3 *><uintptr_t>connection.sqlite3_pointer()
        if (self.is_complete and not self.has_neighbours) or self.scan.rows != NULL:
            raise ValueError("games have already been read")
        if self.scan.db != db:
            self.scan.api = open_sqlite(db)
            self.scan.db = db
            self.connection = connection

    cdef sqlite3_stmt *texts_in(self, connection, str sql) except NULL:
        """Return a statement that reads texts; the caller finalizes it."""
        self.require_own_texts()
        self.take_connection(connection)
        return prepared(self.scan.api, self.scan.db, sql)

    cdef int require_done(self, int code) except -1:
        """Raise the SQLite error that ended a statement early, if any."""
        if code != OCG_SQLITE_DONE:
            refuse(self.scan.api, self.scan.db)

    def part(self):
        cdef GameBatch batch = GameBatch(self.all.is_go)
        self.require_own_texts()
        borrow_texts(&batch.all, &self.all)
        batch.texts = self
        return batch

    def append(self, GameBatch part not None):
        cdef Games *all = &self.all
        cdef size_t before = all.count
        if part.texts is not self or not part.is_complete:
            raise ValueError("only a completely read part of this batch can be appended")
        if part.all.count:
            with nogil:
                append_games(all, &part.all, 0, part.all.count, 1)
        self.note_ids(before)
        part.all.count = part.all.moves = 0

    def end(self):
        self.is_complete = True

    def expect(self, size_t games):
        require_memory(games <= MOST_GAMES)
        expect_games(&self.all, games)

    def open_scan(
        self, connection not None, sql not None, headers=None, const int64_t[::1] ids=None
    ):
        cdef bytes text = sql.encode()
        cdef bytes other = b"" if headers is None else headers.encode()
        cdef const char *header_text = NULL if headers is None else <const char *>other
        cdef int code
        self.take_connection(connection)
        self.is_complete = False
        if ids is not None and ids.shape[0]:
            self.scanned_ids = ids     # they stay until the scan ends
            self.scan.ids = &ids[0]
            self.scan.id_count = ids.shape[0]
        code = open_scan(&self.scan, text, header_text)
        self.require_read(True, code)

    def scan_more(self, size_t most_bytes=-1):
        cdef Games *all = &self.all
        cdef size_t before = all.count
        cdef bint ok = True
        cdef int code
        if self.scan.rows == NULL:
            raise ValueError("no scan is open")
        with nogil:
            code = scan_rows(&self.scan, all, &self.standard, most_bytes, &ok)
        self.require_read(ok, code)
        self.note_ids(before)
        if self.scan.is_done:
            self.end_scan()
            self.is_complete = True
        return all.count - before

    def end_scan(self):
        close_scan(&self.scan)
        self.connection = self.scanned_ids = None

    @property
    def is_read(self):
        return bool(self.is_complete)

    cdef int require_read(self, bint ok, int code) except -1:
        """End the scan and raise its error, if any."""
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
        """Store the IDs of games just read; a list is kept only if IDs have gaps."""
        cdef Games *all = &self.all
        cdef int64_t game_id
        cdef size_t i
        if self.ids.count + all.count - first >= MOST_GAMES:
            raise ValueError(f"more than {MOST_GAMES} games in one search")
        for i in range(first, all.count):
            game_id = all.games[i].game_id
            if self.ids.count and game_id <= self.ids.last_id:
                raise ValueError(f"ID {game_id} comes after ID {self.ids.last_id}")
            add_id(&self.ids, game_id)

    def load_addresses(self, of_tags not None, of_comments not None):
        cdef Games *all = &self.all
        enter_addresses(all, of_tags(games_without_address(all, GAME_HAS_ADDRESS_TAG)))
        enter_addresses(all, of_comments(games_without_address(all, GAME_HAS_COMMENTS)))

    # --- verdicts on a few games ------------------------------------------------------------------

    def keep_neighbours(self, const int64_t[::1] ids not None):
        cdef Games *all = &self.all
        cdef uint8_t *marks
        cdef const int64_t *first = &ids[0] if ids.shape[0] else NULL
        append_games(all, &self.neighbours, 0, self.neighbours.count, 1)
        marks = <uint8_t *>allocate(all.count, 1)
        try:
            with nogil:
                sort_games(all)
                move_neighbours(all, first, ids.shape[0], marks, &self.neighbours)
        finally:
            free(marks)
        self.has_neighbours = True
        self.ids.count = 0
        free_numbers(&self.ids.listed)

    def use_neighbours(self):
        append_games(&self.all, &self.neighbours, 0, self.neighbours.count, 1)
        free_games(&self.neighbours)
        memset(&self.neighbours, 0, sizeof(Games))
        self.has_neighbours = False
        list_ids(&self.ids, &self.all)

    # --- runs, if memory does not hold all games -------------------------------------------------

    def sort_run(self):
        with nogil:
            sort_games(&self.all)

    def add_samples(self, size_t count):
        cdef Games *all = &self.all
        append_games(&self.samples, all, 0, all.count, max(1, all.count // count))

    def sort_samples(self):
        sort_games(&self.samples)
        return self.samples.count

    def bound_in_run(self, const uint8_t[::1] records not None, const uint8_t[::1] moves, sample):
        cdef Games run
        cdef size_t number = sample
        view_run(&run, records, moves)
        if number >= self.samples.count:
            raise ValueError(f"sample out of range: {sample}")
        return bound_in_run(&run, &self.samples, &self.samples.games[number])

    def load_run(
        self, const uint8_t[::1] records not None, const uint8_t[::1] moves, size_t first,
        size_t end,
    ):
        cdef Games run
        view_run(&run, records, moves)
        if not first < end <= run.count:
            raise ValueError(f"games {first} to {end} are out of range: run of {run.count} games")
        if 2 * (run.games[end - 1].moves + run.games[end - 1].plies) > (
            0 if moves is None else <size_t>moves.shape[0]
        ):
            raise ValueError("moves of a run are truncated")
        append_games(&self.all, &run, first, end, 1)
        return run.games[first].moves

    def take_run(self, write_records not None, write_moves not None, size_t base):
        cdef Games *all = &self.all
        cdef size_t capacity = max(SLICE_PLIES, all.longest)
        cdef size_t first = 0, written = 0
        cdef uint16_t *slice = <uint16_t *>allocate(capacity, sizeof(uint16_t))
        try:
            while first < all.count:
                with nogil:
                    first = pack_moves(all, first, base, slice, capacity, &written)
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
        cdef Games *all = &self.all
        if records.shape[0] != <Py_ssize_t>(self.ids.count * sizeof(Game)):
            raise ValueError(f"{records.shape[0]} bytes of records for {self.ids.count} games")
        if <size_t>moves.shape[0] // 2 < all.longest + 8:
            raise ValueError("padding after the moves is too short")
        free(all.games)
        free(all.arena)
        all.is_mapped = True
        all.games = <Game *>&records[0]
        all.arena = <uint16_t *>&moves[0]
        all.count = self.ids.count
        all.moves = moves.shape[0] // 2 - all.longest - 8
        free_games(&self.samples)
        memset(&self.samples, 0, sizeof(Games))
        self.mapped = (records, moves)
        self.release = release

    @property
    def held_bytes(self):
        return self.all.count * sizeof(Game) + 2 * self.all.moves

    @property
    def plies(self):
        return self.all.moves

    @property
    def longest(self):
        return self.all.longest

    def __contains__(self, game_id):
        """Return whether a game was read."""
        return index_in(&self.ids, game_id) != NO_NAME

    @property
    def is_go(self):
        return bool(self.all.is_go)

    @property
    def games(self):
        return self.ids.count

    @property
    def memory(self):
        cdef Games *all = &self.all
        return (
            all.capacity * sizeof(Game) + 2 * all.moves_capacity
            + all.name_capacity * sizeof(NameRecord) + all.name_words_capacity
            + (all.events.capacity + all.sites.capacity) * sizeof(EventText)
            + all.count * 3 * sizeof(uint32_t) + self.ids.listed.capacity * sizeof(uint64_t)
        )
