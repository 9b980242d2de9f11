"""Where two mainlines differ."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocgdedup.matching.move_differences import Difference, differences, joined


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("abc", "abc", []),
        ("", "", []),
        ("abc", "axc", [(1, 2, 1, 2)]),
        ("abc", "ac", [(1, 2, 1, 1)]),
        ("ac", "abc", [(1, 1, 1, 2)]),
        ("abc", "abcde", [(3, 3, 3, 5)]),
        ("abcdefgh", "xbcdefyz", [(0, 1, 0, 1), (6, 8, 6, 8)]),
    ],
)
def test_places(left: str, right: str, expected: list[tuple[int, ...]]) -> None:
    assert differences(left, right) == expected


moves = st.lists(st.integers(0, 9), max_size=30)


@given(moves, moves)
def test_the_other_moves_are_equal(left: list[int], right: list[int]) -> None:
    result = differences(left, right)
    for place in reversed(result):
        del left[place.left_start : place.left_end]
        del right[place.right_start : place.right_end]
    assert left == right
    assert all(isinstance(place, Difference) for place in result)


def test_exchanged_moves_are_one_difference() -> None:
    result = differences("abcdefgh", "cbadefxh")
    assert [tuple(place) for place in joined(result, 2)] == [(0, 3, 0, 3), (6, 7, 6, 7)]
    assert joined(result, 9) == [Difference(0, 7, 0, 7)]
    assert joined([], 2) == []
