"""A hash table with open addressing: a number for each pair of numbers."""

from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free

from memory cimport allocate_zeros

cdef enum:
    FEWEST_SLOTS = 1 << 12

ctypedef struct PairSlot:
    int64_t first
    int64_t second
    int64_t value              # 0: the slot is free

ctypedef struct PairTable:
    PairSlot *slots
    size_t capacity            # a power of two, or 0
    size_t count


cdef inline PairSlot *slot_of(const PairTable *table, int64_t first, int64_t second) noexcept nogil:
    """Return the slot of a pair, or the free slot where it belongs."""
    cdef uint64_t hashed = (<uint64_t>first * 0x9E3779B97F4A7C15u) ^ <uint64_t>second
    cdef size_t at = hashed * 0x9E3779B97F4A7C15u >> 20 & (table.capacity - 1)
    while table.slots[at].value and (
        table.slots[at].first != first or table.slots[at].second != second
    ):
        at = (at + 1) & (table.capacity - 1)
    return &table.slots[at]


cdef inline int grow_table(PairTable *table) except -1 nogil:
    cdef PairTable larger = table[0]
    cdef const PairSlot *slot
    cdef size_t i
    larger.capacity = max(2 * table.capacity, <size_t>FEWEST_SLOTS)
    larger.slots = <PairSlot *>allocate_zeros(larger.capacity, sizeof(PairSlot))
    for i in range(table.capacity):
        slot = &table.slots[i]
        if slot.value:
            slot_of(&larger, slot.first, slot.second)[0] = slot[0]
    free(table.slots)
    table[0] = larger


cdef inline PairSlot *pair_slot(
    PairTable *table, int64_t first, int64_t second
) except NULL nogil:
    """Return the slot of a pair; the caller gives a new pair a value before the next call."""
    cdef PairSlot *slot
    if 2 * table.count >= table.capacity:
        grow_table(table)
    slot = slot_of(table, first, second)
    if slot.value == 0:
        slot.first, slot.second = first, second
        table.count += 1
    return slot
