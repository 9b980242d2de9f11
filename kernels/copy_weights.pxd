"""Weights as the kernel takes them, and the terms of a score: by their names, in no order.

The numbers themselves, and why they are what they are: Weights in matching/evidence.py. Cython
reads a struct from a dict and writes it to one.
"""

from libc.string cimport memset

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
