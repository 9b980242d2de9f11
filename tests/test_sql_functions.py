"""san(), uci(), fen_at() and pgn() in SQL, by sqlite3 and by apsw."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import chess
import pytest

import ocgdedup
from ocgdedup.errors import UsageError
from ocgdedup.sql_functions import register
from tests.support.command_line import Command
from tests.support.go_games import GoGame, write_go_database
from tests.support.pgn_text import QUEENS_GAMBIT, RUY_LOPEZ, game

SET_UP = '[SetUp "1"]\n[FEN "4k3/P7/8/8/8/8/8/4K2R w K - 0 1"]\n'
Opened = Callable[[str], Any]


@pytest.fixture
def games(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    odd = f'[White "A"]\n[Black "B"]\n[Result "*"]\n{SET_UP}\n1. a8=N O-O *\n'
    Path("in.pgn").write_text(
        game(f"{RUY_LOPEZ} 1-0") + game(f"{QUEENS_GAMBIT} *", White="C")
        + odd.replace("1. a8=N O-O", "1. O-O Kd7 2. a8=N") + game("*", White="D")
    )  # fmt: skip
    assert command("create", "a.db3", "in.pgn", "-q").status == 0
    return "a.db3"


@pytest.fixture(params=[sqlite3.connect, apsw.Connection])
def opened(request: pytest.FixtureRequest) -> Opened:
    def open_with_functions(path: str) -> Any:
        connection = request.param(path)
        register(connection)
        return connection

    return open_with_functions


def test_moves_and_positions(games: str, opened: Opened) -> None:
    """As python-chess plays them."""
    rows = (
        opened(games)
        .execute(
            "SELECT FEN, san(Moves2, FEN), uci(Moves2, FEN), fen_at(Moves2, FEN), "
            "fen_at(Moves2, FEN, 3), fen_at(Moves2, FEN, 0), PlyCount FROM Games ORDER BY ID"
        )
        .fetchall()
    )
    assert len(rows) == 4
    for fen, sans, ucis, last, third, first, plies in rows:
        board = chess.Board(fen or chess.STARTING_FEN)
        assert first == board.fen(en_passant="legal")
        fens = [first]
        for san, uci in zip(sans.split(), ucis.split(), strict=True):
            move = board.parse_san(san)
            assert move.uci() == uci
            board.push(move)
            fens.append(board.fen(en_passant="legal"))
        assert len(fens) == plies + 1
        assert last == fens[-1]
        assert third == (fens[3] if plies >= 3 else None)


def test_whole_games(games: str, opened: Opened, command: Command) -> None:
    connection = opened(games)
    rows = connection.execute("SELECT ID, pgn(ID) FROM Games ORDER BY ID").fetchall()
    for game_id, text in rows:
        printed = command("printpgn", games, "-g", game_id).out
        assert printed.endswith(text)
        assert "[White " in text
    assert connection.execute("SELECT pgn(99), pgn(NULL)").fetchall() == [(None, None)]


def test_hashes_of_records(games: str, opened: Opened, command: Command) -> None:
    connection = opened(games)
    sql = "SELECT ID, game_hash(ID) FROM Games ORDER BY ID"
    result = connection.execute(sql).fetchall()
    assert len(dict(result)) == len({value for _, value in result}) == 4
    export = command("export", games, "--all", "--format", "jsonl", "-o", "-").out
    rows = [json.loads(line) for line in export.splitlines()]
    assert result == [(row["ID"], row["GameHash"]) for row in rows]
    assert connection.execute("SELECT game_hash(99), game_hash(NULL)").fetchall() == [(None, None)]


def test_what_is_null(games: str, opened: Opened) -> None:
    sql = (
        "SELECT san(NULL, NULL), uci(NULL), fen_at(NULL, NULL), fen_at(Moves2, FEN, 999), "
        "fen_at(Moves2, FEN, -1), san(x''), fen_at(x'', '') FROM Games WHERE ID = 1"
    )
    rows = opened(games).execute(sql).fetchall()
    assert rows == [(None, None, None, None, None, "", chess.STARTING_FEN)]


def test_a_damaged_game_is_an_error(games: str, opened: Opened) -> None:
    with pytest.raises((sqlite3.OperationalError, ValueError)):
        opened(games).execute("SELECT san(x'FFFF', NULL)").fetchall()


def test_other_databases(opened: Opened) -> None:
    connection = opened(":memory:")
    assert connection.execute("SELECT fen_at(x'', NULL, 0)").fetchall() == [(chess.STARTING_FEN,)]
    with pytest.raises((sqlite3.OperationalError, UsageError)):
        connection.execute("SELECT pgn(1)").fetchall()


def test_games_of_go(tmp_path: Path, opened: Opened) -> None:
    path = str(tmp_path / "g.db3")
    write_go_database(path, [GoGame("Baa Wba Bcc Wab"), GoGame("Bcc", start="SZ[9]AB[gc]")])
    rows = (
        opened(path)
        .execute(
            "SELECT san(Moves2, FEN), uci(Moves2, FEN), fen_at(Moves2, FEN), "
            "fen_at(Moves2, FEN, 2), pgn(ID) FROM Games ORDER BY ID"
        )
        .fetchall()
    )
    # The stone in the corner is taken.
    assert rows[0][:4] == ("Baa Wba Bcc Wab",) * 2 + (
        "SZ[19]AB[cc]AW[ab][ba]",
        "SZ[19]AB[aa]AW[ba]",
    )
    assert rows[1][:4] == ("Bcc", "Bcc", "SZ[9]AB[cc][gc]", None)
    assert rows[0][4].startswith("(;")


def test_from_python(games: str) -> None:
    with ocgdedup.open(games) as database:
        assert database.execute("SELECT san(Moves2, FEN) FROM Games WHERE ID = ?", (4,)) == [("",)]
        assert database.execute("SELECT pgn(99)") == [(None,)]
