"""Import PGN or SGF streams into a database, in file order, in batches.

Owns the order of the work and the counts. The store owns the SQL, the kernel the chess rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import apsw

from ocgdedup._kernels.chess import NameTable
from ocgdedup.errors import PgnReadError, UsageError
from ocgdedup.files.inputs import InputFile, SourceStream, open_sources
from ocgdedup.files.manifest import Manifest, check_files
from ocgdedup.game_kind import CHESS, GO, GameKind, kind_of
from ocgdedup.model import FaultNotice, IngestSummary, LoadedText, RejectNotice, Reporter
from ocgdedup.pgn.blocks import parse_stream
from ocgdedup.pgn.odd_values import OddValues
from ocgdedup.sgf.blocks import SgfStream, is_sgf
from ocgdedup.store import games, names
from ocgdedup.store.copied_games import OtherDatabase
from ocgdedup.store.database import open_database
from ocgdedup.store.games import Row, RowWriter
from ocgdedup.store.loads import insert_source, source_names
from ocgdedup.store.names import game_kind, set_variant
from ocgdedup.store.selection import games_at, source_rows
from ocgdedup.wording import counted

if TYPE_CHECKING:
    from ocgdedup.pipeline.ingest.sgf_blocks import SgfRowWriter

_READ_BYTES = 1 << 18
_TAIL_BYTES = 8
# A complete file ends with a line end, a blank, a result, or a character that may follow those.
_ENDS_OF_PGN = (
    b"\n", b"\r", b" ", b"\t", b"\0", b"\x1a", b"1-0", b"0-1", b"1/2", b"*", b"}", b")", b"]",
)  # fmt: skip
_SHOWN_REPEATS = 5


class Notices(NamedTuple):
    """Functions that are called for each fault and each reject."""

    fault: Callable[[FaultNotice], None]
    reject: Callable[[RejectNotice, bytes], None]


class LoadedFile(NamedTuple):
    """An input and the ID of its first game; `shift`: what was added to IDs of a database."""

    path: str
    first_id: int
    shift: int | None = None


def _name_key(name: str) -> str:
    from ocgdedup.matching.names.name_form import name_key  # 19 ms

    return name_key(name)


class Ingest:
    """An import into one database; the caller owns the transaction."""

    def __init__(
        self,
        connection: apsw.Connection,
        notices: Notices,
        reporter: Reporter,
        *,
        only_new: bool = False,
    ) -> None:
        """Prepare an import; `only_new`: skip texts whose bytes were imported before."""
        self._connection = connection
        self._only_new = only_new
        self._skipped: list[str] = []
        self._texts: list[LoadedText] = []
        self._notices = notices
        self._reporter = reporter
        self._sources = LoadedTexts(connection, reporter)
        self._tables = (NameTable(), NameTable(), NameTable(_name_key))
        self._odd_values = OddValues()
        self._last_reason = ""
        self._faults = self._rejects = self._damaged = self._comments = 0
        self.files: list[LoadedFile] = []
        self._unused = 0  # IDs of this load that no game in Games has
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
        # None: the first imported game decides.
        self._kind = kind if kind is not CHESS or games.has_games(connection) else None
        self._has_texts = True
        self._first_kind: GameKind | None = None  # of the first text, with or without games

    def load(self, files: Sequence[InputFile], *, jobs: int = 1) -> IngestSummary:
        """Load all files in order; call it once. `jobs` threads parse, this one writes rows."""
        sizes = [file.size_bytes for file in files if file.size_bytes is not None]
        self._has_texts = any(file.database is None for file in files)
        self._reporter.start("reading", sum(sizes) if len(sizes) == len(files) else None, None)
        loaded_bytes = 0
        with closing(self._writer):
            for file in files:
                self._load_file(file, jobs, loaded_bytes)
                loaded_bytes += file.size_bytes or 0
            self._finish()
        self._reporter.finish()
        return IngestSummary(
            self._first_id, self._games(), self._faults, self._rejects,
            self._damaged, tuple(self._skipped), (self._kind or self._first_kind) is GO,
            tuple(self._texts),
        )  # fmt: skip

    def warn_of_repeats(self) -> None:
        """Warn of loaded texts whose bytes were imported before; call it after a commit."""
        self._sources.warn_of_repeats()

    def load_streams(self, streams: Iterable[SourceStream]) -> tuple[int, int]:
        """Load only these texts; return the last one's numbers of blocks of text and of lines."""
        with closing(self._writer):
            for stream in streams:
                self._load_source(stream, 1, 0)
            self._finish()
        return self._number, self._line

    def _load_file(self, file: InputFile, jobs: int, loaded_bytes: int) -> None:
        self.files.append(LoadedFile(file.path_as_given, self._next_id))
        try:
            if file.database is not None:
                self._load_database(file, loaded_bytes)
                return
            if file.manifest is not None:
                self._load_tables(file.path_as_given, file.manifest, loaded_bytes)
                return
            # The damage at the end of each text that was imported before, by its number. This reads
            # the whole file; a pipe, which can be read only once, counts as new.
            imported: dict[int, PgnReadError | None] = {}
            if self._only_new and file.size_bytes is not None:
                imported = {
                    number: failure
                    for number, (stream, failure) in enumerate(_read_texts(file))
                    if stream.size_bytes and self._sources.has(stream.sha256_hex())
                }
            for number, stream in enumerate(open_sources(file)):
                if number not in imported:
                    self._load_source(stream, jobs, loaded_bytes)
                    continue
                self._skipped.append(stream.name)
                if imported[number] is not None:
                    self._damaged += 1
                    self._reporter.warn(
                        f"{imported[number]}; the games before it were imported before"
                    )
        except PgnReadError as error:
            # The whole file is damaged: for example, no member of the archive can be opened.
            self._damaged += 1
            self._reporter.warn(f"{error}{self._loaded_text()}")
        if file.has_changed():
            self._damaged += 1
            self._reporter.warn(
                f"{file.path_as_given}: changed while it was read; some of its games may be "
                "missing or truncated: import it again when it is complete"
            )

    def _load_tables(self, folder: str, manifest: Manifest, loaded_bytes: int) -> None:
        """Load a folder of lossless tables."""
        from ocgdedup.pipeline.ingest import lossless  # 21 ms

        if self._only_new and self._sources.has(manifest.sha256):
            self._skipped.append(folder)
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
                self._next_id - self._first_id, loaded_bytes + int(share * manifest.size_bytes)
            )
        ids = {**games_at(self._connection, rows.skipped), **rows.new_ids}
        self._warn_of_decisions(folder, lossless.write_decisions(self._connection, decisions, ids))
        has_games = self._next_id > first_id
        self._add_text(folder, manifest.size_bytes, manifest.sha256, has_games=has_games)

    def _load_database(self, file: InputFile, loaded_bytes: int) -> None:
        """Copy the games of another database, as they were read."""
        from ocgdedup.pipeline.ingest import copied  # 30 ms

        path, digest = file.path_as_given, file.sha256_hex()
        if self._only_new and self._sources.has(digest):
            self._skipped.append(path)
            return
        with open_database(file.database or path) as other:
            kind = game_kind(other.connection)
            self._first_kind = self._first_kind or kind
            if games.has_games(other.connection):
                self._require_kind(path, kind)
            sources = self._sources_of(source_rows(other.connection))
            source = OtherDatabase(self._connection, path, other.connection)
            new = source.copy(self._next_id, self._tables, sources, self._sources.next_id)
            left_out = copied.copy_decisions(self._connection, source, sources, new)
        self.files[-1] = self.files[-1]._replace(shift=new.shift)
        self._unused += new.end_id - self._next_id - new.games
        self._was_empty, self._next_id = False, new.end_id
        self._warn_of_decisions(path, left_out)
        self._reporter.advance(self._games(), loaded_bytes + (file.size_bytes or 0))
        self._add_text(path, file.size_bytes, digest, has_games=new.games > 0)

    def _warn_of_decisions(self, path: str, left_out: int) -> None:
        if left_out:
            self._reporter.warn(
                f"{path}: {counted(left_out, 'decision')} not loaded: the games are not in this "
                "database, or you decided otherwise here ('ocgdedup review --list' and 'ocgdedup "
                "players --decisions' show that)"
            )

    def _games(self) -> int:
        """Return the number of loaded games, without deleted ones."""
        return self._next_id - self._first_id - self._unused

    def _sources_of(self, rows: Iterable[Row]) -> dict[int, int | str]:
        """Add sources of lossless tables; return new IDs by ID, or the SHA-256 if skipped."""
        new_ids: dict[int, int | str] = {}
        for source_id, name, size, sha256, _ in rows:
            if self._only_new and self._sources.has(sha256):
                self._skipped.append(name)
                new_ids[source_id] = sha256
            else:
                new_ids[source_id] = self._sources.next_id
                self._sources.add(name, size, sha256, has_games=True)
        return new_ids

    def _add_text(self, name: str, size_bytes: int | None, digest: str, *, has_games: bool) -> None:
        """Add a loaded text to the sources; bytes of its name that are not UTF-8 become U+FFFD."""
        self._texts.append(LoadedText(name, digest, self._sources.has(digest)))
        storable = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        self._sources.add(storable, size_bytes, digest, has_games=has_games)

    def _load_source(self, stream: SourceStream, jobs: int, loaded_bytes: int) -> None:
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
            from ocgdedup.pipeline.ingest.sgf_blocks import SgfRowWriter  # 5 ms

            source = SgfStream(guarded)
            blocks, writer = source.blocks(jobs=jobs), SgfRowWriter(self._connection, source)
        for block in blocks:
            self._write_block(block, writer, stream.name, source_id)
            if self._next_id > first_id:
                self._require_kind(stream.name, kind)
            self._reporter.advance(
                self._next_id - self._first_id, loaded_bytes + stream.raw_position()
            )
            del block  # before the next block is read, since both may be large
        has_games = self._next_id > first_id
        if not has_games:
            has_reason = kind is GO and self._rejects > rejects
            why = f": {self._last_reason}" if has_reason else ""
            self._reporter.warn(f"{stream.name}: no game was found in it{why}")
        self._add_text(stream.name, stream.size_bytes, stream.sha256_hex(), has_games=has_games)
        if guarded.failure is not None:  # the games before it stay
            self._damaged += 1
            self._reporter.warn(f"{guarded.failure}{self._loaded_text()}")
            end = (source_id, self._number + 1, self._offset, self._line + 1, str(guarded.failure))
            games.insert_rows(self._connection, "Rejects", [end])
        elif kind is CHESS and has_games and guarded.ends_within_game():
            self._reporter.warn(
                f"{stream.name}: ends in the middle of a line that has no result; if the file was "
                "cut, copy or download it again"
            )

    def _require_kind(self, name: str, kind: GameKind) -> None:
        """Raise UsageError for chess games in a Go database, and the other way round."""
        if self._kind is None:
            self._kind = kind
            if kind is not CHESS:
                set_variant(self._connection, kind)
        if self._kind is not kind:
            raise UsageError(
                f"{name}: holds {kind.title}, but the games before it are {self._kind.title}; "
                "a database holds one kind: load this file into another"
            )

    def _loaded_text(self) -> str:
        """Return the end of a message: how many games were loaded, the last maybe without moves."""
        first_id = self.files[-1].first_id if self.files else self._first_id
        return f"; games loaded from this file: {self._next_id - first_id:,}"

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
        """Write names, counts, and the dates of games that only their event has."""
        for table, name in zip(self._tables, names.NAME_TABLES, strict=True):
            self._writer.write_names(table, name)
        names.update_elos(self._connection, self._tables[2].raised_elos())
        counts = {}
        if self._was_empty:
            counts = {"Games": self._next_id - self._first_id, "Comments": self._comments}
        names.write_info(self._connection, counts)
        if self._kind is not GO and self._has_texts:
            games.fill_dates(self._connection, self._first_id)


