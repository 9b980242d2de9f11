"""CoreHash of a game: the keys of its players, each computed once for a name.

The hashed bytes: docs/file-format.md. Keys of names that are not ASCII come from Python
(name_key() in ocgdedup/matching/names/name_form.py).
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.string cimport memcpy

from game_buffers cimport NameEntry, Names
from memory cimport try_reserve
from name_form cimport NAME_KEY_BYTES, NAME_CHARACTERS, put_key
from record_hash cimport Message, add_bytes, begin_message, hash_message
from utf8 cimport is_ascii


cdef inline bint has_key(Names *n, uint32_t id) noexcept nogil:
    """Return whether a name has its key, after computing that of an ASCII name.

    False for other names until store_key(), and if out of memory.
    """
    cdef NameEntry *entry = &n.entries[id]
    if entry.key_start:
        return True
    if not is_ascii(n.arena + entry.start, entry.length):
        return False
    if entry.length > NAME_CHARACTERS:
        entry.key_start = entry.start
        entry.key_length = entry.length
        return True
    if not try_reserve(<void **>&n.arena, &n.arena_capacity, n.arena_used + NAME_KEY_BYTES, 1):
        return False
    entry.key_start = n.arena_used
    entry.key_length = put_key(n.arena + entry.start, entry.length, n.arena + n.arena_used)
    n.arena_used += entry.key_length
    return True


cdef inline bint store_key(Names *n, uint32_t id, const uint8_t *key, size_t length) noexcept nogil:
    """Store the key of a name; return False if out of memory."""
    if not try_reserve(<void **>&n.arena, &n.arena_capacity, n.arena_used + length, 1):
        return False
    memcpy(n.arena + n.arena_used, key, length)
    n.entries[id].key_start = n.arena_used
    n.entries[id].key_length = <uint32_t>length
    n.arena_used += length
    return True


cdef inline void add_key(Message *m, const Names *n, uint32_t id) noexcept nogil:
    add_bytes(m, n.arena + n.entries[id].key_start, n.entries[id].key_length)


cdef inline int64_t core_hash(
    Message *m, const Names *n, uint32_t white, uint32_t black
) noexcept nogil:
    """Return CoreHash of two names, which have their keys."""
    begin_message(m)
    add_key(m, n, white)
    add_bytes(m, <const uint8_t *>b":", 1)
    add_key(m, n, black)
    return hash_message(m)
