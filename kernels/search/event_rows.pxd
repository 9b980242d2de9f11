"""Numbers of records of each event by source, round and day, and by site."""

from libc.stdint cimport UINT32_MAX, uint32_t, uint64_t
from libc.stdlib cimport free

from game_record cimport joined
from memory cimport allocate_zeros, append_items
from sorted_numbers cimport order_of, sort_few_records, sort_records

cdef enum:
    FEWEST_ROW_SLOTS = 1 << 10

cdef enum:
    ANY_SOURCE = 0xFFFFFFFF    # of a row of a site

# Number of records of an event on a day, or at a site (then `source` is ANY_SOURCE).
ctypedef struct EventRow:
    uint32_t event
    uint32_t source
    uint32_t round             # 0 in a row of a site
    uint32_t value             # packed date, or index of a site
    uint32_t games

# Rows, each with another event, source, round and value.
ctypedef struct EventRows:
    EventRow *rows
    size_t count
    size_t capacity
    uint32_t *slots            # hash table of the rows: index + 1; NULL once they are sorted
    size_t slot_count          # a power of two, or 0


cdef inline void free_rows(EventRows *all) noexcept nogil:
    free(all.rows)
    free(all.slots)
    all.rows = NULL
    all.slots = NULL
    all.count = all.capacity = all.slot_count = 0


cdef inline int by_event(const void *a, const void *b) noexcept nogil:
    cdef const EventRow *left = <const EventRow *>a
    cdef const EventRow *right = <const EventRow *>b
    return (
        order_of(left.event, right.event) or order_of(left.source, right.source)
        or order_of(left.round, right.round) or order_of(left.value, right.value)
    )


cdef inline uint32_t *slot_of_row(const EventRows *all, const EventRow *row) noexcept nogil:
    """Return the slot of an equal row, or the free slot where it belongs."""
    cdef uint64_t hashed = joined(
        <uint64_t>row.event << 32 | row.source, <uint64_t>row.round << 32 | row.value
    )
    cdef size_t at = hashed & (all.slot_count - 1)
    while all.slots[at] and by_event(&all.rows[all.slots[at] - 1], row) != 0:
        at = (at + 1) & (all.slot_count - 1)
    return &all.slots[at]


cdef inline int grow_slots(EventRows *all) except -1 nogil:
    cdef size_t i
    free(all.slots)
    all.slots = NULL
    all.slot_count = max(2 * all.slot_count, <size_t>FEWEST_ROW_SLOTS)
    all.slots = <uint32_t *>allocate_zeros(all.slot_count, sizeof(uint32_t))
    for i in range(all.count):
        slot_of_row(all, &all.rows[i])[0] = <uint32_t>i + 1


cdef inline uint32_t sum_of(uint32_t games, uint32_t more) noexcept nogil:
    return <uint32_t>min(<uint64_t>games + more, <uint64_t>UINT32_MAX)


cdef inline int add_row(EventRows *all, const EventRow *row) except -1 nogil:
    """Add the games of a row to those of an equal row, if there is one."""
    cdef uint32_t *slot
    if 2 * all.count >= all.slot_count:
        grow_slots(all)
    slot = slot_of_row(all, row)
    if slot[0]:
        all.rows[slot[0] - 1].games = sum_of(all.rows[slot[0] - 1].games, row.games)
    else:
        append_items(<void **>&all.rows, &all.count, &all.capacity, row, 1, sizeof(EventRow))
        slot[0] = <uint32_t>all.count


cdef inline void sort_rows(EventRows *all) noexcept nogil:
    """Sort the rows by by_event(); no more rows may be added."""
    cdef size_t first = 0, i
    free(all.slots)
    all.slots = NULL
    if all.count == 0:
        return
    sort_records(
        all.rows, all.count, sizeof(EventRow), &all.rows.event, sizeof(uint32_t), by_event
    )
    for i in range(1, all.count + 1):
        if i == all.count or all.rows[i].event != all.rows[first].event:
            sort_few_records(all.rows + first, i - first, sizeof(EventRow), by_event)
            first = i


cdef inline size_t first_row(
    const EventRow *rows, size_t count, const EventRow *target
) noexcept nogil:
    """Return the index of the first of sorted rows that does not come before another row."""
    cdef size_t low = 0, high = count, middle
    while low < high:
        middle = (low + high) >> 1
        if by_event(&rows[middle], target) < 0:
            low = middle + 1
        else:
            high = middle
    return low
