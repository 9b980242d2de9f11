"""Count the openings of games in a tree: each node is a move after the moves before it.

Games that share no further moves with another one are leaves, whatever their length, so the tree
has at most twice as many nodes as there are distinct lines.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise

from ocgdedup._kernels.chess import decode_san
from ocgdedup._kernels.search import common_plies
from ocgdedup.store.opening_lines import OpeningLine

ROOT = 0
NAMED_GAMES = 10  # that end after the same moves


class OpeningTree:
    """Nodes in the order of a walk through the tree: 40 bytes each, a parent before its children.

    `games`, `white`, `drawn`, `black`: counts of each node; `only_game`: the ID of the only game
    that reaches a node, else 0; `ended`: the number of games that end at a node, and the IDs of at
    most NAMED_GAMES of them.
    """

    def __init__(self, plies: int, least_games: int, fen: str | None) -> None:
        """Make a tree of the first plies; nodes with fewer games than `least_games` are left out.

        `fen`: the start position, None for the standard one.
        """
        self.plies = plies
        self.fen = fen
        self._least_games = least_games
        self._sans: list[str] = []
        self._numbers: dict[str, int] = {}  # of SAN
        self._moves, self._stops = array("i"), array("q")
        self.games, self.white = array("i"), array("i")
        self.drawn, self.black = array("i"), array("i")
        self.only_game = array("q")
        self.ended: dict[int, tuple[int, list[int]]] = {}
        self._open = [ROOT]  # the nodes of the current line

    def build(self, lines: Iterable[OpeningLine]) -> None:
        """Count the lines, which are sorted. Raises ValueError for moves that are not legal."""
        self._add_node("")
        before = 0  # plies shared with the previous line
        for line, following in pairwise(chain(lines, (None,))):
            assert line is not None
            after = 0 if following is None else common_plies(line.moves, following.moves)
            length = len(line.moves) // 2
            shared = max(before, after)
            is_only = line.games == 1 and shared < length
            self._add_line(line, before, shared + 1 if is_only else length)
            node = self._open[-1]
            if is_only:
                self.only_game[node] = line.first_id
            elif line.ended is not None:
                ids = sorted(map(int, line.ended.split(",")))
                self.ended[node] = line.games, ids[:NAMED_GAMES]
            self._close_nodes(after)
            before = after
        self._close_nodes(0)
        self._stops[ROOT] = len(self._stops)

    def _add_line(self, line: OpeningLine, first: int, stop: int) -> None:
        """Add the plies of a line that are new, from `first` on, and count its games."""
        if first < stop:
            for san in decode_san(line.moves[: 2 * stop], self.fen)[first:]:
                self._open.append(len(self._moves))
                self._add_node(san)
        self._count(self._open[-1], line.games, line.white, line.drawn, line.black)

    def _add_node(self, san: str) -> None:
        number = self._numbers.setdefault(san, len(self._sans))
        if number == len(self._sans):
            self._sans.append(san)
        self._moves.append(number)
        for column in (self.games, self.white, self.drawn, self.black, self.only_game, self._stops):
            column.append(0)

    def _count(self, node: int, games: int, white: int, drawn: int, black: int) -> None:
        self.games[node] += games
        self.white[node] += white
        self.drawn[node] += drawn
        self.black[node] += black

    def _close_nodes(self, depth: int) -> None:
        """Count the nodes deeper than `depth` for their parents; drop those of too few games."""
        while len(self._open) > depth + 1:
            node = self._open.pop()
            counts = self.games[node], self.white[node], self.drawn[node], self.black[node]
            self._count(self._open[-1], *counts)
            if counts[0] >= self._least_games:
                self._stops[node] = len(self._stops)
                continue
            for column in (
                self._moves, self._stops, self.games, self.white, self.drawn, self.black,
                self.only_game,
            ):  # fmt: skip
                del column[node:]
            while self.ended and next(reversed(self.ended)) >= node:
                self.ended.popitem()

    def san(self, node: int) -> str:
        """Return the move that leads to a node."""
        return self._sans[self._moves[node]]

    def children(self, node: int) -> list[int]:
        """Return the next moves: most games first, then by SAN."""
        return sorted(self._children(node), key=lambda child: (-self.games[child], self.san(child)))

    def _children(self, node: int) -> Iterator[int]:
        child = node + 1
        while child < self._stops[node]:
            yield child
            child = self._stops[child]
