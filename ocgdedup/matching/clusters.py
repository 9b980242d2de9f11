"""Clusters of members by union-find with a veto for members that contradict each other.

The result depends only on the pairs and their evidence, not on their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable


def clusters(
    count: int,
    pairs: Iterable[tuple[float, int, int]],
    contradicts: Callable[[list[int], list[int]], bool],
) -> list[list[int]]:
    """Join 0 .. count - 1 by pairs (evidence, left, right); return the clusters, sorted.

    Pairs with the most evidence come first, and of equal ones those of the lowest numbers. A pair
    is skipped if it would join two clusters that contradict each other. So a chain of small
    similarities never joins two different members.
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
    return [sorted(component) for _, component in sorted(members.items())]


def _surest_first(pair: tuple[float, int, int]) -> tuple[float, int, int]:
    evidence, left, right = pair
    return -evidence, min(left, right), max(left, right)
