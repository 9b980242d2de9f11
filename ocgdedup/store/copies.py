"""What the search for copies reads: names, events, sites, and the games through its kernel.

Owns the SQL of that, and that verdicts rest on headers as they came, not as they were merged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import apsw

from ocgdedup._kernels import find_copies
from ocgdedup.errors import StoreError
from ocgdedup.store.connection import column_names
from ocgdedup.store.removed_games import removed_ids
from ocgdedup.store.row_writer import load_kernel
from ocgdedup.store.variant import holds_go

# The order that kernels/copy_scan.pxd takes; HEADER_COLUMNS alone for a header.
HEADER_COLUMNS = (
    "WhiteID", "BlackID", "WhitePersonID", "BlackPersonID", "CoreHash", "EventID", "SiteID",
    "Date", "Round", "Result", "WhiteElo", "BlackElo", "ExtraTags",
)  # fmt: skip
GAME_COLUMNS = (*HEADER_COLUMNS, "FEN", "Moves2", "FinalZobrist", "MoveHash", "SourceID")
_HEADERS = ", ".join(HEADER_COLUMNS)


def open_finder(
    connection: apsw.Connection,
    weights: Sequence[float],
    gates: Sequence[float],
    fold: Callable[[str], str],
    *,
    min_plies: int = 0,
    rewrite: Callable[[str], str] | None = None,
) -> find_copies.CopyFinder:
    """Return a finder that holds all games of at least `min_plies` plies; raise StoreError.

    `fold` brings a name to ASCII; `rewrite`, if given, is what every name goes through before.
    """
    finder = find_copies.CopyFinder(weights, gates, holds_go(connection))
    players = _named(connection, "Players")
    if rewrite is not None:
        players = ((player, rewrite(name)) for player, name in players)
    finder.load_players(players, fold)
    finder.load_events(_named(connection, "Events"))
    finder.load_sites(_named(connection, "Sites"))
    try:
        load_kernel(connection, find_copies)
        finder.scan_games(connection, _games_sql(connection, min_plies))
        if column_names(connection, "UnmergedHeaders"):
            load_kernel(connection, find_copies)
            finder.scan_headers(connection, f"SELECT GameID, {_HEADERS} FROM UnmergedHeaders")
    except (find_copies.SqliteError, ValueError) as error:
        place = connection.filename or "the database in memory"
        raise StoreError(f"{place}: games cannot be read: {error.args[-1]}") from error
    return finder


def _named(connection: apsw.Connection, table: str) -> Iterable[tuple[int, str]]:
    rows: Iterable[tuple[int, str]] = connection.execute(
        f"SELECT ID, Name FROM {table} WHERE Name IS NOT NULL ORDER BY ID"
    )
    return rows


def _games_sql(connection: apsw.Connection, min_plies: int) -> str:
    """Name the columns; those that an older database lacks are NULL.

    Games that were removed as copies still say to which game a new one belongs.
    """
    there = column_names(connection, "Games")
    columns = ", ".join(name if name in there else "NULL" for name in GAME_COLUMNS)
    # OCGDB writes NULL for a game without moves, and an empty FEN for none.
    columns = columns.replace("FEN", "nullif(FEN, '')")
    sql = f"SELECT ID, {columns} FROM Games WHERE coalesce(PlyCount, 0) >= {int(min_plies)}"
    if removed_ids(connection):
        sql += f" UNION ALL {sql.replace('FROM Games', 'FROM RemovedGames')}"
    return f"{sql} ORDER BY ID"
