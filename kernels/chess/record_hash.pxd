"""Games.CoreHash and Games.GameHash of a record; the hashed bytes: docs/file-format.md.

Owns the message to hash, which is reused from game to game.
"""

from libc.stdint cimport int64_t, uint8_t
from libc.stdio cimport snprintf
from libc.stdlib cimport realloc
from libc.string cimport memcpy

from sha256 cimport sha256_first8

cdef enum:
    PADDING = 128          # bytes after a message that sha256_first8() needs
    NUMBER_ROOM = 32       # maximum bytes of two numbers with their spaces
    KIND_COMMENT = 1
    KIND_NAG = 2
    KIND_VARIATION = 3

ctypedef struct Message:
    uint8_t *bytes
    size_t length
    size_t room
    bint use_ni            # result of ocg_sha256_have_ni()
    bint failed            # out of memory, for this or a previous message


cdef inline bint reserve_message(Message *m, size_t more) noexcept nogil:
    cdef size_t room = m.length + more + PADDING
    cdef void *larger
    if room > m.room and not m.failed:
        larger = realloc(m.bytes, room * 2)
        if larger == NULL:
            m.failed = True
        else:
            m.bytes = <uint8_t *>larger
            m.room = room * 2
    return not m.failed


cdef inline void begin_message(Message *m) noexcept nogil:
    m.length = 0


cdef inline void add_bytes(Message *m, const uint8_t *p, size_t length) noexcept nogil:
    if length and reserve_message(m, length):
        memcpy(m.bytes + m.length, p, length)
        m.length += length


cdef inline void end_text(Message *m) noexcept nogil:
    add_bytes(m, <const uint8_t *>b"\0", 1)


cdef inline void add_text(Message *m, const uint8_t *p, size_t length) noexcept nogil:
    """Add a text; "?" counts as empty."""
    if not (length == 1 and p[0] == b'?'):
        add_bytes(m, p, length)
    end_text(m)


cdef inline void add_moves(Message *m, const uint8_t *moves, size_t length) noexcept nogil:
    cdef uint8_t[4] size
    cdef int i
    for i in range(4):
        size[i] = <uint8_t>(length >> 8 * i)
    add_bytes(m, size, 4)
    add_bytes(m, moves, length)


cdef inline void begin_annotation(Message *m, int ply, int kind) noexcept nogil:
    """Add the prefix of the text or number of an annotation; end_text() ends it."""
    if reserve_message(m, NUMBER_ROOM):
        m.length += snprintf(<char *>(m.bytes + m.length), NUMBER_ROOM, b"%d %d ", ply, kind)


cdef inline void add_number(Message *m, int number) noexcept nogil:
    if reserve_message(m, NUMBER_ROOM):
        m.length += snprintf(<char *>(m.bytes + m.length), NUMBER_ROOM, b"%d", number)


cdef inline int64_t hash_message(Message *m) noexcept nogil:
    """Return the first 8 bytes of the SHA-256 of the message as a signed number."""
    if not reserve_message(m, 0):
        return 0
    return <int64_t>sha256_first8(m.bytes, m.length, m.use_ni)


cdef inline int64_t core_hash(
    Message *m, const uint8_t *white, size_t white_length, const uint8_t *black, size_t black_length
) noexcept nogil:
    """Return CoreHash of two names as written; "?" counts as empty."""
    begin_message(m)
    add_key(m, white, white_length)
    add_bytes(m, <const uint8_t *>b":", 1)
    add_key(m, black, black_length)
    return hash_message(m)


cdef inline void add_key(Message *m, const uint8_t *name, size_t length) noexcept nogil:
    if length:
        add_bytes(m, name, length)
    else:
        add_bytes(m, <const uint8_t *>b"?", 1)
