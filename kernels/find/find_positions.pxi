"""Find the games in which a position occurs, and write the filters that avoid most replays.

Rows come straight from SQLite, which loads this module as an extension (see sqlite_api.h). All
games are tested by their filters; only games that may have the position are replayed.
"""


from game_positions cimport (
    MOST_BOARDS, Probe, fill_chess, fill_go, filter_may_have, find_chess, find_go, probe_of,
    stones_key,
)
from id_list cimport Ids, append_id, holds_id, sort_ids
from sqlite_api cimport OCG_TRANSIENT

# --- filters ------------------------------------------------------------------------------------

cdef uint8_t *make_filter(bint is_go, const StoredGame *game) except NULL nogil:
    """Return a filter of plies + 1 bytes.

    A game with an invalid start has no positions to search for.
    """
    cdef Position pos
    cdef GoBoard board
    cdef size_t size_bytes = <size_t>game.plies + 1
    cdef uint8_t *bits = <uint8_t *>allocate_zeros(size_bytes, 1)
    if is_go:
        if go_read_start(&board, game.start, game.start + game.start_bytes):
            fill_go(&board, game.moves, game.plies, bits, size_bytes)
    elif begin_chess(&pos, &STANDARD, game):
        fill_chess(&pos, game.moves, game.plies, bits, size_bytes)
    return bits


def filter_of(bytes moves not None, str start, bint is_go):
    """Return the filter of a game; `start` is None for the standard start."""
    cdef StoredGame game
    cdef uint8_t *bits
    game.start = NULL
    game.start_bytes = 0
    game.moves = <const uint8_t *>PyBytes_AS_STRING(moves)
    game.plies = PyBytes_GET_SIZE(moves) // 2
    if start is not None:
        game.start = <const uint8_t *>PyUnicode_AsUTF8AndSize(
            start, <Py_ssize_t *>&game.start_bytes
        )
    bits = make_filter(is_go, &game)
    try:
        return <bytes>(<const char *>bits)[:game.plies + 1]
    finally:
        free(bits)


cdef int write_filter(
    const ocg_sqlite_api *api, sqlite3_stmt *row, sqlite3_stmt *insert, bint is_go
) except -1 nogil:
    """Insert the filter of the game in a row: ID, start, moves; return SQLite's result code."""
    cdef StoredGame game = game_in_row(api, row, 1)
    cdef uint8_t *bits = make_filter(is_go, &game)
    cdef int code
    code = api.bind_int64(insert, 1, api.column_int64(row, 0))
    if code == OCG_SQLITE_OK:
        code = api.bind_blob(insert, 2, bits, <int>game.plies + 1, OCG_TRANSIENT)
    free(bits)
    if code == OCG_SQLITE_OK:
        code = api.step(insert)
        if code == OCG_SQLITE_DONE:
            code = api.reset(insert)
    return code


def write_filters(connection not None, str select not None, str insert not None, bint is_go):
    """Insert the filters of the games that a statement reads: ID, start, moves."""
    cdef SqliteConnection source = SqliteConnection(connection)
    cdef const ocg_sqlite_api *api = source.api
    cdef sqlite3_stmt *row = source.prepare(select)
    cdef sqlite3_stmt *filter_insert = NULL
    cdef Py_ssize_t count = 0
    cdef int64_t last_id = 0
    cdef int code
    try:
        filter_insert = source.prepare(insert)
        with nogil:
            api.mutex_enter(source.mutex)
            try:
                code = api.step(row)
                while code == OCG_SQLITE_ROW:
                    last_id = api.column_int64(row, 0)
                    code = write_filter(api, row, filter_insert, is_go)
                    if code != OCG_SQLITE_OK:
                        break
                    count += 1
                    code = api.step(row)
            finally:
                api.mutex_leave(source.mutex)
        source.check(code)
    finally:
        api.finalize(filter_insert)
        api.finalize(row)
    return count, last_id


# --- the search ---------------------------------------------------------------------------------

cdef int read_query(PositionQuery *query, str text, int fields) except -1:
    """Set the position of a chess query from a FEN."""
    cdef Py_ssize_t length = 0
    cdef const uint8_t *fen = <const uint8_t *>PyUnicode_AsUTF8AndSize(text, &length)
    if not read_fen(&query.position, fen, fen + length):
        raise ValueError(f"FEN is not a legal position: {text!r}")
    query.fields, query.count = fields, 1
    query.key = pieces_key(&query.position)


