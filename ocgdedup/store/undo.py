"""Undo of the last resolving of players: its previous state is stored and can be restored.

All writes belong to the transaction of the caller.
"""

from __future__ import annotations

import apsw

from ocgdedup.store.back_fill import take_back
from ocgdedup.store.duplicates import mark_stale
from ocgdedup.store.games import tables_with_games
from ocgdedup.store.names import read_state, write_state
from ocgdedup.store.persons import forget_wrong_persons

UNDO_PLAYERS = "Undo of consolidation"  # in Info: time of the resolving that can be undone
_COPIED = ("Persons", "Resolutions")
_RESTORE_GAMES = (
    "UPDATE {table} SET WhitePersonID = UndoGames.WhitePersonID, "
    "BlackPersonID = UndoGames.BlackPersonID, CoreHash = UndoGames.CoreHash "
    "FROM UndoGames WHERE {table}.ID = UndoGames.GameID"
)


def begin_undo(connection: apsw.Connection) -> None:
    """Drop the undo data of the last resolving; keep players and resolutions."""
    _forget(connection)
    for table in _COPIED:
        connection.execute(f"INSERT INTO Undo{table} SELECT * FROM {table}")
    connection.execute(
        "INSERT INTO Info VALUES (?, strftime('%Y-%m-%dT%H:%M:%SZ'))", (UNDO_PLAYERS,)
    )


def can_undo(connection: apsw.Connection) -> bool:
    """Return whether there is a resolving of players that can be undone."""
    return read_state(connection, UNDO_PLAYERS) is not None


def undo(connection: apsw.Connection) -> int:
    """Restore the previous players, resolutions and games; return the number of games.

    Filled-in fields are removed. Without undo data nothing happens.
    """
    if not can_undo(connection):
        return 0
    take_back(connection)
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
