"""Packed blocking keys of earlier searches: looked up and merged. The caller handles files."""

from libc.stdint cimport UINT64_MAX

from blocking_keys cimport index_of_key
from key_runs cimport (
    BLOCK_PAIRS, LOW_HASH_BITS, PLACES, RUN_END, RUN_FORMAT, Block, Bucket, Cursor, Run, check_sum,
    is_run, key_in, load_block, look_up, open_bucket, pack_bucket, use_ordinals, width_of,
    words_of_bucket,
)


cdef bytes packed(const Numbers *sorted_keys):
    """Return the keys of a bucket, packed."""
    cdef uint64_t *written
    cdef size_t words
    cdef int width
    cdef bytes out
    if sorted_keys.count == 0:
        return b""
    with nogil:
        width = width_of(sorted_keys)
        words = words_of_bucket(sorted_keys, width)
    out = PyBytes_FromStringAndSize(NULL, words * sizeof(uint64_t))
    written = <uint64_t *>PyBytes_AS_STRING(out)
    with nogil:
        pack_bucket(sorted_keys, width, written, words)
    return out


cdef int place_of(str source, int bucket) except -1:
    if not 0 <= bucket < BUCKET_COUNT:
        raise ValueError(f"bucket out of range: {bucket}")
    return SOURCES.index(source) * BUCKET_COUNT + bucket


def pack_keys(NumberBuckets keys not None, int bucket):
    cdef Numbers *numbers = keys.part(bucket)
    with nogil:
        sort_numbers(numbers, keys.buckets.shift)
    return packed(numbers)


def run_end(places not None):
    cdef bytes out = PyBytes_FromStringAndSize(NULL, RUN_END * sizeof(uint64_t))
    cdef uint64_t *words = <uint64_t *>PyBytes_AS_STRING(out)
    cdef uint64_t end = 0
    cdef int i
    for i in range(PLACES):
        words[i] = UINT64_MAX
    for source, bucket, offset, size in places:
        if (offset | size) % sizeof(uint64_t):
            raise ValueError(f"bucket at {offset} with {size} bytes is not made of words")
        words[place_of(source, bucket)] = offset // sizeof(uint64_t)
        end = max(end, <uint64_t>(offset + size) // sizeof(uint64_t))
    words[RUN_END - 2] = RUN_FORMAT
    words[RUN_END - 1] = check_sum(words, RUN_END - 1, end + RUN_END)
    return out


cdef class KeyRuns:
    """Packed blocking keys in any number of runs."""
    cdef Run *runs
    cdef size_t count
    cdef list held                 # the buffers of the runs

    def __cinit__(self, runs not None):
        cdef const uint8_t[::1] view
        cdef Run *run
        self.held = [memoryview(run_bytes).cast("B") for run_bytes in runs]
        self.runs = <Run *>allocate_zeros(len(self.held), sizeof(Run))
        for view in self.held:
            run = &self.runs[self.count]
            if view.shape[0] == 0 or view.shape[0] % sizeof(uint64_t):
                raise damaged_run()
            if <uintptr_t>&view[0] % sizeof(uint64_t):
                raise ValueError("run of keys: not aligned")
            run.words = <const uint64_t *>&view[0]
            run.count = view.shape[0] // sizeof(uint64_t)
            if not is_run(run):
                raise damaged_run()
            self.count += 1

    def __dealloc__(self):
        free(self.runs)

    def lookup(self, str source not None, const uint64_t[::1] hashes not None, uint64_t games):
        cdef int first_place = place_of(source, 0)
        cdef Numbers found
        cdef Cursor *cursors
        cdef size_t i
        cdef bint ok
        cdef array.array out
        for i in range(<size_t>hashes.shape[0]):
            if hashes[i] >> (64 - INDEX_BITS) or (i and hashes[i] <= hashes[i - 1]):
                raise ValueError(f"hash {i} is out of range or does not rise")
        memset(&found, 0, sizeof(Numbers))
        cursors = <Cursor *>allocate(self.count, sizeof(Cursor))
        try:
            with nogil:
                ok = look_up_all(
                    self.runs, self.count, cursors, first_place, hashes, games, &found
                )
            if not ok:
                raise damaged_run()
            out = array.clone(array.array("Q"), found.count, False)
            if found.count:
                memcpy(out.data.as_chars, found.items, found.count * sizeof(uint64_t))
            return out
        finally:
            free(cursors)
            free_numbers(&found)

    def merged(self, str source not None, int bucket):
        cdef int place = place_of(source, bucket)
        cdef Numbers keys
        cdef bint ok = True
        cdef size_t i
        memset(&keys, 0, sizeof(Numbers))
        try:
            with nogil:
                for i in range(self.count):
                    ok = ok and append_bucket(&self.runs[i], place, bucket, &keys)
                if ok and self.count > 1:
                    sort_numbers(&keys, 64 - BUCKET_BITS)
            if not ok:
                raise damaged_run()
            return packed(&keys)
        finally:
            free_numbers(&keys)


cdef object damaged_run():
    return ValueError("run of keys: damaged")


cdef int look_up_all(
    Run *runs, size_t count, Cursor *cursors, int first_place, const uint64_t[::1] hashes,
    uint64_t games, Numbers *found,
) except -1 nogil:
    """Add the pairs of rising hashes in all runs; return False if one that is read is damaged."""
    cdef int bucket = -1
    cdef size_t i, k, first
    cdef Numbers equal
    for i in range(<size_t>hashes.shape[0]):
        if <int>(hashes[i] >> LOW_HASH_BITS) != bucket:
            bucket = <int>(hashes[i] >> LOW_HASH_BITS)
            for k in range(count):
                if not open_bucket(&runs[k], first_place + bucket, &cursors[k].bucket):
                    return False
                cursors[k].at = 0
                cursors[k].loaded = cursors[k].bucket.blocks
        first = found.count
        for k in range(count):
            if not look_up(&cursors[k], hashes[i], found):
                return False
        for k in range(first, found.count):
            if index_of_key(found.items[k]) >= games:
                return False
        if count > 1 and found.count > first + 1:
            equal = Numbers(found.items + first, found.count - first, 0)
            sort_numbers(&equal, INDEX_BITS)
    return True


cdef int append_bucket(Run *run, int place, int top, Numbers *keys) except -1 nogil:
    """Append the keys of a bucket; return False if it is damaged."""
    cdef Bucket bucket
    cdef Block block
    cdef size_t at, i
    if not open_bucket(run, place, &bucket):
        return False
    reserve(
        <void **>&keys.items, &keys.capacity, keys.count + bucket.blocks * BLOCK_PAIRS,
        sizeof(uint64_t),
    )
    for at in range(bucket.blocks):
        if not load_block(&bucket, at, top, &block):
            return False
        for i in range(block.pairs):
            keys.items[keys.count + i] = key_in(&block, i)
        keys.count += block.pairs
    return True
