"""Lessons: records whose FEN is no legal position."""

from __future__ import annotations

import io
from pathlib import Path

import chess.pgn
import pytest

from tests.support.command_line import Command
from tests.support.databases import query

BOARDS = {
    "pawns": "8/2p5/1p6/p7/P7/1P6/2P5/8 w - - 0 1",
    "kings": "k7/8/8/8/8/8/8/K1K5 b - - 0 1",
    "squares": "8/8/8/8/8/8/8/9 w - - 0 1",
}


def lesson(fen: str, movetext: str = "{ a [%csl Ga4] lesson } *") -> str:
    roster = '[Event "Course"]\n[Site "?"]\n[White "Pawns"]\n[Black "Lesson"]\n[Result "*"]\n'
    return f'{roster}[SetUp "1"]\n[FEN "{fen}"]\n\n{movetext}\n\n'


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_boards_and_texts_are_in_the_clean_file(command: Command) -> None:
    Path("a.pgn").write_text("".join(map(lesson, BOARDS.values())))
    Path("b.pgn").write_text(lesson(BOARDS["kings"]))
    command("run", "a.pgn", "b.pgn", "-o", "clean.pgn", "-q")
    text = Path("clean.pgn").read_text()
    for fen in BOARDS.values():
        assert text.count(f'[SetUp "1"]\n[FEN "{fen}"]\n') == 1
    assert text.count("{ a [%csl Ga4] lesson }") == 3
    groups = query("clean.db3", "SELECT ID, DuplicateStatus FROM FlaggedGames")
    assert [row for row in groups if row[1]] == [(4, "exact")]
    assert command("check", "clean.db3", "-q").status == 0


def test_python_chess_reads_the_board(command: Command) -> None:
    Path("a.pgn").write_text(lesson(BOARDS["pawns"]))
    command("create", "a.db3", "a.pgn", "-q")
    command("export", "a.db3", "-o", "out.pgn", "-q")
    game = chess.pgn.read_game(io.StringIO(Path("out.pgn").read_text()))
    assert game is not None
    assert game.board().fen() == BOARDS["pawns"]
    assert game.comment == "a [%csl Ga4] lesson"
    assert not game.errors


@pytest.mark.parametrize("fen", BOARDS.values(), ids=BOARDS)
def test_moves_are_kept_as_text(command: Command, fen: str) -> None:
    movetext = "{ a } 1. b4! {b} (1. c4 {or}) 1... axb4 $1 2. c4 ; c\n bxc3 1-0"
    Path("in.pgn").write_text(lesson(fen, movetext))
    result = command("create", "in.db3", "in.pgn")
    assert result.status == 1
    assert "in.pgn:9: game 1, after ply 0: the FEN tag is not a legal position" in result.err
    written = []
    for name in ("in", "again"):
        result = command("export", f"{name}.db3", "-o", f"{name}.out.pgn")
        assert "Faults" not in result.err
        written.append(Path(f"{name}.out.pgn").read_text())
        if name == "in":
            command("create", "again.db3", "in.out.pgn", "-q")
    assert written[0] == written[1]
    assert written[0].endswith(
        "{ a } {1. b4!} {b} {(1. c4 (or))} {1... axb4 $1 2. c4} { c} {bxc3} 1-0\n\n"
    )
