"""Phase 1: PGN or SGF streams to rows of a database, in file order, in batches.

Owns the order of the work and what is counted. The SQL is in store, the chess in the kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from typing import Any, NamedTuple

import apsw

from ocgdedup._kernels.chess import NameTable
from ocgdedup.errors import PgnReadError, UsageError
from ocgdedup.files.inputs import InputFile, SourceStream, open_sources
from ocgdedup.files.manifest import Manifest, check_files
from ocgdedup.game_kind import CHESS, GO, GameKind, kind_of
from ocgdedup.model import FaultNotice, IngestSummary, LoadedText, RejectNotice, Reporter
from ocgdedup.pgn.blocks import parse_stream
from ocgdedup.pgn.odd_values import OddValues
from ocgdedup.pipeline.ingest.sgf_blocks import SgfRowWriter
from ocgdedup.sgf.blocks import SgfStream, is_sgf
from ocgdedup.store import games, names
from ocgdedup.store.games import Row, RowWriter
from ocgdedup.store.loads import insert_source, source_names
from ocgdedup.store.names import game_kind, set_variant
from ocgdedup.wording import counted

_READ_BYTES = 1 << 18
_TAIL_BYTES = 8
# Line end or blank, results, and what may follow them: the end of a complete file.
_ENDS_OF_PGN = (
    b"\n", b"\r", b" ", b"\t", b"\0", b"\x1a", b"1-0", b"0-1", b"1/2", b"*", b"}", b")", b"]",
)  # fmt: skip
_SHOWN_REPEATS = 5

NoteFault = Callable[[FaultNotice], None]
NoteReject = Callable[[RejectNotice, bytes], None]


class Notices(NamedTuple):
    """Receivers of each fault and each reject."""

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
        self._texts: list[LoadedText] = []
        self._notices = notices
        self._reporter = reporter
        self._sources = KnownTexts(connection, reporter)
        self._tables = (NameTable(), NameTable(), NameTable())
        self._odd_values = OddValues()
        self._last_reason = ""
        self._faults = self._rejects = self._damaged = self._comments = 0
        self._file_first_id = 0
        for table, name in zip(self._tables, names.NAME_TABLES, strict=True):
            for row in names.stored_names(connection, name):
                table.load(*row)
            if not len(table):
                names.insert_empty_name(connection, name)
                table.load(1, "")
        self._first_id = self._next_id = games.next_id(connection, "Games")
        self._was_empty = not games.has_games(connection) and not games.has_notes(connection)
        self._writer = RowWriter(connection)
        kind = game_kind(connection)
        # None if that is open: the first game that is read decides.
        is_known = kind is not CHESS or games.has_games(connection)
        self._kind = kind if is_known else None
        self._first_kind: GameKind | None = None  # of the first text, whatever is in it

    def load(self, files: Sequence[InputFile], *, jobs: int = 1) -> IngestSummary:
        """Load all files in order, once; `jobs` threads parse, rows are written by this one."""
        with closing(self._writer):
            return self._load_files(files, jobs)

    def warn_of_repeats(self) -> None:
        """Warn of loaded texts whose bytes were there already; call it if the load is kept."""
        self._sources.warn_of_repeats()

    def load_stream(self, stream: SourceStream) -> tuple[int, int]:
        """Load one text, as the only one; return its blocks of text and its lines."""
        with closing(self._writer):
            self._load_source(stream, 1, 0)
            self._finish()
        return self._number, self._line

    def _load_files(self, files: Sequence[InputFile], jobs: int) -> IngestSummary:
        sizes = [file.size_bytes for file in files]
        known = [size for size in sizes if size is not None]
        total = sum(known) if len(known) == len(sizes) else None
        self._reporter.start("reading", total, None)
        done_bytes = 0
        for file in files:
            self._load_file(file, jobs, done_bytes)
            done_bytes += file.size_bytes or 0
        self._finish()
        self._reporter.finish()
        return IngestSummary(
            self._first_id, self._next_id - self._first_id, self._faults, self._rejects,
            self._damaged, tuple(self._passed_over), (self._kind or self._first_kind) is GO,
            tuple(self._texts),
        )  # fmt: skip

    def _load_file(self, file: InputFile, jobs: int, done_bytes: int) -> None:
        self._file_first_id = self._next_id
        try:
            if file.manifest is not None:
                self._load_tables(file.path_as_given, file.manifest, done_bytes)
                return
            # By the numbers of texts whose bytes have been loaded before: the damage that each ends
            # in. The file is read for that; a pipe, which can be read but once, counts as new.
            known: dict[int, PgnReadError | None] = {}
            if self._only_new and file.size_bytes is not None:
                known = {
                    number: failure
                    for number, (stream, failure) in enumerate(_read_texts(file))
                    if stream.size_bytes and self._sources.have(stream.sha256_hex())
                }
            for number, stream in enumerate(open_sources(file)):
                if number not in known:
                    self._load_source(stream, jobs, done_bytes)
                    continue
                self._passed_over.append(stream.name)
                if known[number] is not None:
                    self._damaged += 1
                    self._reporter.warn(
                        f"{known[number]}; the games before that place were read before"
                    )
        except PgnReadError as error:
            # The file as such: no member of the archive can be opened, say.
            self._damaged += 1
            self._reporter.warn(f"{error}{self._kept_text()}")
        if file.has_changed():
            self._damaged += 1
            self._reporter.warn(
                f"{file.path_as_given}: changed while it was read; some of its games may be "
                "missing or truncated: import it again when it is complete"
            )

    def _load_tables(self, folder: str, manifest: Manifest, done_bytes: int) -> None:
        """Load a folder of lossless tables."""
        from ocgdedup.pipeline.ingest import lossless  # 21 ms

        if self._only_new and self._sources.have(manifest.sha256):
            self._passed_over.append(folder)
            return
        check_files(manifest)
        first_id, kind = self._next_id, kind_of(manifest.kind == GO.name)
        self._first_kind = self._first_kind or kind
        sources = self._sources_of(lossless.read_sources(manifest))
        decisions = list(lossless.read_decisions(manifest))
        decided = {game_id for row in decisions for game_id in row[:2]}
        rows = lossless.LosslessRows(self._tables, sources, decided, kind)
        for path, columns, share in lossless.read_games(manifest):
            loaded = rows.rows(columns, self._next_id, path)
            for table, new_rows in loaded.items():
                games.insert_rows(self._connection, table, new_rows)
            self._next_id += len(loaded["Games"])
            self._comments += len(loaded["Comments"])
            if self._next_id > first_id:
                self._require_kind(folder, kind)
            self._reporter.advance(
                self._next_id - self._first_id, done_bytes + int(share * manifest.size_bytes)
            )
        left_out = lossless.write_decisions(self._connection, decisions, rows)
        if left_out:
            self._reporter.warn(
                f"{folder}: {counted(left_out, 'decision')} not loaded: the games are not in this "
                "database, or you decided otherwise here ('ocgdedup review --list' shows that)"
            )
        known, has_games = self._sources.have(manifest.sha256), self._next_id > first_id
        self._texts.append(LoadedText(folder, manifest.sha256, known))
        self._sources.add(
            _storable(folder), manifest.size_bytes, manifest.sha256, has_games=has_games
        )

    def _sources_of(self, rows: Iterable[Row]) -> dict[int, int | str]:
        """Enter the sources of lossless tables; return their IDs.

        Of those that are here already, and are to be skipped, return the SHA-256.
        """
        entered: dict[int, int | str] = {}
        for source_id, name, size, sha256, _ in rows:
            if self._only_new and self._sources.have(sha256):
                self._passed_over.append(name)
                entered[source_id] = sha256
            else:
                entered[source_id] = self._sources.next_id
                self._sources.add(name, size, sha256, has_games=True)
        return entered

    def _load_source(self, stream: SourceStream, jobs: int, done_bytes: int) -> None:
        source_id = self._sources.next_id
        self._number = self._offset = self._line = 0
        first_id = self._next_id
        rejects = self._rejects
        guarded = _GuardedStream(stream)
        kind = kind_of(is_sgf(stream.name, guarded.peek(_READ_BYTES)))
        self._first_kind = self._first_kind or kind
        blocks: Iterator[Any]
        writer: RowWriter | SgfRowWriter
        if kind is CHESS:
            blocks, writer = parse_stream(guarded, jobs=jobs), self._writer
        else:
            source = SgfStream(guarded)
            blocks, writer = source.blocks(jobs=jobs), SgfRowWriter(self._connection, source)
        for block in blocks:
            self._write_block(block, writer, stream.name, source_id)
            if self._next_id > first_id:
                self._require_kind(stream.name, kind)
            self._reporter.advance(
                self._next_id - self._first_id, done_bytes + stream.raw_position()
            )
            del block  # before the next is read: both may be large
        digest = stream.sha256_hex()
        if self._next_id == first_id:
            has_reason = kind is GO and self._rejects > rejects
            why = f": {self._last_reason}" if has_reason else ""
            self._reporter.warn(f"{stream.name}: no game was found in it{why}")
        self._texts.append(LoadedText(stream.name, digest, self._sources.have(digest)))
        self._sources.add(
            _storable(stream.name), stream.size_bytes, digest, has_games=self._next_id > first_id
        )
        if guarded.failure is not None:  # what came before is kept
            self._damaged += 1
            self._reporter.warn(f"{guarded.failure}{self._kept_text()}")
            end = (source_id, self._number + 1, self._offset, self._line + 1, str(guarded.failure))
            games.insert_rows(self._connection, "Rejects", [end])
        elif kind is CHESS and self._next_id > first_id and guarded.ends_within_game():
            self._reporter.warn(
                f"{stream.name}: ends in the middle of a line that has no result; if the file was "
                "cut, copy or download it again"
            )

    def _require_kind(self, name: str, kind: GameKind) -> None:
        """Refuse games of another kind than those that are there; the first game decides.

        A text without a game decides nothing.
        """
        if self._kind is None:
            self._kind = kind
            if kind is not CHESS:
                set_variant(self._connection, kind)
        if self._kind is not kind:
            raise UsageError(
                f"{name}: holds {kind.title}, but the games before it are {self._kind.title}; "
                "a database holds one kind: load this file into another"
            )

    def _kept_text(self) -> str:
        """Say how many games of a damaged file were loaded, of an archive from all members.

        The last one before the damage may lack moves; it is counted too.
        """
        count = self._next_id - self._file_first_id
        return f"; games loaded from this file: {count:,}"

    def _write_block(
        self, block: Any, writer: RowWriter | SgfRowWriter, name: str, source_id: int
    ) -> None:
        place = (self._next_id, source_id, self._number, self._offset, self._line)
        count, comments, faults, rejects = writer.write_block(
            block, self._tables, self._odd_values, place
        )
        games.insert_rows(self._connection, "Faults", [fault[:-1] for fault in faults])
        for _, line, ply, reason, _, number in faults:
            self._notices.fault(FaultNotice(name, line, number, ply, reason))
        rows = [(source_id, *reject[:-1]) for reject in rejects]
        games.insert_rows(self._connection, "Rejects", rows)
        for number, _, line, reason, text in rejects:
            self._notices.reject(RejectNotice(name, line, number, reason), text)
            self._last_reason = reason
        self._faults += len(faults)
        self._rejects += len(rejects)
        self._next_id += count
        self._comments += comments
        self._number += block.game_count
        self._offset += block.consumed
        self._line += block.newlines

    def _finish(self) -> None:
        """Write names and counts, and dates of games whose event has one."""
        for table, name in zip(self._tables, names.NAME_TABLES, strict=True):
            self._writer.write_names(table, name)
        names.update_elos(self._connection, self._tables[2].raised_elos())
        known_counts = {}
        if self._was_empty:
            known_counts = {"Games": self._next_id - self._first_id, "Comments": self._comments}
        names.write_info(self._connection, known_counts)
        if self._kind is not GO:
            games.fill_dates(self._connection, self._first_id)


def texts_of(files: Iterable[InputFile]) -> list[LoadedText]:
    """Return the texts of files as a load would read them, without a load."""
    texts: list[LoadedText] = []
    for file in files:
        if file.manifest is not None:
            texts.append(LoadedText(file.path_as_given, file.manifest.sha256))
        else:
            texts += (LoadedText(text.name, text.sha256_hex()) for text, _ in _read_texts(file))
    return texts


def _read_texts(file: InputFile) -> Iterator[tuple[SourceStream, PgnReadError | None]]:
    """Read the texts of a file; yield each with the damage that it ends in.

    Damage of the file as such is for the load to report.
    """
    with suppress(PgnReadError):
        for stream in open_sources(file):
            guarded = _GuardedStream(stream)
            while guarded.read(_READ_BYTES):
                pass
            yield stream, guarded.failure


def _storable(name: str) -> str:
    """Return a file name as text that SQLite takes: bytes that are no UTF-8 become U+FFFD."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


