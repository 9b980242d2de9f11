"""Spelling files and tables that the user gives: exact spellings, nicknames, canonical names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.command_line import Command
from tests.support.databases import query, value
from tests.support.pgn_text import QUEENS_GAMBIT, RUY_LOPEZ, game

ON_WEB = {"Event": "Rated Blitz game", "Site": "https://lichess.org/AbCd1234"}
SSP = "@PLAYER\n\nLindqvist, Maja  #IM SWE [2450] 1990\n= tigerlily_88\n= Lindqvist,M\n"
TABLE = "name\tother\nOsei, Kwame\tking-of-accra;Osei,K\n"


@pytest.fixture
def folder(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text(
        game(f"{RUY_LOPEZ} 1-0", White="tigerlily_88", Black="somebody7", **ON_WEB)
        + game(f"{QUEENS_GAMBIT} 1-0", White="king-of-accra", Black="tigerlily_88", **ON_WEB)
        + game(f"{QUEENS_GAMBIT} *", White="Lindqvist, Maja", Black="Osei, Kwame", Event="Open")
        + game(f"{RUY_LOPEZ} *", White="Osei,K", Black="Lindqvist,M", Event="Cup")
    )
    Path("own.ssp").write_text(SSP)
    Path("own.tsv").write_text(TABLE)
    command("create", "a.db3", "in.pgn", "-q")
    return tmp_path


def sides() -> list[tuple[str, str]]:
    sql = "SELECT WhitePlayer, BlackPlayer FROM GamesNamed ORDER BY ID"
    return [tuple(row) for row in query("a.db3", sql)]  # type: ignore[misc]


def test_nicknames_of_several_files_in_both_colours(command: Command, folder: Path) -> None:
    for path in ("own.ssp", "own.tsv"):
        assert command("players", "a.db3", "--aliases", path, "-q").status == 0
    assert [row[0] for row in sides()] == [
        "Lindqvist, Maja", "Osei, Kwame", "Lindqvist, Maja", "Osei, Kwame",
    ]  # fmt: skip
    assert [row[1] for row in sides()][1:] == ["Lindqvist, Maja", "Osei, Kwame", "Lindqvist, Maja"]
    shown = command("players", "a.db3", "--show", "tigerlily_88").out
    assert "=>Lindqvist, Maja: tigerlily_88 is in the spelling file" in shown
    text = command("export", "a.db3", "-o", "-", "-q", "--names", "canonical").out
    assert "tigerlily" not in text
    assert re.findall(r'\[White "(.*)"\]', text)[0] == "Lindqvist, Maja"


def test_a_spelling_of_two_players_decides_nothing(command: Command, folder: Path) -> None:
    Path("two.ssp").write_text(
        "@PLAYER\nLindqvist, Maja\n= tigerlily_88\nOsei, Kwame\n= tigerlily_88\n"
    )
    assert command("players", "a.db3", "--aliases", "two.ssp", "-q").status == 0
    sql = (
        "SELECT count(*) FROM Resolutions JOIN Players ON Players.ID = PlayerID "
        "JOIN Persons ON Persons.ID = PersonID WHERE Players.Name = 'tigerlily_88' "
        "AND Persons.Name <> 'tigerlily_88'"
    )
    assert value("a.db3", sql) == 0


def test_a_spelling_file_renames(command: Command, folder: Path) -> None:
    Path("new.ssp").write_text("@PLAYER\nLindqvist-Berg, Maja\n= Lindqvist, Maja\n= Lindqvist,M\n")
    assert command("players", "a.db3", "--aliases", "new.ssp", "-q").status == 0
    assert sides()[2][0] == sides()[3][1] == "Lindqvist-Berg, Maja"
    assert command("players", "a.db3", "--name", "Lindqvist,M", "Berg, M.", "-q").status == 0
    assert sides()[2][0] == sides()[3][1] == "Berg, M."


def test_files_and_spellings_are_removed(command: Command, folder: Path) -> None:
    command("players", "a.db3", "-q")
    before = sides()
    Path("more.ssp").write_text("@PLAYER\nLindqvist, Maja\n= Lindqvist,M\n= somebody7\n")
    for path in ("own.ssp", "more.ssp"):
        command("players", "a.db3", "--aliases", path, "-q")
    assert sides()[0] == ("Lindqvist, Maja", "Lindqvist, Maja")
    assert command("players", "a.db3", "--aliases-remove", "somebody7", "-q").status == 0
    assert sides()[0] == ("Lindqvist, Maja", before[0][1])
    assert command("players", "a.db3", "--aliases-remove", "own.ssp", "-q").status == 0
    aliases = query("a.db3", "SELECT Alias FROM NameAliases ORDER BY 1")
    assert aliases == [("Lindqvist, Maja",), ("Lindqvist,M",)]
    assert command("players", "a.db3", "--aliases-remove", "more.ssp", "-q").status == 0
    assert sides() == before
    outcome = command("players", "a.db3", "--aliases-remove", "own.ssp")
    assert (outcome.status, "no spelling file" in outcome.err) == (2, True)
    command("players", "a.db3", "--aliases", "own.ssp", "-q")
    assert sides()[0][0] == "Lindqvist, Maja"
