"""64-bit numbers in buckets by their top bits: blocking keys, candidate pairs, edges; their order.

A bucket is sorted at a time, by one thread, and is written to a temporary file if memory is short.
"""

from libc.stdint cimport UINT32_MAX, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort
from libc.string cimport memcpy, memmove, memset

from game_record cimport count_below, ocg_prefetch
from memory cimport append_items, reserve

cdef enum:
    BUCKET_BITS = 6
    BUCKET_COUNT = 64               # 1 << BUCKET_BITS

ctypedef struct Numbers:
    uint64_t *items
    size_t count
    size_t capacity

ctypedef struct Buckets:
    Numbers parts[BUCKET_COUNT]
    int shift                  # of a number, to get its bucket
    uint64_t first             # range of buckets that are kept; other numbers are dropped
    uint64_t end


cdef inline int add_number_to(Numbers *to, uint64_t number) except -1 nogil:
    if to.count == to.capacity:
        reserve(<void **>&to.items, &to.capacity, to.count + 1, sizeof(uint64_t))
    to.items[to.count] = number
    to.count += 1


cdef inline int add_number(Buckets *to, uint64_t number) except -1 nogil:
    """Append a number to its bucket, if that is kept."""
    cdef uint64_t bucket = number >> to.shift
    if to.first <= bucket < to.end:
        add_number_to(&to.parts[bucket], number)


cdef inline int add_numbers(Numbers *to, const uint64_t *items, size_t count) except -1 nogil:
    return append_items(<void **>&to.items, &to.count, &to.capacity, items, count, sizeof(uint64_t))


cdef inline bint has_number(const uint64_t *rising, size_t count, uint64_t number) noexcept nogil:
    cdef size_t at = count_below(rising, count, number)
    return at < count and rising[at] == number


cdef inline void free_numbers(Numbers *numbers) noexcept nogil:
    free(numbers.items)
    numbers.items = NULL
    numbers.count = numbers.capacity = 0


cdef inline void free_buckets(Buckets *buckets) noexcept nogil:
    cdef int i
    for i in range(BUCKET_COUNT):
        free_numbers(&buckets.parts[i])


# --- sorting ------------------------------------------------------------------------------------

ctypedef fused Ordered:
    int64_t
    uint8_t
    uint16_t
    uint32_t
    uint64_t
    double


cdef inline int order_of(Ordered left, Ordered right) noexcept nogil:
    """Compare two numbers for a sort: -1, 0 or 1."""
    return (left > right) - (left < right)


cdef enum:
    FEW = 16                   # numbers sorted by insertion
    FEW_BITS = 3               # numbers left per part after the first digit, as a power of two
    DIGIT = 8                  # bits of a pass
    FIRST_DIGIT = 12           # of the first pass, at most
    PASS = 11                  # bits of a pass with a second array
    MANY = 1024                # numbers from which a second array pays
    MOST_BESIDE = 1 << 20      # maximum numbers for a second array: 8 MB for each thread


cdef inline void insert_keys(uint64_t *keys, size_t count) noexcept nogil:
    cdef size_t i, k
    cdef uint64_t key
    for i in range(1, count):
        key = keys[i]
        k = i
        while k and keys[k - 1] > key:
            keys[k] = keys[k - 1]
            k -= 1
        keys[k] = key


cdef inline void sort_digit(
    uint64_t *keys, size_t count, int shift, int bits, size_t *ends
) noexcept nogil:
    """Partition numbers by `bits` bits from `shift` on; store the end of each part in `ends`.

    American flag sort: McIlroy, Bostic, McIlroy, "Engineering Radix Sort" (1993).
    """
    cdef size_t heads[1 << FIRST_DIGIT]
    cdef uint64_t mask = (<uint64_t>1 << bits) - 1
    cdef size_t buckets = <size_t>1 << bits, i, bucket, target, total = 0
    cdef uint64_t key, displaced
    for i in range(buckets):
        ends[i] = 0
    for i in range(count):
        ends[keys[i] >> shift & mask] += 1
    for i in range(buckets):
        heads[i] = total
        total += ends[i]
        ends[i] = total
    for bucket in range(buckets):
        while heads[bucket] < ends[bucket]:
            key = keys[heads[bucket]]
            target = key >> shift & mask
            while target != bucket:
                displaced = keys[heads[target]]
                keys[heads[target]] = key
                heads[target] += 1
                key = displaced
                target = key >> shift & mask
            keys[heads[bucket]] = key
            heads[bucket] += 1


cdef inline void sort_part(uint64_t *keys, size_t count, int unsorted) noexcept nogil:
    """Sort numbers by their lowest `unsorted` bits."""
    cdef size_t ends[1 << DIGIT]
    cdef size_t first = 0
    cdef int bits = min(unsorted, DIGIT)
    cdef int bucket
    if count <= FEW or unsorted == 0:
        insert_keys(keys, count)
        return
    sort_digit(keys, count, unsorted - bits, bits, ends)
    for bucket in range(1 << bits):
        if ends[bucket] - first > 1:
            sort_part(keys + first, ends[bucket] - first, unsorted - bits)
        first = ends[bucket]


