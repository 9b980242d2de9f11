"""compare: what the second collection has that the first one lacks."""

from __future__ import annotations

import csv
import json
from collections import Counter
from itertools import permutations
from pathlib import Path

import chess.pgn
import pytest

import ocgdedup
from tests.support.command_line import Command
from tests.support.databases import query, value
from tests.support.pgn_text import OPERA, QUEENS_GAMBIT, game

MORPHY = {"White": "Morphy, Paul", "Black": "Karl, D", "Date": "1858.11.02", "Event": "Opera"}
SHORT = OPERA.replace(" 16. Qb8+ Nxb8 17. Rd8#", "")
OTHER = game(f"{QUEENS_GAMBIT} 1/2-1/2", White="Gamma, G", Black="Delta, D", Date="1999.01.02")
DEMO = Path(__file__).resolve().parents[2] / "scripts" / "demo_games"
COUNTS = ("new", "better", "longer", "possible_duplicates")


def compare(command: Command, *arguments: object, status: int = 1) -> tuple[int, ...]:
    """Return the counts of a comparison."""
    outcome = command("compare", *arguments, "--json", "-q")
    assert outcome.status == status, outcome
    counts = json.loads(outcome.out)
    return tuple(counts[name] for name in COUNTS)


def numbers(path: str) -> list[str | None]:
    """Return the rounds of the games in a file."""
    with open(path, encoding="utf-8") as handle:
        games = iter(lambda: chess.pgn.read_game(handle), None)
        return [each.headers["Round"] for each in games if each is not None]


@pytest.fixture
def folder(command: Command, work_folder: Path) -> Path:
    """Return a folder with a.pgn, b.pgn and their databases.

    In b, game 1 is longer than in a, games 2 and 4 are one that a lacks, and game 3 is in both.
    """
    a = game(SHORT, **MORPHY, Round="1") + OTHER
    b = (
        game(OPERA, **MORPHY, Round="1")
        + game("1. c4 c5 2. Nc3 g6 3. g3 Bg7 4. Bg2 Nc6 5. a3 a6 1-0", White="A", Round="2")
        + OTHER
        + game("1. c4 c5 2. Nc3 g6 3. g3 Bg7 4. Bg2 Nc6 5. a3 a6 1-0", White="A", Round="2")
    )
    for name, text in (("a", a), ("b", b)):
        Path(f"{name}.pgn").write_text(text)
        command("create", f"{name}.db3", f"{name}.pgn", "-q")
    return work_folder


@pytest.mark.parametrize("first", ["a.pgn", "a.db3"])
@pytest.mark.parametrize("other", ["b.pgn", "b.db3"])
def test_counts_and_outputs(command: Command, folder: Path, first: str, other: str) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    outcome = command("compare", first, other, "-o", "new.pgn", "--report", "new.csv")
    assert (outcome.status, outcome.err) == (1, "")
    assert outcome.out.splitlines() == [
        f"{first}: 2 games; {other}: 4 games",
        f"not in {first}: 1 game, written to new.pgn",
        f"better than in {first}: 1 game, 1 of them longer",
        "possible duplicates between them: 0 pairs",
        "report: new.csv",
    ]
    assert numbers("new.pgn") == ["2"]
    with open("new.csv", newline="") as handle:
        rows = list(csv.DictReader(handle))
    is_database = other.endswith(".db3")
    assert [(row["Difference"], row["SourceNumber"], row["Input"]) for row in rows] == [
        ("new", "2", other), ("longer", "1", other),
    ]  # fmt: skip
    assert [row["ID"] for row in rows] == (["2", "1"] if is_database else ["", ""])
    assert rows[1]["FirstID"] == ("1" if first == "a.db3" else "")
    assert (rows[1]["PlyCount"], rows[1]["FirstPlyCount"]) == ("33", "30")
    now = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert now.keys() - before.keys() == {"new.pgn", "new.csv"}
    assert before.items() <= now.items()


