"""Text of SGF that a database keeps as it stood: properties, nodes, branches (docs/go.md).

Owns the grammar of such text: is it SGF, what are its parts. Must not know what properties mean.

FF[4]: "GameTree = "(" Sequence { GameTree } ")"; Sequence = Node { Node }; Node = ";" { Property };
Property = PropIdent PropValue { PropValue }".
"""

from __future__ import annotations

import re

_SIGN = r"(?P<sign>[;()])\s*"
_NAME = r"[A-Za-z][A-Za-z0-9]*\s*"  # FF[3] has small letters in names
# A value without an end goes to the end of the text.
_PIECE = rf"{_SIGN}|{_NAME}(?:\[[^\]\\]*(?:\\.[^\]\\]*)*(?P<end>\]\s*|\\?\Z))+"
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
        return [re.sub(_BARE_BRACKET, _escape, piece, flags=re.DOTALL) for piece in pieces]
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
        pieces.append(match[0] + _missing_end(match))
    return ([], 0) if last in ("", "(") else (pieces, depth)


def _escape(match: re.Match[str]) -> str:
    return match[0] if match[0][0] == "\\" else "\\]"


def _missing_end(match: re.Match[str]) -> str:
    """Return what closes the last value of a property, "" if it has its end."""
    end = match["end"]
    if end is None or end.startswith("]"):
        return ""
    return end + "]"  # a backslash at the end would take the bracket: it gets one itself


def name_of(piece: str) -> str:
    """Return the name of a property as FF[4] has it, in capitals alone; "" for a sign."""
    name = piece.partition("[")[0].strip()
    return "".join(filter(str.isupper, name)) if name[:1] not in ("(", ")", ";") else ""
