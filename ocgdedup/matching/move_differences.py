"""Where two mainlines differ: the moves that one has and the other has not. Pure functions."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple


class Difference(NamedTuple):
    """Moves of one mainline in whose place another has others, or none.

    Half-moves from 0, the last one not included: `left_start` to `left_end` of the one,
    `right_start` to `right_end` of the other.
    """

    left_start: int
    left_end: int
    right_start: int
    right_end: int


def differences(left: Sequence[Hashable], right: Sequence[Hashable]) -> list[Difference]:
    """Return where two mainlines differ, in their order; what one goes on for at its end too."""
    from difflib import SequenceMatcher  # seldom needed, slow to load

    matcher = SequenceMatcher(None, left, right, autojunk=False)
    return [Difference(*places) for tag, *places in matcher.get_opcodes() if tag != "equal"]


def joined(found: Sequence[Difference], most_between: int) -> list[Difference]:
    """Make one of neighbours with at most so many moves between them: of two moves exchanged."""
    result: list[Difference] = []
    for place in found:
        if result and place.left_start - result[-1].left_end <= most_between:
            last = result.pop()
            place = Difference(last.left_start, place.left_end, last.right_start, place.right_end)
        result.append(place)
    return result
