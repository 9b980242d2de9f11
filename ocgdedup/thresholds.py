"""Thresholds of the search and of merging, and codes that kernels and Python share.

setup.py makes thresholds.pxd from the integers below, so kernels cimport them by name. Numbers that
only kernels use and that decide nothing are in the kernels' enums; weights and gates are in
matching/evidence.py. docs/duplicates.md explains the thresholds to users; all were set by hand, by
looking at real pairs.
"""

# --- moves of a pair: kernels/search/evidence.pxd -------------------------------------------------
# Unless another unit is named, in plies.

EARLY = 12  # first plies that prove nothing, whoever plays them
MIDDLE = 24  # first plies that prove little
KNOWN_LINE_WEIGHT = 3  # weight of unique plies below which the moves are a known line
CHANCE_PLIES = 4  # after a difference, may agree by chance
RESUMED = 6  # equal after a difference: the games converge again
FEW_DIFFERENCES = 4  # limit of the quick comparison, as indel distance
FEW_IN_GO = 16  # the same for Go, whose games are longer
MOST_DIFFERENCES = 64  # limit of the thorough comparison
MOST_EDITS = 64  # limit to which the gates count insertions and deletions
LITTLE_LONGER = 8  # lost or added at the end of near-identical games; more means truncated
SURE_TRUNCATED = 40  # shared with a truncated game that has a slip and no equal round or date
MOST_TRANSPOSED = 40  # within which an opening may be transposed
FEW_TRANSPOSED = 20  # within which most transposed openings converge
THEORY_FURTHER = 8  # after a transposed opening that are still opening theory
SURE_TRANSPOSITION = 20  # equal after a transposed opening: no coincidence
PREFIX_PLIES = 4  # leading ones that Jaro-Winkler rewards
REACH = 4  # on either side that Monge-Elkan searches for a move
VOTERS = 64  # moves of Go that vote on the rotation between two games
LEAST_VOTERS = 8
MOST_SHIFT = 2  # first moves of Go that one of the games may lack
MOST_STONES = 9  # first moves of Go that one of the games may have as setup stones

# --- dates of a pair: kernels/search/header_text.pxd ----------------------------------------------

NEAR_DAYS = 3  # time zones, rest days, slips
MONTH_DAYS = 31
YEAR_DAYS = 366

# --- opening theory: kernels/search/opening_theory.pxd --------------------------------------------

MOST_NEIGHBOURS = 48  # games visited on either side

# --- candidate pairs: blocking_keys.pxd, candidate_pairs.pxd, move_order.pxd ----------------------

RUN_PLIES = 8  # plies of a run
RUN_WINDOW = 16  # one run of this many neighbouring runs is selected; a power of two
FIRST_RUN = 14  # ply from which runs count, since everything before is opening
OPENING_KEY_PLIES = 10  # plies that represent the opening
OPENING_PLIES = 16  # compared in blocks of four, to see whether two openings have one in common
GO_START_PLIES = 20  # plies of a Go game that few games share
SHORT_PLIES = 44  # up to which a slip or a transposition leaves no common run
LONG_PLIES = 90  # from which keys of moves alone find duplicates
MOST_OF_MOVES = 16  # games that share a key of moves and are all paired
MOST_OF_PLAYERS = 24  # games that share a key of players and are all paired
MOST_PAIRED = 24  # games that share a mainline and are all paired
NEIGHBOURS = 3  # that are paired if more games share a key
ANCESTORS = 8  # truncated versions of a game that it is paired with

# --- groups: duplicate_groups.pxd, search_results.pxd ---------------------------------------------

ADDRESS_SCORE = 1000  # added to the score of a match by address: above any sum
DECISION_SCORE = 1000000  # of a pair that the user declared a match: above any sum
SAME_LINE = 4  # games per distinct mainline of a group that are compared
MOST_MAINLINES = 64  # distinct ones of a group that may still grow
MOST_ROUNDS = 6  # of looking for groups that a game fits better
MOST_POSSIBLE_DUPLICATES = 4  # possible duplicates listed for a group

# --- kept games and merged headers: matching/, header_counts.pxi ----------------------------------

# Between two possible ends of a game: a record may lack the last plies, or have extra ones from
# putting the pieces back.
NEAR_PLIES = 4
FREQUENT_TIMES = 2  # times as many records as a rare spelling
FEW_RECORDS = 10  # most records of a rare spelling, unless the other spelling has
MANY_TIMES = 10  # times as many
RARE_RECORDS = 2  # most records of a very rare spelling, if the other spelling has at least
FREQUENT_RECORDS = 3
FEW_GAMES = 2  # least records of an event at a site that count as evidence
ABOVE_RARE = 2  # frequency rank above a spelling of RARE_RECORDS
ABOVE_VERY_RARE = 3  # the same if the other spelling has MANY_TIMES as many records

# --- players: pipeline/players/, pipeline/export/ -------------------------------------------------
# Least probabilities that a name means a person:

FILLED_PROBABILITY = 0.95  # to fill in values of a game
EXPORTED_PROBABILITY = 0.99  # to export the name of the FIDE list

# --- codes ----------------------------------------------------------------------------------------

EVENT, SITE, PLAYER = 0, 1, 2  # kinds of names
NAMED_ROUND = 1 << 31  # bit of a round that is not a number
NOTE_COMMENT, NOTE_NAG, NOTE_VARIATION = 1, 2, 3  # kinds of annotations
NESTED_BYTES = 1024  # after the first closing brace of a comment, where a balancing one is sought
NESTED_DEPTH = 16  # of braces; deeper ones count as unbalanced
PHONETIC_BITS = 30  # of the hash of a phonetic code; the bits above hold the system
PHONETIC_LETTERS = 64  # of a word; later letters are not encoded
