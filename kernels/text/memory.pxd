"""Memory of all kernels: taken or grown with or without the GIL; a failure raises MemoryError."""

from libc.stdint cimport uint8_t
from libc.stdlib cimport calloc, malloc, realloc
from libc.string cimport memcpy


cdef inline int require_memory(bint ok) except -1 nogil:
    """Raise MemoryError unless `ok`."""
    if not ok:
        raise MemoryError("out of memory")


cdef inline void *allocate(size_t count, size_t size) except NULL nogil:
    """Return memory for `count` items of `size` bytes, not cleared."""
    cdef void *memory = malloc(count * size + 1)
    require_memory(memory != NULL)
    return memory


cdef inline void *allocate_zeros(size_t count, size_t size) except NULL nogil:
    """Return cleared memory for `count` items of `size` bytes."""
    cdef void *memory = calloc(count + 1, size)
    require_memory(memory != NULL)
    return memory


cdef inline bint try_reserve(
    void **memory, size_t *capacity, size_t count, size_t size
) noexcept nogil:
    """Reserve memory for `count` items of `size` bytes; return False if out of memory.

    For parsers that note a failure, and for callbacks of SQLite, which cannot raise.
    """
    cdef size_t new_capacity
    cdef void *larger
    if count <= capacity[0]:
        return True
    new_capacity = max(count, capacity[0] + (capacity[0] >> 1) + 1024)
    larger = realloc(memory[0], new_capacity * size)
    if larger == NULL:
        return False
    memory[0] = larger
    capacity[0] = new_capacity
    return True


cdef inline int reserve(void **memory, size_t *capacity, size_t count, size_t size) except -1 nogil:
    """Reserve memory for `count` items of `size` bytes."""
    return require_memory(try_reserve(memory, capacity, count, size))


cdef inline void *try_new_item(
    void **items, size_t *count, size_t *capacity, size_t size, bint *has_failed
) noexcept nogil:
    """Return one more item of an array, not cleared; NULL, and `has_failed`, if out of memory."""
    if not try_reserve(items, capacity, count[0] + 1, size):
        has_failed[0] = True
        return NULL
    count[0] += 1
    return <uint8_t *>items[0] + (count[0] - 1) * size


cdef inline void *new_item(
    void **items, size_t *count, size_t *capacity, size_t size
) except NULL nogil:
    """Return one more item of an array, not cleared."""
    cdef bint has_failed = False
    cdef void *item = try_new_item(items, count, capacity, size, &has_failed)
    require_memory(not has_failed)
    return item


cdef inline int append_items(
    void **items, size_t *count, size_t *capacity, const void *added, size_t more, size_t size
) except -1 nogil:
    """Append items of `size` bytes to an array, which is never NULL afterwards."""
    reserve(items, capacity, count[0] + more + 1, size)
    if more:
        memcpy(<uint8_t *>items[0] + count[0] * size, added, more * size)
    count[0] += more


cdef inline int append_bytes(
    uint8_t **bytes, size_t *count, size_t *capacity, const void *added, size_t length
) except -1 nogil:
    """Append bytes to an array, which is never NULL afterwards."""
    return append_items(<void **>bytes, count, capacity, added, length, 1)


cdef extern from * nogil:
    """
    #ifdef __GLIBC__
    #include <malloc.h>
    #define ocg_trim_memory() malloc_trim(0)
    #else
    #define ocg_trim_memory() 0
    #endif
    """
    int ocg_trim_memory()
