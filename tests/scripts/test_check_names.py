"""scripts/check_names: what it counts, and its exit status."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command_line import Command

SCRIPT = Path(__file__).parents[2] / "scripts" / "check_names"


def checked(*words: object) -> tuple[int, str]:
    command = [sys.executable, str(SCRIPT), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def games(*sides: tuple[str, str]) -> str:
    return "".join(
        f'[Event "Open"]\n[White "{name}"]\n[Black "?"]\n[WhiteFideId "{fide_id}"]\n\n*\n\n'
        for name, fide_id in sides
    )


@pytest.mark.parametrize(
    ("name", "other", "count"),
    [
        ("Oster, J", "OSTER,J.", 1),
        ("Réti, Richard", "Richard Reti", 1),
        ("GM Wester, Ann", "Wester, Ann (SWE)", 1),
        ("Hou Yi Fan", "Hou, Yifan", 1),
        ("Li Chao2", "Li, Chao", 0),
        ("Chen, G", "Cheng", 0),
        ("Oster, J", "Oster, Jan", 0),
    ],
)
def test_names_written_in_two_ways(tmp_path: Path, name: str, other: str, count: int) -> None:
    path = tmp_path / "a.pgn"
    path.write_text(games((name, "1"), (other, "2")))
    status, out = checked(path)
    assert (status, f"names written in two ways: {count}\n" in out) == (int(count > 0), True)


def test_ids_beside_two_names(tmp_path: Path) -> None:
    path = tmp_path / "a.pgn"
    path.write_text(games(("Oster, Jan", "1"), ("Wester, Ann", "1"), ("Wester, Ann", "2")))
    status, out = checked(path)
    assert status == 1
    assert "FIDE IDs beside two names: 1\n  1: Oster, Jan (games: 1); Wester, Ann (games: 2)" in out


def test_with_the_database(command: Command, tmp_path: Path) -> None:
    path, database = tmp_path / "out.pgn", tmp_path / "out.db3"
    text = games(("Oster, Jan", "1"), ("OSTER, Jan", "1"))
    (tmp_path / "in.pgn").write_text(text.replace("*", "1. e4 *", 1))
    command("run", str(tmp_path / "in.pgn"), "-o", str(path), "-q")
    assert checked(path, "--db", database)[0] == 0
    command("export", str(database), "-o", str(path), "--names", "merged", "--force")
    status, out = checked(path, "--db", database)
    assert (status, "players with two names: 1\n" in out) == (1, True)
    path.write_text(games())
    status, out = checked(path, "--db", database)
    assert (status, "write the files again" in out) == (2, True)
