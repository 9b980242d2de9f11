"""What a merge must know of SGF root properties that are stored as tags.

A Go database keeps `DT` and `RE` as tags where the columns Date and Result do not say all
(docs/go.md). So these two tags must follow the columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ocgdedup.model import GameHeader


class ColumnTag(NamedTuple):
    """A tag that says more than a column; `column`: the name that header_merge.py uses."""

    column: str
    tag: str


COLUMN_TAGS = (ColumnTag("Date", "DT"), ColumnTag("Result", "RE"))
_COLUMNS = {tag: column for column, tag in COLUMN_TAGS}

HANDICAP = "HA"

# Tags that describe the record and not the game: format, charset, programs, recorder.
TAGS_OF_THE_RECORD = r"FF|GM|SZ|ST|CA|AP|US|SO|CP|AN|ORIGINAL(EV|PC|PW|PB)"

# Rank and team of a player: the letter of the colour in BR, WR, BT and WT, in JSON.
SHORT_COLOUR_MEMBER = r'(?<=[{,]")([BW])(?=[RT]":)'
# The side of a rank or team tag.
RANK_SIDES = {"WR": "White", "WT": "White", "BR": "Black", "BT": "Black"}
OTHER_COLOUR = {"White": "Black", "Black": "White", "W": "B", "B": "W"}

TAG_POINTS = (('"BR"', 3), ('"WR"', 3), ('"KM"', 3), ('"RE"', 3), ('"RU"', 2), ('"HA"', 1))


def fits_columns(tag: str, record: GameHeader, columns: Mapping[str, object]) -> bool:
    """Tell if a tag of a record agrees with the merged Date and Result in `columns`."""
    column = _COLUMNS.get(tag)
    return column is None or value_of(record, column) == columns[column]


def value_of(record: GameHeader, column: str) -> str | None:
    """Return the Date or Result of a record."""
    return record.date if column == "Date" else record.result
