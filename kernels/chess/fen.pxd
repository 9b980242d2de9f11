"""Start positions: parse FEN (including X-FEN and Shredder-FEN castling), write EPD and FEN.

Forsyth-Edwards Notation: PGN standard 16.1. Missing fields get their defaults ("w - - 0 1");
text that cannot be a chess position is rejected.
"""

from libc.stdint cimport uint8_t
from libc.string cimport memset

from chess_types cimport (
    BLACK, KING, NO_PIECE, NO_SQUARE, PAWN, ROOK, WHITE, bitboard_t, zobrist_t,
)
from position cimport OCG_PAWN_ATTACKS, Position, bit, key_from_scratch, king_safe, ocg_lowest


cdef inline int piece_of_letter(uint8_t letter) noexcept nogil:
    """Return the piece type of an English piece letter in either case, 0 if it is none."""
    cdef const char *letters = b" pnbrqk"
    cdef int piece
    for piece in range(PAWN, KING + 1):
        if <uint8_t>letters[piece] == letter | 32:
            return piece
    return NO_PIECE


cdef inline const uint8_t *skip_blanks(const uint8_t *p, const uint8_t *end) noexcept nogil:
    while p < end and (p[0] == b' ' or p[0] == b'\t' or p[0] == b'_'):
        p += 1
    return p


cdef inline const uint8_t *read_board(
    Position *pos, const uint8_t *p, const uint8_t *end
) noexcept nogil:
    """Parse the first field into `pos`; return its end, NULL if it is malformed."""
    cdef int x = 0, y = 7, piece, colour
    while p < end and p[0] != b' ' and p[0] != b'_' and p[0] != b'\t':
        piece = piece_of_letter(p[0]) if p[0] >= b'A' else NO_PIECE
        if p[0] == b'/':
            if x != 8 or y == 0:
                return NULL
            x = 0
            y -= 1
        elif b'1' <= p[0] <= b'8':
            x += p[0] - c'0'
        elif piece and x < 8:
            colour = BLACK if p[0] & 32 else WHITE
            pos.board[y * 8 + x] = piece
            pos.pieces[piece] |= bit(y * 8 + x)
            pos.colours[colour] |= bit(y * 8 + x)
            x += 1
        else:
            return NULL
        if x > 8:
            return NULL
        p += 1
    return p if y == 0 and x == 8 else NULL


cdef inline bint has_one_king_each(Position *pos) noexcept nogil:
    cdef bitboard_t white = pos.pieces[KING] & pos.colours[WHITE]
    cdef bitboard_t black = pos.pieces[KING] & pos.colours[BLACK]
    if not white or not black or white & (white - 1) or black & (black - 1):
        return False
    pos.kings[WHITE] = ocg_lowest(white)
    pos.kings[BLACK] = ocg_lowest(black)
    return True


cdef inline int outermost_rook(const Position *pos, int colour, bint kingside) noexcept nogil:
    """Return the castling rook that X-FEN means by K or Q: the outermost on that side."""
    cdef int king = pos.kings[colour]
    cdef int step = -1 if kingside else 1
    cdef int square = 56 * colour + (7 if kingside else 0)
    while square != king and square >> 3 == king >> 3:
        if pos.board[square] == ROOK and pos.colours[colour] >> square & 1:
            return square
        square += step
    return NO_SQUARE


cdef inline void grant_castling(Position *pos, uint8_t letter) noexcept nogil:
    """Grant the right that a letter names; ignore a right that the board cannot have."""
    cdef int colour = BLACK if letter & 32 else WHITE
    cdef uint8_t name = letter | 32
    cdef int king = pos.kings[colour]
    cdef int rook = NO_SQUARE
    if king >> 3 != 7 * colour:
        return
    if name == b'k' or name == b'q':
        rook = outermost_rook(pos, colour, name == b'k')
    elif b'a' <= name <= b'h':
        rook = 56 * colour + name - c'a'
        if pos.board[rook] != ROOK or not pos.colours[colour] >> rook & 1:
            rook = NO_SQUARE
    if rook == NO_SQUARE:
        return
    name = 2 * colour + (1 if rook < king else 0)
    pos.rights |= 1 << name
    pos.rook_from[name] = rook


cdef inline void fill_surviving_rights(Position *pos) noexcept nogil:
    cdef int right
    memset(pos.surviving_rights, 15, 64)
    for right in range(4):
        if pos.rights >> right & 1:
            pos.surviving_rights[pos.rook_from[right]] &= ~(1 << right)
            pos.surviving_rights[pos.kings[right >> 1]] &= ~(1 << right)


cdef inline const uint8_t *read_number(
    const uint8_t *p, const uint8_t *end, int *number
) noexcept nogil:
    cdef int value = 0
    p = skip_blanks(p, end)
    if p >= end or not b'0' <= p[0] <= b'9':
        return p
    while p < end and b'0' <= p[0] <= b'9':
        if value < 100000:
            value = value * 10 + p[0] - c'0'
        p += 1
    number[0] = value
    return p


