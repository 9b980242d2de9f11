"""export and run: players by their names in the FIDE list, others without titles."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

import ocgdedup
from ocgdedup.matching.names.name_form import without_titles
from ocgdedup.pipeline.export.text_form import NAMES
from tests.reference.ocgdb_database import OcgdbGame, write_ocgdb
from tests.support.command_line import Command
from tests.support.databases import dump

DEMO = Path(__file__).parents[2] / "scripts" / "demo_games"
LIST = ["--fide-xml", str(DEMO / "players_2013-01.xml")]
GAMES = [str(path) for path in sorted(DEMO.glob("*.pgn"))]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("GM Kasparov, Garry", "Kasparov, Garry"),
        ("WGM. Polgar, Susan", "Polgar, Susan"),
        ("Carlsen, Magnus GM", "Carlsen, Magnus"),
        ("Carlsen, Magnus (GM)", "Carlsen, Magnus"),
        ("Wikstrom Joel (SWE)", "Wikstrom Joel"),
        ("IM Wikstrom Joel (SWE)", "Wikstrom Joel"),
        ("Popov,M RUS", "Popov,M"),
        ("Nikolic, Nebojsa MNE", "Nikolic, Nebojsa"),
        ("IM, Jae Ho", "IM, Jae Ho"),  # a surname
        ("GM Carlsen", "GM Carlsen"),  # one word is left
        ("Kim RUS", "Kim RUS"),
        ("Lee, MAS", "Lee, MAS"),
        ("Sharma, FM", "Sharma, FM"),
        ("GMHikaru", "GMHikaru"),
        ("?", "?"),
        ("", ""),
    ],
)
def test_titles_and_countries_are_taken_off(name: str, expected: str) -> None:
    assert without_titles(name) == expected


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def players(path: str) -> list[str]:
    return re.findall(r'^\[(?:White|Black) "(.*)"\]$', Path(path).read_text(), re.MULTILINE)


def tags(path: str) -> dict[str, str]:
    return dict(re.findall(r'^\[(\w+) "(.*)"\]$', Path(path).read_text(), re.MULTILINE))


def run(command: Command, *options: str) -> list[str]:
    assert command("run", *GAMES, "-o", "out.pgn", "-q", *options).status in (0, 1)
    return players("out.pgn")


def test_a_list_gives_the_names(command: Command) -> None:
    names = run(command, *LIST)
    assert {name for name in names if "asparo" in name} == {"Kasparov, Garry"}
    assert {name for name in names if "arjakin" in name} == {"Karjakin, Sergey"}
    before = dump("out.db3")
    assert command("export", "out.db3", "-o", "names.pgn", "--names", "canonical").status == 0
    assert players("names.pgn") == names
    assert dump("out.db3") == before


def test_names_of_merged_headers(command: Command) -> None:
    own = run(command, *LIST, "--names", "merged")
    assert "Karjakin, S." in own
    command("export", "out.db3", "-o", "own.pgn", "--names", "merged")
    assert players("own.pgn") == own


GAME = """[Event "Made up"]
[Date "2013.02.01"]
[White "Carlsen, Magnus"]
[Black "Kasparov, Garry"]
[Result "1-0"]
[WhiteFideId "99900009"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 1-0
"""


def test_names_of_the_list_have_its_ids_and_titles(command: Command) -> None:
    Path("in.pgn").write_text(GAME)
    command("create", "a.db3", "in.pgn", "-q", *LIST)
    command("players", "a.db3", "--no-fill", "-q")
    before = dump("a.db3")
    command("export", "a.db3", "-o", "own.pgn", "--names", "merged")
    command("export", "a.db3", "-o", "names.pgn", "--names", "canonical")
    own, names = (tags(path) for path in ("own.pgn", "names.pgn"))
    assert own["WhiteFideId"] == "99900009"  # another player's, as the game came with
    assert names["WhiteFideId"] == "99900004"
    assert "BlackFideId" not in own
    assert names["BlackFideId"] == "99900009"
    assert (names["WhiteTitle"], names["BlackTitle"]) == ("GM", "GM")
    assert dump("a.db3") == before


def test_titles_of_the_list_are_not_carried_back(command: Command) -> None:
    Path("in.pgn").write_text(GAME.replace("2013.02.01", "2001.02.01"))
    command("create", "a.db3", "in.pgn", "-q", *LIST)
    command("export", "a.db3", "-o", "names.pgn", "--names", "canonical")
    names = tags("names.pgn")
    assert names["WhiteFideId"] == "99900004"
    assert "WhiteTitle" not in names


def test_duplicates_are_written_as_they_were_read(command: Command) -> None:
    run(command, *LIST, "--duplicates", "copies.pgn")
    names = {name for name in players("copies.pgn") if "asparo" in name}
    assert names == {"Garry Kasparov", "Gary Kasparov", "Kasparow, G."}


def test_a_file_of_ocgdb_has_no_persons(command: Command) -> None:
    write_ocgdb(Path("a.db3"), [OcgdbGame("GM Alpha, Al", "Beta", "e4 e5")])
    assert command("export", "a.db3", "-o", "a.pgn", "--names", "canonical").status == 0
    assert players("a.pgn") == ["Alpha, Al", "Beta"]


SIDES = [f"{side}{tag}" for tag in ("", "FideId", "Title") for side in ("White", "Black")]


def sides_of_games(path: str) -> list[list[str]]:
    texts = Path(path).read_text().split("[Event ")[1:]
    tags = [dict(re.findall(r'^\[(\w+) "(.*)"\]$', text, re.MULTILINE)) for text in texts]
    return [["" if row.get(tag) == "?" else row.get(tag, "") for tag in SIDES] for row in tags]


@pytest.mark.parametrize("names", [[], *(["--names", names] for names in NAMES)])
def test_tables_have_the_names_of_pgn(command: Command, names: list[str]) -> None:
    """So have their FIDE IDs and titles, also after --no-fill, and ocgdedup.open()."""
    run(command, *LIST)
    command("players", "out.db3", "--no-fill", "-q")
    for path in ("t.csv", "t.pgn"):
        assert command("export", "out.db3", "-o", path, *names).status == 0
    with open("t.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    columns = [name.replace("FideId", "FideID") for name in SIDES]
    if names in ([], ["--names", "canonical"]):
        assert [[row[name] for name in columns] for row in rows] == sides_of_games("t.pgn")
    else:
        columns = ["White", "Black"]
        shown = [sides[:2] for sides in sides_of_games("t.pgn")]
        assert [[row[name] for name in columns] for row in rows] == shown
    assert any(row["White"] != row["WhitePerson"] for row in rows)
    if not names:
        with ocgdedup.open("out.db3") as database:
            assert [row["White"] or "" for row in database.rows()] == [row["White"] for row in rows]


def test_lossless_tables_have_merged_headers(command: Command) -> None:
    command("create", "a.db3", GAMES[0], "-q")
    status, _, err = command("export", "a.db3", "-o", "t", "--lossless", "--names", "canonical")
    assert (status, "--lossless writes the names of the merged headers" in err) == (2, True)
