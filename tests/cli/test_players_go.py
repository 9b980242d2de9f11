"""players on a database of Go games: persons, lists, refusals, undo, --show, dedup after it."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from tests.support.command_line import Command
from tests.support.databases import dump, is_sound, query, value
from tests.support.go_games import GoGame, write_go_database

POINTS = "abcdefghijklmnopqrs"
LONG = " ".join(
    f"{'BW'[number % 2]}{POINTS[number % 19]}{POINTS[number // 19 * 2]}" for number in range(60)
)
GAMES = (
    GoGame("Bpd Wdd", white="Lee Changho", black="Cho Hunhyun", event="A", date="1990.01.02"),
    GoGame("Bpd Wdp", white="Yi Ch'ang-ho, 9p", black="曺薰鉉", event="B", date="1991.01.02"),
    GoGame("Bpd Wpp", white="李昌镐", black="조훈현", event="C", date="1992.01.02"),
    GoGame("Bdd Wpp", white="?", black="Honinbo Shusaku", event="D"),
    GoGame("Bdd Wdp", white="Shuwa", black="O Rissei", event="E"),
    GoGame(LONG, white="Alexandre Dinerchtein", black="O Rissei", event="F"),
    GoGame(LONG, white="Alexander Dinerstein", black="O Rissei", event="G"),
)
TABLE = (
    "id\tcountry\ten\tko\tja\tzh\n"
    "1\tkr\tLee Changho\t이창호\t李昌鎬\t李昌镐\n"
    "2\tkr\tCho Hunhyun\t조훈현\t曺薰鉉\t曹薰铉\n"
)
PERSONS = (
    "SELECT Players.Name, Persons.Name FROM Resolutions JOIN Players ON Players.ID = PlayerID "
    "JOIN Persons ON Persons.ID = PersonID ORDER BY 1"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_go_database("go.db3", GAMES)
    Path("names.tsv").write_text(TABLE, encoding="utf-8")
    return tmp_path


def test_names_become_persons(command: Command, folder: Path) -> None:
    status, out, err = command("players", "go.db3")
    assert (status, err) == (0, "")
    assert out == (
        "names: 11 spellings of 7 players; 1 unresolved; unknown: 1\n"
        "games: both players known in 5 of 7 games; by evidence from the games: 0 names\n"
        "undo with: ocgdedup players --undo go.db3\n"
    )
    persons = dict(query("go.db3", PERSONS))
    assert persons["Yi Ch'ang-ho, 9p"] == persons["Lee Changho"] == "Lee Changho"
    assert persons["조훈현"] == persons["Cho Hunhyun"] == "Cho Hunhyun"
    assert persons["Alexander Dinerstein"] == persons["Alexandre Dinerchtein"]
    assert persons["曺薰鉉"] == "曺薰鉉"
    assert "Shuwa" not in persons
    assert is_sound("go.db3")


def test_table_of_names(command: Command, folder: Path) -> None:
    status, out, err = command("players", "go.db3", "--aliases", "names.tsv")
    assert (status, err) == (0, "")
    assert out.startswith(
        "spelling file: 2 players\nnames: 11 spellings of 5 players; 1 unresolved"
    )
    persons = dict(query("go.db3", PERSONS))
    assert persons["李昌镐"] == "Lee Changho"
    assert persons["曺薰鉉"] == "Cho Hunhyun"
    assert value("go.db3", "SELECT Country FROM Persons WHERE Name = 'Lee Changho'") == "KOR"
    # The three games of these two have one CoreHash.
    assert value("go.db3", "SELECT count(DISTINCT CoreHash) FROM Games WHERE ID < 4") == 1
    assert "nothing is new" in command("players", "go.db3").out


def test_no_master_of_chess_is_known(command: Command, folder: Path) -> None:
    write_go_database("a.db3", [GoGame("Bpd", white="Lasker, Emanuel", black="E. Lasker")])
    assert command("players", "a.db3").status == 0
    assert query("a.db3", "SELECT Name, BirthYear, Title FROM Persons") == [
        ("Lasker, Emanuel", None, None)
    ]


@pytest.mark.parametrize("kind", ["players", "dedup"])
def test_rating_list_is_refused(command: Command, folder: Path, kind: str) -> None:
    Path("list.xml").write_text(
        "<playerslist><player><fideid>1</fideid><name>Cho, U</name></player></playerslist>"
    )
    before = dump("go.db3")
    status, out, err = command(kind, "go.db3", "--fide-xml", "list.xml")
    assert (status, out) == (2, "")
    assert "--fide-xml: the FIDE list has chess players, and these are Go games" in err
    assert dump("go.db3") == before


def test_month_is_refused(command: Command, folder: Path) -> None:
    status, _, err = command("players", "go.db3", "--list-month", "2025-01")
    assert status == 2
    assert "--list-month: the FIDE list has chess players" in err


@pytest.mark.parametrize("option", ["--fill", "--no-fill", "--store-list", "--no-store-list"])
def test_nothing_is_filled_in(command: Command, folder: Path, option: str) -> None:
    before = dump("go.db3")
    status, out, err = command("players", "go.db3", option)
    assert (status, out) == (2, "")
    assert re.search(f"{option}: .*FIDE", err)
    assert dump("go.db3") == before


def test_undo(command: Command, folder: Path) -> None:
    before = query("go.db3", "SELECT * FROM Games ORDER BY ID")
    command("players", "go.db3", "--aliases", "names.tsv")
    assert query("go.db3", "SELECT * FROM Games ORDER BY ID") != before
    status, out, err = command("players", "--undo", "go.db3")
    assert (status, out, err) == (0, "undone: 7 games changed back\n", "")
    assert query("go.db3", "SELECT * FROM Games ORDER BY ID") == before


def test_report(command: Command, folder: Path) -> None:
    command("players", "go.db3", "--aliases", "names.tsv", "--report", "names.csv")
    lines = Path("names.csv").read_text(encoding="utf-8").splitlines()
    rows = {row["Name"]: row for row in csv.DictReader(lines)}
    assert rows["李昌镐"]["Person"] == "Lee Changho"
    assert rows["李昌镐"]["Stage"] == "exact"
    assert rows["Alexander Dinerstein"]["Stage"] == "games"


def test_show(command: Command, folder: Path) -> None:
    command("players", "go.db3", "--aliases", "names.tsv")
    status, out, err = command(
        "players",
        "go.db3",
        "--show",
        "Yi Ch'ang-ho, 9p",
        "--show",
        "Shuwa",
        "--show",
        "?",
        "--show",
        "李昌鎬",
    )
    assert (status, err) == (0, "")
    assert out == (
        "Yi Ch'ang-ho, 9p\n"
        "  read as: yi ch'ang-ho\n"
        "  listed: Lee Changho: another spelling\n"
        "  in this database: 1 game by Lee Changho; stage: phonetic\n"
        "  similar name: Lee Changho (1 game): another spelling\n"
        "Shuwa\n"
        "  read as: shuwa (too short a name: it is resolved only if a list has it)\n"
        "  in this database: no player found for this name\n"
        "?\n"
        "  read as: nobody\n"
        "  in this database: no player found for this name\n"
        "李昌鎬\n"
        "  read as: 李昌镐\n"
        "  listed: Lee Changho: the same name\n"
        "  in this database: no player found for this name\n"
        "  similar name: 李昌镐 (1 game): the same name\n"
    )


def test_again_and_new_games(command: Command, folder: Path) -> None:
    command("players", "go.db3")
    ids = dict(query("go.db3", "SELECT Name, ID FROM Persons"))
    assert command("players", "go.db3", "--again").status == 0
    assert dict(query("go.db3", "SELECT Name, ID FROM Persons")) == ids


def test_check_agrees(command: Command, folder: Path) -> None:
    command("players", "go.db3", "--aliases", "names.tsv")
    assert "CoreHash" not in command("check", "go.db3").out


@pytest.mark.parametrize(
    ("white", "black", "copies"),
    [("Yi Ch'ang-ho, 9p", "조훈현", 1), ("Gu Li", "Ke Jie", 0)],
)
def test_dedup_knows_spellings(
    command: Command, folder: Path, white: str, black: str, copies: int
) -> None:
    cut = " ".join(LONG.split()[:20])
    games = [
        GoGame(LONG, white="Lee Changho", black="Cho Hunhyun", event="A", date="1990.01.02"),
        GoGame(cut, white=white, black=black, event="A", date="1990.01.02"),
    ]
    write_go_database("cut.db3", games)
    assert command("dedup", "cut.db3", "-q").status == 0
    assert value("cut.db3", "SELECT count(DuplicateStatus) FROM FlaggedGames") == copies


def persons_of(command: Command, *games: GoGame) -> dict[str, str]:
    write_go_database("few.db3", games)
    assert command("players", "few.db3", "-q").status == 0
    return dict(query("few.db3", PERSONS))


@pytest.mark.parametrize(("opponent", "persons"), [("Cho U", 1), ("O Meien", 2)])
def test_same_moves_count_against_the_same_opponent(
    command: Command, folder: Path, opponent: str, persons: int
) -> None:
    result = persons_of(
        command,
        GoGame(LONG, white="Kim Sonjin", black="Cho U"),
        GoGame(LONG, white="Kim Sungjin", black=opponent),
    )
    assert len({result["Kim Sonjin"], result["Kim Sungjin"]}) == persons


@pytest.mark.parametrize(("opponent", "persons"), [("Cho U", 1), ("O Meien", 2)])
def test_two_opponents_on_one_day(
    command: Command, folder: Path, opponent: str, persons: int
) -> None:
    result = persons_of(
        command,
        GoGame("Bpd Wdd", white="Lee Changho", black="Cho U", date="1990.01.02"),
        GoGame("Bpd Wdp", white="Yi Ch'ang-ho", black=opponent, date="1990.01.02"),
    )
    assert len({result["Lee Changho"], result["Yi Ch'ang-ho"]}) == persons


def test_who_met_are_two(command: Command, folder: Path) -> None:
    persons = persons_of(command, GoGame("Bpd", white="Lee Changho", black="Yi Ch'ang-ho"))
    assert len(set(persons.values())) == 2
