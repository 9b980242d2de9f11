"""A map from IDs to a byte each: open addressing, for what is looked up once and asked often."""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free

ctypedef struct IdStates:
    int64_t *ids
    uint8_t *states            # 0: the slot is free
    size_t room                # a power of two, or 0
    size_t count
    int64_t last_id            # neighbours in a table often have the same
    uint8_t last_state


cdef inline size_t slot_of(const IdStates *map, int64_t key) noexcept nogil:
    cdef uint64_t mixed = <uint64_t>key * 0x9E3779B97F4A7C15u
    cdef size_t slot = (mixed >> 20) & (map.room - 1)
    while map.states[slot] and map.ids[slot] != key:
        slot = (slot + 1) & (map.room - 1)
    return slot


cdef inline uint8_t state_of(IdStates *map, int64_t key) noexcept nogil:
    """Return the state of an ID, 0 if it has none yet."""
    if map.last_state and map.last_id == key:
        return map.last_state
    if map.room == 0:
        return 0
    map.last_id = key
    map.last_state = map.states[slot_of(map, key)]
    return map.last_state


cdef inline void free_states(IdStates *map) noexcept nogil:
    free(map.ids)
    free(map.states)
    map.ids = NULL
    map.states = NULL
    map.room = map.count = 0
    map.last_state = 0


cdef inline bint grow_states(IdStates *map) noexcept nogil:
    cdef IdStates larger
    cdef size_t i, slot
    larger.room = 2 * map.room if map.room else 1024
    larger.ids = <int64_t *>calloc(larger.room, sizeof(int64_t))
    larger.states = <uint8_t *>calloc(larger.room, 1)
    larger.count = map.count
    larger.last_state = 0
    if larger.ids == NULL or larger.states == NULL:
        free(larger.ids)
        free(larger.states)
        return False
    for i in range(map.room):
        if map.states[i]:
            slot = slot_of(&larger, map.ids[i])
            larger.ids[slot] = map.ids[i]
            larger.states[slot] = map.states[i]
    free_states(map)
    map[0] = larger
    return True


cdef inline bint set_state(IdStates *map, int64_t key, uint8_t state) noexcept nogil:
    """Give an ID a state, not 0; False if there is no memory."""
    cdef size_t slot
    if 2 * (map.count + 1) > map.room and not grow_states(map):
        return False
    slot = slot_of(map, key)
    map.count += map.states[slot] == 0
    map.ids[slot] = key
    map.states[slot] = state
    map.last_state = 0
    return True
