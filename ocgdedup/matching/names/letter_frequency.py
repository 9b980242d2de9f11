"""How usual the letters of a word are in names: a slip makes groups of letters that names lack."""

from __future__ import annotations

from functools import cache
from math import log

from ocgdedup.matching.names.name_words import read_table

_LETTERS = "_abcdefghijklmnopqrstuvwxyz"
_LEVELS = "0123456789abcdefghij"
_UNSEEN = 0.3  # words with a group that no name has


@cache
def _groups() -> dict[str, float]:
    """Return the logarithm of the share of each third letter after two letters."""
    shares: dict[str, float] = {}
    for pair, row in map(str.split, read_table("letter_groups")["groups"].splitlines()):
        words = [2.0 ** _LEVELS.index(level) - 1 + _UNSEEN for level in row]
        whole = sum(words)
        for letter, count in zip(_LETTERS, words, strict=True):
            shares[pair + letter] = log(count / whole)
    return shares


def letter_frequency(word: str) -> float:
    """Return the mean logarithm of the frequency of three letters in a lower-case word."""
    text = f"_{word}_"
    groups = _groups()
    unseen = log(1 / len(_LETTERS))
    values = [groups.get(text[i : i + 3], unseen) for i in range(len(text) - 2)]
    return sum(values) / max(len(values), 1)
