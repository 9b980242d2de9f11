"""Where two mainlines differ: the moves that one has and the other lacks."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple


class Difference(NamedTuple):
    """Moves of one mainline that the other one replaces with different moves, or lacks.

    Plies from 0: `left_start` up to, but not including, `left_end` of the left mainline, and
    `right_start` to `right_end` of the right one.
    """

    left_start: int
    left_end: int
    right_start: int
    right_end: int


def differences(left: Sequence[Hashable], right: Sequence[Hashable]) -> list[Difference]:
    """Return the differences of two mainlines, in order, with the surplus of the longer one."""
    from difflib import SequenceMatcher  # 3 ms

    matcher = SequenceMatcher(None, left, right, autojunk=False)
    return [Difference(*plies) for tag, *plies in matcher.get_opcodes() if tag != "equal"]


def joined(differences: Sequence[Difference], most_between: int) -> list[Difference]:
    """Join differences with at most `most_between` moves between them, such as exchanged moves."""
    result: list[Difference] = []
    for new in differences:
        if result and new.left_start - result[-1].left_end <= most_between:
            last = result.pop()
            new = Difference(last.left_start, new.left_end, last.right_start, new.right_end)
        result.append(new)
    return result
