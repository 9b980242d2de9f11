"""Clusters of members by union-find with a veto, and decisions on pairs that exclude each other.

The result depends only on the pairs and their evidence, not on their order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence


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


def contradictions(
    decisions: Iterable[tuple[int, int, bool]],
) -> Iterator[tuple[tuple[int, int], Sequence[int]]]:
    """Yield each pair decided "different" that decisions "same" connect, with a shortest chain.

    `decisions`: (ID, ID, whether they are the same game). A chain lists IDs from the first game of
    the pair to the second; each two neighbours are decided to be the same game.
    """
    same = defaultdict[int, list[int]](list)
    different = []
    for first, second, is_same in decisions:
        if is_same:
            same[first].append(second)
            same[second].append(first)
        else:
            different.append((first, second))
    for first, second in different:
        came_from = {first: first}
        reached = [first] if first in same and second in same else []
        for game_id in reached:
            for neighbour in same[game_id]:
                if neighbour not in came_from:
                    came_from[neighbour] = game_id
                    reached.append(neighbour)
        if second in came_from:
            chain = [second]
            while chain[-1] != first:
                chain.append(came_from[chain[-1]])
            yield (first, second), chain[::-1]
