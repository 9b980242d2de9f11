"""The tree of a Go record going out: moves, with comments, properties and branches at their place.

Owns what goes into which node (docs/go.md). Must not know headers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from ocgdedup._kernels.go import move_nodes
from ocgdedup.sgf.properties import value_text

# SGF text that a database keeps as it was written: properties, nodes, branches (docs/go.md).
# Whether it is SGF, and its parts; not what properties mean.
#
# FF[4]: "GameTree = "(" Sequence { GameTree } ")"; Sequence = Node { Node };
# Node = ";" { Property }; Property = PropIdent PropValue { PropValue }".

_SIGN = r"(?P<sign>[;()])\s*"
_NAME = r"[A-Za-z][A-Za-z0-9]*\s*"  # FF[3] has small letters in names
# A value without an end goes to the end of the text. Possessive: for a property of a million values
# a place to return to took 480 bytes for each.
_PIECE = rf"{_SIGN}|{_NAME}(?:\[[^\]\\]*+(?:\\.[^\]\\]*+)*+(?P<end>\]\s*+|\\?\Z))++"
# People write brackets in texts without the backslash that they need. As the reader has it, such
# a bracket belongs to the text if what is behind it cannot follow a value; but for the reader ")"
# at the end of a line ends a game, and no text that is kept goes on behind its game.
_NO_END = r"\](?!\s*(?:\Z|[\[;(]|\)\s*(?:\Z|[()])|[A-Za-z][A-Za-z0-9]{0,31}\s*\[))"
_LOOSE_PIECE = rf"{_SIGN}|{_NAME}(?:\[(?:[^\]\\]|\\.|{_NO_END})*(?P<end>\]\s*))+"
_BARE_BRACKET = rf"\\.|{_NO_END}"
_PROPERTY = "property"
# What may stand behind what, where "" is the start, in a branch, in nodes and in properties alone.
_BRANCH = {"": "(", "(": ";", ";": "(;)" + _PROPERTY, _PROPERTY: "(;)" + _PROPERTY, ")": "()"}
_NODES = {"": ";", ";": ";" + _PROPERTY, _PROPERTY: ";" + _PROPERTY}
_PROPERTIES = {"": _PROPERTY, _PROPERTY: _PROPERTY}


def pieces_of(text: str) -> list[str] | None:
    """Return the signs and properties of a stored text, each with the blanks behind it.

    What is open at its end is closed, or else bare brackets in values get their backslash. None if
    it is neither one branch nor a sequence of nodes nor the properties of one node.
    """
    text = text.strip()
    pieces, depth = _pieces(text, re.compile(_PIECE, re.DOTALL))
    if pieces:
        return [*pieces, *[")"] * depth]
    pieces, depth = _pieces(text, re.compile(_LOOSE_PIECE, re.DOTALL))
    if pieces and not depth:
        # What has its backslash stays.
        return [
            re.sub(_BARE_BRACKET, lambda bare: rf"\{bare[0][-1]}", piece, flags=re.DOTALL)
            for piece in pieces
        ]
    return None


def _pieces(text: str, pattern: re.Pattern[str]) -> tuple[list[str], int]:
    """Return the pieces and how many branches are open at the end; none if it is no SGF."""
    followers = {"(": _BRANCH, ";": _NODES}.get(text[:1], _PROPERTIES)
    pieces: list[str] = []
    place = depth = 0
    last = ""
    while place < len(text):
        match = pattern.match(text, place)
        sign = (match["sign"] or _PROPERTY) if match else ""
        if match is None or sign not in followers[last] or (last == ")" and depth == 0):
            return [], 0
        depth += (sign == "(") - (sign == ")")
        place, last = match.end(), sign
        end = match["end"]
        if end is None or end.startswith("]"):
            pieces.append(match[0])
        else:  # a backslash at the end would take the bracket: it gets one itself
            pieces.append(f"{match[0]}{end}]")
    return ([], 0) if last in ("", "(") else (pieces, depth)


def name_of(piece: str) -> str:
    """Return the name of a property as FF[4] has it, in capitals alone; "" for a sign."""
    name = piece.partition("[")[0].strip()
    return "".join(filter(str.isupper, name)) if name[:1] not in ("(", ")", ";") else ""


_COLUMNS_OF_MOVE = 6
_ROUND_NUMBER = 10
_MOVES = ("B", "W")
# kernels/go/sgf_lex.pxd: sgf_is_root_name
_ROOT_NAMES = frozenset(("GM", "FF", "SZ", "CA", "EV", "PB", "PW", "GN", "AP", "DT"))


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


def _harmless(text: str) -> str | None:
    """Return an annotation as it is written; None if it would harm the tree around it.

    What is no SGF by itself would make the rest of the file unreadable, a move that is in no branch
    would become one of the mainline, and a branch that begins as a root does, another game.
    """
    pieces = pieces_of(text)
    if pieces is None or (pieces[0][0] != "(" and any(name_of(p) in _MOVES for p in pieces)):
        return None
    firsts = (
        name_of(third) for first, third in zip(pieces, pieces[2:], strict=False) if first[0] == "("
    )
    if any(name in _ROOT_NAMES for name in firsts):
        return None
    return "".join(pieces).rstrip()


class _Node:
    """What stands in one node, and the branches behind it.

    `head`: "" of a move; ";" and properties of a further node, which has its comments and what
    properties are behind them as notes of their own.
    """

    def __init__(self, head: str) -> None:
        self.head = head
        self.properties: list[str] = []
        self.branches: list[str] = []
        self._comments: list[str] = []

    def add_comment(self, text: str) -> None:
        if not self._comments:
            self.properties.append("")  # the place of all of them
        self._comments.append(text)

    def text(self) -> str:
        """Return the properties; several comments, which FF[4] does not allow, become one."""
        if self._comments:
            comment = value_text("\n".join(self._comments))
            self.properties[self.properties.index("")] = f"C{comment}"
        return "".join(self.properties)


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
            self._write_notes(some)
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

    def _write_notes(self, notes: Iterable[Note]) -> None:
        """Write what stands at one move: its node first, then further nodes, each with its own."""
        node = _Node("")
        for note in notes:
            text = note.text if note.is_comment else _harmless(note.text)
            if note.is_comment or text is None:
                node.add_comment(note.text)
            elif text[0] == ";":
                self._write_rest(node)
                node = _Node(text)
            elif text[0] == "(":
                node.branches.append(text)
            else:
                node.properties.append(text)
        self._write_rest(node)

    def _write_rest(self, node: _Node) -> None:
        """Write a node, of a move what stands behind it, and open what its branches are beside."""
        properties = node.text()
        if node.head.strip(";") or (node.head and properties):
            self._write_node(node.head + properties)
        elif properties:
            self._parts.append(properties)
        if node.branches and not self._is_fresh:
            self._end_line()
            self._parts.append("(")
            self._waiting.append([])
            self._is_fresh = True
        if node.branches:
            self._waiting[-1].extend(node.branches)

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