cdef inline bint sort_by_passes(uint64_t *keys, size_t count, int unsorted) noexcept nogil:
    """Sort numbers by their lowest `unsorted` bits with a second array; False if out of memory.

    Two stable passes over 22 bits leave few numbers out of order.
    """
    cdef uint32_t offsets[2][1 << PASS]
    cdef uint64_t *spare = <uint64_t *>malloc(count * sizeof(uint64_t))
    cdef uint64_t mask = (1 << PASS) - 1
    cdef int high = unsorted - PASS, low = high - PASS
    cdef uint32_t totals[2]
    cdef uint32_t count_here
    cdef size_t i, first
    cdef int k
    if spare == NULL:
        return False
    memset(offsets, 0, sizeof(offsets))
    for i in range(count):
        offsets[0][keys[i] >> low & mask] += 1
        offsets[1][keys[i] >> high & mask] += 1
    totals[0] = totals[1] = 0
    for i in range(1 << PASS):
        for k in range(2):
            count_here = offsets[k][i]
            offsets[k][i] = totals[k]
            totals[k] += count_here
    for i in range(count):
        spare[offsets[0][keys[i] >> low & mask]] = keys[i]
        offsets[0][keys[i] >> low & mask] += 1
    for i in range(count):
        keys[offsets[1][spare[i] >> high & mask]] = spare[i]
        offsets[1][spare[i] >> high & mask] += 1
    free(spare)
    first = 0
    for i in range(1, count + 1):
        if i < count and keys[i] >> low == keys[first] >> low:
            continue
        if i - first > 1:
            sort_part(keys + first, i - first, low)
        first = i
    return True


cdef inline void sort_numbers(Numbers *numbers, int unsorted) noexcept nogil:
    """Sort numbers by their lowest `unsorted` bits; higher bits are the same in all numbers.

    The first digit leaves parts of a few numbers for insertion sort.
    """
    cdef size_t ends[1 << FIRST_DIGIT]
    cdef size_t first = 0, bucket
    cdef int bits = DIGIT
    if (
        MANY <= numbers.count < MOST_BESIDE and unsorted > 2 * PASS
        and sort_by_passes(numbers.items, numbers.count, unsorted)
    ):
        return
    while bits < FIRST_DIGIT and numbers.count >> (bits + FEW_BITS):
        bits += 1
    if numbers.count <= FEW or unsorted < bits:
        sort_part(numbers.items, numbers.count, unsorted)
        return
    sort_digit(numbers.items, numbers.count, unsorted - bits, bits, ends)
    for bucket in range(<size_t>1 << bits):
        if ends[bucket] - first > 1:
            sort_part(numbers.items + first, ends[bucket] - first, unsorted - bits)
        first = ends[bucket]


# --- records sorted by a number -------------------------------------------------------------------

cdef enum:
    MOST_RECORD_BYTES = 64     # of a record that sort_few_records() holds aside
    RECORDS_AHEAD = 8          # to prefetch
    # Counting sort is used if the numbers span at most this many times the number of records.
    DENSE = 2

ctypedef int (*CompareRecords)(const void *, const void *) noexcept nogil


cdef inline void sort_few_records(
    void *records, size_t count, size_t size, CompareRecords compare
) noexcept nogil:
    """Sort records as qsort() does, which takes longer for a few; `size`: bytes of a record."""
    cdef uint8_t aside[MOST_RECORD_BYTES]
    cdef uint8_t *at
    cdef size_t i, k
    if count < 2:
        return
    if count > FEW or size > MOST_RECORD_BYTES:
        qsort(records, count, size, compare)
        return
    for i in range(1, count):
        at = <uint8_t *>records + i * size
        k = i
        while k and compare(<uint8_t *>records + (k - 1) * size, at) > 0:
            k -= 1
        if k < i:
            memcpy(aside, at, size)
            memmove(
                <uint8_t *>records + (k + 1) * size, <uint8_t *>records + k * size, (i - k) * size
            )
            memcpy(<uint8_t *>records + k * size, aside, size)


cdef inline size_t count_before(
    const void *records, size_t count, size_t size, const void *record, CompareRecords compare
) noexcept nogil:
    """Return how many sorted records of `size` bytes come before another one."""
    cdef size_t low = 0, high = count, middle
    while low < high:
        middle = (low + high) >> 1
        if compare(<const uint8_t *>records + middle * size, record) < 0:
            low = middle + 1
        else:
            high = middle
    return low


