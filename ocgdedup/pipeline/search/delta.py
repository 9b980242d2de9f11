"""The search after new games: it reads and compares only what these change.

The files of the last search have the order of its games and their blocking keys (see
docs/architecture/search.md). The result equals that of a search of all games. Any doubt about the
files, such as damage, makes the caller search all games instead.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import apsw

from ocgdedup._kernels.search import (
    BUCKETS,
    SOURCES,
    DeltaFinder,
    EdgeList,
    NumberBuckets,
    pack_keys,
)
from ocgdedup.pipeline.search.search_files import NewSearchFiles, SearchFiles
from ocgdedup.pipeline.search.stages import IDS, ORDER, STARTS, STORED_EDGES, write_order
from ocgdedup.pipeline.search.stored_counts import BLOBS, StoredCounts
from ocgdedup.store.deleted_games import deleted_ids
from ocgdedup.store.file_state import Verdicts
from ocgdedup.store.search_reader import GameReader, prepare_to_read_moves

_ALL = (1 << 63) - 1
_DECISIONS = "decisions"  # of the user, as the last search knew them
_DROPPED = "dropped"  # keys in the runs that their games no longer have


class NewGames(NamedTuple):
    """The input of a search after new games, which `reader` has read for `finder`.

    `min_plies`: shorter games are not searched.
    """

    connection: apsw.Connection
    reader: GameReader
    finder: DeltaFinder
    last_verdicts: Verdicts
    files: SearchFiles
    min_plies: int


class DeltaResult(NamedTuple):
    """The result of a search after new games.

    `scope`: the games whose groups may have changed; only they have groups in `finder`. `verdicts`:
    those of all games, as they are stored. `counts`: of the last search.
    """

    finder: DeltaFinder
    scope: frozenset[int]
    verdicts: Sequence[bytes]
    counts: StoredCounts


def search_new_games(
    new: NewGames,
    decisions: Sequence[tuple[int, int, bool]],
    choices: Sequence[tuple[int, int]],
    files: NewSearchFiles,
) -> DeltaResult:
    """Search, and write the order and the keys for the next search.

    `decisions`, `choices`: of the user, as in find_duplicates(). Raises ValueError if the files of
    the last search are damaged or do not fit the database, or if it needs all games.
    """
    finder, last_id = new.finder, new.last_verdicts.last_id
    counts = StoredCounts({name: new.files.unpacked(name) for name in BLOBS})
    unsettled = counts.unsettled_games(new.connection, new.reader.batch, last_id, new.min_plies)
    search = _Delta(new)
    search.order()
    _require_searched(new)
    edges = search.compare()
    packed = search.packed_keys()
    finder.add_to_scope(unsettled)
    finder.add_to_scope(_with_other_decisions(new, decisions, choices))
    verdicts = search.group(edges, decisions)
    write_order(files, finder)
    for source, bucket, keys in packed:
        files.add_keys(source, bucket, keys)
    return DeltaResult(finder, frozenset(finder.scope()), verdicts, counts)


def verdicts_on_new_games(new: NewGames) -> Iterator[bytes]:
    """Yield all verdicts, as they are stored; raise ValueError as search_new_games() does."""
    search = _Delta(new)
    search.order()
    return new.finder.judged_edges(search.compare(), STORED_EDGES)


def write_small_files(
    files: NewSearchFiles,
    decisions: Iterable[tuple[int, int, bool]],
    choices: Iterable[tuple[int, int]],
    delta: DeltaResult | None,
) -> None:
    """Write, for the next search, the decisions and choices that a search knew, and dropped keys.

    `delta`: None after a search of all games.
    """
    text = json.dumps(sorted((*decisions, *choices)), separators=(",", ":"))
    files.write(_DECISIONS, [text.encode()])
    files.write(_DROPPED, [b"" if delta is None else delta.finder.dropped_keys()])


def dropped_keys(files: SearchFiles) -> array[int]:
    """Return the keys of players in the runs, with ordinals, that their games no longer have."""
    return array("Q", files.bytes(_DROPPED))


def _with_other_decisions(
    new: NewGames, decisions: Iterable[tuple[int, int, bool]], choices: Iterable[tuple[int, int]]
) -> array[int]:
    """Return the games with a decision or choice that was made or cleared since the last search."""
    last = {tuple(row) for row in json.loads(new.files.bytes(_DECISIONS))}
    changed = last.symmetric_difference((*decisions, *choices))
    games = sorted({game_id for row in changed for game_id in row[:2]})
    return array("q", filter(new.finder.__contains__, games))


def _require_searched(new: NewGames) -> None:
    """Raise ValueError if a deleted game is not searched: components lack it, not its group."""
    if not all(game_id in new.finder for game_id in deleted_ids(new.connection)):
        raise ValueError("a deleted game is not searched, such as a short one")


class _Delta:
    def __init__(self, new: NewGames) -> None:
        self._new, self._finder = new, new.finder
        self._keys = {source: NumberBuckets(64) for source in SOURCES}

    def order(self) -> None:
        """Put the new games into the order of all games."""
        new, finder = self._new, self._finder
        new.files.check(ORDER)
        order, starts = new.files.map(ORDER), new.files.bytes(STARTS)
        ids = array("q", new.files.bytes(IDS))
        moves_sql = prepare_to_read_moves(new.connection)
        lines = finder.place(order, starts, ids, new.connection, moves_sql)
        equal_lines = new.reader.read_games(lines)
        finder.merge(equal_lines, new.last_verdicts.last_id)
        finder.take(equal_lines)

    def compare(self) -> EdgeList:
        """Return the edges of all games, after order()."""
        pairs, edges = NumberBuckets(self._finder.pair_bits), EdgeList()
        self.change_players()
        self.find_touched()
        self.pair(edges, pairs)
        self.judge(pairs, edges)
        return edges

    def change_players(self) -> None:
        """Mark the earlier games whose players changed."""
        last = self._new.last_verdicts
        changed = {i: last.changed[i] for i in last.changed if i <= last.last_id}
        games = sorted(filter(self._finder.__contains__, changed))
        core_hashes = array("q", map(changed.__getitem__, games))
        dropped = dropped_keys(self._new.files)
        self._finder.change_players(array("q", games), core_hashes, dropped)

    def find_touched(self) -> None:
        """Find theory, and the games whose verdicts may change."""
        finder = self._finder
        finder.find_new_theory()
        self._load(finder.request_new_lines())
        finder.mark_new_lines()
        self._load(finder.request_touched())

    def pair(self, edges: EdgeList, pairs: NumberBuckets) -> None:
        """Take the verdicts that still hold; find the candidate pairs that need one."""
        finder = self._finder
        for part in self._new.last_verdicts.edges:
            finder.load_previous_edges(part)
        finder.sort_previous_edges()
        for source in SOURCES:
            self._look_up(source, finder.touched_keys(source))
        self._load(finder.request_edges())
        offset = 0
        while offset := finder.settle_previous_edges(edges, pairs, offset, _ALL):
            pass
        for source, keys in self._keys.items():
            self._look_up(source, finder.shared_keys(source))
            finder.add_new_line_keys(source, keys)
            for bucket in range(BUCKETS):
                finder.pair_by_keys(source, keys, bucket, pairs, by_line=True)
        finder.pair_touched_lines(pairs)

    def _look_up(self, source: str, hashes: array[int]) -> None:
        entries = self._new.files.runs.lookup(source, hashes, self._finder.games)
        self._finder.add_known_keys(source, entries, self._keys[source])

    def judge(self, pairs: NumberBuckets, edges: EdgeList) -> None:
        finder = self._finder
        self._load(finder.request_pairs(pairs))
        finder.rank_lines()
        for bucket in range(BUCKETS):
            finder.judge(pairs, bucket, edges, 0, _ALL)

    def group(
        self, edges: EdgeList, decisions: Iterable[tuple[int, int, bool]]
    ) -> tuple[bytes, ...]:
        finder = self._finder
        verdicts = tuple(finder.judged_edges(edges, STORED_EDGES))
        count = finder.connect(edges, decisions)
        self._load(finder.request_scope())
        finder.rank_lines()
        finder.group(0, count)
        finder.finish()
        return verdicts

    def packed_keys(self) -> list[tuple[str, int, bytes]]:
        """Return the keys of the new games by source and bucket, for the next search."""
        packed = []
        for source in SOURCES:
            keys = NumberBuckets(64)
            self._finder.add_keys_of_new_games(source, keys)
            packed += [
                (source, bucket, pack_keys(keys, bucket))
                for bucket in range(BUCKETS)
                if keys.count(bucket)
            ]
        return packed

    def _load(self, ids: Sequence[int]) -> None:
        if len(ids):
            self._finder.take(self._new.reader.read_games(ids))
