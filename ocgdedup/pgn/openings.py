"""Openings of chess games by their positions: ECO code and name.

The opening of a game is that of the last position that the table has. So another order of moves
leads to the same opening. A game that begins with another position has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from ocgdedup._kernels.chess import OpeningTable
from ocgdedup.data_files import read_lines

CODE_CHARS = 3  # of an ECO code; some programs add more


class Opening(NamedTuple):
    """A line of the table openings.txt; `name`: "Opening: Variation, Line"."""

    eco: str
    name: str


class Openings:
    """The openings of the table."""

    def __init__(self) -> None:
        rows = [line.split("\t") for line in read_lines(__file__, "openings.txt")]
        lines = [Opening(eco, name) for eco, name, _ in rows]
        self.names = frozenset(opening.name for opening in lines)
        self._lines = [*lines, None]  # the index -1 is that of no opening
        self._table = OpeningTable([moves.encode() for _, _, moves in rows])

    def of_games(self, moves: list[bytes | None]) -> Sequence[Opening | None]:
        """Return the opening of each move blob, None if it has none."""
        return [self._lines[index] for index in self._table.last_lines(moves)]


@cache
def openings() -> Openings:
    """Return the table, which is read once."""
    return Openings()
