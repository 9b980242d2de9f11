"""The board: attacks, king safety, making moves, and the Polyglot key, updated incrementally.

No moves are generated: a given move is looked up from its target square and tested. The kernel that
uses this must have called `ocg_fill_tables()` once.
"""

from libc.stdint cimport uint8_t

from chess_types cimport (
    BISHOP, BLACK, CHESS960_CASTLING, KING, KNIGHT, NO_PIECE, NO_SQUARE, PAWN, QUEEN, ROOK, WHITE,
    bitboard_t, move16_t, zobrist_t,
)

cdef extern from "attack_tables.h" nogil:
    bitboard_t OCG_ATTACKS[7][64]
    bitboard_t OCG_PAWN_ATTACKS[2][64]
    bitboard_t OCG_BETWEEN[64][64]
    zobrist_t OCG_ZOBRIST[2][7][64]
    zobrist_t OCG_ZOBRIST_CASTLING[16]
    zobrist_t OCG_ZOBRIST_EP[8]
    zobrist_t OCG_ZOBRIST_WHITE_TO_MOVE
    void ocg_fill_tables()

cdef extern from *:
    """
    #include "compiler.h"
    #define ocg_lowest(b) OCG_LOWEST_BIT(b)
    #define ocg_likely(x) OCG_LIKELY(x)
    #define ocg_unlikely(x) OCG_UNLIKELY(x)
    """
    int ocg_lowest(bitboard_t b) nogil
    bint ocg_likely(bint x) nogil
    bint ocg_unlikely(bint x) nogil

ctypedef struct Position:
    uint8_t board[64]          # piece type by square
    bitboard_t pieces[7]       # by piece type; [NO_PIECE] is a dummy
    bitboard_t colours[2]
    zobrist_t key
    int turn
    int ep                     # target square, only if a pawn of `turn` can capture there
    int rights                 # 1 WK, 2 WQ, 4 BK, 8 BQ
    int kings[2]
    uint8_t rook_from[4]       # square of the castling rook, by right
    uint8_t surviving_rights[64]   # rights that survive a move from or to the square
    int fullmove
    int halfmove


cdef inline bitboard_t bit(int square) noexcept nogil:
    return <bitboard_t>1 << square


cdef inline bint king_safe(
    const Position *pos, int us, int king, bitboard_t occupied, bitboard_t enemies
) noexcept nogil:
    """Return whether no enemy of `us` attacks square `king`, for a given occupancy."""
    cdef bitboard_t queens = pos.pieces[QUEEN]
    cdef bitboard_t sliders
    if OCG_ATTACKS[KNIGHT][king] & pos.pieces[KNIGHT] & enemies:
        return False
    if OCG_PAWN_ATTACKS[us][king] & pos.pieces[PAWN] & enemies:
        return False
    sliders = enemies & (
        (OCG_ATTACKS[ROOK][king] & (pos.pieces[ROOK] | queens))
        | (OCG_ATTACKS[BISHOP][king] & (pos.pieces[BISHOP] | queens))
    )
    while sliders:
        if not OCG_BETWEEN[king][ocg_lowest(sliders)] & occupied:
            return False
        sliders &= sliders - 1
    return not OCG_ATTACKS[KING][king] & pos.pieces[KING] & enemies


cdef inline bint in_check(const Position *pos) noexcept nogil:
    """Return whether the side to move is in check."""
    return not king_safe(
        pos, pos.turn, pos.kings[pos.turn],
        pos.colours[0] | pos.colours[1], pos.colours[1 - pos.turn],
    )


cdef inline bint is_safe_move(const Position *pos, int piece, int start, int target) noexcept nogil:
    """Return whether the mover's king is safe after the move (no castling, no en passant)."""
    cdef int us = pos.turn
    cdef bitboard_t occupied = (pos.colours[0] | pos.colours[1]) & ~bit(start) | bit(target)
    cdef int king = target if piece == KING else pos.kings[us]
    return king_safe(pos, us, king, occupied, pos.colours[1 - us] & ~bit(target))


