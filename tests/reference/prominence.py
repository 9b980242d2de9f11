"""How prominent a player is, and sums of evidence, as the kernel computes them."""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, log

from ocgdedup.matching.names.likelihood import PROMINENCE_OF_INACTIVE, PROMINENCE_OF_TITLE, WEIGHTS
from ocgdedup.model import Person


def prominence(person: Person) -> float:
    """Return the logarithm of the ratio of a person's published games to those of others."""
    by_rating = max((person.rating or 0) - WEIGHTS.least_rating, 0) / WEIGHTS.rating_unit
    by_title = PROMINENCE_OF_TITLE.get(person.title, 0.0)
    value = max(min(by_rating, WEIGHTS.most_by_rating), by_title)
    return value if person.is_active else value + PROMINENCE_OF_INACTIVE


def log_sum(evidence: Iterable[float]) -> float:
    """Return the logarithm of a sum of probabilities that are given as logarithms."""
    values = [*evidence]
    top = max(values)
    return top + log(sum(exp(value - top) for value in values))
