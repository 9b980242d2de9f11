"""Undo the last resolving of players, and the last run of dedup.

Resolving stores the previous players and games in tables of its own. For dedup, see the undo log in
duplicates.py; names that a merge added to Events, Sites and Players stay. All writes belong to the
transaction of the caller.
"""

from __future__ import annotations

import apsw

from ocgdedup.game_columns import MERGED_COLUMNS
from ocgdedup.store.connection import has_rows, id_list
from ocgdedup.store.deleted_games import deleted_ids, restore_games, restore_rows, take_out
from ocgdedup.store.duplicates import (
    OWN_STATES,
    are_stale,
    forget_undo,
    has_flags,
    is_logging,
    mark_stale,
    may_lack_merges,
    open_log,
    undo_clears,
    write_flags,
)
from ocgdedup.store.file_state import forget_verdicts
from ocgdedup.store.games import Row, tables_with_games
from ocgdedup.store.merges import has_final_merges, merged_ids, restore_headers, revert_merges
from ocgdedup.store.names import read_state, write_info, write_state
from ocgdedup.store.players import forget_wrong_persons, revert_filled_fields
from ocgdedup.store.possible_duplicates import write_possible_duplicates

UNDO_PLAYERS = "Undo of consolidation"  # in Info: time of the resolving that can be undone
_COPIED = ("Persons", "Resolutions", "NameCandidates")
_RESTORE_GAMES = (
    "UPDATE {table} SET WhitePersonID = UndoGames.WhitePersonID, "
    "BlackPersonID = UndoGames.BlackPersonID, CoreHash = UndoGames.CoreHash "
    "FROM UndoGames WHERE {table}.ID = UndoGames.GameID"
)

_COLUMNS = ", ".join(MERGED_COLUMNS)
_SETTINGS = ", ".join(f"{name} = Saved.{name}" for name in MERGED_COLUMNS)
_RESTORE_FLAGS = (
    "DELETE FROM DuplicateFlags WHERE GameID IN (SELECT GameID FROM UndoFlags)",
    "INSERT INTO DuplicateFlags SELECT * FROM UndoFlags WHERE DuplicateGroup IS NOT NULL",
)
# Games that were merged before the run. The merges of the run are already undone.
_RESTORE_MERGES = (
    f"INSERT INTO UnmergedHeaders (GameID, {_COLUMNS}) SELECT ID, {_COLUMNS} FROM Games "
    "WHERE ID IN (SELECT GameID FROM UndoMerges WHERE HeaderOptimized > 0)",
    f"UPDATE Games SET {_SETTINGS}, HeaderOptimized = abs(Saved.HeaderOptimized) "
    "FROM UndoMerges AS Saved WHERE ID = GameID AND Saved.HeaderOptimized",
    "INSERT OR REPLACE INTO MergedTags SELECT * FROM UndoMergedTags",  # some are final
)
_RESTORE_NOTE = {
    "Comments": "INSERT INTO Comments (ID, GameID, Ply, Position, Comment) VALUES (?, ?, ?, ?, ?)",
    "Annotations": (
        "INSERT INTO Annotations (ID, GameID, Ply, Position, NAG, Variation) "
        "VALUES (?, ?, ?, ?, ?, ?)"
    ),
}
# Later decisions of the user stay.
_RESTORE_SUSPECTS = (
    "DELETE FROM Suspects WHERE Decision IS NULL AND (GameID1, GameID2) IN "
    "(SELECT GameID1, GameID2 FROM UndoSuspects WHERE Class IS NULL)",
    "INSERT INTO Suspects SELECT *, NULL FROM UndoSuspects WHERE Class IS NOT NULL "
    "ON CONFLICT DO UPDATE SET Class = excluded.Class, Score = excluded.Score, "
    "Evidence = excluded.Evidence",
)
_TOUCHED = {
    True: (
        "SELECT GameID FROM DuplicateFlags "
        "UNION SELECT GameID FROM UnmergedHeaders UNION SELECT ID FROM RemovedGames"
    ),
    False: (
        "SELECT GameID FROM UndoFlags UNION SELECT GameID FROM UndoMerges "
        "UNION SELECT GameID FROM UndoRemovedGames"
    ),
}


def begin_players_undo(connection: apsw.Connection) -> None:
    """Drop the undo data of the last resolving; keep players and resolutions."""
    _forget(connection)
    for table in _COPIED:
        connection.execute(f"INSERT INTO Undo{table} SELECT * FROM {table}")
    connection.execute(
        "INSERT INTO Info VALUES (?, strftime('%Y-%m-%dT%H:%M:%SZ'))", (UNDO_PLAYERS,)
    )


def can_undo_players(connection: apsw.Connection) -> bool:
    """Return whether there is a resolving of players that can be undone."""
    return read_state(connection, UNDO_PLAYERS) is not None


def revert_players(connection: apsw.Connection) -> int:
    """Restore the previous players, resolutions and games; return the number of games.

    Filled-in fields are cleared. Without undo data nothing happens.
    """
    if not can_undo_players(connection):
        return 0
    revert_filled_fields(connection)
    restored = 0
    for table in tables_with_games(connection):
        connection.execute(_RESTORE_GAMES.format(table=table))
        restored += connection.changes()
    for table in _COPIED:
        connection.execute(f"DELETE FROM {table}")
        connection.execute(f"INSERT INTO {table} SELECT * FROM Undo{table}")
    _forget(connection)
    # A purge may have made another name permanent, which the previous persons lack.
    forget_wrong_persons(connection)
    mark_stale(connection)
    return restored


