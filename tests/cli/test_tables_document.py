"""docs/tables.md: it has every column with its type, and its recipes run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ocgdedup.tables.columns import GO_GAMES, LOSSLESS_TABLES, TABLES
from tests.support.command_line import Command
from tests.support.databases import query, value
from tests.support.tables import export, need

DOCUMENT = Path(__file__).parents[2] / "docs" / "tables.md"


def documented() -> dict[str, list[tuple[str, str]]]:
    """Return the tables of the document, by their titles: name and type of each column."""
    tables: dict[str, list[tuple[str, str]]] = {}
    for part in re.split(r"^## ", DOCUMENT.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        title = part.splitlines()[0].replace("`", "")
        rows = re.findall(r"^\| `(\w+)` \| (\w+) \| .*\S.* \| .*\S.* \|$", part, re.MULTILINE)
        if rows:
            tables[title] = rows
    return tables


def test_every_column_is_documented() -> None:
    words = {"word": "text"}
    tables = {**{table.name: table for table in TABLES}, "games in a Go database": GO_GAMES}
    assert documented() == {
        title: [(column.name, words.get(column.kind, column.kind)) for column in table.columns]
        for title, table in tables.items()
    }


def test_every_column_of_lossless_tables_is_documented() -> None:
    kinds = {"word": "text", "rows": "list of rows"}
    text = DOCUMENT.read_text(encoding="utf-8")
    for table in LOSSLESS_TABLES:
        (part,) = re.findall(
            rf"^## `{table.name}.parquet`\n(.*?)^## ", text, re.DOTALL | re.MULTILINE
        )
        rows = re.findall(r"^\| (`.+?`) \| ([\w ]+) \| .*\S.* \|$", part, re.MULTILINE)
        columns = {name: kind for names, kind in rows for name in re.findall(r"`(\w+)`", names)}
        assert columns == {
            column.name: kinds.get(column.kind, column.kind) for column in table.columns
        }


def recipes(language: str) -> list[str]:
    text = DOCUMENT.read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_recipes_for_duckdb_run(command: Command, judged: str) -> None:
    duckdb = pytest.importorskip("duckdb", reason="the recipes are for DuckDB")
    export(command, judged, "--format", need("parquet"), "-o", "tables")
    openings, copies, games, *others = (
        duckdb.sql(recipe.replace("Carlsen, Magnus", "Tal, Mihail")).fetchall()
        for recipe in recipes("sql")
    )
    expected = (
        "SELECT ECO, count(*) FROM FlaggedGames WHERE DuplicateStatus IS NULL AND Result <> '*' "
        "AND ECO IS NOT NULL GROUP BY ECO ORDER BY 2 DESC, 1 LIMIT 40"
    )
    assert [row[:2] for row in openings] == query(judged, expected)
    flagged = "SELECT count(*) FROM FlaggedGames WHERE DuplicateStatus IS NOT NULL"
    assert sum(row[-1] for row in copies) == value(judged, flagged) > 0
    by_tal = (
        "SELECT Games.ID FROM FlaggedGames AS Games "
        "JOIN Persons ON Persons.ID IN (WhitePersonID, BlackPersonID) "
        "WHERE Persons.Name = 'Tal, Mihail' AND DuplicateStatus IS NULL ORDER BY Date, Games.ID"
    )
    assert [row[:1] for row in games] == query(judged, by_tal) != []
    assert len(others) == 2


def test_recipes_for_pandas_run(
    command: Command, judged: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pandas", reason="the recipes are for pandas")
    export(command, judged, "--format", need("parquet"), "-o", "tables")
    first_moves, players = recipes("python")
    exec(first_moves, {})
    assert "1960" in capsys.readouterr().out
    exec(players, {})
    assert "Tal, Mihail" in capsys.readouterr().out
