"""The stages of the search for duplicates, one after the other, on threads.

Ranges of IDs are read by a connection for each thread. From there on the kernel works on ranges of
places and on buckets of numbers. Results are put together in an order of their own, so that they
depend neither on the number of threads nor on the memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, product
from typing import TYPE_CHECKING

from ocgdedup._kernels import search
from ocgdedup._kernels.search import BUCKETS, DuplicateFinder, EdgeList, NumberBuckets
from ocgdedup.pipeline.search.spill import ALL_BUCKETS, NumberStore, Space
from ocgdedup.store.connection import on_threads, readers_beside
from ocgdedup.store.file_state import Verdicts
from ocgdedup.store.search_reader import GameReader

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

    import apsw

_PART_GAMES = 16_384  # of a database with as many IDs as games, that a thread reads at a time
_LEAST_RANGE_GAMES = 16_384  # at least, that a thread takes at a time
_RANGES_A_JOB = 4  # so that threads end at about one time
_STEP_GAMES = 4096  # that stay in the processor's cache from one stage to the next
# What touches so little memory that it need not be handed back before.
_SPACE_GAMES = 32_768
_SPACE_PAIRS = 256
_SPACE_EDGES = 128
# From this many games on, copying the moves into the order of the games saves more time than it
# costs. It does not pay for fewer games, or after new games.
_MANY_GAMES = 2_000_000
_STORED_EDGES = 1 << 16
# If more than one of so many games has verdicts that may be others, all keys are made: choosing
# them does not pay.
_FEW_TOUCHED = 8
# Half of the keys at a time, so that the temporary files are not larger than the database.
_HALVES = [range(BUCKETS // 2), range(BUCKETS // 2, BUCKETS)]
_ALL = (1 << 63) - 1

Range = tuple[int, int]


def read_games(
    connection: apsw.Connection, reader: GameReader, *, jobs: int = 1, space: Space | None = None
) -> None:
    """Read all games of a database into the batch of a reader, in the order of their IDs."""
    ranges = reader.ranges(_PART_GAMES) if jobs > 1 and not reader.batch.is_go else []
    count = min(jobs, len(ranges))
    with readers_beside(connection, count if count > 1 else 0) as readers:
        if not readers:
            reader.open()
        if space is None:
            reader.expect_all()
        if readers:
            with on_threads(readers, reader.read_part, ranges) as parts:
                for part in parts:
                    reader.append(part)
                    del part  # before the next: both take memory
                    if space is not None and reader.batch.held_bytes >= space.part_bytes:
                        space.keep(reader.batch)
            if space is not None:
                space.keep(reader.batch)
            reader.batch.end()
        while not readers and not reader.batch.is_read:
            reader.read(None if space is None else space.part_bytes)
            if space is not None:
                space.keep(reader.batch)


def run_stages(
    finder: DuplicateFinder,
    decisions: Iterable[tuple[int, int, bool]] = (),
    *,
    jobs: int = 1,
    space: Space | None = None,
    known: Verdicts | None = None,
    keep: Callable[[Iterator[bytes]], None] | None = None,
    copies_moves: bool = True,
) -> None:
    """Find groups and possible duplicates of the games that a finder has read.

    `decisions`: (ID, ID, whether they are one game) as the user said. `space`: where the games are
    if memory does not hold them. `known`: verdicts of an earlier search on games to which only
    others have been added; `keep` takes those of this one. `copies_moves`: memory suffices for
    another copy of all moves.
    """
    with _Stages(finder, jobs, space) as stages:
        stages.sort()
        if copies_moves and space is None and known is None and finder.games >= _MANY_GAMES:
            stages.copy_moves()
        stages.find_theory(known)
        pairs = stages.candidate_pairs()
        edges = stages.judged(pairs)
        stages.group(edges, decisions, keep)
    if space is not None:
        space.release_all()


def order_games(
    finder: DuplicateFinder,
    decisions: Iterable[tuple[int, int, bool]] = (),
    *,
    space: Space | None = None,
) -> None:
    """Do what verdicts on any two games need, without a search for duplicates; as run_stages()."""
    with _Stages(finder, 1, space) as stages:
        stages.sort()
        stages.find_theory()
        stages.find_equal_records()
        finder.connect(EdgeList(), decisions)
        finder.finish()


class _Stages:
    """The stages of one search; rotated Go games share memory, so they take one thread."""

    def __init__(self, finder: DuplicateFinder, jobs: int, space: Space | None) -> None:
        self.finder = finder
        self.space = space
        self.edges = EdgeList()
        self._judged_again: NumberBuckets | None = None
        # One source of keys after the other, since keys take much memory.
        self._sources: list[tuple[str, ...]] = [(source,) for source in search.SOURCES]
        self._key_parts = [ALL_BUCKETS] if space is None else _HALVES
        self._most_pairs = _ALL if space is None else _SPACE_PAIRS
        self.jobs = 1 if finder.is_go else min(jobs, 1 + finder.games // _LEAST_RANGE_GAMES)
        self._pool: ThreadPoolExecutor | None = None
        if self.jobs > 1:
            from concurrent.futures import ThreadPoolExecutor  # 9 ms

            self._pool = ThreadPoolExecutor(self.jobs)

    def __enter__(self) -> _Stages:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def sort(self) -> None:
        """Sort the games."""
        finder = self.finder
        if self.space is not None:
            self.space.merge(finder.batch)
        self._run(finder.sort_part, finder.begin_sort(self.jobs * _RANGES_A_JOB))
        self._run(finder.place_part, finder.begin_placing(self.jobs * _RANGES_A_JOB))
        finder.end_sort()
        parts = 1
        if self.space is not None:
            parts = finder.games // _SPACE_GAMES
        elif self.jobs > 1:
            parts = min(self.jobs * _RANGES_A_JOB, finder.games // _LEAST_RANGE_GAMES)
        self._lines = _cut(0, finder.games, parts, finder.start_of_line)

    def copy_moves(self) -> None:
        """Put the moves in the order of the games, if memory suffices."""
        if self.finder.begin_move_copy(self._lines):
            self._run(self.finder.copy_moves, self._lines)
            self.finder.end_move_copy()

    def find_theory(self, known: Verdicts | None = None) -> None:
        """Find the lines of the games, the lines that continue them, and theory.

        If verdicts are `known`, find too for which games they no longer hold.
        """
        finder = self.finder
        if known is not None:
            finder.use_known(known.last_id)

        def find_lines(first: int, end: int) -> None:
            for step in self._steps(first, end):
                finder.find_lines(*step)
                finder.find_shared(*step)

        for stage in (find_lines, finder.find_theory):
            self._run(stage, self._lines)
        if known is not None:
            self._take_known(known)
        for span in self._lines:
            finder.find_ends(*span)
            self._release()

    def _take_known(self, known: Verdicts) -> None:
        """Take the verdicts that hold, and choose the keys that new games concern."""
        finder = self.finder
        for edges in known.edges:
            finder.load_known(edges)
        finder.sort_known()
        touched = finder.count_touched()
        if not finder.games or touched * _FEW_TOUCHED > finder.games:
            return
        for span in self._lines:
            finder.choose_keys(*span)
            self._release()
        pairs = self._judged_again = NumberBuckets(finder.pair_bits)
        at = 0
        while at := finder.settle_known(self.edges, pairs, at, self._most_pairs):
            self._release()
        # Few keys are made, so there is room for all of them at the same time.
        self._sources = [search.SOURCES]
        self._key_parts = [ALL_BUCKETS] if touched else []

    def candidate_pairs(self) -> NumberStore:
        """Return all candidate pairs."""
        finder = self.finder
        pairs = NumberStore(finder.pair_bits, self.space)
        for sources, buckets in product(self._sources, self._key_parts):
            stores = {source: NumberStore(64, self.space, buckets) for source in sources}
            self._run(self._add_keys, [(span, stores) for span in self._lines])
            for source, keys in stores.items():
                self._run(
                    self._pair_by_keys, [(source, first, keys, pairs) for first in range(self.jobs)]
                )
                keys.close()
        if self._judged_again is not None:
            pairs.add(self._judged_again)
        # pair_equal_records() must take the ranges in order, so it is one task.
        tasks = [(finder.pair_equal_records, self._lines, pairs)]
        tasks += [(finder.pair_equal_games, [span], pairs) for span in self._lines]
        self._run(self._pair_lines, tasks)
        return pairs

    def _pair_lines(
        self,
        stage: Callable[[int, int, NumberBuckets], None],
        spans: Sequence[Range],
        pairs: NumberStore,
    ) -> None:
        for span in spans:
            own = pairs.new()
            stage(*span, own)
            pairs.add(own)
            self._release()

    def find_equal_records(self) -> None:
        """Find which records several sources have alike, besides the pairs that they make."""
        for span in self._lines:
            self.finder.pair_equal_records(*span, NumberBuckets(self.finder.pair_bits))
            self._release()

    def _add_keys(self, span: Range, stores: Mapping[str, NumberStore]) -> None:
        own = {source: keys.new() for source, keys in stores.items()}
        for step in [span] if len(own) == 1 else self._steps(*span):
            for source, numbers in own.items():
                self.finder.add_keys(source, *step, numbers, by_line=True)
        for source, numbers in own.items():
            stores[source].add(numbers)

    def _pair_by_keys(self, source: str, first: int, keys: NumberStore, pairs: NumberStore) -> None:
        own = pairs.new()
        for bucket in keys.buckets[first :: self.jobs]:
            self.finder.pair_by_keys(source, keys.load(bucket), bucket, own, by_line=True)
            if self.space is not None:
                pairs.add(own)
                own = pairs.new()
        pairs.add(own)

    def judged(self, pairs: NumberStore) -> EdgeList:
        """Return the edges that candidate pairs make."""
        parts = [self.edges, *(EdgeList() for _ in range(1, self.jobs))]

        def judge(first: int) -> None:
            for bucket in range(first, BUCKETS, self.jobs):
                part, edges, at = pairs.load(bucket), parts[first], 0
                while at := self.finder.judge(part, bucket, edges, at, self._most_pairs):
                    self._release()

        self._run(judge, [(first,) for first in range(self.jobs)])
        pairs.close()
        for other in parts[1:]:
            parts[0].take(other)
        return parts[0]

    def group(
        self,
        edges: EdgeList,
        decisions: Iterable[tuple[int, int, bool]],
        keep: Callable[[Iterator[bytes]], None] | None,
    ) -> None:
        """Group the games that edges connect; `keep` takes the edges as they are stored."""
        finder = self.finder
        judged = finder.judged_edges(edges, _STORED_EDGES)
        count = finder.connect(edges, decisions)
        parts = self.jobs if count > _LEAST_RANGE_GAMES else 1
        if self.space is not None:
            parts = max(parts, count // _SPACE_EDGES)
        bounds = [count * number // parts for number in range(parts + 1)]
        # This thread writes while the others group.
        groups = self._begin(finder.group, list(pairwise(bounds)))
        if keep is not None:

            def released() -> Iterator[bytes]:
                for part in judged:
                    self._release()
                    yield part

            keep(released())
        for part in groups:
            part.result()
        finder.finish()

    def _steps(self, first: int, end: int) -> list[Range]:
        """Cut a range that holds whole mainlines into small ones that do so, too."""
        return _cut(first, end, -(-(end - first) // _STEP_GAMES), self.finder.start_of_line)

    def _run(self, task: Callable[..., object], arguments: Sequence[tuple[object, ...]]) -> None:
        for part in self._begin(task, arguments):
            part.result()

    def _begin(
        self, task: Callable[..., object], arguments: Sequence[tuple[object, ...]]
    ) -> list[Future[None]]:
        """Start a task for all arguments; return those calls that may not have ended."""

        def step(*values: object) -> None:
            task(*values)
            self._release()

        if self._pool is None or len(arguments) == 1:
            for values in arguments:
                step(*values)
            return []
        return [self._pool.submit(step, *values) for values in arguments]

    def _release(self) -> None:
        if self.space is not None:
            self.space.release()


def _cut(first: int, end: int, parts: int, start: Callable[[int], int]) -> list[Range]:
    """Cut a range into about equal ones that begin where `start` moves a place to."""
    bounds = [first]
    for number in range(1, parts):
        place = first + (end - first) * number // parts
        if bounds[-1] < place:  # else one line went beyond
            bounds.append(start(place))
    if bounds[-1] < end:
        bounds.append(end)
    return list(pairwise(bounds))
