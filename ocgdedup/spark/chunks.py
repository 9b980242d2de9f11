"""Games in chunks: few large rows for Spark, each with thousands of games in bytes.

A chunk is numbered when the games before it are known. Until then its games count from 1, and its
lines from the start of the chunk: `Place` says what to add.
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

# `Offset`: in the text `Source`, NULL where damage ends it. `IsGo`: NULL without games. `Sample`:
# bytes of mainlines, in the order of games. `Problems`: rows of PROBLEMS, NULL if there are none.
# `Rows`: of GAMES_SCHEMA.
SCHEMA = schema_of(
    "Chunk int64, Source string, Offset int64, Games int64, IsGo bool, Blocks int64, Lines int64, "
    "Sample, Problems binary, Rows binary",
    Sample=pyarrow.list_(pyarrow.binary()),
)
PROBLEMS = schema_of(
    "ID int64, SourceID int64, SourceNumber int64, Line int64, Ply int32, Reason string, "
    "Text binary, Name string"
)
_GAMES_A_CHUNK = 20_000  # of games that come as rows
_GAMES_A_SAMPLE, _LEAST_SAMPLES = 1_000, 32  # of a chunk
_NUMBER = b"chunk"  # of the chunk, in the metadata of its rows

_Fault = dict[str, Any]  # a value of the column Faults of lossless tables


class Place(NamedTuple):
    """What to add to the numbers of a chunk, and the text that it is from."""

    first_id: int
    source_id: int
    name: str
    first_number: int
    first_line: int


class Summary(NamedTuple):
    """What the driver knows of a chunk."""

    number: int
    games: int
    sample: Sequence[bytes]


class Chunks(NamedTuple):
    """Games as rows of SCHEMA; `places`: of chunks whose games are not numbered yet."""

    frame: DataFrame
    summaries: Sequence[Summary]
    places: Mapping[int, Place]
    kind: GameKind

    def cuts(self, parts: int) -> list[bytes]:
        """Return the bytes at which the order of games is cut into parts of like size.

        That rests on samples, and changes no result.
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
        """Return (first chunk, ID before it) of each file, if chunks go to files of like size."""
        total = sum(chunk.games for chunk in self.summaries)
        firsts: list[tuple[int, int]] = []
        before = 0
        for chunk in self.summaries:
            if len(firsts) < files and before * files >= total * len(firsts):
                firsts.append((chunk.number, before))
            before += chunk.games
        return firsts


def summaries_of(frame: DataFrame) -> list[Summary]:
    rows = frame.select("Chunk", "Games", "Sample").collect()
    return sorted(Summary(row[0], row[1], [bytes(key) for key in row[2]]) for row in rows)


def chunks_of_rows(games: DataFrame, kind: GameKind) -> DataFrame:
    """Return games that have their numbers as rows of SCHEMA."""

    def chunks(batches: Batches) -> Batches:
        for table in in_batches(batches, _GAMES_A_CHUNK):
            faults = pyarrow.nulls(table.num_rows, GAMES_SCHEMA.field("Faults").type)
            yield chunk_row(table.append_column("Faults", faults).cast(GAMES_SCHEMA), kind)

    frame = games.select(*(name for name in GAMES_SCHEMA.names if name != "Faults"))
    return map_batches(frame, chunks, SCHEMA)


def chunk_row(
    games: pyarrow.Table,
    kind: GameKind,
    *,
    number: int | None = None,
    source: str | None = None,
    offset: int | None = None,
    blocks: int = 0,
    lines: int = 0,
    problems: Mapping[str, Sized] | None = None,
) -> pyarrow.RecordBatch:
    """Return a chunk; with a `number` its games count from 1, until it has its place."""
    if number is not None:
        games = games.replace_schema_metadata({_NUMBER: str(number)})
    values = {
        "Chunk": number,
        "Source": source,
        "Offset": offset,
        "Games": games.num_rows,
        "IsGo": kind is GO if games.num_rows else None,
        "Blocks": blocks,
        "Lines": lines,
        "Sample": _sample(games, kind) if games.num_rows else [],
        "Problems": to_bytes(record_batch(PROBLEMS, problems)) if problems else None,
        "Rows": to_bytes(games),
    }
    return record_batch(SCHEMA, {name: [value] for name, value in values.items()})


