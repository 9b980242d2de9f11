"""The undo log of the last run of dedup: whether it exists, and its rows.

Before a function of this layer overwrites a row of an earlier run of dedup, it saves the old row
here; the first row saved for a game counts. If no game was flagged, merged, suspected or removed
before the run, no rows are saved: undo then clears everything. For restoring rows, see
undo_duplicates.py. All writes belong to the transaction of the caller.
"""

from __future__ import annotations

from collections.abc import Iterable

import apsw

from ocgdedup.game_columns import MERGED_COLUMNS
from ocgdedup.store.connection import id_list
from ocgdedup.store.games import Row
from ocgdedup.store.names import read_state, write_state

UNDO = "Undo of dedup"  # in Info: time at which the log began
_CLEARS = "Undo of dedup clears"  # in Info: "yes" if there were no results before the run
_TABLES = (
    "UndoInfo", "UndoFlags", "UndoSuspects", "UndoMerges", "UndoMergedTags", "UndoMergedNotes",
    "UndoRemovedGames",
)  # fmt: skip

# Merged values, only of games that are not in the log yet.
_NEW = (
    "GameID IN (SELECT value FROM json_each(?1)) AND GameID NOT IN (SELECT GameID FROM UndoMerges)"
)
# A game without flags has its ID and NULLs.
_SAVE_FLAGS = """
    INSERT OR IGNORE INTO UndoFlags
    SELECT value, DuplicateStatus, DuplicateGroup, DuplicateReason, HeaderScore
    FROM json_each(?) LEFT JOIN DuplicateFlags ON GameID = value
"""
_SAVE_CHANGED_FLAGS = """
    INSERT OR IGNORE INTO UndoFlags
    SELECT ?5, DuplicateStatus, DuplicateGroup, DuplicateReason, HeaderScore
    FROM (SELECT 1) LEFT JOIN DuplicateFlags ON GameID = ?5
    WHERE {differs}
"""
_SAVE_TAGS = f"INSERT INTO UndoMergedTags SELECT * FROM MergedTags WHERE {_NEW}"
_SAVE_COMMENTS = f"""
    INSERT INTO UndoMergedNotes
    SELECT GameID, NoteTable, NoteID, FromGameID, Note.Ply, Note.Position, NULL, Note.Comment
    FROM MergedNotes JOIN Comments AS Note USING (GameID)
    WHERE NoteTable = 'Comments' AND Note.ID = NoteID AND {_NEW}
"""
_SAVE_ANNOTATIONS = f"""
    INSERT INTO UndoMergedNotes
    SELECT GameID, NoteTable, NoteID, FromGameID, Note.Ply, Note.Position, Note.NAG, Note.Variation
    FROM MergedNotes JOIN Annotations AS Note USING (GameID)
    WHERE NoteTable = 'Annotations' AND Note.ID = NoteID AND {_NEW}
"""
_SAVE_HEADERS = f"""
    INSERT OR IGNORE INTO UndoMerges (GameID, {", ".join(MERGED_COLUMNS)}, HeaderOptimized)
    SELECT ID, {", ".join(MERGED_COLUMNS)},
        CASE WHEN ID IN (SELECT GameID FROM UnmergedHeaders) THEN HeaderOptimized
        ELSE -HeaderOptimized END
    FROM Games WHERE ID IN (SELECT value FROM json_each(?))
"""


def open_log(connection: apsw.Connection, *, was_clear: bool) -> None:
    """Begin an empty log; `was_clear`: the database has no results of dedup yet."""
    forget_undo(connection)
    connection.execute("INSERT INTO Info VALUES (?, strftime('%Y-%m-%dT%H:%M:%SZ'))", (UNDO,))
    write_state(connection, _CLEARS, "yes" if was_clear else None)


def forget_undo(connection: apsw.Connection) -> None:
    """Drop the log, so that the last run can no longer be undone."""
    for table in _TABLES:
        connection.execute(f"DELETE FROM {table}")
    for name in (UNDO, _CLEARS):
        write_state(connection, name, None)


def is_logging(connection: apsw.Connection) -> bool:
    """Return whether there is a log."""
    return read_state(connection, UNDO) is not None


def undo_clears(connection: apsw.Connection) -> bool:
    """Return whether there were no results before the logged run."""
    return read_state(connection, _CLEARS) is not None


def keeps_rows(connection: apsw.Connection) -> bool:
    """Return whether old rows must be saved."""
    return is_logging(connection) and not undo_clears(connection)


def save_flags(connection: apsw.Connection, ids: Iterable[int]) -> None:
    """Save the flags of games, removed ones included, if old rows are logged."""
    if keeps_rows(connection):
        connection.execute(_SAVE_FLAGS, (id_list(ids),))


def flag_statements(connection: apsw.Connection, differs: str) -> list[str]:
    """Return the statement that saves flags before they are overwritten, if rows are logged.

    `differs`: the condition, on parameters ?1 to ?4; ?5 is the ID of the game.
    """
    return [_SAVE_CHANGED_FLAGS.format(differs=differs)] if keeps_rows(connection) else []


def save_merges(connection: apsw.Connection, ids: str) -> None:
    """Save headers and merged values of games, if old rows are logged.

    `ids` is the text of id_list().
    """
    if keeps_rows(connection):
        # The headers last, since they mark games as logged.
        for statement in (_SAVE_TAGS, _SAVE_COMMENTS, _SAVE_ANNOTATIONS, _SAVE_HEADERS):
            connection.execute(statement, (ids,))


def save_suspects(connection: apsw.Connection, rows: Iterable[Row]) -> None:
    """Save rows of Suspects, if old rows are logged; a new pair has its IDs and NULLs."""
    if keeps_rows(connection):
        sql = "INSERT OR IGNORE INTO UndoSuspects VALUES (?, ?, ?, ?, ?, ?, ?)"
        connection.executemany(sql, rows)


def save_removed(connection: apsw.Connection, select: str, ids: str) -> None:
    """Save the tables of games, if old rows are logged; `ids` is a text of id_list().

    `select` binds it, and returns IDs and RemovedAt, NULL for games in Games.
    """
    if keeps_rows(connection):
        connection.execute(f"INSERT OR IGNORE INTO UndoRemovedGames {select}", (ids,))
