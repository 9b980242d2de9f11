"""Clusters by union-find with a veto, and the user's decisions on pairs of games.

Results depend only on the pairs and their evidence, not on their order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product


def clusters(
    count: int,
    pairs: Iterable[tuple[float, int, int]],
    contradicts: Callable[[list[int], list[int]], bool],
) -> list[list[int]]:
    """Join the numbers 0 to count - 1 by pairs (evidence, left, right); return sorted clusters.

    Pairs with the most evidence come first, of equal ones those with the lowest numbers. A pair is
    skipped if it would join two clusters that contradict each other. So a chain of small
    similarities never joins two different members.
    """
    members = {number: [number] for number in range(count)}
    cluster_of = list(range(count))
    for _, left, right in sorted(pairs, key=lambda pair: (-pair[0], *sorted(pair[1:]))):
        first, second = sorted((cluster_of[left], cluster_of[right]))
        if first == second or contradicts(members[first], members[second]):
            continue
        for number in members[second]:
            cluster_of[number] = first
        members[first] += members.pop(second)
    return [sorted(cluster) for _, cluster in sorted(members.items())]


def same_games(decisions: Iterable[tuple[int, int, bool]]) -> dict[int, int]:
    """Return for each decided game the lowest ID that decisions "same" connect with it.

    `decisions`: (ID, ID, whether the user decided "same").
    """
    lower: dict[int, int] = {}

    def lowest(game_id: int) -> int:
        while (other := lower.setdefault(game_id, game_id)) != game_id:
            lower[game_id] = lower[other]
            game_id = other
        return game_id

    for first, second, is_same in decisions:
        left, right = sorted((lowest(first), lowest(second)))
        if is_same:
            lower[right] = left
    return {game_id: lowest(game_id) for game_id in list(lower)}


def different_games(decisions: Iterable[tuple[int, int, bool]]) -> dict[int, set[int]]:
    """Return for each ID that same_games() returns the IDs that decisions "different" exclude."""
    decisions = list(decisions)
    lowest = same_games(decisions)
    different = defaultdict[int, set[int]](set)
    for first, second, is_same in decisions:
        if not is_same:
            different[lowest[first]].add(lowest[second])
            different[lowest[second]].add(lowest[first])
    return dict(different)


def wrongly_represented(
    decisions: Iterable[tuple[int, int, bool]],
    kept: Mapping[int, int],
    group_of: Callable[[int], int],
) -> list[int]:
    """Return the deleted games that the user declared different from their kept game, sorted.

    `kept`: the kept game of each deleted game, by ID. `group_of`: returns the group of an ID. If
    the user separated two deleted games of one group, the one with the higher ID is returned.
    """
    decisions = list(decisions)
    lowest = same_games(decisions)
    if kept.keys().isdisjoint(lowest):
        return []
    members = defaultdict[int, list[int]](list)
    for game_id in sorted(lowest):
        members[lowest[game_id]].append(game_id)
    wrong: set[int] = set()
    for left, rights in sorted(different_games(decisions).items()):
        for pair in product(members[left], (i for right in sorted(rights) for i in members[right])):
            deleted = sorted(kept.keys() & pair)
            first, second = (group_of(kept.get(game_id, game_id)) for game_id in pair)
            if first == second and deleted and wrong.isdisjoint(deleted):
                wrong.add(deleted[-1])
    return sorted(wrong)


def contradictions(
    decisions: Iterable[tuple[int, int, bool]],
) -> Iterator[tuple[tuple[int, int], Sequence[int]]]:
    """Yield each pair decided "different" that decisions "same" connect, with a shortest chain.

    `decisions`: see same_games(). A chain lists IDs from the first game of the pair to the second;
    each two neighbours are decided to be the same game.
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
