"""Check the tables of a database, and find values that their columns cannot hold.

Before a command writes, it checks that tables and columns exist. Types of values are not checked
then, since that means reading all values. They are checked by `check`, and after a value could not
be read, to name it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import apsw

from ocgdedup.store.connection import (
    SCHEMA_VERSION,
    column_names,
    count_rows,
    migration_sql,
    schema_sql,
)
from ocgdedup.store.names import NAME_TABLES, highest_name_id
from ocgdedup.store.stored_text import add_text_function

_TABLE = re.compile(r"CREATE TABLE (\w+) \((.*?)\)(?: WITHOUT ROWID)?;", re.DOTALL)
_COLUMN = re.compile(r"(?:^|,)\s*(\w+) (INTEGER|TEXT|REAL|BLOB)\b([^,]*)")
_ADDED = re.compile(r"CREATE TABLE (\w+)|ALTER TABLE (\w+) ADD COLUMN (\w+)")
_TYPES = {"INTEGER": "'integer'", "TEXT": "'text'", "REAL": "'real', 'integer'", "BLOB": "'blob'"}
_TYPE_NAMES = {"integer": "a number", "real": "a number with a fraction", "text": "text",
               "blob": "bytes", "null": "NULL"}  # fmt: skip
NOT_UTF8 = "is not UTF-8"
_PROBLEMS = {"!": NOT_UTF8, "-": "is below 0", "+": "is too large a number"}
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
_SMALL = ("Rating", "Rapid", "Blitz", "BirthYear", "DeathYear")  # 32 bits each in a list of names
_NOT_NEGATIVE = ("WhiteElo", "BlackElo", "Elo", "PlyCount", "NAG")


class Column(NamedTuple):
    """A column as declared in schema.sql: one of _TYPES, and whether it may be NULL."""

    name: str
    kind: str
    may_be_null: bool


class OddValue(NamedTuple):
    """A value that its column cannot hold; `key`: the row's key, as far as it can be shown."""

    table: str
    key: str
    column: str
    problem: str

    def __str__(self) -> str:
        name = f"game {self.key}" if self.table == "Games" else f"{self.table}, row {self.key}"
        return f"{name}: {self.column} {self.problem}"


class CostlyPart(NamedTuple):
    """What makes SQLite compute when rows are written: a column, constraint or index of a table."""

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


def costly_parts(connection: apsw.Connection) -> list[CostlyPart]:
    """Return what makes SQLite compute when rows of our tables are written or checked.

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
        for place, call in _costly_calls(words):
            what = f"index {name}" if kind == "index" else _definition(words, place)
            parts.append(CostlyPart(table, what, f"computes {call}"))
            break
    generated = connection.execute(
        "SELECT Tables.name, Columns.name FROM main.sqlite_master AS Tables "
        "CROSS JOIN pragma_table_xinfo(Tables.name, 'main') AS Columns "
        "WHERE Tables.sql LIKE 'CREATE TABLE %' AND Columns.hidden IN (2, 3)"
    )
    parts += [CostlyPart(table, f"column {name}", "is generated") for table, name in generated
              if table.lower() in ours]  # fmt: skip
    return parts


def costly_call(sql: str) -> str | None:
    """Return the first operator or function in a table's or index's SQL that may cost a lot."""
    return next((call for _, call in _costly_calls(_words(sql))), None)


def _words(sql: str) -> list[str]:
    return [word for word in _WORD.findall(sql) if not word.startswith(("--", "/*"))]


def _costly_calls(spelled: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the place of each costly operator or function among the words of a statement."""
    words = [word.lower() for word in spelled]
    # A column of a table is declared in its parentheses: an expression has parentheses of its own.
    expressions = 1 if "index" in words[:3] else 2
    depth = 0
    for place, word in enumerate(words):
        depth += (word == "(") - (word == ")")
        if expressions == 1 and word == "where":
            expressions = 0
        if word == "||" or (
            word in _COSTLY_OPERATORS and depth >= expressions and not _is_operand(words, place)
        ):
            yield place, word
        elif words[place + 1 : place + 2] == ["("] and _is_costly_call(words, place):
            yield place, f"{word}()"


def _is_operand(words: Sequence[str], place: int) -> bool:
    """Return whether the word at a place in an expression is an operand, not an operator."""
    place -= 1
    while words[place] == "not":
        place -= 1
    if words[place] == ".":
        return not words[place - 1][0].isdigit()  # a number may end in a point
    return words[place] in _BEFORE_OPERANDS


def _is_costly_call(words: Sequence[str], place: int) -> bool:
    """Return whether the word before a parenthesis calls a function that may cost a lot."""
    word = words[place]
    if not (word[0].isalpha() or word[0] in '_"[`'):
        return False
    if word in _NO_COSTLY_CALLS or words[place - 1] in _BEFORE_NAMES:
        return False
    if word in _SEARCHES:
        return not _searches_for_little(words, place + 1)
    return not _SIZE_OF_TYPE.match(" ".join(words[place + 2 : place + 6]))


def _searches_for_little(words: Sequence[str], place: int) -> bool:
    """Return whether a call, whose parenthesis is at `place`, has one argument or a short last."""
    depth, comma = 1, None
    while depth and place + 1 < len(words):
        place += 1
        depth += (words[place] == "(") - (words[place] == ")")
        if words[place] == "," and depth == 1:
            comma = place
    if comma is None:
        return True
    last = words[comma + 1 : place]
    return len(last) == 1 and last[0][0] == "'" and len(last[0]) <= _SHORT_TEXT


def _definition(words: Sequence[str], place: int) -> str:
    """Return which column or constraint of a table has the word at a place in its definition."""
    depth = start = 0
    for at, word in enumerate(words[:place]):
        if depth + (word == "(") == 1 and word in "(,":
            start = at + 1
        depth += (word == "(") - (word == ")")
    first = words[start].lower()
    if first == "constraint":
        return f"constraint {words[start + 1]}"
    return f"constraint {words[start]}" if first == "check" else f"column {words[start]}"


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
                words = _PROBLEMS.get(problem) or f"is {_TYPE_NAMES[problem]}"
                yield OddValue(table, str(shown)[:40], column.name, words)


def _problem_case(column: Column, texts_alone: bool) -> str:
    """Return the SQL of the problem with a value: its type, see _PROBLEMS, else NULL."""
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
