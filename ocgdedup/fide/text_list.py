"""Read the players of FIDE's text lists.

Owns the two families of layouts. Must not know how the file was opened or compressed.

Since September 2012 the header is exactly above the columns and gives their offsets. In older lists
its words are shifted (APR04), joined ("TitlFed"), incomplete or absent. There a line is read by its
form: ID, name, title in small letters, federation in capitals, rating, games, birthday, flag.

A kernel reads plain lines in columns. Python reads the others, and all lines of older lists.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from ocgdedup._kernels.names import ListedPlayers
from ocgdedup.fide import fields
from ocgdedup.fide.list_file import LineBlock, ListFile, decode_lines
from ocgdedup.model import FidePlayer

_COLUMN_NAMES = {
    "id number": "id", "id_number": "id", "name": "name", "fed": "country", "sex": "sex",
    "tit": "title", "wtit": "woman_title", "srtng": "standard", "rrtng": "rapid", "brtng": "blitz",
    "rating": "single", "b-day": "birthday", "flag": "flag",
}  # fmt: skip
# The possible ratings of a list with one rating column, in the order of FidePlayer
_RATINGS = {"rating": "standard", "rapid": "rapid", "blitz": "blitz"}
# In the order of ListedPlayers.add_lines()
_KERNEL_COLUMNS = (
    "id", "name", "country", "sex", "title", "standard", "rapid", "blitz", "birthday", "flag",
)  # fmt: skip
_LINE_END = 1 << 20  # beyond all lines
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


class TextReader:
    """Reads the players of a list; calls `skip` with the location of each line without a player.

    `rating_field`: which rating a list with one rating column has: "rating", "rapid" or "blitz".
    """

    def __init__(
        self, file: ListFile, head: TextHead, *, rating_field: str, skip: Callable[[str], None]
    ) -> None:
        self._file = file
        self._head = head
        self._skip = skip
        self._columns: list[tuple[int, int]] = []  # that a kernel scans
        if head.has_columns:
            columns = _find_columns(head.text, rating_field)
            self._parse = _column_parser(columns)
            self._columns = [_offsets(columns[name]) for name in _KERNEL_COLUMNS]
        else:
            self._parse = _old_parser(file, head, rating_field)
        self._width = self._read = self._skipped = 0

    def add_to(self, players: ListedPlayers) -> Iterator[None]:
        """Add the players of the list block by block; a block ends at each step.

        Raise RatingListError at damage, if the last line is truncated, and if the lines do not fit
        the header.
        """
        for block in self._file.read_lines():
            if self._scans(block):
                self._scan(players, block)
            else:
                self._read_lines(players, block)
            yield
        self._require_players(self._head.line + 1)

    def _scans(self, block: LineBlock) -> bool:
        """Return whether a kernel scans a block; the last line may be truncated."""
        return bool(self._columns) and block.has_end()

    def _read_lines(self, players: ListedPlayers, block: LineBlock) -> None:
        for line, text in enumerate(block.lines(), block.first_line):
            if line <= self._head.line or not text or text.isspace():
                continue
            if not block.has_end() and len(text) < self._width:
                raise self._file.error(line, "ends in the middle of a player; download it again")
            self._width = len(text)
            self._add_line(players, line, text)

    def _scan(self, players: ListedPlayers, block: LineBlock) -> None:
        """Add the players of a block; a kernel reads the plain lines."""
        position, line = 0, block.first_line
        while position < len(block.text) and line <= self._head.line:
            position, line = block.text.index(b"\n", position) + 1, line + 1
        self._width = _last_width(block.text[position:]) or self._width
        while position < len(block.text):
            before = players.added
            begin, position, passed = players.add_lines(
                block.text,
                position,
                self._columns,
                most=self._lines_to_judge() or len(block.text),
                title_of=_parse_titles,
            )
            line += passed
            self._read += players.added - before
            self._judge(line - 1)
            if begin < position:
                [text] = decode_lines(block.text[begin : position - 1], is_first=False)
                if text and not text.isspace():
                    self._add_line(players, line, text)
                line += 1

    def _add_line(self, players: ListedPlayers, line: int, text: str) -> None:
        try:
            player = self._parse(text)
        except ValueError:
            self._skipped += 1
            self._skip(f"line {line}")
        else:
            self._read += 1
            players.add(player)
        self._judge(line)

    def _lines_to_judge(self) -> int:
        return max(0, _JUDGED_LINES - self._read - self._skipped)

    def _judge(self, line: int) -> None:
        if self._read + self._skipped == _JUDGED_LINES:
            self._require_players(line)

    def _require_players(self, line: int) -> None:
        """Raise RatingListError unless most lines fit the layout."""
        if self._read <= self._skipped:
            raise self._file.error(
                line,
                f"{self._skipped} of {self._read + self._skipped} lines are not players: "
                "the layout of this list is unknown; give FIDE's XML list of that month",
            )


def _last_width(text: bytes) -> int:
    """Return the characters of the last line that is not blank, 0 if there is none."""
    lines = reversed(text.split(b"\n"))
    texts = (decode_lines(line, is_first=False)[0] for line in lines)
    return next((len(text) for text in texts if text and not text.isspace()), 0)


def _column_parser(columns: Mapping[str, slice]) -> Callable[[str], FidePlayer]:
    """Return a parser of lines by columns; it raises ValueError for a line without a player."""

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


def _offsets(column: slice) -> tuple[int, int]:
    return column.start, _LINE_END if column.stop is None else column.stop


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