def _sample(games: pyarrow.Table, kind: GameKind) -> list[bytes]:
    count = max(_LEAST_SAMPLES, games.num_rows // _GAMES_A_SAMPLE)
    rows = numpy.unique(numpy.linspace(0, games.num_rows, count, endpoint=False, dtype="<i8"))
    return sorted(line_keys(games.take(pyarrow.array(rows)), kind))


def line_keys(table: pyarrow.Table, kind: GameKind) -> list[bytes]:
    """Return what games are ordered by; of an unusual start the kernel knows it after reading."""
    moves = table["Moves2"].to_pylist()
    is_usual = [kind is CHESS and not fen for fen in table["FEN"].to_pylist()]
    keys = [
        search_kernel.line_key(blob or b"") if usual else b""
        for blob, usual in zip(moves, is_usual, strict=True)
    ]
    if not all(is_usual):
        rows = [row for row, usual in enumerate(is_usual) if not usual]
        some = table.select(searched_columns(kind)).take(rows)
        part = Part(some, kind)
        known = dict(search_kernel.line_keys(unsearched_finder(part.connection, SearchOptions())))
        part.close()
        for row, game_id in zip(rows, some["ID"].to_pylist(), strict=True):
            keys[row] = known[game_id]
    return keys


def searched_columns(kind: GameKind) -> tuple[str, ...]:
    """Return the columns that a search reads: setup stones of Go games are annotations."""
    return SEARCHED if kind is CHESS else (*SEARCHED, "Annotations")


def in_batches(batches: Batches, rows_at_once: int) -> Iterator[pyarrow.Table]:
    """Yield the rows of small batches in tables of at least so many rows; the last has the rest."""
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


def games_in(payload: memoryview, places: Mapping[int, Place]) -> pyarrow.Table:
    """Return the games of a chunk, numbered."""
    table = from_bytes(payload)
    number = (table.schema.metadata or {}).get(_NUMBER)
    if number is None:
        return table
    place = places[int(number)]
    faults = table["Faults"]
    columns = {
        "ID": pyarrow.compute.add(table["ID"], place.first_id),
        "SourceID": pyarrow.array(numpy.full(table.num_rows, place.source_id)),
        "SourceNumber": pyarrow.compute.add(table["SourceNumber"], place.first_number),
        "Faults": faults
        if faults.null_count == table.num_rows
        else pyarrow.array(_moved(faults.to_pylist(), place.first_line), faults.type),
    }
    for name, column in columns.items():
        table = table.set_column(table.column_names.index(name), name, column)
    return table.replace_schema_metadata(None)


def _moved(faults: Iterable[list[_Fault] | None], lines: int) -> list[list[_Fault] | None]:
    return [own and [{**fault, "Line": fault["Line"] + lines} for fault in own] for own in faults]


def games_of_batches(places: Mapping[int, Place], batches: Batches) -> Iterator[pyarrow.Table]:
    """Yield the games of the chunks in batches with the column Rows, numbered."""
    return (games_in(payload, places) for payload in payloads_of(batches, "Rows"))


def games_of_chunks(chunks: Chunks) -> DataFrame:
    """Return the games as rows of lossless tables."""
    places = chunks.places

    def games(batches: Batches) -> Batches:
        for table in games_of_batches(places, batches):
            yield from table.to_batches()

    return map_batches(chunks.frame.select("Rows"), games, GAMES_SCHEMA)


def problems_of_chunks(chunks: Chunks) -> DataFrame:
    """Return rejected text, and where the moves of truncated games became illegal."""
    places = chunks.places

    def problems(batches: Batches) -> Batches:
        for batch in batches:
            for number, payload in zip(batch["Chunk"].to_pylist(), batch["Problems"], strict=True):
                yield from _problems(from_bytes(memoryview(payload.as_buffer())), places[number])

    frame = chunks.frame.where("Problems IS NOT NULL").select("Chunk", "Problems")
    return map_batches(frame, problems, PROBLEMS)


def _problems(table: pyarrow.Table, place: Place) -> Batches:
    add = pyarrow.compute.add
    columns = {
        "ID": add(table["ID"], place.first_id),
        "SourceID": [place.source_id] * table.num_rows,
        "SourceNumber": add(table["SourceNumber"], place.first_number),
        "Line": add(table["Line"], place.first_line),
        "Name": [place.name] * table.num_rows,
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
            yield memoryview(value.as_buffer())
