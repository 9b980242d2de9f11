"""Convert the root of a Go record to columns and tags, its notes to comments and annotations.

Owns which property goes where (docs/go.md). Must not know databases.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import NamedTuple

from ocgdedup._kernels import go as go_kernel
from ocgdedup.game_columns import GAME_COLUMNS
from ocgdedup.garbled import decoded_text, repaired_name
from ocgdedup.model import ORIGINAL_GO_NAMES
from ocgdedup.sgf.properties import FORMAT_NAMES, simple_text_of, text_of
from ocgdedup.sgf.root_values import (
    UNKNOWN_DATE,
    date_value,
    komi_points,
    read_date,
    read_result,
    result_value,
)

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
REJECTION_REASONS = {
    go_kernel.NO_GAME: "text that belongs to no game",
    go_kernel.OTHER_GAME: "not a game of Go (GM)",
    go_kernel.BOARD: "no square board of up to 25 lines (SZ)",
}
_VALUE_FAULTS = (go_kernel.OFF_BOARD, go_kernel.NO_POINT)
_SHOWN_LETTERS = 24


class SgfRecord(NamedTuple):
    """A record of a block; offsets are in bytes of the block, text is still escaped.

    `rejection`: 0 for a game; otherwise only the two offsets after it are set. `fault`: 0 if there
    is none. `start`: as in Games.FEN. `keys`: the result of keys_of(). `charset`: None for UTF-8.
    `properties`: (name, value) of the root. `notes`: (ply, position, the kernel's kind, text).
    """

    rejection: int
    start_offset: int
    end_offset: int
    fault: int
    fault_offset: int
    moves: bytes
    start: str | None
    keys: tuple[int, int, int, int, int]
    charset: str | None
    properties: list[tuple[str, str]]
    notes: list[tuple[int, int, int, str]]


def reason_of_fault(fault: int, rest: str) -> str:
    """Return a fault in words, with the first letters of `rest`: the text from the fault on."""
    word = " ".join(rest.split())[:_SHOWN_LETTERS]
    if fault in _VALUE_FAULTS:
        word = word.partition("]")[0] + "]"
    return f"{_FAULTS[fault]}: {word}" if word else _FAULTS[fault]


ReadDate = Callable[[str], tuple[str, int]]

# Properties whose value is stored in a column alone; DT and RE may hold more than their columns.
_COLUMN_NAMES = tuple(
    column.sgf for column in GAME_COLUMNS if column.sgf and column.sgf not in ("DT", "RE")
)
# SimpleText properties of SGF; private properties may have several lines.
_ONE_LINE = frozenset(
    ("AN", "AP", "BR", "BT", "CP", "DT", "EV", "GN", "HA", "KM", "ON", "OT", "PB", "PC", "PL", "PW")
).union(("RE", "RO", "RU", "SO", "ST", "TM", "US", "WR", "WT"))
# By property: the tag for the original text of a garbled name.
_ORIGINAL_TAGS = dict(zip(("EV", "PC", "PW", "PB"), ORIGINAL_GO_NAMES, strict=True))


class RootValues(NamedTuple):
    """The values of a root; missing texts are "", `tags` is JSON."""

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
    """Return the values of a root; `read_odd_date` reads dates that are not in the form of SGF."""
    tags: dict[str, str] = {}
    values: dict[str, str] = {}
    garbled: dict[str, str] = {}
    for written, raw in properties:
        name = written if written.isupper() else capitals_of(written)
        if name in FORMAT_NAMES:
            continue
        text = simple_text_of(raw) if name in _ONE_LINE else text_of(raw)
        may_be_garbled = name in _ORIGINAL_TAGS and name not in values
        if may_be_garbled and repaired_name(full := text_of(raw)) != full:
            garbled[name] = full.replace("\n", " ")
            text = repaired_name(garbled[name])
        if name in values:
            tags[_free_name(name, tags)] = text
        else:
            values[name] = tags[name] = text
    _fill_standard(values, tags, read_odd_date)
    for name in _COLUMN_NAMES:
        tags.pop(name, None)
    for name, original in _ORIGINAL_TAGS.items():  # whatever the order of the properties
        if name in garbled:
            if tags.get(original, garbled[name]) != garbled[name]:  # the file has this tag, too
                tags[_free_name(original, tags)] = tags[original]
            tags[original] = garbled[name]
    date, quality = _read_date(values.get("DT", ""), tags, read_odd_date)
    result = read_result(values.get("RE", ""))
    if tags.get("RE") == result_value(result):
        del tags["RE"]
    # In the order in which a file is written.
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
    """Return the FF[4] name of a property: small letters do not count in FF[3].

    A name of one or two small letters is a name in capitals.
    """
    return re.sub("[a-z]", "", name) or (name.upper() if len(name) <= 2 else name)


def _free_name(name: str, tags: dict[str, str]) -> str:
    """Return a name for a repeated property: "PB_2"."""
    number = 2
    while f"{name}_{number}" in tags:
        number += 1
    return f"{name}_{number}"


def _fill_standard(values: dict[str, str], tags: dict[str, str], read_odd_date: ReadDate) -> None:
    """Fill missing EV, DT and KM: Chinese programs write TE, RD and KO."""
    event, date, komi = (values.get(name, "") for name in ("TE", "RD", "KO"))
    values["EV"] = values.get("EV") or simple_text_of(event)
    if not values.get("DT") and _any_date(date, read_odd_date)[1]:
        values["DT"] = tags["DT"] = date
    if not values.get("KM") and komi_points(komi) is not None:
        tags["KM"] = komi


def _read_date(text: str, tags: dict[str, str], read_odd_date: ReadDate) -> tuple[str, int]:
    """Return the date and its quality; remove DT if the date expresses all that it says."""
    date, quality = _any_date(text, read_odd_date)
    if text == date_value(date) and (text or date == UNKNOWN_DATE):
        tags.pop("DT", None)
    return date, quality


def _any_date(text: str, read_odd_date: ReadDate) -> tuple[str, int]:
    """Return a date in the form of SGF or in another one, and its quality."""
    date, quality = read_date(text)
    return (date, quality) if quality or not text else read_odd_date(text)


def note_rows(record: SgfRecord) -> NoteRows:
    """Return the comments and annotations of a record, without blank ones."""
    comments: list[tuple[int, str, int]] = []
    annotations: list[tuple[int, int, str]] = []
    has_branches = False
    for ply, position, kind, raw in record.notes:
        if kind == go_kernel.COMMENT:
            text = decoded_text(text_of(raw))
            if text.strip():
                comments.append((ply, text, position))
        elif text := raw.strip():
            annotations.append((ply, position, text))
            has_branches = has_branches or kind == go_kernel.BRANCH
    return NoteRows(comments, annotations, has_branches)
