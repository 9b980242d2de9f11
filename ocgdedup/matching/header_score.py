"""The header score: how complete the header of a game is, as one number.

Owns the points. The score does not measure errors in a header; header_merge.py finds the best
values by comparing the headers of one game.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ocgdedup._kernels.search import HeaderScorer
from ocgdedup.matching.go_tags import TAG_POINTS
from ocgdedup.matching.names.name_form import is_unknown
from ocgdedup.matching.names.name_words import UNKNOWN_NAMES
from ocgdedup.model import GameHeader

# Points of a header, at most 88. FIDE ID, Elo and a missing name count for each side.
FIDE_ID_POINTS = 15
ELO_POINTS = 10
EVENT_POINTS = 8
SITE_POINTS = 7
FULL_DATE_POINTS, YEAR_MONTH_POINTS, YEAR_POINTS = 10, 5, 2
ECO_POINTS = 5
MOST_LENGTH_POINTS = 5  # one more for each 20 plies
TIME_CONTROL_POINTS = 3
NO_NAME_POINTS, NO_RESULT_POINTS = 10, 5  # subtracted

# Plausible Elos; engines have more than 3600.
MIN_ELO, MAX_ELO = 100, 3999

# Values of a tag that mean "unknown".
EMPTY_TEXTS = frozenset((None, "", "?", "-", "??", "???", "????.??.??"))

_PLIES_A_POINT = 20
# In the order of the search kernel, which computes the score
POINTS = (
    FIDE_ID_POINTS, ELO_POINTS, EVENT_POINTS, SITE_POINTS, FULL_DATE_POINTS, YEAR_MONTH_POINTS,
    YEAR_POINTS, ECO_POINTS, TIME_CONTROL_POINTS, MIN_ELO, MAX_ELO, _PLIES_A_POINT,
    MOST_LENGTH_POINTS, NO_NAME_POINTS, NO_RESULT_POINTS,
)  # fmt: skip
_FIRST_LETTERS = re.compile("[A-Za-z]+")
_UNKNOWN_BEGINNINGS = frozenset(
    word[:letters] for word in UNKNOWN_NAMES for letters in range(1, len(word) + 1)
)


# By pair of small letters (0 to 675): 1 if the name of an unknown player begins with the pair.
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
UNKNOWN_PAIRS = bytes(
    first + second in _UNKNOWN_BEGINNINGS or first in UNKNOWN_NAMES
    for first in _LETTERS
    for second in _LETTERS
)


@lru_cache(maxsize=1 << 14)  # several records have the same names
def is_named(name: str | None) -> bool:
    """Return whether a name is that of a player, not "?", "NN" or the like."""
    if not name:
        return False
    first = _FIRST_LETTERS.match(name) if name.isascii() else None
    if first and first[0].lower() not in _UNKNOWN_BEGINNINGS:
        return True  # most names; saves parsing them
    return not is_unknown(name)


_SCORER = HeaderScorer(POINTS, TAG_POINTS)


def header_score(header: GameHeader) -> int:
    """Return the points of a header; the FIDE ID of a player without a name does not count."""
    return _SCORER.score(header, is_named(header.white), is_named(header.black))
