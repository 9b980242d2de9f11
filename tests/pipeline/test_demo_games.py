"""The games that ship: their groups, kept games and merged headers are pinned.

After an intended change: scripts/evaluate demo > tests/corpus/demo_games/signature.tsv, and read
the difference.
"""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from itertools import combinations
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SIGNATURE = ROOT / "tests" / "corpus" / "demo_games" / "signature.tsv"
# Pairs of records of one game that are left to the user: names or dates contradict each other.
OPEN = {
    ("club_library.pgn 3", "magazine_archive.pgn 2"),
    ("club_library.pgn 11", "web_download.pgn 9"),
}


@pytest.fixture(scope="module")
def lines() -> list[str]:
    command = [sys.executable, str(ROOT / "scripts" / "evaluate"), "demo"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def test_groups_and_headers_are_as_pinned(lines: list[str]) -> None:
    assert lines == SIGNATURE.read_text(encoding="utf-8").splitlines()


def test_groups_are_those_of_the_labels(lines: list[str]) -> None:
    """Different games are never in one group; records of one game are separate if undecided."""
    kept_of: defaultdict[str, set[str]] = defaultdict(set)
    labels_of: defaultdict[str, set[str]] = defaultdict(set)
    for line in lines:
        label, _, _, kept, *_ = line.split("\t")
        kept_of[label].add(kept)
        labels_of[kept].add(label)
    assert all(len(labels) == 1 for labels in labels_of.values())
    apart = [pair for kept in kept_of.values() for pair in combinations(sorted(kept), 2)]
    assert set(apart) == OPEN
