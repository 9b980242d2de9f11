"""Undo the last resolving of players, or the last run of dedup, but not what was done after it.

The caller attaches the database as it was before, as `old`. Names that a merge added to Events,
Sites and Players stay. All writes belong to the transaction of the caller.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator

import apsw

from ocgdedup.game_columns import MERGED_COLUMNS
from ocgdedup.store.connection import id_list
from ocgdedup.store.deleted_games import deleted_ids, restore_games, restore_rows, take_out
from ocgdedup.store.duplicates import (
    are_stale,
    kept_games_of,
    mark_stale,
    may_lack_merges,
    write_flags,
)
from ocgdedup.store.file_state import forget_verdicts
from ocgdedup.store.games import GAME_TABLES, Row, tables_with_games
from ocgdedup.store.merges import merged_ids, restore_headers, revert_merges
from ocgdedup.store.name_decisions import APPLIED_STATE
from ocgdedup.store.names import FILE_STATE, PLAYERS_TIME, write_info, write_state
from ocgdedup.store.players import forget_wrong_persons
from ocgdedup.store.possible_duplicates import write_possible_duplicates

# Rows of Info about the last search; other modules may add rows "Duplicates ...".
_OWN_STATES = "Name GLOB 'Duplicates *'"
# Decisions about names are applied in the old state, too.
_COPIED = (
    "Persons", "Resolutions", "NameCandidates", "UndecidedPersons", "UndecidedResolutions",
    "UndecidedSides",
)  # fmt: skip
_PLAYER_COLUMNS = (
    "WhitePersonID", "BlackPersonID", "CoreHash", "BackFilled", "ExtraTags", "WhiteElo", "BlackElo",
)  # fmt: skip
# Before the headers of kept games were merged.
_RESTORE_PLAYERS = (
    "UPDATE {{table}} SET {settings} FROM (SELECT Old.ID AS OldID, {columns} "
    "FROM ({games}) AS Old LEFT JOIN old.UnmergedHeaders AS Unmerged ON GameID = Old.ID) "
    "WHERE ID = OldID AND ({differences})"
).format(
    games=" UNION ALL ".join(
        f"SELECT ID, {', '.join(_PLAYER_COLUMNS)} FROM old.{table}" for table in GAME_TABLES
    ),
    differences=" OR ".join(f"{name} IS NOT Old{name}" for name in _PLAYER_COLUMNS),
    settings=", ".join(f"{name} = Old{name}" for name in _PLAYER_COLUMNS),
    columns=", ".join(
        f"iif(GameID IS NULL, Old.{name}, Unmerged.{name}) AS Old{name}"
        if name in MERGED_COLUMNS
        else f"Old.{name} AS Old{name}"
        for name in _PLAYER_COLUMNS
    ),
)
_FORGET_LATER = (
    "UPDATE {table} SET WhitePersonID = NULL, BlackPersonID = NULL WHERE ID NOT IN "
    "(SELECT ID FROM old.Games UNION ALL SELECT ID FROM old.RemovedGames)"
)
_COLUMNS = ", ".join(MERGED_COLUMNS)
_SETTINGS = ", ".join(f"{name} = Saved.{name}" for name in MERGED_COLUMNS)
_RESTORE_MERGES = (
    f"INSERT INTO UnmergedHeaders (GameID, {_COLUMNS}) SELECT ID, {_COLUMNS} FROM Games "
    "WHERE ID IN (SELECT GameID FROM old.UnmergedHeaders)",
    f"UPDATE Games SET {_SETTINGS}, HeaderOptimized = Saved.HeaderOptimized "
    "FROM old.Games AS Saved "
    "WHERE Games.ID = Saved.ID AND Saved.ID IN (SELECT GameID FROM old.UnmergedHeaders)",
    "DELETE FROM MergedTags",
    "INSERT INTO MergedTags SELECT * FROM old.MergedTags",
)
_MERGED_NOTES = """
    SELECT GameID, FromGameID, NoteTable, NoteID, Note.Ply, Note.Position, NULL, Note.Comment
    FROM old.MergedNotes JOIN old.Comments AS Note USING (GameID)
    WHERE NoteTable = 'Comments' AND Note.ID = NoteID
    UNION ALL
    SELECT GameID, FromGameID, NoteTable, NoteID, Note.Ply, Note.Position, Note.NAG, Note.Variation
    FROM old.MergedNotes JOIN old.Annotations AS Note USING (GameID)
    WHERE NoteTable = 'Annotations' AND Note.ID = NoteID
    ORDER BY NoteID
