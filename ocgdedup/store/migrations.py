"""Tables and columns that a file lacks, and how it gets them.

Owns the order of the steps in schema/migrations and their transaction; commands that only read read
any version. Adds to a database of OCGDB its missing keys, flags, PGN dates and tables, and converts
its texts, stored as written in the PGN, to UTF-8; a command that only reads sees them as UTF-8
through temporary views. Checks that tables and columns exist, not the types of values: see
checks.py.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import apsw

from ocgdedup.charsets import decoded
from ocgdedup.game_columns import GAME_COLUMNS
from ocgdedup.model import Reporter
from ocgdedup.store.connection import (
    FLAG_COLUMNS,
    SCHEMA_VERSION,
    Database,
    back_up,
    column_names,
    drop_temporary_flag_views,
    migration_sql,
    name_references,
    quoted,
    schema_sql,
    stamp,
    view_flags,
)
from ocgdedup.store.duplicates import build_flag_index, mark_stale, searched_at
from ocgdedup.store.games import (
    Row,
    build_hash_indexes,
    build_note_indexes,
    pgn_date,
    tables_with_games,
)
from ocgdedup.store.history import UPGRADE, transaction
from ocgdedup.store.names import write_info
from ocgdedup.store.players import forget_wrong_persons, judge_players_anew

_TABLE = re.compile(r"CREATE TABLE (\w+) \((.*?)\)(?: WITHOUT ROWID)?;", re.DOTALL)
_COLUMN = re.compile(r"(?:^|,)\s*(\w+) (INTEGER|TEXT|REAL|BLOB)\b([^,]*)")
_ADDED = re.compile(r"CREATE TABLE (\w+)|ALTER TABLE (\w+) ADD COLUMN (\w+)")
# The words of a statement; comments too. To SQLite, all characters beyond ASCII are letters.
_WORD = re.compile(
    r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|/\*.*?(?:\*/|$)|"
    r"[\w$\u0080-\U0010ffff]+|\|\||\S",
    re.DOTALL | re.ASCII,
)
_COSTLY_OPERATORS = ("like", "glob", "regexp", "match")  # names, too, of columns for example
# Behind these, all of them reserved, SQLite reads an operand or a name.
_BEFORE_OPERANDS = frozenset((
    "(", ",", "=", "<", ">", "+", "-", "*", "/", "%", "&", "|", "||", "~", "!", "and", "between",
    "case", "collate", "constraint", "default", "else", "escape", "exists", "from", "in", "is",
    "or", "references", "then", "when", "where",
))  # fmt: skip
# Before a parenthesis: words of SQL, and functions whose result is not longer than what they read.
_NO_COSTLY_CALLS = frozenset((
    "and", "as", "between", "case", "check", "default", "else", "exists", "in", "is", "key", "not",
    "or", "then", "unique", "when", "where", "abs", "cast", "coalesce", "date", "datetime", "if",
    "ifnull", "iif", "json_extract", "json_type", "json_valid", "julianday", "length", "lower",
    "max", "min", "nullif", "octet_length", "round", "sign", "substr", "substring", "time",
    "typeof", "unicode", "unixepoch", "upper",
))  # fmt: skip
# Their time is the product of the lengths of two texts: 16 s for 1 MB and 0.5 MB.
_SEARCHES = ("instr", "ltrim", "rtrim", "trim")
_SHORT_TEXT = 100
_SIZE_OF_TYPE = re.compile(r"\d{1,4}( , \d{1,4})? \)")  # VARCHAR(20), DECIMAL(10, 2)
_BEFORE_NAMES = ("on", "references", "table")

# Columns that OCGDB declares as text. It omits tables and columns that were not requested.
OCGDB_TEXTS = {
    "Info": ("Name", "Value"),
    "Events": ("Name",),
    "Sites": ("Name",),
    "Players": ("Name",),
    "Games": tuple(
        column.name for column in GAME_COLUMNS if column.of_ocgdb and column.sql_type == "TEXT"
    ),
    "Comments": ("Comment",),
}
_NAMED_BY = {"Events": ("EventID",), "Sites": ("SiteID",), "Players": ("WhiteID", "BlackID")}
# Anything except plain ASCII, including numbers: older versions of OCGDB store rounds as numbers.
_IS_ODD = "({0} IS NOT NULL AND (typeof({0}) <> 'text' OR {0} GLOB '*[^ -~]*'))"
_AS_TEXT = "stored_text(CAST({0} AS BLOB))"

_FLAG_TABLE = 10  # first version with a table of flags
_NAMED_REFERENCES = 9  # first version whose foreign keys name their columns
_SOUND_PERSONS = 6  # first version that resolves names of deleted games

Keys = tuple[int, int, int, int]
_SELECT = "SELECT ID, Date, FEN, Moves2 FROM Games ORDER BY ID"
_UPDATE = (
    "UPDATE Games SET MoveHash = ?, FinalZobrist = ?, PositionsKey = ?, SampledKey = ?, "
    "Date = ?, DateQuality = ?, ExtraTags = ?, PlyCount = ?, HasComments = 0, HasVariations = 0, "
    "SpecialMoves = 0 WHERE ID = ?"
)
_NEW_COLUMNS = [
    f"ALTER TABLE Games ADD COLUMN {column.name} {column.sql_type}"
    + (f" REFERENCES {column.references}(ID)" if column.references else "")
    for column in GAME_COLUMNS
    if not column.of_ocgdb
]


class Column(NamedTuple):
    """A column as declared in schema.sql: one of _TYPES, and whether it may be NULL."""

    name: str
    kind: str
    may_be_null: bool


class CostlyExpression(NamedTuple):
    """A column, constraint or index of a table that makes SQLite compute when rows are written."""

    table: str
    part: str
    problem: str

    def __str__(self) -> str:
        return f"{self.table}: {self.part} {self.problem}"


def schema_columns() -> dict[str, list[Column]]:
    """Return the columns of all tables of schema.sql, by table."""
    return {
        table: [
            Column(name, kind, "NOT NULL" not in rules and "PRIMARY KEY" not in rules)
            for name, kind, rules in _COLUMN.findall(body)
        ]
        for table, body in _TABLE.findall(schema_sql("schema.sql"))
    }


def missing_parts(connection: apsw.Connection, version: int) -> list[str]:
    """Return the tables and columns that a database of a schema version lacks: "Games.Moves2".

    A view or a virtual table does not count as a table.
    """
    existing = {
        (table.lower(), column.lower())
        for table, column in connection.execute(
            "SELECT Tables.name, Columns.name FROM main.sqlite_master AS Tables "
            "JOIN pragma_table_info(Tables.name) AS Columns "
            "WHERE Tables.type = 'table' AND Tables.sql NOT LIKE 'CREATE VIRTUAL%'"
        )
    }
    # By later versions: (table, "") for a table, (table, column).
    added = {
        (table, "") if table else (changed, column)
        for later in range(version + 1, SCHEMA_VERSION + 1)
        for table, changed, column in _ADDED.findall(migration_sql(later))
    }
    return [
        f"{table}.{column.name}"
        for table, columns in schema_columns().items()
        for column in columns
        if (table.lower(), column.name.lower()) not in existing
        and (table, "") not in added
        and (table, column.name) not in added
    ]


def costly_expressions(connection: apsw.Connection) -> list[CostlyExpression]:
    """Return the parts that make SQLite compute when rows of our tables are written or checked.

    Generated columns, and expressions in columns, constraints and indexes whose cost the size of
    a row does not bound. A search of SQLite within one expression cannot even be interrupted.
    """
    ours = {table.lower() for table in schema_columns()}
    parts = []
    rows: list[tuple[Any, ...]] = connection.execute(
        "SELECT type, name, tbl_name, sql FROM main.sqlite_master "
        "WHERE type IN ('table', 'index') AND sql IS NOT NULL"
    ).fetchall()
    for kind, name, table, sql in rows:
        if table.lower() not in ours:
            continue
        words = _words(sql)
        for index, call in _costly_calls(words):
            part = f"index {name}" if kind == "index" else _definition(words, index)
            parts.append(CostlyExpression(table, part, f"computes {call}"))
            break
    generated = connection.execute(
        "SELECT Tables.name, Columns.name FROM main.sqlite_master AS Tables "
        "CROSS JOIN pragma_table_xinfo(Tables.name, 'main') AS Columns "
        "WHERE Tables.sql LIKE 'CREATE TABLE %' AND Columns.hidden IN (2, 3)"
    )
    parts += [CostlyExpression(table, f"column {name}", "is generated") for table, name in generated
              if table.lower() in ours]  # fmt: skip
    return parts


def costly_call(sql: str) -> str | None:
    """Return the first operator or function in a table's or index's SQL that may cost a lot."""
    return next((call for _, call in _costly_calls(_words(sql))), None)


def _words(sql: str) -> list[str]:
    return [word for word in _WORD.findall(sql) if not word.startswith(("--", "/*"))]


def _costly_calls(spelled: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the index of each costly operator or function among the words of a statement."""
    words = [word.lower() for word in spelled]
    # A column of a table is declared in its parentheses: an expression has parentheses of its own.
    expressions = 1 if "index" in words[:3] else 2
    depth = 0
    for index, word in enumerate(words):
        depth += (word == "(") - (word == ")")
        if expressions == 1 and word == "where":
            expressions = 0
        if word == "||" or (
            word in _COSTLY_OPERATORS and depth >= expressions and not _is_operand(words, index)
        ):
            yield index, word
        elif words[index + 1 : index + 2] == ["("] and _is_costly_call(words, index):
            yield index, f"{word}()"


