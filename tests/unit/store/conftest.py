"""An empty database of the current schema, and games for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from ocgdedup.store.connection import create_database

AddGames = Callable[..., None]


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[apsw.Connection]:
    opened = create_database(str(tmp_path / "a.db3"))
    yield opened
    opened.close()


@pytest.fixture
def add_games(connection: apsw.Connection) -> AddGames:
    """Return a function that adds games, each a dict of columns; White and Black are names."""

    def player_id(name: str) -> int:
        connection.execute("INSERT OR IGNORE INTO Players (Name) VALUES (?)", (name,))
        return connection.execute("SELECT ID FROM Players WHERE Name = ?", (name,)).get

    def add(*games: dict[str, object]) -> None:
        for game in games:
            row = {"White": "Alpha", "Black": "Beta", **game}
            row["WhiteID"] = player_id(str(row.pop("White")))
            row["BlackID"] = player_id(str(row.pop("Black")))
            marks = ", ".join("?" * len(row))
            connection.execute(
                f"INSERT INTO Games ({', '.join(row)}) VALUES ({marks})", tuple(row.values())
            )

    return add
