"""Thresholds of the search and of merging, and codes that kernels and Python must agree on.

Each has one home: here, or in the enum of a kernel if only kernels use it and it decides nothing.
setup.py makes thresholds.pxd of the whole numbers below, so kernels cimport them by name. Weights
and gates are in matching/evidence.py. docs/duplicates.md explains to users what is chosen here;
all numbers were set by hand, by looking at real pairs.
"""

# --- moves of a pair: kernels/search/evidence.pxd -------------------------------------------------
# Unless another unit is named, in plies.

EARLY = 12  # prove nothing, whoever plays them
MIDDLE = 24  # prove little
KNOWN_LINE_WEIGHT = 3  # weight of unique plies below which a line counts as known
CHANCE_PLIES = 4  # after a difference, may agree by chance
RESUMED = 6  # equal after a difference: the games converge again
FEW_DIFFERENCES = 4  # limit of the quick comparison, as indel distance
FEW_IN_GO = 16  # the same for Go, whose games are longer
MOST_DIFFERENCES = 64  # limit of the thorough comparison
MOST_EDITS = 64  # limit to which the gates count insertions and deletions
LITTLE_LONGER = 8  # a few are lost or added at the end, more means truncated
SURE_TRUNCATED = 40  # of a truncated game with a slip and no equal round or date
MOST_TRANSPOSED = 40  # within which an opening may be transposed
FEW_TRANSPOSED = 20  # within which most transposed openings converge
THEORY_FURTHER = 8  # that theory continues after a transposed opening
SURE_TRANSPOSITION = 20  # equal after a transposed opening: no chance
PREFIX_PLIES = 4  # leading ones that Jaro-Winkler rewards
REACH = 4  # on either side, where Monge-Elkan looks for a move
VOTERS = 64  # moves of Go that vote on the rotation between two games
LEAST_VOTERS = 8
MOST_SHIFT = 2  # first moves of Go that one of the games may lack
MOST_STONES = 9  # the same if the other game has them as setup stones

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
LONG_PLIES = 90  # from which moves alone bring duplicates together
MOST_OF_MOVES = 16  # games that share a key of moves and are all paired
MOST_OF_PLAYERS = 24  # the same for a key of players
MOST_PAIRED = 24  # the same for one mainline
NEIGHBOURS = 3  # that are paired if more games share a key
ANCESTORS = 8  # truncated versions of a game that it is paired with

# --- groups: duplicate_groups.pxd, search_results.pxd ---------------------------------------------

ADDRESS_SCORE = 1000  # added to the score of a match by address: above any sum
DECISION_SCORE = 1000000  # of a pair that the user declared a match: above any sum
SAME_LINE = 4  # members per distinct mainline that are compared with other groups
MOST_MAINLINES = 64  # distinct ones of a group that may still grow
MOST_ROUNDS = 6  # of looking for groups that a game fits better
MOST_POSSIBLE = 4  # possible duplicates listed for a group

# --- kept games and merged headers: matching/, header_counts.pxi ----------------------------------

# If ends are so few plies apart, either may be the end of the game: a record may lack the last
# plies, or have extra ones from putting the pieces back.
NEAR_PLIES = 4
FREQUENT_TIMES = 2  # a spelling is rare against one that is so many times as frequent,
FEW_RECORDS = 10  # and with more records than these only
MANY_TIMES = 10  # against one that is so many times as frequent
RARE_RECORDS = 2  # a spelling of so few records may be very rare,
FREQUENT_RECORDS = 3  # against this many
FEW_GAMES = 2  # least records of an event at a site that count as evidence
OF_RARE = 2  # frequency ranks: above a spelling of one or two records, and
OF_VERY_RARE = 3  # above a spelling that is ten times as rare

# --- players: pipeline/players/, pipeline/export/ -------------------------------------------------
# Probabilities of a match with a person, from which on:

FILLED_PROBABILITY = 0.95  # anything is written into a game because of it
EXPORTED_PROBABILITY = 0.99  # an export writes the name of the FIDE list

# --- codes ----------------------------------------------------------------------------------------

EVENT, SITE, PLAYER = 0, 1, 2  # kinds of names
NAMED_ROUND = 1 << 31  # bit of a round that is not a number
NOTE_COMMENT, NOTE_NAG, NOTE_VARIATION = 1, 2, 3  # kinds of annotations
NESTED_BYTES = 1024  # after the first closing brace of a comment, where a balancing one is sought
NESTED_DEPTH = 16  # of braces; deeper ones count as unbalanced
PHONETIC_BITS = 30  # of the hash of a phonetic code; the bits above hold the system
PHONETIC_LETTERS = 64  # of a word; later letters are not encoded
