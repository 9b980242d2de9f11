"""Growing lists of phonetic spellings, each with the languages it may belong to."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport realloc
from libc.string cimport memcpy, memset

cdef enum:
    ROW_SLACK = 8                  # a row can be written in steps of so many bytes
    FIRST_SLOTS = 64

cdef enum:
    ANY_LANGUAGE = 0xFFFFFFFF      # a spelling that no rule has bound to some languages

ctypedef struct Row:
    uint32_t languages             # 0: no language is left, there is no such spelling
    uint32_t length                # bytes of text; the text follows
    uint32_t hash

ctypedef struct Rows:
    uint8_t *memory
    size_t room                    # bytes
    size_t stride                  # bytes from row to row
    size_t count

ctypedef struct RowSet:
    uint32_t *slots                # numbers of rows, plus one; 0 is free
    size_t size                    # slots in use now, a power of two
    size_t room                    # slots that there is memory for


cdef inline Row *row_at(const Rows *rows, size_t i) noexcept nogil:
    return <Row *>(rows.memory + i * rows.stride)


cdef inline uint8_t *text_of(Row *row) noexcept nogil:
    return <uint8_t *>row + sizeof(Row)


cdef inline void begin_rows(Rows *rows, size_t letters) noexcept nogil:
    """Empty the list; each text to come has at most so many letters."""
    cdef size_t bytes_of_row = sizeof(Row) + letters + ROW_SLACK
    rows.stride = (bytes_of_row + ROW_SLACK - 1) // ROW_SLACK * ROW_SLACK
    rows.count = 0


cdef inline int reserve_rows(Rows *rows, size_t count) except -1 nogil:
    """Make room for so many rows in all. The caller bounds the count, so nothing overflows."""
    cdef size_t wanted = count * rows.stride
    cdef void *memory
    if wanted <= rows.room:
        return 0
    wanted *= 2
    memory = realloc(rows.memory, wanted)
    if memory == NULL:
        raise MemoryError("no memory for phonetic codes")
    rows.memory = <uint8_t *>memory
    rows.room = wanted
    return 0


cdef inline void put_blank(Rows *rows) noexcept nogil:
    """Append an empty spelling; there is room."""
    cdef Row *row = row_at(rows, rows.count)
    row.languages = ANY_LANGUAGE
    row.length = 0
    rows.count += 1


cdef inline void copy_text(uint8_t *to, const uint8_t *text, size_t length) noexcept nogil:
    """Copy in whole steps: up to ROW_SLACK - 1 bytes too many, for which rows have space."""
    cdef size_t i = 0
    while i < length:
        memcpy(to + i, text + i, ROW_SLACK)
        i += ROW_SLACK


cdef inline uint32_t hash_row(Row *row) noexcept nogil:
    """Return a hash of text and languages; it is never stored."""
    cdef const uint8_t *text = text_of(row)
    cdef uint64_t h = row.languages
    cdef size_t i
    for i in range(row.length):
        h = (h ^ text[i]) * <uint64_t>0x9E3779B97F4A7C15
        h ^= h >> 29
    return <uint32_t>(h ^ h >> 32)


cdef inline bint same_row(Row *a, Row *b) noexcept nogil:
    cdef const uint8_t *left = text_of(a)
    cdef const uint8_t *right = text_of(b)
    cdef size_t i
    if a.hash != b.hash or a.length != b.length or a.languages != b.languages:
        return False
    for i in range(a.length):
        if left[i] != right[i]:
            return False
    return True


cdef inline int size_set(RowSet *s, size_t size) except -1 nogil:
    """Empty the set and give it so many slots."""
    cdef void *memory
    if size > s.room:
        memory = realloc(s.slots, size * sizeof(uint32_t))
        if memory == NULL:
            raise MemoryError("no memory for phonetic codes")
        s.slots = <uint32_t *>memory
        s.room = size
    s.size = size
    memset(s.slots, 0, size * sizeof(uint32_t))
    return 0


cdef inline void put_slot(RowSet *s, uint32_t hash, uint32_t number) noexcept nogil:
    cdef size_t slot = hash & (s.size - 1)
    while s.slots[slot] != 0:
        slot = (slot + 1) & (s.size - 1)
    s.slots[slot] = number


cdef inline int keep_if_new(RowSet *s, Rows *rows) except -1 nogil:
    """Append the row that stands behind the last one, unless the list has its equal."""
    cdef Row *row = row_at(rows, rows.count)
    cdef size_t slot, i
    row.hash = hash_row(row)
    slot = row.hash & (s.size - 1)
    while s.slots[slot] != 0:
        if same_row(row, row_at(rows, s.slots[slot] - 1)):
            return 0
        slot = (slot + 1) & (s.size - 1)
    rows.count += 1
    s.slots[slot] = <uint32_t>rows.count
    if 2 * rows.count > s.size:
        size_set(s, 2 * s.size)
        for i in range(rows.count):
            put_slot(s, row_at(rows, i).hash, <uint32_t>(i + 1))
    return 0
