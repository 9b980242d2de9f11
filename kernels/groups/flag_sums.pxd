"""Records of flags, and the sums over them that search_state.py stores, without a table scan."""

from libc.stdint cimport int16_t, int64_t, uint8_t

cdef enum:
    NO_FLAG_TEXT = 0
    SUMMED_TEXTS = 32          # maximum number of distinct statuses and reasons with sums
    FLAG_NUMBERS = 4           # number of games, and sums of their IDs, groups and scores
    SUM_MODULUS = 1000000007
    MOST_SUMMED_BITS = 56      # of an ID, since SQLite sums in floating point from 2^63 on

cdef enum:
    IS_CLEARED = 1             # the flags of the game are cleared
    IS_UNCHANGED = 2           # its flags are unchanged
    IS_DELETED = 4             # it is no longer in Games

ctypedef struct Flag:
    int64_t game_id
    int64_t group
    int16_t score
    uint8_t status
    uint8_t reason
    uint8_t marks

ctypedef struct FlagSums:
    int64_t totals[SUMMED_TEXTS * SUMMED_TEXTS][FLAG_NUMBERS]    # by status and reason


cdef inline bint add_flags(
    const Flag *rows, size_t count, uint8_t mask, uint8_t marks, const uint8_t *codes,
    FlagSums *sums,
) noexcept nogil:
    """Add the flags that have given marks under a mask; return False if an ID is too large.

    `codes`: the code in the totals of each status and reason of these flags.
    """
    cdef size_t i
    cdef const Flag *row
    cdef int64_t *total
    for i in range(count):
        row = &rows[i]
        if row.marks & mask != marks:
            continue
        if (row.game_id | row.group) >> MOST_SUMMED_BITS:
            return False
        total = sums.totals[codes[row.status] * SUMMED_TEXTS + codes[row.reason]]
        total[0] += 1
        total[1] += row.game_id % SUM_MODULUS
        total[2] += (row.game_id * 31 + row.group) % SUM_MODULUS
        total[3] += row.score
    return True
