"""Required tables and columns, and values that columns cannot hold."""

from __future__ import annotations

import apsw
import pytest

from ocgdedup.store import migrations
from ocgdedup.store.checks import odd_values
from ocgdedup.store.connection import SCHEMA_VERSION, schema_sql
from ocgdedup.store.names import highest_name_id, names_by_id
from tests.support.databases import DROP_VIEWS


def odd(connection: apsw.Connection, *, is_ours: bool = True) -> list[str]:
    return [str(value) for value in odd_values(connection, is_ours=is_ours)]


def test_the_schema_is_parsed_whole(connection: apsw.Connection) -> None:
    parsed = migrations.schema_columns()
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    tables = {name for (name,) in rows if not name.startswith("sqlite_")}
    assert parsed.keys() == tables
    for table, columns in parsed.items():
        result = connection.execute("SELECT name, type FROM pragma_table_info(?)", (table,))
        assert [(column.name, column.kind) for column in columns] == list(result)


def test_a_new_database_has_all_and_nothing_odd(connection: apsw.Connection) -> None:
    assert migrations.missing_parts(connection, SCHEMA_VERSION) == []
    assert odd(connection) == []


def test_what_later_versions_add_is_not_missed(connection: apsw.Connection) -> None:
    connection.execute("DROP TABLE PositionFilters; DROP TABLE Signatures")
    assert migrations.missing_parts(connection, 4) == []
    assert "PositionFilters.Filter" in migrations.missing_parts(connection, 5)


@pytest.mark.parametrize(
    "sql",
    [
        "DROP TABLE Faults",
        "ALTER TABLE Faults RENAME TO F; CREATE VIEW Faults AS SELECT * FROM F",
        "DROP TABLE Faults; CREATE VIRTUAL TABLE Faults USING fts5(Line, Ply)",
        "ALTER TABLE Faults RENAME COLUMN Line TO Row",
    ],
)
def test_missing_parts(connection: apsw.Connection, sql: str) -> None:
    connection.execute(sql)
    assert "Faults.Line" in migrations.missing_parts(connection, SCHEMA_VERSION)


@pytest.mark.parametrize(
    ("column", "stored", "expected"),
    [
        ("WhiteElo", "'x'", "game 1: WhiteElo is text"),
        ("WhiteElo", "-1", "game 1: WhiteElo is below 0"),
        ("WhiteElo", "1.5", "game 1: WhiteElo is a number with a fraction"),
        ("Moves2", "'x'", "game 1: Moves2 is text"),
        ("Round", "x'31'", "game 1: Round is bytes"),
        ("Round", "CAST(x'e9' AS TEXT)", "game 1: Round is not UTF-8"),
        ("Round", "CAST(x'c3a9' AS TEXT)", None),
        ("Round", "'a' || char(27, 0x10FFFF)", None),
        ("WhiteElo", "'12'", None),
    ],
)
def test_odd_values(
    connection: apsw.Connection, add_games, column: str, stored: str, expected: str | None
) -> None:
    add_games({"ID": 1})
    connection.execute(f"UPDATE Games SET {column} = {stored} WHERE ID = 1")
    assert odd(connection) == ([] if expected is None else [expected])


def test_odd_names(connection: apsw.Connection) -> None:
    connection.execute("INSERT INTO Players (ID, Name) VALUES (2, NULL), (3, x'ff'), (-1, 'a')")
    connection.execute("INSERT INTO Info VALUES (CAST(x'e9' AS TEXT), 'a')")
    assert odd(connection) == [
        "Info, row 'é': Name is not UTF-8",
        "Players, row 2: Name is NULL",
        "Players, row 3: Name is bytes",
        "Players, row -1: ID is far from those of the other rows",
    ]


def test_ids_that_no_list_reaches(connection: apsw.Connection) -> None:
    far = highest_name_id(1) + 1
    connection.execute("INSERT INTO Events (ID, Name) VALUES (?, 'a')", (far,))
    with pytest.raises(ValueError, match="Events has IDs from"):
        names_by_id(connection, "Events")
    assert odd(connection) == [f"Events, row {far}: ID is far from those of the other rows"]


