"""find --opening: by the moves, whatever the tags say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command_line import Command
from tests.support.go_games import GoGame, write_go_database
from tests.support.pgn_text import game

NAJDORF = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6"
TRANSPOSED = "1. Nf3 c5 2. e4 d6 3. Nc3 a6 4. d4 cxd4 5. Nxd4 Nf6"
GRUNFELD = "1. d4 Nf6 2. c4 g6 3. Nc3 d5"


@pytest.fixture
def games(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    text = (
        game(f"{NAJDORF} *", Round="1") + game(f"{TRANSPOSED} *", Round="2", Opening="Reti")
        + game("1. e4 c5 *", Round="3") + game(f"{GRUNFELD} *", Round="4", Opening="Najdorf")
        + game("*", Round="5")
        + game("1. Kb1 Kb8 *", Round="6", FEN="k7/8/8/8/8/8/8/K7 w - - 0 1", SetUp="1")
    )  # fmt: skip
    Path("in.pgn").write_text(text)
    assert command("create", "a.db3", "in.pgn", "-q").status == 0
    return "a.db3"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("najdorf", [1, 2]),
        ("Sicilian Defense", [1, 2, 3]),
        ("Sicilian Defense: Najdorf", [1, 2]),
        ("grunfeld", [4]),
        ("King's Gambit", []),
    ],
)
def test_games_of_an_opening(command: Command, games: str, text: str, expected: list[int]) -> None:
    done = command("find", games, "--opening", text, "--json")
    assert [json.loads(line)["id"] for line in done.out.splitlines()] == expected
    assert done.status == 0, done.err


def test_refused(command: Command, games: str, tmp_path: Path) -> None:
    for text in ("no such opening", "", "?"):
        done = command("find", games, "--opening", text)
        assert (done.status, "no opening has" in done.err) == (2, True)
    write_go_database(tmp_path / "go.db3", [GoGame("Bpd", black="Lee Changho")])
    done = command("find", "go.db3", "--opening", "najdorf")
    assert (done.status, "--opening is for chess" in done.err) == (2, True)
