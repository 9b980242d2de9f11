"""The typedefs and small constants that every kernel shares; nothing else."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

ctypedef uint64_t bitboard_t   # bit 0 = a1, bit 63 = h8
ctypedef uint64_t zobrist_t    # Polyglot key
ctypedef uint16_t move16_t     # from | to << 6 | promotion << 12, see docs/file-format.md

cdef enum:
    WHITE = 0
    BLACK = 1

cdef enum:
    # EMPTY is a piece type of its own: its bitboard and Zobrist row are dummies, so that a
    # capture and a quiet move are one code path without a branch.
    EMPTY = 0
    PAWN = 1
    KNIGHT = 2
    BISHOP = 3
    ROOK = 4
    QUEEN = 5
    KING = 6

cdef enum:
    CHESS960_CASTLING = 0x8000   # bit 15: king takes own rook
    NULL_MOVE = 0x0000

cdef enum:
    NO_SQUARE = 64
