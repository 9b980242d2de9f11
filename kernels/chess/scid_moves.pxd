"""Decode the moves of a Scid game: a byte names the piece, by its number in a list, and the move.

From Scid's sources (bytebuf.h, game.cpp, position.cpp). The upper four bits are the piece's number.
The lower four depend on the piece:

king      0 null move, 1-8 a step, 9 castling queenside, 10 kingside; 11-15 are not moves
knight    1-8, in the order of the target squares
rook      0-7 the file of the target, 8-15 its rank
bishop    the file of the target, and 8 if the move goes up-left or down-right
queen     as a rook, or its own file for a diagonal move; then the next byte is the target + 64
pawn      0-2 capture left, step, capture right; + 3, 6, 9, 12 with promotion; 15 double step

Numbers: the king has 0; the others of the standard position go from a1 to h1 and a2 to h2, those of
a FEN have the order of the FEN. A captured piece's number goes to the last piece of its side.
"""

from libc.stdint cimport uint8_t
from libc.string cimport memcpy

from chess_types cimport (
    BISHOP, BLACK, KING, KNIGHT, NO_PIECE, PAWN, ROOK, WHITE, bitboard_t, move16_t,
)
from position cimport Position, bit, castling_move, castling_right, play_pawn, play_piece
from san_read cimport file_mask, rank_mask
from san_write cimport OCG_PIECE_LETTER, OCG_SQUARE_TEXT, Replay, write_ply

cdef enum:
    SCID_NAG = 11
    SCID_COMMENT
    SCID_BEGIN_VARIATION
    SCID_END_VARIATION
    SCID_END_GAME
    NOT_A_MOVE = -1
    MOST_PIECES = 16       # of one side

cdef extern from *:
    """
    static const signed char OCG_SCID_KING[9] = {0, -9, -8, -7, -1, 1, 7, 8, 9};
    static const signed char OCG_SCID_KNIGHT[9] = {0, -17, -15, -10, -6, 6, 10, 15, 17};
    """
    const signed char OCG_SCID_KING[9]
    const signed char OCG_SCID_KNIGHT[9]

ctypedef struct NumberedPieces:
    uint8_t squares[2][MOST_PIECES]    # by colour and number
    uint8_t number_on[64]
    int count[2]


cdef inline void add_numbered(NumberedPieces *n, int colour, int square) noexcept nogil:
    if n.count[colour] < MOST_PIECES:
        n.squares[colour][n.count[colour]] = square
        n.number_on[square] = n.count[colour]
    n.count[colour] += 1


cdef inline bint number_pieces(
    NumberedPieces *n, const Position *pos, bint is_standard
) noexcept nogil:
    """Number the pieces of a start position; return False if a side has more than Scid allows."""
    cdef int colour, rank, x, square, king
    n.count[WHITE] = n.count[BLACK] = 0
    for rank in range(7, -1, -1):
        for x in range(8):
            square = rank * 8 + x
            if is_standard and rank < 2:
                square ^= 8                           # white pieces before white pawns
            if pos.board[square] != NO_PIECE:
                add_numbered(n, pos.colours[BLACK] >> square & 1, square)
    if n.count[WHITE] > MOST_PIECES or n.count[BLACK] > MOST_PIECES:
        return False
    for colour in range(2):
        king = n.number_on[pos.kings[colour]]
        # The standard position moves the others up; a FEN exchanges the king and the first.
        while king:
            square = n.squares[colour][king - 1 if is_standard else 0]
            n.squares[colour][king] = square
            n.number_on[square] = king
            king = king - 1 if is_standard else 0
        n.squares[colour][0] = pos.kings[colour]
        n.number_on[pos.kings[colour]] = 0
    return True


cdef inline int line_target(int start, int code) noexcept nogil:
    """Return the target of a move along a rank or a file."""
    return (start & 7) + 8 * (code - 8) if code >= 8 else (start & 56) + code


cdef inline int decode_king(const Position *pos, int start, int code) noexcept nogil:
    if code == 0:
        return 0
    if code <= 8:
        return start | ((start + OCG_SCID_KING[code]) & 63) << 6
    return castling_move(pos, 2 * pos.turn + (code == 9))


cdef inline int decode_pawn(const Position *pos, int start, int code) noexcept nogil:
    cdef int step = 16 if code == 15 else 7 + code % 3
    cdef int promotion = 6 - code // 3 if 3 <= code < 15 else 0    # queen, rook, bishop, knight
    return start | ((start + step - 2 * step * pos.turn) & 63) << 6 | promotion << 12


