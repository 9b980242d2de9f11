"""A database of the made collection for each test that asks for one."""

from __future__ import annotations

from pathlib import Path

import pytest

from ocgdedup.commands.create import CreateRequest, create
from tests.support.databases import Silent
from tests.support.played_games import collection_text


@pytest.fixture(scope="session")
def made_bytes(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("made")
    (folder / "in.pgn").write_text(collection_text(), encoding="utf-8")
    create(CreateRequest(str(folder / "a.db3"), [str(folder / "in.pgn")]), Silent())
    return (folder / "a.db3").read_bytes()


@pytest.fixture
def made(made_bytes: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the database of the made collection, in the current folder."""
    monkeypatch.chdir(tmp_path)
    Path("a.db3").write_bytes(made_bytes)
    return "a.db3"