class KnownTexts:
    """The texts that have been loaded, by the SHA-256 of their bytes."""

    def __init__(self, connection: apsw.Connection, reporter: Reporter) -> None:
        self._connection = connection
        self._reporter = reporter
        self._names = source_names(connection)
        self._repeated: list[tuple[str, str]] = []  # text, and the earlier one
        self.next_id = games.next_id(connection, "Sources")

    def have(self, digest: str | None) -> bool:
        """Tell if a text of these bytes is there."""
        return digest in self._names

    def add(
        self, name: str, size_bytes: int | None, digest: str | None, *, has_games: bool
    ) -> None:
        """Enter a text."""
        if has_games and digest in self._names:
            self._repeated.append((name, self._names[digest]))
        if digest is not None:
            self._names.setdefault(digest, name)
        insert_source(self._connection, self.next_id, name, size_bytes, digest)
        self.next_id += 1

    def warn_of_repeats(self) -> None:
        """Name the first texts whose bytes, with games in them, were there already."""
        for name, earlier in self._repeated[:_SHOWN_REPEATS]:
            self._reporter.warn(
                f"{name}: has the same bytes as {earlier}; its games are now in the database twice"
            )
        more = len(self._repeated) - _SHOWN_REPEATS
        if more > 0:
            files = counted(more, "more input has", "more inputs have")
            self._reporter.warn(f"{files} the same bytes as an earlier one")


class _GuardedStream:
    """A stream that ends where its bytes are damaged, and keeps the error."""

    def __init__(self, stream: SourceStream) -> None:
        self._stream = stream
        self._ahead = b""
        self._tail = b""
        self.failure: PgnReadError | None = None

    def ends_within_game(self) -> bool:
        """Tell if what was read ends neither with a line nor with a result or comment."""
        return bool(self._tail) and not self._tail.endswith(_ENDS_OF_PGN)

    def peek(self, size_bytes: int) -> bytes:
        """Return the next bytes, which are read again."""
        if not self._ahead:
            self._ahead = self.read(size_bytes)
        return self._ahead

    def read(self, size_bytes: int, /) -> bytes:
        if self._ahead:
            block, self._ahead = self._ahead[:size_bytes], self._ahead[size_bytes:]
            return block
        if self.failure is not None:
            return b""
        try:
            block = self._stream.read(size_bytes)
        except PgnReadError as error:
            self.failure = error
            return b""
        if block:
            self._tail = block[-_TAIL_BYTES:]
        return block
