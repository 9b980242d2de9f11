"""kill -9 before each step of a command: the same command line, repeated, ends as a whole run.

Nothing is loaded, rejected or deleted twice, and nothing is left over.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ocgdedup.cli.main import run
from tests.support.killed_steps import repeat_after_each_kill
from tests.support.pgn_text import ILLEGAL_GAME, NO_GAME, THREE_GAMES


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


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
    assert repeat_after_each_kill(arguments.split(), inputs, stdin="more.pgn") > 5


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
    assert repeat_after_each_kill(arguments.split(), loaded, stdin="more.pgn") > 5
