"""Pairs of real games, altered as in real databases: match or non-match."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ocgdedup.commands.create import CreateRequest, create
from ocgdedup.matching.evidence import status_of
from ocgdedup.pipeline.search.detect import SearchOptions, SearchResult, find_duplicates
from ocgdedup.pipeline.search.judge import Judge
from ocgdedup.store.database import open_database
from tests.support.databases import Silent

PAIRS = Path(__file__).parents[1] / "corpus" / "pairs"
CASES = json.loads((PAIRS / "cases.json").read_text(encoding="utf-8"))

# Status and reason of duplicates that are not exact, by file.
SPECIAL = {
    "truncated-60-plies": ("subsumption", None),
    "truncated-20-plies": ("subsumption", None),
    "one-move-differs-early": ("join", None),
    "one-move-differs-late": ("join", None),
    "swapped-colours": ("exact", "colours swapped"),
    "starts-from-fen": ("subsumption", "continues from FEN"),
}


def found_in(path: Path, folder: Path) -> SearchResult:
    database = folder / "pairs.db3"
    create(CreateRequest(str(database), [str(path)]), Silent())
    opened = open_database(str(database))
    try:
        return find_duplicates(opened.connection, SearchOptions())
    finally:
        opened.close()


@pytest.mark.parametrize("case", CASES, ids=[case["file"] for case in CASES])
def test_pairs(case: dict[str, Any], tmp_path: Path) -> None:
    name = str(case["file"])
    result = found_in(PAIRS / name, tmp_path)
    assert result.games == 2
    assert [group.ids for group in result.groups] == ([[1, 2]] if case["duplicate"] else [])
    if case["duplicate"]:
        status = SPECIAL.get(name.removesuffix(".pgn"), ("exact", None))
        assert status_of(result.compare(1, 2)) == status


def test_all_kinds_of_pairs_are_tested() -> None:
    assert {case["file"] for case in CASES} == {path.name for path in PAIRS.glob("*.pgn")}
    assert len(CASES) == 17


def test_all_pairs_in_one_collection(tmp_path: Path) -> None:
    """Duplicates are found across the files; different games stay apart.

    Except the last: one of its games begins like the game truncated after 20 plies.
    """
    path = tmp_path / "all.pgn"
    cases = CASES[:-1]
    path.write_bytes(b"\n".join((PAIRS / case["file"]).read_bytes() for case in cases))
    result = found_in(path, tmp_path)
    assert result.games == 2 * len(cases)
    home = {game: number for number, group in enumerate(result.groups) for game in group.ids}
    for number, case in enumerate(cases):
        first, second = 2 * number + 1, 2 * number + 2
        if case["duplicate"]:
            assert home[first] == home[second], case["case"]
        else:
            assert home.get(first, -1) != home.get(second, -2), case["case"]


def test_two_games_of_a_database_are_compared(tmp_path: Path) -> None:
    database = tmp_path / "a.db3"
    create(CreateRequest(str(database), [str(PAIRS / "one-move-differs-early.pgn")]), Silent())
    opened = open_database(str(database))
    try:
        verdict = Judge(opened.connection, SearchOptions(), (1, 2)).explained(2, 1).comparison
        assert (verdict.first_difference, verdict.differences) == (45, 2)
        with pytest.raises(KeyError):
            Judge(opened.connection, SearchOptions(), (1, 3)).explained(1, 3)
    finally:
        opened.close()
