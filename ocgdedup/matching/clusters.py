"""Union-find with a veto: what belongs together, and what must never.

The result depends on the pairs and their evidence alone, not on the order they come in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable


def clusters(
    count: int,
    pairs: Iterable[tuple[float, int, int]],
    contradicts: Callable[[list[int], list[int]], bool],
) -> list[list[int]]:
    """Join 0 .. count - 1 by pairs (evidence, left, right); return the clusters, sorted.

    Pairs with the most evidence come first, of equal ones those of the lowest numbers. A pair
    that would bring members together that contradict each other is left out, so that a chain of
    small similarities never joins two that differ.
    """
    members = {number: [number] for number in range(count)}
    home = list(range(count))
    for _, left, right in sorted(pairs, key=_surest_first):
        first, second = sorted((home[left], home[right]))
        if first == second or contradicts(members[first], members[second]):
            continue
        for number in members[second]:
            home[number] = first
        members[first] += members.pop(second)
    return [sorted(found) for _, found in sorted(members.items())]


def _surest_first(pair: tuple[float, int, int]) -> tuple[float, int, int]:
    evidence, left, right = pair
    return -evidence, min(left, right), max(left, right)