def _is_operand(words: Sequence[str], index: int) -> bool:
    """Return whether the word at an index in an expression is an operand, not an operator."""
    index -= 1
    while words[index] == "not":
        index -= 1
    if words[index] == ".":
        return not words[index - 1][0].isdigit()  # a number may end in a point
    return words[index] in _BEFORE_OPERANDS


def _is_costly_call(words: Sequence[str], index: int) -> bool:
    """Return whether the word before a parenthesis calls a function that may cost a lot."""
    word = words[index]
    if not (word[0].isalpha() or word[0] in '_"[`'):
        return False
    if word in _NO_COSTLY_CALLS or words[index - 1] in _BEFORE_NAMES:
        return False
    if word in _SEARCHES:
        return not _searches_for_little(words, index + 1)
    return not _SIZE_OF_TYPE.match(" ".join(words[index + 2 : index + 6]))


def _searches_for_little(words: Sequence[str], index: int) -> bool:
    """Return whether a call, whose parenthesis is at `index`, has one argument or a short last."""
    depth, comma = 1, None
    while depth and index + 1 < len(words):
        index += 1
        depth += (words[index] == "(") - (words[index] == ")")
        if words[index] == "," and depth == 1:
            comma = index
    if comma is None:
        return True
    last = words[comma + 1 : index]
    return len(last) == 1 and last[0][0] == "'" and len(last[0]) <= _SHORT_TEXT


