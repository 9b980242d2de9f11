"""Termination markers: the result at the end of the moves (PGN standard 8.2.6)."""

from libc.stdint cimport uint8_t
from libc.string cimport memcmp

from game_buffers cimport (
    RESULT_BLACK, RESULT_DRAW, RESULT_NONE, RESULT_OPEN, RESULT_WHITE, Termination,
)

cdef extern from "result_table.h" nogil:
    bint ocg_is_unicode_dash(const uint8_t *p)


cdef inline int dash_size(const uint8_t *p) noexcept nogil:
    """Return the length of the sign between the two sides of a result, 0 if there is none."""
    if p[0] == b'-' or p[0] == b':':
        return 1
    return 3 if ocg_is_unicode_dash(p) else 0


cdef inline int side_at(const uint8_t *p, int *length) noexcept nogil:
    """Return the half points of one side of a result (0, 1, 2), -1 if it is none."""
    length[0] = 3
    if memcmp(p, b"1/2", 3) == 0 or memcmp(p, b"0.5", 3) == 0 or memcmp(p, b"0,5", 3) == 0:
        return 1
    length[0] = 2
    if p[0] == 0xC2 and p[1] == 0xBD:
        return 1
    length[0] = 1
    if p[0] == 0xBD:
        return 1
    if p[0] != b'0' and p[0] != b'1' or b'0' <= p[1] <= b'9':
        return -1
    return 2 * (p[0] - c'0')


cdef inline Termination result_at(const uint8_t *p, int *length) noexcept nogil:
    """Return the termination marker that begins at `p`, and set its length.

    A half alone is a draw; "0-0" is not a marker, since it may be castling.
    """
    cdef const uint8_t *start = p
    cdef int size, black, white
    length[0] = 1
    if p[0] == b'*':
        return RESULT_OPEN
    white = side_at(p, &size)
    if white < 0:
        return RESULT_NONE
    p += size
    length[0] = size
    p += p[0] == b' '
    size = dash_size(p)
    if size:
        p += size
        p += p[0] == b' '
        black = side_at(p, &size)
        if black >= 0 and white + black == 2 and p[size] != b'-':
            length[0] = <int>(p + size - start)
            return RESULT_DRAW if white == 1 else RESULT_WHITE if white == 2 else RESULT_BLACK
    return RESULT_DRAW if white == 1 else RESULT_NONE
