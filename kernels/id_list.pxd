"""A growing list of IDs of games."""

from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport qsort

from copy_game cimport reserve

ctypedef struct Ids:
    int64_t *ids
    size_t count
    size_t room


cdef inline bint append_id(Ids *all_ids, int64_t game_id) noexcept nogil:
    if not reserve(<void **>&all_ids.ids, &all_ids.room, all_ids.count + 1, sizeof(int64_t)):
        return False
    all_ids.ids[all_ids.count] = game_id
    all_ids.count += 1
    return True


cdef inline bint holds_id(const Ids *sorted_ids, int64_t game_id) noexcept nogil:
    """Tell if an ID is among rising ones; IDs without gaps are found at once."""
    cdef size_t low = 0
    cdef size_t high = sorted_ids.count
    cdef size_t at
    if high == 0 or game_id < sorted_ids.ids[0] or game_id > sorted_ids.ids[high - 1]:
        return False
    at = <size_t>(<uint64_t>game_id - <uint64_t>sorted_ids.ids[0])
    if at < high and sorted_ids.ids[at] == game_id:
        return True
    while low < high:
        at = (low + high) // 2
        if sorted_ids.ids[at] < game_id:
            low = at + 1
        else:
            high = at
    return low < sorted_ids.count and sorted_ids.ids[low] == game_id


cdef inline int by_id(const void *left, const void *right) noexcept nogil:
    cdef int64_t one = (<const int64_t *>left)[0]
    cdef int64_t other = (<const int64_t *>right)[0]
    return (one > other) - (one < other)


cdef inline void sort_ids(Ids *all_ids) noexcept nogil:
    qsort(all_ids.ids, all_ids.count, sizeof(int64_t), by_id)


cdef inline size_t count_id(const Ids *sorted_ids, int64_t game_id) noexcept nogil:
    """Return how often an ID is among rising ones."""
    cdef size_t low = 0
    cdef size_t high = sorted_ids.count
    cdef size_t at
    while low < high:
        at = (low + high) // 2
        if sorted_ids.ids[at] < game_id:
            low = at + 1
        else:
            high = at
    at = low
    while at < sorted_ids.count and sorted_ids.ids[at] == game_id:
        at += 1
    return at - low
