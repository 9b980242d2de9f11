"""Names are resolved between two searches: the result equals that of reverting all merges first."""

from __future__ import annotations

import json
import random
import sys
from array import array
from pathlib import Path

import pytest

from ocgdedup._kernels.search import BUCKETS, KeyRuns, NumberBuckets, pack_keys, run_end
from ocgdedup.commands.create import CreateRequest, create
from ocgdedup.commands.players import PlayersRequest, consolidate_players
from ocgdedup.game_columns import MERGED_COLUMNS
from ocgdedup.model import ListFiles
from ocgdedup.pipeline.search.search_files import SearchFiles
from ocgdedup.store import undo
from ocgdedup.store.database import open_database
from tests.cli.test_players_laws import rating_lists, records
from tests.pipeline.test_partial_results import (
    BASIS,
    MOST_IN_SCOPE,
    decide,
    rows,
    scopes,
    searched,
    texts,
)
from tests.support.databases import Silent, query, value
from tests.support.dedup_results import differences

__all__ = ["scopes"]
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


def _player_keys(path: Path, more: bytes = b"") -> tuple[list[bytes], bytes]:
    """Return the keys of players in the files of the last search, and the dropped ones.

    `more`: dropped keys to add to the keys.
    """
    token, _ = json.loads(value(path, "SELECT Value FROM Info WHERE Name = 'Search files of'"))
    files = SearchFiles.open(str(path), token)
    assert files is not None
    buckets = [files.runs.merged("players", bucket) for bucket in range(BUCKETS)]
    added = NumberBuckets(64)
    for number in array("Q", more):
        added.extend(number >> 58, number.to_bytes(8, sys.byteorder))
    runs = [[part, pack_keys(added, bucket)] for bucket, part in enumerate(buckets)]
    united = [
        KeyRuns([part + run_end([("players", bucket, 0, len(part))]) for part in parts if part])
        for bucket, parts in enumerate(runs)
    ]
    keys = [run.merged("players", bucket) for bucket, run in enumerate(united)]
    return keys, files.bytes("dropped")


def _resolve(path: Path, lists: ListFiles, *, again: bool) -> None:
    consolidate_players(PlayersRequest(str(path), lists, again=again), Silent())


@pytest.mark.parametrize("seed", range(8))
def test_players_between_searches(tmp_path: Path, seed: int, scopes: list[float]) -> None:
    rng = random.Random(seed)
    kept, reverted = paths = [tmp_path / "kept.db3", tmp_path / "reverted.db3"]
    lists = [ListFiles(fide=str(path), may_be_older=True) for path in rating_lists(tmp_path)]
    most_merges = most_dropped = 0
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
        assert query(kept, BASIS) == query(reverted, BASIS)
        keys, dropped = _player_keys(kept)
        assert (keys, b"") == _player_keys(reverted, dropped)
        most_dropped = max(most_dropped, len(dropped))
    assert most_merges > 0 < most_dropped
    assert min(scopes) < MOST_IN_SCOPE