def test_equal_collections(command: Command, folder: Path) -> None:
    assert compare(command, "a.db3", "a.pgn", status=0) == (0, 0, 0, 0)
    assert compare(command, "b.pgn", "a.pgn", "b.db3", status=0) == (0, 0, 0, 0)
    assert command("compare", "a.pgn", "b.pgn", "-q", "-o", "a.pgn").status == 2
    assert command("compare", "a.pgn", "none.pgn").status == 2
    assert "a report is written as" in command("compare", "a.pgn", "b.pgn", "--report", "x.y").err


def test_moves_only_ignores_headers(command: Command, folder: Path) -> None:
    Path("c.pgn").write_text(game(OPERA, White="Nobody", Black="Else, S", Date="2020.01.01"))
    assert compare(command, "b.db3", "c.pgn")[0] == 1
    assert compare(command, "b.db3", "c.pgn", "--moves-only", status=0)[0] == 0
    assert compare(command, "a.db3", "c.pgn", "--moves-only") == (1, 0, 0, 0)


def test_games_that_the_first_collection_deleted_are_not_new(
    command: Command, folder: Path
) -> None:
    command("create", "d.db3", "a.pgn", "b.pgn", "-q")
    command("dedup", "d.db3", "--delete", "-q")
    assert value("d.db3", "SELECT count(*) FROM RemovedGames") > 0
    assert compare(command, "d.db3", "a.pgn", "b.pgn", status=0) == (0, 0, 0, 0)


def test_decided_pairs_are_no_possible_duplicates(command: Command, folder: Path) -> None:
    Path("pairs.csv").write_text("GameID1,GameID2,Decision,KeptGameID\n1,2,same,\n")
    assert command("review", "b.db3", "--decide", "pairs.csv").status == 0
    assert compare(command, "a.db3", "b.db3")[0] == 0  # game 2 is game 1, which a has


@pytest.mark.parametrize(
    "names", list(permutations(("club_library", "magazine_archive", "web_download"), 2))
)
def test_as_dedup_of_both(command: Command, work_folder: Path, names: tuple[str, str]) -> None:
    """Oracle: SQL on the flags of a database with both collections."""
    for letter, name in zip("ab", names, strict=True):
        Path(f"{letter}.pgn").write_bytes((DEMO / f"{name}.pgn").read_bytes())
        command("create", f"{letter}.db3", f"{letter}.pgn", "-q")
    command("create", "both.db3", "a.pgn", "b.pgn", "-q")
    command("dedup", "both.db3", "-q")
    source = dict(query("both.db3", "SELECT ID, SourceID FROM Games"))
    groups: dict[int, Counter[int]] = {}
    sql = "SELECT ID, coalesce(DuplicateGroup, ID) FROM FlaggedGames"
    for game_id, group in query("both.db3", sql):
        groups.setdefault(group, Counter())[source[game_id]] += 1
    plies = dict(query("both.db3", "SELECT ID, PlyCount FROM Games"))
    members = query("both.db3", "SELECT GameID, DuplicateGroup FROM DuplicateFlags")
    better = [kept for kept, of in groups.items() if of[1] and source[kept] == 2]
    longer = [
        kept
        for kept in better
        if plies[kept] > max(plies[i] for i, group in members if group == kept and source[i] == 1)
    ]
    pairs = query("both.db3", "SELECT GameID1, GameID2 FROM Suspects")
    expected = (
        sum(not of[1] for of in groups.values()), len(better), len(longer),
        sum(source[first] != source[second] for first, second in pairs),
    )  # fmt: skip
    assert expected[0] > 0
    assert compare(command, "a.db3", "b.db3") == expected
    assert compare(command, "a.pgn", "b.db3", "--jobs", "1") == expected


def test_python_interface(folder: Path) -> None:
    result = ocgdedup.compare("a.db3", ["b.pgn"], output="new.pgn")
    assert (result.new, result.better, result.longer, result.is_different) == (1, 1, 1, True)
    assert numbers("new.pgn") == ["2"]
