"""Without built kernels, commands and scripts say in a line what to run, and name no bug."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ocgdedup

ROOT = Path(__file__).resolve().parents[2]
GAMES = "scripts/demo_games/club_library.pgn"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a source tree as it is before anything is built."""
    folder = tmp_path_factory.mktemp("plain")
    unbuilt = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__", "schema")
    for source in (Path(ocgdedup.__file__).parent, ROOT / "scripts"):
        shutil.copytree(source, folder / source.name, ignore=unbuilt)
    return folder


@pytest.mark.parametrize(
    "words",
    [
        ["-m", "ocgdedup", "create", "g.db3", GAMES], ["-m", "ocgdedup", "find", "g.db3"],
        ["scripts/bench", GAMES], ["scripts/bench_find", GAMES],
        ["scripts/check_annotations", GAMES], ["scripts/compare_with_python_chess.py", GAMES],
        ["scripts/compare_with_sgfmill.py"], ["scripts/evaluate", "demo"], ["scripts/fuzz"],
        ["scripts/growth"], ["scripts/make_collection", "10", "1", "-o", "x.pgn"],
        ["scripts/torture", "--cases", "1"], ["scripts/update_docs", "docs/check.md"],
    ],
)  # fmt: skip
def test_says_what_to_run(tree: Path, words: list[str]) -> None:
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    done = subprocess.run(
        [sys.executable, *words], cwd=tree, env=environment,
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert "is not installed or not built for this Python; " in done.stderr
    assert "-m pip install -e" in done.stderr
    assert not (tree / "x.pgn").exists()
