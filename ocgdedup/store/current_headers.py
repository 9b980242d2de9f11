"""SQL that reads the current headers of games, merges included, from a database of any version.

Owns how a row becomes a header. For headers before merges, see merged_headers.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import apsw

from ocgdedup.game_columns import GAME_COLUMNS
from ocgdedup.model import GameHeader
from ocgdedup.store.connection import column_names, id_list

# SQL of the fields of GameHeader that are not plain columns.
_MADE_FIELDS = {
    "game_id": "{game_id}",
    "event": "nullif(Events.Name, '')",
    "site": "nullif(Sites.Name, '')",
    "white": "nullif(White.Name, '')",
    "black": "nullif(Black.Name, '')",
    "core_hash": "CASE WHEN {WhitePersonID} NOTNULL OR {BlackPersonID} NOTNULL THEN {CoreHash} END",
    "plies": "coalesce({PlyCount}, 0)",
    "has_comments": "coalesce({HasComments}, 0)",
    "has_variations": "coalesce({HasVariations}, 0)",
    "white_fide_id": "{white_fide_id}",
    "black_fide_id": "{black_fide_id}",
}
_COLUMNS_BY_FIELD = {column.field: column.name for column in GAME_COLUMNS if column.field}
_OWN_COLUMNS = tuple(_COLUMNS_BY_FIELD.values())
_SELECTED = ", ".join(
    _MADE_FIELDS.get(field) or f"{{{_COLUMNS_BY_FIELD[field]}}}" for field in GameHeader._fields
)
_HEADERS = f"""
    SELECT {_SELECTED}
    FROM {{source}}
    LEFT JOIN Events ON Events.ID = H.EventID
    LEFT JOIN Sites ON Sites.ID = H.SiteID
    LEFT JOIN Players AS White ON White.ID = H.WhiteID
    LEFT JOIN Players AS Black ON Black.ID = H.BlackID
    {{joins}}
    WHERE {{game_id}} IN (SELECT value FROM json_each(?))
"""
_FIDE_IDS = ("WhitePerson.FideID", "BlackPerson.FideID")
_PERSONS = (
    "LEFT JOIN Persons AS WhitePerson ON WhitePerson.ID = H.WhitePersonID "
    "LEFT JOIN Persons AS BlackPerson ON BlackPerson.ID = H.BlackPersonID"
)


def current_headers(
    connection: apsw.Connection, ids: Sequence[int], table: str = "Games"
) -> Iterator[GameHeader]:
    """Yield the headers of games, by rising ID; `table` may be RemovedGames.

    Fields that a database of OCGDB or of an older version lacks are None.
    """
    sql = f"{header_query(connection, table)} ORDER BY H.ID"
    return map(GameHeader._make, connection.execute(sql, (id_list(ids),)))


def header_query(connection: apsw.Connection, table: str) -> str:
    """Return the statement that reads headers from a table, here H; it binds a text of id_list().

    `table` may be UnmergedHeaders; other columns come from Games.
    """
    existing = column_names(connection, table)
    game_id, source, elsewhere = "H.ID", f"{table} AS H", dict.fromkeys(_OWN_COLUMNS, "NULL")
    if table == "UnmergedHeaders":
        game_id, source = "H.GameID", f"{source} JOIN Games ON Games.ID = H.GameID"
        elsewhere["PlyCount"] = "Games.PlyCount"
    columns = elsewhere | {name: f"H.{name}" for name in _OWN_COLUMNS if name in existing}
    has_persons = "WhitePersonID" in existing
    white_fide_id, black_fide_id = _FIDE_IDS if has_persons else ("NULL", "NULL")
    return _HEADERS.format(
        game_id=game_id, source=source, joins=_PERSONS if has_persons else "",
        white_fide_id=white_fide_id, black_fide_id=black_fide_id, **columns,
    )  # fmt: skip
