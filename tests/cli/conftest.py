"""Databases for tests: the generated collection, odd games, Go games."""

from __future__ import annotations

from pathlib import Path

import pytest

from ocgdedup.cli.main import run
from ocgdedup.commands.create import CreateRequest, create
from tests.support.command_line import Command
from tests.support.databases import Silent
from tests.support.found_games import RECORDS
from tests.support.go_games import write_go_database
from tests.support.played_games import collection_text
from tests.support.signed_games import sign_games
from tests.support.tables import FORMS, ODD_GAMES, need


@pytest.fixture(scope="session")
def made_bytes(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("made")
    (folder / "in.pgn").write_text(collection_text(), encoding="utf-8")
    create(CreateRequest(str(folder / "a.db3"), [str(folder / "in.pgn")]), Silent())
    return (folder / "a.db3").read_bytes()


@pytest.fixture
def made(made_bytes: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the database of the generated collection, in the current folder."""
    monkeypatch.chdir(tmp_path)
    Path("a.db3").write_bytes(made_bytes)
    return "a.db3"


@pytest.fixture(scope="session")
def judged_bytes(made_bytes: bytes, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the generated collection after players and dedup."""
    path = tmp_path_factory.mktemp("judged") / "a.db3"
    path.write_bytes(made_bytes)
    assert run(["players", str(path), "-q"]) == 0
    assert run(["dedup", str(path), "-q"]) in (0, 1)
    return path.read_bytes()


@pytest.fixture
def judged(judged_bytes: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("a.db3").write_bytes(judged_bytes)
    return "a.db3"


@pytest.fixture
def odd(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a database of odd games."""
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text(ODD_GAMES, encoding="utf-8")
    assert command("create", "a.db3", "in.pgn", "-q").status == 0
    return "a.db3"


@pytest.fixture(params=FORMS)
def form(request: pytest.FixtureRequest) -> str:
    return need(request.param)


@pytest.fixture(scope="session")
def go_bytes(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("go") / "g.db3"
    write_go_database(path, RECORDS)
    sign_games(path)
    return path.read_bytes()


@pytest.fixture
def go(go_bytes: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a database of Go games with signatures, in the current folder."""
    monkeypatch.chdir(tmp_path)
    Path("g.db3").write_bytes(go_bytes)
    return "g.db3"


@pytest.fixture
def signed(judged: str) -> str:
    """Return the generated chess collection with signatures; some games are flagged duplicates."""
    sign_games(judged)
    return judged
