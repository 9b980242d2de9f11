"""SQL on RemovedGames: rows of Games that were deleted, restored, or purged.

Duplicates that dedup deleted take part in searches, games that the user deleted do not. Annotations
of a deleted game stay in place until it is purged, its faults forever. All writes except vacuum()
belong to the transaction of the caller.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable

import apsw

from ocgdedup.store.connection import column_names, has_rows, id_list, quoted
from ocgdedup.store.corrections import MOVETEXT, carry_corrections
from ocgdedup.store.duplicates import (
    change_count,
    mark_stale,
)
from ocgdedup.store.games import Row, delete_rows_of, is_searched
from ocgdedup.store.merges import keep_merges, revert_merges
from ocgdedup.store.names import write_info
from ocgdedup.store.players import forget_wrong_persons, keep_merged_fields
from ocgdedup.store.possible_duplicates import carry_decisions

_CHOSEN = "ID IN (SELECT value FROM json_each(?))"
_BY_USER = "RemovedBy IS 'user'"
_NOW = "strftime('%Y-%m-%dT%H:%M:%SZ')"
_ABOUT_GAMES = (
    "Comments", "Annotations", "Signatures", "PositionFilters", "DuplicateFlags", "UndecidedSides",
)  # fmt: skip
# Groups and possible duplicates with some games.
_RESULTS = (
    "FROM DuplicateFlags WHERE GameID IN (SELECT value FROM json_each(?1))",
    "FROM Suspects WHERE Decision IS NULL AND (GameID1 IN (SELECT value FROM json_each(?1)) "
    "OR GameID2 IN (SELECT value FROM json_each(?1)))",
)
# Moves and annotations that the user corrected have no other record.
_TO_PURGE = f"""
    SELECT ID, DuplicateGroup FROM FlaggedRemovedGames
    WHERE DuplicateGroup IN (SELECT ID FROM FlaggedGames WHERE DuplicateGroup = ID)
        AND NOT EXISTS (
            SELECT 1 FROM Corrections WHERE GameID = ID AND Tag = '{MOVETEXT}'
        )
"""
# The last search may have excluded the kept game together with the duplicate.
_UNFLAG_ALONE = """
    DELETE FROM DuplicateFlags
    WHERE GameID IN (SELECT value FROM json_each(?)) AND DuplicateStatus IS NOT NULL
        AND DuplicateGroup NOT IN (SELECT ID FROM FlaggedGames WHERE DuplicateGroup = ID)
"""
# A game whose duplicates were all purged has no group.
_UNFLAG_LONE_KEPT = """
    DELETE FROM DuplicateFlags
    WHERE DuplicateGroup = GameID AND GameID IN (SELECT value FROM json_each(?))
        AND NOT EXISTS (
            SELECT 1 FROM DuplicateFlags AS Other
            WHERE Other.DuplicateGroup = DuplicateFlags.GameID
                AND Other.GameID <> DuplicateFlags.GameID
        )
"""
# An equal record was deleted by the user; of a purged one, only the hash is left.
_UNWANTED = f"""
    WITH Deleted AS MATERIALIZED (
        SELECT ID, GameHash, FEN, Moves2 FROM RemovedGames
        WHERE {_BY_USER} AND GameHash IS NOT NULL
    )
    SELECT Read.ID FROM Games AS Read JOIN Deleted ON Deleted.GameHash = Read.GameHash
    WHERE Read.ID >= ?1 AND (
        Deleted.FEN IS Read.FEN AND Deleted.Moves2 IS Read.Moves2
        -- The user had corrected its moves: the hash is that of the record.
        OR EXISTS (SELECT 1 FROM Corrections WHERE GameID = Deleted.ID AND Tag = '{MOVETEXT}')
    )
    UNION SELECT ID FROM Games JOIN UnwantedRecords USING (GameHash) WHERE ID >= ?1
"""
_NOTE_UNWANTED = f"""
    INSERT OR IGNORE INTO UnwantedRecords
    SELECT GameHash, RemovedAt FROM RemovedGames WHERE {_BY_USER} AND GameHash IS NOT NULL
"""
_FINAL_MERGES = """
    SELECT GameID FROM UnmergedHeaders
    WHERE GameID IN (SELECT DuplicateGroup FROM FlaggedRemovedGames)
