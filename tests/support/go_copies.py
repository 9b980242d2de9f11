"""Made-up Go games and their duplicates, and the results of the search."""

from __future__ import annotations

import random
import struct
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ocgdedup.model import Comparison
from ocgdedup.pipeline.search.detect import SearchOptions, SearchResult, find_duplicates
from ocgdedup.store.database import open_database
from tests.support.go_games import GoGame, write_go_database

_LETTERS = "abcdefghijklmnopqrs"


@cache
def go_line(number: int, plies: int, lines: int = 19) -> tuple[str, ...]:
    """Return a made-up mainline; of one number, shorter ones are prefixes of longer ones.

    No point is repeated before the board is full.
    """
    draw = random.Random(number)
    points = [x + y for x in _LETTERS[:lines] for y in _LETTERS[:lines]]
    draw.shuffle(points)
    return tuple("BW"[ply % 2] + points[ply % len(points)] for ply in range(plies))


def game(moves: Sequence[str], **fields: object) -> GoGame:
    """Return a game by the same players on the same day as all games of this function."""
    header = {
        "black": "Ito Jun", "white": "Kim Min", "date": "1996.05.06", "event": "Spring Cup",
        "result": "0-1",
    }  # fmt: skip
    return GoGame(" ".join(moves), **{**header, **fields})


def nobody(moves: Sequence[str], **fields: object) -> GoGame:
    """Return a game without a header."""
    return GoGame(" ".join(moves), **fields)


class GoSearch(NamedTuple):
    """Results of a search; IDs of games count from 1."""

    groups: list[list[int]]
    suspects: list[tuple[int, int]]
    search_result: SearchResult

    def compare(self, first: int = 1, second: int = 2) -> Comparison:
        return self.search_result.finder.compare(first, second)

    def moves(self, game_id: int, beside: int | None = None) -> tuple[str, ...]:
        """Return the moves of a game, rotated to match the game `beside`."""
        finder = self.search_result.finder
        blob = (
            finder.mainline(game_id) if beside is None else finder.mainline_beside(game_id, beside)
        )
        return texts_of(blob)

    @property
    def verdict(self) -> str:
        """ "one", "two" or "suspects", of two games."""
        if self.groups:
            return "one"
        return "suspects" if self.suspects else "two"


def texts_of(blob: bytes) -> tuple[str, ...]:
    """Return a blob as texts, without the kernel."""
    return tuple(
        "BW"[move >> 10 & 1]
        + ("" if move & 0x3FF == 0x3FF else chr(97 + (move & 31)) + chr(97 + (move >> 5 & 31)))
        for (move,) in struct.iter_unpack("<H", blob)
    )


_USUAL = SearchOptions()


def search_go(folder: Path, *games: GoGame, options: SearchOptions = _USUAL) -> GoSearch:
    """Search Go games for duplicates."""
    path = folder / f"go-{random.randrange(10**12)}.db3"
    write_go_database(path, games)
    database = open_database(str(path))
    try:
        result = find_duplicates(database.connection, options)
    finally:
        database.close()
        path.unlink()
    return GoSearch(
        sorted(group.ids for group in result.groups),
        sorted((pair.first, pair.second) for pair in result.possible_duplicates),
        result,
    )
