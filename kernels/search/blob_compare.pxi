"""Similarity measures of move_distance.pxd for two move blobs, as Python functions.

Checks lengths and limits, releases the GIL, and calls the measure. Does not decide about games.
"""

from move_distance cimport (
    MOST_PLIES, common_plies as c_common_plies, common_tail as c_common_tail, indel_within,
    jaro_winkler as c_jaro_winkler, monge_elkan as c_monge_elkan, prefix_indel_within,
)
from thresholds cimport MOST_EDITS

ctypedef struct Mainline:
    const uint16_t *moves
    int plies

cdef uint16_t[1] NO_MOVES      # address for a mainline without plies


cdef Mainline mainline(const uint8_t[::1] blob) except *:
    cdef Mainline line
    if blob.shape[0] & 1:
        raise ValueError(f"odd move blob of {blob.shape[0]} bytes")
    if blob.shape[0] > 2 * MOST_PLIES:
        raise ValueError(f"move blob of {blob.shape[0]} bytes: more than {2 * MOST_PLIES}")
    line.plies = <int>(blob.shape[0] // 2)
    line.moves = <const uint16_t *>&blob[0] if line.plies else NO_MOVES
    return line


cdef int check_limit(int most) except -1:
    if not 0 <= most <= MOST_EDITS:
        raise ValueError(f"most is out of range (0 to {MOST_EDITS}): {most}")


def common_plies(const uint8_t[::1] left not None, const uint8_t[::1] right not None) -> int:
    cdef Mainline a = mainline(left), b = mainline(right)
    cdef int plies
    with nogil:
        plies = c_common_plies(a.moves, a.plies, b.moves, b.plies)
    return plies


def common_tail(const uint8_t[::1] left not None, const uint8_t[::1] right not None) -> int:
    cdef Mainline a = mainline(left), b = mainline(right)
    cdef int plies
    with nogil:
        plies = c_common_tail(a.moves, a.plies, b.moves, b.plies)
    return plies


def indel_distance(
    const uint8_t[::1] left not None, const uint8_t[::1] right not None, *, int most=MOST_EDITS
) -> int:
    cdef Mainline a = mainline(left), b = mainline(right)
    cdef int distance
    check_limit(most)
    with nogil:
        distance = indel_within(a.moves, a.plies, b.moves, b.plies, most)
    return distance


def prefix_indel_distance(
    const uint8_t[::1] left not None, const uint8_t[::1] right not None, *, int most=MOST_EDITS
) -> tuple[int, int]:
    cdef Mainline a = mainline(left), b = mainline(right)
    cdef int distance, matched
    check_limit(most)
    with nogil:
        distance = prefix_indel_within(a.moves, a.plies, b.moves, b.plies, most, &matched)
    return distance, matched


def jaro_winkler(const uint8_t[::1] left not None, const uint8_t[::1] right not None) -> float:
    cdef Mainline a = mainline(left), b = mainline(right)
    cdef double similarity
    with nogil:
        similarity = c_jaro_winkler(a.moves, a.plies, b.moves, b.plies)
    return similarity


def monge_elkan(const uint8_t[::1] left not None, const uint8_t[::1] right not None) -> float:
    cdef Mainline a = mainline(left), b = mainline(right)
    cdef double similarity
    with nogil:
        similarity = c_monge_elkan(a.moves, a.plies, b.moves, b.plies)
    return similarity