cdef inline void clear_ep(Position *pos) noexcept nogil:
    if pos.ep != NO_SQUARE:
        pos.key ^= OCG_ZOBRIST_EP[pos.ep & 7]
        pos.ep = NO_SQUARE


cdef inline void move_piece(Position *pos, int piece, int start, int target) noexcept nogil:
    """Move a piece and capture on the target; no special rules, side to move unchanged."""
    cdef int us = pos.turn
    cdef int taken = pos.board[target]
    cdef bitboard_t both = bit(start) | bit(target)
    pos.board[start] = NO_PIECE
    pos.board[target] = piece
    pos.pieces[taken] &= ~bit(target)
    pos.pieces[piece] ^= both
    pos.colours[us] ^= both
    pos.colours[1 - us] &= ~bit(target)
    pos.key ^= (
        OCG_ZOBRIST[us][piece][start] ^ OCG_ZOBRIST[us][piece][target]
        ^ OCG_ZOBRIST[1 - us][taken][target]
    )


cdef inline void end_turn(Position *pos) noexcept nogil:
    pos.fullmove += pos.turn
    pos.turn = 1 - pos.turn
    pos.key ^= OCG_ZOBRIST_WHITE_TO_MOVE


cdef inline void drop_rights(Position *pos, int start, int target) noexcept nogil:
    cdef int rights
    if pos.rights:
        rights = pos.rights & pos.surviving_rights[start] & pos.surviving_rights[target]
        if rights != pos.rights:
            pos.key ^= OCG_ZOBRIST_CASTLING[pos.rights] ^ OCG_ZOBRIST_CASTLING[rights]
            pos.rights = rights


cdef inline void play_piece(Position *pos, int piece, int start, int target) noexcept nogil:
    """Play a move of a piece other than a pawn, except castling."""
    clear_ep(pos)
    move_piece(pos, piece, start, target)
    drop_rights(pos, start, target)
    if piece == KING:
        pos.kings[pos.turn] = target
    end_turn(pos)


cdef inline void open_ep(Position *pos, int square) noexcept nogil:
    """After a double step over `square`, set `ep` if a pawn of the side to move can capture.

    Polyglot and X-FEN count it only then, whether or not that pawn is pinned.
    """
    if OCG_PAWN_ATTACKS[1 - pos.turn][square] & pos.pieces[PAWN] & pos.colours[pos.turn]:
        pos.ep = square
        pos.key ^= OCG_ZOBRIST_EP[square & 7]


cdef inline void remove_piece(Position *pos, int colour, int square) noexcept nogil:
    cdef int piece = pos.board[square]
    pos.board[square] = NO_PIECE
    pos.pieces[piece] &= ~bit(square)
    pos.colours[colour] &= ~bit(square)
    pos.key ^= OCG_ZOBRIST[colour][piece][square]


cdef inline void put_piece(Position *pos, int colour, int piece, int square) noexcept nogil:
    pos.board[square] = piece
    pos.pieces[piece] |= bit(square)
    pos.colours[colour] |= bit(square)
    pos.key ^= OCG_ZOBRIST[colour][piece][square]
    if piece == KING:
        pos.kings[colour] = square


cdef inline void play_pawn(Position *pos, int start, int target, int promotion) noexcept nogil:
    """Play a pawn move: step, double step, capture, en passant, promotion (0 for none)."""
    cdef int us = pos.turn
    cdef bint takes_ep = target == pos.ep and (start & 7) != (target & 7)
    clear_ep(pos)
    move_piece(pos, PAWN, start, target)
    if takes_ep:
        remove_piece(pos, 1 - us, target ^ 8)
    elif promotion:
        remove_piece(pos, us, target)
        put_piece(pos, us, promotion, target)
        drop_rights(pos, start, target)
    end_turn(pos)
    if (start ^ target) == 16 and not promotion:
        open_ep(pos, (start + target) >> 1)