cdef inline int decode_move(
    const Position *pos, const NumberedPieces *n, uint8_t byte, const uint8_t **at,
    const uint8_t *end
) noexcept nogil:
    """Return a move, which may be illegal, or NOT_A_MOVE; the queen may use a second byte."""
    cdef int number = byte >> 4, code = byte & 15
    cdef int start, target, piece
    if number >= n.count[pos.turn]:
        return NOT_A_MOVE
    start = n.squares[pos.turn][number]
    piece = pos.board[start]
    if piece == KING:
        return decode_king(pos, start, code) if code < SCID_NAG else NOT_A_MOVE
    if piece == PAWN:
        return decode_pawn(pos, start, code)
    if piece == KNIGHT:
        target = start + OCG_SCID_KNIGHT[code] if code <= 8 else start
    elif piece == BISHOP:
        target = (code & 7) - (start & 7)
        target = start - 7 * target if code >= 8 else start + 9 * target
    elif piece != ROOK and code == (start & 7):
        if at[0] == end or at[0][0] < 64:
            return NOT_A_MOVE
        target = at[0][0] - 64
        at[0] += 1
    else:
        target = line_target(start, code)
    return NOT_A_MOVE if target == start or not 0 <= target < 64 else start | target << 6


cdef inline void remove_numbered(NumberedPieces *n, int colour, int square) noexcept nogil:
    cdef int number = n.number_on[square]
    cdef uint8_t last
    n.count[colour] -= 1
    last = n.squares[colour][n.count[colour]]
    n.squares[colour][number] = last
    n.number_on[last] = number


cdef inline void move_numbered(
    NumberedPieces *n, int colour, int number, int target
) noexcept nogil:
    n.squares[colour][number] = target
    n.number_on[target] = number


cdef inline uint8_t *write_untested(
    Position *pos, int start, int target, int promotion, uint8_t *out
) noexcept nogil:
    """Write a move so that a reader plays this move or, if it is illegal, none; play it untested.

    The text may tell more than SAN has to, and lacks check signs. With write_ply() alone, 100,000
    games take 0.50 s instead of 0.40. Return NULL, and change nothing, for a move that needs it.
    """
    cdef int piece = pos.board[start]
    cdef bitboard_t rivals = pos.pieces[piece] & pos.colours[pos.turn] & ~bit(start)
    if (pos.colours[pos.turn] | pos.pieces[KING]) >> target & 1:
        return NULL
    if piece == PAWN:
        # "e4" is another move if a pawn stands between.
        if promotion or target < 8 or target >= 56 or (
            (start ^ target) == 16 and pos.board[(start + target) >> 1] != NO_PIECE
        ):
            return NULL
        if (start ^ target) & 7:
            out[0] = c'a' + (start & 7)
            out[1] = b'x'
            out += 2
        play_pawn(pos, start, target, 0)
    else:
        out[0] = OCG_PIECE_LETTER[piece]
        out += 1
        if rivals & file_mask(start & 7):
            if rivals & rank_mask(start >> 3):
                return NULL
            out[0] = c'1' + (start >> 3)
            out += 1
        elif rivals:
            out[0] = c'a' + (start & 7)
            out += 1
        play_piece(pos, piece, start, target)
    memcpy(out, &OCG_SQUARE_TEXT[target], 2)
    return out + 2


cdef inline uint8_t *play_numbered(
    Replay *r, NumberedPieces *n, move16_t move, bint is_exact, uint8_t *out
) noexcept nogil:
    """Write a move and play it; return NULL, and change nothing, if it is illegal.

    `is_exact`: in SAN, else perhaps untested.
    """
    cdef Position *pos = &r.pos
    cdef int us = pos.turn, start = move & 63, target = move >> 6 & 63
    cdef int right = castling_right(pos, move) if move else -1
    cdef int king, rook, taken = target
    cdef uint8_t *after = NULL
    if pos.board[start] == PAWN and target == pos.ep and (start ^ target) & 7:
        taken = target ^ 8
    if right >= 0 or move == 0 or pos.board[taken] == NO_PIECE:
        taken = -1
    if right < 0 and move and not is_exact:
        after = write_untested(pos, start, target, move >> 12, out)
    if after == NULL:
        r.checked |= not is_exact                     # unknown
        after = write_ply(r, move, out)
    if after == NULL or move == 0:
        return after
    if right >= 0:
        king, rook = pos.kings[us], n.number_on[pos.rook_from[right]]
        move_numbered(n, us, 0, king)
        move_numbered(n, us, rook, king + 1 if right & 1 else king - 1)
        return after
    if taken >= 0:
        remove_numbered(n, 1 - us, taken)
    move_numbered(n, us, n.number_on[start], target)
    return after
