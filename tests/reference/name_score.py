"""Similarity of two names as one number, 0 to 1, by rapidfuzz: the oracle of name_score.pxi."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from rapidfuzz.distance import DamerauLevenshtein, JaroWinkler

from ocgdedup.model import NameForm


def name_score(left: NameForm, right: NameForm) -> float:
    """Return 0.5 Jaro-Winkler (surname) + 0.3 (given) + 0.2 Damerau-Levenshtein (surname).

    With more than one word on a side, Jaro-Winkler is computed word by word (Monge and Elkan, "The
    field matching problem", KDD 1996), the better of both directions; initials match the words
    they begin. Damerau-Levenshtein is 1 - distance / length of the longer.
    """
    surname, other = " ".join(left.surname), " ".join(right.surname)
    if left.given and right.given:
        given = word_similarity(left.given, right.given)
    else:
        given = 0.5 if left.given or right.given else 1.0
    return (
        0.5 * word_similarity(left.surname, right.surname)
        + 0.3 * given
        + 0.2 * float(DamerauLevenshtein.normalized_similarity(surname, other))
    )


def word_similarity(left: tuple[str, ...], right: tuple[str, ...]) -> float:
    """Return Monge-Elkan's similarity over Jaro-Winkler, the better of both directions."""
    if len(left) == 1 and len(right) == 1:
        return _jaro_winkler(left[0], right[0])
    return max(monge_elkan(left, right), monge_elkan(right, left))


def monge_elkan(left: tuple[str, ...], right: tuple[str, ...]) -> float:
    """Return the mean over the left words of the similarity to the best right one."""
    if not left or not right:
        return 0.0
    return sum(max(_jaro_winkler(word, other) for other in right) for word in left) / len(left)


def _jaro_winkler(left: str, right: str) -> float:
    if len(left) == 1 or len(right) == 1:
        return float(left[:1] == right[:1])
    return float(JaroWinkler.similarity(left, right))


def bigram_dice(left: str, right: str) -> float:
    """Return 2 |common bigrams| / |bigrams| of two texts (Dice, Ecology 26, 1945), as multisets."""
    first, second = (Counter(pairwise(text)) for text in (left, right))
    total = first.total() + second.total()
    return 2 * (first & second).total() / total if total else float(left == right)
