"""Which pairs of words were found to fit: a hash table that is emptied when it is too large."""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from word_store cimport grown

cdef enum:
    UNKNOWN = 0
    MISFITS = 1
    FITS = 2
    MOST_SLOTS = 1 << 22  # 32 MB

# A slot is two word numbers of 31 bits and what is known of them; 0 is free.
ctypedef struct FitMemo:
    uint64_t *slots
    uint32_t slot_count
    uint32_t used
    uint32_t epoch  # counts how often it was emptied, from 1


cdef inline int open_fits(FitMemo *memo) except -1:
    memo.slots = NULL
    memo.used = 0
    memo.epoch = 1
    memo.slot_count = 1 << 10
    memo.slots = <uint64_t *> grown(NULL, memo.slot_count * sizeof(uint64_t))
    memset(memo.slots, 0, memo.slot_count * sizeof(uint64_t))
    return 0


cdef inline void empty_fits(FitMemo *memo) noexcept nogil:
    memset(memo.slots, 0, <size_t> memo.slot_count * sizeof(uint64_t))
    memo.used = 0
    memo.epoch += 1


cdef inline void close_fits(FitMemo *memo) noexcept:
    free(memo.slots)
    memo.slots = NULL


cdef inline uint64_t pair_key(uint32_t written, uint32_t listed) noexcept nogil:
    return (<uint64_t> written << 31 | listed) << 2


cdef inline uint32_t _fit_slot(const FitMemo *memo, uint64_t key) noexcept nogil:
    cdef uint32_t mask = memo.slot_count - 1
    cdef uint32_t slot = <uint32_t> ((key * 0x9E3779B97F4A7C15u) >> 32) & mask
    while memo.slots[slot] and memo.slots[slot] & ~(<uint64_t> 3) != key:
        slot = (slot + 1) & mask
    return slot


cdef inline int fit_of(const FitMemo *memo, uint32_t written, uint32_t listed) noexcept nogil:
    """Return UNKNOWN, MISFITS or FITS."""
    return <int> (memo.slots[_fit_slot(memo, pair_key(written, listed))] & 3)


cdef inline int _widen_fits(FitMemo *memo) except -1:
    cdef uint64_t *before = memo.slots
    cdef uint32_t count = memo.slot_count, i
    if count >= MOST_SLOTS:
        empty_fits(memo)
        return 0
    cdef uint64_t *wider = <uint64_t *> grown(NULL, <size_t> count * 2 * sizeof(uint64_t))
    memo.slots = wider
    memo.slot_count = count * 2
    memset(memo.slots, 0, <size_t> count * 2 * sizeof(uint64_t))
    for i in range(count):
        if before[i]:
            memo.slots[_fit_slot(memo, before[i] & ~(<uint64_t> 3))] = before[i]
    free(before)
    return 0


cdef inline int set_fit(FitMemo *memo, uint32_t written, uint32_t listed, int fit) except -1:
    """Note what is known of two words."""
    cdef uint64_t key = pair_key(written, listed)
    if memo.used * 2 >= memo.slot_count:
        _widen_fits(memo)
    cdef uint32_t slot = _fit_slot(memo, key)
    memo.used += memo.slots[slot] == 0
    memo.slots[slot] = key | fit
    return 0
