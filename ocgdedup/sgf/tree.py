"""Write the tree of a Go record: moves with comments, properties and branches.

Owns what goes into which node (docs/go.md). Must not know headers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from ocgdedup._kernels.go import move_nodes
from ocgdedup.sgf.properties import value_text

# A database stores annotations as SGF text: properties, nodes or branches (docs/go.md).
#
# FF[4]: "GameTree = "(" Sequence { GameTree } ")"; Sequence = Node { Node };
# Node = ";" { Property }; Property = PropIdent PropValue { PropValue }".

_SIGN = r"(?P<sign>[;()])\s*"
_NAME = r"[A-Za-z][A-Za-z0-9]*\s*"  # FF[3] has small letters in names
# A value without an end goes to the end of the text. Possessive, since each position to backtrack
# to takes 480 bytes, and a property may have a million values.
_PIECE = rf"{_SIGN}|{_NAME}(?:\[[^\]\\]*+(?:\\.[^\]\\]*+)*+(?P<end>\]\s*+|\\?\Z))++"
# People write brackets in texts without a backslash. As in the reader, such a bracket belongs to
# the text if what follows cannot follow a value. Unlike in the reader, ")" at the end of a line
# does not end a game: a stored annotation never reaches beyond its game.
_BARE_BRACKET = r"\](?!\s*(?:\Z|[\[;(]|\)\s*(?:\Z|[()])|[A-Za-z][A-Za-z0-9]{0,31}\s*\[))"
_LOOSE_PIECE = rf"{_SIGN}|{_NAME}(?:\[(?:[^\]\\]|\\.|{_BARE_BRACKET})*(?P<end>\]\s*))+"
_ESCAPED_OR_BARE = rf"\\.|{_BARE_BRACKET}"
_PROPERTY = "property"
# Which pieces may follow a piece ("": the start) in a branch, in nodes and in properties alone.
_BRANCH = {"": "(", "(": ";", ";": "(;)" + _PROPERTY, _PROPERTY: "(;)" + _PROPERTY, ")": "()"}
_NODES = {"": ";", ";": ";" + _PROPERTY, _PROPERTY: ";" + _PROPERTY}
_PROPERTIES = {"": _PROPERTY, _PROPERTY: _PROPERTY}


def pieces_of(text: str) -> list[str] | None:
    """Return the signs and properties of a stored text, each with the blanks after it.

    An open value or branch is closed; if that does not help, bare brackets are escaped. Return
    None for a text that is not one branch, a sequence of nodes or the properties of one node.
    """
    text = text.strip()
    pieces, depth = _pieces(text, re.compile(_PIECE, re.DOTALL))
    if pieces:
        return [*pieces, *[")"] * depth]
    pieces, depth = _pieces(text, re.compile(_LOOSE_PIECE, re.DOTALL))
    if pieces and not depth:
        escaped = re.compile(_ESCAPED_OR_BARE, re.DOTALL)
        return [escaped.sub(lambda match: rf"\{match[0][-1]}", piece) for piece in pieces]
    return None


def _pieces(text: str, pattern: re.Pattern[str]) -> tuple[list[str], int]:
    """Return the pieces and the number of branches open at the end; no pieces if it is not SGF."""
    followers = {"(": _BRANCH, ";": _NODES}.get(text[:1], _PROPERTIES)
    pieces: list[str] = []
    offset = depth = 0
    last = ""
    while offset < len(text):
        match = pattern.match(text, offset)
        sign = (match["sign"] or _PROPERTY) if match else ""
        if match is None or sign not in followers[last] or (last == ")" and depth == 0):
            return [], 0
        depth += (sign == "(") - (sign == ")")
        offset, last = match.end(), sign
        end = match["end"]
        if end is None or end.startswith("]"):
            pieces.append(match[0])
        else:  # a last backslash would escape the bracket: double it
            pieces.append(f"{match[0]}{end}]")
    return ([], 0) if last in ("", "(") else (pieces, depth)


def name_of(piece: str) -> str:
    """Return the FF[4] name of a property, in capitals; "" for a sign."""
    name = piece.partition("[")[0].strip()
    return "".join(filter(str.isupper, name)) if name[:1] not in ("(", ")", ";") else ""


_MOVE_COLUMNS = 6
_MOVES = ("B", "W")
# kernels/go/sgf_lex.pxd: sgf_is_root_name
_ROOT_NAMES = frozenset(("GM", "FF", "SZ", "CA", "EV", "PB", "PW", "GN", "AP", "DT"))


class Note(NamedTuple):
    """A comment or stored annotation at a ply; ply -1 is the root."""

    ply: int
    is_comment: bool
    text: str


class Layout(NamedTuple):
    """The moves of a line, 0 for any number, and the text between lines."""

    moves_on_line: int
    line_end: str


def layout_of(width: int) -> Layout:
    """Return the layout for a line width in columns; 0: a whole game on one line."""
    if not width:
        return Layout(0, "")
    moves = max(1, width // _MOVE_COLUMNS)
    return Layout(moves - moves % 10 if moves > 10 else moves, "\n")  # tens are easy to count


def tree_text(moves: bytes, notes: Sequence[Note], lines: int, layout: Layout) -> str:
    """Return the text of a tree between the properties of its root and its last parenthesis.

    `notes`: ordered by ply; `lines`: of the board. Raises ValueError for a blob of odd length and
    for a move that is not on the board.
    """
    if len(moves) & 1:
        raise ValueError(f"odd move blob of {len(moves)} bytes")
    if not notes:
        return move_nodes(moves, 0, len(moves) // 2, lines, layout.moves_on_line)
    return _Tree(moves, lines, layout).text(notes)


def _harmless(text: str) -> str | None:
    """Return the text to write for an annotation; None if it would damage the tree around it.

    Text that is not SGF would make the rest of the file unreadable. A move outside of a branch
    would become a move of the mainline, and a branch that begins like a root another game.
    """
    pieces = pieces_of(text)
    if pieces is None or (pieces[0][0] != "(" and any(name_of(p) in _MOVES for p in pieces)):
        return None
    for first, third in zip(pieces, pieces[2:], strict=False):
        if first[0] == "(" and name_of(third) in _ROOT_NAMES:
            return None
    return "".join(pieces).rstrip()


class _Node:
    """One node and its branches.

    `head`: "" for the node of a move; ";" and the first properties for a node after it.
    """

    def __init__(self, head: str) -> None:
        self.head = head
        self.properties: list[str] = []
        self.branches: list[str] = []
        self._comments: list[str] = []

    def add_comment(self, text: str) -> None:
        if not self._comments:
            self.properties.append("")  # text() puts all comments here
        self._comments.append(text)

    def text(self) -> str:
        """Return the properties; several comments become one, since FF[4] allows one."""
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
        self._written_plies = 0
        # For each open parenthesis: the branches that follow the mainline.
        self._waiting: list[list[str]] = []
        self._has_just_opened = False  # the last part is a parenthesis

    def text(self, notes: Sequence[Note]) -> str:
        plies = len(self._moves) // 2
        # A note after the last ply goes to that ply.
        for ply, ply_notes in groupby(notes, lambda note: max(-1, min(note.ply, plies - 1))):
            self._write_moves(ply + 1)
            self._write_notes(ply_notes)
        self._write_moves(plies)
        self._close()
        return "".join(self._parts)

    def _write_moves(self, stop: int) -> None:
        start, on_line = self._written_plies, self._layout.moves_on_line
        if stop > start:
            self._write_text(move_nodes(self._moves, start, stop, self._lines, on_line))
            self._written_plies = stop

    def _write_text(self, text: str) -> None:
        """Write nodes or a parenthesis on a new line, except after a parenthesis."""
        if self._parts and not self._has_just_opened:
            self._parts.append(self._layout.line_end)
        self._parts.append(text)
        self._has_just_opened = text == "("

    def _write_notes(self, notes: Iterable[Note]) -> None:
        """Write the notes at one ply: those of the move, then further nodes with their notes."""
        node = _Node("")
        for note in notes:
            text = note.text if note.is_comment else _harmless(note.text)
            if note.is_comment or text is None:
                node.add_comment(note.text)
            elif text[0] == ";":
                self._write_node(node)
                node = _Node(text)
            elif text[0] == "(":
                node.branches.append(text)
            else:
                node.properties.append(text)
        self._write_node(node)

    def _write_node(self, node: _Node) -> None:
        """Write a node; if it has branches, open a parenthesis for the mainline beside them.

        The node of a move is written already: only its properties are added.
        """
        properties = node.text()
        if node.head.strip(";") or (node.head and properties):
            self._write_text(node.head + properties)
        elif properties:
            self._parts.append(properties)
        if node.branches:
            if not self._has_just_opened:
                self._write_text("(")
                self._waiting.append([])
            self._waiting[-1].extend(node.branches)

    def _close(self) -> None:
        """Close the open parentheses and write the branches that wait.

        The mainline is the first branch. Where it has ended, it gets an empty node, or the first
        variation would become the mainline.
        """
        if self._has_just_opened:
            self._parts.append(";")
        while self._waiting:
            self._parts.append(")")
            for branch in self._waiting.pop():
                self._parts.append(self._layout.line_end + branch)
