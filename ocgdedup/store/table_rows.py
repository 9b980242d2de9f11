"""SQL for the tables that export writes for other programs: games and names as stored.

Works on databases of OCGDB too: what they lack is NULL.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import apsw

from ocgdedup.store.connection import column_names, id_list
from ocgdedup.store.games import Row

_TEXT_FIELDS = (
    "Date", "Round", "Result", "TimeControl", "ECO", "FEN", "ExtraTags", "DuplicateStatus",
    "DuplicateReason",
)  # fmt: skip
_OTHER_FIELDS = (
    "ID", "EventID", "SiteID", "WhiteID", "BlackID", "WhiteElo", "BlackElo", "PlyCount",
    "WhitePersonID", "BlackPersonID", "MoveHash", "FinalZobrist", "DuplicateGroup", "HeaderScore",
    "SourceID", "SourceNumber", "Moves2",
)  # fmt: skip
# The order of what game_fields() returns, before the tags.
GAME_FIELDS = (*_TEXT_FIELDS, *_OTHER_FIELDS)
_TAG_NAME = re.compile("[A-Za-z]+")


def game_fields(
    connection: apsw.Connection, ids: Sequence[int], tags: Sequence[str] = ()
) -> list[Row]:
    """Return GAME_FIELDS of games in the order of their IDs; one that is not there is left out.

    `tags`: names of tags without a column, of plain letters, whose values follow.
    """
    assert all(map(_TAG_NAME.fullmatch, tags)), tags
    # CROSS JOIN: SQLite then takes the IDs as they come, and looks each game up.
    sql = "SELECT {} FROM json_each(?) AS Chosen CROSS JOIN Games ON Games.ID = Chosen.value"
    there = column_names(connection, "Games")
    # json_each() has a column "id" too.
    texts = [f"Games.{name}" if name in there else "NULL" for name in _TEXT_FIELDS]
    others = [f"Games.{name}" if name in there else "NULL" for name in _OTHER_FIELDS]
    others += [_tag(name) if "ExtraTags" in there else "NULL" for name in tags]
    fields = ", ".join([*texts, *others])
    return connection.execute(sql.format(fields), (id_list(ids),)).fetchall()


def name_texts(connection: apsw.Connection, table: str) -> dict[int, str | None]:
    """Return the names of Events, Sites, Players, Sources or Persons, by ID."""
    if not column_names(connection, table):
        return {}
    return dict(connection.execute(f"SELECT ID, Name FROM {table}"))


def _tag(name: str) -> str:
    """Return the SQL of a tag; JSON is only parsed where the tag may be."""
    return f"CASE WHEN instr(ExtraTags, '\"{name}\"') THEN ExtraTags ->> '{name}' END"