def _forget(connection: apsw.Connection) -> None:
    for table in (*_COPIED, "Games"):
        connection.execute(f"DELETE FROM Undo{table}")
    write_state(connection, UNDO_PLAYERS, None)


# --- dedup ----------------------------------------------------------------------------------------


def begin_dedup_undo(connection: apsw.Connection) -> None:
    """Begin a run of dedup: drop the undo data of the last run, and log changes from now on.

    Call it before anything is written. A run that finds nothing to change should not call it, so
    that the last run with changes can still be undone.
    """
    was_clear = not (
        has_flags(connection)
        or has_final_merges(connection)
        or any(
            has_rows(connection, table) for table in ("UnmergedHeaders", "Suspects", "RemovedGames")
        )
    )
    open_log(connection, was_clear=was_clear)
    connection.execute(f"INSERT INTO UndoInfo SELECT Name, Value FROM Info WHERE {OWN_STATES}")


def can_undo_dedup(connection: apsw.Connection) -> bool:
    """Return whether there is a run that can be undone."""
    return is_logging(connection)


def revert_dedup(connection: apsw.Connection) -> int:
    """Undo all writes of the last run; return the number of restored games.

    Without undo data nothing happens.
    """
    if not can_undo_dedup(connection):
        return 0
    was_clear = undo_clears(connection)
    touched = connection.execute(f"SELECT count(*) FROM ({_TOUCHED[was_clear]})").get
    if was_clear:  # remove everything that dedup wrote, except decisions of the user
        restore_rows(connection, deleted_ids(connection))
        merged = merged_ids(connection)
        restore_headers(connection, id_list(merged))
        connection.execute("DELETE FROM DuplicateFlags")
        connection.execute("DELETE FROM Suspects WHERE Decision IS NULL")
    else:
        _restore_rows(connection)
    # The rows of Info about the search; later stale marks stay.
    was_stale, lacked_merges = (are_stale(connection), may_lack_merges(connection))
    connection.execute(f"DELETE FROM Info WHERE {OWN_STATES}")
    connection.execute(
        f"INSERT OR REPLACE INTO Info SELECT Name, Value FROM UndoInfo WHERE {OWN_STATES}"
    )
    if was_stale:
        mark_stale(connection, by_restoring=not lacked_merges)
    forget_wrong_persons(connection)  # a log of an older version may have these
    forget_undo(connection)
    write_info(connection)
    return int(touched)


def reset(connection: apsw.Connection) -> int:
    """Undo all runs, as one run that can be undone; return the number of restored games.

    Decisions of the user stay, and so do merges that a purge made final.
    """
    begin_dedup_undo(connection)
    restored = restore_games(connection, None)
    revert_merges(connection, None)
    write_flags(connection, {})
    write_possible_duplicates(connection, ())
    connection.execute(f"DELETE FROM Info WHERE {OWN_STATES}")
    forget_verdicts(connection)
    return restored


def forget_merges(connection: apsw.Connection) -> bool:
    """Undo all merges permanently, before players are resolved or restored.

    Both change columns that a merge may have overwritten. Flags stay, and become stale. Returns
    whether there was anything to undo.
    """
    had_merges = bool(merged_ids(connection))
    forget_undo(connection)
    revert_merges(connection, None)
    mark_stale(connection)
    return had_merges


def _restore_rows(connection: apsw.Connection) -> None:
    """Restore logged headers, flags, games and possible duplicates."""
    # All games of the run in Games, where headers and flags are restored.
    sql = "SELECT ID FROM RemovedGames WHERE ID IN (SELECT GameID FROM UndoRemovedGames)"
    restore_rows(connection, [row[0] for row in connection.execute(sql)])
    merged: list[Row] = connection.execute("SELECT GameID FROM UndoMerges").fetchall()
    restore_headers(connection, id_list(row[0] for row in merged))
    for statement in _RESTORE_MERGES:
        connection.execute(statement)
    _restore_notes(connection)
    for statement in _RESTORE_FLAGS:
        connection.execute(statement)
    removed: dict[str, list[int]] = {}
    sql = "SELECT RemovedAt, GameID FROM UndoRemovedGames WHERE RemovedAt IS NOT NULL"
    for time, game_id in connection.execute(sql):
        removed.setdefault(time, []).append(game_id)
    for time, ids in removed.items():
        take_out(connection, ids, time)
    for statement in _RESTORE_SUSPECTS:
        connection.execute(statement)


def _restore_notes(connection: apsw.Connection) -> None:
    """Insert the annotations that merges had added again, under their old IDs if these are free."""
    sql = (
        "SELECT GameID, FromGameID, NoteTable, NoteID, Ply, Position, NAG, Text "
        "FROM UndoMergedNotes ORDER BY NoteID"
    )
    rows: list[Row] = connection.execute(sql).fetchall()
    for game_id, copy, table, note_id, ply, position, nag, text in rows:
        is_used = connection.execute(f"SELECT 1 FROM {table} WHERE ID = ?", (note_id,)).fetchone()
        values = (ply, position, text) if table == "Comments" else (ply, position, nag, text)
        if copy != game_id:  # else it exists: a row of the game itself that other rows replaced
            new_id = note_id if is_used is None else None
            connection.execute(_RESTORE_NOTE[table], (new_id, game_id, *values))
            note_id = connection.last_insert_rowid()
        connection.execute(
            "INSERT INTO MergedNotes (GameID, FromGameID, NoteTable, NoteID) VALUES (?, ?, ?, ?)",
            (game_id, copy, table, note_id),
        )
