"""What the SGF reader knows while it reads: the text, what was read, the record at hand."""

from libc.stdint cimport uint8_t, uint32_t

from go_board cimport GoBoard
from sgf_records cimport SgfBuffers, SgfRecord

cdef enum:
    MOST_DEPTH = 1024          # of branches along the mainline

ctypedef struct SgfReader:
    const uint8_t *base
    const uint8_t *end
    SgfBuffers out
    bint use_ni
    bint is_utf8               # the text as a whole: then no letter has a bracket in it
    int usual_wide             # of a record that does not name its charset
    bint saw_end               # more text might change what was read of the record at hand
    # of the record at hand
    int wide
    GoBoard setup
    bint has_setup
    bint in_root
    int depth
    uint32_t[MOST_DEPTH] branch_before     # note, by depth
    int[MOST_DEPTH] branch_ply


cdef inline int fail_at(SgfReader *r, SgfRecord *g, int fault, const uint8_t *p) noexcept nogil:
    g.fault = <uint8_t>fault
    g.fault_at = <uint32_t>(p - r.base)
    return -1
