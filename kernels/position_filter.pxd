"""The Bloom filter of a game's positions: what it holds is promised in docs/file-format.md.

A byte for each position, FILTER_HASHES bits set for each; two in a hundred positions that a game
does not have are not told from those that it has.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from go_board cimport ocg_go_number

cdef enum:
    FILTER_HASHES = 5

ctypedef struct Probe:
    # The places of a key's bits, as shares of the filter's length in 2**-32.
    uint32_t first
    uint32_t step


cdef inline Probe probe_of(uint64_t key) noexcept nogil:
    """Return where the bits of a key are, in a filter of any length."""
    cdef Probe probe
    cdef uint64_t mixed = ocg_go_number(key)
    probe.first = <uint32_t>mixed
    probe.step = <uint32_t>(mixed >> 32) | 1
    return probe


cdef inline void filter_add(uint8_t *bits, uint64_t size_bytes, uint64_t key) noexcept nogil:
    """Set the bits of a key."""
    cdef Probe probe = probe_of(key)
    cdef uint64_t at
    cdef int _i
    for _i in range(FILTER_HASHES):
        at = <uint64_t>probe.first * (8 * size_bytes) >> 32
        bits[at >> 3] |= <uint8_t>(1 << (at & 7))
        probe.first += probe.step


cdef inline bint filter_may_have(
    const uint8_t *bits, uint64_t size_bytes, Probe probe
) noexcept nogil:
    """Tell if all bits of a key are set; an empty filter says nothing, so it may have any."""
    cdef uint64_t at
    cdef int _i
    if size_bytes == 0:
        return True
    for _i in range(FILTER_HASHES):
        at = <uint64_t>probe.first * (8 * size_bytes) >> 32
        if not bits[at >> 3] >> (at & 7) & 1:
            return False
        probe.first += probe.step
    return True
