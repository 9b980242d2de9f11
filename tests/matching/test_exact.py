"""Exact copies by moves: known cases, and laws against a comparison of every pair."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from operator import itemgetter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocgdedup.matching.exact import Candidate, equal_groups

E4, D4 = b"\x0c\x07", b"\xcb\x06"
STANDARD = "standard 0 1"


def epd(fen: str) -> str | None:
    """Return a stand-in for the normal form: counters cut off, None for the usual position."""
    name = fen.split()[0]
    return None if name == "standard" else name


def groups(*candidates: Candidate) -> list[list[int]]:
    return equal_groups(candidates, epd)


def by_pairs(candidates: Iterable[Candidate]) -> list[list[int]]:
    """Compare every pair, as the slow twin."""
    group_of = {candidate[1]: {candidate[1]} for candidate in candidates}
    for left, right in combinations(candidates, 2):
        same_start = (left[2] and epd(left[2])) == (right[2] and epd(right[2]))
        if left[0] == right[0] and same_start and left[3] == right[3]:
            merged = group_of[left[1]] | group_of[right[1]]
            for game_id in merged:
                group_of[game_id] = merged
    return sorted({tuple(sorted(group)) for group in group_of.values() if len(group) > 1})


@pytest.mark.parametrize(
    ("candidates", "expected"),
    [
        ([], []),
        ([(7, 1, None, E4)], []),
        ([(7, 1, None, E4), (7, 2, None, E4)], [[1, 2]]),
        ([(7, 1, None, E4), (8, 2, None, E4)], []),
        ([(7, 1, None, E4), (7, 2, None, D4)], []),
        ([(7, 1, None, E4), (7, 2, None, E4 + D4)], []),
        (
            [(7, 1, None, E4), (7, 2, None, D4), (7, 3, None, E4), (7, 4, None, D4)],
            [[1, 3], [2, 4]],
        ),
        ([(7, 1, None, E4), (7, 2, "other 0 1", E4)], []),
        ([(7, 1, "other 0 1", E4), (7, 2, "other 9 30", E4)], [[1, 2]]),
        ([(7, 1, None, E4), (7, 2, STANDARD, E4)], [[1, 2]]),
        (
            [(-9, 5, None, E4), (-9, 6, None, E4), (3, 1, None, D4), (3, 9, None, D4)],
            [[1, 9], [5, 6]],
        ),
    ],
)  # fmt: skip
def test_known(candidates: list[Candidate], expected: list[list[int]]) -> None:
    assert groups(*candidates) == expected


def test_each_candidate_is_asked_for_its_position_at_most_once() -> None:
    asked = []

    def counting(fen: str) -> str | None:
        asked.append(fen)
        return epd(fen)

    candidates = [(7, number, f"other {number} 1", E4) for number in range(50)]
    assert equal_groups(candidates, counting) == [list(range(50))]
    assert len(asked) == 50  # one pass, not one comparison for each pair


def test_takes_an_iterator_once() -> None:
    assert equal_groups(iter([(7, 1, None, E4), (7, 2, None, E4)]), epd) == [[1, 2]]


# Few hashes and blobs, so that both equal games and collisions are frequent.
fens = st.sampled_from([None, STANDARD, "standard 4 9", "other 0 1", "other 5 8", "third 0 1"])
contents = st.tuples(st.integers(-2, 2), fens, st.sampled_from([E4, D4, E4 + D4, E4 + E4]))


@st.composite
def candidate_lists(draw: st.DrawFn) -> list[Candidate]:
    """Draw candidates in the order that the store gives: by hash, then by ID."""
    found = draw(st.lists(contents, max_size=30))
    ids = draw(st.permutations(range(1, len(found) + 1)))
    candidates = [
        (number, game_id, fen, blob)
        for game_id, (number, fen, blob) in zip(ids, found, strict=True)
    ]
    return sorted(candidates, key=itemgetter(0, 1))


@given(candidate_lists())
def test_equals_comparison_of_every_pair(candidates: list[Candidate]) -> None:
    found = equal_groups(candidates, epd)
    assert [tuple(group) for group in found] == by_pairs(candidates)


@given(candidate_lists())
def test_no_group_mixes_contents(candidates: list[Candidate]) -> None:
    content = {game_id: (epd(fen) if fen else None, blob) for _, game_id, fen, blob in candidates}
    for group in equal_groups(candidates, epd):
        assert len({content[game_id] for game_id in group}) == 1


@given(candidate_lists(), st.randoms())
def test_order_of_hashes_does_not_matter(candidates: list[Candidate], random) -> None:
    hashes = sorted({candidate[0] for candidate in candidates})
    random.shuffle(hashes)
    shuffled = [found for number in hashes for found in candidates if found[0] == number]
    assert equal_groups(shuffled, epd) == equal_groups(candidates, epd)