cdef inline const uint8_t *read_rights_and_ep(
    Position *pos, const uint8_t *p, const uint8_t *end
) noexcept nogil:
    cdef int square
    p = skip_blanks(p, end)
    while p < end and p[0] != b' ' and p[0] != b'_':
        if p[0] != b'-':
            grant_castling(pos, p[0])
        p += 1
    p = skip_blanks(p, end)
    if p + 1 < end and b'a' <= p[0] <= b'h' and b'1' <= p[1] <= b'8':
        square = p[0] - c'a' + (p[1] - c'1') * 8
        # Only a square that a pawn has just crossed and where another pawn can capture.
        if (square >> 3 == 5 - 3 * pos.turn and pos.board[square] == NO_PIECE
                and pos.board[square ^ 8] == PAWN
                and pos.colours[1 - pos.turn] >> (square ^ 8) & 1
                and OCG_PAWN_ATTACKS[1 - pos.turn][square] & pos.pieces[PAWN]
                & pos.colours[pos.turn]):
            pos.ep = square
    while p < end and p[0] != b' ' and p[0] != b'_':
        p += 1
    return p


cdef inline bint read_fen(Position *pos, const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Set up `pos` from FEN; return False if it is not a position with one king each."""
    memset(pos, 0, sizeof(Position))
    pos.ep = NO_SQUARE
    pos.fullmove = 1
    p = read_board(pos, skip_blanks(p, end), end)
    if p == NULL or not has_one_king_each(pos):
        return False
    p = skip_blanks(p, end)
    if p < end:
        if p[0] | 32 != b'w' and p[0] | 32 != b'b':
            return False
        pos.turn = BLACK if p[0] | 32 == b'b' else WHITE
        p = read_rights_and_ep(pos, p + 1, end)
        p = read_number(p, end, &pos.halfmove)
        read_number(p, end, &pos.fullmove)
        if pos.fullmove < 1:
            pos.fullmove = 1
    fill_surviving_rights(pos)
    pos.key = key_from_scratch(pos)
    # The side that has just moved must not have left its king en prise.
    return king_safe(
        pos, 1 - pos.turn, pos.kings[1 - pos.turn],
        pos.colours[0] | pos.colours[1], pos.colours[pos.turn],
    )


cdef inline bint is_playable(const Position *pos) noexcept nogil:
    """Return whether a start of read_start_fen() is a legal position."""
    return pos.pieces[KING] != 0


cdef inline bint read_start_fen(
    Position *pos, const uint8_t *p, const uint8_t *end, bint has_moves
) noexcept nogil:
    """Set up the start of a game; return False if moves cannot begin there.

    A record without moves may have a FEN that is not a legal position, as lessons have: `pos` is
    an empty board then, with a key of its own (64-bit FNV-1a of the text).
    """
    if read_fen(pos, p, end):
        return True
    memset(pos, 0, sizeof(Position))
    pos.ep = NO_SQUARE
    pos.fullmove = 1
    pos.key = <zobrist_t>0xCBF29CE484222325
    while p < end:
        pos.key = (pos.key ^ p[0]) * <zobrist_t>0x100000001B3
        p += 1
    return not has_moves


cdef inline void set_start(Position *pos) noexcept nogil:
    """Set up the standard start position."""
    cdef const char *fen = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    read_fen(pos, <const uint8_t *>fen, <const uint8_t *>fen + 56)


cdef inline bint is_standard_start(const Position *pos, const Position *standard) noexcept nogil:
    """Return whether the position is the standard one, ignoring the counters."""
    return pos.key == standard.key and pos.colours[0] == standard.colours[0]


cdef inline uint8_t *write_board(const Position *pos, uint8_t *out) noexcept nogil:
    cdef const char *letters = b" PNBRQK"
    cdef int x, y, square, empty
    for y in range(7, -1, -1):
        empty = 0
        for x in range(8):
            square = y * 8 + x
            if pos.board[square] == NO_PIECE:
                empty += 1
                continue
            if empty:
                out[0] = c'0' + empty
                out += 1
                empty = 0
            out[0] = letters[pos.board[square]] | (32 if pos.colours[BLACK] >> square & 1 else 0)
            out += 1
        if empty:
            out[0] = c'0' + empty
            out += 1
        if y:
            out[0] = b'/'
            out += 1
    return out


cdef inline uint8_t *write_rights(const Position *pos, uint8_t *out) noexcept nogil:
    """Write the rights as KQkq, or as the rook's file if it is not the outermost (X-FEN)."""
    cdef int right, colour
    for right in range(4):
        if not pos.rights >> right & 1:
            continue
        colour = right >> 1
        if pos.rook_from[right] == outermost_rook(pos, colour, not right & 1):
            out[0] = b'Q' if right & 1 else b'K'
        else:
            out[0] = c'A' + (pos.rook_from[right] & 7)
        out[0] |= 32 * colour
        out += 1
    if not pos.rights:
        out[0] = b'-'
        out += 1
    return out


cdef inline Py_ssize_t write_epd(const Position *pos, uint8_t *out) noexcept nogil:
    """Write board, side to move, rights and en passant square (<= 90 bytes); return the length.

    Of a start that cannot be played: # and its key, 16 hexadecimal digits.
    """
    cdef uint8_t *p
    cdef int i
    if not is_playable(pos):
        out[0] = b'#'
        for i in range(16):
            out[i + 1] = (b"0123456789abcdef")[pos.key >> 4 * (15 - i) & 15]
        return 17
    p = write_board(pos, out)
    p[0] = b' '
    p[1] = b'b' if pos.turn else b'w'
    p[2] = b' '
    p = write_rights(pos, p + 3)
    p[0] = b' '
    if pos.ep == NO_SQUARE:
        p[1] = b'-'
        return p + 2 - out
    p[1] = c'a' + (pos.ep & 7)
    p[2] = c'1' + (pos.ep >> 3)
    return p + 3 - out
