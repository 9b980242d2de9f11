"""SQL on duplicates: candidates by hash, and what was found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from operator import itemgetter

import apsw

_STATE = "Exact duplicates flagged"  # in Info: when the flags were last written
_STALE = "Duplicates stale"  # in Info: "yes" if what they rest on has changed since

# Many rows a statement: a fifth less time than one each.
_ROWS_AT_ONCE = 250
_UPDATE_FLAGS = (
    "WITH Flags(Status, MasterID, GameID) AS (VALUES {}) UPDATE Games SET "
    "DuplicateStatus = Flags.Status, DuplicateGroup = Flags.MasterID "
    "FROM Flags WHERE ID = Flags.GameID"
)

# The inner query runs on the index of MoveHash alone, where there is one.
_EXACT_CANDIDATES = """
    SELECT MoveHash, ID, FEN, Moves2 FROM Games
    WHERE MoveHash IN (SELECT MoveHash FROM Games GROUP BY MoveHash HAVING count(*) > 1)
        AND PlyCount >= ?
    ORDER BY MoveHash, ID
"""


def exact_candidates(
    connection: apsw.Connection, min_plies: int
) -> Iterator[tuple[int, int, str | None, bytes]]:
    """Yield (hash, ID, FEN, move blob) of the games that share their hash, by hash and ID."""
    return iter(connection.execute(_EXACT_CANDIDATES, (min_plies,)))


def stored_groups(connection: apsw.Connection) -> dict[int, tuple[str | None, int]]:
    """Return (DuplicateStatus, DuplicateGroup) of each flagged game, by ID."""
    if connection.execute("SELECT 1 FROM Info WHERE Name = ?", (_STATE,)).fetchone() is None:
        return {}  # never searched: spares a scan of the table
    rows = connection.execute(
        "SELECT ID, DuplicateStatus, DuplicateGroup FROM Games "
        "WHERE DuplicateGroup IS NOT NULL OR DuplicateStatus IS NOT NULL"
    )
    return {game_id: (status, group) for game_id, status, group in rows}


def mark_stale(connection: apsw.Connection) -> None:
    """Note that what duplicates rest on has changed, if they were ever searched for.

    The caller holds the transaction.
    """
    connection.execute(
        "INSERT OR REPLACE INTO Info SELECT ?, 'yes' FROM Info WHERE Name = ?", (_STALE, _STATE)
    )


def write_exact(connection: apsw.Connection, groups: Iterable[list[int]]) -> None:
    """Flag the games of each group (master's ID first), unflag all others; write only changes.

    The caller holds the transaction.
    """
    stored = stored_groups(connection)
    wanted: dict[int, tuple[str | None, int]] = {}
    for master, *copies in groups:
        wanted[master] = (None, master)
        wanted.update((copy, ("exact", master)) for copy in copies)
    changes: list[tuple[str | None, int | None, int]] = [
        (*flags, game) for game, flags in wanted.items() if stored.get(game) != flags
    ]
    changes += [(None, None, game) for game in stored if game not in wanted]
    changes.sort(key=itemgetter(2))  # in the order of the table: each page is written once
    for start in range(0, len(changes), _ROWS_AT_ONCE):
        some = changes[start : start + _ROWS_AT_ONCE]
        values = ", ".join(["(?, ?, ?)"] * len(some))
        connection.execute(_UPDATE_FLAGS.format(values), list(chain.from_iterable(some)))
    connection.execute(
        "INSERT OR REPLACE INTO Info VALUES (?, strftime('%Y-%m-%dT%H:%M:%SZ'))", (_STATE,)
    )
    connection.execute("DELETE FROM Info WHERE Name = ?", (_STALE,))
