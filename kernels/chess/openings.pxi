"""Openings of games: the last position of each game that a table of openings has.

Games are replayed on a board of 64 bytes without tests for legality, up to the ply of the longest
line of the table. The key of a position is Polyglot's, without the en passant file: a position that
another order of moves reaches is the same opening.
"""

from chess_types cimport KING, NO_PIECE, PAWN
from position cimport (
    OCG_ZOBRIST, OCG_ZOBRIST_CASTLING, OCG_ZOBRIST_WHITE_TO_MOVE,
)

cdef enum:
    OPENING_SLOTS = 1 << 14    # of the hash table, which is a quarter full
    BLACK_PIECE = 8            # bit of a piece on the board of OpeningReplay
    PIECES_AT_START = 32
    ALL_RIGHTS = 15
    LINE_MOVE_BYTES = 5              # of a move of a line, with a blank

ctypedef struct OpeningReplay:
    uint8_t[64] board          # piece type, and BLACK_PIECE
    zobrist_t key
    int rights
    int pieces

# By piece as in OpeningReplay, and by square.
cdef zobrist_t[16][64] PIECE_KEYS
cdef uint8_t[64] RIGHTS_LEFT   # castling rights that survive a move from or to a square
cdef OpeningReplay OPENING_START

cdef void fill_opening_tables() noexcept nogil:
    cdef int square, piece
    for square in range(64):
        for piece in range(PAWN, KING + 1):
            PIECE_KEYS[piece][square] = OCG_ZOBRIST[0][piece][square]
            PIECE_KEYS[piece | BLACK_PIECE][square] = OCG_ZOBRIST[1][piece][square]
        OPENING_START.board[square] = STANDARD.board[square]
        if STANDARD.colours[1] >> square & 1:
            OPENING_START.board[square] |= BLACK_PIECE
        RIGHTS_LEFT[square] = STANDARD.surviving_rights[square]
    OPENING_START.key = STANDARD.key
    OPENING_START.rights, OPENING_START.pieces = ALL_RIGHTS, PIECES_AT_START

fill_opening_tables()


cdef inline void put_on(OpeningReplay *replay, int square, uint8_t piece) noexcept nogil:
    replay.key ^= PIECE_KEYS[replay.board[square]][square] ^ PIECE_KEYS[piece][square]
    replay.board[square] = piece


cdef inline bint play_in_opening(
    OpeningReplay *replay, move16_t move, bint by_black
) noexcept nogil:
    """Play a stored move; return False for a move of no piece of the side to move."""
    cdef int start = move & 63, target = move >> 6 & 63, promotion = move >> 12
    cdef uint8_t piece = replay.board[start], taken = replay.board[target]
    cdef int rights
    replay.key ^= OCG_ZOBRIST_WHITE_TO_MOVE
    if move == 0:              # a null move
        return True
    if piece == NO_PIECE or (piece & BLACK_PIECE != 0) != by_black or promotion > 5:
        return False
    replay.pieces -= taken != NO_PIECE
    put_on(replay, start, NO_PIECE)
    put_on(replay, target, piece if not promotion else <uint8_t>(promotion | piece & BLACK_PIECE))
    if piece & 7 == PAWN:
        if taken == NO_PIECE and (start ^ target) & 7:
            put_on(replay, target ^ 8, NO_PIECE)       # en passant
            replay.pieces -= 1
    elif piece & 7 == KING and (target - start == 2 or start - target == 2):
        rights = target + 1 if target > start else target - 2      # the square of the rook
        put_on(replay, (start + target) >> 1, replay.board[rights])
        put_on(replay, rights, NO_PIECE)
    rights = replay.rights & RIGHTS_LEFT[start] & RIGHTS_LEFT[target]
    if rights != replay.rights:
        replay.key ^= OCG_ZOBRIST_CASTLING[replay.rights] ^ OCG_ZOBRIST_CASTLING[rights]
        replay.rights = rights
    return True


cdef inline move16_t uci_move(const uint8_t *word) noexcept nogil:
    """Return a move in UCI, such as e2e4; no opening has a promotion."""
    return (
        (word[0] - c"a" & 7) | (word[1] - c"1" & 7) << 3
        | (word[2] - c"a" & 7) << 6 | (word[3] - c"1" & 7) << 9
    )


cdef class OpeningTable:
    """Positions of openings by their keys; see the stub."""
    cdef zobrist_t[OPENING_SLOTS] keys
    cdef int[OPENING_SLOTS] lines      # number of the line + 1; 0: the slot is free
    cdef Py_ssize_t most_plies
    cdef int fewest_pieces

    def __cinit__(self, list lines not None):
        cdef OpeningReplay replay
        cdef const uint8_t *word
        cdef Py_ssize_t ply, plies
        cdef size_t slot
        cdef int line
        cdef bytes text
        if len(lines) > OPENING_SLOTS // 2:
            raise ValueError(f"{len(lines)} openings; limit: {OPENING_SLOTS // 2}")
        self.fewest_pieces = PIECES_AT_START
        for line, text in enumerate(lines):
            word = <const uint8_t *>PyBytes_AS_STRING(text)
            plies = (PyBytes_GET_SIZE(text) + 1) // LINE_MOVE_BYTES
            replay = OPENING_START
            for ply in range(plies):
                if not play_in_opening(&replay, uci_move(word + ply * LINE_MOVE_BYTES), ply & 1):
                    raise ValueError(f"opening {line}: ply {ply + 1} cannot be played")
            slot = self.slot_of(replay.key)
            self.keys[slot], self.lines[slot] = replay.key, line + 1
            self.most_plies = max(self.most_plies, plies)
            self.fewest_pieces = min(self.fewest_pieces, replay.pieces)

    cdef inline size_t slot_of(self, zobrist_t key) noexcept nogil:
        """Return the slot of a key, or a free one."""
        cdef size_t slot = key & (OPENING_SLOTS - 1)
        while self.lines[slot] and self.keys[slot] != key:
            slot = (slot + 1) & (OPENING_SLOTS - 1)
        return slot

    cdef int last_line(self, const uint8_t *moves, Py_ssize_t plies) noexcept nogil:
        """Return the number of the last opening in a game, -1 if there is none."""
        cdef OpeningReplay replay = OPENING_START
        cdef Py_ssize_t ply
        cdef int line, last = 0
        for ply in range(min(plies, self.most_plies)):
            if not play_in_opening(&replay, stored_move(moves, ply), ply & 1):
                break
            if replay.pieces < self.fewest_pieces:
                break
            line = self.lines[self.slot_of(replay.key)]
            if line:
                last = line
        return last - 1

    def last_lines(self, list games not None):
        cdef list found = []
        cdef bytes moves
        for moves in games:
            found.append(
                -1 if moves is None
                else self.last_line(<const uint8_t *>PyBytes_AS_STRING(moves), count_moves(moves))
            )
        return found
