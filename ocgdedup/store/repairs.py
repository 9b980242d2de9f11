"""SQL that puts right what follows from other columns; what was found wrong: checks.py.

All writes belong to the transaction of the caller.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence

import apsw

from ocgdedup.store.checks import RowCheck
from ocgdedup.store.connection import id_list
from ocgdedup.store.duplicates import build_flag_index, mark_stale
from ocgdedup.store.games import Row
from ocgdedup.store.merged_headers import take_back_merges
from ocgdedup.store.undo_log import forget_undo

_MEMBERS = """
    FROM DuplicateFlags WHERE GameID IN (SELECT value FROM json_each(?))
        OR DuplicateGroup IN (SELECT value FROM json_each(?))
"""


def repair_rows(connection: apsw.Connection, check: RowCheck) -> None:
    """Run the repair of a check."""
    for statement in check.repairs:
        connection.execute(statement)


def write_values(
    connection: apsw.Connection, table: str, columns: Sequence[str], rows: Iterable[Row]
) -> None:
    """Set columns of Games, RemovedGames or UnmergedHeaders; each row ends with the game's ID."""
    key = "GameID" if table == "UnmergedHeaders" else "ID"
    settings = ", ".join(f"{name} = ?" for name in columns)
    connection.executemany(f"UPDATE {table} SET {settings} WHERE {key} = ?", rows)


def write_results(
    connection: apsw.Connection, table: str, results: Iterable[tuple[str, int]]
) -> None:
    """Set results of games, (result, ID), and keep the ones before as tags OriginalResult."""
    rows = list(results)
    for name, key in ((table, "ID"), ("UnmergedHeaders", "GameID")):
        connection.executemany(
            f"UPDATE {name} SET Result = ?1, ExtraTags = CASE "
            "WHEN json_valid(coalesce(ExtraTags, '{}')) THEN "
            "json_insert(coalesce(ExtraTags, '{}'), '$.OriginalResult', Result) "
            f"ELSE ExtraTags END WHERE {key} = ?2 AND Result IS NOT ?1",
            rows,
        )


def dissolve_groups(connection: apsw.Connection, broken: Sequence[tuple[int, int | None]]) -> None:
    """Unflag (game, group) and all other games of the groups; take back what was merged into them.

    The next search judges all anew, and the last run of dedup can not be undone any more.
    """
    build_flag_index(connection)
    chosen = (
        id_list(sorted({game for game, _ in broken})),
        id_list(sorted({group for _, group in broken if group is not None})),
    )
    members = [row[0] for row in connection.execute(f"SELECT GameID {_MEMBERS}", chosen)]
    take_back_merges(connection, members)
    connection.execute(f"DELETE {_MEMBERS}", chosen)
    forget_undo(connection)
    mark_stale(connection)


def rebuild_indexes(connection: apsw.Connection) -> None:
    """Fill all indexes anew from their tables; one that rows of its table contradict stays.

    Not only those that SQLite names: it names a few each time, and to ask it again takes longer.
    """
    select = "SELECT format('REINDEX \"%w\"', name) FROM sqlite_master WHERE type = 'index'"
    rows: list[Row] = connection.execute(select).fetchall()
    for (statement,) in rows:
        # What stays wrong is found by the check that follows every repair.
        with contextlib.suppress(apsw.ConstraintError):
            connection.execute(statement)
