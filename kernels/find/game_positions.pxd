"""The positions of a stored game: their keys for a filter, and a search among them.

The key ignores the fields that a position query may leave out. In chess it covers the pieces alone,
without side to move, castling and en passant; in Go it is the same for all eight orientations of
the board. So one filter per game serves all queries. docs/file-format.md promises both.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy

from chess_types cimport NO_SQUARE, WHITE, move16_t, stored_move, zobrist_t
from fen cimport read_start_fen
from go_board cimport (
    GO_BLACK_STONE, GO_BOARD_BYTES, GO_COLOUR, GO_DEFAULT_LINES, GO_EMPTY, GO_OFF_BOARD, GO_ORIGIN,
    GO_PASS, GO_POINT, GO_STRIDE, GO_WHITE_STONE, GoBoard, go_index, go_play, go_stone_key,
    ocg_go_number,
)
from position cimport (
    OCG_ZOBRIST_CASTLING, OCG_ZOBRIST_EP, OCG_ZOBRIST_WHITE_TO_MOVE, Position, move_is_legal,
    play_move,
)
from sqlite_api cimport ocg_sqlite_api, sqlite3_stmt

# --- the Bloom filter of positions ----------------------------------------------------------------

# The Bloom filter of a game's positions: docs/file-format.md promises its content. One byte per
# position, FILTER_HASHES bits set for each; the false positive rate is 2 %.

cdef enum:
    FILTER_HASHES = 5

ctypedef struct Probe:
    # The indexes of a key's bits, as shares of the filter's length in 2**-32.
    uint32_t first
    uint32_t step


cdef inline Probe probe_of(uint64_t key) noexcept nogil:
    """Return where the bits of a key are, in a filter of any length."""
    cdef Probe probe
    cdef uint64_t mixed = ocg_go_number(key)
    probe.first = <uint32_t>mixed
    probe.step = <uint32_t>(mixed >> 32) | 1
    return probe


cdef inline void filter_add(uint8_t *bits, uint64_t size_bytes, uint64_t key) noexcept nogil:
    """Set the bits of a key."""
    cdef Probe probe = probe_of(key)
    cdef uint64_t at
    cdef int _i
    for _i in range(FILTER_HASHES):
        at = <uint64_t>probe.first * (8 * size_bytes) >> 32
        bits[at >> 3] |= <uint8_t>(1 << (at & 7))
        probe.first += probe.step


cdef inline bint filter_may_have(
    const uint8_t *bits, uint64_t size_bytes, Probe probe
) noexcept nogil:
    """Return whether all bits of a key are set; True for an empty filter."""
    cdef uint64_t at
    cdef int _i
    if size_bytes == 0:
        return True
    for _i in range(FILTER_HASHES):
        at = <uint64_t>probe.first * (8 * size_bytes) >> 32
        if not bits[at >> 3] >> (at & 7) & 1:
            return False
        probe.first += probe.step
    return True


# --- positions of a game --------------------------------------------------------------------------

cdef enum:
    MOST_BOARDS = 8            # boards searched at once: one in all orientations
    NOT_FOUND = -1

cdef enum:
    # The fields of a FEN that a chess query compares.
    BOARD_FIELDS = 1, TURN_FIELDS, RIGHTS_FIELDS

ctypedef struct PositionQuery:
    bint is_go
    int fields                 # of chess
    int count                  # of boards; 1 of chess
    uint64_t key               # as in filters: the same for all boards
    Position position
    GoBoard[MOST_BOARDS] boards


# --- a stored game --------------------------------------------------------------------------------

ctypedef struct StoredGame:
    const uint8_t *start       # its text; NULL for the standard start
    size_t start_bytes
    const uint8_t *moves
    Py_ssize_t plies


cdef inline StoredGame game_in_row(
    const ocg_sqlite_api *api, sqlite3_stmt *row, int column
) noexcept nogil:
    """Return the game of a row; `column`: its start, followed by its moves."""
    cdef StoredGame game
    game.start = api.column_text(row, column)
    game.start_bytes = api.column_bytes(row, column)
    game.moves = <const uint8_t *>api.column_blob(row, column + 1)
    game.plies = api.column_bytes(row, column + 1) // 2
    return game


# --- chess --------------------------------------------------------------------------------------

cdef inline uint64_t pieces_key(const Position *pos) noexcept nogil:
    """Return the Polyglot key of the pieces alone."""
    cdef zobrist_t key = pos.key ^ OCG_ZOBRIST_CASTLING[pos.rights]
    if pos.ep != NO_SQUARE:
        key ^= OCG_ZOBRIST_EP[pos.ep & 7]
    if pos.turn == WHITE:
        key ^= OCG_ZOBRIST_WHITE_TO_MOVE
    return key


cdef inline bint same_rights(const Position *left, const Position *right) noexcept nogil:
    cdef int bit
    if left.rights != right.rights:
        return False
    for bit in range(4):
        if left.rights >> bit & 1 and left.rook_from[bit] != right.rook_from[bit]:
            return False
    return True


cdef inline bint matches_query(const Position *pos, const PositionQuery *query) noexcept nogil:
    """Return whether a position equals that of a query, in the fields that the query compares."""
    cdef const Position *target = &query.position
    if pieces_key(pos) != query.key:
        return False
    # Equal keys are only a hint.
    if memcmp(pos.board, target.board, 64) != 0 or pos.colours[0] != target.colours[0]:
        return False
    if query.fields == BOARD_FIELDS:
        return True
    if pos.turn != target.turn:
        return False
    if query.fields == TURN_FIELDS:
        return True
    if not same_rights(pos, target):
        return False
    return query.fields == RIGHTS_FIELDS or pos.ep == target.ep


cdef inline bint begin_chess(
    Position *pos, const Position *standard, const StoredGame *game
) noexcept nogil:
    """Set up the start of a game; return False if its text is invalid."""
    if game.start_bytes == 0:
        pos[0] = standard[0]
        return True
    return read_start_fen(pos, game.start, game.start + game.start_bytes, game.plies > 0)


cdef inline bint next_chess(Position *pos, const uint8_t *moves, Py_ssize_t ply) noexcept nogil:
    """Play a move; return False if it is not legal: only in damaged games and in files of OCGDB."""
    cdef move16_t move = stored_move(moves, ply)
    if not move_is_legal(pos, move):
        return False
    play_move(pos, move)
    return True


cdef inline void fill_chess(
    Position *pos, const uint8_t *moves, Py_ssize_t plies, uint8_t *bits, size_t size_bytes
) noexcept nogil:
    """Add the positions from this one on, up to a move that cannot be played."""
    cdef Py_ssize_t ply
    filter_add(bits, size_bytes, pieces_key(pos))
    for ply in range(plies):
        if not next_chess(pos, moves, ply):
            return
        filter_add(bits, size_bytes, pieces_key(pos))


cdef inline Py_ssize_t find_chess(
    Position *pos, const uint8_t *moves, Py_ssize_t plies, const PositionQuery *query
) noexcept nogil:
    """Return the plies before the first occurrence of the position, NOT_FOUND if there is none."""
    cdef Py_ssize_t ply = 0
    while not matches_query(pos, query):
        if ply == plies or not next_chess(pos, moves, ply):
            return NOT_FOUND
        ply += 1
    return ply


# --- Go -----------------------------------------------------------------------------------------

cdef inline uint64_t stone_share(int lines, int column, int row, uint8_t stone) noexcept nogil:
    """Return the number that a stone adds to the key; the same on all symmetric points."""
    column = min(column, lines - 1 - column)
    row = min(row, lines - 1 - row)
    return ocg_go_number(<uint64_t>(2 * (32 * min(column, row) + max(column, row)) + stone))


cdef inline uint64_t stones_key(const GoBoard *board) noexcept nogil:
    """Return the sum of the numbers of all stones, and of the board size unless it is 19."""
    cdef uint64_t key = 0
    cdef int column, row
    cdef uint8_t stone
    if board.lines != GO_DEFAULT_LINES:
        key = ocg_go_number(4096 + board.lines)
    for row in range(board.lines):
        for column in range(board.lines):
            stone = board.stones[GO_ORIGIN + GO_STRIDE * row + column]
            if stone != GO_EMPTY:
                key += stone_share(board.lines, column, row, stone)
    return key


cdef inline uint64_t changed_stones(GoBoard *before, const GoBoard *after) noexcept nogil:
    """Return the change of the key from one board to the next, and make them equal.

    Needed only after captures, which is every twelfth move; most rows are then unchanged.
    """
    cdef uint64_t change = 0
    cdef int column, row, first
    for row in range(after.lines):
        first = GO_ORIGIN + GO_STRIDE * row
        if memcmp(before.stones + first, after.stones + first, after.lines) == 0:
            continue
        for column in range(after.lines):
            if before.stones[first + column] != after.stones[first + column]:
                if before.stones[first + column] != GO_EMPTY:
                    change -= stone_share(after.lines, column, row, before.stones[first + column])
                if after.stones[first + column] != GO_EMPTY:
                    change += stone_share(after.lines, column, row, after.stones[first + column])
        memcpy(before.stones + first, after.stones + first, after.lines)
    return change


cdef inline void fill_go(
    GoBoard *board, const uint8_t *moves, Py_ssize_t plies, uint8_t *bits, size_t size_bytes
) noexcept nogil:
    """Add the positions from this one on, up to a move that is not on the board."""
    cdef GoBoard before = board[0]         # only its stones count
    cdef uint64_t key = stones_key(board)
    cdef uint64_t number
    cdef Py_ssize_t ply
    cdef uint16_t move
    cdef uint8_t stone
    cdef int point
    filter_add(bits, size_bytes, key)
    for ply in range(plies):
        move = stored_move(moves, ply)
        number = board.key
        if go_play(board, move) == GO_OFF_BOARD:
            return
        point = move & GO_POINT
        if point != GO_PASS:
            stone = GO_WHITE_STONE if move & GO_COLOUR else GO_BLACK_STONE
            # A stone placed on an equal stone that dies with it leaves such a key too.
            if (
                before.stones[go_index(point)] == GO_EMPTY
                and board.key == number ^ go_stone_key(go_index(point), stone)
            ):
                before.stones[go_index(point)] = stone
                key += stone_share(board.lines, point & 31, point >> 5, stone)
            else:
                key += changed_stones(&before, board)
        filter_add(bits, size_bytes, key)


cdef inline int matching_board(const GoBoard *board, const PositionQuery *query) noexcept nogil:
    """Return the index of the board of a query that equals this one, NOT_FOUND if none."""
    cdef int i
    for i in range(query.count):
        if board.key == query.boards[i].key and board.lines == query.boards[i].lines:
            if memcmp(board.stones, query.boards[i].stones, GO_BOARD_BYTES) == 0:
                return i
    return NOT_FOUND


cdef inline Py_ssize_t find_go(
    GoBoard *board, const uint8_t *moves, Py_ssize_t plies, const PositionQuery *query,
    int *board_index,
) noexcept nogil:
    """Return the moves before the first occurrence of one of the boards, NOT_FOUND if none."""
    cdef Py_ssize_t ply = 0
    board_index[0] = matching_board(board, query)
    while board_index[0] == NOT_FOUND:
        if ply == plies or go_play(board, stored_move(moves, ply)) == GO_OFF_BOARD:
            return NOT_FOUND
        ply += 1
        board_index[0] = matching_board(board, query)
    return ply