cdef class PositionFinder:
    """A position, and the games in which it may occur.

    Call the methods in this order: scan_filters() and scan_games(), or choose(); then find() until
    `left` is 0; close() before the connection is closed.
    """
    cdef PositionQuery query
    cdef Probe probe
    cdef SqliteConnection source
    cdef const ocg_sqlite_api *api
    cdef Ids filtered              # IDs of games with a filter, rising
    cdef Ids candidates
    cdef size_t tried
    cdef sqlite3_stmt *game
    cdef sqlite3_stmt *filter

    def __cinit__(self, connection not None, positions not None, bint is_go, int fields=4):
        """Set the position, as FEN or start of a Go game; see the stub. Raise ValueError."""
        self.source = SqliteConnection(connection)
        self.api = self.source.api
        if not 0 < len(positions) <= (MOST_BOARDS if is_go else 1):
            raise ValueError(
                f"{len(positions)} positions; limits: {MOST_BOARDS} for Go, 1 for chess"
            )
        self.query.is_go = is_go
        for text in positions:
            if is_go:
                self.add_board(text)
            else:
                read_query(&self.query, text, fields)
        self.probe = probe_of(self.query.key)

    def __dealloc__(self):
        self.finalize_all()
        free(self.filtered.ids)
        free(self.candidates.ids)

    def close(self):
        """Finalize the statements; the finder cannot be used afterwards."""
        self.finalize_all()
        self.source = None

    cdef sqlite3_stmt *statement(self, str sql) except NULL:
        if self.source is None:
            raise ValueError("the finder is closed")
        return self.source.prepare(sql)

    cdef void finalize_all(self) noexcept:
        if self.api != NULL:
            self.api.finalize(self.game)
            self.api.finalize(self.filter)
        self.game = self.filter = NULL

    cdef int add_board(self, str text) except -1:
        cdef Py_ssize_t length = 0
        cdef const uint8_t *start = <const uint8_t *>PyUnicode_AsUTF8AndSize(text, &length)
        cdef GoBoard *board = &self.query.boards[self.query.count]
        if not go_read_start(board, start, start + length):
            raise ValueError(f"not a Go position: {text!r}")
        self.query.count += 1
        if self.query.count > 1 and stones_key(board) != self.query.key:
            raise ValueError(f"not a rotation or reflection of the first Go position: {text!r}")
        self.query.key = stones_key(board)

    def scan_filters(self, str sql not None):
        """Test games by rows of (ID, filter), by rising ID; return the number of rows."""
        self.read(self.statement(sql), True)
        return self.filtered.count

    cdef int read(self, sqlite3_stmt *row, bint has_filter) except -1:
        """Read the games with a filter, by rising ID, or without; finalize the statement."""
        cdef int64_t game_id
        cdef int code
        try:
            with nogil:
                self.api.mutex_enter(self.source.mutex)
                try:
                    code = self.api.step(row)
                    while code == OCG_SQLITE_ROW:
                        game_id = self.api.column_int64(row, 0)
                        if has_filter:
                            append_id(&self.filtered, game_id)
                        if (
                            self.passes(row, 1) if has_filter
                            else not holds_id(&self.filtered, game_id)
                        ):
                            append_id(&self.candidates, game_id)
                        code = self.api.step(row)
                finally:
                    self.api.mutex_leave(self.source.mutex)
            self.source.check(code)
        finally:
            self.api.finalize(row)

    cdef inline bint passes(self, sqlite3_stmt *row, int column) noexcept nogil:
        """Return whether the filter in a column allows the position."""
        cdef const uint8_t *bits = <const uint8_t *>self.api.column_blob(row, column)
        return filter_may_have(bits, self.api.column_bytes(row, column), self.probe)

    def scan_games(self, str sql not None):
        """Add the games without a filter, from rows of ID in any order; return their number."""
        cdef size_t before = self.candidates.count
        self.read(self.statement(sql), False)
        if self.candidates.count > before:
            with nogil:
                sort_ids(&self.candidates)
        return self.candidates.count - before

    def choose(self, ids not None, filter_sql=None):
        """Search only these games, in this order; `filter_sql` binds an ID and reads its filter."""
        for game_id in ids:
            append_id(&self.candidates, game_id)
        if filter_sql is not None:
            self.filter = self.statement(filter_sql)

    @property
    def left(self):
        """Number of games in which the position may occur and that are not searched yet."""
        return self.candidates.count - self.tried

    def find(self, str game_sql not None, size_t most_tried):
        """Search the next `most_tried` games in which the position may occur."""
        cdef Py_ssize_t plies = NOT_FOUND
        cdef int board_index = 0, code = OCG_SQLITE_OK
        cdef size_t stop = self.tried + min(self.candidates.count - self.tried, most_tried)
        cdef list matches = []
        if self.game == NULL:
            self.game = self.statement(game_sql)
        while self.tried < stop:
            with nogil:
                self.api.mutex_enter(self.source.mutex)
                while self.tried < stop and code == OCG_SQLITE_OK:
                    code = self.search_game(self.candidates.ids[self.tried], &plies, &board_index)
                    self.tried += 1
                    if plies != NOT_FOUND:
                        break
                self.api.mutex_leave(self.source.mutex)
            self.source.check(code)
            if plies != NOT_FOUND:
                matches.append((self.candidates.ids[self.tried - 1], plies, board_index))
        return matches

    cdef int search_game(self, int64_t game_id, Py_ssize_t *plies, int *board_index) noexcept nogil:
        """Search one game; an unknown game does not have the position."""
        cdef const ocg_sqlite_api *api = self.api
        cdef int code
        cdef bint may = True
        plies[0] = NOT_FOUND
        if self.filter != NULL:
            code = api.bind_int64(self.filter, 1, game_id)
            if code == OCG_SQLITE_OK:
                code = api.step(self.filter)
            if code == OCG_SQLITE_ROW:
                may = self.passes(self.filter, 0)
            code = api.reset(self.filter)
            if code != OCG_SQLITE_OK or not may:
                return code
        code = api.bind_int64(self.game, 1, game_id)
        if code == OCG_SQLITE_OK:
            code = api.step(self.game)
        if code == OCG_SQLITE_ROW:
            plies[0] = self.replay(board_index)
        return api.reset(self.game)

    cdef Py_ssize_t replay(self, int *board_index) noexcept nogil:
        """Search the game in the current row."""
        cdef Position pos
        cdef GoBoard board
        cdef StoredGame game = game_in_row(self.api, self.game, 0)
        board_index[0] = 0
        if self.query.is_go:
            if not go_read_start(&board, game.start, game.start + game.start_bytes):
                return NOT_FOUND
            return find_go(&board, game.moves, game.plies, &self.query, board_index)
        if not begin_chess(&pos, &STANDARD, &game):
            return NOT_FOUND
        return find_chess(&pos, game.moves, game.plies, &self.query)
