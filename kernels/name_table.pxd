"""A table of distinct names in C: bytes to consecutive IDs, without a Python object a look-up.

Open addressing over a 32-bit hash (slots of 8 bytes: a look-up costs what its cache misses cost),
names in one arena. ID 1 is the empty name.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy

ctypedef struct NameSlot:
    uint32_t hash
    uint32_t id            # 0: free

ctypedef struct NameEntry:
    uint64_t start         # in the arena
    uint32_t length
    int32_t elo            # highest seen, 0 if none (players only)
    int32_t stored_elo     # what the database has

ctypedef struct Names:
    NameSlot *slots
    uint64_t mask
    NameEntry *entries     # by ID; entry 0 is not used
    uint32_t count         # highest ID
    uint32_t room
    uint32_t[2] recent     # IDs of the last names asked for: the next game often has them too
    uint8_t *arena
    uint64_t arena_used, arena_room


cdef inline uint32_t name_hash(const uint8_t *p, size_t length) noexcept nogil:
    cdef uint64_t h = <uint64_t>0x9E3779B97F4A7C15 ^ length
    cdef uint64_t word
    while length >= 8:
        memcpy(&word, p, 8)
        h = (h ^ word) * <uint64_t>0xFF51AFD7ED558CCD
        h ^= h >> 32
        p += 8
        length -= 8
    if length:
        word = 0
        memcpy(&word, p, length)
        h = (h ^ word) * <uint64_t>0xFF51AFD7ED558CCD
        h ^= h >> 32
    return <uint32_t>(h * <uint64_t>0xC4CEB9FE1A85EC53 >> 32)


cdef inline bint open_names(Names *n) noexcept nogil:
    n.mask = 4095
    n.slots = <NameSlot *>calloc(n.mask + 1, sizeof(NameSlot))
    n.room = 2048
    n.entries = <NameEntry *>calloc(n.room, sizeof(NameEntry))
    n.count = 0
    n.recent[0] = n.recent[1] = 0                     # entry 0 is zeroed: the empty name
    n.arena_room = 65536
    n.arena_used = 0
    n.arena = <uint8_t *>malloc(n.arena_room)
    return n.slots != NULL and n.entries != NULL and n.arena != NULL


cdef inline void close_names(Names *n) noexcept nogil:
    free(n.slots)
    free(n.entries)
    free(n.arena)
    n.slots = NULL
    n.entries = NULL
    n.arena = NULL


cdef inline bint double_slots(Names *n) noexcept nogil:
    cdef uint64_t mask = n.mask * 2 + 1
    cdef NameSlot *larger = <NameSlot *>calloc(mask + 1, sizeof(NameSlot))
    cdef uint64_t i, at
    if larger == NULL:
        return False
    for i in range(n.mask + 1):
        if n.slots[i].id:
            at = n.slots[i].hash & mask
            while larger[at].id:
                at = (at + 1) & mask
            larger[at] = n.slots[i]
    free(n.slots)
    n.slots = larger
    n.mask = mask
    return True


cdef inline bint reserve_name(Names *n, uint32_t id, size_t length) noexcept nogil:
    """Make room for one more name; False if there is no memory."""
    cdef void *larger
    cdef uint64_t wanted
    if id >= n.room:
        wanted = <uint64_t>id * 2
        larger = realloc(n.entries, wanted * sizeof(NameEntry))
        if larger == NULL:
            return False
        n.entries = <NameEntry *>larger
        n.room = <uint32_t>wanted
    if n.arena_used + length > n.arena_room:
        wanted = (n.arena_room + length) * 2
        larger = realloc(n.arena, wanted)
        if larger == NULL:
            return False
        n.arena = <uint8_t *>larger
        n.arena_room = wanted
    return <uint64_t>n.count * 2 < n.mask or double_slots(n)


cdef inline bint is_name(
    const Names *n, uint32_t id, const uint8_t *p, size_t length
) noexcept nogil:
    cdef const NameEntry *entry = &n.entries[id]
    return entry.length == length and memcmp(n.arena + entry.start, p, length) == 0


cdef inline uint32_t note_recent(Names *n, uint32_t id) noexcept nogil:
    n.recent[1] = n.recent[0]
    n.recent[0] = id
    return id


cdef inline uint32_t enter_name(
    Names *n, const uint8_t *p, size_t length, uint32_t hash, uint32_t id
) noexcept nogil:
    """Enter a name that is not there; return its ID, 0 if there is no memory."""
    cdef uint64_t at
    cdef NameEntry *entry
    if not reserve_name(n, id, length):
        return 0
    at = hash & n.mask
    while n.slots[at].id:
        at = (at + 1) & n.mask
    n.slots[at].hash = hash
    n.slots[at].id = id
    entry = &n.entries[id]
    entry.start = n.arena_used
    entry.length = <uint32_t>length
    entry.elo = entry.stored_elo = 0
    memcpy(n.arena + n.arena_used, p, length)
    n.arena_used += length
    if id > n.count:
        n.count = id
    return note_recent(n, id)


cdef inline uint32_t intern_name(
    Names *n, const uint8_t *p, size_t length, uint32_t new_id
) noexcept nogil:
    """Return the ID of a name; a new one gets `new_id`, or the next if that is 0.

    Return 0 if there is no memory.
    """
    cdef uint32_t hash
    cdef uint64_t at
    if length and is_name(n, n.recent[0], p, length):
        return n.recent[0]
    if length and is_name(n, n.recent[1], p, length):
        return n.recent[1]
    hash = name_hash(p, length)
    at = hash & n.mask
    while n.slots[at].id:
        if n.slots[at].hash == hash and is_name(n, n.slots[at].id, p, length):
            return note_recent(n, n.slots[at].id)
        at = (at + 1) & n.mask
    return enter_name(n, p, length, hash, new_id if new_id else n.count + 1)
