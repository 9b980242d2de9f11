"""Weights as the kernel takes them, and the terms of a score: by their names, in no order.

The numbers themselves, and why they are what they are: Weights in matching/evidence.py. Cython
reads a struct from a dict and writes it to one.
"""

from libc.stdint cimport uint16_t
from libc.string cimport memset

from move_distance cimport MOST_EDITS, indel_within, jaro_winkler, monge_elkan

# --- gates of near-identical games ----------------------------------------------------------------

# The gates of near-identical games: the limits, and which of them a pair does not keep.
# What a refusal means is the caller's business.

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


# --- weights and terms ----------------------------------------------------------------------------

ctypedef struct Weights:
    double ply                 # for a ply that no game of others shares
    double early_ply           # the same between plies 12 and 24
    double most_plies          # what all plies count at most
    double known_line          # if others play all of it
    double few_plies           # if it is none at all; less for each ply up to twelve
    double difference          # for each move missing, too many; two for a wrong one
    double transposed          # the same opening moves in another order
    double most_differences    # what all differences count at most
    double outside_gates       # nearly the same moves, but not by all three measures
    double part                # partial subsumption: besides, the start has a slip
    double same_person
    double name_equal
    double name_compatible
    double name_similar
    double namesake
    double name_different
    double name_conflict       # names agree, identification numbers do not
    double same_day
    double near
    double date_slip
    double same_month
    double same_year
    double other_day
    double other_month
    double other_year
    double years_apart
    double event_days          # days apart within one event: a known line played again
    double same_round
    double same_round_only     # of events that do not agree
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
    double no_moves            # of one of the two, or of both
    double accept              # sums from here on are copies
    double suspect             # and from here on are for the user to look at
    double long_exact          # plies that make equal games suspects, whatever the headers say
    double contradiction       # two games below that are never in one group
    double margin              # a copy that fits two games must fit one of them better by that
    double strong              # evidence of the header from which moves are compared thoroughly

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


cdef inline dict numbers_of(str what, given, tuple names):
    """Return a mapping as a dict; raise ValueError unless it has these names and no others."""
    different = set(names).symmetric_difference(given)
    if different:
        raise ValueError(f"{what}: missing or unknown: {', '.join(sorted(map(str, different)))}")
    return dict(given)
