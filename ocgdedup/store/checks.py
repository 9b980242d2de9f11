"""SQL that finds rows and values that a valid database cannot have, and SQL that repairs them.

schema/checks.sql and group_checks.sql say which rows of which tables must agree. Must not know
how dates or names are parsed; the checks of these read stored rows, unchanged, from here. Repairs
belong to the transaction of the caller.

After a command could not read a value, first_problem() names it.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import apsw

from ocgdedup._kernels import chess as chess_kernel
from ocgdedup._kernels import go as go_kernel
from ocgdedup.game_kind import CHESS, GO, GameKind
from ocgdedup.store.connection import (
    APPLICATION_ID,
    SCHEMA_VERSION,
    column_names,
    connect,
    count_rows,
    has_rows,
    id_list,
    missing_basics,
    replaced_tables,
    schema_sql,
)
from ocgdedup.store.duplicates import build_flag_index, mark_stale
from ocgdedup.store.games import GAME_TABLES, RANGE_GAMES, RECORD_INDEX, Row, games_in_ranges
from ocgdedup.store.merges import IS_VARIATION, revert_merges
from ocgdedup.store.migrations import (
    OCGDB_TEXTS,
    Column,
    add_text_function,
    costly_call,
    missing_parts,
    schema_columns,
)
from ocgdedup.store.name_decisions import ARE_APPLIED
from ocgdedup.store.names import COUNTS, NAME_TABLES, game_kind, highest_name_id
from ocgdedup.store.players import has_wrong_person
from ocgdedup.store.search_reader import KEYS, reason_of
from ocgdedup.wording import EXACT_STATUS, REASONS, ROTATED, STATUSES, SWAPPED

OCGDB_VERSION = 0  # of a database of OCGDB that was not upgraded
# Words in braces in checks.sql and group_checks.sql, besides those of a check.
_WORDS = {
    # The highest ID that a game ever had.
    "highest": "max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'Games'), 0), "
    "coalesce((SELECT max(ID) FROM Games), 0))",
    "no_game": "GameID NOT IN (SELECT ID FROM Games) "
    "AND GameID NOT IN (SELECT ID FROM RemovedGames)",
    "are_applied": ARE_APPLIED,
    "wrong_white": has_wrong_person("White"),
    "wrong_black": has_wrong_person("Black"),
    "statuses": ", ".join(f"'{status}'" for status in STATUSES),
    "reasons": ", ".join(f"'{reason}'" for reason in (*REASONS, *map(reason_of, KEYS))),
    "exact": EXACT_STATUS,
    "rotated": ROTATED,
    "swapped": SWAPPED,
}

_AS_BYTES = ("FEN", "Date")

_TYPES = {"INTEGER": "'integer'", "TEXT": "'text'", "REAL": "'real', 'integer'", "BLOB": "'blob'"}
_TYPE_NAMES = {"integer": "a number", "real": "a number with a fraction", "text": "text",
               "blob": "bytes", "null": "NULL"}  # fmt: skip
NOT_UTF8 = "is not UTF-8"
_VALUE_PROBLEMS = {"!": NOT_UTF8, "-": "is below 0", "+": "is too large a number"}
_SMALL = ("Rating", "Rapid", "Blitz", "BirthYear", "DeathYear")  # 32 bits each in a list of names
_NOT_NEGATIVE = ("WhiteElo", "BlackElo", "Elo", "PlyCount", "NAG")
LIMIT_S = 30.0
_INSTRUCTIONS = 100_000  # SQLite instructions between two checks of the clock: about a millisecond
_KEYS_OF = {CHESS: chess_kernel.keys_of, GO: go_kernel.keys_of}
# Rows that are needed to read a game, and tags that must be JSON.
_CHECK_PROBLEMS = {
    "names": "names an event, site or player that is in no table",
    "persons": "names a person that is in no table",
    "sources": "names a source that is in no table",
    "resolutions": "names a player or person that is in no table",
    "extra-tags": "its ExtraTags are not a JSON object of texts",
    "constraints": "breaks a rule of its table",
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

    The next search compares all pairs again.
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
    revert_merges(connection, members)
    connection.execute(f"DELETE {_MEMBERS}", chosen)
    mark_stale(connection)


def rebuild_indexes(connection: apsw.Connection) -> None:
    """Rebuild all indexes from their tables; a unique index stays if its rows are not unique.

    Rebuilds all, not only those that SQLite names: it names a few at a time, and repeating the
    check takes longer.
    """
    select = "SELECT format('REINDEX \"%w\"', name) FROM sqlite_master WHERE type = 'index'"
    rows: list[Row] = connection.execute(select).fetchall()
    for (statement,) in rows:
        # The check after each repair finds what is still wrong.
        with contextlib.suppress(apsw.ConstraintError):
            connection.execute(statement)


# --- stored rows ----------------------------------------------------------------------------------


class StoredGame(NamedTuple):
    """Columns of a game that partly depend on each other; None if a table lacks the column.

    Texts are the stored bytes, since a damaged one may not be UTF-8.
    """

    game_id: int
    fen: bytes | None
    moves: object
    ply_count: int | None
    mainline_hash: int | None
    final_zobrist: int | None
    positions_key: int | None
    sampled_key: int | None
    special_moves: int | None
    date: bytes | None
    date_quality: int | None
    white: int | None
    black: int | None
    white_person: int | None
    black_person: int | None
    core_hash: int | None
    is_merged: int | None
    result: str | None


_STORED = (
    "FEN", "Moves2", "PlyCount", "MoveHash", "FinalZobrist", "PositionsKey", "SampledKey",
    "SpecialMoves", "Date", "DateQuality", "WhiteID", "BlackID", "WhitePersonID", "BlackPersonID",
    "CoreHash", "HeaderOptimized", "Result",
)  # fmt: skip


def stored_games(
    connection: apsw.Connection, table: str, ids: Sequence[int] | None = None
) -> Iterator[list[Row]]:
    """Yield rows of StoredGame of Games, RemovedGames or UnmergedHeaders, range by range.

    `ids`: yield only these games. No statement is open between two lists, so that the games may be
    written.
    """
    existing = column_names(connection, table)
    key = "GameID" if "GameID" in existing else "ID"
    columns = {name: f"CAST({name} AS BLOB)" if name in _AS_BYTES else name for name in existing}
    names = ", ".join(columns.get(name, "NULL") for name in _STORED)
    sql = f"SELECT {key}, {names} FROM {table} WHERE {key}"
    if ids is None:
        yield from games_in_ranges(connection, f"{sql} > ? ORDER BY 1 LIMIT ?")
        return
    for start in range(0, len(ids), RANGE_GAMES):
        chosen = id_list(ids[start : start + RANGE_GAMES])
        rows = connection.execute(f"{sql} IN (SELECT value FROM json_each(?))", (chosen,))
        yield rows.fetchall()


def original_date(connection: apsw.Connection, table: str, game_id: int, tag: str) -> str | None:
    """Return the date of a game as written in its source, None if Date is unchanged.

    `tag`: the tag that preserves it.
    """
    key = "GameID" if table == "UnmergedHeaders" else "ID"
    sql = (
        "SELECT CASE WHEN json_valid(ExtraTags) THEN ExtraTags ->> ? END "
        f"FROM {table} WHERE {key} = ?"
    )
    row = connection.execute(sql, (tag, game_id)).fetchone()
    return None if row is None or row[0] is None else str(row[0])


def key_texts(connection: apsw.Connection, table: str) -> Iterator[Row]:
    """Yield (ID, name in bytes) of Players; for Persons also FIDE ID and year of birth."""
    more = ", FideID, BirthYear" if table == "Persons" else ""
    sql = f"SELECT ID, CAST(coalesce(Name, '') AS BLOB){more} FROM {table}"
    return iter(connection.execute(sql))


def sources_of_games(connection: apsw.Connection, ids: list[int]) -> dict[int, str]:
    """Return the origin of games, if known: "FILE, game NUMBER"."""
    places: dict[int, str] = {}
    for table in GAME_TABLES:
        if "SourceID" not in column_names(connection, table):
            continue
        sql = (
            f"SELECT {table}.ID, Sources.Name || ', game ' || coalesce(SourceNumber, '?') "
            f"FROM {table} JOIN Sources ON Sources.ID = SourceID WHERE {table}.ID = ?"
        )
        for game_id in ids:
            places.update(connection.execute(sql, (game_id,)))
    return places


# --- odd values -----------------------------------------------------------------------------------


class OddValue(NamedTuple):
    """A value that its column cannot hold; `key`: the row's key, as far as it can be shown."""

    table: str
    key: str
    column: str
    problem: str

    def __str__(self) -> str:
        name = f"game {self.key}" if self.table == "Games" else f"{self.table}, row {self.key}"
        return f"{name}: {self.column} {self.problem}"


