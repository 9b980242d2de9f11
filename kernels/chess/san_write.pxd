"""Write SAN: test, spell and play a stored move in one pass.

PGN standard 8.2.3, and python-chess where the standard leaves a choice: rivals without a legal move
do not count; the origin's file is preferred to its rank, and the rank to both.
"""

from libc.stdint cimport uint8_t, uint16_t
from libc.string cimport memcpy

from chess_types cimport (
    BISHOP, KING, KNIGHT, NO_PIECE, NO_SQUARE, PAWN, QUEEN, ROOK, bitboard_t, move16_t,
)
from position cimport (
    OCG_ATTACKS, OCG_BETWEEN, OCG_PAWN_ATTACKS, Position, bit, castling_is_legal, castling_move,
    castling_right, find_piece, in_check, is_pawn_move, is_safe_move, ocg_likely, ocg_lowest,
    ocg_unlikely, play_castling, play_null, play_pawn, play_piece,
)
from san_read cimport file_mask, rank_mask

cdef extern from "lex_tables.h" nogil:
    const uint16_t OCG_SQUARE_TEXT[64]

cdef extern from *:
    """
    static const uint8_t OCG_PIECE_LETTER[8] = {0, 0, 'N', 'B', 'R', 'Q', 'K', 0};
    """
    const uint8_t OCG_PIECE_LETTER[8]

cdef enum:
    SAN_BYTES = 8          # the longest has 7: Qa1xb2#, exd8=Q#

ctypedef struct Replay:
    Position pos
    bint checked           # the side to move is in check
    bint passed            # the last ply was a null move, perhaps out of check


cdef inline void begin_replay(Replay *r, const Position *start) noexcept nogil:
    r.pos = start[0]
    r.checked = in_check(start)
    r.passed = False


cdef inline bitboard_t find_checkers(const Position *pos) noexcept nogil:
    """Return the pieces that give check to the side to move."""
    cdef int us = pos.turn
    cdef int king = pos.kings[us]
    cdef bitboard_t occupied = pos.colours[0] | pos.colours[1]
    cdef bitboard_t queens = pos.pieces[QUEEN]
    cdef bitboard_t checkers = (
        (OCG_ATTACKS[KNIGHT][king] & pos.pieces[KNIGHT])
        | (OCG_PAWN_ATTACKS[us][king] & pos.pieces[PAWN])
        | (OCG_ATTACKS[KING][king] & pos.pieces[KING])
    )
    cdef bitboard_t sliders = pos.colours[1 - us] & (
        (OCG_ATTACKS[ROOK][king] & (pos.pieces[ROOK] | queens))
        | (OCG_ATTACKS[BISHOP][king] & (pos.pieces[BISHOP] | queens))
    )
    checkers &= pos.colours[1 - us]
    while sliders:
        if not OCG_BETWEEN[king][ocg_lowest(sliders)] & occupied:
            checkers |= sliders & (~sliders + 1)
        sliders &= sliders - 1
    return checkers


cdef inline bint king_can_flee(const Position *pos) noexcept nogil:
    cdef int us = pos.turn
    cdef bitboard_t targets = OCG_ATTACKS[KING][pos.kings[us]] & ~pos.colours[us]
    while targets:
        if is_safe_move(pos, KING, pos.kings[us], ocg_lowest(targets)):
            return True
        targets &= targets - 1
    return False


cdef inline bint pawn_can_reach(const Position *pos, int target) noexcept nogil:
    """Return whether some pawn can legally go to the square, capturing or not."""
    cdef int us = pos.turn
    cdef int back = 16 * us - 8
    cdef bitboard_t origins = OCG_PAWN_ATTACKS[1 - us][target]
    if 0 <= target + back < 64:
        origins |= bit(target + back)
    if 0 <= target + 2 * back < 64:
        origins |= bit(target + 2 * back)
    origins &= pos.pieces[PAWN] & pos.colours[us]
    while origins:
        if is_pawn_move(pos, ocg_lowest(origins), target):
            return True
        origins &= origins - 1
    return False


cdef inline bint can_answer_check(const Position *pos) noexcept nogil:
    """Return whether the side to move, which is in check, has a legal move."""
    cdef bitboard_t checkers, targets
    cdef int piece
    if king_can_flee(pos):
        return True
    if pos.ep != NO_SQUARE and pawn_can_reach(pos, pos.ep):
        return True
    checkers = find_checkers(pos)
    if checkers & (checkers - 1):
        return False                                  # double check: the king has to move
    targets = checkers | OCG_BETWEEN[pos.kings[pos.turn]][ocg_lowest(checkers)]
    while targets:
        for piece in range(KNIGHT, KING):
            if find_piece(pos, piece, ocg_lowest(targets), <bitboard_t>-1) != -1:
                return True
        if pawn_can_reach(pos, ocg_lowest(targets)):
            return True
        targets &= targets - 1
    return False


cdef inline bint is_free_to_move(const Replay *r, int piece, int start) noexcept nogil:
    """Return True if the piece certainly cannot uncover its king; False means unknown."""
    return not (
        r.checked or piece == KING
        or OCG_ATTACKS[QUEEN][r.pos.kings[r.pos.turn]] >> start & 1
    )


cdef inline bint piece_can_go(const Replay *r, int piece, int start, int target) noexcept nogil:
    """Return whether a piece (not a pawn) can legally go to a square, which has no friend."""
    cdef bitboard_t occupied = r.pos.colours[0] | r.pos.colours[1]
    if not OCG_ATTACKS[piece][start] >> target & 1 or OCG_BETWEEN[start][target] & occupied:
        return False
    return is_free_to_move(r, piece, start) or is_safe_move(&r.pos, piece, start, target)