def texts_of(files: Iterable[InputFile]) -> list[LoadedText]:
    """Return the texts of files without loading them."""
    texts: list[LoadedText] = []
    for file in files:
        if file.manifest is not None:
            texts.append(LoadedText(file.path_as_given, file.manifest.sha256))
        elif file.database is not None:
            texts.append(LoadedText(file.path_as_given, file.sha256_hex()))
        else:
            texts += (LoadedText(text.name, text.sha256_hex()) for text, _ in _read_texts(file))
    return texts


def _read_texts(file: InputFile) -> Iterator[tuple[SourceStream, PgnReadError | None]]:
    """Read the texts of a file; yield each with the damage at its end, if any."""
    # The load reports damage of the whole file.
    with suppress(PgnReadError):
        for stream in open_sources(file):
            guarded = _GuardedStream(stream)
            while guarded.read(_READ_BYTES):
                pass
            yield stream, guarded.failure


class LoadedTexts:
    """The texts that were imported, by the SHA-256 of their bytes."""

    def __init__(self, connection: apsw.Connection, reporter: Reporter) -> None:
        self._connection = connection
        self._reporter = reporter
        self._names = source_names(connection)
        self._repeated: list[tuple[str, str]] = []  # name, and that of the earlier text
        self.next_id = games.next_id(connection, "Sources")

    def has(self, digest: str | None) -> bool:
        """Return whether a text of these bytes was imported."""
        return digest in self._names

    def add(
        self, name: str, size_bytes: int | None, digest: str | None, *, has_games: bool
    ) -> None:
        if has_games and digest in self._names:
            self._repeated.append((name, self._names[digest]))
        if digest is not None:
            self._names.setdefault(digest, name)
        insert_source(self._connection, self.next_id, name, size_bytes, digest)
        self.next_id += 1

    def warn_of_repeats(self) -> None:
        """Warn of the texts with games whose bytes were imported before."""
        for name, earlier in self._repeated[:_SHOWN_REPEATS]:
            self._reporter.warn(
                f"{name}: has the same bytes as {earlier}; its games are now in the database twice"
            )
        more = len(self._repeated) - _SHOWN_REPEATS
        if more > 0:
            files = counted(more, "more input has", "more inputs have")
            self._reporter.warn(f"{files} the same bytes as an earlier one")


class _GuardedStream:
    """A stream that ends where its bytes are damaged; `failure` is the error."""

    def __init__(self, stream: SourceStream) -> None:
        self._stream = stream
        self._ahead = b""
        self._tail = b""
        self.failure: PgnReadError | None = None

    def ends_within_game(self) -> bool:
        """Return whether the text stops within a game: not at a line end, a result or a comment."""
        return bool(self._tail) and not self._tail.endswith(_ENDS_OF_PGN)

    def peek(self, size_bytes: int) -> bytes:
        """Return the next bytes; read() returns them again."""
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