"""


def remove_games(connection: apsw.Connection, ids: Collection[int]) -> int:
    """Move games to RemovedGames; return their number.

    Headers and annotations that were merged into them are restored first.
    """
    revert_merges(connection, ids)
    return take_out(connection, ids)


def deleted_ids(connection: apsw.Connection, min_plies: int = 0) -> list[int]:
    """Return the IDs of duplicates that dedup deleted; none in a database of an older version.

    `min_plies`: only those of so many plies or more.
    """
    if not column_names(connection, "RemovedGames"):
        return []
    is_long = f"coalesce(PlyCount, 0) >= ? AND {is_searched(connection, 'RemovedGames')}"
    sql = f"SELECT ID FROM RemovedGames WHERE {is_long} ORDER BY ID"
    return [row[0] for row in connection.execute(sql, (min_plies,))]


def ids_by_user(connection: apsw.Connection, among: Iterable[int] | None = None) -> list[int]:
    """Return the IDs of games that the user deleted, of all or of some games."""
    chosen = "1" if among is None else _CHOSEN
    sql = f"SELECT ID FROM RemovedGames WHERE {_BY_USER} AND {chosen} ORDER BY ID"
    values = () if among is None else (id_list(among),)
    return [row[0] for row in connection.execute(sql, values)]


def have_results(connection: apsw.Connection, ids: Collection[int]) -> bool:
    """Return whether any of some games is in a group or a possible duplicate."""
    sql = f"SELECT {' OR '.join(f'EXISTS (SELECT 1 {rows})' for rows in _RESULTS)}"
    return bool(connection.execute(sql, (id_list(ids),)).get)


def delete_by_user(connection: apsw.Connection, ids: Collection[int]) -> None:
    """Move games that the user does not want to RemovedGames, or mark them there.

    They have no group then, and are no possible duplicates. The other games of their groups must be
    searched again.
    """
    chosen = id_list(ids)
    revert_merges(connection, ids)
    take_out(connection, ids)
    connection.execute(f"UPDATE RemovedGames SET RemovedBy = 'user' WHERE {_CHOSEN}", (chosen,))
    for rows in _RESULTS:
        connection.execute(f"DELETE {rows}", (chosen,))


def delete_unwanted(connection: apsw.Connection, first_id: int) -> int:
    """Delete the games from an ID on whose records the user deleted before; return their number."""
    if not has_rows(connection, "RemovedGames") and not has_rows(connection, "UnwantedRecords"):
        return 0
    ids = [row[0] for row in connection.execute(_UNWANTED, (first_id,))]
    if ids:
        delete_by_user(connection, ids)
    return len(ids)


def deleted_among(connection: apsw.Connection, game_ids: Iterable[int]) -> set[int]:
    """Return which of some games are deleted."""
    if not column_names(connection, "RemovedGames"):
        return set()
    sql = f"SELECT ID FROM RemovedGames WHERE {_CHOSEN}"
    return {game_id for (game_id,) in connection.execute(sql, (id_list(game_ids),))}


def restore_games(connection: apsw.Connection, ids: Collection[int] | None) -> int:
    """Move deleted games back to Games; return their number. None: all that dedup deleted.

    They are unchanged, including flags if their kept game is in Games. Duplicates must be searched
    again.
    """
    chosen = deleted_ids(connection) if ids is None else ids
    restored = restore_rows(connection, chosen)
    if restored:
        connection.execute(_UNFLAG_ALONE, (id_list(chosen),))
        forget_wrong_persons(connection)
        mark_stale(connection, keeps_merges=True)
    return restored


def games_to_purge(connection: apsw.Connection) -> dict[int, int]:
    """Return the deleted games that purge() would purge, with their kept games."""
    return dict(connection.execute(_TO_PURGE))


def purge(connection: apsw.Connection) -> int:
    """Purge deleted games with their annotations and signatures; return their number.

    Of games that the user deleted, the hash stays, so that no import brings them back.

    The values that they gave to headers of kept games become permanent; a kept game without another
    duplicate loses its flags. Decisions of the user pass to the records that stay. A deleted game
    stays if its kept game is no longer one, so that a search can find its new kept game first. So
    do the faults of broken games.
    """
    ids, groups = array("q"), array("q")  # there may be millions
    for game_id, group in connection.execute(_TO_PURGE):
        ids.append(game_id)
        groups.append(group)
    represented = dict(zip(ids, groups, strict=True))
    ids.extend(ids_by_user(connection))
    if not ids:
        return 0
    connection.execute(_NOTE_UNWANTED)
    merged: list[Row] = connection.execute(_FINAL_MERGES).fetchall()
    keep_merged_fields(connection, id_list(row[0] for row in merged))
    carry_corrections(connection, represented)
    keep_merges(connection)
    carry_decisions(connection, represented)
    for table in _ABOUT_GAMES:
        delete_rows_of(connection, table, ids)
    connection.execute(f"DELETE FROM RemovedGames WHERE {_CHOSEN}", (id_list(ids),))
    connection.execute(_UNFLAG_LONE_KEPT, (id_list(groups),))
    write_info(connection)
    return len(ids)


def vacuum(connection: apsw.Connection) -> None:
    """Shrink the file to its content; not within a transaction."""
    connection.execute("VACUUM")


def take_out(connection: apsw.Connection, ids: Collection[int], removed_at: str = "") -> int:
    """Do the work of remove_games() without merges; `removed_at` "": now."""
    columns = _columns(connection)
    existing = {quoted(name) for name in column_names(connection, "RemovedGames")}
    for column in columns:
        if column not in existing:  # columns that OCGDB makes with other options
            connection.execute(f"ALTER TABLE RemovedGames ADD COLUMN {column}")
    names = ", ".join(columns)
    connection.execute(
        f"INSERT INTO RemovedGames ({names}, RemovedAt) "
        f"SELECT {names}, coalesce(nullif(?, ''), {_NOW}) FROM Games WHERE {_CHOSEN}",
        (removed_at, id_list(ids)),
    )
    connection.execute(f"DELETE FROM Games WHERE {_CHOSEN}", (id_list(ids),))
    removed = connection.changes()
    change_count(connection, "GameCount", -removed)
    return removed


def restore_rows(connection: apsw.Connection, ids: Collection[int]) -> int:
    """Move deleted games back to Games; return their number."""
    names = ", ".join(_columns(connection))
    chosen = (id_list(ids),)
    connection.execute(
        f"INSERT INTO Games ({names}) SELECT {names} FROM RemovedGames WHERE {_CHOSEN}", chosen
    )
    restored = connection.changes()
    connection.execute(f"DELETE FROM RemovedGames WHERE {_CHOSEN}", chosen)
    change_count(connection, "GameCount", restored)
    return restored


def _columns(connection: apsw.Connection) -> list[str]:
    """Return the columns of Games in order, quoted."""
    rows = connection.execute("SELECT name FROM pragma_table_info('Games') ORDER BY cid")
    return [quoted(name) for (name,) in rows]
