"""Thresholds of the search and of merging, and codes that kernels and Python share.

scripts/kernel_constants.py makes thresholds.pxd from the whole numbers below, so kernels cimport
them by name. Numbers that
only kernels use and that decide nothing are in the kernels' enums; weights and gates are in
matching/evidence.py. docs/duplicates.md explains the thresholds to users; all were set by hand, by
looking at real pairs.
"""

# --- moves of a pair: kernels/search/evidence.pxd -------------------------------------------------
# In plies, unless another unit is named.

EARLY = 12  # equal plies before this one are no evidence: everybody plays them
MIDDLE = 24  # equal plies before this one are weak evidence
KNOWN_LINE_WEIGHT = 3  # two games follow a known line if their unique plies weigh less
CHANCE_PLIES = 4  # up to this many equal plies after a difference may be chance
RESUMED = 6  # this many equal plies after a difference: the games converge again
FEW_DIFFERENCES = 4  # largest indel distance of the quick comparison
FEW_IN_GO = 16  # the same for Go, whose games are longer
MOST_DIFFERENCES = 64  # largest indel distance of the thorough comparison
MOST_EDITS = 64  # largest number of insertions and deletions that the gates count
LITTLE_LONGER = 8  # a near-identical game may be this much longer, otherwise it is truncated
SURE_TRUNCATED = 40  # equal plies of a truncated game with a slip and no equal round or date
MOST_TRANSPOSED = 40  # an opening may be transposed in these first plies
FEW_TRANSPOSED = 20  # most transposed openings converge within these first plies
THEORY_FURTHER = 8  # plies of opening theory that may follow a transposed opening
SURE_TRANSPOSITION = 20  # equal plies after a transposed opening that are no coincidence
PREFIX_PLIES = 4  # Jaro-Winkler rewards up to this many equal plies at the start
REACH = 4  # Monge-Elkan searches for a move in this many plies on either side
VOTERS = 64  # moves of Go that vote on the rotation between two games
LEAST_VOTERS = 8  # fewer votes decide nothing
MOST_SHIFT = 2  # one of two Go games may lack this many first moves
MOST_STONES = 9  # one of two Go games may have this many first moves as setup stones

# --- dates of a pair: kernels/search/header_text.pxd ----------------------------------------------

NEAR_DAYS = 3  # largest difference by time zones, rest days and slips
MONTH_DAYS = 31
YEAR_DAYS = 366

# --- opening theory: kernels/search/opening_theory.pxd --------------------------------------------

MOST_NEIGHBOURS = 48  # games visited on either side in the order of moves

# --- candidate pairs: blocking_keys.pxd, candidate_pairs.pxd, move_order.pxd ----------------------

RUN_PLIES = 8  # plies in a run
RUN_WINDOW = 16  # one of this many neighbouring runs becomes a key; a power of two
FIRST_RUN = 14  # runs begin at this ply; earlier plies are opening
OPENING_KEY_PLIES = 10  # first plies that represent the opening in a key
OPENING_PLIES = (
    16  # first plies compared, in blocks of four, to see whether two openings are related
)
GO_START_PLIES = 20  # first moves of a Go game that few games share
SHORT_PLIES = 44  # in a game of at most this length, slips may leave no common run
LONG_PLIES = 90  # a game of at least this length is found by keys of moves alone
MOST_OF_MOVES = 16  # if at most this many games share a key of moves, all are paired
MOST_OF_PLAYERS = 24  # if at most this many games share a key of players, all are paired
MOST_PAIRED = 24  # if at most this many games share a mainline, all are paired
NEIGHBOURS = 3  # if more games share a key, each is paired with this many neighbours
ANCESTORS = 8  # a game is paired with this many truncated versions of itself

# --- groups: duplicate_groups.pxd, search_results.pxd ---------------------------------------------

ADDRESS_SCORE = 1000  # added to the score of a match by web address; above any sum of weights
DECISION_SCORE = (
    1000000  # score of a pair that the user declared the same; above any sum of weights
)
SAME_LINE = 4  # games compared for each distinct mainline of a group
MOST_MAINLINES = 64  # distinct mainlines of a group that may still grow
MOST_ROUNDS = 6  # how often the search looks for groups that a game fits better
MOST_POSSIBLE_DUPLICATES = 4  # possible duplicates listed for a group

# --- kept games and merged headers: matching/, header_counts.pxi ----------------------------------

# Between two possible ends of a game: a record may lack the last plies, or have extra ones from
# putting the pieces back.
NEAR_PLIES = 4
FREQUENT_TIMES = 2  # a frequent spelling has this many times the records of a rare one
FEW_RECORDS = 10  # a rare spelling has at most this many records
MANY_TIMES = 10  # a spelling with this many times the records of another is frequent in any case
RARE_RECORDS = 2  # a very rare spelling has at most this many records, if the other one has
FREQUENT_RECORDS = 3  # at least this many
FEW_GAMES = 2  # an event at a site is evidence from this many records on
ABOVE_RARE = 2  # frequency rank above a spelling with at most RARE_RECORDS
ABOVE_VERY_RARE = 3  # frequency rank if the other spelling has MANY_TIMES as many records

# --- players: pipeline/players/, pipeline/export/ -------------------------------------------------

# Least probability that a name means a person, to write the person's name, FIDE ID, title or Elo.
SURE_PROBABILITY = 0.99

# --- codes ----------------------------------------------------------------------------------------

EVENT, SITE, PLAYER = 0, 1, 2  # kinds of names
NAMED_ROUND = 1 << 31  # bit of a round that is not a number
DOUBTFUL_ROUND = 1 << 30  # bit of a round 1 that may stand for an unknown round
NOTE_COMMENT, NOTE_NAG, NOTE_VARIATION = 1, 2, 3  # kinds of annotations
NESTED_BYTES = 1024  # a balancing brace is sought in this many bytes after the first one
NESTED_DEPTH = 16  # deeper braces count as unbalanced
PHONETIC_BITS = 30  # bits of the hash of a phonetic code; the bits above hold the system
PHONETIC_LETTERS = 64  # letters of a word that are encoded
