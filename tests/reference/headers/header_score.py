"""The header score: how complete the header of a game is, as one number.

Owns the points. The score says nothing about errors in a header; header_merge.py finds the best
values by comparing the headers of one game.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ocgdedup.matching.go_tags import TAG_POINTS
from ocgdedup.matching.names.name_form import is_unknown
from ocgdedup.matching.names.name_words import UNKNOWN_NAMES
from ocgdedup.model import GameHeader

# The points, at most 88. FIDE ID, Elo and a missing name count for each side.
FIDE_ID_POINTS = 15
ELO_POINTS = 10
EVENT_POINTS = 8
SITE_POINTS = 7
FULL_DATE_POINTS, YEAR_MONTH_POINTS, YEAR_POINTS = 10, 5, 2
ECO_POINTS = 5
LENGTH_POINTS = (1, 2, 3, 4, 5)  # one more for each 20 plies
TIME_CONTROL_POINTS = 3
NO_NAME_POINTS, NO_RESULT_POINTS = 10, 5  # subtracted

# Plausible Elos; engines have more than 3600.
MIN_ELO, MAX_ELO = 100, 3999

# Values of a tag that mean "unknown".
EMPTY_TEXTS = frozenset((None, "", "?", "-", "??", "???", "????.??.??"))

_NO_RESULTS = (None, "", "*")
_PLIES_A_POINT = 20
# For the search kernel, which computes the same score as header_score().
POINTS = (
    FIDE_ID_POINTS, ELO_POINTS, EVENT_POINTS, SITE_POINTS, FULL_DATE_POINTS, YEAR_MONTH_POINTS,
    YEAR_POINTS, ECO_POINTS, TIME_CONTROL_POINTS, MIN_ELO, MAX_ELO, _PLIES_A_POINT,
    len(LENGTH_POINTS), NO_NAME_POINTS, NO_RESULT_POINTS,
)  # fmt: skip
_FIRST_LETTERS = re.compile("[A-Za-z]+")
_UNKNOWN_BEGINNINGS = frozenset(
    word[:letters] for word in UNKNOWN_NAMES for letters in range(1, len(word) + 1)
)


# For two small letters, as a number from 0 to 675: 1 if a name of an unknown player begins so.
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
UNKNOWN_PAIRS = bytes(
    first + second in _UNKNOWN_BEGINNINGS or first in UNKNOWN_NAMES
    for first in _LETTERS
    for second in _LETTERS
)


def header_score(header: GameHeader) -> int:
    """Return the points of a header; the FIDE ID of a player without a name does not count."""
    (_, event, site, date, _, white, black, white_elo, black_elo, result, time_control, eco, _,
     tags, _, _, _, plies, _, _, white_fide_id, black_fide_id) = header  # fmt: skip
    score = LENGTH_POINTS[plies // _PLIES_A_POINT] if plies < 100 else LENGTH_POINTS[-1]
    if white_elo and MIN_ELO <= white_elo <= MAX_ELO:
        score += ELO_POINTS
    if black_elo and MIN_ELO <= black_elo <= MAX_ELO:
        score += ELO_POINTS
    if event not in EMPTY_TEXTS:
        score += EVENT_POINTS
    if site not in EMPTY_TEXTS:
        score += SITE_POINTS
    if eco and is_eco(eco):
        score += ECO_POINTS
    if time_control not in EMPTY_TEXTS:
        score += TIME_CONTROL_POINTS
    if date:
        score += _date_points(date)
    has_tags = tags is not None and "FideId" in tags
    if not is_named(white):
        score -= NO_NAME_POINTS
    elif white_fide_id or (has_tags and _has_number(tags, "White")):
        score += FIDE_ID_POINTS
    if not is_named(black):
        score -= NO_NAME_POINTS
    elif black_fide_id or (has_tags and _has_number(tags, "Black")):
        score += FIDE_ID_POINTS
    if result in _NO_RESULTS:
        score -= NO_RESULT_POINTS
    if tags is not None:
        score += tag_points(tags)
    return score


def tag_points(tags: str) -> int:
    return sum(points for tag, points in TAG_POINTS if f'{tag}:"' in tags)


def is_eco(code: str) -> bool:
    """Return whether a text begins as a code of the Encyclopaedia of Chess Openings: A00 to E99."""
    return code[:1] in "ABCDE" and code[1:3].isdecimal() and len(code) >= 3


def is_elo(elo: int | None) -> bool:
    """Return whether an Elo is plausible."""
    return elo is not None and MIN_ELO <= elo <= MAX_ELO


@lru_cache(maxsize=1 << 14)  # the names of one player come in several records
def is_named(name: str | None) -> bool:
    """Return whether a name is of a known player, not "?", "NN" or the like."""
    if not name:
        return False
    first = _FIRST_LETTERS.match(name) if name.isascii() else None
    if first and first[0].lower() not in _UNKNOWN_BEGINNINGS:
        return True  # most names; saves parsing them
    return not is_unknown(name)


def _date_points(date: str) -> int:
    if "?" not in date:
        return FULL_DATE_POINTS
    if "?" in date[:4]:
        return 0
    return YEAR_POINTS if "?" in date[4:7] else YEAR_MONTH_POINTS


def _has_number(tags: str | None, side: str) -> bool:
    """Return whether the text of a JSON object has a FIDE ID other than 0 for a side."""
    if tags is None:
        return False
    member = f'"{side}FideId":"'
    start = tags.find(member)
    return start >= 0 and tags[start + len(member)] in "123456789"
