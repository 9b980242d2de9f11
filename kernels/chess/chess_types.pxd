"""The typedefs and small constants that all kernels share; nothing else."""

from cpython.bytes cimport PyBytes_GET_SIZE
from libc.stdint cimport uint8_t, uint16_t, uint64_t

# --- move blobs as they are stored ----------------------------------------------------------------

# Stored move blobs (docs/file-format.md): two bytes per move, little-endian.

cdef inline uint16_t stored_move(const uint8_t *moves, Py_ssize_t ply) noexcept nogil:
    """Load a move, on every host and from every address."""
    return moves[2 * ply] | <uint16_t>moves[2 * ply + 1] << 8


cdef inline void store_move(uint8_t *moves, Py_ssize_t ply, uint16_t move) noexcept nogil:
    """Store a move, on every host and at every address."""
    moves[2 * ply] = <uint8_t>(move & 0xFF)
    moves[2 * ply + 1] = <uint8_t>(move >> 8)


cdef inline Py_ssize_t count_moves(bytes moves) except -1:
    """Return the number of moves of a blob; raise ValueError for an odd length."""
    if PyBytes_GET_SIZE(moves) & 1:
        raise ValueError(f"odd move blob of {PyBytes_GET_SIZE(moves)} bytes")
    return PyBytes_GET_SIZE(moves) // 2


# --- types of chess -------------------------------------------------------------------------------

ctypedef uint64_t bitboard_t   # bit 0 = a1, bit 63 = h8
ctypedef uint64_t zobrist_t    # Polyglot key
ctypedef uint16_t move16_t     # from | to << 6 | promotion << 12, see docs/file-format.md

cdef enum:
    WHITE, BLACK

cdef enum:
    # NO_PIECE is a piece type of its own: its bitboard and Zobrist row are dummies, so that
    # captures and quiet moves share one code path without a branch.
    NO_PIECE, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING

cdef enum:
    CHESS960_CASTLING = 0x8000   # bit 15: king takes own rook
    NULL_MOVE = 0x0000
    NO_SQUARE = 64
