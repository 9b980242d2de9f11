"""What the other kernels of the search see of its numbers and edges."""

from copy_numbers cimport Buckets, Numbers
from copy_pairs cimport Edges
from pair_memo cimport Memo


cdef class NumberBuckets:
    cdef Buckets buckets

    cdef Numbers *part(self, int bucket) except NULL


cdef class EdgeList:
    cdef Edges edges
    cdef Memo memo                 # of the thread that judges
