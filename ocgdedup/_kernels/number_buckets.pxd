"""Declarations of buckets and edges for the other kernels of the search."""

from candidate_pairs cimport Edges
from pair_memo cimport Memo
from sorted_numbers cimport Buckets, Numbers


cdef class NumberBuckets:
    cdef Buckets buckets

    cdef Numbers *part(self, int bucket) except NULL


cdef class EdgeList:
    cdef Edges edges
    cdef Memo memo                 # cache of the judging thread
