"""The message that GameHash and CoreHash of a game are made of; its bytes: docs/file-format.md.

Owns the message to hash and holds a part of it at a time: the hashed bytes of annotations may be
several times as long as their text.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdio cimport snprintf
from libc.string cimport memcpy

from memory cimport allocate
from pgn_lex cimport find_byte
from sha256 cimport ocg_sha256_have_ni, sha256_add, sha256_begin, sha256_end8

cdef enum:
    PART_BYTES = 1 << 14   # of a message in memory: whole blocks of SHA-256
    PADDING = 128          # bytes after a message that sha256_end8() needs
    NUMBER_BYTES = 32      # maximum bytes of two numbers with their spaces
    HASHED_COMMENT = 1, HASHED_NAG, HASHED_VARIATION

ctypedef struct Message:
    uint8_t *bytes         # the last part
    size_t length          # of that part
    uint64_t before        # bytes of the parts before it
    uint32_t[8] state      # hash of the parts before
    bint use_ni            # result of ocg_sha256_have_ni()


cdef inline int open_message(Message *m) except -1:
    """Allocate the memory of messages."""
    m.use_ni = ocg_sha256_have_ni()
    m.bytes = <uint8_t *>allocate(PART_BYTES + PADDING, 1)


cdef inline void begin_message(Message *m) noexcept nogil:
    m.length = 0
    m.before = 0
    sha256_begin(m.state)


cdef inline void add_bytes(Message *m, const uint8_t *p, size_t length) noexcept nogil:
    cdef size_t part
    while length > PART_BYTES - m.length:
        part = PART_BYTES - m.length
        memcpy(m.bytes + m.length, p, part)
        sha256_add(m.state, m.bytes, PART_BYTES // 64, m.use_ni)
        m.before += PART_BYTES
        m.length = 0
        p += part
        length -= part
    memcpy(m.bytes + m.length, p, length)
    m.length += length


cdef inline void end_text(Message *m) noexcept nogil:
    add_bytes(m, <const uint8_t *>b"\0", 1)


cdef inline void add_text(Message *m, const uint8_t *p, size_t length) noexcept nogil:
    """Add a text; "?" counts as empty."""
    if length and not (length == 1 and p[0] == b'?'):
        add_bytes(m, p, length)
    end_text(m)


cdef inline void add_folded(Message *m, const uint8_t *p, size_t length) noexcept nogil:
    """Add a text with each line end as a space: other programs break the lines of comments."""
    cdef const uint8_t *end = p + length
    cdef const uint8_t *stop = find_byte(p, b'\n', end)
    while stop < end:
        add_bytes(m, p, stop - p)
        add_bytes(m, <const uint8_t *>b" ", 1)
        p = stop + 1
        stop = find_byte(p, b'\n', end)
    add_bytes(m, p, end - p)


cdef inline void add_moves(Message *m, const uint8_t *moves, size_t length) noexcept nogil:
    cdef uint8_t[4] size
    cdef int i
    for i in range(4):
        size[i] = <uint8_t>(length >> 8 * i)
    add_bytes(m, size, 4)
    add_bytes(m, moves, length)


cdef inline void begin_annotation(Message *m, int ply, int hashed_type) noexcept nogil:
    """Add the prefix of the text or number of an annotation; end_text() ends it."""
    cdef char[NUMBER_BYTES] text
    add_bytes(m, <const uint8_t *>text, snprintf(text, NUMBER_BYTES, b"%d %d ", ply, hashed_type))


cdef inline void add_number(Message *m, int number) noexcept nogil:
    cdef char[NUMBER_BYTES] text
    add_bytes(m, <const uint8_t *>text, snprintf(text, NUMBER_BYTES, b"%d", number))


cdef inline int64_t hash_message(Message *m) noexcept nogil:
    """Return the first 8 bytes of the SHA-256 of the message as a signed number."""
    return <int64_t>sha256_end8(m.state, m.bytes, m.length, m.before, m.use_ni)
