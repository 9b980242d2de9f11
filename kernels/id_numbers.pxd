"""A map from IDs to a number each: open addressing, for what is looked up once and asked often."""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

ctypedef struct IdNumbers:
    int64_t *ids
    uint32_t *numbers          # 0: the slot is free
    size_t room                # a power of two, or 0
    size_t count
    int64_t last_id            # neighbours in a table often have the same
    uint32_t last_number


cdef inline size_t slot_of(const IdNumbers *map, int64_t key) noexcept nogil:
    cdef uint64_t mixed = <uint64_t>key * 0x9E3779B97F4A7C15u
    cdef size_t slot = (mixed >> 20) & (map.room - 1)
    while map.numbers[slot] and map.ids[slot] != key:
        slot = (slot + 1) & (map.room - 1)
    return slot


cdef inline uint32_t number_of_id(IdNumbers *map, int64_t key) noexcept nogil:
    """Return the number of an ID, 0 if it has none yet."""
    if map.last_number and map.last_id == key:
        return map.last_number
    if map.room == 0:
        return 0
    map.last_id = key
    map.last_number = map.numbers[slot_of(map, key)]
    return map.last_number


cdef inline void free_id_numbers(IdNumbers *map) noexcept nogil:
    free(map.ids)
    free(map.numbers)
    map.ids = NULL
    map.numbers = NULL
    map.room = map.count = 0
    map.last_number = 0


cdef inline bint grow_numbers(IdNumbers *map) noexcept nogil:
    cdef IdNumbers larger
    cdef size_t i, slot
    larger.room = 2 * map.room if map.room else 1024
    larger.ids = <int64_t *>calloc(larger.room, sizeof(int64_t))
    larger.numbers = <uint32_t *>calloc(larger.room, sizeof(uint32_t))
    larger.count = map.count
    larger.last_number = 0
    if larger.ids == NULL or larger.numbers == NULL:
        free(larger.ids)
        free(larger.numbers)
        return False
    for i in range(map.room):
        if map.numbers[i]:
            slot = slot_of(&larger, map.ids[i])
            larger.ids[slot] = map.ids[i]
            larger.numbers[slot] = map.numbers[i]
    free_id_numbers(map)
    map[0] = larger
    return True


cdef inline bint set_number(IdNumbers *map, int64_t key, uint32_t number) noexcept nogil:
    """Give an ID a number, not 0; False if there is no memory."""
    cdef size_t slot
    if 2 * (map.count + 1) > map.room and not grow_numbers(map):
        return False
    slot = slot_of(map, key)
    map.count += map.numbers[slot] == 0
    map.ids[slot] = key
    map.numbers[slot] = number
    map.last_number = 0
    return True
