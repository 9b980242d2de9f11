"""An empty database of the current schema, and games for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from ocgdedup.store.connection import FLAG_COLUMNS
from ocgdedup.store.database import create_database

AddGames = Callable[..., None]


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[apsw.Connection]:
    opened = create_database(str(tmp_path / "a.db3"))
    yield opened
    opened.close()


@pytest.fixture
def add_games(connection: apsw.Connection) -> AddGames:
    """Return a function that adds games, each a dict of columns; White and Black are names.

    Columns of DuplicateFlags, if a group is among them, go there.
    """

    def player_id(name: str) -> int:
        connection.execute("INSERT OR IGNORE INTO Players (Name) VALUES (?)", (name,))
        return connection.execute("SELECT ID FROM Players WHERE Name = ?", (name,)).get

    def insert(table: str, row: dict[str, object]) -> None:
        marks = ", ".join("?" * len(row))
        connection.execute(
            f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", tuple(row.values())
        )

    def add(*games: dict[str, object]) -> None:
        for game in games:
            row = {"White": "Alpha", "Black": "Beta", **game}
            row["WhiteID"] = player_id(str(row.pop("White")))
            row["BlackID"] = player_id(str(row.pop("Black")))
            flags = {name: row.pop(name) for name in FLAG_COLUMNS if name in row}
            insert("Games", row)
            if flags.get("DuplicateGroup") is not None:
                insert("DuplicateFlags", {"GameID": connection.last_insert_rowid(), **flags})

    return add
