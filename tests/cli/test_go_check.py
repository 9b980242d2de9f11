"""check of a Go database: valid data pass, each damage is reported and repaired."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.reference.go_symmetries import rotated
from tests.support.command_line import Command
from tests.support.databases import change, dump, flag, query, value
from tests.support.go_games import GoGame, write_go_database
from tests.support.go_moves_text import made_moves
from tests.support.signed_games import sign_games

MOVES = made_moves(3, 80)
GAME = GoGame(" ".join(MOVES), None, "Yi", "Cho", date="1991.02.03", tags={"KM": "5.5"})
GAMES = [
    GAME,
    GAME._replace(moves=" ".join(rotated(MOVES, 2))),
    GoGame("Wpd B W", "SZ[19]AB[dd][pp]", date="1993.??.??", tags={"DT": "1993~", "HA": "2"}),
    GoGame("Bcc Wdd Bcc", "SZ[9]", comments=((-1, 0, "root"), (2, 0, "on a stone"))),
    GoGame("Bcc Wdd", "SZ[13]AB[aa]AW[mm]", notes=((0, 0, "LB[dd:1]"), (1, 0, ";C[x]"))),
    GoGame("Bcc Wdd", notes=((0, 0, "(;W[ee];B[ff])"),)),
    GoGame(),
]


@pytest.fixture
def go(tmp_path: Path) -> Path:
    write_go_database(tmp_path / "go.db3", GAMES)
    sign_games(tmp_path / "go.db3")
    flag(tmp_path / "go.db3", 1, None, 1)
    flag(tmp_path / "go.db3", 2, "exact", 1, "rotated")
    return tmp_path / "go.db3"


def test_a_turned_copy_with_exchanged_colours(command: Command, go: Path) -> None:
    flag(go, 2, "exact", 1, "colours swapped")
    assert findings(command, go) == {}


def findings(command: Command, path: Path, *options: str) -> dict[str, dict[str, Any]]:
    status, out, err = command("check", path, "--json", *options)
    output = json.loads(out)
    assert (status, output["remarks"]) == (1 if output["faults"] else 0, []), err
    return {row["kind"]: row for row in output["faults"]}


def test_a_sound_database(command: Command, go: Path) -> None:
    before = dump(go)
    assert findings(command, go) == {}
    assert findings(command, go, "--repair") == {}
    assert dump(go) == before


@pytest.mark.parametrize(
    ("table", "kind"), [("Signatures", "signatures"), ("PositionFilters", "position-filters")]
)
def test_all_are_signed(command: Command, go: Path, table: str, kind: str) -> None:
    """create never leaves a Go database without signatures."""
    before = dump(go)
    change(go, f"DELETE FROM {table}")
    problems = findings(command, go)
    assert {name: row["count"] for name, row in problems.items()} == {kind: len(GAMES)}
    assert findings(command, go, "--repair")[kind]["repaired"]
    assert dump(go) == before


@pytest.mark.parametrize(
    ("kind", "statement", "count"),
    [
        ("ply-count", "UPDATE Games SET PlyCount = 3 WHERE ID = 1", 1),
        ("keys", "UPDATE Games SET MoveHash = 3 WHERE ID = 3", 1),
        ("keys", "UPDATE Games SET FinalZobrist = 3 WHERE ID = 4", 1),
        ("keys", "UPDATE Games SET PositionsKey = 3, SampledKey = NULL", 7),
        ("special-moves", "UPDATE Games SET SpecialMoves = 0 WHERE ID = 4", 1),
        ("special-moves", "UPDATE Games SET SpecialMoves = 2 WHERE ID = 1", 1),
        ("date-quality", "UPDATE Games SET DateQuality = 0 WHERE ID = 1", 1),
        ("note-flags", "UPDATE Games SET HasVariations = 1 WHERE ID = 5", 1),
        ("note-flags", "UPDATE Games SET HasVariations = 0 WHERE ID = 6", 1),
        ("note-flags", "UPDATE Games SET HasComments = 0 WHERE ID = 4", 1),
        ("group-moves", "UPDATE DuplicateFlags SET DuplicateReason = NULL WHERE GameID = 2", 1),
        ("group-class", "UPDATE DuplicateFlags SET DuplicateReason = 'turned' WHERE GameID = 2", 1),
    ],
)
def test_problems_that_a_repair_fixes(
    command: Command, go: Path, kind: str, statement: str, count: int
) -> None:
    sound = dump(go)
    change(go, statement)
    problems = findings(command, go)
    expected = {kind, "group-moves"} if kind == "group-class" else {kind}
    assert problems.keys() == expected
    assert problems[kind]["count"] == count
    assert findings(command, go, "--repair")[kind]["repaired"]
    assert findings(command, go) == {}
    if not kind.startswith("group"):
        del sound["Info"]  # where it is noted that the flags rest on other keys
        after = dump(go)
        assert {table: after[table] for table in sound} == sound


def test_the_quality_of_a_date_comes_from_its_own_text(command: Command, go: Path) -> None:
    change(go, "UPDATE Games SET DateQuality = 0 WHERE ID = 3")
    assert findings(command, go, "--repair").keys() == {"date-quality"}
    assert value(go, "SELECT DateQuality FROM Games WHERE ID = 3") == 12  # "1993~" is less sure


@pytest.mark.parametrize(
    ("kind", "statement", "said"),
    [
        ("moves", "UPDATE Games SET Moves2 = x'6F001303' WHERE ID = 1",
         "1.sgf, game 1; ply 2 of 2: stored move 0x0313 is not on the board"),
        ("moves", "UPDATE Games SET FEN = 'SZ[9]' WHERE ID = 1", "is not on the board"),
        ("moves", "UPDATE Games SET FEN = 'start' WHERE ID = 4",
         "not a start position of a Go game"),
        ("moves", "UPDATE Games SET Moves2 = x'6F' WHERE ID = 1", "odd move blob"),
        ("changed-moves", "UPDATE Games SET Moves2 = x'6F00' WHERE ID = 6", "1 plies, PlyCount 2"),
        ("note-plies", "UPDATE Annotations SET Ply = 2 WHERE GameID = 6", None),
    ],
)  # fmt: skip
def test_problems_that_are_only_listed(
    command: Command, go: Path, kind: str, statement: str, said: str | None
) -> None:
    change(go, statement)
    games = "SELECT FEN, hex(Moves2), MoveHash, PositionsKey FROM Games"
    before = query(go, games)
    problems = findings(command, go, "--repair")
    assert kind in problems
    assert not problems[kind]["repaired"]
    assert said is None or said in problems[kind]["examples"][0]["text"]
    assert query(go, games) == before


@pytest.mark.slow
@pytest.mark.parametrize(
    "start", ["SZ[19]AB[pp][dd]", "SZ[19]AB[dd][dd][pp]", "SZ[19]AB[dd]AB[pp]"]
)
def test_a_start_in_another_form(command: Command, go: Path, start: str) -> None:
    """The advice is to import it again, so that the keys are computed."""
    change(go, "UPDATE Games SET FEN = ?, MoveHash = NULL WHERE ID = 3", start)
    assert findings(command, go, "--repair")["start"]["examples"][0] == {"game": 3, "text": start}
    sql = "UPDATE Games SET FEN = 'SZ[19]AB[dd][pp]', MoveHash = NULL WHERE ID = 3"
    change(go, sql)
    assert findings(command, go, "--repair").keys() == {"keys"}
    assert findings(command, go) == {}


def test_the_usual_board_has_no_start(command: Command, go: Path) -> None:
    change(go, "UPDATE Games SET FEN = 'SZ[19]', MoveHash = NULL WHERE ID = 6")
    assert "start" in findings(command, go)


def test_dates_before_printed_chess(command, tmp_path, monkeypatch):
    """The oldest Go records are older than any valid year in PGN."""
    monkeypatch.chdir(tmp_path)
    Path("old.sgf").write_text("(;DT[1253-02];B[pd])(;DT[0196];B[dd])(;DT[99];B[dd])")
    assert command("create", "a.db3", "old.sgf", "-q").status == 0
    assert query("a.db3", "SELECT Date, DateQuality FROM Games")[:2] == [
        ("1253.02.??", 23), ("0196.??.??", 13),
    ]  # fmt: skip
    assert command("check", "a.db3").status == 0
