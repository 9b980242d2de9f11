"""Where two mainlines differ: the moves that one has and the other lacks."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple


class Difference(NamedTuple):
    """Moves of one mainline in place of which the other has different moves, or none.

    Plies from 0: `left_start` up to, but not including, `left_end` of the left mainline, and
    `right_start` to `right_end` of the right one.
    """

    left_start: int
    left_end: int
    right_start: int
    right_end: int


def differences(left: Sequence[Hashable], right: Sequence[Hashable]) -> list[Difference]:
    """Return where two mainlines differ, in order, with the further moves of the longer one."""
    from difflib import SequenceMatcher  # 3 ms

    matcher = SequenceMatcher(None, left, right, autojunk=False)
    return [Difference(*places) for tag, *places in matcher.get_opcodes() if tag != "equal"]


def joined(differences: Sequence[Difference], most_between: int) -> list[Difference]:
    """Join differences with at most `most_between` moves between them, such as exchanged moves."""
    result: list[Difference] = []
    for part in differences:
        if result and part.left_start - result[-1].left_end <= most_between:
            last = result.pop()
            part = Difference(last.left_start, part.left_end, last.right_start, part.right_end)
        result.append(part)
    return result