def _definition(words: Sequence[str], index: int) -> str:
    """Return which column or constraint of a table has the word at an index in its definition."""
    depth = start = 0
    for at, word in enumerate(words[:index]):
        if depth + (word == "(") == 1 and word in "(,":
            start = at + 1
        depth += (word == "(") - (word == ")")
    first = words[start].lower()
    if first == "constraint":
        return f"constraint {words[start + 1]}"
    return f"constraint {words[start]}" if first == "check" else f"column {words[start]}"


# --- texts of OCGDB -------------------------------------------------------------------------------


class TextColumn(NamedTuple):
    """A column of a table that holds text."""

    table: str
    column: str


def add_text_function(connection: apsw.Connection) -> None:
    """Register the SQL function stored_text(BLOB), which returns UTF-8."""
    connection.create_scalar_function("stored_text", _text, 1, deterministic=True)


def _text(*values: object) -> str | None:
    (raw,) = values
    return decoded(raw) if isinstance(raw, bytes) else None


def read_as_text(
    connection: apsw.Connection, texts: Mapping[str, Collection[str]] = OCGDB_TEXTS
) -> None:
    """Show columns of tables (OCGDB's by default) as UTF-8 to all statements of a connection."""
    add_text_function(connection)
    for table, names in texts.items():
        columns = _columns(connection, table)
        if columns:
            shown = ", ".join(
                f"CASE WHEN {_IS_ODD.format(name)} THEN {_AS_TEXT.format(name)} "
                f"ELSE {name} END AS {name}"
                if name in names
                else quoted(name)
                for name in columns
            )
            connection.execute(f"CREATE TEMP VIEW {table} AS SELECT {shown} FROM main.{table}")


