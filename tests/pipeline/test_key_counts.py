"""Counts of the six methods: known groups, and laws against a comparison of every pair."""

from __future__ import annotations

from itertools import combinations, groupby
from operator import itemgetter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocgdedup.pipeline.search.key_groups import KeyCounts, KeyedGame, count_groups

E4, D4 = b"\x0c\x07", b"\xcb\x06"


def epd(fen: str) -> str | None:
    """Return a stand-in for the normal form: counters cut off, None for the usual position."""
    name = fen.split()[0]
    return None if name == "standard" else name


def counts(*games: KeyedGame) -> KeyCounts:
    return count_groups(iter(games), epd)


@pytest.mark.parametrize(
    ("games", "expected"),
    [
        ([], KeyCounts()),
        ([(7, None, E4)], KeyCounts()),
        ([(7, None, E4), (8, None, E4)], KeyCounts()),
        ([(7, None, E4), (7, None, E4)], KeyCounts(1, 1, 1, 1, 1)),
        ([(7, None, E4), (7, None, D4)], KeyCounts(1, 1, 0, 1, 0)),
        # Two pairs of copies under one key: three are reported, two of them are copies.
        ([(7, None, E4), (7, None, D4), (7, None, E4), (7, None, D4)], KeyCounts(1, 3, 2, 6, 2)),
        ([(7, None, E4)] * 4 + [(8, None, D4)] * 2, KeyCounts(2, 4, 4, 7, 7)),
        ([((7, 1), None, E4), ((7, 2), None, E4)], KeyCounts()),
        ([(7, None, E4), (7, "other 0 1", E4)], KeyCounts(1, 1, 0, 1, 0)),
        ([(7, "other 0 1", E4), (7, "other 9 30", E4)], KeyCounts(1, 1, 1, 1, 1)),
        ([(7, None, E4), (7, "standard 0 1", E4), (7, "", E4)], KeyCounts(1, 2, 2, 3, 3)),
    ],
)
def test_known(games: list[KeyedGame], expected: KeyCounts) -> None:
    assert counts(*games) == expected


games_by_key = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.sampled_from([None, "standard 4 9", "other 0 1", "other 5 8"]),
        st.sampled_from([E4, D4, E4 + D4]),
    ),
    max_size=25,
).map(lambda games: sorted(games, key=itemgetter(0)))


@given(games_by_key)
def test_pairs_are_those_of_a_comparison_of_every_two(games: list[KeyedGame]) -> None:
    counts_by_key = counts(*games)
    same_key = [(a, b) for a, b in combinations(games, 2) if a[0] == b[0]]
    same = [
        (a, b) for a, b in same_key if a[2] == b[2] and (a[1] and epd(a[1])) == (b[1] and epd(b[1]))
    ]
    assert (counts_by_key.reported_pairs, counts_by_key.true_pairs) == (len(same_key), len(same))


@given(games_by_key)
def test_games_are_those_that_a_program_meets_again(games: list[KeyedGame]) -> None:
    keys, contents, reported, true = set(), set(), 0, 0
    for key, fen, blob in games:
        content = (key, fen and epd(fen), blob)
        reported += key in keys
        true += content in contents
        keys.add(key)
        contents.add(content)
    counts_by_key = counts(*games)
    assert (counts_by_key.reported, counts_by_key.true) == (reported, true)
    sizes = [len(list(members)) for _, members in groupby(games, key=itemgetter(0))]
    assert counts_by_key.groups == sum(size > 1 for size in sizes)
