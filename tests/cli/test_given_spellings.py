"""Spelling files and tables that the user gives: exact spellings, nicknames, canonical names."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.command_line import Command
from tests.support.databases import change, query, value
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


OTHERS = """
@SITE
Uppsala
= Upsala
Lund
@EVENT
%Prefix "II " "2. "
%Infix "3rd" "3."
Rilton Cup
@ROUND
1
@PLAYER
Osei, Kwame
%Bio Born in Kumasi
%Bio FIDEID 7
%Elo 2001:2300
%Nickname x
"""
KEPT = {
    "site": 2, "event": 1, "round": 1, "prefix": 1, "infix": 1, "biography": 1, "rating": 1,
    "other": 1,
}  # fmt: skip
KEPT_TEXT = (
    "2 sites, 1 event, 1 round, 1 correction of prefixes, 1 correction of infixes, 1 biography, "
    "1 player with ratings, 1 other line"
)


def json_of(command: Command, *arguments: str) -> dict[str, Any]:
    output: dict[str, Any] = json.loads(command(*arguments, "--json").out)
    return output


def test_other_lines_are_kept_and_counted(command: Command, folder: Path) -> None:
    Path("all.ssp").write_text(SSP + OTHERS)
    line = f"spelling file: 2 players; kept: {KEPT_TEXT}\n"
    for _ in range(2):  # the second time, the file is not read
        assert line in command("players", "a.db3", "--aliases", "all.ssp").out
    rows = query("a.db3", "SELECT Line, Section, Kind, Name, Value FROM SpellingLines LIMIT 4")
    assert rows == [
        (8, "site", "site", "Uppsala", "Uppsala"),
        (9, "site", "site", "Uppsala", "Upsala"),
        (10, "site", "site", "Lund", "Lund"),
        (12, "event", "prefix", "2. ", "II "),
    ]
    Path("own.ssp").write_text("@PLAYER\nLindqvist, Maja\n@SITE\nLund\n= Lunden\nKiruna\n")
    result = json_of(command, "players", "a.db3", "--aliases", "own.ssp")
    assert (result["aliases"], result["spelling_lines"]) == (1, {"site": 2})
    state = json_of(command, "info", "a.db3")["players"]
    assert state["spelling_lines"] == {**KEPT, "site": 3}
    text = f"kept from spelling files: {KEPT_TEXT.replace('2 sites', '3 sites')}"
    assert text in command("info", "a.db3").out
    out = command("players", "a.db3", "--aliases-remove", "all.ssp").out
    assert out.startswith(f"removed: 3 spellings, {KEPT_TEXT}\n")
    assert json_of(command, "info", "a.db3")["players"]["spelling_lines"] == {"site": 2}
    assert query("a.db3", "SELECT Alias FROM NameAliases") == [("Lindqvist, Maja",)]
    removed = json_of(command, "players", "a.db3", "--aliases-remove", "own.ssp")
    assert removed["removed_spellings"]["lines"] == {"site": 2}
    for table in ("SpellingLines", "AliasOrigins", "NameAliases", "RatingLists"):
        assert value("a.db3", f"SELECT count(*) FROM {table}") == 0


def test_a_removed_spelling_comes_back_with_its_file(command: Command, folder: Path) -> None:
    command("players", "a.db3", "--aliases", "own.ssp", "-q")
    before = sides()
    assert before[0][0] == "Lindqvist, Maja"
    out = command("players", "a.db3", "--aliases-remove", "tigerlily_88").out
    assert out.startswith("removed: 1 spelling\n")
    assert sides() != before
    assert command("players", "a.db3", "--aliases", "own.ssp", "-q").status == 0
    assert sides() == before
    assert value("a.db3", "SELECT count(*) FROM RatingLists") == 1
    assert "nothing is new" in command("players", "a.db3", "--aliases", "own.ssp").out
    out = command("players", "a.db3", "--aliases-remove", "own.ssp").out
    assert out.startswith("removed: 3 spellings\n")


def test_a_file_that_an_older_version_read(command: Command, folder: Path) -> None:
    command("players", "a.db3", "--aliases", "own.ssp", "-q")
    change("a.db3", "DELETE FROM AliasOrigins")
    change("a.db3", "UPDATE RatingLists SET IsWhole = NULL")
    outcome = command("players", "a.db3", "--aliases-remove", "own.ssp")
    assert outcome.status == 2
    assert outcome.err == (
        "ocgdedup: error: a.db3: an older version of ocgdedup read own.ssp and did not store which "
        "spellings it has; read the same file again with --aliases own.ssp, then remove it\n"
    )
    Path("own.ssp").write_text(f"{SSP}@SITE\nLund\n")  # a later state of the file
    command("players", "a.db3", "--aliases", "own.ssp", "-q")
    change("a.db3", "INSERT INTO NameAliases (Alias, Name) VALUES ('old_one', 'Old, O')")
    outcome = command("players", "a.db3", "--aliases-remove", "own.ssp")
    assert (outcome.status, "only those that it had later" in outcome.err) == (0, True)
    assert query("a.db3", "SELECT Alias FROM NameAliases") == [("old_one",)]
    Path("own.ssp").write_text(SSP)
    command("players", "a.db3", "--aliases", "own.ssp", "-q")
    out = command("players", "a.db3", "--aliases-remove", "own.ssp").out
    assert out.startswith("removed: 3 spellings\n")
    assert value("a.db3", "SELECT count(*) FROM RatingLists") == 0
