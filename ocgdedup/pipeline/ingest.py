"""Phase 1: PGN streams to rows of a database, in file order, in batches.

Owns the order of the work and what is counted. The SQL is in store, the chess in the kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from typing import NamedTuple

import apsw

from ocgdedup._kernels.pgn_read import Block, NameTable
from ocgdedup.errors import PgnReadError
from ocgdedup.model import FaultNotice, IngestSummary, RejectNotice, Reporter
from ocgdedup.pgn.blocks import parse_stream
from ocgdedup.pgn.inputs import InputFile, SourceStream, open_sources
from ocgdedup.pgn.odd_values import OddValues
from ocgdedup.store import games, names
from ocgdedup.store.row_writer import RowWriter

_READ_BYTES = 1 << 18

NoteFault = Callable[[FaultNotice], None]
NoteReject = Callable[[RejectNotice, bytes], None]


class Notices(NamedTuple):
    """Who is told of each fault and each reject, as they are found."""

    fault: NoteFault
    reject: NoteReject


class Ingest:
    """A load into one connection; the caller holds the transaction."""

    def __init__(
        self,
        connection: apsw.Connection,
        notices: Notices,
        reporter: Reporter,
        *,
        only_new: bool = False,
    ) -> None:
        """Take where to load into; `only_new` passes over texts whose bytes are there already."""
        self._connection = connection
        self._only_new = only_new
        self._passed_over: list[str] = []
        self._notices = notices
        self._reporter = reporter
        self._tables = (NameTable(), NameTable(), NameTable())
        self._odd_values = OddValues()
        self._faults = self._rejects = self._damaged = self._comments = 0
        for table, name in zip(self._tables, names.NAME_TABLES, strict=True):
            for row in names.stored_names(connection, name):
                table.load(*row)
            if not len(table):
                names.insert_empty_name(connection, name)
                table.load(1, "")
        self._first_id = self._next_id = games.next_id(connection, "Games")
        self._was_empty = not games.has_games(connection) and not games.has_notes(connection)
        self._writer = RowWriter(connection)

    def load(self, files: Sequence[InputFile], *, jobs: int = 1) -> IngestSummary:
        """Load all files in order, once; `jobs` threads parse, rows are written by this one."""
        with closing(self._writer):
            return self._load_files(files, jobs)

    def _load_files(self, files: Sequence[InputFile], jobs: int) -> IngestSummary:
        sizes = [file.size_bytes for file in files]
        known = [size for size in sizes if size is not None]
        total = sum(known) if len(known) == len(sizes) else None
        self._reporter.start("reading", total, None)
        done_bytes = 0
        for file in files:
            self._load_file(file, jobs, done_bytes)
            done_bytes += file.size_bytes or 0
        self._write_names()
        self._reporter.finish()
        return IngestSummary(
            self._first_id,
            self._next_id - self._first_id,
            self._faults,
            self._rejects,
            self._damaged,
            tuple(self._passed_over),
        )

    def _load_file(self, file: InputFile, jobs: int, done_bytes: int) -> None:
        try:
            known = self._known_streams(file) if self._only_new else {}
            for number, stream in enumerate(open_sources(file)):
                if number in known:
                    self._pass_over(stream.name, known[number])
                else:
                    self._load_source(stream, jobs, done_bytes)
        except PgnReadError as error:
            # The file as such: no member of the archive can be opened, say.
            self._damaged += 1
            self._reporter.warn(str(error))

    def _known_streams(self, file: InputFile) -> dict[int, PgnReadError | None]:
        """Return the numbers of the texts of a file whose bytes have been loaded before.

        With each, the damage that it ends in. The file is read for that; a pipe, which can be
        read but once, counts as new. Damage of the file as such is for the load to report.
        """
        known: dict[int, PgnReadError | None] = {}
        if file.size_bytes is None:
            return known
        try:
            for number, stream in enumerate(open_sources(file)):
                guarded = _GuardedStream(stream)
                while guarded.read(_READ_BYTES):
                    pass
                if stream.size_bytes and games.sources_with_digest(
                    self._connection, stream.sha256_hex()
                ):
                    known[number] = guarded.failure
        except PgnReadError:
            # Met again where the texts before it are loaded.
            return known
        return known

    def _pass_over(self, name: str, failure: PgnReadError | None) -> None:
        self._passed_over.append(name)
        if failure is not None:
            self._damaged += 1
            self._reporter.warn(f"{failure}; the games before that place were read before")

    def _load_source(self, stream: SourceStream, jobs: int, done_bytes: int) -> None:
        source_id = games.next_id(self._connection, "Sources")
        self._number = self._offset = self._line = 0
        first_id = self._next_id
        guarded = _GuardedStream(stream)
        for block in parse_stream(guarded, jobs=jobs):
            self._write_block(block, stream.name, source_id)
            self._reporter.advance(
                self._next_id - self._first_id, done_bytes + stream.raw_position()
            )
        digest = stream.sha256_hex()
        if self._next_id == first_id:
            self._reporter.warn(f"{stream.name}: no game was found in it")
        for name in games.sources_with_digest(self._connection, digest):
            if self._next_id == first_id:
                break
            self._reporter.warn(
                f"{stream.name}: has the same bytes as {name}; its games now stand here twice"
            )
        games.insert_source(
            self._connection, source_id, _storable(stream.name), stream.size_bytes, digest
        )
        if guarded.failure is not None:
            self._note_damage(stream.name, source_id, guarded.failure)

    def _note_damage(self, name: str, source_id: int, failure: PgnReadError) -> None:
        """Record that a source ends in damaged bytes; what came before is kept."""
        self._damaged += 1
        self._reporter.warn(f"{failure}; the games before that place are kept")
        place = (self._number + 1, self._offset, self._line + 1, str(failure))
        games.insert_reject(self._connection, source_id, place)

    def _write_block(self, block: Block, name: str, source_id: int) -> None:
        place = (self._next_id, source_id, self._number, self._offset, self._line)
        count, comments, faults, rejects = self._writer.write_block(
            block, self._tables, self._odd_values, place
        )
        if faults:
            self._write_faults(faults, name)
        for number, offset, line, reason, text in rejects:
            games.insert_reject(self._connection, source_id, (number, offset, line, reason))
            self._notices.reject(RejectNotice(name, line, number, reason), text)
        self._faults += len(faults)
        self._rejects += len(rejects)
        self._next_id += count
        self._comments += comments
        self._number += block.game_count
        self._offset += block.consumed
        self._line += block.newlines

    def _write_faults(
        self, faults: Sequence[tuple[int, int, int, str, str, int]], name: str
    ) -> None:
        games.insert_faults(self._connection, [fault[:-1] for fault in faults])
        for _, line, ply, reason, _, number in faults:
            self._notices.fault(FaultNotice(name, line, number, ply, reason))

    def _write_names(self) -> None:
        for table, name in zip(self._tables, names.NAME_TABLES, strict=True):
            self._writer.write_names(table, name)
        names.update_elos(self._connection, self._tables[2].raised_elos())
        known_counts = {}
        if self._was_empty:
            known_counts = {"Games": self._next_id - self._first_id, "Comments": self._comments}
        names.write_info(self._connection, known_counts)


def _storable(name: str) -> str:
    """Return a file name as text that SQLite takes: bytes that are no UTF-8 become U+FFFD."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


class _GuardedStream:
    """A stream that ends where its bytes are damaged, and keeps the error."""

    def __init__(self, stream: SourceStream) -> None:
        self._stream = stream
        self.failure: PgnReadError | None = None

    def read(self, size_bytes: int, /) -> bytes:
        if self.failure is not None:
            return b""
        try:
            return self._stream.read(size_bytes)
        except PgnReadError as error:
            self.failure = error
            return b""