def odd_values(connection: apsw.Connection, *, is_ours: bool) -> Iterator[OddValue]:
    """Yield the values of a wrong type, and texts that are not UTF-8, table by table.

    In a database of OCGDB a text may be a number too.
    """
    # PRAGMA integrity_check names no row, and does not test the types of values.
    add_text_function(connection)
    for table, columns in schema_columns().items():
        existing = {name.lower() for name in column_names(connection, table)}
        kept = [column for column in columns if column.name.lower() in existing]
        if not is_ours:
            kept = [column._replace(may_be_null=True) for column in kept]
        elif table in NAME_TABLES:
            kept = [column._replace(may_be_null=column.name != "Name") for column in kept]
        if kept:
            yield from _odd_rows(connection, table, kept, texts_alone=is_ours)
    for table in NAME_TABLES:  # IDs of names that are too far apart for a list
        highest = highest_name_id(count_rows(connection, table))
        rows = connection.execute(f"SELECT ID FROM {table} WHERE ID < 0 OR ID > ?", (highest,))
        for (name_id,) in rows:
            yield OddValue(table, str(name_id), "ID", "is far from those of the other rows")


def _odd_rows(
    connection: apsw.Connection, table: str, columns: Sequence[Column], *, texts_alone: bool
) -> Iterator[OddValue]:
    """Yield the odd values of a table; `texts_alone`: a text column may hold only text."""
    key = columns[0].name
    cases = [_problem_case(column, texts_alone) for column in columns]
    names = [f"C{number}" for number in range(len(columns))]
    inner = ", ".join(f"{case} AS {name}" for case, name in zip(cases, names, strict=True))
    sql = (
        f"SELECT quote(CASE typeof(K) WHEN 'text' THEN stored_text(CAST(K AS BLOB)) ELSE K END), "
        f"{', '.join(names)} FROM (SELECT {key} AS K, {inner} FROM main.{table}) "
        f"WHERE coalesce({', '.join(names)}, NULL) IS NOT NULL"
    )
    for shown, *problems in connection.execute(sql):
        for column, problem in zip(columns, problems, strict=True):
            if problem is not None:
                words = _VALUE_PROBLEMS.get(problem) or f"is {_TYPE_NAMES[problem]}"
                yield OddValue(table, str(shown)[:40], column.name, words)


