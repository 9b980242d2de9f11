"""Messages between parts of the games, which Spark shuffles.

A message is a row: the part that receives it, its kind, and bytes that are opaque to Spark. So
Spark moves few large rows, whatever the number of games, keys and pairs in them. Workers write
large bytes to files if they can, and send a reference (see ocgdedup.spark.references).
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from functools import cache
from typing import Any, NamedTuple

import numpy
import pyarrow
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import from_arrow_schema

from ocgdedup.files import storage
from ocgdedup.spark.references import ReferredFile, content_of
from ocgdedup.spark.stages import Stages


def schema_of(columns: str, **nested: pyarrow.DataType) -> pyarrow.Schema:
    """Return a schema from text: "ID int64, Name string"; `nested`: types of other columns."""
    named = [column.split() for column in columns.split(",")]
    return pyarrow.schema([(name, *(kind or [nested[name]])) for name, *kind in named])


# `slot`: see Slots; `first`, `second`: indexes of two games that an edge links.
SCHEMA = schema_of("slot int32, part int32, kind string, payload binary, first int64, second int64")
_MESSAGE_BATCH_BYTES = 1 << 24  # of messages that a worker returns to Spark at a time
_CODEC = "lz4"  # of tables in messages
_TRIES = 24  # numbers tried for each slot; the chance of a missing one is 1 in 10**10

Numbers = numpy.ndarray[Any, numpy.dtype[Any]]


class Message(NamedTuple):
    """A message for a part: bytes, or the indexes of two linked games."""

    part: int
    kind: str
    payload: bytes | None
    first: int | None = None
    second: int | None = None


class Slots(list[int]):
    """A number for each part, chosen so that Spark's hash sends each part to its own partition.

    Otherwise a shuffle would leave some partitions empty and put several parts into others.
    `passing`: folder for large messages between two stages, if there is one.
    """

    passing: str | None = None

    @classmethod
    def of(cls, spark: SparkSession, parts: int, stages: Stages) -> Slots:
        count = _TRIES * parts + 1000
        numbers = spark.range(0, count, 1, 1).select(F.col("id").cast("int").alias("n"))
        rows = numbers.select("n", F.pmod(F.hash("n"), F.lit(parts))).collect()
        slot_of_part = {partition: number for number, partition in reversed(rows)}
        slots = cls(slot_of_part.get(part, part) for part in range(parts))
        slots.passing = stages.folder_of_passing()
        return slots

    def delete_passing(self) -> None:
        """Delete messages that are no longer needed."""
        if self.passing is not None:
            storage.delete_folder(self.passing)


class Received:
    """The messages that a part received."""

    def __init__(self, part: int) -> None:
        self.part = part
        self._payloads: dict[str, list[memoryview]] = {}
        self.links: list[tuple[int, int]] = []

    def add(
        self, kind: str, payload: memoryview | None, first: int | None, second: int | None
    ) -> None:
        if payload is not None:
            self._payloads.setdefault(kind, []).append(content_of(payload))
        elif first is not None and second is not None:
            self.links.append((first, second))

    def payloads(self, kind: str) -> list[memoryview]:
        """Return the bytes of all messages of a kind."""
        return self._payloads.get(kind, [])

    def table(self, kind: str) -> pyarrow.Table | None:
        """Return the rows of all messages of a kind that are tables; None if there are none."""
        tables = [from_bytes(payload) for payload in self.payloads(kind)]
        tables = [table for table in tables if table.num_rows]
        return pyarrow.concat_tables(tables) if tables else None


Batches = Iterable[pyarrow.RecordBatch]
Work = Callable[[Received], Iterable[Message]]


@cache
def _freeze_modules() -> None:
    """Exclude imported modules from the garbage collection that Spark runs after every task."""
    gc.freeze()


def map_batches(
    frame: DataFrame,
    work: Callable[[Batches], Batches],
    schema: pyarrow.Schema,
    folder: str | None = None,
) -> DataFrame:
    """Return the result of a function for the Arrow batches of each partition.

    Garbage collection is off meanwhile: with a part's values in lists it takes half of the time.
    `folder`: for large bytes in columns of `schema`, whose readers call content_of().
    """

    def run(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        _freeze_modules()
        was_enabled = gc.isenabled()
        gc.disable()
        try:
            if folder is None:
                yield from work(batches)
                return
            with ReferredFile(folder) as file:
                yield from map(file.without_large_bytes, work(batches))
        finally:
            if was_enabled:
                gc.enable()

    return frame.mapInArrow(run, from_arrow_schema(schema))


def send(frame: DataFrame, work: Callable[[Batches], Iterable[Message]], slots: Slots) -> DataFrame:
    """Return the messages of a function for the Arrow batches of each partition."""
    return map_batches(frame, lambda batches: _batches(work(batches), slots), SCHEMA, slots.passing)


def exchange(
    messages: Sequence[DataFrame], work: Work, slots: Slots, folder: str | None
) -> DataFrame:
    """Return the messages of a function for the messages that each part received.

    `folder`: for large messages, of the stage or `slots.passing`.
    """
    return results(
        messages, lambda received: _batches(work(received), slots), slots, SCHEMA, folder
    )


def results(
    messages: Sequence[DataFrame],
    work: Callable[[Received], Batches],
    slots: Slots,
    schema: pyarrow.Schema,
    folder: str | None = None,
) -> DataFrame:
    """Return the rows of a function for the messages that each part received."""

    def run(batches: Batches) -> Batches:
        for received in _received(batches):
            yield from work(received)

    union, *others = (frame.select(*SCHEMA.names) for frame in messages)
    for other in others:
        union = union.union(other)
    return map_batches(union.repartition(len(slots), "slot"), run, schema, folder)


def of_kinds(messages: DataFrame, *kinds: str) -> DataFrame:
    return messages.where(messages["kind"].isin(*kinds))


def _batches(messages: Iterable[Message], slots: Slots) -> Batches:
    waiting: list[Message] = []
    size = 0
    for message in messages:
        waiting.append(message)
        size += 64 if message.payload is None else len(message.payload)
        if size >= _MESSAGE_BATCH_BYTES:
            yield _batch(waiting, slots)
            waiting, size = [], 0
    if waiting:
        yield _batch(waiting, slots)


def _batch(messages: Sequence[Message], slots: Slots) -> pyarrow.RecordBatch:
    return batch_of_rows(SCHEMA, [(slots[message.part], *message) for message in messages])


def _received(batches: Batches) -> Iterator[Received]:
    """Yield the messages of each part of a partition, which nearly always is one part."""
    received: dict[int, Received] = {}
    for batch in batches:
        columns = (batch[name].to_pylist() for name in ("part", "kind", "first", "second"))
        for row, (part, kind, first, second) in enumerate(zip(*columns, strict=True)):
            buffer = batch["payload"][row].as_buffer()
            payload = None if buffer is None else memoryview(buffer)
            received.setdefault(part, Received(part)).add(kind, payload, first, second)
    for part in sorted(received):
        yield received.pop(part)


# --- bytes of messages ----------------------------------------------------------------------------


def record_batch(schema: pyarrow.Schema, columns: Mapping[str, Sized]) -> pyarrow.RecordBatch:
    """Return columns of one length as rows of a schema; missing columns are NULL."""
    count = len(next(iter(columns.values())))
    arrays = [
        pyarrow.array(columns[field.name], field.type)
        if field.name in columns
        else pyarrow.nulls(count, field.type)
        for field in schema
    ]
    return pyarrow.RecordBatch.from_arrays(arrays, schema=schema)


def batch_of_rows(schema: pyarrow.Schema, rows: Sequence[Sequence[object]]) -> pyarrow.RecordBatch:
    """Return one or more rows as rows of a schema."""
    return record_batch(schema, dict(zip(schema.names, zip(*rows, strict=True), strict=True)))


def to_bytes(table: pyarrow.Table | pyarrow.RecordBatch) -> bytes:
    """Return rows as a compressed stream of Arrow IPC."""
    sink = pyarrow.BufferOutputStream()
    options = pyarrow.ipc.IpcWriteOptions(compression=_CODEC)
    with pyarrow.ipc.new_stream(sink, table.schema, options=options) as writer:
        writer.write(table)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def from_bytes(payload: memoryview) -> pyarrow.Table:
    with pyarrow.ipc.open_stream(pyarrow.py_buffer(payload)) as reader:
        return reader.read_all()


def pack(sender: int, *columns: Numbers) -> bytes:
    """Return columns of numbers of one length, with the part that sends them, as bytes."""
    head = numpy.array([sender, len(columns[0])], dtype="<i8").tobytes()
    return head + b"".join(column.tobytes() for column in columns)


def unpack(payload: memoryview, *types: str) -> tuple[int, list[Numbers]]:
    """Return the sender and the columns of numbers of pack(); the caller gives their types."""
    sender, count = numpy.frombuffer(payload, "<i8", 2)
    offset, columns = 16, []
    for kind in types:
        columns.append(numpy.frombuffer(payload, kind, count, offset))
        offset += columns[-1].nbytes
    return int(sender), columns


def unpack_all(payloads: Iterable[memoryview], *types: str) -> list[Numbers]:
    """Return the concatenated columns of several messages."""
    parts = [unpack(payload, *types)[1] for payload in payloads]
    if not parts:
        return [numpy.empty(0, kind) for kind in types]
    return [numpy.concatenate(columns) for columns in zip(*parts, strict=True)]


def rows_to_parts(kind: str, table: pyarrow.Table, parts: Numbers) -> Iterator[Message]:
    """Yield messages with the rows of a table; `parts`: the receiver of each row."""
    for part, (rows,) in by_part(parts, numpy.arange(len(parts))):
        yield Message(part, kind, to_bytes(table.take(pyarrow.array(rows))))


def by_part(parts: Numbers, *columns: Numbers) -> Iterator[tuple[int, list[Numbers]]]:
    """Yield (part, its rows of the columns) in the order of the parts."""
    if not len(parts):
        return
    order = numpy.argsort(parts, kind="stable")
    ordered = parts[order]
    starts = numpy.flatnonzero(numpy.r_[True, ordered[1:] != ordered[:-1]]).tolist()
    for start, end in zip(starts, [*starts[1:], len(parts)], strict=True):
        rows = order[start:end]
        yield int(ordered[start]), [column[rows] for column in columns]
