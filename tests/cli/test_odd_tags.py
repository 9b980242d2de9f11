"""Tags that only some programs write: Elos that are no numbers, names in other alphabets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command_line import Command
from tests.support.databases import change, query
from tests.support.pgn_text import game
from tests.support.reading import read

ELOS = {
    "-": None, "1500?": 1500, "2300*": 2300, "unr.": None, "2400 (est.)": 2400, "~ 950": 950,
    "Elo: 2705": 2705, "1800/1750": None, "2400.5": None, "0000": None, "15?": None,
    "22000": None, "0123?": None, "１５００": None, "1500P12": None,
}  # fmt: skip
NAMES = ("1stPrize", "2nd-Prize.x", "_hidden", "Турнир", "été", "棋譜", "White.Team")


@pytest.mark.parametrize("elo", ELOS)
def test_elos_that_are_no_numbers(elo: str) -> None:
    (first,) = read(game("1. e4 *", WhiteElo=elo, BlackElo="2000")).games
    assert (first["WhiteElo"], first["BlackElo"]) == (ELOS[elo], 2000)
    assert json.loads(first["ExtraTags"]) == {"WhiteElo": elo}


@pytest.fixture
def exported(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    tags = {name: f"value {number}" for number, name in enumerate(NAMES)}
    text = game("1. e4 *", WhiteElo="1500?", BlackElo="1600 est.", **tags)
    text += game("1. d4 *", WhiteElo="-", BlackElo="unr.")
    Path("in.pgn").write_text(text, encoding="utf-8")
    assert command("create", "a.db3", "in.pgn", "-q").status == 0
    return command("export", "a.db3", "-o", "-").out


def test_odd_tags_are_written_as_they_were_read(command: Command, exported: str) -> None:
    for line in Path("in.pgn").read_text(encoding="utf-8").splitlines():
        assert line in exported
    assert exported.count("Elo ") == 4
    Path("b.pgn").write_text(exported, encoding="utf-8")
    assert command("create", "b.db3", "b.pgn", "-q").status == 0
    assert command("export", "b.db3", "-o", "-").out == exported
    rows = "SELECT WhiteElo, BlackElo, ExtraTags FROM Games"
    assert query("a.db3", rows) == query("b.db3", rows)


def test_numbers_in_odd_elos_are_found(command: Command, exported: str) -> None:
    assert "a.db3: 1 game found" in command("find", "a.db3", "--elo", "1450-1650").err
    change("a.db3", "UPDATE Games SET WhiteElo = 1555, BlackElo = 1666")
    written = command("export", "a.db3", "-o", "-").out
    assert written.count('[WhiteElo "1555"]\n[BlackElo "1666"]') == 2
    assert "1500?" not in written
    assert "est." not in written
