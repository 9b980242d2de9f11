"""SQL that reads stored games and names unchanged, whether they are valid or not.

For checks only. Texts are bytes, since a damaged one may not be UTF-8.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import apsw

from ocgdedup.store.connection import column_names, id_list
from ocgdedup.store.games import GAME_TABLES, RANGE_GAMES, Row, games_in_ranges

_AS_BYTES = ("FEN", "Date")


class StoredGame(NamedTuple):
    """Columns of a game that partly depend on each other; None if a table lacks the column.

    Texts are the stored bytes, since a damaged one may not be UTF-8.
    """

    game_id: int
    fen: bytes | None
    moves: object
    ply_count: int | None
    mainline_hash: int | None
    final_zobrist: int | None
    positions_key: int | None
    sampled_key: int | None
    special_moves: int | None
    date: bytes | None
    date_quality: int | None
    white: int | None
    black: int | None
    white_person: int | None
    black_person: int | None
    core_hash: int | None
    is_merged: int | None
    result: str | None


_STORED = (
    "FEN", "Moves2", "PlyCount", "MoveHash", "FinalZobrist", "PositionsKey", "SampledKey",
    "SpecialMoves", "Date", "DateQuality", "WhiteID", "BlackID", "WhitePersonID", "BlackPersonID",
    "CoreHash", "HeaderOptimized", "Result",
)  # fmt: skip


def stored_games(
    connection: apsw.Connection, table: str, ids: Sequence[int] | None = None
) -> Iterator[list[Row]]:
    """Yield rows of StoredGame of Games, RemovedGames or UnmergedHeaders, range by range.

    `ids`: of these games alone. No statement is open between two lists, so that the games may be
    written.
    """
    existing = column_names(connection, table)
    key = "GameID" if "GameID" in existing else "ID"
    columns = {name: f"CAST({name} AS BLOB)" if name in _AS_BYTES else name for name in existing}
    names = ", ".join(columns.get(name, "NULL") for name in _STORED)
    sql = f"SELECT {key}, {names} FROM {table} WHERE {key}"
    if ids is None:
        yield from games_in_ranges(connection, f"{sql} > ? ORDER BY 1 LIMIT ?")
        return
    for start in range(0, len(ids), RANGE_GAMES):
        chosen = id_list(ids[start : start + RANGE_GAMES])
        rows = connection.execute(f"{sql} IN (SELECT value FROM json_each(?))", (chosen,))
        yield rows.fetchall()


def original_date(connection: apsw.Connection, table: str, game_id: int, tag: str) -> str | None:
    """Return the date of a game as written in its source, None if Date is unchanged.

    `tag`: the tag that preserves it.
    """
    key = "GameID" if table == "UnmergedHeaders" else "ID"
    sql = (
        "SELECT CASE WHEN json_valid(ExtraTags) THEN ExtraTags ->> ? END "
        f"FROM {table} WHERE {key} = ?"
    )
    row = connection.execute(sql, (tag, game_id)).fetchone()
    return None if row is None or row[0] is None else str(row[0])


def key_texts(connection: apsw.Connection, table: str) -> Iterator[Row]:
    """Yield (ID, name in bytes) of Players; for Persons also FIDE ID and year of birth."""
    more = ", FideID, BirthYear" if table == "Persons" else ""
    sql = f"SELECT ID, CAST(coalesce(Name, '') AS BLOB){more} FROM {table}"
    return iter(connection.execute(sql))


def places_of_games(connection: apsw.Connection, ids: list[int]) -> dict[int, str]:
    """Return the origin of games, if known: "FILE, game NUMBER"."""
    places: dict[int, str] = {}
    for table in GAME_TABLES:
        if "SourceID" not in column_names(connection, table):
            continue
        sql = (
            f"SELECT {table}.ID, Sources.Name || ', game ' || coalesce(SourceNumber, '?') "
            f"FROM {table} JOIN Sources ON Sources.ID = SourceID WHERE {table}.ID = ?"
        )
        for game_id in ids:
            places.update(connection.execute(sql, (game_id,)))
    return places
