"""The stages of the search for duplicates, one after the other, on threads.

The kernel works on ranges of places and on buckets of numbers; results are put together in an order
of their own, so that they do not depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

from ocgdedup._kernels.find_copies import BUCKETS, CopyFinder, EdgeList, NumberBuckets

_RANGE_GAMES = 16_384  # at least, that a thread takes at a time
_RANGES_A_JOB = 4  # so that threads end at about one time

Range = tuple[int, int]


def run_stages(
    finder: CopyFinder, decisions: Iterable[tuple[int, int, bool]] = (), *, jobs: int = 1
) -> None:
    """Find groups and possible duplicates of the games that a finder has read.

    `decisions`: (ID, ID, whether they are one game) as the user said.
    """
    with Work(finder, 1 if finder.is_go else jobs) as work:
        work.sort()
        pairs = work.candidate_pairs()
        edges = work.judged(pairs)
        work.group(edges, decisions)


class Work:
    """The stages of one search; turned Go games share memory, so they take one thread."""

    def __init__(self, finder: CopyFinder, jobs: int) -> None:
        self.finder = finder
        self.jobs = jobs
        self._pool = ThreadPoolExecutor(jobs) if jobs > 1 else None

    def __enter__(self) -> Work:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def sort(self) -> None:
        """Sort the games and find lines and theory."""
        self.finder.sort()
        self._lines = self._ranges(self.finder.start_of_line)
        self._run(self.finder.find_lines, self._lines)
        self._run(self.finder.find_theory, self._lines)

    def candidate_pairs(self) -> list[NumberBuckets]:
        """Return candidate pairs, of one bucket in any number of parts."""
        finder = self.finder
        bits = finder.pair_bits
        pairs = [NumberBuckets(bits) for _ in range(self.jobs)]
        for by_players in (False, True):
            keys = [NumberBuckets() for _ in self._lines]

            tasks = zip(self._lines, keys, strict=True)
            self._run(finder.add_keys, [(by_players, *span, own) for span, own in tasks])
            pairs += self._pairs_by_keys(keys, by_players, bits)
        for first, end in self._lines:
            finder.pair_equal_records(first, end, pairs[0])
            finder.pair_equal_games(first, end, pairs[0])
        finder.pair_addresses(pairs[0])
        return pairs

    def _pairs_by_keys(
        self, keys: Sequence[NumberBuckets], by_players: bool, bits: int
    ) -> list[NumberBuckets]:
        pairs: list[NumberBuckets] = []
        if not keys:
            return pairs

        def pair(first: int) -> None:
            own = NumberBuckets(bits)
            pairs.append(own)
            for bucket in range(first, BUCKETS, self.jobs):
                for other in keys[1:]:
                    keys[0].take(other, bucket)
                self.finder.pair_by_keys(by_players, keys[0], bucket, own)

        self._run(pair, [(first,) for first in range(self.jobs)])
        return pairs

    def judged(self, pairs: Sequence[NumberBuckets]) -> EdgeList:
        """Return the edges that candidate pairs make."""
        parts: list[EdgeList] = []

        def judge(first: int) -> None:
            own = EdgeList()
            parts.append(own)
            for bucket in range(first, BUCKETS, self.jobs):
                for other in pairs[1:]:
                    pairs[0].take(other, bucket)
                self.finder.judge(pairs[0], bucket, own)

        self._run(judge, [(first,) for first in range(self.jobs)])
        for other in parts[1:]:
            parts[0].take(other)
        return parts[0]

    def group(self, edges: EdgeList, decisions: Iterable[tuple[int, int, bool]]) -> None:
        """Group the games that edges connect."""
        count = self.finder.connect(edges, decisions)
        parts = self.jobs if count > _RANGE_GAMES else 1
        bounds = [count * number // parts for number in range(parts + 1)]
        self._run(self.finder.group, list(pairwise(bounds)))
        self.finder.finish()

    def _ranges(self, start: Callable[[int], int]) -> list[Range]:
        """Cut all places into ranges that begin where `start` moves a place to."""
        games = self.finder.games
        parts = max(1, min(self.jobs * _RANGES_A_JOB, games // _RANGE_GAMES))
        if self.jobs == 1:
            parts = 1
        bounds = sorted({start(games * number // parts) for number in range(parts)} | {0, games})
        return list(pairwise(bounds))

    def _run(self, task: Callable[..., None], arguments: Sequence[tuple[Any, ...]]) -> None:
        if self._pool is None or len(arguments) == 1:
            for one in arguments:
                task(*one)
            return
        for done in [self._pool.submit(task, *one) for one in arguments]:
            done.result()
