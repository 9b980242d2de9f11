"""scripts/make_collection: legal games, true labels, the same games from the same numbers."""

from __future__ import annotations

import csv
import io
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import chess.pgn
import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "make_collection"
MOVES_CHANGED = {"truncated", "slip"}


@pytest.fixture(autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Build the kernel once for all tests, and not in the user's cache."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    monkeypatch.setenv("XDG_CACHE_HOME", str(shared / "make-collection"))


def make(*words: object) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, str(SCRIPT), *map(str, words)]
    return subprocess.run(command, capture_output=True, check=False)


def made(*words: object) -> bytes:
    done = make(*words)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def read_labels(path: Path) -> dict[int, tuple[int, set[str]]]:
    with path.open(newline="") as handle:
        rows = csv.DictReader(handle, delimiter="\t")
        return {
            int(row["game"]): (
                int(row["origin"]),
                set(filter(None, row["disturbances"].split("+"))),
            )
            for row in rows
        }


def test_games_are_legal_and_labels_true(tmp_path: Path) -> None:
    text = io.StringIO(made(1500, 5, "--labels", tmp_path / "l.tsv", "--share", 0.3).decode())
    games = {}
    while (game := chess.pgn.read_game(text)) is not None:
        assert game.errors == []
        games[len(games) + 1] = game
    assert len(games) == 1500
    labels = read_labels(tmp_path / "l.tsv")
    assert 400 < len(labels) < 500
    assert set.union(*(kinds for _, kinds in labels.values())) == {
        "initials", "name_order", "partial_date", "other_event", "no_elo", "truncated", "slip",
    }  # fmt: skip
    for number, (origin, kinds) in labels.items():
        assert origin < number
        assert origin not in labels
        moves, before = (
            list(games[game_number].mainline_moves()) for game_number in (number, origin)
        )
        differences = sum(a != b for a, b in zip(moves, before, strict=False))
        assert (len(moves) < len(before)) == ("truncated" in kinds)
        assert differences == ("slip" in kinds)
        assert games[number].headers["Result"] == games[origin].headers["Result"]
        assert ("WhiteElo" in games[number].headers) <= ("no_elo" not in kinds)


def test_the_same_games_in_any_number_of_threads() -> None:
    first = made(4500, 5, "--jobs", 1)
    assert made(4500, 5, "--jobs", 3) == first
    assert made(4500, 6, "--jobs", 3) != first


def test_lines_have_80_columns() -> None:
    lines = made(300, 1).splitlines()
    assert 70 < max(map(len, lines)) <= 80


def test_a_database_whose_duplicates_are_found(tmp_path: Path) -> None:
    database, labels = tmp_path / "m.db3", tmp_path / "l.tsv"
    made(3000, 2, "-o", database, "--labels", labels)
    command = [sys.executable, "-m", "ocgdedup", "dedup", str(database), "-q"]
    subprocess.run(command, check=True, capture_output=True)
    connection = sqlite3.connect(database)
    sql = "SELECT ID, coalesce(DuplicateGroup, ID) FROM FlaggedGames"
    rows = connection.execute(sql).fetchall()
    connection.close()
    groups = dict(rows)
    assert len(groups) == 3000
    origins = {number: origin for number, (origin, _) in read_labels(labels).items()}
    together = [groups[number] == groups[origin] for number, origin in origins.items()]
    assert sum(together) >= 0.98 * len(together)
    by_group: dict[int, set[int]] = {}
    for number, group in groups.items():
        by_group.setdefault(group, set()).add(origins.get(number, number))
    assert all(len(members) == 1 for members in by_group.values())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((0, 1), "N and --jobs are 1 or more"),
        ((5, 1, "--share", 1), "--share is from 0 to below 1"),
        ((5, 1, "--openings", "absent.pgn"), "absent.pgn"),
        ((5, 1, "-o", "."), "make_collection: .: already exists"),
    ],
)
def test_misuse(words: tuple[object, ...], message: str) -> None:
    done = make(*words)
    assert done.returncode == 1
    assert message in done.stderr.decode()
    assert b"Traceback" not in done.stderr
