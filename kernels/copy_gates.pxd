"""The gates of near-identical games: the limits, and which of them a pair does not keep.

What a refusal means is the caller's business.
"""

from libc.stdint cimport uint16_t
from libc.string cimport memset

from move_distance cimport MOST_EDITS, indel_within, jaro_winkler, monge_elkan

cdef enum:
    # Limits that a pair does not keep, added up. The words: REFUSALS in matching/evidence.py.
    GATE_PLIES = 1             # a game has too few plies
    GATE_LENGTH = 2            # the lengths differ by too much
    GATE_INDEL = 4
    GATE_RATIO = 8
    GATE_WINKLER = 16
    GATE_MONGE_ELKAN = 32
    GATE_SHORTER = 64          # a truncated game lacks too few plies

# By their names, in no order; the numbers: Gates in matching/evidence.py.
ctypedef struct Gates:
    int join_start             # ply from which similarity is measured
    int join_compare           # plies it must be measured on, else the whole game is taken
    int join_min               # plies that both games must have
    int join_indel
    double join_ratio
    double join_winkler        # 0 for none
    double join_length         # by how much of the longer one the lengths may differ
    double part_ratio          # as join_ratio, of a game that ends early
    double join_least          # share of the longer one that must agree in any case
    bint dynamic               # the limits follow the length
    double monge_elkan         # 0 for none

ctypedef struct Measured:
    int indel                  # MOST_EDITS + 1 if it is more than MOST_EDITS
    double ratio               # of the longest common subsequence to the longer length
    double winkler             # 0.0 if not asked for


cdef inline tuple gate_names():
    cdef Gates names
    memset(&names, 0, sizeof(Gates))
    return tuple(names)


cdef inline int first_measured(const Gates *limits, int plies) noexcept nogil:
    """Return the plies of a pair that are not measured; `plies`: of the shorter game."""
    return limits.join_start if plies - limits.join_start >= limits.join_compare else 0


cdef inline Gates limits_for(const Gates *limits, int plies) noexcept nogil:
    """Return the limits for a length: a slip in 40 plies is as much as two in 80."""
    cdef Gates found = limits[0]
    cdef double slack
    if limits.dynamic:
        slack = min(2.0, max(0.5, plies / 60.0))
        found.join_indel = <int>(limits.join_indel * slack + 0.5)
        found.join_ratio = 1.0 - (1.0 - limits.join_ratio) / slack
        found.join_winkler = 1.0 - (1.0 - limits.join_winkler) / slack
    return found


cdef inline int refused_by(
    const Gates *gates, const uint16_t *a, int la, const uint16_t *b, int lb, Measured *out
) noexcept nogil:
    """Return the limits that a pair does not keep, 0 if it keeps all; a is not longer than b.

    Both games are measured from one ply on, whatever they have before it.
    """
    cdef Gates limits = limits_for(gates, la)
    cdef int start = first_measured(gates, la)
    cdef int refused = 0
    a += start
    b += start
    out.indel = indel_within(a, la - start, b, lb - start, MOST_EDITS)
    out.ratio = <double>((la + lb - out.indel) // 2 - start) / max(1, lb - start)
    out.winkler = 0.0
    if la < limits.join_min:
        refused |= GATE_PLIES
    if lb - la > limits.join_length * lb:
        refused |= GATE_LENGTH
    if out.indel > limits.join_indel:
        refused |= GATE_INDEL
    if out.ratio < limits.join_ratio:
        refused |= GATE_RATIO
    if gates.join_winkler > 0.0:
        out.winkler = jaro_winkler(a, la - start, b, lb - start)
        if out.winkler < limits.join_winkler:
            refused |= GATE_WINKLER
    if limits.monge_elkan > 0.0:
        if monge_elkan(a - start, la, b - start, lb) < limits.monge_elkan:
            refused |= GATE_MONGE_ELKAN
    return refused
