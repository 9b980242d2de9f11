"""info of a Go database: boards and handicap in place of what only chess has."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.command_line import Command
from tests.support.databases import change
from tests.support.go_games import GoGame, write_go_database

GAMES = [
    GoGame("Bpd Wdd", None, "Yi", "Cho", date="1991.02.03", tags={"KM": "5.5"}),
    GoGame("Wpd", "SZ[19]AB[dd][pp]", "Yi", "Cho", date="1993.??.??", tags={"HA": "2"}),
    GoGame("Wpd", "SZ[19]AB[dd][pp]", "Yi", "Cho"),
    GoGame("Wpd Bqq Wrr", None, "Yi", "Cho", tags={"HA": "3"}),
    GoGame("Bcc", "SZ[9]", tags={"HA": "0"}, comments=((0, 0, "a move"),)),
    GoGame("Bee", "SZ[9]AB[cc]AW[gg]", tags={"HA": "1"}),
    GoGame("Bee", "SZ[13]AB[cc]AW[gg]", tags={"HA": "x"}),
]


def test_json(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "go.db3"
    write_go_database(path, GAMES)
    output = json.loads(command("info", path, "--json").out)
    assert (output["game"], output["kind"]) == ("go", "ocgdedup")
    assert output["go"] == {
        "board_lines": {"19": 4, "9": 2, "13": 1}, "with_handicap": 3, "set_up": 2
    }  # fmt: skip
    games = output["games"]
    assert (games["count"], games["with_fen"], games["with_comments"]) == (7, 5, 1)
    assert games["average_plies"] == 1.4


def test_lines(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "go.db3"
    write_go_database(path, GAMES)
    change(path, "UPDATE Games SET ExtraTags = 'no JSON: \"HA\"' WHERE ID = 1")
    status, out, err = command("info", path)
    assert (status, err) == (0, "")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert lines[2:6] == [
        "games 7 Go games; 1991 to 1993, 1.4 moves on average",
        "boards 4 of 19 lines, 2 of 9 lines, 1 of 13 lines",
        "3 with handicap stones, 2 with setup stones of both players",
        "1 with comments",
    ]
    for word in ("FIDE", "FEN", "plies", "Elo", "ECO"):
        assert word not in out


def test_an_empty_database(command: Command, tmp_path: Path) -> None:
    write_go_database(tmp_path / "go.db3", [])
    assert "boards          none" in command("info", tmp_path / "go.db3").out