def read_as_stored(connection: apsw.Connection, tables: Iterable[str] = OCGDB_TEXTS) -> None:
    """Undo read_as_text(), so that the tables can be written."""
    for table in tables:
        connection.execute(f"DROP VIEW IF EXISTS temp.{table}")


def convert_ocgdb_texts(connection: apsw.Connection) -> None:
    """Convert all texts of a database of OCGDB to UTF-8; join names that become equal."""
    add_text_function(connection)
    for table, columns in OCGDB_TEXTS.items():
        existing = _columns(connection, table)
        if table in _NAMED_BY:
            _join_equal_names(connection, table)
        for column in columns:
            if column in existing:
                convert_texts(connection, TextColumn(table, column))


def convert_texts(connection: apsw.Connection, text_column: TextColumn) -> None:
    """Convert the texts of a column to UTF-8; a text that another row already has stays."""
    table, column = text_column
    text = _AS_TEXT.format(column)
    connection.execute(
        f"UPDATE OR IGNORE {table} SET {column} = {text} "
        f"WHERE {_IS_ODD.format(column)} AND {column} IS NOT {text}"
    )


def _join_equal_names(connection: apsw.Connection, table: str) -> None:
    """Make games refer to the UTF-8 row of a name that other rows have in other bytes."""
    odd = (
        f"SELECT Odd.ID, Sound.ID FROM {table} AS Odd "
        f"CROSS JOIN {table} AS Sound ON Sound.Name = {_AS_TEXT.format('Odd.Name')} "
        f"WHERE {_IS_ODD.format('Odd.Name')} AND Sound.ID <> Odd.ID"
    )
    for old, new in connection.execute(odd).fetchall():
        for column in _NAMED_BY[table]:
            connection.execute(f"UPDATE Games SET {column} = ? WHERE {column} = ?", (new, old))
        connection.execute(f"DELETE FROM {table} WHERE ID = ?", (old,))


def _columns(connection: apsw.Connection, table: str) -> list[str]:
    rows = connection.execute("SELECT name FROM pragma_table_info(?, 'main')", (table,))
    return [row[0] for row in rows]


# --- older versions -------------------------------------------------------------------------------


def migrate(database: Database, reporter: Reporter) -> None:
    """Migrate a database of ours, open for writing, to SCHEMA_VERSION, unless it is current.

    The file is first copied to PATH.version-N, which the user is told. All steps are one
    transaction: a killed run leaves the database unchanged, and the next run finds its copy. Raises
    StoreError for an unknown version, and apsw.Error.

    Every command that writes calls this first, so the user is also told of triggers here.
    """
    connection, path = database.connection, database.path
    triggers = "SELECT group_concat(name, ', ') FROM main.sqlite_master WHERE type = 'trigger'"
    if (names := connection.execute(triggers).get) is not None:
        reporter.warn(f"{path}: has triggers, which ocgdedup does not run: {names}")
    before = int(connection.pragma("user_version"))
    if before == SCHEMA_VERSION:
        return
    kept = back_up(database, f"{path}.version-{before}")
    migrate_copy(connection)
    reporter.warn(
        f"{path}: schema version {before} -> {SCHEMA_VERSION}; a copy of the file is {kept}"
    )


