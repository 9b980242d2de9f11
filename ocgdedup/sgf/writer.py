"""Write Go records as SGF text (FF[4], UTF-8), with columns and tags as root properties.

Owns the layout of a record, its root properties and their order, and how annotations are stripped
from stored SGF text. Must not know files or where a header comes from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set
from typing import NamedTuple

from ocgdedup.model import USUAL_LINES
from ocgdedup.sgf.properties import FORMAT_NAMES, property_name, value_text
from ocgdedup.sgf.root_values import UNKNOWN_DATE, date_value, shown_result
from ocgdedup.sgf.tree import Note, layout_of, name_of, pieces_of, tree_text

_FORMAT = "(;GM[1]FF[4]CA[UTF-8]"


class Record(NamedTuple):
    """A game; `start` and `notes` as stored in a database (docs/go.md), `moves` as a blob."""

    header: Header
    start: str | None
    moves: bytes
    notes: Sequence[Note] = ()


class SgfWriter:
    """Writes records in lines of `width` columns, or each record on one line if it is 0.

    Lines with comments or stored SGF text may be longer. `read_date` returns the Date for a DT
    value.
    """

    def __init__(self, width: int, read_date: Callable[[str], str]) -> None:
        self._width = width
        self._layout = layout_of(width)
        self._read_date = read_date
        self._end = ")\n\n" if width else ")\n"

    def write(self, record: Record) -> bytes:
        """Return a record as text in UTF-8.

        Raises ValueError for an invalid start and for a move that is not on the board.
        """
        size, lines, stones = start_of(record.start, self._width)
        root = root_properties(record.header, self._read_date)
        tree = tree_text(record.moves, record.notes, lines, self._layout)
        parts = [_FORMAT + size, *root, *stones, *([tree] if tree else [])]
        return f"{self._layout.line_end.join(parts)}{self._end}".encode()


# --- root properties ------------------------------------------------------------------------------


_DEFAULT_SIZE = f"SZ[{USUAL_LINES}]"
_START = re.compile(r"(SZ\[([0-9]{1,2})\])((?:A[BW](?:\[[a-z]{2}\])+)*)")
_STONE = re.compile(r"(?:A[BW])?\[[a-z]{2}\]")


class Header(NamedTuple):
    """The header of a game in a database; missing values are None or "".

    `tags`: tags without a column (ExtraTags), among them `DT` and `RE` as they were read.
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
    """Return the properties of a header: columns in a fixed order, then other tags.

    The tags `DT` and `RE` are written instead of their columns, unless a column has been changed
    since. `read_date` returns the Date for a DT value.
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
        if tag in FORMAT_NAMES or tag in ("DT", "RE"):
            continue
        name = property_name(tag)
        if name != tag and columns.get(name, "") is None:
            properties.append(f"{name}[]")  # "PB_2" is read back as the second PB of the root
            columns[name] = ""
        properties.append(name + value_text(value))
    return properties


def start_of(text: str | None, width: int) -> tuple[str, int, list[str]]:
    """Return the board size as a property and as a number, and the setup stones as lines.

    `text`: the stored start, None for an empty board of 19 lines; `width`: columns of a line, 0
    for one line. Raises ValueError for a text that is not a start.
    """
    if not text:
        return _DEFAULT_SIZE, USUAL_LINES, []
    match = _START.fullmatch(text)
    if match is None:
        raise ValueError(f"not a start position of a Go game: {text!r}")
    return match[1], int(match[2]), _stone_lines(match[3], width)


def _stone_lines(stones: str, width: int) -> list[str]:
    """Return setup stones as lines, broken between values."""
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
# FF[4], "Move annotation properties" and "Node annotation properties": the NAGs of SGF.
JUDGEMENTS = frozenset(("BM", "DO", "IT", "TE", "DM", "GB", "GW", "HO", "UC"))
# FF[4], "Timing properties".
CLOCKS = frozenset(("BL", "WL", "OB", "OW"))

_EMPTY_BRANCH = "(;)"


def stripped_text(text: str, names: Set[str], *, variations: bool) -> str | None:
    """Return an annotation without the properties of these names; None if nothing is left.

    `variations`: leave out branches, too. Nodes that become empty are left out, except the first
    of a branch and the last of the text, which may continue in the next annotation.
    """
    pieces = pieces_of(text)
    if pieces is None:  # the text is written as a comment
        return None if COMMENT in names else text
    if variations and text.lstrip()[:1] == "(":
        return None
    kept = [piece for piece in pieces if name_of(piece) not in names]
    if len(kept) == len(pieces):
        return text
    stripped = "".join(_without_empty_nodes(kept)).strip()
    return stripped if stripped not in ("", _EMPTY_BRANCH) else None


def _without_empty_nodes(pieces: list[str]) -> list[str]:
    """Leave out nodes without properties, except the first of a branch."""
    kept: list[str] = []
    for piece in pieces:
        if kept and kept[-1][0] == ";" and piece[0] in ";()":
            is_first = len(kept) > 1 and kept[-2][0] == "("
            if not is_first or piece[0] == ";":
                kept.pop()
        kept.append(piece)
    return kept
