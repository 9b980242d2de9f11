"""The root of a Go record going out: what a game's columns and tags say, as properties.

Owns which properties, in which order. Must not know where a header comes from.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from ocgdedup.model import USUAL_LINES
from ocgdedup.sgf.properties import property_name, value_text
from ocgdedup.sgf.root_values import UNKNOWN_DATE, date_value, shown_result

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
    columns = {
        "EV": header.event or None,
        "DT": _date_text(header, read_date),
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


def _date_text(header: Header, read_date: Callable[[str], str]) -> str | None:
    date, text = header.date or UNKNOWN_DATE, header.tags.get("DT")
    if text is None or date not in (UNKNOWN_DATE, read_date(text)):
        return date_value(date) or None
    return text


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
