"""Datasette shows a database as docs/how-to/query-with-sql.md says, without internal tables."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.support.command_line import Command
from tests.support.databases import tables, value

METADATA = Path("docs/metadata.json").absolute()
# What people look at; views are never hidden.
SHOWN = {
    "Games", "Events", "Sites", "Players", "Persons", "Resolutions", "NameCandidates", "Comments",
    "Annotations", "Sources", "Faults", "Rejects", "Suspects", "MergedTags", "Signatures",
    "Corrections", "GameNotes",
}  # fmt: skip


@pytest.fixture
def games(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    demo = Path("scripts/demo_games").absolute()
    monkeypatch.chdir(tmp_path)
    assert command("create", "games.db3", demo, "-q").status in (0, 1)
    lists = ("--fide-xml", str(demo / "players_2013-01.xml"))
    assert command("players", "games.db3", *lists, "-q").status == 0
    assert command("dedup", "games.db3", "-q").status == 0
    return "games.db3"


def get(path: str) -> Any:
    """Return what Datasette answers; it exits with 1 for any status but 200."""
    done = subprocess.run(
        [
            sys.executable, "-m", "datasette", "games.db3", "--metadata", str(METADATA),
            "--setting", "sql_time_limit_ms", "60000", "--get", path,
        ],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout) if ".json" in path else done.stdout


@pytest.mark.slow
def test_internal_tables_are_hidden(games: str) -> None:
    hidden = json.loads(METADATA.read_text())["databases"]["games"]["tables"]
    internal = tables(games) - SHOWN | {"sqlite_sequence"}
    assert set(hidden) == internal
    listed = {table["name"] for table in get("/games.json")["tables"] if not table["hidden"]}
    assert listed == SHOWN


@pytest.mark.slow
def test_pages_of_tables_and_views(games: str) -> None:
    count = value(games, "SELECT count(*) FROM Games")
    assert get("/games/Games.json?_shape=array&_size=max")[0]["ID"] == 1
    assert "Morphy" in get("/games/Games")  # names in place of IDs, by the foreign keys
    assert len(get("/games/GamesNamed.json?_shape=array&_size=max")) == count
    pairs = get("/games/DuplicatePairs.json?_shape=array&_size=max")
    flagged = "SELECT count(*) FROM FlaggedGames WHERE DuplicateStatus IS NOT NULL"
    assert len(pairs) == value(games, flagged)
    assert {"White", "KeptWhite", "Source", "KeptSource"} < set(pairs[0])
    possible = get("/games/PossibleDuplicates.json?_shape=array")
    assert len(possible) == value(games, "SELECT count(*) FROM Suspects")
    assert possible[0]["White1"]


@pytest.mark.slow
def test_each_table_and_view_has_a_page(games: str, command: Command) -> None:
    """Views have no key that a link to a BLOB could name."""
    assert command("signatures", games, "-q").status == 0
    assert command("dedup", games, "--delete", "-q").status == 0
    assert value(games, "SELECT count(*) FROM FlaggedRemovedGames") > 0
    views = {"FlaggedGames", "FlaggedRemovedGames", "GamesNamed"}
    answers = statuses(games, tables(games) | tables(games, "view"))
    assert views < {path.split("/")[2].split(".")[0] for path in answers}
    assert {path: status for path, status in answers.items() if status != 200} == {}


# In a process of its own: Datasette makes sqlite3 report errors of functions for all connections.
CLIENT = """
import asyncio, json, sys
from datasette.app import Datasette

async def statuses(path, *paths):
    client = Datasette([path]).client
    return {path: (await client.get(path)).status_code for path in paths}

print(json.dumps(asyncio.run(statuses(*sys.argv[1:]))))
"""


def statuses(path: str, names: set[str]) -> dict[str, int]:
    """Return the status of the answer for each table and view: the page, JSON, CSV."""
    paths = [f"/games/{name}{end}" for name in sorted(names) for end in ("", ".json", ".csv")]
    command = [sys.executable, "-c", CLIENT, path, *paths]
    answers: dict[str, int] = json.loads(subprocess.check_output(command))
    return answers


def test_functions_in_sql(games: str) -> None:
    """The plugin is registered: moves and whole games can be asked for."""
    sql = "SELECT san(Moves2, FEN) AS Moves, fen_at(Moves2, FEN, 1), pgn(ID) AS Text FROM Games"
    rows = get(f"/games.json?{urlencode({'sql': f'{sql} LIMIT 3', '_shape': 'array'})}")
    assert len(rows) == 3
    assert all(row["Moves"].split()[0] in row["Text"] for row in rows)
