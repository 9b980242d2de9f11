"""scripts/growth: inputs of two sizes, commands measured on them, a table and an exit status."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


@pytest.fixture(autouse=True)
def _scripts_importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SCRIPTS))


def growth(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPTS / "growth"), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_table() -> None:
    done = growth("--only", "rejected", "--scale", "0.001")
    assert done.returncode in (0, 1), done.stderr  # figures of a busy machine decide
    lines = done.stdout.splitlines()
    assert [line.split()[4] for line in lines[1:3]] == ["create", "check"]
    assert not any("exit status" in line for line in lines)


def test_a_stopped_command_is_told_and_fails(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text(f"#!{sys.executable}\nwhile True: pass\n")
    program.chmod(0o755)
    done = growth(
        "--only", "rejected", "--scale", "0.001", "--limit", "1", "--program", str(program)
    )
    assert done.returncode == 1
    assert "TOO MUCH: stopped after 1 s" in done.stdout


def test_absent_case() -> None:
    done = growth("--only", "absent")
    assert done.returncode == 2
    assert "no such case" in done.stderr


@pytest.mark.parametrize(("at_2n", "problem"), [(2.2, ""), (2.6, "time")])
def test_growth_is_judged_without_the_start(at_2n: float, problem: str) -> None:
    from growthlib.measuring import Cost, Growth

    start, at_n = Cost(0.1, 20), Cost(1.1, 30)
    assert Growth("dedup", start, at_n, Cost(0.1 + at_2n, 40)).problem == problem


@pytest.mark.parametrize(
    "case",
    ["letters of one tag", "tags of one", "line comments", "Latin-1", "NAGs", "parentheses"],
)
def test_memory_of_huge_games(case: str) -> None:
    """No command needs much more than 12 times a game: all annotations were objects at once."""
    done = growth("--only", case, "--scale", "0.25")
    assert "more memory than" not in done.stdout, done.stdout
    assert "exit status" not in done.stdout, done.stdout


def test_games_of_all_cases_are_read(tmp_path: Path) -> None:
    """A case whose games were rejected would measure nothing."""
    from growthlib.cases import CASES

    from ocgdedup.cli.main import run

    expected_to_fail = {"texts that are rejected", "tar member of 2^30 and 2^60 bytes"}
    for number, case in enumerate(CASES):
        if case.name in expected_to_fail or "create" not in case.commands:
            continue
        source = tmp_path / f"{number}{case.suffix}"
        case.make(source, 40)
        assert run(["create", "-q", str(source.with_suffix(".db3")), str(source)]) == 0, case.name
