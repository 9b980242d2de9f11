"""SQL on duplicates: candidates by hash, and what was found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import itemgetter

import apsw

from ocgdedup.store.games import update_games
from ocgdedup.store.names import read_state, write_state

_STATE = "Exact duplicates flagged"  # in Info: when the flags were last written
_STALE = "Duplicates stale"  # in Info: "yes" if what they rest on has changed since

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
    if read_state(connection, _STATE) is None:
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
    if read_state(connection, _STATE) is not None:
        write_state(connection, _STALE, "yes")


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
    update_games(connection, ("DuplicateStatus", "DuplicateGroup"), changes)
    connection.execute(
        "INSERT OR REPLACE INTO Info VALUES (?, strftime('%Y-%m-%dT%H:%M:%SZ'))", (_STATE,)
    )
    write_state(connection, _STALE, None)
