"""A database as OCGDB (Beta 8) writes it: its own CREATE statements and its encoding of values.

Its values: dates with hyphens, "1" for each "?" of a date, no site, ID 1 for an empty name, no
Moves2 for a game without moves, comments by the ply that they follow, no keys.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.reference.move_blobs import encode_san

OCGDB_SCHEMA = """
CREATE TABLE Info (Name TEXT UNIQUE NOT NULL, Value TEXT);
CREATE TABLE Events (ID INTEGER PRIMARY KEY AUTOINCREMENT, Name TEXT UNIQUE);
CREATE TABLE Sites (ID INTEGER PRIMARY KEY AUTOINCREMENT, Name TEXT UNIQUE);
CREATE TABLE Players (ID INTEGER PRIMARY KEY, Name TEXT UNIQUE, Elo INTEGER);
CREATE TABLE Games (ID INTEGER PRIMARY KEY AUTOINCREMENT, EventID INTEGER, SiteID INTEGER,
    Date TEXT, Round TEXT, WhiteID INTEGER, WhiteElo INTEGER, BlackID INTEGER, BlackElo INTEGER,
    Result TEXT, TimeControl TEXT, ECO TEXT, PlyCount INTEGER, FEN TEXT,
    Moves2 BLOB DEFAULT NULL,
    FOREIGN KEY(EventID) REFERENCES Events, FOREIGN KEY(SiteID) REFERENCES Sites,
    FOREIGN KEY(WhiteID) REFERENCES Players, FOREIGN KEY(BlackID) REFERENCES Players);
CREATE TABLE Comments (ID INTEGER PRIMARY KEY AUTOINCREMENT, GameID INTEGER, Ply INTEGER,
    Comment TEXT);
INSERT INTO Info VALUES ('Data Structure Version', '0.6'), ('Version', '0.1'),
    ('Variant', 'standard'), ('License', 'free'), ('Description', '');
INSERT INTO Events VALUES (1, '');
INSERT INTO Sites VALUES (1, '');
INSERT INTO Players VALUES (1, '', NULL);
"""


class OcgdbGame(NamedTuple):
    """The stored values of a game; `comments` by the 0-based ply that they follow."""

    white: str
    black: str
    san: str
    date: str = "1999-01-02"
    event: str = "Test"
    result: str = "1-0"
    fen: str | None = None
    white_elo: int | None = None
    comments: Sequence[tuple[int, str]] = ()


def write_ocgdb(path: Path | str, games: Sequence[OcgdbGame]) -> None:
    """Write a new database."""
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(OCGDB_SCHEMA)
        for game in games:
            _write_game(connection, game)
        for name, table in (("GameCount", "Games"), ("PlayerCount", "Players")):
            count = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            connection.execute("INSERT INTO Info VALUES (?, ?)", (name, str(count)))


def _name_id(connection: sqlite3.Connection, table: str, name: str) -> int:
    connection.execute(f"INSERT OR IGNORE INTO {table} (Name) VALUES (?)", (name,))
    result: int = connection.execute(f"SELECT ID FROM {table} WHERE Name = ?", (name,)).fetchone()[
        0
    ]
    return result


def _write_game(connection: sqlite3.Connection, game: OcgdbGame) -> None:
    moves, san = encode_san(game.fen, game.san)
    values = (
        _name_id(connection, "Events", game.event), game.date, "1",
        _name_id(connection, "Players", game.white), game.white_elo,
        _name_id(connection, "Players", game.black), game.result,
        len(san) or None, game.fen, moves or None,
    )  # fmt: skip
    cursor = connection.execute(
        "INSERT INTO Games (EventID, SiteID, Date, Round, WhiteID, WhiteElo, BlackID, Result, "
        "PlyCount, FEN, Moves2) VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        values,
    )
    connection.executemany(
        "INSERT INTO Comments (GameID, Ply, Comment) VALUES (?, ?, ?)",
        [(cursor.lastrowid, ply, text) for ply, text in game.comments],
    )