cdef inline bint pawn_can_go(const Replay *r, int start, int target) noexcept nogil:
    cdef int us = r.pos.turn
    if not is_free_to_move(r, PAWN, start) or target == r.pos.ep:
        return is_pawn_move(&r.pos, start, target)
    if target == start + 8 - 16 * us:
        return r.pos.board[target] == NO_PIECE
    if OCG_PAWN_ATTACKS[us][start] >> target & 1:
        return (r.pos.colours[1 - us] >> target & 1) != 0
    return (
        target == start + 16 - 32 * us and (start >> 3) == (1 + 5 * us)
        and r.pos.board[target] == NO_PIECE and r.pos.board[(start + target) >> 1] == NO_PIECE
    )


cdef inline uint8_t *write_origin(
    const Replay *r, int piece, int start, int target, bitboard_t rivals, uint8_t *out
) noexcept nogil:
    """Write the file or rank, or both, that distinguishes the piece from its legal rivals."""
    cdef bitboard_t others = 0
    while rivals:
        if piece_can_go(r, piece, ocg_lowest(rivals), target):
            others |= rivals & (~rivals + 1)
        rivals &= rivals - 1
    if not others:
        return out
    if others & rank_mask(start >> 3) or not others & file_mask(start & 7):
        out[0] = c'a' + (start & 7)
        out += 1
    if others & file_mask(start & 7):
        out[0] = c'1' + (start >> 3)
        out += 1
    return out


cdef inline uint8_t *write_piece(
    Replay *r, int piece, int start, int target, uint8_t *out
) noexcept nogil:
    cdef int us = r.pos.turn
    cdef bitboard_t friends = r.pos.colours[us]
    cdef bitboard_t rivals = (
        OCG_ATTACKS[piece][target] & r.pos.pieces[piece] & friends & ~bit(start)
    )
    if friends >> target & 1 or not piece_can_go(r, piece, start, target):
        return NULL
    out[0] = OCG_PIECE_LETTER[piece]
    out += 1
    if rivals:
        out = write_origin(r, piece, start, target, rivals, out)
    out[0] = b'x'
    out += r.pos.board[target] != NO_PIECE
    memcpy(out, &OCG_SQUARE_TEXT[target], 2)
    play_piece(&r.pos, piece, start, target)
    return out + 2


cdef inline uint8_t *write_pawn(
    Replay *r, int start, int target, int promotion, uint8_t *out
) noexcept nogil:
    if promotion:
        if not KNIGHT <= promotion <= QUEEN or (target >> 3) != 7 - 7 * r.pos.turn:
            return NULL
    elif (target >> 3) == 7 - 7 * r.pos.turn:
        return NULL
    if not pawn_can_go(r, start, target):
        return NULL
    if (start & 7) != (target & 7):
        out[0] = c'a' + (start & 7)
        out[1] = b'x'
        out += 2
    memcpy(out, &OCG_SQUARE_TEXT[target], 2)
    out += 2
    if promotion:
        out[0] = b'='
        out[1] = OCG_PIECE_LETTER[promotion]
        out += 2
    play_pawn(&r.pos, start, target, promotion)
    return out


cdef inline uint8_t *write_castling(
    Replay *r, move16_t move, int right, uint8_t *out
) noexcept nogil:
    if not castling_is_legal(&r.pos, right) or castling_move(&r.pos, right) != move:
        return NULL
    memcpy(out, b"O-O-O", 5)
    play_castling(&r.pos, right)
    return out + 5 if right & 1 else out + 3


cdef inline bint gives_check(const Position *pos, int piece, int start, int target) noexcept nogil:
    """Return whether the piece on `target` gives check, directly or by leaving `start`.

    The king was not in check before, and only `start` and `target` have changed.
    """
    cdef int king = pos.kings[pos.turn]
    cdef bitboard_t reach = OCG_ATTACKS[piece][target]
    if piece == PAWN:
        reach = OCG_PAWN_ATTACKS[1 - pos.turn][target]
    if reach >> king & 1:
        if not OCG_BETWEEN[target][king] & (pos.colours[0] | pos.colours[1]):
            return True
    return OCG_ATTACKS[QUEEN][king] >> start & 1 and in_check(pos)


cdef inline uint8_t *write_null(Replay *r, uint8_t *out) noexcept nogil:
    memcpy(out, b"--", 2)
    play_null(&r.pos)
    r.checked = in_check(&r.pos)
    r.passed = True
    return out + 2


cdef inline uint8_t *write_ply(Replay *r, move16_t move, uint8_t *out) noexcept nogil:
    """Write the SAN of a stored move (at most SAN_BYTES bytes) and play it.

    Return its end, or NULL, without playing it, if the move is not legal.
    """
    cdef int start = move & 63, target = move >> 6 & 63, promotion = move >> 12
    cdef int piece = r.pos.board[start]
    cdef int right
    cdef bint plain = not r.passed
    if ocg_unlikely(move == 0):
        return write_null(r, out)
    if not r.pos.colours[r.pos.turn] >> start & 1:
        return NULL
    if piece == PAWN:
        plain = plain and target != r.pos.ep
        out = write_pawn(r, start, target, promotion, out)
        piece = promotion if promotion else PAWN
    else:
        right = castling_right(&r.pos, move) if piece == KING else -1
        if right >= 0:
            plain = False
            out = write_castling(r, move, right, out)
        elif promotion:
            return NULL
        else:
            out = write_piece(r, piece, start, target, out)
    if out == NULL:
        return NULL
    if ocg_likely(plain):
        r.checked = gives_check(&r.pos, piece, start, target)
    else:
        r.checked = in_check(&r.pos)
    r.passed = False
    if ocg_likely(not r.checked):
        return out
    out[0] = b'+' if can_answer_check(&r.pos) else b'#'
    return out + 1
