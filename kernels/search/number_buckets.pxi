"""Buckets of 64-bit numbers and lists of edges, which the stages of the search exchange."""

from pair_memo cimport Memo, close_memo
from sorted_numbers cimport Buckets, add_numbers, free_buckets

BUCKETS = BUCKET_COUNT
ORDINAL_BITS = INDEX_BITS

SOURCES = ("moves", "players", "addresses")    # of blocking keys

cdef enum:
    # Indexes in SOURCES.
    BY_MOVES, BY_PLAYERS, BY_ADDRESS


cdef class NumberBuckets:
    """64-bit numbers by their top bits: blocking keys or candidate pairs."""
    cdef Buckets buckets

    def __cinit__(self, int bits=64, int first=0, int end=BUCKET_COUNT):
        if not BUCKET_BITS <= bits <= 64:
            raise ValueError(f"bits out of range ({BUCKET_BITS} to 64): {bits}")
        if not 0 <= first <= end <= BUCKET_COUNT:
            raise ValueError(f"buckets out of range (0 to {BUCKET_COUNT}): {first} to {end}")
        self.buckets.shift = bits - BUCKET_BITS
        self.buckets.first = first
        self.buckets.end = end

    def __dealloc__(self):
        free_buckets(&self.buckets)

    cdef Numbers *part(self, int bucket) except NULL:
        if not 0 <= bucket < BUCKET_COUNT:
            raise ValueError(f"bucket out of range: {bucket}")
        return &self.buckets.parts[bucket]

    def count(self, int bucket):
        return self.part(bucket).count

    def items(self, int bucket):
        cdef Numbers *numbers = self.part(bucket)
        if numbers.count == 0:
            return b""
        return PyMemoryView_FromMemory(<char *>numbers.items, 8 * numbers.count, PyBUF_READ)

    def clear(self, int bucket):
        free_numbers(self.part(bucket))

    def extend(self, int bucket, const uint8_t[::1] items not None):
        if items.shape[0]:
            add_numbers(self.part(bucket), <const uint64_t *>&items[0], items.shape[0] // 8)

    def take(self, NumberBuckets other not None, int bucket):
        cdef Numbers *source = other.part(bucket)
        add_numbers(self.part(bucket), source.items, source.count)
        free_numbers(source)


cdef class EdgeList:
    """Edges: pairs whose verdict is a match or possible match."""
    cdef Edges edges
    cdef Memo memo                 # cache of the judging thread

    def __dealloc__(self):
        free(self.edges.items)
        close_memo(&self.memo)

    def take(self, EdgeList other not None):
        append_edges(&self.edges, &other.edges)
        free(other.edges.items)
        memset(&other.edges, 0, sizeof(Edges))
