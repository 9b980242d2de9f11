"""printpgn: games by ID on standard output."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command_line import Command
from tests.support.databases import change
from tests.support.pgn_text import THREE_GAMES, game

ANNOTATED = (
    '[Event "Zürich"]\n[Site "?"]\n[Date "1953.08.30"]\n[Round "?"]\n[White "Смыслов, Василий"]\n'
    '[Black "Beta, B"]\n[Result "1-0"]\n[Annotator "N. N."]\n\n'
    "{Before} 1. e4 $1 {after} (1. d4 d5 (1... Nf6)) 1... e5 1-0\n\n"
)


@pytest.fixture
def database(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text(THREE_GAMES + ANNOTATED, encoding="utf-8")
    assert command("create", "a.db3", "in.pgn", "-q").status == 0
    return "a.db3"


def test_one_game(command: Command, database: str) -> None:
    assert command("printpgn", database, "-g", 4) == (0, ANNOTATED, "")


def test_order_is_as_asked_for(command: Command, database: str) -> None:
    out = {number: command("printpgn", database, "-g", number).out for number in (1, 2, 3)}
    status, text, _ = command("printpgn", database, "-g", 3, "--game", 1, "-g", 3, "-g", 2)
    assert status == 0
    assert text == out[3] + out[1] + out[3] + out[2]


def test_equals_export(command: Command, database: str) -> None:
    command("export", database, "-o", "out.pgn")
    printed = command("printpgn", database, *[w for n in range(1, 5) for w in ("-g", n)]).out
    assert printed == Path("out.pgn").read_text(encoding="utf-8")


def test_prints_what_is_flagged_too(command: Command, database: str) -> None:
    before = command("printpgn", database, "-g", 3)
    command("dedup", database)
    assert command("printpgn", database, "-g", 3) == before


def test_quiet_still_prints(command: Command, database: str) -> None:
    assert command("printpgn", database, "-q", "-g", 4).out == ANNOTATED


@pytest.mark.parametrize(
    ("asked", "named"), [([9], "9"), ([0], "0"), ([-5], "-5"), ([1, 99, 2, 7], "99, 7")]
)
def test_unknown_id(command: Command, database: str, asked: list[int], named: str) -> None:
    status, out, err = command("printpgn", database, *[f"-g{number}" for number in asked])
    assert (status, out) == (2, "")
    assert err == f"ocgdedup: error: a.db3: there is no game with ID {named}\n"


def test_id_beyond_64_bits(command: Command, database: str) -> None:
    status, out, err = command("printpgn", database, "-g", 10**20)
    assert (status, out) == (2, "")
    assert "100000000000000000000" in err


def test_damaged_moves(command: Command, database: str) -> None:
    change(database, "UPDATE Games SET Moves2 = x'ffff' WHERE ID = 2")
    status, out, err = command("printpgn", database, "-g", 2)
    assert (status, out) == (2, "")
    assert "a.db3" in err
    assert "game 2" in err
    assert command("printpgn", database, "-g", 1).status == 0


def test_game_without_anything(command: Command, database: str) -> None:
    Path("bare.pgn").write_text(game("*"))
    command("create", "b.db3", "bare.pgn")
    status, out, _ = command("printpgn", "b.db3", "-g", 1)
    assert status == 0
    assert '[Result "*"]\n\n*\n\n' in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.db3"], "-g/--game"),
        (["-g", "1"], "GAMES.db3"),
        (["a.db3", "-g", "one"], "-g/--game: invalid int value: 'one'"),
    ],
)
def test_usage(command: Command, arguments: list[str], message: str) -> None:
    status, out, err = command("printpgn", *arguments)
    assert (status, out) == (2, "")
    assert message in err
