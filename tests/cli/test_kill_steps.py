"""kill -9 before each step of a command: repeating the command gives the result of a full run.

Nothing is loaded, rejected or deleted twice, and nothing is left over.
"""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from ocgdedup.cli.main import run
from tests.reference.ocgdb_database import OcgdbGame, write_ocgdb
from tests.support.databases import change
from tests.support.killed_steps import repeat_after_each_kill
from tests.support.pgn_text import ILLEGAL_GAME, NO_GAME, THREE_GAMES
from tests.support.played_games import collection_text

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("work_folder")]


def inputs() -> None:
    Path("in.pgn").write_text(THREE_GAMES)
    Path("more.pgn").write_text(
        THREE_GAMES.replace("Beta", "Omega") + ILLEGAL_GAME + NO_GAME + THREE_GAMES
    )


def loaded() -> None:
    """Make a database with rejects."""
    Path("old.pgn").write_text(NO_GAME + THREE_GAMES)
    assert run(["create", "a.db3", "old.pgn", "-q"]) == 1
    inputs()


@pytest.mark.parametrize(
    "arguments",
    [
        "create a.db3 in.pgn",
        "create a.db3 in.pgn more.pgn",
        "create a.db3 more.pgn --report r.tsv --rejects x.pgn",
        "create a.db3 -",
    ],
)
def test_create(arguments: str) -> None:
    assert repeat_after_each_kill(arguments.split(), inputs, stdin="more.pgn") > 3


@pytest.mark.parametrize(
    "arguments",
    [
        "create a.db3 more.pgn --append",
        "create a.db3 more.pgn --append --report r.tsv",
        "create a.db3 more.pgn --force",
        "create a.db3 in.pgn --force",
        "create a.db3 - --append",
        "create a.db3 old.pgn more.pgn --append --only-new",
        "create a.db3 old.pgn - --append --only-new",
    ],
)
def test_create_where_a_database_is(arguments: str) -> None:
    assert repeat_after_each_kill(arguments.split(), loaded, stdin="more.pgn") > 3


def collected() -> None:
    """Make a database of a collection with duplicates in it."""
    Path("old.pgn").write_text(collection_text(), encoding="utf-8")
    assert run(["create", "a.db3", "old.pgn", "-q"]) == 0
    Path("old.pgn").unlink()


@pytest.mark.parametrize(
    "arguments",
    [
        "dedup a.db3",
        "dedup a.db3 --delete",
        "dedup a.db3 --delete --report r.csv",
        "dedup a.db3 --delete --report r.html",
        "dedup a.db3 --report r.json",
        "export a.db3 -o x.pgn --duplicates y.pgn",
        "export a.db3 -o x.pgn --split 20",
        "export a.db3 --format csv -o tables",
        "export a.db3 --format jsonl -o x.jsonl",
        "run --db a.db3 -o x.pgn --duplicates y.pgn --report r.csv",
    ],
)
def test_what_follows_a_load(arguments: str) -> None:
    assert repeat_after_each_kill(arguments.split(), collected) > 3


def test_run() -> None:
    arguments = "run in.pgn more.pgn -o x.pgn --duplicates y.pgn --report r.csv"
    assert repeat_after_each_kill(arguments.split(), inputs) > 3


def updated() -> None:
    collected()
    inputs()


def test_new_games_of_a_run() -> None:
    arguments = "run in.pgn more.pgn --db a.db3 --new-games n.pgn --duplicates y.pgn"
    assert repeat_after_each_kill(arguments.split(), updated) > 3


def test_run_from_a_pipe() -> None:
    arguments = "run in.pgn - --db x.db3 -o x.pgn"
    assert repeat_after_each_kill(arguments.split(), inputs, stdin="more.pgn") > 3


def old_version() -> None:
    """Make a database of schema version 4."""
    packed = Path(__file__).parents[1] / "schema" / "version-4.db3.gz"
    Path("a.db3").write_bytes(gzip.decompress(packed.read_bytes()))
    inputs()


@pytest.mark.parametrize("arguments", ["dedup a.db3 --delete", "create a.db3 more.pgn --append"])
def test_migration(arguments: str) -> None:
    assert repeat_after_each_kill(arguments.split(), old_version) > 3


def damaged() -> None:
    collected()
    change("a.db3", "UPDATE Games SET PlyCount = 1")


def old_and_damaged() -> None:
    old_version()
    change("a.db3", "UPDATE Games SET PlyCount = 1")


def test_repair_of_an_old_version() -> None:
    assert repeat_after_each_kill(["check", "a.db3", "--repair"], old_and_damaged) > 3


def test_repair() -> None:
    assert repeat_after_each_kill(["check", "a.db3", "--repair"], damaged) > 3


def foreign() -> None:
    write_ocgdb("a.db3", [OcgdbGame("Alpha, A", "Beta, B", "e4 e5")] * 2)


def test_upgrade() -> None:
    assert repeat_after_each_kill(["dedup", "a.db3", "--upgrade", "--delete"], foreign) > 3
