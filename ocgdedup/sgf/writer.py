"""Go records as SGF text: FF[4], UTF-8; what columns and tags say, as properties of the root.

Owns the layout of a record, which root properties it has, in which order, and which annotations
can be left out of text that is stored as it was read. Must not know where a header comes from, nor
files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set
from typing import NamedTuple

from ocgdedup.model import USUAL_LINES
from ocgdedup.sgf.properties import property_name, value_text
from ocgdedup.sgf.root_values import UNKNOWN_DATE, date_value, shown_result
from ocgdedup.sgf.tree import Note, layout_of, name_of, pieces_of, tree_text

_FORMAT = "(;GM[1]FF[4]CA[UTF-8]"


class Record(NamedTuple):
    """A game; `start` and `notes` as a database has them (docs/go.md), `moves` as a blob."""

    header: Header
    start: str | None
    moves: bytes
    notes: Sequence[Note] = ()


class SgfWriter:
    """Writes records in lines of `width` columns, 0: each on one line.

    A line that holds comments, or what is written as it stood, is as long as that is.
    `read_date`: which Date a DT value means.
    """

    def __init__(self, width: int, read_date: Callable[[str], str]) -> None:
        self._width = width
        self._layout = layout_of(width)
        self._read_date = read_date
        self._end = ")\n\n" if width else ")\n"

    def write(self, record: Record) -> bytes:
        """Return a record as text in UTF-8.

        Raises ValueError for a start that is none and a move that is not on the board.
        """
        size, lines, stones = start_of(record.start, self._width)
        root = root_properties(record.header, self._read_date)
        tree = tree_text(record.moves, record.notes, lines, self._layout)
        line_end = self._layout.line_end
        # What belongs to the root goes on behind its last property.
        parts = [_FORMAT + size, *root, *stones, tree] if tree else [_FORMAT + size, *root, *stones]
        return f"{line_end.join(parts)}{self._end}".encode()


# --- root properties ------------------------------------------------------------------------------


# What the writer says itself, of its own text.
_OF_THE_TEXT = frozenset(("GM", "FF", "CA", "SZ"))
_USUAL_SIZE = f"SZ[{USUAL_LINES}]"
_START = re.compile(r"(SZ\[([0-9]{1,2})\])((?:A[BW](?:\[[a-z]{2}\])+)*)")
_STONE = re.compile(r"(?:A[BW])?\[[a-z]{2}\]")


class Header(NamedTuple):
    """What a database says of a game; None and "" where it says nothing.

    `tags`: those without a column (ExtraTags), `DT` and `RE` as they stood among them.
    """

    event: str | None
    site: str | None
    date: str | None
    round: str | None
    white: str | None
    black: str | None
    result: str | None
    time_control: str | None
    tags: dict[str, str]


def root_properties(header: Header, read_date: Callable[[str], str]) -> list[str]:
    """Return the properties of a header: those of columns in a fixed order, then other tags.

    A `DT` and a `RE` as they stood are written in the place of their columns, and give way to
    them if these say otherwise by now; `read_date` tells which Date a DT value means.
    """
    date, date_text = header.date or UNKNOWN_DATE, header.tags.get("DT")
    if date_text is None or date not in (UNKNOWN_DATE, read_date(date_text)):
        date_text = date_value(date) or None
    columns = {
        "EV": header.event or None,
        "DT": date_text,
        "RO": header.round or None,
        "PC": header.site or None,
        "PB": header.black or None,
        "PW": header.white or None,
        "TM": header.time_control or None,
        "RE": shown_result(header.result, header.tags.get("RE")),
    }
    properties = [name + value_text(text) for name, text in columns.items() if text is not None]
    for tag, value in header.tags.items():
        if tag in _OF_THE_TEXT or tag in ("DT", "RE"):
            continue
        name = property_name(tag)
        if name != tag and columns.get(name, "") is None:
            properties.append(f"{name}[]")  # it is the second: the first is empty
            columns[name] = ""
        properties.append(name + value_text(value))
    return properties


def start_of(text: str | None, width: int) -> tuple[str, int, list[str]]:
    """Return the size as property and number, and lines of the stones a game starts with.

    `text`: the start as it is stored, None for the empty board of 19 lines; `width`: columns of
    a line, 0 for one line. Raises ValueError for a text that is no start.
    """
    if not text:
        return _USUAL_SIZE, USUAL_LINES, []
    match = _START.fullmatch(text)
    if match is None:
        raise ValueError(f"not a start position of a Go game: {text!r}")
    return match[1], int(match[2]), _stone_lines(match[3], width)


def _stone_lines(stones: str, width: int) -> list[str]:
    """Return setup as lines, which may break between two values."""
    if not stones or not width:
        return [stones] if stones else []
    lines = [""]
    for stone in _STONE.findall(stones):
        if lines[-1] and len(lines[-1]) + len(stone) > width:
            lines.append("")
        lines[-1] += stone
    return lines


# --- annotations to leave out ---------------------------------------------------------------------


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
