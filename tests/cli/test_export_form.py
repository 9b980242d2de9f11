"""export: lines, and stripped annotations, which stay in the database."""

from __future__ import annotations

import io
from pathlib import Path

import chess.pgn
import pytest

from tests.support.command_line import Command
from tests.support.databases import dump
from tests.support.game_content import contents, differences
from tests.support.pgn_text import game
from tests.support.played_games import collection

MOVETEXT = (
    "{start [%evp 0,2,3]} 1. e4 $1 {[%clk 0:10:00] [%eval 0.3]} "
    "(1. d4 {a (b) [%clk 0:01:00]} d5 (1... Nf6 $6 {deep}) 2. c4) 1... e5 {[%emt 0:00:05]} "
    "2. Nf3 {[%egt 0:01:00] fine [%csl Ra1]} Nc6 {[%evp 1,2]} *"
)


@pytest.fixture
def database(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text(game(MOVETEXT))
    assert command("create", "a.db3", "in.pgn", "-q").status == 0
    return "a.db3"


def movetext(command: Command, database: str, *options: str) -> str:
    before = dump(database)
    status, out, err = command("export", database, "-o", "-", "--width", "0", *options)
    assert (status, err) == (0, "")
    assert dump(database) == before
    assert chess.pgn.read_game(io.StringIO(out)).errors == []
    return out.split("\n\n")[1]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (
            [],
            "{start} 1. e4 $1 {[%clk 0:10:00] [%eval 0.3]} (1. d4 {a (b) [%clk 0:01:00]} d5 "
            "(1... Nf6 $6 {deep}) 2. c4) 1... e5 {[%emt 0:00:05]} 2. Nf3 {[%egt 0:01:00] fine "
            "[%csl Ra1]} 2... Nc6 *",
        ),
        (
            ["--strip", "clocks"],
            "{start} 1. e4 $1 {[%eval 0.3]} (1. d4 {a (b)} d5 (1... Nf6 $6 {deep}) 2. c4) 1... e5 "
            "2. Nf3 {fine [%csl Ra1]} 2... Nc6 *",
        ),
        (["--strip", "comments,variations"], "1. e4 $1 e5 2. Nf3 Nc6 *"),
        (["--strip", "comments"], "1. e4 $1 (1. d4 d5 (1... Nf6 $6) 2. c4) 1... e5 2. Nf3 Nc6 *"),
        (["--strip", "comments,nags"], "1. e4 (1. d4 d5 (1... Nf6) 2. c4) 1... e5 2. Nf3 Nc6 *"),
        (["--strip", "comments,nags,variations,clocks,evp"], "1. e4 e5 2. Nf3 Nc6 *"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)  # fmt: skip
def test_strip(command: Command, database: str, options: list[str], expected: str) -> None:
    assert movetext(command, database, *options) == expected


def test_keep_evp(command: Command, database: str) -> None:
    text = movetext(command, database, "--keep-evp", "--strip", "clocks")
    assert "{start [%evp 0,2,3]}" in text
    assert "{[%evp 1,2]}" in text
    assert "clk" not in text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--strip", "comment"], "'comment' is none of comments, variations"),
        (["--strip", "comments, nags"], "' nags' is none of"),
        (["--strip", ""], "none of"),
        (["--strip", "evp", "--keep-evp"], "--keep-evp does not go with --strip evp"),
        (["--strip", "comments", "--keep-evp"], "--keep-evp does not go with --strip comments"),
        (["--width", "-1"], "no whole number"),
        (["--all", "--duplicates", "x.pgn"], "leave out one"),
    ],
)
def test_usage(command: Command, database: str, options: list[str], message: str) -> None:
    status, out, err = command("export", database, "-o", "out.pgn", *options)
    assert (status, out) == (2, "")
    assert message in err
    assert not Path("out.pgn").exists()


@pytest.mark.parametrize("width", [1, 20, 80, 200])
def test_width(command: Command, database: str, width: int) -> None:
    wide = movetext(command, database, "--strip", "comments")
    options = ("--strip", "comments", "--width", str(width))
    out = command("export", database, "-o", "-", *options).out
    lines = out.split("\n\n")[1].split("\n")
    assert " ".join(lines) == wide
    assert all(len(line) <= width or " " not in line for line in lines)
    assert len(lines) > 1 or width >= len(wide)


def test_stripped_collection_keeps_the_moves(command: Command, made: str) -> None:
    """Marks are not removed from moves, tags or other comments."""
    command("export", made, "-o", "a.pgn", "--strip", "comments,nags,variations")
    assert "{" not in Path("a.pgn").read_text(encoding="utf-8")
    command("create", "b.db3", "a.pgn", "-q")
    unlike = differences(contents(made), contents("b.db3"))
    kinds = {line.split(" ", 2)[2].partition(":")[0] for line in unlike}
    assert kinds <= {"Comments", "Annotations", "HasComments", "HasVariations"}
    assert len(contents("b.db3")) == len(collection())
