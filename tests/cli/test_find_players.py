"""find and export --player: names as people type them, in games and of resolved players."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest

import ocgdedup
from ocgdedup.errors import SeveralPlayersError
from ocgdedup.model import Person
from ocgdedup.store.selection import Selection
from tests.support.command_line import Command
from tests.support.databases import Collection, change, query
from tests.support.go_games import GoGame, write_go_database
from tests.support.persons import write_list
from tests.support.pgn_text import game

GARRY = Person("Kasparov, Garry", 4100018, "GM", "RUS", 1963, None, 2812, "M")
SERGEY = Person("Kasparov, Sergey", 13500481, "GM", "BLR", 1968, None, 2500, "M")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def text_of(names: list[str]) -> str:
    """Return games of White players, of 1990 on, against Karpov."""
    return "".join(
        game(f"1. {move} *", White=name, Black="Karpov, Anatoly", Date=f"{1990 + index}.01.01")
        for index, (name, move) in enumerate(
            zip(names, itertools.cycle(("e4", "d4")), strict=False)
        )
    )


def plain_database(command: Command, *names: str) -> str:
    Path("p.pgn").write_text(text_of([*names]), encoding="utf-8")
    assert command("create", "p.db3", "p.pgn", "-q", "--force").status == 0
    return "p.db3"


def resolved_database(path: Path, names: list[str], persons: list[Person]) -> str:
    collection = Collection(path, text_of(names))
    collection.consolidate(write_list(path, persons))
    return str(collection.path)


def whites(command: Command, database: str, name: str, *options: str) -> list[str]:
    """Return the names in the games of a player, in the order of the games."""
    status, out, err = command("find", database, "--player", name, "--json", *options)
    assert status == 0, err
    ids = [int(line.split()[1].rstrip(",")) for line in out.splitlines()]
    stored = dict(query(database, "SELECT Games.ID, Name FROM Games JOIN Players "
                                  "ON Players.ID = WhiteID"))  # fmt: skip
    return [stored[game_id] for game_id in ids]


def candidates(command: Command, database: str, name: str, *options: str) -> list[list[str]]:
    """Return the candidates of the error, each as its name, FIDE ID, games, years."""
    for work in (["find"], ["export", "-o", "x"]):
        status, out, err = command(*work, database, "--player", name, *options)
        assert (status, out) == (2, "")
        assert not Path("x").exists()
        first, *lines = err.splitlines()
        assert f"{name!r} may be any of {len(lines)} players; give the full name" in first
    return [[part.strip() for part in line.split("  ") if part.strip()] for line in lines]


@pytest.mark.parametrize(
    "name", ["Kasparov", "kasparov", "Garry Kasparov", "GARRY KASPAROV", "Kasparov, G",
             "G. Kasparov", "G Kasparov", "Каспаров"],
)  # fmt: skip
def test_one_player_is_found_by_each_short_form(command: Command, name: str) -> None:
    database = plain_database(
        command, "Kasparov, Garry", "Kasparov,G", "Kasparov", "Karpov, Anatoly", "Kasparova, T",
        "Kasparov & Short",
    )  # fmt: skip
    assert whites(command, database, name) == ["Kasparov, Garry", "Kasparov,G", "Kasparov"]
    err = command("find", database, "--player", name).err
    assert (
        f"{name!r} is searched as Kasparov, Garry, also in the spellings Kasparov,G; Kasparov\n"
        in err
    )


def test_a_full_name_as_written_is_that_name(command: Command) -> None:
    database = plain_database(command, "Kasparov, Garry", "Kasparov,G", "Kasparov, Sergey")
    assert whites(command, database, "kasparov garry") == ["Kasparov, Garry"]
    err = command("find", database, "--player", "Kasparov, Garry").err
    assert "these names may be of the same player: Kasparov,G;" in err


def test_several_players_are_listed(command: Command) -> None:
    database = plain_database(
        command, "Kasparov, Garry", "Kasparov, Garry", "Kasparov,G", "Kasparov, Sergey",
        "Kasparov,S", "Kasparov",
    )  # fmt: skip
    err = command("find", database, "--player", "Kasparov").err
    assert "add --any; 'ocgdedup players' joins the spellings of a player\n" in err
    assert candidates(command, database, "Kasparov") == [
        ["Kasparov, Garry", "3 games", "1990-1992"],
        ["Kasparov, Sergey", "2 games", "1993-1994"],
        ["Kasparov", "1 game", "1995"],
    ]
    assert len(whites(command, database, "Kasparov", "--any")) == 6
    garry = ["Kasparov, Garry", "Kasparov, Garry", "Kasparov,G"]
    assert whites(command, database, "Garry Kasparov") == garry
    assert whites(command, database, "Kasparov, S") == ["Kasparov, Sergey", "Kasparov,S"]
    for role in ("--white", "--black"):
        assert command("find", database, role, "Kasparov").status == 2
    assert command("find", database, "--player", "Karpov", "--against", "Kasparov").status == 2


def test_a_short_form_of_several_players_belongs_to_none(command: Command) -> None:
    database = plain_database(
        command, "Kasparov, Garry", "Kasparov,G", "Kasparov, Georgy", "Kasparov, Garry"
    )
    assert whites(command, database, "Garry Kasparov") == ["Kasparov, Garry"] * 2
    err = command("find", database, "--player", "Garry Kasparov").err
    assert "may be of the same player: Kasparov,G;" in err
    assert [row[0] for row in candidates(command, database, "Kasparov, G")] == [
        "Kasparov, Garry", "Kasparov, Georgy", "Kasparov,G",
    ]  # fmt: skip
    # A name that is copied from the list means that name.
    assert whites(command, database, "Kasparov,G") == ["Kasparov,G"]
    assert len(whites(command, database, "Kasparov, G", "--any")) == 4


def test_long_initials_may_be_of_several_players(command: Command) -> None:
    names = ["Kasparov, Gia", "Kasparov, Gus", "Kasparov,G.K.M.N."]
    database = plain_database(command, *names)
    assert whites(command, database, "Gia Kasparov") == names[:1]
    assert whites(command, database, "Gus Kasparov") == names[1:2]
    assert len(candidates(command, database, "Kasparov")) == 3


def test_full_names_beside_a_short_resolved_name(command: Command) -> None:
    names = ["Kasparov,G", "Kasparov, Garry", "Kasparov, Georgy"]
    database = plain_database(command, *names)
    change(database, "INSERT INTO Persons (ID, Name) VALUES (9, 'Kasparov,G')")
    change(database, "UPDATE Games SET WhitePersonID = 9 WHERE ID = 1")
    change(database, "INSERT INTO Resolutions SELECT ID, 9, 'name', 'exact', 1, '', 1 "
                     "FROM Players WHERE Name = 'Kasparov,G'")  # fmt: skip
    assert len(candidates(command, database, "kasparov")) == 2
    assert whites(command, database, "garry kasparov", "--year", "1991") == names[1:2]


def test_another_transliteration_of_the_given_name(command: Command) -> None:
    database = plain_database(command, "Tal, Mihail", "Polgar, Judit", "Polgar, Zsuzsa")
    assert whites(command, database, "Mikhail Tal") == ["Tal, Mihail"]
    err = command("find", database, "--player", "Mikhail Tal").err
    assert "'Mikhail Tal' is searched as Tal, Mihail\n" in err
    assert whites(command, database, "Judith Polgar") == ["Polgar, Judit"]
    assert whites(command, database, "Misha Tal") == ["Tal, Mihail"]
    assert whites(command, database, "tal, misha") == ["Tal, Mihail"]
    assert (
        "there is no player 'Anna Polgar'"
        in command("find", database, "--player", "Anna Polgar").err
    )


def test_surnames_of_several_words(command: Command) -> None:
    database = plain_database(
        command, "Vachier-Lagrave, Maxime", "Vachier Lagrave,M", "van Wely, Loek", "So, Wesley",
        "Åberg, Öjvind",
    )  # fmt: skip
    maxime = ["Vachier-Lagrave, Maxime", "Vachier Lagrave,M"]
    for name in ("Vachier-Lagrave", "vachier lagrave", "Maxime Vachier-Lagrave", "Lagrave"):
        assert whites(command, database, name) == maxime
    for name in ("wely", "Loek van Wely", "L. van Wely"):
        assert whites(command, database, name) == ["van Wely, Loek"]
    assert whites(command, database, "so") == ["So, Wesley"]
    assert whites(command, database, "aberg") == ["Åberg, Öjvind"]
    assert "there is no player ''; give a name" in command("find", database, "--player", " ").err
    err = command("find", database, "--player", "Wesley").err
    assert "there is no player 'Wesley'; names with this word: So, Wesley (games: 1)\n" in err


@pytest.mark.parametrize("name", ["Garry Kasparov", "kasparow, garry", "4100018", "Kasparow"])
def test_resolved_player(command: Command, tmp_path: Path, name: str) -> None:
    names = ["Kasparov, Garry", "Kasparow, Garry", "Timman, J"]
    database = resolved_database(tmp_path, names, [GARRY])
    assert whites(command, database, name) == names[:2]
    assert "searched" not in command("find", database, "--player", name).err


def test_resolved_players_are_listed_with_fide_ids(command: Command, tmp_path: Path) -> None:
    names = ["Kasparov, Garry", "Kasparow, Garry", "Kasparov, Sergey", "Timman, J"]
    database = resolved_database(tmp_path, names, [GARRY, SERGEY])
    assert candidates(command, database, "kasparov") == [
        ["Kasparov, Garry", "4100018", "2 games", "1990-1991"],
        ["Kasparov, Sergey", "13500481", "1 game", "1992"],
    ]
    assert whites(command, database, "13500481") == ["Kasparov, Sergey"]
    assert whites(command, database, "sergey kasparov") == ["Kasparov, Sergey"]
    change(database, "DELETE FROM Games WHERE WhiteID IN (SELECT ID FROM Players "
                     "WHERE Name = 'Kasparov, Sergey')")  # fmt: skip
    assert whites(command, database, "kasparov") == names[:2]  # the other one plays no game


def test_two_resolved_players_of_one_name(command: Command, tmp_path: Path) -> None:
    database = resolved_database(tmp_path, ["Kasparov, Garry", "Kasparow, Garry"], [GARRY])
    change(database, "INSERT INTO Persons (ID, Name, FideID) VALUES (99, 'Kasparov, Garry', 7)")
    change(database, "UPDATE Games SET WhitePersonID = 99 WHERE ID = 2")
    rows = candidates(command, database, "Kasparov, Garry")
    assert [row[1:3] for row in rows] == [["4100018", "1 game"], ["7", "1 game"]]
    assert whites(command, database, "7") == ["Kasparow, Garry"]
    assert whites(command, database, "4100018") == ["Kasparov, Garry"]


def test_games_of_another_player_with_the_name_do_not_count(
    command: Command, tmp_path: Path
) -> None:
    database = resolved_database(tmp_path, ["Kasparov, Garry"] * 2, [GARRY])
    change(database, "INSERT INTO Persons (ID, Name) VALUES (99, 'Weinstein, Harry')")
    change(database, "UPDATE Games SET WhitePersonID = 99 WHERE ID = 2")
    assert len(whites(command, database, "Kasparov, Garry")) == 1


def test_go_players_of_one_surname(command: Command) -> None:
    write_go_database("g.db3", [
        GoGame("Bpd", black="Lee Changho", white="Cho Chikun"),
        GoGame("Bdd", black="Lee Sedol", white="Lee Changho"),
    ])  # fmt: skip
    assert [row[:2] for row in candidates(command, "g.db3", "lee")] == [
        ["Lee Changho", "2 games"], ["Lee Sedol", "1 game"],
    ]  # fmt: skip
    assert command("find", "g.db3", "--player", "sedol", "--json").out.count("\n") == 1
    assert command("find", "g.db3", "--player", "Lee", "--any", "--json").out.count("\n") == 2


def test_the_python_interface(command: Command) -> None:
    database = plain_database(command, "Kasparov, Garry", "Kasparov, Sergey")
    with pytest.raises(SeveralPlayersError) as caught:
        ocgdedup.find(database, selection=Selection(players=("Kasparov",)))
    assert len(caught.value.candidates) == 2
    assert "\n  Kasparov, Sergey" in str(caught.value)
    chosen = Selection(players=("Kasparov",), any_player=True)
    assert len(ocgdedup.find(database, selection=chosen)) == 2
    with ocgdedup.open(database) as games:
        assert len(list(games.rows(chosen))) == 2
        assert len(list(games.rows(Selection(white=("sergey kasparov",))))) == 1
    assert ocgdedup.export(database, "k.pgn", selection=chosen).games == 2


def test_short_forms_like_a_slow_reference(command: Command) -> None:
    """Names of one surname: given names, initials, or none; of each no other has the initial."""
    chance = random.Random(46)
    for _ in range(12):
        given = chance.sample(["Anna", "Boris", "Carl", "Dmitri", "Emil"], chance.randint(1, 3))
        forms = [form for name in given for form in (f"Xylof, {name}", f"Xylof,{name[0]}")]
        names = chance.choices([*forms, "Xylof", "Other, A"], k=12)
        database = plain_database(command, *names)
        initials = {name.split(",")[1].strip()[0] for name in names if name.startswith("Xylof,")}
        played = [name for name in names if name.startswith("Xylof")]
        if len(initials) > 1:
            rows = candidates(command, database, "xylof")
            assert sum(int(row[1].split()[0]) for row in rows) == len(played)
            assert len(rows) == len(initials) + ("Xylof" in names)
        else:
            assert whites(command, database, "xylof") == played
        for initial in initials:
            expected = [name for name in played if name[6:].strip()[:1] == initial]
            if len(initials) == 1:
                expected = played
            assert whites(command, database, f"Xylof, {initial}") == expected
