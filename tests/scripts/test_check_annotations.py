"""scripts/check_annotations: nothing is missing from kept games, and what is missing is counted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.played_games import collection, copy_of, game, pgn_text

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "check_annotations"
PROGRAM = Path(sys.executable).with_name("ocgdedup")
# Three duplicates of game 1, and the kept game, comment on the same moves.
NOTES = (
    {0: "$1 {Best by test}", 9: "{own words}"},
    {0: "$2 {Best}", 1: "$6 {A gambit?}", 9: "{own words}"},
    {0: "{Best by test, said Fischer}", 30: "$10"},
    {30: "$11"},
)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    records = [game(1)._replace(notes=NOTES[0])]
    records += [
        copy_of(game(1), f"again {place}", ECO=None)._replace(notes=notes)
        for place, notes in enumerate(NOTES[1:])
    ]
    others = [record for record in collection() if not record.label.startswith("1 ")]
    path = tmp_path / "games.pgn"
    path.write_text("".join(map(pgn_text, [*records, *others[1:]])), encoding="utf-8")
    return path


def check(*arguments: Path | str) -> tuple[int, dict[str, int]]:
    """Return the exit status, and the counts by the words in front of them."""
    command = [sys.executable, str(SCRIPT), "--ocgdedup", str(PROGRAM), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    lines = [line.rsplit(maxsplit=1) for line in done.stdout.splitlines()[:6]]
    return done.returncode, {words.strip(): int(count) for words, count in lines}


def test_nothing_is_missing(source: Path) -> None:
    status, result = check(source)
    assert status == 0
    assert result["annotated duplicates"] == 7
    assert result["beside a kept game with annotations"] == 3
    assert result["of which something that fits is missing"] == 0
    assert result["of which something does not fit"] == 1
    assert result["kept games whose own annotations changed"] == 0


def test_nothing_is_missing_from_the_demo_games() -> None:
    status, result = check(*sorted((SCRIPT.parent / "demo_games").glob("*.pgn")))
    assert status == 0
    assert result["annotated duplicates"] >= 3
    assert result["of which something that fits is missing"] == 0


def test_what_is_missing_is_counted(source: Path) -> None:
    status, result = check(source, "--", "--no-merge")
    assert status == 1
    assert result["of which something that fits is missing"] == 7
    assert result["and the kept game had some already"] == 3
    assert result["kept games whose own annotations changed"] == 0
