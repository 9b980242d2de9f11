"""Read the players of FIDE's text lists.

Owns the two families of layouts. Must not know how the file was opened or compressed.

Since September 2012 the header is exactly above the columns and gives their offsets. In older lists
its words are shifted (APR04), joined ("TitlFed"), incomplete or absent. There a line is read by its
form: ID, name, title in small letters, federation in capitals, rating, games, birthday, flag.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from ocgdedup.fide import fields
from ocgdedup.fide.list_file import ListFile
from ocgdedup.model import FidePlayer

_COLUMN_NAMES = {
    "id number": "id", "id_number": "id", "name": "name", "fed": "country", "sex": "sex",
    "tit": "title", "wtit": "woman_title", "srtng": "standard", "rrtng": "rapid", "brtng": "blitz",
    "rating": "single", "b-day": "birthday", "flag": "flag",
}  # fmt: skip
# The possible ratings of a list with one rating column, in the order of FidePlayer
_RATINGS = {"rating": "standard", "rapid": "rapid", "blitz": "blitz"}
_HEADER_WORD = r"ID[ _]Number|\S+"
_OLD_HEADER = r"\s*(?:ID[ _]?NUMBER|CODE)\s+NAME\b"
_OLD_LINE = (
    r"\s*(?P<id>\d{1,9})\s+(?P<name>\S.*?)"
    r"(?:\s(?P<title>w?[gmfch]))?\s{1,8}(?P<country>[A-Z]{3})"
    r"\s{1,6}(?P<rating>\d{3,4}|0)(?:\s+\d{1,3}(?!\d|\.))?"
    r"(?:\s+(?P<birthday>\d{1,2}\.\d{1,2}\.\d{2,4}|[12]\d{3}|0+|\.\s+\.))?"
    r"\s*(?P<flag>[a-z]{0,2})\s*$"
)
_HEAD_LINES = 20
_JUDGED_LINES = 100
_CACHED = 1024  # a few hundred different texts fill a million lines
_SAMPLE_BYTES = 1 << 17
_USUAL_TITLE_GAP = 4


class TextHead(NamedTuple):
    """The header of a text list; without one, `line` is 0 and `text` is ""."""

    line: int
    text: str
    month: str | None
    has_columns: bool


def find_head(lines: list[str]) -> TextHead | None:
    """Return the header of a text list by its first lines, None if they are not of a list."""
    for line, text in enumerate(lines[:_HEAD_LINES], 1):
        words = {match[0].lower() for match in re.finditer(_HEADER_WORD, text, re.IGNORECASE)}
        if words & {"id number", "id_number"} and {"name", "fed", "sex"} <= words:
            return TextHead(line, text, fields.find_month(text), True)
        if re.match(_OLD_HEADER, text, re.IGNORECASE):
            return TextHead(line, text, fields.find_month(text), False)
        if re.match(_OLD_LINE, text):
            return TextHead(0, "", None, False)
        if text.strip():
            return None
    return None


def read_text_players(
    file: ListFile, head: TextHead, *, rating_field: str, skip: Callable[[str], None]
) -> Iterator[FidePlayer]:
    """Yield the players of a list; call `skip` with the location of each line without a player.

    `rating_field`: which rating a list with one rating column has: "rating", "rapid" or "blitz".
    Raise RatingListError at damage, if the last line is truncated, and if the lines do not fit the
    header.
    """
    if head.has_columns:
        parse = _column_parser(head, rating_field)
    else:
        parse = _old_parser(file, head, rating_field)
    width = 0
    read = skipped = 0
    for block in file.read_lines():
        for line, text in enumerate(block.lines, block.first_line):
            if line <= head.line or not text or text.isspace():
                continue
            if not block.has_end and len(text) < width:
                raise file.error(line, "ends in the middle of a player; download it again")
            try:
                yield parse(text)
            except ValueError:
                skipped += 1
                skip(f"line {line}")
            else:
                read += 1
            width = len(text)
            if read + skipped == _JUDGED_LINES:
                _require_players(file, line, read=read, skipped=skipped)
    _require_players(file, head.line + 1, read=read, skipped=skipped)


def _require_players(file: ListFile, line: int, *, read: int, skipped: int) -> None:
    """Raise RatingListError unless most lines fit the layout."""
    if read <= skipped:
        raise file.error(
            line,
            f"{skipped} of {read + skipped} lines are not players: "
            "the layout of this list is unknown; give FIDE's XML list of that month",
        )


def _column_parser(head: TextHead, rating_field: str) -> Callable[[str], FidePlayer]:
    """Return a parser of lines by columns; it raises ValueError for a line without a player."""
    columns = _find_columns(head.text, rating_field)

    def parse(text: str) -> FidePlayer:
        name = fields.parse_name(text[columns["name"]])
        flag = text[columns["flag"]].strip()
        return FidePlayer(
            fields.parse_fide_id(text[columns["id"]]),
            name,
            _parse_country(text[columns["country"]]),
            text[columns["sex"]].strip() or ("F" if "w" in flag else ""),
            _parse_titles(text[columns["title"]]),
            fields.parse_rating(text[columns["standard"]]),
            fields.parse_rating(text[columns["rapid"]]),
            fields.parse_rating(text[columns["blitz"]]),
            fields.parse_birth_year(text[columns["birthday"]]),
            flag,
        )

    return parse


def _find_columns(header: str, rating_field: str) -> Mapping[str, slice]:
    """Return the columns of each field: from its word in the header to the next word.

    An absent field has the empty slice.
    """
    words = list(re.finditer(_HEADER_WORD, header, re.IGNORECASE))
    ends: list[int | None] = [word.start() for word in words[1:]]
    columns = defaultdict[str, slice](lambda: slice(0, 0))
    for word, end in zip(words, [*ends, None], strict=True):
        name = _COLUMN_NAMES.get(word[0].lower())
        if name is None and fields.find_month(word[0]):
            name = "single"
        if name:
            columns[name] = slice(word.start(), end)
    titles, woman_titles = columns["title"], columns.get("woman_title")
    if woman_titles and titles.stop == woman_titles.start:
        columns["title"] = slice(titles.start, woman_titles.stop)
    columns["id"] = slice(0, columns["name"].start)
    columns.setdefault(_RATINGS[rating_field], columns["single"])
    return columns


@lru_cache(maxsize=_CACHED)
def _parse_titles(text: str) -> str:
    return fields.best_title(text.split())


@lru_cache(maxsize=_CACHED)
def _parse_country(text: str) -> str:
    """Return a code; raise ValueError for another length: the columns are shifted."""
    country = text.strip()
    if len(country) not in (0, 3):
        raise ValueError("no federation")
    return country


def _old_parser(file: ListFile, head: TextHead, rating_field: str) -> Callable[[str], FidePlayer]:
    """Return a parser of lines by their form; it raises ValueError for a line without a player."""
    match_line = re.compile(_OLD_LINE).match
    list_year = int(head.month[:4]) if head.month else None
    title_gap = _find_title_gap(file)

    def parse(text: str) -> FidePlayer:
        match = match_line(text)
        if not match:
            raise ValueError("no player")
        fide_id, name, title, country, points, birthday, flag = match.groups()
        if title and match.start("country") - match.start("title") != title_gap:
            name, title = text[match.start("name") : match.start("country")], ""
        rating = fields.parse_rating(points)
        standard, rapid, blitz = (rating if field == rating_field else None for field in _RATINGS)
        return FidePlayer(
            fields.parse_fide_id(fide_id),
            fields.parse_name(name),
            country,
            "F" if "w" in flag or (title or "").startswith("w") else "",
            fields.best_title((title,)) if title else "",
            standard,
            rapid,
            blitz,
            fields.parse_birth_year(birthday or "", list_year=list_year),
            flag,
        )

    return parse


def _find_title_gap(file: ListFile) -> int:
    """Return the offset of titles before the federation, which differs from year to year.

    Names are truncated to their column, so "De c" or "Pereira m" can end like a title.
    """
    gaps = Counter(
        match.start("country") - match.start("title")
        for match in map(re.compile(_OLD_LINE).match, file.peek_lines(_SAMPLE_BYTES))
        if match and match["title"] and match.string[: match.start("title")].endswith("  ")
    )
    return gaps.most_common(1)[0][0] if gaps else _USUAL_TITLE_GAP
