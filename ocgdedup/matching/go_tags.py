"""Tags of Go records beside the columns: what a merge must know of SGF's root properties.

A database of Go keeps `DT` and `RE` where the columns Date and Result do not say all of them
(docs/go.md); so these two go along with the columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ocgdedup.model import GameHeader


class ColumnTag(NamedTuple):
    """A tag that says more than a column; `column`: as header_merge.py names its values."""

    column: str
    tag: str


COLUMN_TAGS = (ColumnTag("Date", "DT"), ColumnTag("Result", "RE"))
_COLUMNS = {tag: column for column, tag in COLUMN_TAGS}

HANDICAP = "HA"

# What describes the record and not the game: format, charset, programs, who wrote it down.
TAGS_OF_THE_RECORD = r"FF|GM|SZ|ST|CA|AP|US|SO|CP|AN|ORIGINAL(EV|PC|PW|PB)"

# Of a player: rank and team of Black and of White, in SGF's short names and after a mark.
SHORT_COLOUR_MEMBER = r'(?<=[{,]")([BW])(?=[RT]":)'
OTHER_COLOUR = {"White": "Black", "Black": "White", "W": "B", "B": "W"}

TAG_POINTS = (('"BR"', 3), ('"WR"', 3), ('"KM"', 3), ('"RE"', 3), ('"RU"', 2), ('"HA"', 1))
_POINTS = tuple([(f'{tag}:"', points) for tag, points in TAG_POINTS])


def fits_columns(tag: str, record: GameHeader, columns: Mapping[str, object]) -> bool:
    """Tell if a tag of a record does not contradict what Date and Result are to be."""
    column = _COLUMNS.get(tag)
    return column is None or value_of(record, column) == columns[column]


def value_of(record: GameHeader, column: str) -> str | None:
    """Return the Date or Result of a record."""
    return record.date if column == "Date" else record.result


def rank_side(tag: str) -> str | None:
    """Return whose rank or team a tag tells, "White" or "Black"; None if it is another tag."""
    return {"WR": "White", "WT": "White", "BR": "Black", "BT": "Black"}.get(tag)


def tag_points(tags: str) -> int:
    """Return points for what a header of Go says in tags: ranks, komi, how a game was won."""
    return sum(points for member, points in _POINTS if member in tags)
