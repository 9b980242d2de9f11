"""SQL that finds rows which a valid database cannot have, and SQL that repairs them.

schema/checks.sql and group_checks.sql say which rows of which tables must agree. Must not know
moves, dates or how names are parsed; such checks use the rows of stored_games.py. Repairs belong to
the transaction of the caller.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import apsw

from ocgdedup.game_kind import GameKind
from ocgdedup.store.connection import (
    SCHEMA_VERSION,
    column_names,
    count_rows,
    has_rows,
    id_list,
    schema_sql,
)
from ocgdedup.store.duplicates import build_flag_index, mark_stale
from ocgdedup.store.games import RECORD_INDEX, Row
from ocgdedup.store.hash_groups import KEYS, reason_of
from ocgdedup.store.merged_headers import take_back_merges
from ocgdedup.store.merged_notes import IS_VARIATION
from ocgdedup.store.names import COUNTS
from ocgdedup.store.persons import has_wrong_person
from ocgdedup.store.shape import costly_call
from ocgdedup.store.undo_log import forget_undo
from ocgdedup.store.variant import game_kind
from ocgdedup.wording import EXACT_STATUS, REASONS, ROTATED, STATUSES, SWAPPED

OCGDB_VERSION = 0  # of a database of OCGDB that was not upgraded
# Words in braces in checks.sql and group_checks.sql, besides those of a check.
_WORDS = {
    # The highest ID that a game ever had.
    "highest": "max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'Games'), 0), "
    "coalesce((SELECT max(ID) FROM Games), 0))",
    "no_game": "GameID NOT IN (SELECT ID FROM Games) "
    "AND GameID NOT IN (SELECT ID FROM RemovedGames)",
    "wrong_white": has_wrong_person("White"),
    "wrong_black": has_wrong_person("Black"),
    "statuses": ", ".join(f"'{status}'" for status in STATUSES),
    "reasons": ", ".join(f"'{reason}'" for reason in (*REASONS, *map(reason_of, KEYS))),
    "exact": EXACT_STATUS,
    "rotated": ROTATED,
    "swapped": SWAPPED,
}


class RowCheck(NamedTuple):
    """A query for wrong rows, and the statements that repair them.

    `kind` is that of pipeline/check/findings.py. The query returns an ID or a text for each row, or
    a game and its group. `versions`: the schema versions that have all tables and columns of the
    query. `table`: a table that OCGDB may have left out.
    """

    kind: str
    versions: range
    table: str
    select: str
    repairs: tuple[str, ...]

    def wrong_rows(self, connection: apsw.Connection) -> Iterator[Any]:
        """Yield the ID or text of each wrong row."""
        return (row[0] for row in connection.execute(self.select))


def _read_checks(name: str, kind: GameKind) -> Iterator[RowCheck]:
    """Yield the checks of a file of schema/ for a kind of games."""
    words = {**_WORDS, "is_variation": IS_VARIATION[kind]}
    for section in schema_sql(name).split("\n-- [")[1:]:
        head, *lines = section.splitlines()
        damage, tables = head.split("] ")
        sql = "\n".join(line for line in lines if not line.startswith("--"))
        select, *repairs = sql.strip().removesuffix(";").split(";")
        for table, versions in map(str.split, tables.split(", ")):
            since, _, last = versions.partition("-")
            words |= {"table": table, "id": "GameID" if table == "UnmergedHeaders" else "ID"}
            query = select.format_map(words)
            words["wrong"] = query.partition("WHERE ")[2]
            yield RowCheck(
                damage, range(int(since), int(last or SCHEMA_VERSION) + 1), table, query,
                tuple(statement.format_map(words) for statement in repairs),
            )  # fmt: skip


def stored_variations(connection: apsw.Connection) -> Iterator[tuple[int, str]]:
    """Yield (game, text) of all variations; none in a database of OCGDB."""
    if not column_names(connection, "Annotations"):
        return iter(())
    sql = "SELECT GameID, Variation FROM Annotations WHERE typeof(Variation) = 'text'"
    return iter(connection.execute(sql))


def checks_for(
    connection: apsw.Connection, version: int, name: str = "checks.sql"
) -> list[RowCheck]:
    """Return the checks of a file of schema/ for a database of a schema version."""
    return [
        check
        for check in _read_checks(name, game_kind(connection))
        if version in check.versions and column_names(connection, check.table)
    ]


def group_checks_for(connection: apsw.Connection, version: int) -> list[RowCheck]:
    """Return the checks of groups: their queries return (game, group)."""
    return checks_for(connection, version, "group_checks.sql")


def wrong_counts(connection: apsw.Connection) -> list[str]:
    """Return the counts of Info that differ from those of their tables, as texts."""
    stored = dict(connection.execute("SELECT Name, Value FROM Info"))
    problems = []
    for name, table in COUNTS.items():
        count = count_rows(connection, table)
        if stored.get(name) != str(count):
            problems.append(f"{name} is {stored.get(name)}, not {count}")
    return problems


class Indexes(NamedTuple):
    """Names of the secondary indexes that exist, and of those that are missing."""

    present: list[str]
    missing: list[str]


def stored_indexes(connection: apsw.Connection) -> Indexes:
    """Return which indexes of indexes.sql exist.

    Not counted as missing: indexes of an empty Signatures, indexes of tables that an older version
    lacks, and GamesGameHash, which is optional.
    """
    declared = re.findall(r"CREATE INDEX IF NOT EXISTS (\w+) ON (\w+)", schema_sql("indexes.sql"))
    expected = [name for name, table in declared if column_names(connection, table)]
    if not has_rows(connection, "Signatures"):
        expected = [name for name in expected if not name.startswith("Signatures")]
    sql = "SELECT name FROM sqlite_master WHERE type = 'index'"
    existing = {row[0] for row in connection.execute(sql)}
    return Indexes(
        [name for name in expected if name in existing],
        [name for name in expected if name not in existing and name != RECORD_INDEX],
    )


def integrity_messages(connection: apsw.Connection) -> list[str]:
    """Return the results of SQLite's own integrity check, at most 100 messages."""
    tables: list[Row] = connection.execute(
        "SELECT tbl_name, sql FROM main.sqlite_master WHERE type IN ('table', 'index')"
    ).fetchall()
    costly = {table for table, sql in tables if sql is not None and costly_call(sql)}
    cheap = sorted({table for table, _ in tables} - costly)
    chosen = map(apsw.format_sql_value, cheap) if costly else ["100"]
    try:
        rows = [
            str(row[0])
            for each in chosen
            for row in connection.execute(f"PRAGMA integrity_check({each})")
        ]
    except apsw.CorruptError as error:  # pages so damaged that the check itself gives up
        return [str(error)]
    return [row for row in rows if row != "ok"][:100]


