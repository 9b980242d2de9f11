"""A map from IDs to short texts that are asked for again and again."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from copy_game cimport reserve

ctypedef struct Text:
    const uint8_t *text
    size_t length

ctypedef struct IdTexts:
    int64_t *ids
    size_t *places             # in the arena, one more; 0: the slot is free
    size_t room                # a power of two, or 0
    size_t count
    uint8_t *arena             # each text behind its length
    size_t arena_room
    size_t arena_bytes


cdef inline size_t place_of_id(const IdTexts *map, int64_t key) noexcept nogil:
    cdef uint64_t mixed = <uint64_t>key * 0x9E3779B97F4A7C15u
    cdef size_t slot = (mixed >> 20) & (map.room - 1)
    while map.places[slot] and map.ids[slot] != key:
        slot = (slot + 1) & (map.room - 1)
    return slot


cdef inline bint has_id_text(const IdTexts *map, int64_t key) noexcept nogil:
    return map.room and map.places[place_of_id(map, key)]


cdef inline Text text_of_id(const IdTexts *map, int64_t key) noexcept nogil:
    """Return the text of an ID that has one; it stays where it is until the next is kept."""
    cdef Text found
    cdef uint32_t length
    cdef const uint8_t *at = map.arena + map.places[place_of_id(map, key)] - 1
    memcpy(&length, at, sizeof(length))
    found.text = at + sizeof(length)
    found.length = length
    return found


cdef inline void forget_texts(IdTexts *map) noexcept nogil:
    free(map.ids)
    free(map.places)
    free(map.arena)
    map.ids = NULL
    map.places = NULL
    map.arena = NULL
    map.room = map.count = map.arena_room = map.arena_bytes = 0


cdef inline bint grow_texts(IdTexts *map) noexcept nogil:
    cdef IdTexts larger = map[0]
    cdef size_t i, slot
    larger.room = 2 * map.room if map.room else 1024
    larger.ids = <int64_t *>calloc(larger.room, sizeof(int64_t))
    larger.places = <size_t *>calloc(larger.room, sizeof(size_t))
    if larger.ids == NULL or larger.places == NULL:
        free(larger.ids)
        free(larger.places)
        return False
    for i in range(map.room):
        if map.places[i]:
            slot = place_of_id(&larger, map.ids[i])
            larger.ids[slot] = map.ids[i]
            larger.places[slot] = map.places[i]
    free(map.ids)
    free(map.places)
    map[0] = larger
    return True


cdef inline bint keep_id_text(
    IdTexts *map, int64_t key, const uint8_t *text, size_t length
) noexcept nogil:
    """Keep the text of an ID that has none yet; False if there is no memory."""
    cdef uint32_t bytes = <uint32_t>length
    cdef size_t slot
    if 2 * (map.count + 1) > map.room and not grow_texts(map):
        return False
    if not reserve(
        <void **>&map.arena, &map.arena_room, map.arena_bytes + length + sizeof(bytes), 1
    ):
        return False
    slot = place_of_id(map, key)
    map.ids[slot] = key
    map.places[slot] = map.arena_bytes + 1
    map.count += 1
    memcpy(map.arena + map.arena_bytes, &bytes, sizeof(bytes))
    if length:
        memcpy(map.arena + map.arena_bytes + sizeof(bytes), text, length)
    map.arena_bytes += length + sizeof(bytes)
    return True