cdef inline bint is_safe_ep(const Position *pos, int start, int target) noexcept nogil:
    """Return whether the king is safe after an en passant capture, which removes two pawns."""
    cdef int us = pos.turn
    cdef bitboard_t victim = bit(target ^ 8)
    cdef bitboard_t occupied = (
        (pos.colours[0] | pos.colours[1]) & ~bit(start) & ~victim | bit(target)
    )
    return king_safe(pos, us, pos.kings[us], occupied, pos.colours[1 - us] & ~victim)


cdef inline bint is_pawn_move(const Position *pos, int start, int target) noexcept nogil:
    """Return whether a pawn of the side to move on `start` can legally go to `target`."""
    cdef int us = pos.turn
    cdef int forward = 8 - 16 * us
    if OCG_PAWN_ATTACKS[us][start] >> target & 1:
        if bit(target) & pos.colours[1 - us] & ~pos.pieces[KING]:
            return is_safe_move(pos, PAWN, start, target)
        return target == pos.ep and is_safe_ep(pos, start, target)
    if pos.board[target] != NO_PIECE:
        return False
    if target == start + forward:
        return is_safe_move(pos, PAWN, start, target)
    return (
        target == start + 2 * forward and (start >> 3) == (1 + 5 * us)
        and pos.board[start + forward] == NO_PIECE and is_safe_move(pos, PAWN, start, target)
    )


cdef inline int find_piece(
    const Position *pos, int piece, int target, bitboard_t allowed
) noexcept nogil:
    """Find the only piece (not a pawn) that can legally go to `target`.

    Return its square, -1 if there is none, -2 if there are two or more.
    """
    cdef int us = pos.turn, origin = -1, square
    cdef bitboard_t occupied = pos.colours[0] | pos.colours[1]
    cdef bitboard_t candidates = OCG_ATTACKS[piece][target] & pos.pieces[piece] & pos.colours[us]
    candidates &= allowed
    # A king can be en prise only after a null move out of check, which is not a move.
    if (pos.colours[us] | pos.pieces[KING]) >> target & 1:
        return -1
    while candidates:
        square = ocg_lowest(candidates)
        candidates &= candidates - 1
        if OCG_BETWEEN[square][target] & occupied:
            continue
        if not is_safe_move(pos, piece, square, target):
            continue
        if origin >= 0:
            return -2
        origin = square
    return origin


cdef inline bint castling_is_legal(const Position *pos, int right) noexcept nogil:
    """Return whether castling by `right` (0 WK, 1 WQ, 2 BK, 3 BQ) is legal, Chess960 included."""
    cdef int us = pos.turn
    cdef int king = pos.kings[us]
    cdef int rook = pos.rook_from[right]
    cdef int king_to = (2 if right & 1 else 6) + 56 * us
    cdef int rook_to = (3 if right & 1 else 5) + 56 * us
    cdef bitboard_t others, path, must_be_free
    if not pos.rights >> right & 1:
        return False
    others = (pos.colours[0] | pos.colours[1]) & ~bit(king) & ~bit(rook)
    path = OCG_BETWEEN[king][king_to] | bit(king)
    must_be_free = OCG_BETWEEN[king][king_to] | OCG_BETWEEN[rook][rook_to]
    if others & (must_be_free | bit(king_to) | bit(rook_to)):
        return False
    while path:
        # The king passes the square of the rook.
        if not king_safe(pos, us, ocg_lowest(path), others | bit(rook), pos.colours[1 - us]):
            return False
        path &= path - 1
    return king_safe(pos, us, king_to, others | bit(rook_to), pos.colours[1 - us])


