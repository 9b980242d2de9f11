"""Clusters: the order of pairs does not matter, and no chain bypasses a veto."""

from __future__ import annotations

import random
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocgdedup.matching.clusters import (
    clusters,
    contradictions,
    different_games,
    same_games,
    wrongly_represented,
)

COUNT = 8
numbers = st.integers(0, COUNT - 1)
some_pairs = st.lists(st.tuples(st.sampled_from([0.5, 1.0, 2.0]), numbers, numbers), max_size=14)
some_rivals = st.sets(st.tuples(numbers, numbers).filter(lambda two: two[0] < two[1]), max_size=8)

fixed = settings(max_examples=200)


def veto(rivals):
    return lambda left, right: any((min(i, j), max(i, j)) in rivals for i in left for j in right)


def never(left, right):
    return False


def test_pairs_chain():
    assert clusters(5, [(1.0, 3, 1), (1.0, 1, 0)], never) == [[0, 1, 3], [2], [4]]


def test_no_members_no_clusters():
    assert clusters(0, [], never) == []


@pytest.mark.parametrize("surest", [(0, 1), (1, 2)])
def test_the_best_pair_of_a_contradicting_chain_stays(surest):
    pairs = [(2.0 if pair == surest else 1.0, *pair) for pair in [(0, 1), (1, 2)]]
    joined = clusters(3, pairs, veto({(0, 2)}))
    assert list(surest) in joined
    assert len(joined) == 2


def test_of_equal_pairs_the_lowest_numbers_come_first():
    assert clusters(3, [(1.0, 2, 1), (1.0, 1, 0)], veto({(0, 2)})) == [[0, 1], [2]]


@fixed
@given(some_pairs, some_rivals, st.randoms(use_true_random=False))
def test_order_of_the_pairs_does_not_matter(pairs, rivals, draw: random.Random):
    shuffled = [(evidence, *draw.sample((left, right), 2)) for evidence, left, right in pairs]
    draw.shuffle(shuffled)
    assert clusters(COUNT, shuffled, veto(rivals)) == clusters(COUNT, pairs, veto(rivals))


@fixed
@given(some_pairs, some_rivals)
def test_no_cluster_has_contradicting_members(pairs, rivals):
    groups = clusters(COUNT, pairs, veto(rivals))
    assert sorted(number for cluster in groups for number in cluster) == list(range(COUNT))
    assert groups == sorted(map(sorted, groups))
    assert not rivals & {pair for cluster in groups for pair in combinations(cluster, 2)}


@fixed
@given(some_pairs, some_rivals)
def test_separate_clusters_contradict_each_other(pairs, rivals):
    groups = clusters(COUNT, pairs, veto(rivals))
    home = {number: cluster for cluster in groups for number in cluster}
    for _, left, right in pairs:
        assert home[left] is home[right] or veto(rivals)(home[left], home[right])


some_decisions = st.dictionaries(
    st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(lambda pair: pair[0] < pair[1]),
    st.booleans(),
).map(lambda decided: [(*pair, is_same) for pair, is_same in decided.items()])


def connected(decided: list[tuple[int, int, bool]], game_id: int) -> set[int]:
    """Return the games that decisions "same" connect with one."""
    reached = {game_id}
    for _ in decided:
        reached.update(
            i for *pair, is_same in decided if is_same and reached & {*pair} for i in pair
        )
    return reached


@given(some_decisions)
def test_games_that_are_the_same_and_different(decided: list[tuple[int, int, bool]]) -> None:
    named = {game_id for *pair, _ in decided for game_id in pair}
    lowest = {game_id: min(connected(decided, game_id)) for game_id in named}
    assert same_games(decided) == lowest
    pairs = {(lowest[i], lowest[j]) for first, second, is_same in decided if not is_same
             for i, j in ((first, second), (second, first))}  # fmt: skip
    assert {(i, j) for i, others in different_games(decided).items() for j in others} == pairs


@given(some_decisions, st.dictionaries(st.integers(0, 5), st.integers(0, 5)), st.integers(1, 3))
def test_no_game_stands_for_a_different_one(
    decided: list[tuple[int, int, bool]], kept: dict[int, int], groups: int
) -> None:
    """After the games that are returned have been restored; before, each is one of such a pair."""
    kept = {game_id: other for game_id, other in kept.items() if other not in kept}
    lowest = same_games(decided)

    def clash(kept: dict[int, int], first: int, second: int) -> bool:
        home = [
            kept.get(i, i) % groups if kept.get(i, i) not in kept else -i for i in (first, second)
        ]
        return home[0] == home[1] and bool({first, second} & kept.keys())

    pairs = [
        (first, second) for first, second in combinations(sorted(lowest), 2)
        if lowest[second] in different_games(decided).get(lowest[first], ())
    ]  # fmt: skip
    wrong = wrongly_represented(decided, kept, lambda game_id: game_id % groups)
    assert {*wrong} <= {i for pair in pairs if clash(kept, *pair) for i in pair} & kept.keys()
    left = {game_id: other for game_id, other in kept.items() if game_id not in wrong}
    assert not any(clash(left, *pair) for pair in pairs if not {*pair} & {*wrong})


@given(some_decisions)
def test_contradictions_are_those_of_all_paths(decided: list[tuple[int, int, bool]]) -> None:
    same = [(first, second) for first, second, is_same in decided if is_same]
    found = dict(contradictions(decided))
    for first, second in ((first, second) for first, second, is_same in decided if not is_same):
        assert ((first, second) in found) == (second in connected(decided, first))
    for (first, second), chain in found.items():
        assert (chain[0], chain[-1]) == (first, second)
        assert all((min(link), max(link)) in same for link in pairwise(chain))
