"""Gates of near-identical games, and the names of gates, weights and score terms.

The structs are made from the classes of the same names in matching/evidence.py and model.py, whose
values Python passes by name: Cython converts a struct from and to a dict.
"""

from libc.stdint cimport uint16_t
from libc.string cimport memset

from move_distance cimport indel_within, jaro_winkler, monge_elkan
from thresholds cimport MOST_EDITS, Gates, Terms, Weights

# --- gates of near-identical games ----------------------------------------------------------------

cdef enum:
    # Limits that a pair fails, as bits. Their texts: REFUSALS in matching/evidence.py.
    GATE_PLIES = 1             # a game has too few plies
    GATE_LENGTH = 2            # the lengths differ too much
    GATE_INDEL = 4
    GATE_RATIO = 8
    GATE_WINKLER = 16
    GATE_MONGE_ELKAN = 32
    GATE_SHORTER = 64          # a truncated game lacks too few plies

ctypedef struct Measured:
    int indel                  # MOST_EDITS + 1 if above MOST_EDITS
    double ratio               # longest common subsequence / longer length
    double winkler             # 0.0 if not needed


cdef inline int first_measured(const Gates *limits, int plies) noexcept nogil:
    """Return the leading plies of a pair that are not measured; `plies`: of the shorter game."""
    return limits.start_ply if plies - limits.start_ply >= limits.min_measured else 0


cdef inline Gates limits_for(const Gates *limits, int plies) noexcept nogil:
    """Return the limits for a length: a slip in 40 plies counts as much as two in 80."""
    cdef Gates gates = limits[0]
    cdef double slack
    if limits.dynamic:
        slack = min(2.0, max(0.5, plies / 60.0))
        gates.max_indel = <int>(limits.max_indel * slack + 0.5)
        gates.min_ratio = 1.0 - (1.0 - limits.min_ratio) / slack
        gates.min_winkler = 1.0 - (1.0 - limits.min_winkler) / slack
    return gates


cdef inline int refused_by(
    const Gates *gates, const uint16_t *a, int la, const uint16_t *b, int lb, Measured *out
) noexcept nogil:
    """Return the limits that a pair fails, 0 if none; a is not longer than b.

    Both games are measured from the same ply on, even if their earlier moves differ.
    """
    cdef Gates limits = limits_for(gates, la)
    cdef int start = first_measured(gates, la)
    cdef int refused = 0
    a += start
    b += start
    out.indel = indel_within(a, la - start, b, lb - start, MOST_EDITS)
    out.ratio = <double>((la + lb - out.indel) // 2 - start) / max(1, lb - start)
    out.winkler = 0.0
    if la < limits.min_plies:
        refused |= GATE_PLIES
    if lb - la > limits.max_length_share * lb:
        refused |= GATE_LENGTH
    if out.indel > limits.max_indel:
        refused |= GATE_INDEL
    if out.ratio < limits.min_ratio:
        refused |= GATE_RATIO
    if gates.min_winkler > 0.0:
        out.winkler = jaro_winkler(a, la - start, b, lb - start)
        if out.winkler < limits.min_winkler:
            refused |= GATE_WINKLER
    if limits.monge_elkan > 0.0:
        if monge_elkan(a - start, la, b - start, lb) < limits.monge_elkan:
            refused |= GATE_MONGE_ELKAN
    return refused


# --- weights and terms ----------------------------------------------------------------------------

cdef inline tuple field_names_of_structs():
    """Return the names of weights, terms and gates."""
    cdef Weights weights
    cdef Terms terms
    cdef Gates gates
    memset(&weights, 0, sizeof(Weights))
    memset(&terms, 0, sizeof(Terms))
    memset(&gates, 0, sizeof(Gates))
    return tuple(weights), tuple(terms), tuple(gates)


cdef inline list terms_of(const Terms *terms):
    """Return the terms in the order of their names."""
    cdef const double *values = <const double *>terms
    cdef size_t i
    return [values[i] for i in range(sizeof(Terms) // sizeof(double))]


cdef inline dict numbers_of(str title, numbers, tuple names):
    """Return a mapping as a dict; raise ValueError unless it has exactly these names."""
    different = set(names).symmetric_difference(numbers)
    if different:
        raise ValueError(f"{title}: missing or unknown: {', '.join(sorted(map(str, different)))}")
    return dict(numbers)