def _problem_case(column: Column, texts_alone: bool) -> str:
    """Return the SQL of the problem with a value: its type, see _VALUE_PROBLEMS, else NULL."""
    name, allowed = column.name, _TYPES[column.kind]
    if column.may_be_null:
        allowed += ", 'null'"
    if column.kind == "TEXT" and not texts_alone:
        allowed += ", 'integer', 'real'"
    case = f"CASE WHEN typeof({name}) NOT IN ({allowed}) THEN typeof({name}) "
    if column.kind == "TEXT":
        odd = f"{name} GLOB '*[^ -~]*' AND {name} IS NOT stored_text(CAST({name} AS BLOB))"
        case += f"WHEN typeof({name}) = 'text' AND {odd} THEN '!' "
    if name in _SMALL:
        case += f"WHEN typeof({name}) = 'integer' AND abs({name} / 2) >= 1 << 30 THEN '+' "
    if name in _NOT_NEGATIVE:
        case += f"WHEN typeof({name}) = 'integer' AND {name} < 0 THEN '-' "
    return case + "END"


def first_problem(path: str) -> str | None:
    """Return the first problem that no version of the program writes, None if there is none.

    Does not see changes of an open transaction, which the caller has rolled back. Raises
    TimeoutError if reading takes more than LIMIT_S seconds.
    """
    end = time.monotonic() + LIMIT_S
    try:
        connection = connect(path)
    except apsw.Error:
        return None
    try:
        connection.set_busy_timeout(1000)
        connection.set_progress_handler(lambda: time.monotonic() > end, _INSTRUCTIONS)
        return _first_problem(connection)
    except apsw.InterruptError as error:
        raise TimeoutError(f"the values were read for {LIMIT_S:g} s, and not to the end") from error
    except (apsw.CorruptError, apsw.NotADBError, apsw.SQLError) as error:
        return f"its tables cannot be read: {error}"
    except UnicodeDecodeError:
        return "the names of its tables and columns are not UTF-8"
    except apsw.Error:  # which does not concern stored values
        return None
    finally:
        connection.close()


def _first_problem(connection: apsw.Connection) -> str | None:
    is_ours = connection.pragma("application_id") == APPLICATION_ID
    version = connection.pragma("user_version") if is_ours else OCGDB_VERSION
    missing = missing_parts(connection, version) if is_ours else missing_basics(connection)
    if missing:
        return f"lacks {missing[0]}"
    if replaced := replaced_tables(connection):
        return replaced[0]
    for odd in odd_values(connection, is_ours=is_ours):
        if is_ours or odd.problem != NOT_UTF8 or odd.table not in OCGDB_TEXTS:
            return str(odd)
    for check in checks_for(connection, version):
        if check.kind in _CHECK_PROBLEMS:
            for row in check.wrong_rows(connection):
                row_name = f"game {row}" if isinstance(row, int) else row
                return f"{row_name}: {_CHECK_PROBLEMS[check.kind]}"
    damaged = _unreadable_game(connection) or next(iter(integrity_messages(connection)), None)
    return None if damaged is None else " ".join(damaged.split())


def _unreadable_game(connection: apsw.Connection) -> str | None:
    """Return the problem of the first game whose start or moves are invalid."""
    keys_of = _KEYS_OF[game_kind(connection)]
    for table in GAME_TABLES:
        existing = column_names(connection, table)
        start = "CAST(FEN AS BLOB)" if "FEN" in existing else "NULL"
        plies = "PlyCount" if "PlyCount" in existing else "NULL"
        sql = (
            f"SELECT ID, {start}, Moves2, {plies} FROM {table}" if existing else "SELECT 1 LIMIT 0"
        )
        for game_id, fen, moves, ply_count in connection.execute(sql):
            try:
                keys_of(moves or b"", fen.decode(errors="replace") if fen else None)
            except ValueError as error:
                return f"game {game_id}: its moves cannot be played: {error}"
            stored = len(moves or b"") // 2
            if ply_count not in (None, stored):
                return f"game {game_id}: PlyCount is {ply_count}, of {stored} stored moves"
    return None
