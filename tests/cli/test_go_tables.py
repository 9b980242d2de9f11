"""Tables of a Go database: columns of Go, moves as SGF, values as they are stored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ocgdedup
from ocgdedup.tables.columns import GO_GAMES
from tests.support.command_line import Command
from tests.support.databases import change, query
from tests.support.go_games import GoGame, write_go_database
from tests.support.tables import TEXT_FORMS, as_text, export, need, read

TAGS = {
    "RE": "W+3.5", "KM": "5.5", "HA": "0", "RU": "Japanese", "WR": "9p", "BR": "8p", "GN": "x"
}  # fmt: skip
GAMES = [
    GoGame(
        "Bpd Wdd B W", None, "Yi Ch'ang-ho", "Cho Hun-hyeon", "Myeongin", "Seoul", "1991.02.03",
        "3", "1-0",
        TAGS,
    ),
    GoGame("Wcc", "SZ[13]AB[dd][jj]", result="0-1", tags={"KM": "five", "HA": "2 st", "WR": ""}),
    GoGame("", "SZ[9]", result="1/2-1/2", tags={"KM": "-7", "HA": "1"}),
    GoGame("Baa", result="*", tags={"RE": "Void", "KM": "0"}),
    GoGame(),
]  # fmt: skip


@pytest.fixture
def go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    write_go_database(tmp_path / "go.db3", GAMES)
    return "go.db3"


def of(rows: list[dict[str, Any]], *names: str) -> list[tuple[Any, ...]]:
    return [tuple(row[name] for name in names) for row in rows]


def test_values(command: Command, go: str) -> None:
    export(command, go, "--format", "jsonl", "-o", "games.jsonl")
    rows = read("games.jsonl")
    assert list(rows[0]) == list(GO_GAMES.column_names)
    assert of(rows, "Result", "ResultSGF", "Komi", "Handicap", "Rules") == [
        ("1-0", "W+3.5", 5.5, 0, "Japanese"),
        ("0-1", "B+", None, None, None),
        ("1/2-1/2", "0", -7.0, 1, None),
        ("*", "Void", 0.0, None, None),
        ("*", None, None, None, None),
    ]
    assert of(rows, "BoardLines", "Start", "PlyCount", "MovesSGF") == [
        (19, None, 4, ";B[pd];W[dd];B[];W[]"),
        (13, "SZ[13]AB[dd][jj]", 1, ";W[cc]"),
        (9, "SZ[9]", 0, ""),
        (19, None, 1, ";B[aa]"),
        (19, None, 0, ""),
    ]
    names = ("White", "Black", "WhiteRank", "BlackRank", "Event", "Site", "Date", "Year", "Round")
    assert of(rows[:2], *names) == [
        ("Yi Ch'ang-ho", "Cho Hun-hyeon", "9p", "8p", "Myeongin", "Seoul", "1991.02.03", 1991, "3"),
        (None, None, None, None, None, None, "????.??.??", None, None),
    ]
    keys = query(go, "SELECT MoveHash, FinalZobrist FROM Games ORDER BY ID")
    assert of(rows, "MoveHash", "FinalZobrist") == keys
    assert '"GN":"x"' in rows[0]["ExtraTags"].replace(" ", "")


def test_all_forms_say_the_same(command: Command, go: str, form: str) -> None:
    export(command, go, "--format", need(form), "-o", f"games.{form}")
    export(command, go, "--format", "jsonl", "-o", "other.jsonl")
    rows = read("other.jsonl")
    assert read(f"games.{form}") == (as_text(rows) if form in TEXT_FORMS else rows)


def test_a_folder_has_all_tables(command: Command, go: str) -> None:
    export(command, go, "--format", "csv", "-o", "tables")
    assert len(read("tables/games.csv")) == len(GAMES)
    assert read("tables/players.csv") == []
    assert {row["Name"] for row in read("tables/player_names.csv")} == {
        "Yi Ch'ang-ho", "Cho Hun-hyeon"
    }  # fmt: skip


@pytest.mark.parametrize("blob", ["x'1303'", "x'6F'", "x'6F08'"])
def test_damaged_moves_are_refused(command: Command, go: str, blob: str) -> None:
    change(go, f"UPDATE Games SET Moves2 = {blob} WHERE ID = 4")
    status, _, err = command("export", go, "--format", "csv", "-o", "games.csv")
    assert status == 2
    assert "go.db3: game 4: " in err
    assert not Path("games.csv").exists()


def test_rows_of_python(go: str) -> None:
    with ocgdedup.open(go) as database:
        rows = list(database.rows())
    assert list(rows[0]) == list(GO_GAMES.column_names)
    assert of(rows[:1], "MovesSGF", "Komi") == [(";B[pd];W[dd];B[];W[]", 5.5)]
