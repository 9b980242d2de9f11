"""Names are resolved between two searches: the result equals that of reverting all merges first."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ocgdedup.commands.create import CreateRequest, create
from ocgdedup.commands.players import PlayersRequest, consolidate_players
from ocgdedup.game_columns import MERGED_COLUMNS
from ocgdedup.model import ListFiles
from ocgdedup.store import undo
from ocgdedup.store.database import open_database
from tests.cli.test_players_laws import rating_lists, records
from tests.pipeline.test_partial_results import decide, rows, searched, texts
from tests.support.databases import Silent, query
from tests.support.dedup_results import differences

STEPS = 6
PLAYERS = (
    "Persons", "Resolutions", "NameCandidates", "OpenNames", "FideIDNames", "Players",
)  # fmt: skip
_COLUMNS = ", ".join(MERGED_COLUMNS)
AS_IMPORTED = (
    f"SELECT ID, {_COLUMNS} FROM Games WHERE ID NOT IN (SELECT GameID FROM UnmergedHeaders) "
    f"UNION ALL SELECT GameID, {_COLUMNS} FROM UnmergedHeaders ORDER BY 1"
)


def _revert_all_merges(path: Path) -> None:
    with open_database(str(path), writable=True) as database, database.connection:
        undo.forget_merges(database.connection)


def _resolve(path: Path, lists: ListFiles, *, again: bool) -> None:
    consolidate_players(PlayersRequest(str(path), lists, again=again), Silent())


@pytest.mark.parametrize("seed", range(8))
def test_players_between_searches(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    kept, reverted = paths = [tmp_path / "kept.db3", tmp_path / "reverted.db3"]
    lists = [ListFiles(fide=str(path), may_be_older=True) for path in rating_lists(tmp_path)]
    most_merges = 0
    for step in range(STEPS):
        source = tmp_path / f"{step}.pgn"
        count = rng.choice((0, 1, 2, 9)) if step else 40
        games = [*texts(rng, count), *(records(rng) if count or seed % 2 else ())]
        source.write_text("".join(games))
        for path in paths if games else ():
            create(CreateRequest(str(path), [str(source)], append=step > 0), Silent())
        chosen = rng.choice((ListFiles(), ListFiles(), *lists)) if seed % 2 else ListFiles()
        again = rng.random() < 0.2
        for _ in range(rng.choice((1, 1, 2))):
            _revert_all_merges(reverted)
            for path in paths:
                _resolve(path, chosen, again=again)
        for table in PLAYERS:
            assert differences({table: rows(kept)[table]}, {table: rows(reverted)[table]}) == {}
        assert query(kept, AS_IMPORTED) == query(reverted, AS_IMPORTED)
        most_merges = max(most_merges, len(query(kept, "SELECT 1 FROM UnmergedHeaders")))
        if rng.random() < 0.3:
            decide(paths, rng)
        deletes = rng.random() < 0.2
        assert searched(kept, delete=deletes) == searched(reverted, full=True, delete=deletes)
        assert differences(rows(kept), rows(reverted)) == {}
    assert most_merges > 0
