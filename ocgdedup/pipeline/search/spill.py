"""Temporary files for games, keys and pairs of a search that do not fit in memory.

Games are read in parts. Each part is sorted and written as a run. The runs are then merged range by
range, the last range first: each run is truncated as its games are read, so that runs and result
together take no more disk space than one of them. The sorted games are mapped into memory; mapped
pages are released before the process takes more memory than the user allows.
"""

from __future__ import annotations

import mmap
import os
import threading
from collections.abc import Callable
from typing import BinaryIO, NamedTuple

import apsw

from ocgdedup._kernels.search import BUCKETS, RECORD_BYTES, GameBatch, NumberBuckets
from ocgdedup.errors import StoreError, UsageError
from ocgdedup.files.portable import physical_memory_bytes, read_at
from ocgdedup.files.temporary import unnamed_file
from ocgdedup.model import PLY_BYTES
from ocgdedup.store.connection import file_bytes
from ocgdedup.store.games import count_games
from ocgdedup.store.names import count_names

_SAMPLES_A_RUN = 512
_SPARE_PLIES = 8  # after all moves, besides space for the longest game
_WRITE_BYTES = 1 << 24
# Linux maps a file in pieces as large as the writes were: with larger ones, 2 MB for a game.
_PAGE = mmap.PAGESIZE
_STATUS = "/proc/self/statm"  # Linux: pages of the process; the second number: those in memory


ALL_BUCKETS = range(BUCKETS)
_MB = 1_000_000
_MOST_BY_DEFAULT = 2_000 * _MB
# Measured: a process without games, SQLite's cached pages, and a search in memory.
_PROCESS_BYTES = 60 * _MB
_PAGES_BYTES = 130 * _MB
_MEMORY_A_FILE_BYTE = 1.5
_SUMMARY_BYTES, _NAME_BYTES = 18, 130  # of a game and of a name: these always stay in memory
_KNOWN_BYTES = 250  # of a game of the last search in a search after new games
_LEAST_BYTES = 64 * _MB  # for each thread
_MARGIN_BYTES = 16 * _MB  # that a thread may take between two calls of release()


class Resources(NamedTuple):
    """Limits of a search: threads, memory, and the folder of its temporary files.

    `memory_bytes` None: a quarter of the physical memory, at most 2 GB. `temp_folder` None:
    $TMPDIR, or else the folder of the database. `keeps_search_files`: leave files for the next
    search beside the database.
    """

    jobs: int = 1
    memory_bytes: int | None = None
    temp_folder: str | None = None
    keeps_search_files: bool = True


ONE_THREAD = Resources()


