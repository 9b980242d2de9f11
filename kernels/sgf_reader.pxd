"""What the SGF reader knows while it reads: the text, what was read, the record at hand."""

from libc.stdint cimport uint8_t, uint32_t

from go_board cimport GoBoard
from sgf_lex cimport sgf_hard_start, sgf_plain_end, sgf_text_end
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
    bint keeps_wide            # of any record, whatever charset it names
    bint saw_end               # more text might change what was read of the record at hand
    const uint8_t *next_hard   # the first hard start behind the record, kept while it is
    # The last search for the end of a text: found from here on. It serves until then, so that
    # brackets which end nothing are not searched again for each value.
    const uint8_t *text_from
    const uint8_t *text_to     # NULL: none up to text_stop
    const uint8_t *text_stop
    int text_wide
    # of the record at hand
    const uint8_t *stop        # it ends there at the latest: another must begin
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


cdef inline void limit_record(SgfReader *r, const uint8_t *p) noexcept nogil:
    """Find how far a record that begins at `p` can go."""
    if r.next_hard == NULL or r.next_hard <= p:
        r.next_hard = sgf_hard_start(r.base, p + 1, r.end)
    r.stop = r.next_hard


cdef inline const uint8_t *value_end(
    SgfReader *r, const uint8_t *p, bint is_text
) noexcept nogil:
    """Return the bracket that ends a value, NULL if none does; `p` is behind the first one.

    Of text it is one that SGF can follow; if there is none such, the first.
    """
    if not is_text:
        return sgf_plain_end(p, r.stop, r.wide)
    if (
        r.text_from == NULL or p < r.text_from or r.text_stop != r.stop or r.text_wide != r.wide
        or (r.text_to != NULL and p > r.text_to)
    ):
        r.text_to = sgf_text_end(p, r.stop, r.wide, &r.saw_end)
        r.text_from = p
        r.text_stop = r.stop
        r.text_wide = r.wide
    elif r.text_to == NULL:
        r.saw_end = True
    if r.text_to != NULL:
        return r.text_to
    return sgf_plain_end(p, r.stop, r.wide)
