"""Read PGN and SGF on Spark: text to chunks of games.

A large file is cut into splits, of which each is read by one task. A split has the games that begin
in its pieces (see files/pieces.py), up to the first place in the next split where a game certainly
begins.
"""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import BinaryIO, NamedTuple

import pyarrow
from pyspark.sql import DataFrame, Row, SparkSession

from ocgdedup.errors import PgnReadError, UsageError
from ocgdedup.files.archives import TAR_HEAD_BYTES
from ocgdedup.files.decompress import ByteSource, RawFile, decompressed, read_up_to
from ocgdedup.files.inputs import (
    InputFile,
    SourceStream,
    is_plain_text,
    list_shared_inputs,
    open_texts,
)
from ocgdedup.files.pieces import PLAIN, form_of, is_single_piece, pieces
from ocgdedup.files.storage import can_open, located, open_file
from ocgdedup.game_kind import CHESS, GameKind, kind_of
from ocgdedup.model import RejectNotice, SilentReporter
from ocgdedup.pgn.blocks import cut_within, first_cut
from ocgdedup.pipeline.ingest.blocks import Ingest, Notices
from ocgdedup.sgf.blocks import is_sgf
from ocgdedup.spark.chunks import SCHEMA as CHUNKS
from ocgdedup.spark.chunks import (
    ChunkOffsets,
    Chunks,
    ChunkSummary,
    chunk_row,
    games_of_chunks,
    problems_of_chunks,
)
from ocgdedup.spark.connectors import contents, list_by_spark
from ocgdedup.spark.messages import Batches, from_bytes, map_batches
from ocgdedup.spark.part import GAMES_SCHEMA, games_of_database
from ocgdedup.spark.stages import Stages
from ocgdedup.store.database import create_database
from ocgdedup.store.names import game_kind

SPLIT_BYTES = 1 << 26  # of plain text that one task reads
_COMPRESSION = 8  # of compressed text, about
_OPENING_BYTES = 1 << 16  # of a file that are read in the time in which another one is opened
_CHUNK_BYTES = 1 << 24  # of text that a worker holds as a database
_LOOK_AHEAD_BYTES = 1 << 16


class Split(NamedTuple):
    """Bytes of a file that one task reads; `end` None: the whole file, of any format.

    `path` is absolute or a URL, because workers run in other folders; `name`: as the user wrote it.
    `file`: its number among the inputs, which may include a file twice, `file_bytes`: its size,
    `form`: of its pieces.
    """

    number: int
    file: int
    name: str
    path: str
    file_bytes: int
    start: int = 0
    end: int | None = None
    form: str = PLAIN

    @property
    def size_bytes(self) -> int:
        return self.file_bytes if self.end is None else self.end - self.start


# --- text to games -------------------------------------------------------------------------------


def read_pgn(
    spark: SparkSession, paths: Sequence[str], *, work_dir: str, resume: bool = False
) -> tuple[DataFrame, DataFrame]:
    """Read PGN or SGF files; return the games, and a DataFrame of faults and rejected text.

    `paths`: files, compressed files, archives, or folders of them, as paths or URLs that all
    workers open. `work_dir`, `resume`: see find_duplicates().

    Games have the columns of lossless tables, and the IDs that `create` would give them. The second
    DataFrame has SourceID, Name (of the text), SourceNumber, Line, Reason and Text; for games
    truncated at a fault also ID and Ply. Raises UsageError and PgnReadError for missing inputs.
    """
    chunks = read_chunks(spark, paths, work_dir=work_dir, resume=resume)
    return games_of_chunks(chunks), problems_of_chunks(chunks)


