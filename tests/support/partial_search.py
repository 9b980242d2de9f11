"""A search after new games whose result has only the games that these may concern.

It searches all games; the result is cut down to whole components of the games that changed.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import apsw
import pytest

from ocgdedup._kernels.search import components
from ocgdedup.commands import dedup_search
from ocgdedup.pipeline.search import detect
from ocgdedup.pipeline.search.detect import SearchOptions, SearchResult
from ocgdedup.pipeline.search.groups import GroupBatch
from ocgdedup.pipeline.search.stored_counts import StoredCounts

EDGE_BYTES = 18


class PartialSearches:
    """Takes the place of find_duplicates() in a run of dedup; `blobs`: the state after a run."""

    def __init__(self) -> None:
        self.blobs: dict[str, bytes] = {}
        self.scopes: list[tuple[int, int]] = []  # numbers of games in each scope, and in all

    @contextmanager
    def used(self) -> Iterator[None]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(dedup_search, "find_duplicates", self._find)
            yield

    def _find(
        self, connection: apsw.Connection, options: SearchOptions, *arguments: Any, **named: Any
    ) -> SearchResult:
        old = _edges(connection)
        result = detect.find_duplicates(connection, options, *arguments, **named)
        if self.blobs and result.last_searched_id is not None and not named["judge_all"]:
            result = self._cut(connection, options, result, old ^ _edges(connection))
        return result._replace(write_state=self._take)

    def _take(self, blobs: Mapping[str, bytes | None]) -> None:
        self.blobs |= {name: blob for name, blob in blobs.items() if blob is not None}

    def _cut(
        self,
        connection: apsw.Connection,
        options: SearchOptions,
        result: SearchResult,
        changed: frozenset[bytes],
    ) -> SearchResult:
        counts, last_id = StoredCounts(self.blobs), result.last_searched_id or 0
        ids = [row[0] for row in connection.execute(_IDS, (options.min_plies,))]
        pairs = [(ids[first], ids[second]) for first, second in map(_games_of, changed)]
        seeds = {game_id for pair in pairs for game_id in pair} | {i for i in ids if i > last_id}
        seeds |= result.decided
        seeds.update(
            counts.unsettled_games(connection, result.finder.batch, last_id, options.min_plies)
        )
        pairs += [(ids[first], ids[second]) for first, second in map(_games_of, _edges(connection))]
        pairs += [pair for group in result.groups for pair in pairwise(group.ids)]
        pairs += connection.execute("SELECT GameID, DuplicateGroup FROM DuplicateFlags")
        pairs += connection.execute("SELECT GameID1, GameID2 FROM Suspects")
        scope = _connected(seeds, pairs)
        self.scopes.append((len(scope), len(ids)))
        return result._replace(
            scope=scope,
            counts=counts,
            groups=GroupBatch.of(group for group in result.groups if group.ids[0] in scope),
            possible_duplicates=[
                pair for pair in result.possible_duplicates if pair.first in scope
            ],
        )


_IDS = """
    SELECT ID FROM (SELECT ID, PlyCount FROM Games UNION ALL SELECT ID, PlyCount FROM RemovedGames)
    WHERE coalesce(PlyCount, 0) >= ? ORDER BY ID
"""


def _edges(connection: apsw.Connection) -> frozenset[bytes]:
    blob = b"".join(row[0] for row in connection.execute("SELECT Edges FROM Verdicts ORDER BY ID"))
    return frozenset(blob[at : at + EDGE_BYTES] for at in range(0, len(blob), EDGE_BYTES))


def _games_of(edge: bytes) -> tuple[int, int]:
    first, second = memoryview(edge)[:8].cast("I")
    return first, second


def _connected(seeds: Iterable[int], pairs: Iterable[tuple[int, int]]) -> frozenset[int]:
    """Return all games that pairs connect with one of the seeds."""
    seeds, pairs = list(seeds), list(pairs)
    games = sorted({game_id for pair in pairs for game_id in pair}.union(seeds))
    numbers = {game_id: number for number, game_id in enumerate(games)}
    left, right = (array("q", (numbers[pair[side]] for pair in pairs)) for side in (0, 1))
    roots = components(left, right, len(games))
    chosen = {roots[numbers[game_id]] for game_id in seeds}
    return frozenset(game_id for game_id in games if roots[numbers[game_id]] in chosen)
