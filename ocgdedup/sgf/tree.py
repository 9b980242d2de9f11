"""The tree of a Go record going out: moves, with comments, properties and branches at their place.

Owns what goes into which node (docs/go.md). Must not know headers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from ocgdedup._kernels.sgf_write import move_nodes
from ocgdedup.sgf.properties import value_text
from ocgdedup.sgf.stored_text import pieces_of

_COLUMNS_OF_MOVE = 6
_ROUND_NUMBER = 10


class Note(NamedTuple):
    """A comment, or an annotation as it is stored, at a ply: -1 is the root."""

    ply: int
    is_comment: bool
    text: str


class Layout(NamedTuple):
    """Moves of a line, 0 for any number, and what stands between lines."""

    moves_on_line: int
    line_end: str


def layout_of(width: int) -> Layout:
    """Return the layout of lines of so many columns; 0: all of a game on one line.

    Ten moves a line, or twenty and so on, are easy to count.
    """
    if not width:
        return Layout(0, "")
    moves = max(1, width // _COLUMNS_OF_MOVE)
    return Layout(moves - moves % _ROUND_NUMBER if moves > _ROUND_NUMBER else moves, "\n")


def tree_text(moves: bytes, notes: Sequence[Note], lines: int, layout: Layout) -> str:
    """Return all of a tree behind the properties of its root, up to its last parenthesis.

    `notes` by rising ply, and in their order there; `lines`: of the board. Raises ValueError for
    a blob of odd length and a move that is not on the board.
    """
    if len(moves) & 1:
        raise ValueError(f"odd move blob of {len(moves)} bytes")
    if not notes:
        return move_nodes(moves, 0, len(moves) // 2, lines, layout.moves_on_line)
    return _Tree(moves, lines, layout).text(notes)


class _Tree:
    """One tree while it is written."""

    def __init__(self, moves: bytes, lines: int, layout: Layout) -> None:
        self._moves = moves
        self._lines = lines
        self._layout = layout
        self._parts: list[str] = []
        self._done = 0  # moves
        # Branches that wait for the end of what stands before them, by where they begin.
        self._waiting: list[list[str]] = []
        self._is_fresh = False  # a parenthesis was opened, and nothing is behind it yet

    def text(self, notes: Sequence[Note]) -> str:
        plies = len(self._moves) // 2
        # Behind the last ply: lose nothing.
        for ply, some in groupby(notes, lambda note: max(-1, min(note.ply, plies - 1))):
            self._write_moves(ply + 1)
            self._write_notes(list(some))
        self._write_moves(plies)
        self._close()
        return "".join(self._parts)

    def _write_moves(self, stop: int) -> None:
        if stop > self._done:
            nodes = move_nodes(
                self._moves, self._done, stop, self._lines, self._layout.moves_on_line
            )
            self._write_node(nodes)
            self._done = stop

    def _write_node(self, text: str) -> None:
        if not self._is_fresh:
            self._end_line()
        self._parts.append(text)
        self._is_fresh = False

    def _end_line(self) -> None:
        if self._parts:
            self._parts.append(self._layout.line_end)

    def _write_notes(self, notes: Sequence[Note]) -> None:
        """Write what stands at one move: first all that is in its node."""
        inside: list[str] = []
        behind: list[str] = []
        comments: list[str] = []
        for note in notes:
            pieces = None if note.is_comment else pieces_of(note.text)
            if pieces is None:
                # What is no SGF by itself would make the rest of the file unreadable.
                if not comments:
                    inside.append("")
                    place = len(inside) - 1
                comments.append(note.text)
            elif pieces[0][0] in "(;":
                behind.append("".join(pieces).rstrip())
            else:
                inside.append("".join(pieces).rstrip())
        if comments:
            inside[place] = f"C{value_text(chr(10).join(comments))}"
        self._parts.extend(inside)
        self._write_behind(behind)

    def _write_behind(self, texts: Iterable[str]) -> None:
        for text in texts:
            if text[0] == ";":
                self._write_node(text)
            elif self._is_fresh:
                self._waiting[-1].append(text)
            else:
                self._end_line()
                self._parts.append("(")
                self._waiting.append([text])
                self._is_fresh = True

    def _close(self) -> None:
        """End all that is open; what goes on is always the first branch, an empty node if need be.

        Otherwise the first of the others would become the mainline.
        """
        if self._is_fresh:
            self._parts.append(";")
        while self._waiting:
            self._parts.append(")")
            for branch in self._waiting.pop():
                self._parts.append(self._layout.line_end + branch)
