"""Annotations left out of SGF text that is stored as it stood.

Works on the text of one annotation. Must not know games.
"""

from __future__ import annotations

from collections.abc import Set

from ocgdedup.sgf.tree import name_of, pieces_of

COMMENT = "C"
# FF[4], "Move annotation properties" and those of a node that judge it: what NAGs are in PGN.
JUDGEMENTS = frozenset(("BM", "DO", "IT", "TE", "DM", "GB", "GW", "HO", "UC"))
# FF[4], "Timing properties".
CLOCKS = frozenset(("BL", "WL", "OB", "OW"))

_EMPTY_BRANCH = "(;)"


def stripped_text(text: str, names: Set[str], *, variations: bool) -> str | None:
    """Return what stays without the properties of these names, None if that is nothing.

    `variations`: branches go. Nodes that had nothing else go too, but for one that must stand at
    the start of a branch, and a further node of the mainline: more of it may follow.
    """
    pieces = pieces_of(text)
    if pieces is None:  # written as a comment
        return None if COMMENT in names else text
    if variations and text.lstrip()[:1] == "(":
        return None
    kept = [piece for piece in pieces if name_of(piece) not in names]
    if len(kept) == len(pieces):
        return text
    stripped = "".join(_without_empty_nodes(kept)).strip()
    return stripped if stripped not in ("", _EMPTY_BRANCH) else None


def _without_empty_nodes(pieces: list[str]) -> list[str]:
    """Leave out nodes without properties, but for one that must stand at the start of a branch."""
    kept: list[str] = []
    for piece in pieces:
        if kept and kept[-1][0] == ";" and piece[0] in ";()":
            is_first = len(kept) > 1 and kept[-2][0] == "("
            if not is_first or piece[0] == ";":
                kept.pop()
        kept.append(piece)
    return kept
