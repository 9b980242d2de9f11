"""Weights and score terms as structs, read by name in any order.

For the values and their reasons, see Weights in matching/evidence.py. Cython converts a struct from
and to a dict.
"""

from libc.stdint cimport uint16_t
from libc.string cimport memset

from move_distance cimport MOST_EDITS, indel_within, jaro_winkler, monge_elkan

# --- gates of near-identical games ----------------------------------------------------------------

# The gates of near-identical games: the limits, and which of them a pair fails. The caller decides
# what a failed gate means.

cdef enum:
    # Limits that a pair fails, as bits. Their texts: REFUSALS in matching/evidence.py.
    GATE_PLIES = 1             # a game has too few plies
    GATE_LENGTH = 2            # the lengths differ too much
    GATE_INDEL = 4
    GATE_RATIO = 8
    GATE_WINKLER = 16
    GATE_MONGE_ELKAN = 32
    GATE_SHORTER = 64          # a truncated game lacks too few plies

# Read by name, in any order. For the values, see Gates in matching/evidence.py.
ctypedef struct Gates:
    int join_start             # ply from which similarity is measured
    int join_compare           # plies needed to measure from there; else the whole game counts
    int join_min               # minimum plies of both games
    int join_indel
    double join_ratio
    double join_winkler        # 0: no limit
    double join_length         # maximum difference of lengths, relative to the longer game
    double part_ratio          # as join_ratio, for a truncated game with a slip
    double join_least          # minimum share of the longer game that must agree
    bint dynamic               # limits scale with the length
    double monge_elkan         # 0: no limit

ctypedef struct Measured:
    int indel                  # MOST_EDITS + 1 if above MOST_EDITS
    double ratio               # longest common subsequence / longer length
    double winkler             # 0.0 if not needed


cdef inline tuple gate_names():
    cdef Gates names
    memset(&names, 0, sizeof(Gates))
    return tuple(names)


cdef inline int first_measured(const Gates *limits, int plies) noexcept nogil:
    """Return the leading plies of a pair that are not measured; `plies`: of the shorter game."""
    return limits.join_start if plies - limits.join_start >= limits.join_compare else 0


cdef inline Gates limits_for(const Gates *limits, int plies) noexcept nogil:
    """Return the limits for a length: a slip in 40 plies counts as much as two in 80."""
    cdef Gates gates = limits[0]
    cdef double slack
    if limits.dynamic:
        slack = min(2.0, max(0.5, plies / 60.0))
        gates.join_indel = <int>(limits.join_indel * slack + 0.5)
        gates.join_ratio = 1.0 - (1.0 - limits.join_ratio) / slack
        gates.join_winkler = 1.0 - (1.0 - limits.join_winkler) / slack
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


# --- weights and terms ----------------------------------------------------------------------------

ctypedef struct Weights:
    double ply                 # for a ply that no unrelated game shares
    double early_ply           # the same for plies 12 to 24
    double most_plies          # maximum for all plies
    double known_line          # penalty if unrelated games share all plies
    double few_plies           # penalty for no plies; shrinks with each ply up to twelve
    double difference          # for each missing or extra move; a wrong move counts twice
    double transposed          # the same opening moves in another order
    double most_differences    # maximum penalty for all differences
    double outside_gates       # near-identical, but not by all three measures
    double part                # truncated, and the common part has a slip
    double same_person
    double name_equal
    double name_compatible
    double name_similar
    double namesake
    double name_different
    double name_conflict       # equal names with different identification numbers
    double same_day
    double near
    double date_slip
    double same_month
    double same_year
    double other_day
    double other_month
    double other_year
    double years_apart
    double event_days          # dates days apart within one event: a known line played again
    double same_round
    double same_round_only     # equal rounds of different events
    double part_of_round
    double other_round
    double other_round_elsewhere
    double event_equal
    double event_similar
    double event_other
    double site_equal
    double site_similar
    double site_other
    double result_decided
    double result_draw
    double result_other
    double elo_equal           # for each player
    double elo_other
    double one_source
    double colours             # swapped in the headers
    double no_moves            # one or both games have no moves
    double accept              # minimum score of a match
    double suspect             # minimum score of a possible match
    # weight of plies that makes equal games possible matches, whatever the headers
    double long_exact
    double contradiction       # two games with a lower score are never in one group
    double margin              # required lead of one match over another, else the game is ambiguous
    double strong              # evidence of the headers needed to compare moves thoroughly

# Summands of a score.
ctypedef struct Terms:
    double moves
    double differences
    double white
    double black
    double date
    double round
    double event
    double site
    double result
    double elo
    double source
    double colours


cdef inline tuple weight_names():
    cdef Weights names
    memset(&names, 0, sizeof(Weights))
    return tuple(names)


cdef inline tuple term_names():
    cdef Terms names
    memset(&names, 0, sizeof(Terms))
    return tuple(names)


cdef inline list terms_of(const Terms *terms):
    """Return the terms in the order of term_names()."""
    cdef const double *values = <const double *>terms
    cdef size_t i
    return [values[i] for i in range(sizeof(Terms) // sizeof(double))]


cdef inline dict numbers_of(str title, numbers, tuple names):
    """Return a mapping as a dict; raise ValueError unless it has exactly these names."""
    different = set(names).symmetric_difference(numbers)
    if different:
        raise ValueError(f"{title}: missing or unknown: {', '.join(sorted(map(str, different)))}")
    return dict(numbers)