cdef inline uint64_t record_number(
    const uint8_t *record, size_t offset, size_t bytes
) noexcept nogil:
    """Return the number of a record, unsigned of 4 bytes or signed of 8, as an unsigned one."""
    cdef uint32_t narrow
    cdef uint64_t number
    if bytes == sizeof(uint32_t):
        memcpy(&narrow, record + offset, sizeof(uint32_t))
        return narrow
    memcpy(&number, record + offset, sizeof(uint64_t))
    return number ^ <uint64_t>1 << 63


cdef inline bint find_range(
    const uint8_t *records, size_t count, size_t size, size_t offset, size_t bytes,
    uint64_t *low, uint64_t *high,
) noexcept nogil:
    """Find the lowest and the highest number; return whether the records are sorted."""
    cdef uint64_t number, last
    cdef bint is_sorted = True
    cdef size_t i
    low[0] = high[0] = last = record_number(records, offset, bytes)
    for i in range(1, count):
        number = record_number(records + i * size, offset, bytes)
        is_sorted = is_sorted and last <= number
        low[0] = min(low[0], number)
        high[0] = max(high[0], number)
        last = number
    return is_sorted


cdef inline bint copy_by_counts(
    const uint8_t *records, uint8_t *target, size_t count, size_t size, size_t offset,
    size_t bytes, uint64_t low, uint64_t high,
) noexcept nogil:
    """Copy records in order, by counting sort; return False if out of memory."""
    cdef uint32_t *offsets = <uint32_t *>calloc(high - low + 2, sizeof(uint32_t))
    cdef uint64_t number
    cdef size_t i
    if offsets == NULL:
        return False
    for i in range(count):
        offsets[record_number(records + i * size, offset, bytes) - low + 1] += 1
    for i in range(1, high - low + 1):
        offsets[i] += offsets[i - 1]
    for i in range(count):
        number = record_number(records + i * size, offset, bytes) - low
        memcpy(target + offsets[number] * size, records + i * size, size)
        offsets[number] += 1
    free(offsets)
    return True


cdef inline bint copy_by_numbers(
    const uint8_t *records, uint8_t *target, size_t count, size_t size, size_t offset,
    size_t bytes, uint64_t low, uint64_t high,
) noexcept nogil:
    """Copy records sorted by a number, which is packed with the record's index in its low bits.

    Return False if 64 bits are too few for both, or if out of memory.
    """
    cdef Numbers numbers
    cdef uint64_t number, mask
    cdef int index_bits = 0, unsorted
    cdef size_t i
    while count - 1 >> index_bits:
        index_bits += 1
    unsorted = index_bits
    while unsorted < 64 and (high - low) >> (unsorted - index_bits):
        unsorted += 1
    if (high - low) >> (unsorted - index_bits):
        return False
    numbers.items = <uint64_t *>malloc(count * sizeof(uint64_t))
    if numbers.items == NULL:
        return False
    numbers.count = numbers.capacity = count
    for i in range(count):
        number = record_number(records + i * size, offset, bytes) - low
        numbers.items[i] = number << index_bits | i
    sort_numbers(&numbers, unsorted)
    mask = (<uint64_t>1 << index_bits) - 1
    for i in range(count):
        if i + RECORDS_AHEAD < count:
            ocg_prefetch(records + (numbers.items[i + RECORDS_AHEAD] & mask) * size)
        memcpy(target + i * size, records + (numbers.items[i] & mask) * size, size)
    free_numbers(&numbers)
    return True


cdef inline void sort_records(
    void *records, size_t count, size_t size, const void *field, size_t bytes,
    CompareRecords compare,
) noexcept nogil:
    """Sort records of `size` bytes by a number: unsigned of 4 `bytes`, or signed of 8.

    `field`: this number of the first record. `compare` compares the same numbers; qsort() uses it
    if memory is short.
    """
    cdef uint8_t *source = <uint8_t *>records
    cdef uint8_t *target
    cdef size_t offset = <const uint8_t *>field - source
    cdef uint64_t low, high
    cdef bint ok = False
    if count < MANY:
        sort_few_records(records, count, size, compare)
        return
    if find_range(source, count, size, offset, bytes, &low, &high):
        return
    target = <uint8_t *>malloc(count * size)
    if target != NULL:
        if (high - low) // DENSE < count and count <= UINT32_MAX:
            ok = copy_by_counts(source, target, count, size, offset, bytes, low, high)
        else:
            ok = copy_by_numbers(source, target, count, size, offset, bytes, low, high)
    if ok:
        memcpy(records, target, count * size)
    else:
        qsort(records, count, size, compare)
    free(target)


cdef inline int by_id(const void *a, const void *b) noexcept nogil:
    return order_of((<const int64_t *>a)[0], (<const int64_t *>b)[0])


cdef inline void sort_by_id(void *records, size_t count, size_t size) noexcept nogil:
    """Sort records of `size` bytes whose first field is the ID of a game."""
    sort_records(records, count, size, records, sizeof(int64_t), by_id)
