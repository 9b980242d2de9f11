"""run, players, its report and info count the names of players by one definition."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.support.command_line import Command
from tests.support.databases import query
from tests.support.persons import known_persons, write_list
from tests.support.pgn_text import OPERA, QUEENS_GAMBIT, RUY_LOPEZ, game

# Three records of a game, whose merged header has one spelling; two of its names occur once.
RECORDS = [
    game(f"{OPERA} 1-0", White="Carlsen, Magnus", Black="Anand, V.", Date="2014.11.08"),
    game(f"{OPERA} 1-0", White="Carlsen, Magnus", Black="Anand, Viswanathan", Date="2014.11.08"),
    game(f"{OPERA} 1-0", White="M. Carlsen", Black="Anand,V", Date="2014.11.??"),
]
OTHERS = [
    game(f"{RUY_LOPEZ} 1-0", White="?", Black="Kramnik, Vladimir"),
    game(f"{QUEENS_GAMBIT} 1-0", White="NN", Black=""),
    game("1. e4 c5 2. c3 *", White="Nobody Knows, Whom", Black="Alpha, A"),
]
NAMES, UNKNOWN = 8, 2  # an empty name is "?"


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def counts_of_players(command: Command) -> tuple[int, int]:
    """Return the names and the unresolved ones that players prints, and check its report."""
    status, out, _ = command("players", "games.db3", "--report", "names.csv", "--force")
    assert status == 0
    [line] = [line for line in out.splitlines() if line.startswith("names: ")]
    assert line.endswith(f"unknown: {UNKNOWN}")
    words = line.split()
    return int(words[1]), int(words[words.index("unresolved;") - 1])


@pytest.mark.parametrize("words", [(), ("--delete",)])
def test_one_definition(command: Command, words: tuple[str, ...]) -> None:
    Path("games.pgn").write_text("".join(RECORDS + OTHERS), encoding="utf-8")
    fide = write_list(Path(), known_persons())
    status, out, _ = command(
        "run",
        "games.pgn",
        "-o",
        "unique.pgn",
        "--db",
        "games.db3",
        "--fide-xml",
        fide,
        "--json",
        "--tidy",
        "none",
    )
    assert status == 0
    result = json.loads(out)
    assert result["names"] == NAMES
    if words:
        assert command("dedup", "games.db3", "--full", *words)[0] == 0
        assert query(Path("games.db3"), "SELECT count(*) FROM RemovedGames") == [(2,)]
    assert query(Path("games.db3"), "SELECT count(*) FROM UnmergedHeaders") == [(1,)]
    names, unresolved = counts_of_players(command)
    assert (names, unresolved) == (result["names"], result["unresolved_names"])
    info = json.loads(command("info", "games.db3", "--json")[1])
    assert info["names"]["players"] == NAMES
    with Path("names.csv").open(encoding="utf-8", newline="") as file:
        resolved = {row["Name"] for row in csv.DictReader(file) if row["Scope"] != "unresolved"}
    assert len(resolved) == names - unresolved
