"""SAN as programs write it, resolved and played: the fast path of the reader.

Anything unusual (another spelling, a full origin square, another language) is left to
san_tolerant.pxd: play_san() then returns NULL and has changed nothing.
"""

from libc.stdint cimport uint8_t, uint64_t

from chess_types cimport (
    BISHOP, EMPTY, KING, KNIGHT, PAWN, QUEEN, ROOK, bitboard_t, move16_t,
)
from position cimport (
    Position, bit, castling_is_legal, castling_move, find_piece, is_pawn_move, ocg_likely,
    play_castling, play_pawn, play_piece,
)

cdef extern from "lex_tables.h" nogil:
    const uint8_t OCG_ENDS_TOKEN[256]
    const uint8_t OCG_PIECE_OF[128]


cdef inline bitboard_t file_mask(unsigned int x) noexcept nogil:
    return <bitboard_t>0x0101010101010101 << x


cdef inline bitboard_t rank_mask(unsigned int y) noexcept nogil:
    return <bitboard_t>0xFF << (8 * y)


cdef inline const uint8_t *skip_check_sign(const uint8_t *p) noexcept nogil:
    """Step over one + or #; NULL if the token then goes on with something that is no glyph."""
    if p[0] == b'+' or p[0] == b'#':
        p += 1
    if OCG_ENDS_TOKEN[p[0]] or p[0] == b'!' or p[0] == b'?':
        return p
    return NULL


cdef inline const uint8_t *play_pawn_san(
    Position *pos, const uint8_t *p, move16_t *move
) noexcept nogil:
    cdef unsigned int x = p[0] - c'a'
    cdef unsigned int y = p[1] - c'1'
    cdef int us = pos.turn
    cdef int back = 16 * us - 8
    cdef int start, target
    cdef int promotion = 0
    if y < 8:
        target = y * 8 + x
        start = target + back
        p += 2
        if y == <unsigned int>(3 + us) and pos.board[start & 63] == EMPTY:
            start += back
    else:
        if p[1] != b'x':
            return NULL
        y = p[3] - c'1'
        if <unsigned int>(p[2] - c'a') > 7 or y > 7:
            return NULL
        target = y * 8 + p[2] - c'a'
        start = <int>((y + 2 * us - 1) * 8 + x)
        p += 4
    if <unsigned int>start > 63:
        return NULL
    if not pos.pieces[PAWN] & pos.colours[us] & bit(start):
        return NULL
    if y == <unsigned int>(7 - 7 * us):
        if p[0] != b'=':
            return NULL
        promotion = QUEEN if p[1] == b'Q' else ROOK if p[1] == b'R' else (
            BISHOP if p[1] == b'B' else KNIGHT if p[1] == b'N' else 0)
        if not promotion:
            return NULL
        p += 2
    p = skip_check_sign(p)
    if p == NULL or not is_pawn_move(pos, start, target):
        return NULL
    move[0] = start | target << 6 | promotion << 12
    play_pawn(pos, start, target, promotion)
    return p


cdef inline const uint8_t *play_piece_san(
    Position *pos, const uint8_t *p, int piece, move16_t *move
) noexcept nogil:
    cdef bitboard_t allowed = <bitboard_t>-1
    cdef unsigned int x, y
    cdef int start, target
    p += 1
    x = p[0] - c'a'
    y = p[1] - c'1'
    if x > 7 or y > 7 or p[2] == b'x' or <unsigned int>(p[2] - c'a') < 8:
        # Not "Nf3": a capture sign, an origin file or rank, or (left to others) both.
        if p[0] != b'x':
            if x < 8:
                allowed = file_mask(x)
            elif <unsigned int>(p[0] - c'1') < 8:
                allowed = rank_mask(p[0] - c'1')
            else:
                return NULL
            p += 1
        if p[0] == b'x':
            p += 1
        x = p[0] - c'a'
        y = p[1] - c'1'
        if x > 7 or y > 7:
            return NULL
    target = y * 8 + x
    p = skip_check_sign(p + 2)
    if p == NULL:
        return NULL
    start = find_piece(pos, piece, target, allowed)
    if start < 0:
        return NULL
    move[0] = start | target << 6
    play_piece(pos, piece, start, target)
    return p


cdef inline const uint8_t *play_castling_san(
    Position *pos, const uint8_t *p, move16_t *move
) noexcept nogil:
    """Castle from "O-O" or "O-O-O"; zeros and small letters are left to the tolerant path."""
    cdef int right = 2 * pos.turn
    if p[1] != b'-' or p[2] != b'O':
        return NULL
    if p[3] == b'-' and p[4] == b'O':
        right += 1
        p += 5
    else:
        p += 3
    p = skip_check_sign(p)
    if p == NULL or not castling_is_legal(pos, right):
        return NULL
    move[0] = castling_move(pos, right)
    play_castling(pos, right)
    return p


cdef inline const uint8_t *play_san(
    Position *pos, const uint8_t *p, move16_t *move
) noexcept nogil:
    """Play the SAN at `p` (6 readable bytes), store it, and return the place after it.

    Return NULL, with nothing changed, if it is no plain SAN or not legal.
    """
    cdef uint8_t letter = p[0]
    cdef int piece
    if letter >= b'a':
        return play_pawn_san(pos, p, move) if letter <= b'h' else NULL
    # A table, not a chain of comparisons: which piece moves cannot be predicted.
    piece = OCG_PIECE_OF[letter]
    if ocg_likely(piece != EMPTY):
        return play_piece_san(pos, p, piece, move)
    if letter == b'O':
        return play_castling_san(pos, p, move)
    return NULL
