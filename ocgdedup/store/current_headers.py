"""SQL on headers of games as they are now, merges included; of a database of any kind."""

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
    SELECT H.ID, nullif(Events.Name, ''), nullif(Sites.Name, ''), {Date}, {Round},
        nullif(White.Name, ''), nullif(Black.Name, ''), {WhiteElo}, {BlackElo}, {Result},
        {TimeControl}, {ECO}, {DateQuality}, {ExtraTags}, {WhitePersonID}, {BlackPersonID},
        {CoreHash}, coalesce({PlyCount}, 0), coalesce({HasComments}, 0),
        coalesce({HasVariations}, 0), {fide_ids}
    FROM {table} AS H
    LEFT JOIN Events ON Events.ID = H.EventID
    LEFT JOIN Sites ON Sites.ID = H.SiteID
    LEFT JOIN Players AS White ON White.ID = H.WhiteID
    LEFT JOIN Players AS Black ON Black.ID = H.BlackID
    {joins}
    WHERE H.ID IN (SELECT value FROM json_each(?))
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
    there = column_names(connection, table)
    columns = {name: f"H.{name}" if name in there else "NULL" for name in _OWN_COLUMNS}
    fide_ids, joins = _FIDE_IDS if "WhitePersonID" in there else ("NULL, NULL", "")
    sql = _HEADERS.format(table=table, fide_ids=fide_ids, joins=joins, **columns)
    return map(GameHeader._make, connection.execute(f"{sql} ORDER BY H.ID", (id_list(ids),)))
