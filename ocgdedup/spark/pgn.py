"""Read PGN and SGF on Spark: text to chunks of games."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import pyarrow
import pyarrow.compute
from pyspark.sql import DataFrame, Row, SparkSession

from ocgdedup.errors import PgnReadError, UsageError
from ocgdedup.files.archives import TAR_HEAD_BYTES
from ocgdedup.files.decompress import RawFile, WindowSource, read_up_to
from ocgdedup.files.inputs import InputFile, SourceStream, is_plain_text, list_inputs, open_sources
from ocgdedup.game_kind import CHESS, GameKind, kind_of
from ocgdedup.model import RejectNotice, SilentReporter
from ocgdedup.pgn.blocks import cut_within
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
from ocgdedup.spark.messages import Batches, from_bytes, map_batches
from ocgdedup.spark.part import GAMES_SCHEMA, games_of_database
from ocgdedup.spark.stages import Stages
from ocgdedup.store.database import create_database
from ocgdedup.store.names import game_kind

SPLIT_BYTES = 1 << 26  # of plain text that one task reads
_CHUNK_BYTES = 1 << 24  # of text that a worker holds as a database
_OFFSET = "SourceOffset"
_LOOK_BACK_BYTES = 1 << 18


class Split(NamedTuple):
    """Bytes of a file that one task reads; `end` None: the whole file, of any format.

    `path` is absolute, because workers run in other folders; `name`: as the user wrote it.
    `file`: its number among the inputs, which may include a file twice.
    """

    number: int
    file: int
    name: str
    path: str
    start: int = 0
    end: int | None = None


# --- text to games -------------------------------------------------------------------------------


def read_pgn(
    spark: SparkSession, paths: Sequence[str], *, work_dir: str, resume: bool = False
) -> tuple[DataFrame, DataFrame]:
    """Read PGN or SGF files; return the games, and a DataFrame of faults and rejected text.

    `paths`: files, compressed files, archives, or folders of them, which all workers open by these
    paths. `work_dir`, `resume`: see find_duplicates().

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
    splits = _splits(list_inputs(paths))
    stages = Stages(spark, work_dir, resume=resume)
    read = stages.stage("read", lambda: _read(spark, splits), CHUNKS)
    counts = "Chunk", "Source", "Games", "Blocks", "Lines", "Sample", "IsGo", "Offset"
    rows = sorted(read.select(*counts).collect(), key=lambda row: row.Chunk)
    _require_games(read, rows)
    summaries = [ChunkSummary(row[0], row[2], [bytes(key) for key in row[5]]) for row in rows]
    kind = _only_kind((row.Source, kind_of(row.IsGo)) for row in rows if row.Games)
    return Chunks(read, summaries, _offsets(splits, rows), kind)


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
    first_id = source = number = line = 0
    last: tuple[int, str] | None = None
    for chunk in chunks:
        split = splits[chunk.Chunk >> 32]
        text = split.file, chunk.Source
        # Several members of an archive may have the same name.
        if text != last or (chunk.Offset == 0 and split.end is None):
            source, number, line, last = source + 1, 0, 0, text
        offsets[chunk.Chunk] = ChunkOffsets(first_id, source, chunk.Source, number, line)
        first_id, number, line = first_id + chunk.Games, number + chunk.Blocks, line + chunk.Lines
    return offsets


def _splits(files: Sequence[InputFile]) -> list[Split]:
    splits: list[Split] = []
    for number, file in enumerate(files):
        name, size = file.path_as_given, file.size_bytes
        path = os.path.abspath(name)
        is_cut = size is not None and size > SPLIT_BYTES
        if is_cut:
            with open(path, "rb") as handle:
                head = handle.read(TAR_HEAD_BYTES)
            is_cut = is_plain_text(path, head) and not is_sgf(path, head)
        if size is None or not is_cut:
            splits.append(Split(len(splits), number, name, path))
            continue
        for start in range(0, size, SPLIT_BYTES):
            end = min(start + SPLIT_BYTES, size)
            splits.append(Split(len(splits), number, name, path, start, end))
    return splits