_MEMBERS = """
    FROM DuplicateFlags WHERE GameID IN (SELECT value FROM json_each(?))
        OR DuplicateGroup IN (SELECT value FROM json_each(?))
"""


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
    """Set results of games, (result, ID), and keep the previous ones as tags OriginalResult."""
    rows = list(results)
    for name, key in ((table, "ID"), ("UnmergedHeaders", "GameID")):
        connection.executemany(
            f"UPDATE {name} SET Result = ?1, ExtraTags = CASE "
            "WHEN json_valid(coalesce(ExtraTags, '{}')) THEN "
            "json_insert(coalesce(ExtraTags, '{}'), '$.OriginalResult', Result) "
            f"ELSE ExtraTags END WHERE {key} = ?2 AND Result IS NOT ?1",
            rows,
        )


def dissolve_broken_groups(connection: apsw.Connection) -> None:
    """Clear the flags of all games of groups that contradict themselves; undo their merges.

    The next search judges everything again, and the last run of dedup cannot be undone any more.
    """
    broken: list[tuple[int, int | None]] = []
    for check in group_checks_for(connection, SCHEMA_VERSION):
        broken += connection.execute(check.select)
    if not broken:
        return
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
    """Rebuild all indexes from their tables; an index that contradicts its rows stays.

    Rebuilds all, not only those that SQLite names: it names a few at a time, and repeating the
    check takes longer.
    """
    select = "SELECT format('REINDEX \"%w\"', name) FROM sqlite_master WHERE type = 'index'"
    rows: list[Row] = connection.execute(select).fetchall()
    for (statement,) in rows:
        # The check after each repair finds what is still wrong.
        with contextlib.suppress(apsw.ConstraintError):
            connection.execute(statement)