def spill_files_for(connection: apsw.Connection, resources: Resources) -> SpillFiles | None:
    """Return temporary files for the games of a database; None if they fit in memory.

    Raises UsageError if memory is too small even for a search by one thread.
    """
    memory = resources.memory_bytes or default_memory()
    if _search_bytes(file_bytes(connection)) <= memory:
        return None
    games = count_games(connection)
    fixed = _PROCESS_BYTES + games * _SUMMARY_BYTES + count_names(connection) * _NAME_BYTES
    least = fixed + _LEAST_BYTES
    if games and least > memory:
        raise UsageError(
            f"{connection.filename}: {memory // _MB:,} MB of memory are too little to search "
            f"{games:,} games; name at least --memory {-(-least // _MB)}M"
        )
    beside = os.path.dirname(connection.filename) or "."
    folder = resources.temp_folder or os.environ.get("TMPDIR") or beside
    jobs = max(1, min(resources.jobs, (memory - fixed) // _LEAST_BYTES))
    return SpillFiles(folder, memory - jobs * _MARGIN_BYTES, (memory - fixed) // 2, jobs)


def may_search_new_games(
    connection: apsw.Connection, resources: Resources, known: int, new: int
) -> bool:
    """Return whether memory suffices to search `new` games after a search of `known` games."""
    games = known + new
    size = file_bytes(connection) * new // games if games else 0
    fixed = games * _KNOWN_BYTES + count_names(connection) * _NAME_BYTES
    return fixed + _search_bytes(size) <= (resources.memory_bytes or default_memory())


def may_map_file(connection: apsw.Connection, resources: Resources, times: int = 1) -> bool:
    """Return whether memory suffices to map the file during a search in memory.

    `times`: connections that each map it. Mapped pages count as memory of the process.
    """
    size = file_bytes(connection)
    return _search_bytes(size) + times * size <= (resources.memory_bytes or default_memory())


def may_copy_moves(connection: apsw.Connection, resources: Resources, plies: int) -> bool:
    """Return whether memory suffices for another copy of all moves; a mapped file counts too."""
    size = file_bytes(connection)
    needed = _search_bytes(size) + PLY_BYTES * plies
    if may_map_file(connection, resources):
        needed += size
    return needed <= (resources.memory_bytes or default_memory())


def default_memory() -> int:
    """Return a quarter of the physical memory in bytes, at most 2 GB."""
    return min(_MOST_BY_DEFAULT, physical_memory_bytes() // 4)


def _search_bytes(size: int) -> float:
    """Return the bytes that a search in memory needs for a file of `size` bytes."""
    return _PROCESS_BYTES + _PAGES_BYTES + _MEMORY_A_FILE_BYTE * size


class SpillFiles:
    """Temporary files of one search; `memory_bytes`: the limit of the whole process.

    `part_bytes`: of records and moves in memory at a time; `jobs`: threads that fit in memory.
    """

    def __init__(self, folder: str, memory_bytes: int, part_bytes: int, jobs: int = 1) -> None:
        self.part_bytes = part_bytes
        self.jobs = jobs
        self._folder = folder
        self._memory_bytes = memory_bytes
        self._runs: list[_Run] = []
        self._maps: list[mmap.mmap] = []
        self._files: list[BinaryIO] = []
        self._status = None
        if os.path.exists(_STATUS):
            self._status = open(_STATUS, "rb", buffering=0)  # noqa: SIM115

    def write_run(self, batch: GameBatch) -> None:
        """Write the games of a batch as a sorted run, and empty the batch."""
        batch.sort_run()
        batch.add_samples(_SAMPLES_A_RUN)
        run = _Run(self.new_file(), self.new_file())
        batch.take_run(_writer(run.records), _writer(run.moves), 0)
        self._runs.append(run)

    def merge(self, batch: GameBatch) -> None:
        """Merge all runs into one file, from which the batch then reads its games."""
        runs = [run for run in self._runs if run.games]
        if not runs:
            return
        used_bytes = sum(run.size("records") + run.size("moves") for run in runs)
        samples = batch.sort_samples()
        parts = min(max(1, samples), 1 + 3 * used_bytes // (2 * self.part_bytes))
        splitters = [samples * part // parts for part in range(1, parts)]
        bounds = [run.bounds(batch, splitters) for run in runs]  # from 0 to the end of each run
        assert sum(run.games for run in runs) == batch.games
        records, moves = self.new_file(), self.new_file()
        plies = sum(run.size("moves") for run in runs) // PLY_BYTES
        # Write the spare plies: a rotated record goes there later, when the disk may be full.
        moves.seek(plies * PLY_BYTES)
        _writer(moves)(memoryview(bytes((batch.longest + _SPARE_PLIES) * PLY_BYTES)))
        for part in reversed(range(parts)):
            for run, bound in zip(runs, bounds, strict=True):
                run.load_into(batch, bound[part], bound[part + 1])
            batch.sort_run()
            first = sum(bound[part] for bound in bounds)
            plies -= batch.plies
            records.seek(first * RECORD_BYTES)
            moves.seek(plies * PLY_BYTES)
            batch.take_run(_writer(records, _PAGE), _writer(moves, _PAGE), plies)
        for run in runs:
            run.close()
        self._runs.clear()
        batch.use_file(self._mapped(records), self._mapped(moves), self.release)

    def new_file(self) -> BinaryIO:
        """Return an empty file without a name, which the system deletes with the process."""
        return unnamed_file(self._folder)

    def _mapped(self, file: BinaryIO) -> mmap.mmap:
        mapped = mmap.mmap(file.fileno(), 0)
        if hasattr(mmap, "MADV_NOHUGEPAGE"):
            mapped.madvise(mmap.MADV_NOHUGEPAGE)  # else reading one game may map 2 MB
        self._maps.append(mapped)
        self._files.append(file)
        return mapped

    def release(self) -> None:
        """Release mapped pages if the process is near its memory limit."""
        if self._status is not None:
            pages = int(read_at(self._status.fileno(), 64, 0).split()[1])
            if pages * mmap.PAGESIZE < self._memory_bytes:
                return
        self.release_all()

    def release_all(self) -> None:
        """Release all mapped pages."""
        for mapped in self._maps:
            mapped.madvise(mmap.MADV_DONTNEED)


class _Run:
    """A sorted run of games: records in one file, their moves in another."""

    def __init__(self, records: BinaryIO, moves: BinaryIO) -> None:
        self.records = records
        self.moves = moves

    def size(self, part: str) -> int:
        file: BinaryIO = getattr(self, part)
        return os.fstat(file.fileno()).st_size

    @property
    def games(self) -> int:
        return self.size("records") // RECORD_BYTES

    def bounds(self, batch: GameBatch, splitters: list[int]) -> list[int]:
        records, moves = _map_to_read(self.records), _map_to_read(self.moves)
        inner = [batch.bound_in_run(records, moves, sample) for sample in splitters]
        return [0, *inner, self.games]

    def load_into(self, batch: GameBatch, first: int, end: int) -> None:
        """Move the games from `first` on into memory, and truncate the run before them."""
        if first == end:
            return
        records, moves = _map_to_read(self.records), _map_to_read(self.moves)
        plies = batch.load_run(records, moves, first, end)
        del records, moves
        self.records.truncate(first * RECORD_BYTES)
        self.moves.truncate(plies * PLY_BYTES)

    def close(self) -> None:
        self.records.close()
        self.moves.close()


def _map_to_read(file: BinaryIO) -> mmap.mmap | bytes:
    if os.fstat(file.fileno()).st_size == 0:
        return b""
    return mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)


def _writer(file: BinaryIO, size: int = _WRITE_BYTES) -> Callable[[memoryview], None]:
    """Return a function that writes bytes, `size` at a time; it raises StoreError."""

    def write(data: memoryview) -> None:
        try:
            # Aligned pieces: the system must clear a page before a write of a part of it.
            begin = -(file.tell() % size)
            for start in range(begin, len(data), size):
                unwritten = data[max(start, 0) : start + size]
                while len(unwritten):
                    unwritten = unwritten[file.write(unwritten) :]
        except OSError as error:
            raise StoreError(
                f"temporary files of the search cannot be written: {error.strerror}; name a folder "
                "with more space by --temp-dir"
            ) from error

    return write


class NumberStore:
    """Blocking keys or candidate pairs of a search: in memory, or in a temporary file."""

    def __init__(
        self, bits: int, spill_files: SpillFiles | None, buckets: range = ALL_BUCKETS
    ) -> None:
        self.buckets = buckets  # all others stay empty
        self._bits = bits
        self._held: list[NumberBuckets] = []
        self._file = None if spill_files is None else spill_files.new_file()
        self._extents: list[list[tuple[int, int]]] = [[] for _ in range(BUCKETS)]
        self._end = 0
        self._lock = threading.Lock()

    def new(self) -> NumberBuckets:
        """Return empty buckets with numbers of the same size."""
        return NumberBuckets(self._bits, self.buckets.start, self.buckets.stop)

    def add(self, numbers: NumberBuckets) -> None:
        """Add numbers, which the caller must not use afterwards."""
        with self._lock:
            if self._file is None:
                self._held.append(numbers)
                return
            write = _writer(self._file)
            for bucket in range(BUCKETS):
                items = numbers.items(bucket)
                if len(items):
                    write(memoryview(items))
                    self._extents[bucket].append((self._end, len(items)))
                    self._end += len(items)
                    numbers.clear(bucket)

    def load(self, bucket: int) -> NumberBuckets:
        """Return buckets in which `bucket` holds all numbers that were added to it."""
        if self._file is None:
            if not self._held:
                return self.new()
            for other in self._held[1:]:
                self._held[0].take(other, bucket)
            return self._held[0]
        numbers = self.new()
        for start, size in self._extents[bucket]:
            numbers.extend(bucket, read_at(self._file.fileno(), size, start))
        return numbers

    def close(self) -> None:
        """Free all numbers."""
        self._held.clear()
        if self._file is not None:
            self._file.close()
