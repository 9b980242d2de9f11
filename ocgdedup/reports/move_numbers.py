"""How moves are numbered: in chess two half-moves have one number, in Go each has its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ocgdedup.wording import counted


class Counting(NamedTuple):
    """How a kind of game counts: `halves` that share a number, the words for one and for many."""

    halves: int
    one: str
    many: str

    def words(self, count: int, adjective: str = "") -> str:
        """Return "1 ply", "2 plies"; with the adjective "more " "1 more ply"."""
        return counted(count, f"{adjective}{self.one}", f"{adjective}{self.many}")

    def numbered(
        self, texts: Sequence[str], start: int, end: int, before: int, *, follows: bool = False
    ) -> list[str]:
        """Return moves with their numbers, an item for each number.

        `before`: half-moves before the first text. `follows`: behind a move that is shown.
        """
        if self.halves == 1:
            return [f"{place + before + 1} {texts[place]}" for place in range(start, end)]
        items: list[str] = []
        for place in range(start, end):
            number, is_black = divmod(place + before, 2)
            if not is_black:
                items.append(f"{number + 1}. {texts[place]}")
            elif items:
                items[-1] += f" {texts[place]}"
            else:
                items.append(texts[place] if follows else f"{number + 1}... {texts[place]}")
        return items


CHESS = Counting(2, "ply", "plies")
GO = Counting(1, "move", "moves")


def short_line(moves: Sequence[str], room: int) -> str:
    """Join moves; leave out some before the last if they do not fit."""
    line, kept = " ".join(moves), [*moves]
    while len(line) > room and len(kept) > 2:
        del kept[-2]
        line = " ".join([*kept[:-1], "...", kept[-1]])
    return line


def plies_before(fen: str | None) -> int:
    """Return the plies before a chess position by its move number and side to move."""
    fields = (fen or "").split()
    number = int(fields[5]) if len(fields) > 5 and fields[5].isdecimal() else 1
    return 2 * (max(number, 1) - 1) + (len(fields) > 1 and fields[1] == "b")