def read_chunks(
    spark: SparkSession, paths: Sequence[str], *, work_dir: str, resume: bool = False
) -> Chunks:
    """Read PGN or SGF files as chunks; arguments as in read_pgn()."""
    files = list_shared_inputs(paths, partial(list_by_spark, spark))
    splits = _splits(files)
    stages = Stages(spark, work_dir, resume=resume)
    read = stages.stage("read", partial(_read, spark, splits), CHUNKS)
    rows = _counts(read)
    wholes = _wholes(splits, (row.Chunk >> 32 for row in rows if row.Offset is None))
    if wholes:
        for whole in wholes:
            splits[whole.number] = whole
            last = whole.number + -(-whole.file_bytes // _split_bytes(whole.form)) - 1
            read = read.where(f"shiftright(Chunk, 32) NOT BETWEEN {whole.number} AND {last}")
        read = read.union(stages.stage("read-whole", partial(_read, spark, wholes), CHUNKS))
        rows = _counts(read)
    _require_games(read, rows)
    summaries = [
        ChunkSummary(row.Chunk, row.Games, [bytes(key) for key in row.Sample]) for row in rows
    ]
    kind = _only_kind((row.Sources[row.First], kind_of(row.IsGo)) for row in rows if row.Games)
    return Chunks(read, summaries, _offsets(splits, rows), kind)


def _wholes(splits: Sequence[Split], damaged: Iterable[int]) -> list[Split]:
    """Return the files with damaged pieces, each as one split with the number of its first one."""
    files = {splits[number].file for number in damaged if splits[number].end is not None}
    firsts = (split for split in splits if split.file in files and split.start == 0)
    return [split._replace(end=None) for split in firsts]


def _counts(read: DataFrame) -> list[Row]:
    columns = [name for name in CHUNKS.names if name not in ("Problems", "Rows")]
    return sorted(read.select(*columns).collect(), key=lambda row: row.Chunk)


def _require_games(read: DataFrame, rows: Sequence[Row]) -> None:
    """Raise PgnReadError for inputs without games if one of them is damaged."""
    if any(row.Games for row in rows) or all(row.Offset is not None for row in rows):
        return
    damage = read.where("Offset IS NULL").select("Problems").first()
    assert damage is not None
    reason = from_bytes(memoryview(damage.Problems))["Reason"][0]
    raise PgnReadError(f"nothing could be read: {reason}")


def _only_kind(texts: Iterable[tuple[str, GameKind]]) -> GameKind:
    """Return the kind of all games; raise UsageError for texts of both kinds."""
    only: GameKind | None = None
    for name, kind in texts:
        only = only or kind
        if only is not kind:
            raise UsageError(
                f"{name}: holds {kind.title}, but the games before it are {only.title}; "
                "all games must be of one kind: process this file alone"
            )
    return only or CHESS


def _offsets(splits: Sequence[Split], chunks: Iterable[Row]) -> dict[int, ChunkOffsets]:
    """Return the offsets of each chunk; `chunks` must be sorted by number."""
    offsets: dict[int, ChunkOffsets] = {}
    first_id = source = number = line = byte = 0
    last: tuple[int, list[str]] | None = None
    for chunk in chunks:
        split = splits[chunk.Chunk >> 32]
        texts = split.file, chunk.Sources
        # Several members of an archive may have the same name.
        if texts != last or (chunk.Offset == 0 and split.end is None):
            source += len(last[1]) if last is not None else 1
            number, line, byte, last = 0, 0, 0, texts
        offsets[chunk.Chunk] = ChunkOffsets(first_id, source, chunk.Sources, number, line, byte)
        first_id, number = first_id + chunk.Games, number + chunk.Blocks
        line, byte = line + chunk.Lines, byte + chunk.Bytes
    return offsets


def _split_bytes(form: str) -> int:
    return SPLIT_BYTES if form == PLAIN else SPLIT_BYTES // _COMPRESSION


def _splits(files: Sequence[InputFile]) -> list[Split]:
    """Return the splits of the files, by number and offset; the same ones on every machine."""
    splits: list[Split] = []
    for number, file in enumerate(files):
        name, size = file.path_as_given, file.size_bytes
        path = located(name)
        form = None
        if size is not None and size > SPLIT_BYTES // _COMPRESSION and can_open(path):
            form = _form_of_pieces(path, size)
        step = _split_bytes(form or PLAIN)
        if size is None or form is None or size <= step:
            splits.append(Split(len(splits), number, name, path, size or 0))
            continue
        for start in range(0, size, step):
            end = min(start + step, size)
            splits.append(Split(len(splits), number, name, path, size, start, end, form))
    return splits


def _form_of_pieces(path: str, size: int) -> str | None:
    """Return which pieces a file has; None if it is read as a whole."""
    with open_file(path) as handle:
        raw = RawFile(handle, path, can_seek=True)
        head = read_up_to(raw.read_some, TAR_HEAD_BYTES)
        form = form_of(head)
        if form != PLAIN:
            path = path[: -len(form)] if path.lower().endswith(form) else path
            try:
                if is_single_piece(raw, form, size):
                    return None
                raw.restart_at(0)
                head, _ = decompressed(path, raw, TAR_HEAD_BYTES)
            except PgnReadError:  # the task that reads it tells what is wrong
                return None
    return form if is_plain_text(path, head) and not is_sgf(path, head) else None


def _read(spark: SparkSession, splits: Sequence[Split], folder: str | None) -> DataFrame:
    opened = [split for split in splits if can_open(split.path)]
    tasks = _tasks(opened, spark.sparkContext.defaultParallelism)

    def chunks(batches: Batches) -> Batches:
        for batch in batches:
            for row in batch["id"].to_pylist():
                yield from _chunks_of_splits((split, open_file(split.path)) for split in tasks[row])

    rows = spark.range(0, len(tasks), 1, max(1, len(tasks)))
    frame = map_batches(rows, chunks, CHUNKS, folder)
    if len(opened) == len(splits):
        return frame
    handed = defaultdict(list)
    for split in splits:
        if not can_open(split.path):
            handed[split.path].append(split)

    def chunks_of_contents(batches: Batches) -> Batches:
        files = (
            (split, io.BytesIO(content.as_buffer()))
            for batch in batches
            for path, content in zip(batch["path"].to_pylist(), batch["content"], strict=True)
            for split in handed[path]
        )
        yield from _chunks_of_splits(files)

    files = contents(spark, list(handed))
    return frame.union(map_batches(files, chunks_of_contents, CHUNKS, folder))


def _tasks(splits: Sequence[Split], parallel: int) -> list[list[Split]]:
    """Return the splits of each task: small files share one, but all processors have work."""
    costs = [_OPENING_BYTES + split.size_bytes for split in splits]
    most = min(SPLIT_BYTES, sum(costs) // (2 * parallel))
    tasks: list[list[Split]] = []
    left = 0
    for split, cost in zip(splits, costs, strict=True):
        if cost > left:
            tasks.append([])
            left = most
        tasks[-1].append(split)
        left -= cost
    return tasks


class _WholeTexts:
    """Small texts, in order, that share a chunk, because each chunk has a cost."""

    def __init__(self) -> None:
        self._texts: list[tuple[str, bytes]] = []
        self._number = self._end = 0
        self._is_sgf = False

    def add(self, number: int, name: str, text: bytes) -> Batches:
        """Add a text; `number`: of a chunk of it alone. Yield the chunk of the texts before it."""
        kind = is_sgf(name, text)
        size = len(text) + sum(len(other) for _, other in self._texts)
        is_next = number in (self._end + 1, (self._end >> 32) + 1 << 32)
        if kind is not self._is_sgf or size > _CHUNK_BYTES or not is_next:
            yield from self.take()
        if not self._texts:
            self._number, self._is_sgf = number, kind
        self._texts.append((name, text))
        self._end = number

    def take(self) -> Batches:
        """Yield the chunk of all texts, if there are any."""
        texts, self._texts = self._texts, []
        if texts:
            yield _read_chunk(self._number, 0, texts)


def _chunks_of_splits(files: Iterable[tuple[Split, BinaryIO]]) -> Batches:
    """Yield the chunks of splits, in order."""
    texts = _WholeTexts()
    for split, file in files:
        with closing(file) as handle:
            yield from _chunks_of_split(split, handle, texts)
    yield from texts.take()


_Piece = tuple[str, int, bytes | PgnReadError]  # name of the text, offset in it, and its bytes


def _chunks_of_split(split: Split, file: BinaryIO, texts: _WholeTexts) -> Batches:
    """Yield the chunks of a split; damage is one without games."""
    number = split.number << 32
    pieces = _with_wholes(_pieces(split, RawFile(file, split.path, can_seek=True)))
    for (name, offset, content), is_whole in pieces:
        if is_whole and split.end is None and isinstance(content, bytes):
            yield from texts.add(number, name, content)
        else:
            yield from texts.take()
            yield (
                _read_chunk(number, offset, [(name, content)])
                if isinstance(content, bytes)
                else _damage(number, name, content)
            )
        number += 1


def _damage(number: int, name: str, error: PgnReadError) -> pyarrow.RecordBatch:
    problem = {"SourceID": 1, "SourceNumber": 1, "Line": 1, "Reason": str(error), "Text": b""}
    return chunk_row(
        GAMES_SCHEMA.empty_table(), CHESS, number=number, sources=[name],
        problems={column: [value] for column, value in problem.items()},
    )  # fmt: skip


def _pieces(split: Split, raw: RawFile) -> Iterator[_Piece]:
    """Yield pieces of texts, cut between two games, and damage, with the name of the text.

    Another text of an archive may follow. Errors that are not damage end the run.
    """
    name = split.name
    try:
        if split.end is not None:
            stream = _SplitText(split, raw, split.end)
            yield from ((name, offset, text) for offset, text in _chunks_of(stream.read))
            return
        for text in open_texts(raw):
            name = split.name + text.name.removeprefix(split.path)
            try:
                yield from (
                    (name, offset, part) for offset, part in _chunks_of(text.read, text.name)
                )
            except PgnReadError as error:
                yield _damaged_piece(name, error)
    except PgnReadError as error:
        yield _damaged_piece(name, error)


def _damaged_piece(name: str, error: PgnReadError) -> _Piece:
    if isinstance(error.__cause__, OSError) and error.__cause__.errno:
        raise error  # disk or network failed, so Spark tries again; damage has no errno
    return name, -1, error


def _with_wholes(pieces: Iterator[_Piece]) -> Iterator[tuple[_Piece, bool]]:
    """Yield pieces of texts, and whether each is a whole text without damage after it."""
    last: _Piece | None = None
    for piece in pieces:
        if last is not None:
            yield last, last[1] == piece[1] == 0
        last = piece
    if last is not None:
        yield last, last[1] == 0


class _SplitText:
    """The text of the games that begin in the pieces of a split, as a stream."""

    def __init__(self, split: Split, raw: RawFile, end: int) -> None:
        def source(start: int, end: int) -> ByteSource:
            return pieces(raw, split.form, start, end, split.file_bytes)

        own = source(split.start, split.file_bytes)
        self._skipped = len(_rest_of_game(own)) if split.start else 0
        self._rest = _rest_of_game(source(end, split.file_bytes))
        self._source = source(split.start, end)

    def read(self, size_bytes: int) -> bytes:
        """Return `size_bytes` bytes or a little more, or fewer at the end."""
        parts: list[bytes] = []
        while size_bytes > 0:
            part = self._source.read_some(size_bytes)
            if not part:
                part, self._rest = self._rest, b""
                if not part:
                    break
            skipped = min(self._skipped, len(part))
            self._skipped -= skipped
            parts.append(part[skipped:])
            size_bytes -= len(part) - skipped
        return b"".join(parts)


def _rest_of_game(source: ByteSource) -> bytes:
    """Return the text before the first place where a game certainly begins, all without one."""
    text, size_bytes = b"", _LOOK_AHEAD_BYTES
    while block := read_up_to(source.read_some, size_bytes):
        text += block
        cut = first_cut(text)
        if cut:
            return text[:cut]
        size_bytes = len(text)
    return text


def _chunks_of(read: Callable[[int], bytes], name: str = "") -> Iterator[tuple[int, bytes]]:
    offset, rest, is_first = 0, b"", True
    kind = CHESS
    failure = None
    while True:
        try:
            text = read(_CHUNK_BYTES)
        except PgnReadError as error:  # raised after the text before it is yielded
            failure = error
            break
        if not text:
            break
        text = rest + text
        if is_first:
            kind, is_first = kind_of(is_sgf(name, text[:4096])), False
        cut = cut_within(text) if kind is CHESS else 0
        if cut:
            yield offset, text[:cut]
            offset += cut
        rest = text[cut:]
    if rest or not offset:  # a text without games is a source too
        yield offset, rest
    if failure is not None:
        raise failure


def _read_chunk(
    number: int, offset: int, texts: Sequence[tuple[str, bytes]]
) -> pyarrow.RecordBatch:
    """Read a part of a text at an offset, or whole texts, as a chunk."""
    rejects: list[tuple[int, RejectNotice, bytes]] = []
    source_id = 0
    connection = create_database(":memory:")

    def streams() -> Iterator[SourceStream]:
        nonlocal source_id
        for source_id, (name, text) in enumerate(texts, 1):  # noqa: B007 -- of notices
            source = RawFile(io.BytesIO(text), name, can_seek=False)
            yield SourceStream(name, source, source.position, transcoded_from=None)

    # Faults are stored in the rows of their games.
    notices = Notices(lambda _: None, lambda notice, raw: rejects.append((source_id, notice, raw)))
    with connection:
        blocks, lines = Ingest(connection, notices, SilentReporter()).load_streams(streams())
    games = games_of_database(connection)
    kind = game_kind(connection)
    connection.close()
    return chunk_row(
        games, kind, number=number, sources=[name for name, _ in texts], offset=offset,
        size_bytes=len(texts[-1][1]), blocks=blocks, lines=lines,
        problems=_problems(games, rejects),
    )  # fmt: skip


def _problems(
    games: pyarrow.Table, rejects: Sequence[tuple[int, RejectNotice, bytes]]
) -> dict[str, tuple[object, ...]] | None:
    rows: list[tuple[object, ...]] = []
    columns = ["ID", "SourceID", "SourceNumber", "Faults"]
    faulty = games.filter(games["Faults"].is_valid()).select(columns)
    for game in faulty.to_pylist():
        for fault in game["Faults"]:
            rest = fault["Rest"]
            text = None if rest is None else rest.encode()
            values = fault["Line"], fault["Ply"], fault["Reason"], text
            rows.append((*(game[name] for name in columns[:3]), *values))
    for source_id, notice, raw in rejects:
        place = source_id, notice.number, notice.line
        rows.append((None, *place, None, notice.reason, raw))
    names = "ID", "SourceID", "SourceNumber", "Line", "Ply", "Reason", "Text"
    return dict(zip(names, zip(*rows, strict=True), strict=True)) if rows else None
