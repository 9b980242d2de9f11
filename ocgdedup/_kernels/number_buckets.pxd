"""What the other kernels of the search see of its numbers and edges."""

from candidate_pairs cimport Edges
from pair_memo cimport Memo
from sorted_numbers cimport Buckets, Numbers


cdef class NumberBuckets:
    cdef Buckets buckets

    cdef Numbers *part(self, int bucket) except NULL


cdef class EdgeList:
    cdef Edges edges
    cdef Memo memo                 # of the thread that judges