def _read(spark: SparkSession, splits: Sequence[Split]) -> DataFrame:
    def chunks(batches: Batches) -> Batches:
        for batch in batches:
            for row in batch["id"].to_pylist():
                yield from _chunks_of_split(splits[row])

    return map_batches(spark.range(0, len(splits), 1, len(splits)), chunks, CHUNKS)


def _chunks_of_split(split: Split) -> Batches:
    number = split.number << 32
    name = split.name
    with open(split.path, "rb"):
        pass  # a missing file ends the run, damage in a file does not
    try:
        for name, offset, text in _chunks(split):
            yield _read_chunk(number, name, offset, text)
            number += 1
    except PgnReadError as error:
        if isinstance(error.__cause__, OSError) and error.__cause__.errno:
            raise  # disk or network failed, so Spark tries again; damage in .bz2 has no errno
        values = {"SourceNumber": 1, "Line": 1, "Reason": str(error), "Text": b""}
        problem = {column: [value] for column, value in values.items()}
        nothing = GAMES_SCHEMA.empty_table()
        yield chunk_row(nothing, CHESS, number=number, source=name, problems=problem)


def _chunks(split: Split) -> Iterator[tuple[str, int, bytes]]:
    """Yield (name of the text, offset in it, bytes) of a split, cut between two games."""
    if split.end is None:
        for stream in open_sources(InputFile(split.path, None)):
            name = split.name + stream.name.removeprefix(split.path)
            chunks = _chunks_of(stream.read, stream.name)
            yield from ((name, offset, text) for offset, text in chunks)
        return
    with open(split.path, "rb", buffering=0) as handle:
        raw = RawFile(handle, split.path, can_seek=True)
        size = handle.seek(0, os.SEEK_END)
        start, end = (_aligned(raw, border, size) for border in (split.start, split.end))
        raw.restart_at(start)
        window = WindowSource(raw, start=start, end=max(start, end))
        for offset, text in _chunks_of(partial(read_up_to, window.read_some)):
            yield split.name, start + offset, text


def _aligned(raw: RawFile, border: int, size: int) -> int:
    """Return the last offset up to `border` at which a game certainly begins, else 0."""
    if border >= size:
        return size
    back = _LOOK_BACK_BYTES
    while border:
        start = max(0, border - back)
        raw.restart_at(start)
        cut = cut_within(read_up_to(raw.read_some, border - start))
        if cut:
            return start + cut
        if not start:
            break
        back *= 4
    return 0


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


def _read_chunk(number: int, name: str, offset: int, text: bytes) -> pyarrow.RecordBatch:
    rejects: list[tuple[RejectNotice, bytes]] = []
    connection = create_database(":memory:")
    # Faults are stored in the rows of their games.
    notices = Notices(lambda _: None, lambda notice, raw: rejects.append((notice, raw)))
    source = RawFile(io.BytesIO(text), name, can_seek=False)
    stream = SourceStream(name, source, source.position, transcoded_from=None)
    with connection:
        blocks, lines = Ingest(connection, notices, SilentReporter()).load_stream(stream)
    games = games_of_database(connection)
    kind = game_kind(connection)
    connection.close()
    offsets = pyarrow.compute.add(games[_OFFSET], offset)
    games = games.set_column(GAMES_SCHEMA.names.index(_OFFSET), _OFFSET, offsets)
    return chunk_row(
        games, kind, number=number, source=name, offset=offset, blocks=blocks, lines=lines,
        problems=_problems(games, rejects),
    )  # fmt: skip


def _problems(
    games: pyarrow.Table, rejects: Sequence[tuple[RejectNotice, bytes]]
) -> dict[str, tuple[object, ...]] | None:
    rows: list[tuple[object, ...]] = []
    faulty = games.filter(games["Faults"].is_valid()).select(["ID", "SourceNumber", "Faults"])
    for game in faulty.to_pylist():
        for fault in game["Faults"]:
            rest = fault["Rest"]
            text = None if rest is None else rest.encode()
            values = fault["Line"], fault["Ply"], fault["Reason"], text
            rows.append((game["ID"], game["SourceNumber"], *values))
    for notice, raw in rejects:
        rows.append((None, notice.number, notice.line, None, notice.reason, raw))
    names = "ID", "SourceNumber", "Line", "Ply", "Reason", "Text"
    return dict(zip(names, zip(*rows, strict=True), strict=True)) if rows else None