def migrate_copy(connection: apsw.Connection) -> None:
    """Do the work of migrate() without a copy of the file."""
    drop_temporary_flag_views(connection)
    with transaction(connection, UPGRADE) as change:
        # Another run may have migrated it while this run made its copy.
        since = int(connection.pragma("user_version"))
        change.words = f"schema version {since} -> {SCHEMA_VERSION}"
        if since < _FLAG_TABLE:
            _drop_indexes_of_flags(connection)
        for version in range(since + 1, SCHEMA_VERSION + 1):
            connection.execute(migration_sql(version))
            connection.pragma("user_version", version)
        view_flags(connection)
        _heal(connection, since)


def _drop_indexes_of_flags(connection: apsw.Connection) -> None:
    """Drop the user's indexes on flags, which are about to leave the tables of games."""
    named = " OR ".join(f"sql LIKE '%{name}%'" for name in FLAG_COLUMNS)
    names = connection.execute(
        "SELECT name FROM sqlite_master "
        f"WHERE type = 'index' AND tbl_name IN ('Games', 'RemovedGames') AND ({named})"
    ).fetchall()
    for (name,) in names:
        connection.execute(f"DROP INDEX {quoted(str(name))}")


def _heal(connection: apsw.Connection, since: int) -> None:
    """Repair, in the current schema, known faults of versions from `since` on."""
    if searched_at(connection) is not None:
        build_flag_index(connection)  # a search before version 3 built none
    if since < _NAMED_REFERENCES:
        name_references(connection)
    if since >= _SOUND_PERSONS:
        return
    # Deleted games kept the persons from the time of removal, and passed them to kept games.
    forget_wrong_persons(connection)
    if len(tables_with_games(connection)) > 1:
        judge_players_anew(connection)
        mark_stale(connection)


# --- databases of OCGDB ---------------------------------------------------------------------------


class Converters(NamedTuple):
    """Chess and date rules that this layer must not know."""

    keys_of: Callable[[bytes, str | None], Keys]
    parse_date: Callable[[str], tuple[str, int]]


def upgrade(connection: apsw.Connection, converters: Converters) -> list[int]:
    """Upgrade in one transaction; return the IDs of games whose moves do not replay.

    These keep their blob and get no keys, so that they are never considered duplicates.
    """
    unreadable: list[int] = []
    drop_temporary_flag_views(connection)
    read_as_stored(connection)
    with transaction(connection, UPGRADE) as change:
        change.words = "from OCGDB"
        convert_ocgdb_texts(connection)
        _add_columns_and_tables(connection)
        rows = connection.execute(_SELECT).fetchall()
        connection.executemany(_UPDATE, _updates(rows, converters, unreadable))
        connection.execute(
            "UPDATE Games SET HasComments = 1 WHERE ID IN (SELECT GameID FROM Comments)"
        )
        build_note_indexes(connection)
        build_hash_indexes(connection)
        write_info(connection)
        stamp(connection)
    view_flags(connection)
    return unreadable


def _add_columns_and_tables(connection: apsw.Connection) -> None:
    existing = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
    for line in [*_NEW_COLUMNS, *schema_sql("from_ocgdb.sql").splitlines()]:
        change = re.match(r"ALTER TABLE (\w+) ADD COLUMN (\w+)", line)
        is_new = change and change.group(1) in existing
        if change and is_new and change.group(2) not in column_names(connection, change.group(1)):
            connection.execute(line)
    for statement in schema_sql("schema.sql").split(";"):
        match = re.search(r"CREATE (?:TABLE|VIEW) (\w+)", statement)
        if match and match.group(1) not in existing:
            connection.execute(statement)
    name_references(connection)


def _updates(rows: list[Row], converters: Converters, unreadable: list[int]) -> Iterator[Row]:
    for game_id, date, fen, moves in rows:
        text = pgn_date(date)
        parsed, quality = converters.parse_date(text) if text else ("????.??.??", 0)
        keys: tuple[int | None, ...]
        try:
            keys = converters.keys_of(moves or b"", fen or None)
        except ValueError:
            unreadable.append(game_id)
            keys = (None, None, None, None)
        original = None if not text or parsed == text else json.dumps({"OriginalDate": text})
        yield (*keys, parsed, quality, original, len(moves or b"") // 2, game_id)
