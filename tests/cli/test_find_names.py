"""find --player in Go: other spellings of a name; names in the table use the available width."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ocgdedup.reports.found_games import LEAST_TABLE_WIDTH
from tests.support.command_line import Command
from tests.support.databases import change, flag
from tests.support.found_games import ids
from tests.support.go_games import GoGame, write_go_database

LONG_NAME = "Nadareishvili Konstantin von Hohenlohe"
TOO_LONG = "A name of more than forty columns, " * 2
GAMES = [
    GoGame("Bpd", black="Lee Changho", white="Ma Xiaochun", event="Tong Yang Securities Cup"),
    GoGame("Bdd", black="Yu Ch'ang-hyeok", white="Lee Chang-ho 9p"),
    GoGame("Bpp", black="Otake Hideo", white="Cho Hunhyun"),
    GoGame("Bpp", black="Cho Hun-hyeon", white=LONG_NAME),
    GoGame("Bdp", black="Rui Naiwei", white="?", event=TOO_LONG),
    GoGame("Bcc", black="Ma Xiaochun & Rui Naiwei", white="Cat"),
]


@pytest.fixture
def names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    write_go_database("n.db3", GAMES)
    return "n.db3"


@pytest.mark.parametrize(
    ("player", "game_ids", "spellings"),
    [
        ("Yi Ch'ang-ho", [1, 2], "Lee Chang-ho 9p; Lee Changho"),
        ("이창호", [1, 2], "Lee Chang-ho 9p; Lee Changho"),
        ("Ohtake Hideo 9 dan", [3], "Otake Hideo"),
        ("Jui Nai-wei", [5], "Rui Naiwei"),
        ("Rui Nai-wei 9p & Ma Xiaochun", [6], "Ma Xiaochun & Rui Naiwei"),
        ("Jo Hunhyeon", [3, 4], "Cho Hun-hyeon; Cho Hunhyun"),
    ],
)
def test_other_spellings(
    command: Command, names: str, player: str, game_ids: list[int], spellings: str
) -> None:
    status, out, err = command("find", names, "--player", player, "--json")
    assert (status, len(out.splitlines())) == (0, len(game_ids))
    assert f"warning: n.db3: there is no player {player!r}" in err
    assert f"; searching for spellings of this name: {spellings}\n" in err
    table = command("find", names, "--player", player).out.splitlines()[1:]
    assert [int(line.split()[0]) for line in table] == game_ids


def rows(command: Command, database: str, name: str) -> list[int]:
    """Return the IDs of the games of a player; ignore warnings."""
    out = command("find", database, "--player", name).out
    return [int(line.split()[0]) for line in out.splitlines()[1:]]


def test_a_name_that_is_written_so_is_taken_alone(command: Command, names: str) -> None:
    """Except for case, accents, blanks and signs."""
    for name in ("lee changho", "Lee, Chang Ho", "LEE CHANGHO", "Leé Chang-ho"):
        assert rows(command, names, name) == [1]
    assert rows(command, names, "Cho Hun-hyeon") == [4]


def test_other_names_that_may_be_meant_are_told(command: Command, names: str) -> None:
    err = command("find", names, "--player", "Lee Changho").err
    assert (
        "only the name 'Lee Changho' is searched; these names may be of the same player: "
        "Lee Chang-ho 9p;" in err
    )
    assert "may be of the same" not in command("find", names, "--player", "Rui Naiwei").err
    change(names, "UPDATE Players SET Name = 'Lee' WHERE Name = 'Rui Naiwei'")
    err = command("find", names, "--player", "Lee").err
    assert "'Lee' is searched as Lee Chang-ho 9p, also in the spellings Lee Changho; Lee\n" in err
    Path("c.pgn").write_text(
        '[White "Svidler,P"]\n[Black "Svidler, Petr"]\n\n1. e4 *\n\n'
        '[White "Svidler, Peter"]\n[Black "Karjakin,Sergey"]\n\n1. d4 *\n'
    )
    command("create", "c.db3", "c.pgn")
    assert ids(command, "c.db3", "--player", "Karjakin, Sergey") == [2]
    err = command("find", "c.db3", "--player", "Svidler, Peter").err
    assert "these names may be of the same player: Svidler,P;" in err


def test_a_list_of_names_leads_to_those_in_the_games(command: Command, names: str) -> None:
    Path("names.tsv").write_text("en\tja\nOtake Hideo\t大竹英雄\n")
    command("players", names, "--aliases", "names.tsv")
    status, out, err = command("find", names, "--player", "大竹英雄")
    assert status == 0
    assert [int(line.split()[0]) for line in out.splitlines()[1:]] == [3]
    assert "searching for spellings of this name: Otake Hideo\n" in err


def test_marks_of_other_scripts_are_letters(command: Command, names: str) -> None:
    change(names, "UPDATE Players SET Name = 'がく' WHERE Name = 'Rui Naiwei'")
    assert rows(command, names, "がく") == [5]
    assert "there is no player 'かく'" in command("find", names, "--player", "かく").err


def test_a_surname_alone(command: Command, names: str) -> None:
    assert rows(command, names, "Naiwei") == [5]


def test_other_spellings_of_a_person(command: Command, names: str) -> None:
    """A person selects all games that he played, under any name."""
    change(names, "INSERT INTO Persons (ID, Name) VALUES (1, 'Lee Chang-ho')")
    change(names, "UPDATE Games SET BlackPersonID = 1 WHERE ID = 4")
    assert rows(command, names, "Lee Chang-ho") == [1, 4]
    _, out, err = command("find", names, "--player", "Yi Ch'ang-ho")
    assert [int(line.split()[0]) for line in out.splitlines()[1:]] == [1, 2, 4]
    assert "of this name: Lee Chang-ho; Lee Chang-ho 9p; Lee Changho\n" in err


@pytest.mark.parametrize(
    ("player", "message"),
    [
        ("Yi Ch'ang-hoo", "near names: Lee Chang"),
        ("NN", "give a name as it stands"),
        ("Zzzqx Rwwt", "give a name as it stands"),
    ],
)
def test_names_that_nobody_has(command: Command, names: str, player: str, message: str) -> None:
    status, out, err = command("find", names, "--player", player)
    assert (status, out) == (2, "")
    assert f"there is no player {player!r}; " in err
    assert message in err


def test_chess_takes_names_as_they_are(command: Command, made: str) -> None:
    change(made, "UPDATE Players SET Name = 'Lee Changho' WHERE ID = 2")
    status, _, err = command("find", made, "--player", "Yi Ch'ang-ho")
    assert status == 2
    assert "there is no player" in err


# --- the table ----------------------------------------------------------------------------------


def test_names_are_whole_where_there_is_no_terminal(command: Command, names: str) -> None:
    flag(names, 4, "join", 1)
    change(names, "INSERT INTO Info VALUES ('Duplicates flagged', '1')")
    heading, *lines = command("find", names, "--size", 19).out.splitlines()
    assert heading.split() == ["ID", "Black", "White", "Date", "Result", "moves", "Event", "fits"]
    assert LONG_NAME in lines[3]
    assert lines[3].endswith(" duplicate of 1")
    assert "Tong Yang Securities Cup" in lines[0]
    assert f" {TOO_LONG[:40].rstrip()}" in lines[4]
    assert TOO_LONG[:41] not in lines[4]
    for line in lines:
        assert line[heading.index("Date") :].startswith("????.??.??")


def test_columns_grow_where_later_games_need_more(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ocgdedup.reports.found_games._MEASURED", 10)
    path = str(tmp_path / "m.db3")
    short, long = GoGame(black="Lee"), GoGame(black=LONG_NAME)
    write_go_database(path, [short] * 15 + [long] + [short] * 15)
    lines = command("find", path, "--size", 19).out.splitlines()
    assert len(lines) == 32
    assert LONG_NAME in lines[16]
    assert len(lines[1]) < len(lines[15]) == len(lines[16]) == len(lines[-1])


@pytest.mark.parametrize("width", [20, 80, 132, 200])
def test_names_are_cut_to_fit_a_terminal(
    command: Command, names: str, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", str(width))
    lines = command("find", names, "--size", 19).out.splitlines()
    assert max(map(len, lines)) <= max(width, LEAST_TABLE_WIDTH)
    assert (LONG_NAME in lines[4]) == (width == 200)
    assert ("Event" in lines[0]) == (width >= 80)
    assert LONG_NAME[:8] in lines[4]
