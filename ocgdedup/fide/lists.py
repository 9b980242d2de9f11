"""The entry point of this package for FIDE's lists: read the players of a list in any format.

Owns the recognition of XML and text, the month of a list, and which rating a list has. Must not
know the games or the database.

FIDE publishes monthly lists: combined ones (players_list_foa), and lists of standard, rapid or
blitz ratings (standard_sep14frl, rapid_..., blitz_...), which differ only in the file's name.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from typing import Self

from ocgdedup._kernels.names import ListedPlayers
from ocgdedup.errors import RatingListError
from ocgdedup.fide.fields import find_month, parse_period
from ocgdedup.fide.list_file import ListFile
from ocgdedup.fide.text_list import TextHead, TextReader, find_head
from ocgdedup.fide.xml_list import XmlReader, is_xml
from ocgdedup.model import FidePlayer

_SUFFIXES = (".xml", ".txt")
_HEAD_BYTES = 1 << 14
# Sources of the month of a list
PERIOD, STAMP = "its newest rating period", "the time stamp in the zip file"
_FIELD_IN_NAME = r"(?<![a-z])(rapid|blitz)(?![a-z])"


class RatingList:
    """A rating list of FIDE: XML or text, plain or in .zip, .xz, .gz, .bz2 or .zst.

    The format is detected from the content. Iterate over a list once, in its order; equal IDs are
    not merged.

    `list_month` is "YYYY-MM" or None, and `month_source` describes its source. If neither the
    header of a text nor a file name has it, it is the newest rating period of a player, complete
    after the iteration; before that, the time stamp in a zip file. `newest_period` is complete
    after the iteration, too. `skipped` counts the entries so far that have no ID, no name or a
    field that cannot be read, and `first_skipped` locates the first one ("line 17", "player 4").
    """

    def __init__(self, path: str) -> None:
        """Open `path`; raise RatingListError if it is absent, damaged or not a rating list."""
        self.path = path
        self.skipped = 0
        self.first_skipped = ""
        self.newest_period: str | None = None
        self._file = ListFile(path, suffixes=_SUFFIXES)
        self.size_bytes = self._file.size_bytes  # on disk
        try:
            self._text_head = _find_text_head(self._file)
            self.list_month, self.month_source = self._find_month()
            self._reader = self._make_reader()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[FidePlayer]:
        """Yield the players, then raise RatingListError if the file is damaged or truncated."""
        players = ListedPlayers()
        try:
            for _ in self.add_to(players):
                yield from map(FidePlayer._make, players.take())
        except RatingListError:
            yield from map(FidePlayer._make, players.take())
            raise

    def add_to(self, players: ListedPlayers) -> Iterator[None]:
        """Add all players block by block, instead of an iteration; a block ends at each step.

        Raise RatingListError if the file is damaged or truncated, after the players before.
        """
        return self._reader.add_to(players)

    def position_bytes(self) -> int:
        """Return how many bytes of the file on disk were read, for a progress bar."""
        return self._file.position_bytes()

    def close(self) -> None:
        self._file.close()

    def _make_reader(self) -> TextReader | XmlReader:
        matches = (re.search(_FIELD_IN_NAME, name.lower()) for name in self._names())
        field = next((match[1] for match in matches if match), "rating")
        if self._text_head:
            return TextReader(self._file, self._text_head, rating_field=field, skip=self._skip)
        return XmlReader(
            self._file, rating_field=field, skip=self._skip, note_period=self._note_period
        )

    def _note_period(self, text: str) -> None:
        # FIDE publishes a list some days before its month begins.
        first_day = datetime.date.today().replace(day=1)
        next_month = (first_day + datetime.timedelta(days=31)).strftime("%Y-%m")
        period = parse_period(text, next_month)
        if period is None or (self.newest_period and period <= self.newest_period):
            return
        self.newest_period = period
        if self.month_source in ("", STAMP, PERIOD):
            self.list_month, self.month_source = period, PERIOD

    def _skip(self, location: str) -> None:
        self.skipped += 1
        self.first_skipped = self.first_skipped or location

    def _names(self) -> tuple[str, str]:
        """Return the names of zip member and file, without directories."""
        path = self.path.replace("\\", "/")
        return self._file.member.rpartition("/")[2], path.rpartition("/")[2]

    def _find_month(self) -> tuple[str | None, str]:
        if self._text_head and self._text_head.month:
            return self._text_head.month, "its header"
        for name in self._names():
            month = find_month(name)
            if month:
                return month, "its file name"
        return self._file.stamp_month, STAMP if self._file.stamp_month else ""


def _find_text_head(file: ListFile) -> TextHead | None:
    """Return the header of a text list, None for XML; raise RatingListError for other files."""
    head = file.peek(_HEAD_BYTES)
    if is_xml(head):
        return None
    text_head = find_head(file.peek_lines(_HEAD_BYTES))
    if not text_head:
        raise file.error(
            1,
            "is not a FIDE list: neither XML nor a header with ID number "
            "and name; give a list from ratings.fide.com",
        )
    return text_head
