"""scripts/check_export: files that others read as they are meant, and such that they do not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.pgn_text import ILLEGAL_GAME, THREE_GAMES

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "check_export"


def check(path: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), str(path), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def line_of(program: str, text: str) -> list[str]:
    """Return what the table says of a program: games found, games given, complaints."""
    (line,) = (line for line in text.splitlines() if program in line.split()[1:2])
    _, _, result, _, given, complaints, *_ = line.split()
    return [result, given, complaints]


def test_no_complaint(tmp_path: Path) -> None:
    path = tmp_path / "good.pgn"
    path.write_text(THREE_GAMES)
    done = check(path)
    assert done.returncode == 0, done.stdout
    assert line_of("python-chess", done.stdout) == ["3", "3", "0"]


@pytest.mark.parametrize("games", ["1", "100"])
def test_complaints(tmp_path: Path, games: str) -> None:
    path = tmp_path / "bad.pgn"
    path.write_text(ILLEGAL_GAME + THREE_GAMES)
    done = check(path, "--games", games)
    assert done.returncode == 1
    result, given, complaints = line_of("python-chess", done.stdout)
    assert (result, given) == (("1", "1") if games == "1" else ("4", "4"))
    assert complaints == "1"
    assert "game 1: illegal san: 'Ke5'" in done.stdout


def test_absent_file(tmp_path: Path) -> None:
    done = check(tmp_path / "absent.pgn")
    assert done.returncode == 2
    assert "absent.pgn" in done.stderr
    assert "Traceback" not in done.stderr
