"""scripts/bench_find: a database is grown, each query is measured on it."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.databases import value
from tests.support.go_games import GoGame, write_go_database
from tests.support.go_moves_text import made_moves

ROOT = Path(__file__).parents[2]


@pytest.fixture
def small(tmp_path):
    moves = [" ".join(made_moves(seed, 80)) for seed in range(3)]
    write_go_database(tmp_path / "a.db3", [GoGame(line, white="x", black="y") for line in moves])
    return tmp_path / "a.db3"


def test_queries_on_a_grown_database(small):
    big = small.with_name("big.db3")
    command = [sys.executable, ROOT / "scripts" / "bench_find", small, "--games", "10"]
    done = subprocess.run(
        [*map(str, command), "--keep", str(big)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("10 games; signed in ")
    assert len(lines) == 12
    assert all(" s CPU " in line for line in lines[1:])
    assert value(big, "SELECT count(*) FROM Games") == 10
    assert value(big, "SELECT count(*) FROM Signatures") == 10
    assert value(small, "SELECT count(*) FROM Games") == 3
