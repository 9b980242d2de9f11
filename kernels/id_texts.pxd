"""A map from IDs to short texts that are asked for again and again."""

from libc.stdint cimport UINT32_MAX, int64_t, uint8_t, uint32_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from copy_game cimport reserve
from id_numbers cimport IdNumbers, free_id_numbers, number_of_id, set_number

ctypedef struct Text:
    const uint8_t *text
    size_t length

ctypedef struct IdTexts:
    IdNumbers places           # in the arena, plus one
    uint8_t *arena             # each text after its length
    size_t arena_room
    size_t arena_bytes


cdef inline bint has_id_text(IdTexts *map, int64_t key) noexcept nogil:
    return number_of_id(&map.places, key) != 0


cdef inline Text text_of_id(IdTexts *map, int64_t key) noexcept nogil:
    """Return the text of an ID that has one; it is valid until the next is kept."""
    cdef Text found
    cdef uint32_t length
    cdef const uint8_t *at = map.arena + number_of_id(&map.places, key) - 1
    memcpy(&length, at, sizeof(length))
    found.text = at + sizeof(length)
    found.length = length
    return found


cdef inline void forget_texts(IdTexts *map) noexcept nogil:
    free_id_numbers(&map.places)
    free(map.arena)
    map.arena = NULL
    map.arena_room = map.arena_bytes = 0


cdef inline bint keep_id_text(
    IdTexts *map, int64_t key, const uint8_t *text, size_t length
) noexcept nogil:
    """Keep the text of an ID that has none yet; False if there is no memory, or 4 GB are full."""
    cdef uint32_t bytes = <uint32_t>length
    cdef size_t end = map.arena_bytes + sizeof(bytes) + length
    if end >= UINT32_MAX or not reserve(<void **>&map.arena, &map.arena_room, end, 1):
        return False
    if not set_number(&map.places, key, <uint32_t>(map.arena_bytes + 1)):
        return False
    memcpy(map.arena + map.arena_bytes, &bytes, sizeof(bytes))
    if length:
        memcpy(map.arena + map.arena_bytes + sizeof(bytes), text, length)
    map.arena_bytes = end
    return True
