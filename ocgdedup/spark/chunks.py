"""Games in chunks: few large rows for Spark, each with the bytes of thousands of games.

In a chunk of a text, games, lines and records are numbered from the start of the chunk. When all
chunks have been counted, its `ChunkOffsets` are added to these numbers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from itertools import accumulate
from typing import Any, NamedTuple

import numpy
import pyarrow
import pyarrow.compute
from pyspark.sql import DataFrame

from ocgdedup._kernels import search as search_kernel
from ocgdedup.game_kind import CHESS, GO, GameKind
from ocgdedup.pipeline.search.detect import SearchOptions, unsearched_finder
from ocgdedup.spark.messages import (
    Batches,
    from_bytes,
    map_batches,
    record_batch,
    schema_of,
    to_bytes,
)
from ocgdedup.spark.part import GAMES_SCHEMA, SEARCHED, Part
from ocgdedup.spark.references import content_of

# `Sources`: names of the texts, several ones if they are whole; `First`: index of the first with
# games. `Offset`: in the text or in the split of it, NULL for damage at its end. `IsGo`: NULL
# without games. `Sample`: line keys of some games, sorted. `Problems`: rows of PROBLEMS, or NULL.
# `Rows`: of GAMES_SCHEMA.
SCHEMA = schema_of(
    "Chunk int64, Sources, First int32, Offset int64, Bytes int64, Games int64, IsGo bool, "
    "Blocks int64, Lines int64, Sample, Problems binary, Rows binary",
    Sources=pyarrow.list_(pyarrow.string()),
    Sample=pyarrow.list_(pyarrow.binary()),
)
PROBLEMS = schema_of(
    "ID int64, SourceID int64, SourceNumber int64, Line int64, Ply int32, Reason string, "
    "Text binary, Name string"
)
_GAMES_A_CHUNK = 20_000  # if the games are rows of a DataFrame
_GAMES_A_SAMPLE, _LEAST_SAMPLES = 1_000, 32  # of a chunk
_NUMBER = b"chunk"  # metadata key of the number of a chunk in its rows

_Fault = dict[str, Any]  # a value of the column Faults of lossless tables


class ChunkOffsets(NamedTuple):
    """The offsets of the numbers of a chunk, and its sources; `source_id`: of the first."""

    first_id: int
    source_id: int
    names: Sequence[str]
    first_number: int
    first_line: int
    first_byte: int


class ChunkSummary(NamedTuple):
    """The number, size and sample of a chunk, for the driver."""

    number: int
    games: int
    sample: Sequence[bytes]


class Chunks(NamedTuple):
    """Games as rows of SCHEMA; `offsets`: of the chunks that are not numbered yet."""

    frame: DataFrame
    summaries: Sequence[ChunkSummary]
    offsets: Mapping[int, ChunkOffsets]
    kind: GameKind

    def cuts(self, parts: int) -> list[bytes]:
        """Return the line keys that cut the order of games into parts of about equal size.

        The keys come from samples; results do not depend on them.
        """
        rows = sorted(
            (key, chunk.games / len(chunk.sample))
            for chunk in self.summaries
            for key in chunk.sample
        )
        if not rows:
            return []
        sums = list(accumulate(weight for _, weight in rows))
        limits = (sums[-1] * part / parts for part in range(1, parts))
        return sorted({rows[min(bisect_right(sums, sum_), len(rows) - 1)][0] for sum_ in limits})

    def firsts_of_files(self, files: int) -> list[tuple[int, int]]:
        """Return (first chunk, ID before it) of each of `files` files of about equal size."""
        total = sum(chunk.games for chunk in self.summaries)
        firsts: list[tuple[int, int]] = []
        before = 0
        for chunk in self.summaries:
            if len(firsts) < files and before * files >= total * len(firsts):
                firsts.append((chunk.number, before))
            before += chunk.games
        return firsts


def summaries_of(frame: DataFrame) -> list[ChunkSummary]:
    rows = frame.select("Chunk", "Games", "Sample").collect()
    return sorted(ChunkSummary(row[0], row[1], [bytes(key) for key in row[2]]) for row in rows)


def chunks_of_rows(games: DataFrame, kind: GameKind, folder: str | None) -> DataFrame:
    """Return numbered games as rows of SCHEMA; `folder`: see map_batches()."""

    def chunks(batches: Batches) -> Batches:
        for table in in_batches(batches, _GAMES_A_CHUNK):
            faults = pyarrow.nulls(table.num_rows, GAMES_SCHEMA.field("Faults").type)
            yield chunk_row(table.append_column("Faults", faults).cast(GAMES_SCHEMA), kind)

    frame = games.select(*(name for name in GAMES_SCHEMA.names if name != "Faults"))
    return map_batches(frame, chunks, SCHEMA, folder)


def chunk_row(
    games: pyarrow.Table,
    kind: GameKind,
    *,
    number: int | None = None,
    sources: Sequence[str] = (),
    offset: int | None = None,
    size_bytes: int = 0,
    blocks: int = 0,
    lines: int = 0,
    problems: Mapping[str, Sized] | None = None,
) -> pyarrow.RecordBatch:
    """Return a chunk; the games of a chunk with a `number` get their final numbers later."""
    if number is not None:
        games = games.replace_schema_metadata({_NUMBER: str(number)})
    first = games["SourceID"][0].as_py() - 1 if sources and games.num_rows else None
    values = {
        "Chunk": number, "Sources": sources, "First": first, "Offset": offset, "Bytes": size_bytes,
        "Games": games.num_rows, "IsGo": kind is GO if games.num_rows else None,
        "Blocks": blocks, "Lines": lines,
        "Sample": _sample(games, kind) if games.num_rows else [],
        "Problems": to_bytes(record_batch(PROBLEMS, problems)) if problems else None,
        "Rows": to_bytes(games),
    }  # fmt: skip
    return record_batch(SCHEMA, {name: [value] for name, value in values.items()})


def _sample(games: pyarrow.Table, kind: GameKind) -> list[bytes]:
    count = max(_LEAST_SAMPLES, games.num_rows // _GAMES_A_SAMPLE)
    rows = numpy.unique(numpy.linspace(0, games.num_rows, count, endpoint=False, dtype="<i8"))
    return sorted(line_keys(games.take(pyarrow.array(rows)), kind))


def line_keys(table: pyarrow.Table, kind: GameKind) -> list[bytes]:
    """Return the keys by which games are sorted; only a finder has those of other starts."""
    moves = table["Moves2"].to_pylist()
    is_standard = [kind is CHESS and not fen for fen in table["FEN"].to_pylist()]
    keys = [
        search_kernel.line_key(blob or b"") if standard else b""
        for blob, standard in zip(moves, is_standard, strict=True)
    ]
    if not all(is_standard):
        rows = [row for row, standard in enumerate(is_standard) if not standard]
        others = table.select(searched_columns(kind)).take(rows)
        part = Part(others, kind)
        key_of = dict(search_kernel.line_keys(unsearched_finder(part.connection, SearchOptions())))
        part.close()
        for row, game_id in zip(rows, others["ID"].to_pylist(), strict=True):
            keys[row] = key_of[game_id]
    return keys


def searched_columns(kind: GameKind) -> tuple[str, ...]:
    """Return the columns that a search reads; in Go, annotations can hold setup stones."""
    return SEARCHED if kind is CHESS else (*SEARCHED, "Annotations")


def in_batches(batches: Batches, rows_at_once: int) -> Iterator[pyarrow.Table]:
    """Yield small batches as tables of at least `rows_at_once` rows; the last has the rest."""
    waiting: list[pyarrow.RecordBatch] = []
    rows = 0
    for batch in batches:
        waiting.append(batch)
        rows += batch.num_rows
        if rows >= rows_at_once:
            yield pyarrow.Table.from_batches(waiting)
            waiting, rows = [], 0
    if rows:
        yield pyarrow.Table.from_batches(waiting)


# --- chunks to rows ------------------------------------------------------------------------------


def games_in(payload: memoryview, offsets: Mapping[int, ChunkOffsets]) -> pyarrow.Table:
    """Return the numbered games of a chunk."""
    table = from_bytes(payload)
    number = (table.schema.metadata or {}).get(_NUMBER)
    if number is None:
        return table
    offset = offsets[int(number)]
    faults = table["Faults"]
    columns = {
        "ID": pyarrow.compute.add(table["ID"], offset.first_id),
        "SourceID": pyarrow.compute.add(table["SourceID"], offset.source_id - 1),
        "SourceNumber": pyarrow.compute.add(table["SourceNumber"], offset.first_number),
        "SourceOffset": pyarrow.compute.add(table["SourceOffset"], offset.first_byte),
        "Faults": faults
        if faults.null_count == table.num_rows
        else pyarrow.array(_moved(faults.to_pylist(), offset.first_line), faults.type),
    }
    for name, column in columns.items():
        table = table.set_column(table.column_names.index(name), name, column)
    return table.replace_schema_metadata(None)


def _moved(faults: Iterable[list[_Fault] | None], lines: int) -> list[list[_Fault] | None]:
    return [
        of_game and [{**fault, "Line": fault["Line"] + lines} for fault in of_game]
        for of_game in faults
    ]


def games_of_batches(
    offsets: Mapping[int, ChunkOffsets], batches: Batches
) -> Iterator[pyarrow.Table]:
    """Yield the numbered games of chunks, from batches with the column Rows."""
    return (games_in(payload, offsets) for payload in payloads_of(batches, "Rows"))


def games_of_chunks(chunks: Chunks) -> DataFrame:
    """Return the games as rows of lossless tables."""
    offsets = chunks.offsets

    def games(batches: Batches) -> Batches:
        for table in games_of_batches(offsets, batches):
            yield from table.to_batches()

    return map_batches(chunks.frame.select("Rows"), games, GAMES_SCHEMA)


def problems_of_chunks(chunks: Chunks) -> DataFrame:
    """Return rejected text, and the faults of truncated games."""
    offsets = chunks.offsets

    def problems(batches: Batches) -> Batches:
        for batch in batches:
            for number, payload in zip(batch["Chunk"].to_pylist(), batch["Problems"], strict=True):
                yield from _problems(from_bytes(memoryview(payload.as_buffer())), offsets[number])

    frame = chunks.frame.where("Problems IS NOT NULL").select("Chunk", "Problems")
    return map_batches(frame, problems, PROBLEMS)


def _problems(table: pyarrow.Table, offset: ChunkOffsets) -> Batches:
    add = pyarrow.compute.add
    columns = {
        "ID": add(table["ID"], offset.first_id),
        "SourceID": add(table["SourceID"], offset.source_id - 1),
        "SourceNumber": add(table["SourceNumber"], offset.first_number),
        "Line": add(table["Line"], offset.first_line),
        "Name": pyarrow.array(offset.names).take(add(table["SourceID"], -1)),
    }
    for name, column in columns.items():
        field = PROBLEMS.field(name)
        column = column if isinstance(column, pyarrow.ChunkedArray) else [column]
        values = pyarrow.chunked_array(column, field.type)
        table = table.set_column(PROBLEMS.names.index(name), field, values)
    batches: Batches = table.to_batches()
    return batches


def payloads_of(batches: Batches, name: str) -> Iterator[memoryview]:
    for batch in batches:
        for value in batch[name]:
            yield content_of(memoryview(value.as_buffer()))