"""
_RESTORE_NOTE = {
    "Comments": "INSERT INTO Comments (ID, GameID, Ply, Position, Comment) VALUES (?, ?, ?, ?, ?)",
    "Annotations": (
        "INSERT INTO Annotations (ID, GameID, Ply, Position, NAG, Variation) "
        "VALUES (?, ?, ?, ?, ?, ?)"
    ),
}
_RESTORE_FLAGS = (
    "DELETE FROM DuplicateFlags",
    "INSERT INTO DuplicateFlags SELECT * FROM old.DuplicateFlags",
)
# Later decisions of the user stay.
_RESTORE_SUSPECTS = (
    "DELETE FROM Suspects WHERE Decision IS NULL",
    "INSERT INTO Suspects (GameID1, GameID2, Class, Score, Evidence) "
    "SELECT GameID1, GameID2, Class, Score, Evidence FROM old.Suspects WHERE true "
    "ON CONFLICT DO UPDATE SET Class = excluded.Class, Score = excluded.Score, "
    "Evidence = excluded.Evidence",
)


@contextlib.contextmanager
def old_state(connection: apsw.Connection, path: str) -> Iterator[None]:
    """Attach a copy of the database in an old state as `old` while a block runs."""
    connection.execute("ATTACH ? AS old", (path,))
    try:
        yield
    finally:
        connection.execute("DETACH old")


def revert_players(connection: apsw.Connection) -> int:
    """Restore the old players, resolutions and filled-in fields; return the number of games.

    CoreHash must be computed again.
    """
    restored = 0
    for table in tables_with_games(connection):
        connection.execute(_RESTORE_PLAYERS.format(table=table))
        restored += connection.changes()
        connection.execute(_FORGET_LATER.format(table=table))  # games that came later
    for table in _COPIED:
        connection.execute(f"DELETE FROM {table}")
        connection.execute(f"INSERT INTO {table} SELECT * FROM old.{table}")
    write_state(connection, PLAYERS_TIME, None)
    connection.execute(
        "INSERT OR REPLACE INTO Info SELECT Name, Value FROM old.Info WHERE Name = ?",
        (APPLIED_STATE,),
    )
    forget_wrong_persons(connection)
    mark_stale(connection)
    return restored


def revert_dedup(connection: apsw.Connection) -> int:
    """Restore the old groups, merges, deleted games and possible duplicates.

    Returns the number of games that are in a group before or after, merged or deleted.
    """
    touched = connection.execute(
        "SELECT count(*) FROM (SELECT GameID FROM DuplicateFlags UNION SELECT ID FROM RemovedGames "
        "UNION SELECT GameID FROM UnmergedHeaders UNION SELECT GameID FROM old.DuplicateFlags)"
    ).get
    # All games in Games, where headers and flags are restored.
    restore_rows(connection, deleted_ids(connection))
    restore_headers(connection, id_list(merged_ids(connection)))
    for statement in _RESTORE_MERGES:
        connection.execute(statement)
    _restore_notes(connection)
    for statement in _RESTORE_FLAGS:
        connection.execute(statement)
    removed: dict[str, list[int]] = {}
    sql = "SELECT RemovedAt, ID FROM old.RemovedGames WHERE RemovedBy IS NULL"
    for time, game_id in connection.execute(sql):
        removed.setdefault(time, []).append(game_id)
    for time, ids in removed.items():
        take_out(connection, ids, time)
    for statement in _RESTORE_SUSPECTS:
        connection.execute(statement)
    # The rows of Info about the search; later stale marks stay.
    was_stale, lacked_merges = are_stale(connection), may_lack_merges(connection)
    connection.execute(f"DELETE FROM Info WHERE {_OWN_STATES}")
    connection.execute(f"INSERT INTO Info SELECT Name, Value FROM old.Info WHERE {_OWN_STATES}")
    write_state(connection, FILE_STATE, None)
    forget_verdicts(connection)
    if was_stale:
        mark_stale(connection, keeps_merges=not lacked_merges)
    write_info(connection)
    return int(touched)


def _restore_notes(connection: apsw.Connection) -> None:
    """Insert the annotations that merges had added again, under their old IDs if these are free."""
    rows: list[Row] = connection.execute(_MERGED_NOTES).fetchall()
    for game_id, source_id, table, note_id, ply, position, nag, text in rows:
        is_used = connection.execute(f"SELECT 1 FROM {table} WHERE ID = ?", (note_id,)).fetchone()
        values = (ply, position, text) if table == "Comments" else (ply, position, nag, text)
        if source_id != game_id:  # else it exists: a row of the game itself that others replaced
            new_id = note_id if is_used is None else None
            connection.execute(_RESTORE_NOTE[table], (new_id, game_id, *values))
            note_id = connection.last_insert_rowid()
        connection.execute(
            "INSERT INTO MergedNotes (GameID, FromGameID, NoteTable, NoteID) VALUES (?, ?, ?, ?)",
            (game_id, source_id, table, note_id),
        )


def reset(connection: apsw.Connection) -> int:
    """Undo all runs of dedup as one change; return the number of restored games.

    Decisions of the user stay, and so do merges that a purge made final.
    """
    restored = restore_games(connection, None)
    revert_merges(connection, None)
    write_flags(connection, {})
    write_possible_duplicates(connection, ())
    connection.execute(f"DELETE FROM Info WHERE {_OWN_STATES}")
    forget_verdicts(connection)
    return restored


def forget_merges(connection: apsw.Connection, games: Collection[int] | None = None) -> bool:
    """Undo merges whose players or values change: those of the groups of `games`, None: all.

    Flags stay, and become stale unless `games` is empty. Returns whether there was anything to
    undo.
    """
    merged: Collection[int] = merged_ids(connection)
    if games is not None:
        merged = {*merged}.intersection({*kept_games_of(connection, games), *games})
    revert_merges(connection, merged)
    if games is None or games:
        mark_stale(connection, keeps_merges=not merged)
    return bool(merged)
