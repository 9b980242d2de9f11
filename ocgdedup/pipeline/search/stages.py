"""The stages of the search for duplicates, one after the other, on threads.

Each thread reads ranges of IDs through a connection of its own. All later stages work on ranges of
the sorted games and on buckets of numbers in the kernel. Results are combined in a fixed order, so
that they depend neither on the number of threads nor on the memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, product
from typing import TYPE_CHECKING

from ocgdedup._kernels import search
from ocgdedup._kernels.search import BUCKETS, DuplicateFinder, EdgeList, NumberBuckets
from ocgdedup.pipeline.search.search_files import NewSearchFiles
from ocgdedup.pipeline.search.spill import ALL_BUCKETS, NumberStore, SpillFiles
from ocgdedup.store.connection import on_threads, readers_beside
from ocgdedup.store.file_state import Verdicts
from ocgdedup.store.search_reader import GameReader

if TYPE_CHECKING:
    from array import array
    from concurrent.futures import Future, ThreadPoolExecutor

    import apsw

_PART_GAMES = 16_384  # that a thread reads at a time, if no ID is missing
_LEAST_RANGE_GAMES = 16_384  # of the sorted games, for a task of a thread
_RANGES_A_JOB = 4  # so that threads end at about the same time
_STEP_GAMES = 4096  # that stay in the processor's cache from one stage to the next
# With temporary files: at most so many between two releases of mapped pages.
_SPILLED_GAMES = 32_768
_SPILLED_PAIRS = 256
_SPILLED_EDGES = 128
# From this many games on, sorting the moves like the games saves more time than it costs, except
# after new games.
_MANY_GAMES = 2_000_000
STORED_EDGES = 1 << 16  # in a part
# Keys are chosen if at most one of so many games has verdicts that may change; else all are made.
_FEW_TOUCHED = 8
# Half of the keys at a time, so that temporary files are not larger than the database.
_HALVES = [range(BUCKETS // 2), range(BUCKETS // 2, BUCKETS)]
_ALL = (1 << 63) - 1
# Files for the next search: the games in move order, the first games of start positions, the IDs.
ORDER, STARTS, IDS = "order", "starts", "ids"
_ROWS = 1 << 16  # of the order that are written at a time

Range = tuple[int, int]


def read_games(
    connection: apsw.Connection,
    reader: GameReader,
    *,
    jobs: int = 1,
    spill_files: SpillFiles | None = None,
) -> None:
    """Read all games of a database into the batch of a reader, in the order of their IDs."""
    ranges = reader.ranges(_PART_GAMES) if jobs > 1 and not reader.batch.is_go else []
    count = min(jobs, len(ranges))
    batch = reader.batch
    with readers_beside(connection, count if count > 1 else 0) as readers:
        if not readers:
            reader.open()
        if spill_files is None:
            reader.expect_all()
        if readers:
            with on_threads(readers, reader.read_part, ranges) as parts:
                for part in parts:
                    reader.append(part)
                    del part  # before the next part is read, since both take memory
                    if spill_files is not None and batch.held_bytes >= spill_files.part_bytes:
                        spill_files.write_run(batch)
            if spill_files is not None:
                spill_files.write_run(batch)
            batch.end()
        while not readers and not batch.is_read:
            reader.read(None if spill_files is None else spill_files.part_bytes)
            if spill_files is not None:
                spill_files.write_run(batch)


def run_stages(
    finder: DuplicateFinder,
    decisions: Iterable[tuple[int, int, bool]] = (),
    *,
    jobs: int = 1,
    spill_files: SpillFiles | None = None,
    last_verdicts: Verdicts | None = None,
    store_edges: Callable[[Iterator[bytes]], None] | None = None,
    may_copy_moves: bool = True,
    files: NewSearchFiles | None = None,
) -> None:
    """Find groups and possible duplicates of the games that a finder has read.

    `decisions`: the user's (ID, ID, whether they are the same game). `spill_files`: hold games that
    do not fit in memory. `last_verdicts`: of an earlier search, if games were only added since.
    `store_edges` stores the verdicts of this search. `may_copy_moves`: memory suffices for another
    copy of all moves. `files`: for the next search; only without `last_verdicts`.
    """
    with _Stages(finder, jobs, spill_files, files) as stages:
        stages.sort()
        copies_moves = may_copy_moves and spill_files is None and last_verdicts is None
        if copies_moves and finder.games >= _MANY_GAMES:
            stages.copy_moves()
        stages.find_theory(last_verdicts)
        if files is not None:
            write_order(files, finder)
        stages.group(stages.judged(stages.candidate_pairs()), decisions, store_edges)
    if spill_files is not None:
        spill_files.release_all()


def order_games(
    finder: DuplicateFinder,
    decisions: Iterable[tuple[int, int, bool]] = (),
    *,
    spill_files: SpillFiles | None = None,
) -> None:
    """Prepare a finder to compare any two games, without a search; arguments as in run_stages()."""
    with _Stages(finder, 1, spill_files) as stages:
        stages.sort()
        stages.find_theory()
        stages.find_equal_records()
        finder.connect(EdgeList(), decisions)
        finder.finish()


def judge_new_games(
    finder: DuplicateFinder, last_id: int, ids: array[int], theory: array[int]
) -> list[bytes]:
    """Return the verdicts on the games above an ID, in a batch of these and related games.

    `ids`, `theory`: of the related games, see KnownOrder.chosen_games().
    """
    with _Stages(finder, 1, None) as stages:
        stages.sort()
        stages.find_theory(Verdicts(last_id, iter(())))
        finder.set_theory(ids, theory)
        edges = stages.judged(stages.candidate_pairs())
        return list(finder.judged_edges(edges, STORED_EDGES))


def write_order(files: NewSearchFiles, finder: DuplicateFinder) -> None:
    """Write the order of all games for the next search, before their edges are connected."""
    games = finder.games
    rows = (finder.order_rows(at, min(at + _ROWS, games)) for at in range(0, games, _ROWS))
    files.write(ORDER, rows)
    files.write(STARTS, [finder.start_spans()])
    files.write(IDS, [finder.id_ranges()])


class _Stages:
    """The stages of one search; Go takes one thread, since rotated games share memory."""

    def __init__(
        self,
        finder: DuplicateFinder,
        jobs: int,
        spill_files: SpillFiles | None,
        files: NewSearchFiles | None = None,
    ) -> None:
        self.finder = finder
        self.spill_files = spill_files
        self._files = files
        self.edges = EdgeList()
        self._judged_again: NumberBuckets | None = None
        # One source of keys at a time, since keys take much memory.
        self._sources: list[tuple[str, ...]] = [(source,) for source in search.SOURCES]
        self._key_parts = [ALL_BUCKETS] if spill_files is None else _HALVES
        self._most_pairs = _ALL if spill_files is None else _SPILLED_PAIRS
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
        """Sort the games, and cut them into ranges for the later stages."""
        finder = self.finder
        if self.spill_files is not None:
            self.spill_files.merge(finder.batch)
        self._run(finder.sort_part, finder.begin_sort(self.jobs * _RANGES_A_JOB))
        self._run(finder.reorder_part, finder.begin_reordering(self.jobs * _RANGES_A_JOB))
        finder.end_sort()
        if self._files is not None:
            finder.keep_ordinals()
        parts = 1
        if self.spill_files is not None:
            parts = finder.games // _SPILLED_GAMES
        elif self.jobs > 1:
            parts = min(self.jobs * _RANGES_A_JOB, finder.games // _LEAST_RANGE_GAMES)
        self._lines = _cut(0, finder.games, parts, finder.start_of_line)

    def copy_moves(self) -> None:
        """Sort the moves like the games, if memory suffices."""
        if self.finder.begin_move_copy(self._lines):
            self._run(self.finder.copy_moves, self._lines)
            self.finder.end_move_copy()

    def find_theory(self, last_verdicts: Verdicts | None = None) -> None:
        """Find the lines of the games, the lines that continue them, and opening theory.

        Also take the `last_verdicts` that still hold.
        """
        finder = self.finder
        if last_verdicts is not None:
            finder.use_previous_search(last_verdicts.last_id)

        def find_lines(first: int, end: int) -> None:
            for step in self._steps(first, end):
                finder.find_lines(*step)
                finder.find_shared(*step)

        for stage in (find_lines, finder.find_theory):
            self._run(stage, self._lines)
        if last_verdicts is not None:
            self._take_verdicts(last_verdicts)
        for span in self._lines:
            finder.find_ends(*span)
            self._release()

    def _take_verdicts(self, last_verdicts: Verdicts) -> None:
        """Take the verdicts that still hold, and choose the keys that new games affect."""
        finder = self.finder
        for edges in last_verdicts.edges:
            finder.load_previous_edges(edges)
        finder.sort_previous_edges()
        touched = finder.count_touched()
        if not finder.games or touched * _FEW_TOUCHED > finder.games:
            return
        for span in self._lines:
            finder.choose_keys(*span)
            self._release()
        pairs = self._judged_again = NumberBuckets(finder.pair_bits)
        offset = 0
        while offset := finder.settle_previous_edges(self.edges, pairs, offset, self._most_pairs):
            self._release()
        # The few keys all fit in memory at the same time.
        self._sources = [search.SOURCES]
        self._key_parts = [ALL_BUCKETS] if touched else []

    def candidate_pairs(self) -> NumberStore:
        """Return all candidate pairs."""
        finder = self.finder
        pairs = NumberStore(finder.pair_bits, self.spill_files)
        for sources, buckets in product(self._sources, self._key_parts):
            stores = {source: NumberStore(64, self.spill_files, buckets) for source in sources}
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
            span_pairs = pairs.new()
            stage(*span, span_pairs)
            pairs.add(span_pairs)
            self._release()

    def find_equal_records(self) -> None:
        """Find the records that several sources have alike; their candidate pairs are not used."""
        for span in self._lines:
            self.finder.pair_equal_records(*span, NumberBuckets(self.finder.pair_bits))
            self._release()

    def _add_keys(self, span: Range, stores: Mapping[str, NumberStore]) -> None:
        new_keys = {source: keys.new() for source, keys in stores.items()}
        for step in [span] if len(new_keys) == 1 else self._steps(*span):
            for source, numbers in new_keys.items():
                self.finder.add_keys(source, *step, numbers, by_line=True)
        for source, numbers in new_keys.items():
            stores[source].add(numbers)

    def _pair_by_keys(self, source: str, first: int, keys: NumberStore, pairs: NumberStore) -> None:
        new_pairs = pairs.new()
        for bucket in keys.buckets[first :: self.jobs]:
            packed = self.finder.pair_by_keys(
                source, keys.load(bucket), bucket, new_pairs, by_line=True,
                packs=self._files is not None,
            )  # fmt: skip
            if packed and self._files is not None:
                self._files.add_keys(source, bucket, packed)
            if self.spill_files is not None:
                pairs.add(new_pairs)
                new_pairs = pairs.new()
        pairs.add(new_pairs)

    def judged(self, pairs: NumberStore) -> EdgeList:
        """Judge candidate pairs; return the edges of matches and possible matches."""
        parts = [self.edges, *(EdgeList() for _ in range(1, self.jobs))]

        def judge(first: int) -> None:
            for bucket in range(first, BUCKETS, self.jobs):
                part, edges, offset = pairs.load(bucket), parts[first], 0
                while offset := self.finder.judge(part, bucket, edges, offset, self._most_pairs):
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
        store_edges: Callable[[Iterator[bytes]], None] | None,
    ) -> None:
        """Group the games that edges connect; `store_edges` takes the edges as they are stored."""
        finder = self.finder
        judged = finder.judged_edges(edges, STORED_EDGES)
        count = finder.connect(edges, decisions)
        parts = self.jobs if count > _LEAST_RANGE_GAMES else 1
        if self.spill_files is not None:
            parts = max(parts, count // _SPILLED_EDGES)
        bounds = [count * number // parts for number in range(parts + 1)]
        groups = self._begin(finder.group, list(pairwise(bounds)))
        if store_edges is not None:  # while the other threads group

            def released() -> Iterator[bytes]:
                for part in judged:
                    self._release()
                    yield part

            store_edges(released())
        for part in groups:
            part.result()
        finder.finish()

    def _steps(self, first: int, end: int) -> list[Range]:
        """Cut a range of whole mainlines into small ranges of whole mainlines."""
        return _cut(first, end, -(-(end - first) // _STEP_GAMES), self.finder.start_of_line)

    def _run(self, task: Callable[..., object], arguments: Sequence[tuple[object, ...]]) -> None:
        for part in self._begin(task, arguments):
            part.result()

    def _begin(
        self, task: Callable[..., object], arguments: Sequence[tuple[object, ...]]
    ) -> list[Future[None]]:
        """Start a task for all arguments; return the calls that may still run."""

        def step(*values: object) -> None:
            task(*values)
            self._release()

        if self._pool is None or len(arguments) == 1:
            for values in arguments:
                step(*values)
            return []
        return [self._pool.submit(step, *values) for values in arguments]

    def _release(self) -> None:
        if self.spill_files is not None:
            self.spill_files.release()


def _cut(first: int, end: int, parts: int, start: Callable[[int], int]) -> list[Range]:
    """Cut a range into about equal parts; `start` moves a bound to the start of a mainline."""
    bounds = [first]
    for number in range(1, parts):
        bound = first + (end - first) * number // parts
        if bounds[-1] < bound:  # else the last mainline reaches beyond it
            bounds.append(start(bound))
    if bounds[-1] < end:
        bounds.append(end)
    return list(pairwise(bounds))
