"""PGN and SGF on Spark: text to lossless rows by the reading kernel, and rows to text."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import pyarrow
from pyspark import TaskContext
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import from_arrow_schema

from ocgdedup.errors import PgnReadError
from ocgdedup.model import FaultNotice, RejectNotice
from ocgdedup.pgn.blocks import cut_within
from ocgdedup.pgn.compress import compressed
from ocgdedup.pgn.decompress import HEAD_BYTES, sniff_codec
from ocgdedup.pgn.inputs import InputFile, SourceStream, list_inputs, open_sources
from ocgdedup.pgn.tar_members import HEAD_BYTES as TAR_HEAD_BYTES
from ocgdedup.pgn.tar_members import is_tar
from ocgdedup.pgn.zip_members import ZIP_MAGICS
from ocgdedup.pipeline.emit import GameWriter
from ocgdedup.pipeline.ingest import Ingest, Notices
from ocgdedup.pipeline.lossless import LosslessReader
from ocgdedup.pipeline.text_form import CLEAN
from ocgdedup.sgf.blocks import is_sgf
from ocgdedup.spark.messages import columns_of
from ocgdedup.spark.part import Part, Quiet
from ocgdedup.spark.stages import Stages
from ocgdedup.store.connection import Database, create_database
from ocgdedup.store.games import id_span
from ocgdedup.tables.columns import LOSSLESS_GAMES
from ocgdedup.tables.parquet_file import arrow_schema

SPLIT_BYTES = 1 << 26  # of plain text that one task reads
_CHUNK_BYTES = 1 << 24  # of text that a worker holds as a database
_LOOK_BACK_BYTES = 1 << 18
_GAMES_AT_ONCE = 10_000
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")

_GAMES = arrow_schema(LOSSLESS_GAMES)
# Rows that a worker reads: of games, of rejected text, and one for each chunk of text.
_READ = pyarrow.schema(
    [
        *_GAMES,
        ("Kind", pyarrow.string()),
        ("Chunk", pyarrow.int64()),
        ("Source", pyarrow.string()),
        ("Line", pyarrow.int64()),
        ("Reason", pyarrow.string()),
        ("Text", pyarrow.binary()),
        ("Games", pyarrow.int64()),
        ("Blocks", pyarrow.int64()),
        ("Lines", pyarrow.int64()),
    ]
)
_GAME, _REJECT, _CHUNK = "game", "reject", "chunk"
_PLACES = "Chunk long, FirstID long, SourceID long, Name string, FirstNumber long, FirstLine long"


class Split(NamedTuple):
    """Bytes of a file that one task reads; `end` None: all of it, whatever it is.

    `path` is absolute, for workers stand in other folders; `name` is how the user calls it.
    """

    number: int
    name: str
    path: str
    start: int = 0
    end: int | None = None


# --- text to games -------------------------------------------------------------------------------


def read_pgn(
    spark: SparkSession, paths: Sequence[str], *, work_dir: str, goes_on: bool = False
) -> tuple[DataFrame, DataFrame]:
    """Read PGN or SGF files; return games, and faults and rejected text.

    `paths`: files, compressed ones and archives too, or folders of them, which all workers open by
    these paths. `work_dir`, `goes_on`: see find_duplicates().

    Games have the columns of lossless tables, and the IDs that `create` would give them. The second
    DataFrame has SourceID, Name (of the text), SourceNumber, Line, Reason and Text; of games that
    were truncated at a fault also ID and Ply, else NULL. Raises UsageError and PgnReadError for
    inputs that are not there.
    """
    splits = _splits(list_inputs(paths))
    stages = Stages(spark, work_dir, goes_on=goes_on)
    read = stages.keep("read", lambda: _read(spark, splits), _READ, by="Kind")
    places = _placed(spark, splits, read)
    of_games = places.select(
        "Chunk", "FirstID", F.col("SourceID").alias("FileID"), "FirstNumber", "FirstLine"
    )
    placed = read.where(read["Kind"] == _GAME).join(F.broadcast(of_games), "Chunk")
    games = placed.select(*map(_in_place, _GAMES.names))
    rejects = read.where(read["Kind"] == _REJECT).join(F.broadcast(of_games), "Chunk")
    faults = games.select("ID", "SourceID", "SourceNumber", F.explode("Faults").alias("Fault"))
    problems = faults.select(
        "ID", "SourceID", "SourceNumber", "Fault.Line", "Fault.Ply", "Fault.Reason",
        F.col("Fault.Rest").cast("binary").alias("Text"),
    ).unionByName(
        rejects.select(
            F.lit(None).cast("long").alias("ID"),
            F.col("FileID").alias("SourceID"),
            (F.col("SourceNumber") + F.col("FirstNumber")).alias("SourceNumber"),
            (F.col("Line") + F.col("FirstLine")).alias("Line"),
            F.lit(None).cast("int").alias("Ply"),
            "Reason",
            "Text",
        )
    )  # fmt: skip
    names = places.select("SourceID", "Name").distinct()
    return games, problems.join(F.broadcast(names), "SourceID")


def sources(spark: SparkSession, paths: Sequence[str], work_dir: str) -> DataFrame:
    """Return the texts that read_pgn() has read, as the table of sources of lossless tables."""
    read = spark.read.parquet(Stages(spark, work_dir).path("read"))
    places = _placed(spark, _splits(list_inputs(paths)), read).select("SourceID", "Name").distinct()
    return places.select(
        F.col("SourceID").alias("ID"),
        "Name",
        F.lit(None).cast("long").alias("Size"),
        F.lit(None).cast("string").alias("SHA256"),
        F.lit(None).cast("string").alias("ImportDate"),
    ).coalesce(1)


def in_order_of_ids(games: DataFrame, files: int) -> DataFrame:
    """Return games so that files of them follow each other by ID."""
    return games.repartitionByRange(files, "ID").sortWithinPartitions("ID")


def _placed(spark: SparkSession, splits: Sequence[Split], read: DataFrame) -> DataFrame:
    """Return for each chunk of text its source, and what comes before it there."""
    chunks = read.where(read["Kind"] == _CHUNK)
    rows = chunks.select("Chunk", "Source", "Games", "Blocks", "Lines").collect()
    return spark.createDataFrame(_places(splits, rows), _PLACES)


def _in_place(name: str) -> Column:
    """Return a column of games with what depends on the chunks before."""
    if name == "ID":
        return (F.col("ID") + F.col("FirstID")).alias(name)
    if name == "SourceID":
        return F.col("FileID").alias(name)
    if name == "SourceNumber":
        return (F.col(name) + F.col("FirstNumber")).alias(name)
    if name == "Faults":
        first = F.col("FirstLine")
        return F.transform(
            name, lambda fault: fault.withField("Line", fault["Line"] + first)
        ).alias(name)
    return F.col(name)


def _places(splits: Sequence[Split], chunks: Iterable[Any]) -> list[tuple[object, ...]]:
    """Return for each chunk the games before it, its source, and the blocks and lines there."""
    found: list[tuple[object, ...]] = []
    first_id = source = number = line = 0
    last: tuple[str, str] | None = None
    paths = {split.number: split.path for split in splits}
    for chunk, name, games, blocks, lines in sorted(chunks):
        text = paths[chunk >> 32], name
        if text != last:
            source, number, line, last = source + 1, 0, 0, text
        found.append((chunk, first_id, source, name, number, line))
        first_id, number, line = first_id + games, number + blocks, line + lines
    return found


def _splits(files: Sequence[InputFile]) -> list[Split]:
    splits: list[Split] = []
    for file in files:
        name, size = file.path_as_given, file.size_bytes
        path = os.path.abspath(name)
        if size is None or size <= SPLIT_BYTES or not _is_plain_pgn(path):
            splits.append(Split(len(splits), name, path))
            continue
        for start in range(0, size, SPLIT_BYTES):
            splits.append(Split(len(splits), name, path, start, min(start + SPLIT_BYTES, size)))
    return splits


def _is_plain_pgn(path: str) -> bool:
    with open(path, "rb") as handle:
        head = handle.read(max(HEAD_BYTES, TAR_HEAD_BYTES))
    return not (
        head.startswith((*ZIP_MAGICS, *_UTF16_MARKS))
        or is_tar(head)
        or sniff_codec(head[:HEAD_BYTES], path)
        or is_sgf(path, head)
    )


def _read(spark: SparkSession, splits: Sequence[Split]) -> DataFrame:
    frame = spark.range(0, len(splits), 1, len(splits))
    return frame.mapInArrow(partial(_rows_of_splits, splits), from_arrow_schema(_READ))


def _rows_of_splits(
    splits: Sequence[Split], batches: Iterable[pyarrow.RecordBatch]
) -> Iterator[pyarrow.RecordBatch]:
    for batch in batches:
        for row in batch["id"].to_pylist():
            yield from _rows_of_split(splits[row])


def _rows_of_split(split: Split) -> Iterator[pyarrow.RecordBatch]:
    chunk = split.number << 32
    name = split.name
    with open(split.path, "rb"):
        pass  # a file that a worker does not reach ends the run; damage further on does not
    try:
        for name, offset, text in _chunks(split):
            yield from _rows_of_chunk(chunk, name, offset, text)
            chunk += 1
    except PgnReadError as error:
        damage: dict[str, Sequence[Any]] = {
            "Line": [0],
            "SourceNumber": [0],
            "Reason": [str(error)],
            "Text": [b""],
        }
        yield _batch(_REJECT, chunk, name, 1, damage)
        yield _batch(_CHUNK, chunk, name, 1, {"Games": [0], "Blocks": [0], "Lines": [0]})


def _chunks(split: Split) -> Iterator[tuple[str, int, bytes]]:
    """Yield (name of the text, offset in it, bytes) of a split; a chunk ends between two games."""
    if split.end is None:
        for stream in open_sources(InputFile(split.path, None)):
            name = split.name + stream.name.removeprefix(split.path)
            yield from ((name, offset, text) for offset, text in _chunks_of(stream))
        return
    with open(split.path, "rb", buffering=0) as handle:
        start, end = (_aligned(handle, place) for place in (split.start, split.end))
        handle.seek(start)
        for offset, text in _chunks_of(_Range(handle, max(0, end - start))):
            yield split.name, start + offset, text


class _Range:
    """Some bytes of a file from where it stands."""

    def __init__(self, handle: Any, size_bytes: int) -> None:
        self._handle, self._left = handle, size_bytes

    def read(self, size_bytes: int) -> bytes:
        parts = []
        while size_bytes and self._left:
            part = self._handle.read(min(size_bytes, self._left))
            if not part:
                break
            self._left -= len(part)
            size_bytes -= len(part)
            parts.append(part)
        return b"".join(parts)


def _aligned(handle: Any, place: int) -> int:
    """Return the last place up to another one at which a game surely begins, else the start.

    Two tasks that ask for the border between them get the same answer.
    """
    size = handle.seek(0, os.SEEK_END)
    if place >= size:
        return int(size)
    back = _LOOK_BACK_BYTES
    while place:
        start = max(0, place - back)
        handle.seek(start)
        cut = cut_within(_Range(handle, place - start).read(place - start))
        if cut:
            return start + cut
        if not start:
            break
        back *= 4
    return 0


def _chunks_of(stream: Any) -> Iterator[tuple[int, bytes]]:
    offset, rest, is_first = 0, b"", True
    is_go = False
    failure = None
    while True:
        try:
            text = stream.read(_CHUNK_BYTES)
        except PgnReadError as error:  # what came before it is read
            failure = error
            break
        if not text:
            break
        text = rest + text
        if is_first:
            is_go, is_first = is_sgf(getattr(stream, "name", ""), text[:4096]), False
        cut = 0 if is_go else cut_within(text)
        if cut:
            yield offset, text[:cut]
            offset += cut
        rest = text[cut:]
    if rest:
        yield offset, rest
    if failure is not None:
        raise failure


class _Bytes:
    """Bytes as a source of text."""

    def __init__(self, text: bytes) -> None:
        self._text, self._at = text, 0

    def read_some(self, limit: int) -> bytes:
        part = self._text[self._at : self._at + limit]
        self._at += len(part)
        return part

    def restart_at(self, offset: int) -> bool:
        return False

    def position(self) -> int:
        return self._at


def _rows_of_chunk(
    chunk: int, name: str, offset: int, text: bytes
) -> Iterator[pyarrow.RecordBatch]:
    rejects: list[tuple[RejectNotice, bytes]] = []
    connection = create_database(":memory:")
    notices = Notices(_ignore, lambda notice, raw: rejects.append((notice, raw)))
    source = _Bytes(text)
    stream = SourceStream(name, source, source.position, transcoded_from=None)
    ingest = Ingest(connection, notices, Quiet())
    with connection:
        blocks, lines = ingest.load_stream(stream)
    games = 0
    first, last = id_span(connection) or (1, 0)
    for columns in LosslessReader(connection).games([list(range(first, last + 1))]):
        games += len(columns[0])
        values: dict[str, Sequence[Any]] = dict(zip(_GAMES.names, columns, strict=True))
        values["SourceOffset"] = [offset + place for place in values["SourceOffset"]]
        yield _batch(_GAME, chunk, name, len(columns[0]), values)
    yield _batch(
        _REJECT,
        chunk,
        name,
        len(rejects),
        {
            "SourceNumber": [notice.number for notice, _ in rejects],
            "Line": [notice.line for notice, _ in rejects],
            "Reason": [notice.reason for notice, _ in rejects],
            "Text": [raw for _, raw in rejects],
        },
    )
    yield _batch(_CHUNK, chunk, name, 1, {"Games": [games], "Blocks": [blocks], "Lines": [lines]})
    connection.close()


def _ignore(_: FaultNotice) -> None:
    """Faults are in the rows of their games."""


def _batch(
    kind: str, chunk: int, name: str, count: int, columns: dict[str, Sequence[Any]]
) -> pyarrow.RecordBatch:
    same = {"Kind": [kind] * count, "Chunk": [chunk] * count, "Source": [name] * count}
    nothing = [None] * count
    arrays = [
        pyarrow.array(columns.get(field.name) or same.get(field.name, nothing), field.type)
        for field in _READ
    ]
    return pyarrow.RecordBatch.from_arrays(arrays, schema=_READ)


# --- games to text -------------------------------------------------------------------------------


def write_pgn(
    games: DataFrame, folder: str, *, ending: str = ".pgn", is_go: bool = False, files: int = 0
) -> list[str]:
    """Write games to files of a folder that all workers reach; return their names, in order.

    Files follow each other by ID: part-00000.pgn and so on, `files` of them (default:
    spark.sql.shuffle.partitions). `ending` says how they are compressed, such as ".pgn.zst". A file
    gets its name when it is whole; such files of an earlier run are replaced, or removed.
    """
    folder = os.path.abspath(folder)
    os.makedirs(folder, exist_ok=True)
    count = files or int(games.sparkSession.conf.get("spark.sql.shuffle.partitions") or 1)
    ordered = in_order_of_ids(games, count)
    write = partial(_write, folder, ending, is_go)
    rows = ordered.mapInArrow(write, "part int, name string, games long").collect()
    names = [row.name for row in sorted(rows)]
    for other in set(os.listdir(folder)).difference(names):
        if re.fullmatch(rf"part-[0-9]{{5}}{re.escape(ending)}", other):
            os.unlink(os.path.join(folder, other))  # of a run with more files
    return names


def _write(
    folder: str, ending: str, is_go: bool, batches: Iterable[pyarrow.RecordBatch]
) -> Iterator[pyarrow.RecordBatch]:
    context = TaskContext.get()
    assert context is not None
    number, attempt = context.partitionId(), context.taskAttemptId()
    path = os.path.join(folder, f"part-{number:05}{ending}")
    temporary = f"{path}.{attempt}.tmp"
    games = 0
    try:
        with open(temporary, "wb") as handle, compressed(handle, path) as output:
            for batch in _in_batches(batches):
                part = Part(columns_of(batch, batch.column_names), is_go=is_go)
                writer = GameWriter(Database(path, part.connection, True), CLEAN)
                for count, text in writer.all_games():
                    output.write(text)
                    games += count
                part.close()
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
    arrays = [pyarrow.array([number], pyarrow.int32()), pyarrow.array([os.path.basename(path)]),
              pyarrow.array([games])]  # fmt: skip
    yield pyarrow.RecordBatch.from_arrays(arrays, names=["part", "name", "games"])


def _in_batches(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.Table]:
    waiting: list[pyarrow.RecordBatch] = []
    for batch in batches:
        waiting.append(batch)
        if sum(one.num_rows for one in waiting) >= _GAMES_AT_ONCE:
            yield pyarrow.Table.from_batches(waiting)
            waiting = []
    if waiting:
        yield pyarrow.Table.from_batches(waiting)
