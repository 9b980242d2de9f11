"""The root of a Go record to columns and tags, its notes to comments and annotations.

Owns which property becomes what (docs/go.md). Must not know databases.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import NamedTuple

from ocgdedup._kernels import go as go_kernel
from ocgdedup.game_columns import GAME_COLUMNS
from ocgdedup.garbled import repaired_name
from ocgdedup.model import ORIGINAL_GO_NAMES
from ocgdedup.sgf.properties import simple_text_of, text_of
from ocgdedup.sgf.root_values import UNKNOWN_DATE, date_value, read_date, read_result, result_value

_FAULTS = {
    go_kernel.OFF_BOARD: "point off the board",
    go_kernel.NO_POINT: "no point",
    go_kernel.OPEN_VALUE: "value without an end",
    go_kernel.NO_VALUE: "property without a value",
    go_kernel.STRAY: "text where no text belongs",
    go_kernel.OPEN_TREE: "the record has no end",
    go_kernel.TOO_LONG: "the record is too long",
    go_kernel.TOO_DEEP: "more than 1,024 branches, one in the other",
}
_REJECTIONS = {
    go_kernel.NO_GAME: "text that belongs to no game",
    go_kernel.OTHER_GAME: "not a game of Go (GM)",
    go_kernel.BOARD: "no square board of up to 25 lines (SZ)",
}
_OF_A_VALUE = (go_kernel.OFF_BOARD, go_kernel.NO_POINT)
_SHOWN_LETTERS = 24


class SgfRecord(NamedTuple):
    """A record of a block, as it stands there: places are bytes of the block, text has its escapes.

    `rejection`: 0 for a game, else only the next two say anything. `fault` 0: none. `start`: as
    Games.FEN. `keys`: as go_moves.keys_of() has them. `charset`: None for UTF-8. `properties`:
    (name, value) of the root. `notes`: (ply, position, kind, text), with the kernel's kinds.
    """

    rejection: int
    begins: int
    ends: int
    fault: int
    fault_at: int
    moves: bytes
    start: str | None
    keys: tuple[int, int, int, int, int]
    charset: str | None
    properties: list[tuple[str, str]]
    notes: list[tuple[int, int, int, str]]


def reason_of_fault(fault: int, rest: str) -> str:
    """Say what is wrong, with what stands there: `rest` is the text from the fault on."""
    word = " ".join(rest.split())[:_SHOWN_LETTERS]
    if fault in _OF_A_VALUE:
        word = word.partition("]")[0] + "]"
    return f"{_FAULTS[fault]}: {word}" if word else _FAULTS[fault]


def reason_of_rejection(rejection: int) -> str:
    """Say why a record is no game that can be stored."""
    return _REJECTIONS[rejection]


ReadDate = Callable[[str], tuple[str, int]]

# What a column says whole; of date and result a tag may have more.
_IN_COLUMNS = tuple(
    column.sgf for column in GAME_COLUMNS if column.sgf and column.sgf not in ("DT", "RE")
)
# Said anew by every file that is written: no tags.
_OF_THE_FILE = frozenset(("GM", "FF", "CA", "SZ"))
_SMALL_LETTERS = r"[a-z]"
# SGF's own; what others put into private properties may have lines.
_ONE_LINE = frozenset(
    ("AN", "AP", "BR", "BT", "CP", "DT", "EV", "GN", "HA", "KM", "ON", "OT", "PB", "PC", "PL", "PW")
).union(("RE", "RO", "RU", "SO", "ST", "TM", "US", "WR", "WT"))


# The tags that keep those names as they stood which were garbled.
_NAMES = dict(zip(("EV", "PC", "PW", "PB"), ORIGINAL_GO_NAMES, strict=True))


class RootValues(NamedTuple):
    """What the root of a record says; texts are "" where it says nothing, `tags` is JSON."""

    event: str
    site: str
    white: str
    black: str
    date: str
    date_quality: int
    round: str
    time_control: str
    result: str
    tags: str | None


class NoteRows(NamedTuple):
    """Comments as (ply, text, position), annotations as (ply, position, text)."""

    comments: list[tuple[int, str, int]]
    annotations: list[tuple[int, int, str]]
    has_branches: bool


def root_values(properties: list[tuple[str, str]], read_odd_date: ReadDate) -> RootValues:
    """Return what the properties of a root say; `read_odd_date` reads dates that are no SGF."""
    tags: dict[str, str] = {}
    values: dict[str, str] = {}
    garbled: dict[str, str] = {}
    for written, raw in properties:
        name = written if written.isupper() else capitals_of(written)
        if name in _OF_THE_FILE:
            continue
        text = simple_text_of(raw) if name in _ONE_LINE else text_of(raw)
        if name in _NAMES and name not in values and repaired_name(text_of(raw)) != text_of(raw):
            garbled[name] = " ".join(text_of(raw).split("\n"))
            text = repaired_name(garbled[name])
        if name in values:
            tags[_free_name(name, tags)] = text
        else:
            values[name] = tags[name] = text
    for name in _IN_COLUMNS:
        tags.pop(name, None)
    for name in _NAMES:  # in one order, whatever that of the properties is
        if name in garbled:
            original = _NAMES[name]
            if tags.get(original, garbled[name]) != garbled[name]:  # a tag of the file itself
                tags[_free_name(original, tags)] = tags[original]
            tags[original] = garbled[name]
    date, quality = _read_date(values.get("DT", ""), tags, read_odd_date)
    result = read_result(values.get("RE", ""))
    if tags.get("RE") == result_value(result):
        del tags["RE"]
    # Those of columns first, as a file is written.
    tags = {name: tags[name] for name in ("DT", "RE") if name in tags} | tags
    return RootValues(
        values.get("EV", ""),
        values.get("PC", ""),
        values.get("PW", ""),
        values.get("PB", ""),
        date,
        quality,
        values.get("RO", ""),
        values.get("TM", ""),
        result,
        json.dumps(tags, ensure_ascii=False, separators=(",", ":")) if tags else None,
    )


def capitals_of(name: str) -> str:
    """Return the name of a property as FF[4] has it: small letters do not count."""
    return re.sub(_SMALL_LETTERS, "", name) or name


def _free_name(name: str, tags: dict[str, str]) -> str:
    """Return a name for a property that stands twice: "PB_2"."""
    number = 2
    while f"{name}_{number}" in tags:
        number += 1
    return f"{name}_{number}"


def _read_date(text: str, tags: dict[str, str], read_odd_date: ReadDate) -> tuple[str, int]:
    """Return the date and its quality; the text stays a tag unless the date says all of it."""
    date, quality = read_date(text)
    if not quality and text:
        date, quality = read_odd_date(text)
    if text == date_value(date) and (text or date == UNKNOWN_DATE):
        tags.pop("DT", None)
    return date, quality


def note_rows(record: SgfRecord) -> NoteRows:
    """Return the comments and annotations of a record; those that say nothing are left out."""
    comments: list[tuple[int, str, int]] = []
    annotations: list[tuple[int, int, str]] = []
    has_branches = False
    for ply, position, kind, raw in record.notes:
        if kind == go_kernel.COMMENT:
            text = text_of(raw)
            if text.strip():
                comments.append((ply, text, position))
        elif text := raw.strip():
            annotations.append((ply, position, text))
            has_branches = has_branches or kind == go_kernel.BRANCH
    return NoteRows(comments, annotations, has_branches)
