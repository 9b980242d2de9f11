"""A set of blocking keys: one bit for each hash of a key, so that it says yes for a few others too.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

cdef enum:
    BITS_A_KEY = 5             # 32 bits for each key, as a power of two: 3 % are in it by chance
    LEAST_SET_BITS = 12
    MOST_SET_BITS = 27         # 16 MB, whatever the keys are; below the 38 bits of a key

ctypedef struct KeySet:
    uint64_t *words
    size_t count               # of keys that were entered, equal ones too
    int shift                  # of a key, to get its bit


cdef inline bint open_key_set(KeySet *keys, size_t count) noexcept nogil:
    """Make an empty set for about so many keys; False if there is no memory."""
    cdef int bits = LEAST_SET_BITS
    while bits < MOST_SET_BITS and (<size_t>1 << bits) >> BITS_A_KEY < count:
        bits += 1
    keys.shift = 64 - bits
    keys.words = <uint64_t *>calloc(<size_t>1 << (bits - 6), sizeof(uint64_t))
    return keys.words != NULL


cdef inline void close_key_set(KeySet *keys) noexcept nogil:
    free(keys.words)
    memset(keys, 0, sizeof(KeySet))


cdef inline void enter_key(KeySet *keys, uint64_t key) noexcept nogil:
    cdef uint64_t bit = key >> keys.shift
    keys.count += 1
    keys.words[bit >> 6] |= <uint64_t>1 << (bit & 63)


cdef inline bint may_have_key(const KeySet *keys, uint64_t key) noexcept nogil:
    """Tell if a key may be in the set; if it is in the set the answer is yes."""
    cdef uint64_t bit = key >> keys.shift
    return keys.words[bit >> 6] >> (bit & 63) & 1 != 0
