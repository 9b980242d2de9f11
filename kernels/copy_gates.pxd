"""The gates of near-identical games: the limits, and which of them a pair does not keep.

What a refusal means is the caller's business.
"""

from libc.stdint cimport uint16_t

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

ctypedef struct Limits:
    int start                  # ply from which similarity is measured
    int compare                # plies it must be measured on, else the whole game is taken
    int plies                  # that both games must have
    int indel
    double ratio
    double winkler             # 0 for none
    double length              # by how much of the longer one the lengths may differ
    bint dynamic               # the limits follow the length
    double monge_elkan         # 0 for none

ctypedef struct Measured:
    int indel                  # MOST_EDITS + 1 if it is more than MOST_EDITS
    double ratio               # of the longest common subsequence to the longer length
    double winkler             # 0.0 if not asked for


cdef inline tuple read_gates(Limits *limits, gates):
    """Take evidence.Gates; return what of them is no limit."""
    (
        limits.start, limits.compare, limits.plies, limits.indel, limits.ratio, limits.winkler,
        limits.length, part_ratio, join_least, limits.dynamic, limits.monge_elkan,
    ) = gates
    return part_ratio, join_least


cdef inline int first_measured(const Limits *limits, int plies) noexcept nogil:
    """Return the plies of a pair that are not measured; `plies`: of the shorter game."""
    return limits.start if plies - limits.start >= limits.compare else 0


cdef inline Limits limits_for(const Limits *limits, int plies) noexcept nogil:
    """Return the limits for a length: a slip in 40 plies is as much as two in 80."""
    cdef Limits found = limits[0]
    cdef double slack
    if limits.dynamic:
        slack = min(2.0, max(0.5, plies / 60.0))
        found.indel = <int>(limits.indel * slack + 0.5)
        found.ratio = 1.0 - (1.0 - limits.ratio) / slack
        found.winkler = 1.0 - (1.0 - limits.winkler) / slack
    return found


cdef inline int refused_by(
    const Limits *gates, const uint16_t *a, int la, const uint16_t *b, int lb, Measured *out
) noexcept nogil:
    """Return the limits that a pair does not keep, 0 if it keeps all; a is not longer than b.

    Both games are measured from one ply on, whatever they have before it.
    """
    cdef Limits limits = limits_for(gates, la)
    cdef int start = first_measured(gates, la)
    cdef int refused = 0
    a += start
    b += start
    out.indel = indel_within(a, la - start, b, lb - start, MOST_EDITS)
    out.ratio = <double>((la + lb - out.indel) // 2 - start) / max(1, lb - start)
    out.winkler = 0.0
    if la < limits.plies:
        refused |= GATE_PLIES
    if lb - la > limits.length * lb:
        refused |= GATE_LENGTH
    if out.indel > limits.indel:
        refused |= GATE_INDEL
    if out.ratio < limits.ratio:
        refused |= GATE_RATIO
    if gates.winkler > 0.0:
        out.winkler = jaro_winkler(a, la - start, b, lb - start)
        if out.winkler < limits.winkler:
            refused |= GATE_WINKLER
    if limits.monge_elkan > 0.0:
        if monge_elkan(a - start, la, b - start, lb) < limits.monge_elkan:
            refused |= GATE_MONGE_ELKAN
    return refused
