"""Text of SGF that a database keeps as it stood: properties, nodes, branches (docs/go.md).

Owns the grammar of such text: is it SGF, what are its parts. Must not know what properties mean.

FF[4]: "GameTree = "(" Sequence { GameTree } ")"; Sequence = Node { Node }; Node = ";" { Property };
Property = PropIdent PropValue { PropValue }".
"""

from __future__ import annotations

import re

# A value without an end goes to the end of the text. FF[3] has small letters in names.
_PIECE = re.compile(
    r"(?P<sign>[;()])\s*"
    r"|[A-Za-z0-9_]+\s*(?:\[[^\]\\]*(?:\\.[^\]\\]*)*(?P<end>\]\s*|\\?\Z))+",
    re.DOTALL,
)
_PROPERTY = "property"
# What may stand behind what, where "" is the start, in a branch, in nodes and in properties alone.
_BRANCH = {"": "(", "(": ";", ";": "(;)" + _PROPERTY, _PROPERTY: "(;)" + _PROPERTY, ")": "()"}
_NODES = {"": ";", ";": ";" + _PROPERTY, _PROPERTY: ";" + _PROPERTY}
_PROPERTIES = {"": _PROPERTY, _PROPERTY: _PROPERTY}


def pieces_of(text: str) -> list[str] | None:
    """Return the signs and properties of a stored text, each with the blanks behind it.

    What is open at its end is closed. None if it is neither one branch nor a sequence of nodes nor
    the properties of one node.
    """
    text = text.strip()
    followers = {"(": _BRANCH, ";": _NODES}.get(text[:1], _PROPERTIES)
    pieces: list[str] = []
    place = depth = 0
    last = ""
    while place < len(text):
        found = _PIECE.match(text, place)
        sign = (found["sign"] or _PROPERTY) if found else ""
        if found is None or sign not in followers[last] or (last == ")" and depth == 0):
            return None
        depth += (sign == "(") - (sign == ")")
        place, last = found.end(), sign
        pieces.append(found[0] + _missing_end(found))
    if last in ("", "("):
        return None
    return [*pieces, *[")"] * depth]


def _missing_end(found: re.Match[str]) -> str:
    """Return what closes the last value of a property, "" if it has its end."""
    end = found["end"]
    if end is None or end.startswith("]"):
        return ""
    return end + "]"  # a backslash at the end would take the bracket: it gets one itself


def name_of(piece: str) -> str:
    """Return the name of a property as FF[4] has it, in capitals alone; "" for a sign."""
    name = piece.partition("[")[0].strip()
    return "".join(filter(str.isupper, name)) if name[:1] not in ("(", ")", ";") else ""