cdef inline move16_t castling_move(const Position *pos, int right) noexcept nogil:
    """Encode castling: the king's two squares, or king takes rook if it starts elsewhere."""
    cdef int us = pos.turn
    cdef int king = pos.kings[us]
    cdef int rook = pos.rook_from[right]
    cdef int standard_rook = (0 if right & 1 else 7) + 56 * us
    if king == 4 + 56 * us and rook == standard_rook:
        return king | ((2 if right & 1 else 6) + 56 * us) << 6
    return king | rook << 6 | CHESS960_CASTLING


cdef inline void play_castling(Position *pos, int right) noexcept nogil:
    cdef int us = pos.turn
    cdef int king = pos.kings[us]
    cdef int rook = pos.rook_from[right]
    clear_ep(pos)
    remove_piece(pos, us, king)
    remove_piece(pos, us, rook)
    put_piece(pos, us, KING, (2 if right & 1 else 6) + 56 * us)
    put_piece(pos, us, ROOK, (3 if right & 1 else 5) + 56 * us)
    drop_rights(pos, king, rook)
    end_turn(pos)


cdef inline void play_null(Position *pos) noexcept nogil:
    clear_ep(pos)
    end_turn(pos)


cdef inline int castling_right(const Position *pos, move16_t move) noexcept nogil:
    """Return the right (0 to 3) that a stored move castles by, or -1 if it does not castle."""
    cdef int us = pos.turn, start = move & 63, target = move >> 6 & 63
    if pos.board[start] != KING or start != pos.kings[us]:
        return -1
    if move & CHESS960_CASTLING:
        if pos.rights >> (2 * us) & 1 and target == pos.rook_from[2 * us]:
            return 2 * us
        return 2 * us + 1
    if start - target == 2:
        return 2 * us + 1
    return 2 * us if target - start == 2 else -1


cdef inline bint move_is_legal(const Position *pos, move16_t move) noexcept nogil:
    """Return whether a stored move can be played; a null move always can."""
    cdef int start = move & 63, target = move >> 6 & 63, promotion = move >> 12 & 7
    cdef int piece = pos.board[start]
    cdef int right
    if move == 0:
        return True
    if not pos.colours[pos.turn] >> start & 1:
        return False
    right = castling_right(pos, move)
    if right >= 0:
        return (not promotion and castling_is_legal(pos, right)
                and castling_move(pos, right) == move)
    if move & CHESS960_CASTLING:
        return False
    if piece == PAWN:
        if ((target >> 3) == 7 - 7 * pos.turn) != (KNIGHT <= promotion <= QUEEN):
            return False
        if promotion and not KNIGHT <= promotion <= QUEEN:
            return False
        return is_pawn_move(pos, start, target)
    return not promotion and find_piece(pos, piece, target, bit(start)) == start


cdef inline void play_move(Position *pos, move16_t move) noexcept nogil:
    """Play a stored move, which must be legal."""
    cdef int start = move & 63, target = move >> 6 & 63, right
    if move == 0:
        play_null(pos)
    elif pos.board[start] == PAWN:
        play_pawn(pos, start, target, move >> 12 & 7)
    else:
        right = castling_right(pos, move) if pos.board[start] == KING else -1
        if right >= 0:
            play_castling(pos, right)
        else:
            play_piece(pos, pos.board[start], start, target)


cdef inline zobrist_t key_from_scratch(const Position *pos) noexcept nogil:
    """Compute the Polyglot key from scratch: board, rights, en passant, side to move."""
    cdef zobrist_t key = OCG_ZOBRIST_CASTLING[pos.rights]
    cdef int square
    for square in range(64):
        key ^= OCG_ZOBRIST[pos.colours[BLACK] >> square & 1][pos.board[square]][square]
    if pos.ep != NO_SQUARE:
        key ^= OCG_ZOBRIST_EP[pos.ep & 7]
    if pos.turn == WHITE:
        key ^= OCG_ZOBRIST_WHITE_TO_MOVE
    return key
