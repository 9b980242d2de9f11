"""Functions for SQL statements on a database: moves, positions and whole games as text.

    san(Moves2, FEN)          the moves, such as 'e4 e5 Nf3' (Go: 'Bpd Wdp')
    uci(Moves2, FEN)          the moves, such as 'e2e4 e7e5 g1f3'
    fen_at(Moves2, FEN, ply)  the position after this many plies, or after all without the third
                              argument (Go: the stones, such as 'SZ[19]AB[pd]AW[dp]')
    pgn(GameID)               the game as PGN (Go: SGF)
    game_hash(GameID)         a hash of the whole record: start, moves, seven tags, annotations

FEN is the column of Games: NULL for the standard start. The result is NULL for a game or ply that
does not exist; a damaged game is an error.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import TypeAlias

import apsw

from ocgdedup._kernels import chess as chess_kernel
from ocgdedup._kernels import go as go_kernel
from ocgdedup.errors import UsageError
from ocgdedup.game_kind import CHESS, GO, kind_of
from ocgdedup.model import PLY_BYTES
from ocgdedup.pipeline.export.emit import pgn_of_games
from ocgdedup.pipeline.export.tables import TableReader
from ocgdedup.pipeline.export.text_form import MERGED
from ocgdedup.pipeline.search.go_records import start_of
from ocgdedup.store.connection import Database
from ocgdedup.store.database import open_database

Connection: TypeAlias = sqlite3.Connection | apsw.Connection

_POINTS = "abcdefghijklmnopqrstuvwxy"


def register(connection: Connection) -> None:
    """Register the functions with a connection of sqlite3 or apsw.

    pgn and game_hash read through another connection, which sees only committed changes.
    """
    games = _Games(connection)
    functions: tuple[tuple[str, int, Callable[..., str | int | None], bool], ...] = (
        ("san", 1, games.san, True), ("san", 2, games.san, True), ("uci", 1, games.uci, True),
        ("uci", 2, games.uci, True), ("fen_at", 2, games.fen_at, True),
        ("fen_at", 3, games.fen_at, True), ("pgn", 1, games.pgn, False),
        ("game_hash", 1, games.game_hash, False),
    )  # fmt: skip
    for name, arguments, function, is_pure in functions:
        if isinstance(connection, sqlite3.Connection):
            connection.create_function(name, arguments, function, deterministic=is_pure)
        else:
            connection.create_scalar_function(name, function, arguments, deterministic=is_pure)


class _Games:
    """The functions, for one connection."""

    def __init__(self, connection: Connection) -> None:
        rows = connection.execute("PRAGMA database_list").fetchall()
        self._path = next((str(file) for _, name, file in rows if name == "main"), "")
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        self._kind = CHESS
        if "Info" in {name for (name,) in tables.fetchall()}:
            sql = "SELECT Value FROM Info WHERE Name = 'Variant'"
            self._kind = kind_of((GO.variant,) in connection.execute(sql).fetchall())
        self._database: Database | None = None
        self._tables: TableReader | None = None

    def san(self, moves: bytes | None, start: str | None = None) -> str | None:
        if moves is None:
            return None
        if self._kind is GO:
            return " ".join(go_kernel.move_texts(moves))
        return " ".join(chess_kernel.decode_san(moves, start or None))

    def uci(self, moves: bytes | None, start: str | None = None) -> str | None:
        if moves is None or self._kind is GO:
            return self.san(moves, start)
        return chess_kernel.decode_texts(moves, start or None)[0]

    def fen_at(
        self, moves: bytes | None, start: str | None = None, ply: int | None = None
    ) -> str | None:
        if moves is None:
            return None
        plies = len(moves) // PLY_BYTES
        if ply is not None:
            if not 0 <= ply <= plies:
                return None
            moves = moves[: PLY_BYTES * ply]
        if self._kind is CHESS:
            return chess_kernel.final_fen(moves, start or None)
        rows = go_kernel.board_after(moves, start or None)
        stones = {
            name: [
                _POINTS[column] + _POINTS[row]
                for row, signs in enumerate(rows)
                for column, sign in enumerate(signs)
                if sign == stone
            ]
            for name, stone in (("AB", "X"), ("AW", "O"))
        }
        return start_of(len(rows), stones)

    def pgn(self, game_id: int | None) -> str | None:
        if game_id is None:
            return None
        (text,) = pgn_of_games(self._opened(), [game_id])
        return None if text is None else text.decode("utf-8", "replace")

    def game_hash(self, game_id: int | None) -> int | None:
        if game_id is None:
            return None
        if self._tables is None:
            self._tables = TableReader(self._opened(), MERGED)
        index = self._tables.games_table.column_names.index("GameHash")
        hashes = [value for columns in self._tables.games([[game_id]]) for value in columns[index]]
        return int(str(hashes[0])) if hashes else None

    def _opened(self) -> Database:
        if self._database is None:
            if not self._path:
                raise UsageError("this needs a database in a file, and this one is in memory")
            self._database = open_database(self._path)
        return self._database
