"""How usual the letters of a word are in names: a slip makes groups of letters that names lack."""

from __future__ import annotations

from functools import cache
from math import log

from ocgdedup.matching.names.name_words import read_table

_LETTERS = "_abcdefghijklmnopqrstuvwxyz"
_LEVELS = "0123456789abcdefghij"
_UNSEEN = 0.3  # words with a group that no name has


@cache
def _rows() -> dict[str, str]:
    """Return the levels of all third letters by the two letters before."""
    return dict(map(str.split, read_table("letter_groups")["groups"].splitlines()))


@cache
def _group_frequency(group: str) -> float:
    """Return the logarithm of the share of the third letter after two letters."""
    levels = _rows().get(group[:2])
    if levels is None or group[2] not in _LETTERS:
        return log(1 / len(_LETTERS))
    words = [2.0 ** _LEVELS.index(level) - 1 + _UNSEEN for level in levels]
    return log(words[_LETTERS.index(group[2])] / sum(words))


def letter_frequency(word: str) -> float:
    """Return the mean logarithm of the frequency of three letters in a lower-case word."""
    text = f"_{word}_"
    values = [_group_frequency(text[i : i + 3]) for i in range(len(text) - 2)]
    return sum(values) / max(len(values), 1)
