"""Places of the weights in the array that matching/evidence.py hands over, and of what comes out.

The numbers themselves, and why they are what they are, stand there. Tests compare the two lists.
"""

cdef enum:
    W_PLY = 0                  # for a ply that no game of others shares
    W_EARLY_PLY                # the same between plies 12 and 24
    W_MOST_PLIES               # what all plies count at most
    W_KNOWN_LINE               # if others play all of it
    W_FEW_PLIES                # if it is none at all; less for each ply up to twelve
    W_DIFFERENCE               # for each move missing, too many; two for a wrong one
    W_TRANSPOSED               # the same opening moves in another order
    W_MOST_DIFFERENCES         # what all differences count at most
    W_OUTSIDE_GATES            # nearly the same moves, but not by all three measures
    W_PART                     # partial subsumption: besides, the start has a slip
    W_SAME_PERSON
    W_NAME_EQUAL
    W_NAME_COMPATIBLE
    W_NAME_SIMILAR
    W_NAMESAKE
    W_NAME_DIFFERENT
    W_NAME_CONFLICT            # names agree, identification numbers do not
    W_SAME_DAY
    W_NEAR
    W_DATE_SLIP
    W_SAME_MONTH
    W_SAME_YEAR
    W_OTHER_DAY
    W_OTHER_MONTH
    W_OTHER_YEAR
    W_YEARS_APART
    W_EVENT_DAYS               # days apart within one event: a known line played again
    W_SAME_ROUND
    W_SAME_ROUND_ONLY          # of events that do not agree
    W_PART_OF_ROUND
    W_OTHER_ROUND
    W_OTHER_ROUND_ELSEWHERE
    W_EVENT_EQUAL
    W_EVENT_SIMILAR
    W_EVENT_OTHER
    W_SITE_EQUAL
    W_SITE_SIMILAR
    W_SITE_OTHER
    W_RESULT_DECIDED
    W_RESULT_DRAW
    W_RESULT_OTHER
    W_ELO_EQUAL                # for each player
    W_ELO_OTHER
    W_ONE_SOURCE
    W_COLOURS                  # swapped in the headers
    W_NO_MOVES                 # of one of the two, or of both
    W_ACCEPT                   # sums from here on are copies
    W_SUSPECT                  # and from here on are for the user to look at
    W_LONG_EXACT               # plies that make equal games suspects, whatever the headers say
    W_CONTRADICTION            # two games below that are never in one group
    W_MARGIN                   # a copy that fits two games must fit one of them better by that
    W_STRONG                   # evidence of the header from which moves are compared thoroughly
    W_COUNT

cdef enum:
    T_MOVES = 0
    T_DIFFERENCES
    T_WHITE
    T_BLACK
    T_DATE
    T_ROUND
    T_EVENT
    T_SITE
    T_RESULT
    T_ELO
    T_SOURCE
    T_COLOURS
    T_COUNT