def test_numbers_as_texts_of_ocgdb(connection: apsw.Connection, add_games) -> None:
    add_games({"ID": 1})
    connection.execute(DROP_VIEWS)
    connection.execute("ALTER TABLE Games DROP COLUMN Round; ALTER TABLE Games ADD COLUMN Round")
    connection.execute("UPDATE Games SET Round = 7")
    assert odd(connection) == ["game 1: Round is a number"]
    assert odd(connection, is_ours=False) == []


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TABLE T (Match TEXT, Like, Glob Regexp, Note Match(20), UNIQUE (ID, Regexp))",
        "CREATE TABLE T (A REFERENCES Match(Like) MATCH FULL, CONSTRAINT Glob CHECK (A > Match))",
        "CREATE TABLE T (A CHECK (NOT Like AND T.Glob IS NOT Match), B DEFAULT (1.5))",
        "CREATE TABLE T (A CHECK (A BETWEEN Like AND Glob), B DECIMAL(10,2) COLLATE Match)",
        "CREATE UNIQUE INDEX IF NOT EXISTS Match ON T(Match, Like DESC) WHERE Glob OR T.Match > 1",
        "CREATE INDEX Glob ON Regexp(iif(sign(A), round(A, 2), date(B)), ltrim(A), instr(A, ','))",
        "CREATE INDEX I ON T(trim(substr(A, 2, 3), ' (')) -- LIKE 'x'",
    ],
)
def test_operators_as_names_and_harmless_calls(sql: str) -> None:
    assert migrations.costly_call(sql) is None


@pytest.mark.parametrize(
    ("sql", "call"),
    [
        ("CREATE TABLE T (A CHECK (A LIKE 'x'))", "like"),
        ("CREATE TABLE T (A CHECK ((A) NOT GLOB B))", "glob"),
        ("CREATE TABLE T (A CHECK (NOT 1. /**/ LIKE A))", "like"),
        ("CREATE TABLE T (Match CHECK (Match MATCH Match))", "match"),
        ("CREATE TABLE T (A CHECK (A IS NOT NULL REGEXP B))", "regexp"),
        ("CREATE TABLE T (\u00a0 CHECK (\u00a0 LIKE 'x'))", "like"),
        ("CREATE TABLE T (A, DEFAULT$ DEFAULT (like(1, A)))", "like()"),
        ("CREATE INDEX I ON T(A) WHERE 'a' LIKE A", "like"),
        ("CREATE INDEX I ON T(A COLLATE nocase GLOB 'x')", "glob"),
        ("CREATE INDEX Match ON T(instr(A, B))", "instr()"),
        ("CREATE INDEX Match ON T(trim(A, lower('x')))", "trim()"),
        (f"CREATE INDEX I ON T(rtrim(A, '{'x' * 200}'))", "rtrim()"),
        ("CREATE INDEX I ON T(round(replace(A, 'x', 'yy')))", "replace()"),
        ("CREATE INDEX I ON T(concat(1, A, A))", "concat()"),
        ("CREATE INDEX I ON T(A || B)", "||"),
    ],
)
def test_costly_calls(sql: str, call: str) -> None:
    assert migrations.costly_call(sql) == call


def test_the_costly_part_is_named(connection: apsw.Connection) -> None:
    connection.execute(
        "ALTER TABLE Games ADD COLUMN Slow DEFAULT (hex(1) || 'x');"
        "DROP TABLE Sources; CREATE TABLE Sources (ID, Name, CONSTRAINT Odd CHECK (ID LIKE 1));"
        "DROP TABLE Rejects; CREATE TABLE Rejects (ID, Size DECIMAL(9, 2), CHECK (ID LIKE 1));"
        "CREATE INDEX Mine ON Comments(Comment || '');"
    )
    assert sorted(map(str, migrations.costly_expressions(connection))) == [
        "Comments: index Mine computes ||",
        "Games: column Slow computes ||",
        "Rejects: constraint CHECK computes like",
        "Sources: constraint Odd computes like",
    ]


def test_schema_sql_has_one_statement_a_table() -> None:
    assert schema_sql("schema.sql").count("CREATE TABLE") == len(migrations.schema_columns())
