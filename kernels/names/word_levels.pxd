"""A memo of the levels of given names (given_names.pxd) by pairs of words."""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from memory cimport allocate_zeros

cdef enum:
    UNKNOWN_LEVEL = 15
    MOST_SLOTS = 1 << 22       # 32 MB
    LEVEL_BITS = 4

# A hash table that is emptied when it is too large. A slot is two word numbers of 30 bits, the
# first of which is not 0, and their level; 0 is free.
ctypedef struct LevelMemo:
    uint64_t *slots
    uint32_t slot_count
    uint32_t used


cdef inline int open_levels(LevelMemo *memo) except -1 nogil:
    memo.used = 0
    memo.slot_count = 1 << 10
    memo.slots = <uint64_t *>allocate_zeros(memo.slot_count, sizeof(uint64_t))


cdef inline void close_levels(LevelMemo *memo) noexcept nogil:
    free(memo.slots)


cdef inline uint64_t pair_key(uint32_t written, uint32_t listed) noexcept nogil:
    return (<uint64_t>(written + 1) << 30 | listed) << LEVEL_BITS


cdef inline uint32_t level_slot(const LevelMemo *memo, uint64_t key) noexcept nogil:
    cdef uint32_t mask = memo.slot_count - 1
    cdef uint32_t slot = <uint32_t>(((key >> LEVEL_BITS) * 0x9E3779B97F4A7C15u) >> 32) & mask
    while memo.slots[slot] and memo.slots[slot] >> LEVEL_BITS != key >> LEVEL_BITS:
        slot = (slot + 1) & mask
    return slot


cdef inline int level_of_pair(
    const LevelMemo *memo, uint32_t written, uint32_t listed
) noexcept nogil:
    """Return the level of two words; UNKNOWN_LEVEL if it is not in the memo."""
    cdef uint64_t slot = memo.slots[level_slot(memo, pair_key(written, listed))]
    return <int>(slot & ((1 << LEVEL_BITS) - 1)) if slot else UNKNOWN_LEVEL


cdef inline int widen_levels(LevelMemo *memo) except -1 nogil:
    cdef uint64_t *before = memo.slots
    cdef uint32_t count = memo.slot_count, i
    if count >= MOST_SLOTS:
        memset(memo.slots, 0, <size_t>count * sizeof(uint64_t))
        memo.used = 0
        return 0
    memo.slots = <uint64_t *>allocate_zeros(<size_t>count * 2, sizeof(uint64_t))
    memo.slot_count = count * 2
    for i in range(count):
        if before[i]:
            memo.slots[level_slot(memo, before[i])] = before[i]
    free(before)


cdef inline int set_level(
    LevelMemo *memo, uint32_t written, uint32_t listed, int level
) except -1 nogil:
    cdef uint64_t key = pair_key(written, listed)
    cdef uint32_t slot
    if memo.used * 2 >= memo.slot_count:
        widen_levels(memo)
    slot = level_slot(memo, key)
    memo.used += memo.slots[slot] == 0
    memo.slots[slot] = key | level
