"""Move blobs as they are stored (docs/file-format.md): two bytes a move, little-endian."""

from cpython.bytes cimport PyBytes_GET_SIZE
from libc.stdint cimport uint8_t, uint16_t


cdef inline uint16_t stored_move(const uint8_t *moves, Py_ssize_t ply) noexcept nogil:
    """Load a move, on every host and from every address."""
    return moves[2 * ply] | <uint16_t>moves[2 * ply + 1] << 8


cdef inline void store_move(uint8_t *moves, Py_ssize_t ply, uint16_t move) noexcept nogil:
    """Store a move, on every host and at every address."""
    moves[2 * ply] = <uint8_t>(move & 0xFF)
    moves[2 * ply + 1] = <uint8_t>(move >> 8)


cdef inline Py_ssize_t count_moves(bytes moves) except -1:
    """Return the number of moves of a blob; ValueError for one of an odd length."""
    if PyBytes_GET_SIZE(moves) & 1:
        raise ValueError(f"odd move blob of {PyBytes_GET_SIZE(moves)} bytes")
    return PyBytes_GET_SIZE(moves) // 2
