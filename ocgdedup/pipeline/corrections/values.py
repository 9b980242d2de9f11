"""Corrected values of tags: which are valid, and which columns and tags of a header they set."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

from ocgdedup._kernels.names import ELO, ELO_WAS_0, FIDE_ID, TITLE
from ocgdedup.errors import UsageError
from ocgdedup.game_columns import BY_NAME, GAME_COLUMNS
from ocgdedup.game_kind import CHESS, GameKind
from ocgdedup.model import ORIGINAL_GO_NAMES, extra_tags_of
from ocgdedup.pgn.dates import UNKNOWN_DATE, parse_date
from ocgdedup.pgn.odd_values import RESULTS, UNDECIDED
from ocgdedup.sgf.root_values import read_result
from ocgdedup.store.corrections import Header
from ocgdedup.store.names import NAME_TABLES

ID_TAG, NOTE_TAG = "OcgdedupID", "UserNote"  # written by `export`
NAME_TAGS = ("Event", "Site", "White", "Black")
_EMPTY_NAME = 1  # the ID of "" in tables of names
_COLUMNS = {c.tag: c.name for c in GAME_COLUMNS if c.tag and c.is_merged}
_LARGEST_ELO = 4000
_TAG = re.compile("[A-Za-z][A-Za-z0-9_]{0,254}")
_DATE = re.compile(r"(\d{4}|\d\d\?\?|\d{3}\?|\?{4})\.(\d\d|\?\?)\.(\d\d|\?\?)", re.ASCII)
_ECO = re.compile("[A-E][0-9]{2}([a-z][0-9]?|/[0-9]{2})?", re.ASCII)
_GO_RESULT = re.compile(r"[BW]\+(R|T|F|Resign|Time|Forfeit|\d+(\.\d+)?)?|0|Draw|Void|\*", re.ASCII)
_MOVETEXT_RESULT = "MovetextResult"
# Tags that an export adds, or that follow from others.
DERIVED_TAGS = frozenset((
    "FEN", "SetUp", "PlyCount", _MOVETEXT_RESULT, "DuplicateStatus", "DuplicateGroup",
    "DuplicateSource", "DuplicateOf", ID_TAG, NOTE_TAG,
))  # fmt: skip
_DERIVED_BY_LETTERS = frozenset(tag.lower() for tag in DERIVED_TAGS)
# Bits of Games.BackFilled: the value is filled in, and not of the source.
_FILLED_BITS = {
    f"{side}{field}": bits << shift
    for shift, side in enumerate(("White", "Black"))
    for field, bits in (("FideId", FIDE_ID), ("Title", TITLE), ("Elo", ELO | ELO_WAS_0))
}
_FILLED_BY_LETTERS = {tag.lower(): bits for tag, bits in _FILLED_BITS.items()}
_TAGS_BY_LETTERS = {tag.lower(): tag for tag in (*_COLUMNS, *_FILLED_BITS)}
_TAGS_BY_PROPERTY = {c.sgf: c.tag for c in GAME_COLUMNS if c.sgf and c.tag}
_GO_RESULT_TAG = "RE"


def checked_tag(tag: str, kind: GameKind) -> str:
    """Return the name of a tag that may be corrected, with its usual capitals."""
    tag = _TAGS_BY_LETTERS.get(tag.lower(), tag)
    if kind is not CHESS:
        tag = _TAGS_BY_PROPERTY.get(tag, tag)
    if not _TAG.fullmatch(tag):
        raise UsageError(f"{tag!r} is not the name of a tag; write letters, digits and _")
    if tag.lower() in _DERIVED_BY_LETTERS:
        is_note = tag.lower() == NOTE_TAG.lower()
        remedy = "write --note TEXT" if is_note else "it follows from the game and its group"
        raise UsageError(f"{tag}: cannot be set; {remedy}")
    if kind is not CHESS and tag in _COLUMNS and not BY_NAME[_COLUMNS[tag]].sgf:
        raise UsageError(f"{tag}: is a tag of chess games")
    return tag


def checked_value(tag: str, text: str | None, kind: GameKind) -> str | None:
    """Return a value as it is stored, None if it is cleared; raise UsageError if it is invalid."""
    value = None if text is None else text.strip()
    if value in ("", "?") and tag in _COLUMNS:
        value = None
    if value is None:
        return None
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise UsageError(f"{tag}: {value!r} is not UTF-8 text")
    if any(ord(letter) < 32 for letter in value):
        raise UsageError(f"{tag}: {value!r} has line breaks or control characters")
    problem = _problem(tag, value, kind)
    if problem:
        raise UsageError(f"{tag}: {value!r} {problem}")
    if value == UNKNOWN_DATE and tag == "Date":
        return None
    return str(int(value)) if tag in ("WhiteElo", "BlackElo") else value


def _problem(tag: str, value: str, kind: GameKind) -> str | None:
    if tag == "Date" and not (_DATE.fullmatch(value) and parse_date(value)[0] == value):
        return "is not a date; write YYYY.MM.DD with ? for unknown digits"
    if tag in ("WhiteElo", "BlackElo"):
        is_number = value.isascii() and value.isdigit() and len(value) <= 4
        if not is_number or not 0 < int(value) <= _LARGEST_ELO:
            return f"is not an Elo; write a number from 1 to {_LARGEST_ELO}"
    if tag == "ECO" and not _ECO.fullmatch(value):
        return "is not an ECO code; write one from A00 to E99"
    if tag == "Result" and kind is CHESS and value not in RESULTS:
        return f"is not a result; write {', '.join(RESULTS)}"
    is_go_result = value in RESULTS or bool(_GO_RESULT.fullmatch(value))
    if tag == "Result" and kind is not CHESS and not is_go_result:
        return "is not a result; write for example B+R, W+3.5 or Draw"
    return None


def read_value(
    header: Header, game_id: int, tag: str, name_of: Callable[[str, int], str | None]
) -> str | None:
    """Return the value of a tag as it was read, None for none; filled-in values were not read."""
    tags = extra_tags_of(game_id, header["ExtraTags"])
    column = _COLUMNS.get(tag)
    originals = [tags[key] for key in _keys(tags, tag) if column]
    if (header["BackFilled"] or 0) & _FILLED_BY_LETTERS.get(tag.lower(), 0):
        return None
    if originals:
        return originals[0]
    if column is None:
        return next((tags[key] for key in tags if key.lower() == tag.lower()), None)
    value = header[column]
    if value is not None and BY_NAME[column].references in NAME_TABLES:
        value = name_of(BY_NAME[column].references, value) or None
    return None if value in (None, UNKNOWN_DATE) else str(value)


def with_value(
    header: Header, game_id: int, tag: str, value: str | None, name_id: Callable[[str, str], int]
) -> Header:
    """Return a header with a corrected value."""
    changed = dict(header)
    tags = extra_tags_of(game_id, header["ExtraTags"])
    column = _COLUMNS.get(tag)
    if column is None:
        _set_tag(tags, tag, value)
    else:
        for key in _keys(tags, tag):
            del tags[key]
        table = BY_NAME[column].references
        if table in NAME_TABLES:
            changed[column] = _EMPTY_NAME if value is None else name_id(table, value)
            if tag in ("White", "Black") and changed[column] != header[column]:
                changed[f"{tag}PersonID"] = None
        elif tag == "Date":
            changed[column] = value or UNKNOWN_DATE
            changed["DateQuality"] = parse_date(value or "")[1]
        elif tag == "Result":
            changed[column] = value or UNDECIDED
            if value is not None and value not in RESULTS:
                changed[column], tags[_GO_RESULT_TAG] = read_result(value), value
        else:
            changed[column] = int(value) if value and tag.endswith("Elo") else value
    return _with_tags(changed, header, tags, tag, game_id)


def with_value_of(header: Header, source: Header, game_id: int, tag: str) -> Header:
    """Return a header with the value of a tag in another header."""
    changed = dict(header)
    tags = extra_tags_of(game_id, header["ExtraTags"])
    column = _COLUMNS.get(tag)
    if column is None:
        found = extra_tags_of(game_id, source["ExtraTags"])
        value = next((found[key] for key in found if key.lower() == tag.lower()), None)
        _set_tag(tags, tag, value)
    else:
        for key in _keys(tags, tag):
            del tags[key]
        changed[column] = source[column]
        text = extra_tags_of(game_id, source["ExtraTags"]).get(_GO_RESULT_TAG)
        if tag == "Result" and text is not None:
            tags[_GO_RESULT_TAG] = text
        companion = {"Date": "DateQuality"}.get(tag, f"{tag}PersonID")
        if companion in source:
            changed[companion] = source[companion]
    return _with_tags(changed, header, tags, tag, game_id)


def _with_tags(
    changed: Header, before: Header, tags: Mapping[str, str], tag: str, game_id: int
) -> Header:
    """Return a header with tags, in which a tag is not filled in."""
    if tags != extra_tags_of(game_id, before["ExtraTags"]):
        changed["ExtraTags"] = json.dumps(tags, ensure_ascii=False) if tags else None
    bits = _FILLED_BY_LETTERS.get(tag.lower(), 0)
    if (changed["BackFilled"] or 0) & bits:
        changed["BackFilled"] &= ~bits
    return changed


def _set_tag(tags: dict[str, str], tag: str, value: str | None) -> None:
    keys = [key for key in tags if key.lower() == tag.lower()]
    for key in keys[1:] if value is not None else keys:
        del tags[key]
    if value is not None:
        tags[keys[0] if keys else tag] = value


def _keys(tags: Mapping[str, str], tag: str) -> list[str]:
    """Return the tags that hold the value of a column as it was read."""
    kept = {tag, f"Original{tag}"}
    if tag == "Result":
        kept.add(_MOVETEXT_RESULT)
    for name, go_tag in zip(NAME_TAGS, ORIGINAL_GO_NAMES, strict=True):
        if name == tag:
            kept.add(go_tag)
    sgf = BY_NAME[_COLUMNS[tag]].sgf if tag in _COLUMNS else ""
    return [key for key in tags if key in kept or (sgf and key == sgf)]
