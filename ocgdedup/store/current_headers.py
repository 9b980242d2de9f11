"""SQL that reads headers of games, of a database of any kind; as they are now, merges included.

Owns how a row becomes a header. What headers were before merges: merged_headers.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import apsw

from ocgdedup.model import GameHeader
from ocgdedup.store.connection import column_names, id_list

_OWN_COLUMNS = (
    "Date", "Round", "WhiteElo", "BlackElo", "Result", "TimeControl", "ECO", "DateQuality",
    "ExtraTags", "WhitePersonID", "BlackPersonID", "CoreHash", "PlyCount", "HasComments",
    "HasVariations",
)  # fmt: skip
_HEADERS = """
    SELECT {game_id}, nullif(Events.Name, ''), nullif(Sites.Name, ''), {Date}, {Round},
        nullif(White.Name, ''), nullif(Black.Name, ''), {WhiteElo}, {BlackElo}, {Result},
        {TimeControl}, {ECO}, {DateQuality}, {ExtraTags}, {WhitePersonID}, {BlackPersonID},
        CASE WHEN {WhitePersonID} NOTNULL OR {BlackPersonID} NOTNULL THEN {CoreHash} END,
        coalesce({PlyCount}, 0), coalesce({HasComments}, 0),
        coalesce({HasVariations}, 0), {fide_ids}
    FROM {source}
    LEFT JOIN Events ON Events.ID = H.EventID
    LEFT JOIN Sites ON Sites.ID = H.SiteID
    LEFT JOIN Players AS White ON White.ID = H.WhiteID
    LEFT JOIN Players AS Black ON Black.ID = H.BlackID
    {joins}
    WHERE {game_id} IN (SELECT value FROM json_each(?))
"""
_FIDE_IDS = (
    "WhitePerson.FideID, BlackPerson.FideID",
    "LEFT JOIN Persons AS WhitePerson ON WhitePerson.ID = H.WhitePersonID "
    "LEFT JOIN Persons AS BlackPerson ON BlackPerson.ID = H.BlackPersonID",
)


def current_headers(
    connection: apsw.Connection, ids: Sequence[int], table: str = "Games"
) -> Iterator[GameHeader]:
    """Yield the headers of games, by rising ID; `table` may be RemovedGames.

    What a database of OCGDB or of an older version does not have is None.
    """
    sql = f"{header_query(connection, table)} ORDER BY H.ID"
    return map(GameHeader._make, connection.execute(sql, (id_list(ids),)))


def header_query(connection: apsw.Connection, table: str) -> str:
    """Return the statement that reads headers from a table, here H; it binds a text of id_list().

    `table` may be UnmergedHeaders: what that does not have stands in Games.
    """
    existing = column_names(connection, table)
    game_id, source, elsewhere = "H.ID", f"{table} AS H", dict.fromkeys(_OWN_COLUMNS, "NULL")
    if table == "UnmergedHeaders":
        game_id, source = "H.GameID", f"{source} JOIN Games ON Games.ID = H.GameID"
        elsewhere["PlyCount"] = "Games.PlyCount"
    columns = elsewhere | {name: f"H.{name}" for name in _OWN_COLUMNS if name in existing}
    fide_ids, joins = _FIDE_IDS if "WhitePersonID" in existing else ("NULL, NULL", "")
    return _HEADERS.format(
        game_id=game_id, source=source, fide_ids=fide_ids, joins=joins, **columns
    )
