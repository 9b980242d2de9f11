"""SGF root properties that are stored as tags: the facts for merging headers.

A Go database has `DT` and `RE` as tags if they say more than the columns Date and Result
(docs/go.md). A merge must keep these tags and columns consistent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ocgdedup.model import GameHeader


class ColumnTag(NamedTuple):
    """A tag that says more than a column; `column`: its key in MergedHeader.values."""

    column: str
    tag: str


COLUMN_TAGS = (ColumnTag("Date", "DT"), ColumnTag("Result", "RE"))
_COLUMNS = {tag: column for column, tag in COLUMN_TAGS}

HANDICAP = "HA"

# Tags that describe the record and not the game: format, charset, programs, recorder, header lines
# of another format.
TAGS_OF_THE_RECORD = r"FF|GM|SZ|ST|CA|AP|US|SO|CP|AN|GIB|NGF|UGF|ORIGINAL(EV|PC|PW|PB)"

# The letter of the colour in the tags for a player's rank and team (BR, WR, BT, WT), in JSON.
SHORT_COLOUR_MEMBER = r'(?<=[{,]")([BW])(?=[RT]":)'
RANK_SIDES = {"WR": "White", "WT": "White", "BR": "Black", "BT": "Black"}
OTHER_COLOUR = {"White": "Black", "Black": "White", "W": "B", "B": "W"}

TAG_POINTS = (('"BR"', 3), ('"WR"', 3), ('"KM"', 3), ('"RE"', 3), ('"RU"', 2), ('"HA"', 1))


def fits_columns(tag: str, record: GameHeader, columns: Mapping[str, object]) -> bool:
    """Return whether a tag of a record agrees with the merged Date and Result in `columns`."""
    column = _COLUMNS.get(tag)
    return column is None or value_of(record, column) == columns[column]


def value_of(record: GameHeader, column: str) -> str | None:
    return record.date if column == "Date" else record.result
