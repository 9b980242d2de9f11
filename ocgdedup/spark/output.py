"""Write games on Spark to files: text without duplicates, and lossless tables."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from functools import partial
from typing import BinaryIO, NamedTuple

import numpy
import pyarrow
import pyarrow.compute
from pyspark import TaskContext
from pyspark.sql import DataFrame

from ocgdedup.files import storage
from ocgdedup.files.compress import compressed
from ocgdedup.game_kind import GameKind, kind_of
from ocgdedup.pipeline.export.emit import GameWriter
from ocgdedup.pipeline.export.text_form import CLEAN
from ocgdedup.spark import messages
from ocgdedup.spark.chunks import ChunkOffsets, Chunks, games_in, in_batches, payloads_of
from ocgdedup.spark.groups import DUPLICATES, MERGED_PERSONS
from ocgdedup.spark.messages import Batches, Message, Received, Slots
from ocgdedup.spark.part import GAMES_SCHEMA, Part
from ocgdedup.spark.persons import NamedGames, PersonsBroadcast, broadcast_persons, players_of
from ocgdedup.spark.search import CARRIED, GAMES
from ocgdedup.store.connection import Database
from ocgdedup.tables.columns import LOSSLESS_GAMES
from ocgdedup.tables.formats import check_name
from ocgdedup.tables.parquet_file import write_rows

_GAMES_AT_ONCE = 10_000  # in the database of a worker
MARKS = "marks"  # kind of messages: duplicates and merged games
_NAMED_PART = messages.schema_of("part int64, name string")


def write_pgn(
    games: DataFrame,
    folder: str,
    *,
    persons: DataFrame | None = None,
    ending: str | None = None,
    is_go: bool = False,
    files: int = 0,
) -> list[str]:
    """Write games to files of a folder, a path or URL; return the file names, in order.

    The files part-00000.pgn and so on are sorted by ID; `files`: their number (default:
    spark.sql.shuffle.partitions). `ending`: ".pgn", or ".sgf" for Go games, with the suffix of a
    compression, such as ".pgn.zst". A file gets its name when it is complete; files of an earlier
    run are replaced or deleted.

    `persons`: of resolve_players(), for games of clean_games() with `persons`; the players then
    have their names in the FIDE list.
    """
    kind = kind_of(is_go)
    ending = f".{kind.text_format}" if ending is None else ending
    folder = storage.located(folder)
    check_name(f"part{ending}", kind.text_format, is_packed=True)
    storage.check_output(folder)
    count = files or int(games.sparkSession.conf.get("spark.sql.shuffle.partitions") or 1)
    ordered = games.repartitionByRange(count, "ID").sortWithinPartitions("ID")
    broadcast = None if persons is None else broadcast_persons(persons)

    def write(batches: Batches) -> Batches:
        part = _task().partitionId()
        name = f"part-{part:05}{ending}"
        path = f"{folder}/{name}"
        with _file_of_task(path) as handle:
            _write_text(handle, path, in_batches(batches, _GAMES_AT_ONCE), kind, broadcast)
        yield messages.record_batch(_NAMED_PART, {"part": [part], "name": [name]})

    rows = messages.map_batches(ordered, write, _NAMED_PART).collect()
    names = [name for _, name in sorted((row.part, row.name) for row in rows)]
    remove_other_parts(folder, ending, names)
    return names


def remove_other_parts(folder: str, ending: str, names: Iterable[str]) -> None:
    """Delete the files of an earlier run with more files, and what killed tasks left."""
    part = re.compile(rf"part-[0-9]{{5,}}{re.escape(ending)}(\.[0-9]+\.tmp)?")
    for other in filter(part.fullmatch, set(storage.names_in(folder)).difference(names)):
        storage.delete_file(f"{folder}/{other}")


def _task() -> TaskContext:
    context = TaskContext.get()
    assert context is not None
    return context


def _file_of_task(path: str) -> AbstractContextManager[BinaryIO]:
    return storage.new_file(path, _task().taskAttemptId())  # a task may run twice at once


def _write_text(
    handle: BinaryIO,
    path: str,
    tables: Iterable[pyarrow.Table],
    kind: GameKind,
    persons: PersonsBroadcast | None,
) -> None:
    """Write games, sorted by ID, with the compression of the path's suffix."""
    players = None if persons is None else players_of(persons)
    form = CLEAN._replace(canonical_names=players is not None)
    with compressed(handle, path) as output:
        for table in tables:
            part = Part(table, kind)
            if players is not None:
                players.write_names(part)
            titles = None if players is None else players.titles
            writer = GameWriter(Database(path, part.connection, True), form, titles=titles)
            for _, text in writer.all_games():
                output.write(text)
            part.close()


# --- chunks to files -----------------------------------------------------------------------------


class Outputs(NamedTuple):
    """The folders for lossless tables, and for text without duplicates."""

    tables: str
    clean: str
    kind: GameKind

    @property
    def ending(self) -> str:
        return f".{self.kind.text_format}"


class Written(NamedTuple):
    """The files of a part; `rows`, `bytes`: of the table; `games`: of the text."""

    part: int
    table: str
    rows: int
    bytes: int
    text: str
    games: int


_WRITTEN = messages.schema_of(
    "part int64, table string, rows int64, bytes int64, text string, games int64"
)


def write_chunks(
    chunks: Chunks,
    grouped: DataFrame,
    outputs: Outputs,
    slots: Slots,
    named: NamedGames | None = None,
) -> list[Written]:
    """Write all games as tables, and games without duplicates as text; return the files.

    `grouped`: messages of groups.grouped(). `named`: the games with their players, which are
    written instead of `chunks`. Files of an earlier run are replaced or deleted.
    """
    for folder in outputs.tables, outputs.clean:
        storage.check_output(folder)
    # The first chunk and the first ID of each file.
    firsts = chunks.firsts_of_files(len(slots)) or [(0, 0)]
    first_chunks = [chunk for chunk, _ in firsts]
    first_ids = [before + 1 for _, before in firsts]

    def chunks_to_files(batches: Batches) -> Iterator[Message]:
        for batch in batches:
            for number, rows in zip(batch["Chunk"].to_pylist(), batch["Rows"], strict=True):
                yield Message(bisect_right(first_chunks, number) - 1, GAMES, rows.as_py())

    def marks_to_files(batches: Batches) -> Iterator[Message]:
        for payload in payloads_of(batches, "payload"):
            table = messages.from_bytes(payload).select(["ID", "DuplicateStatus", "Merged"])
            valid = map(pyarrow.compute.is_valid, table.columns[1:])
            table = table.filter(pyarrow.compute.or_(*valid))
            homes = numpy.searchsorted(first_ids, numpy.asarray(table["ID"]), "right") - 1
            yield from messages.rows_to_parts(MARKS, table, homes)

    marked = grouped.where(grouped["kind"] == DUPLICATES).select("payload")
    written_chunks = chunks if named is None else named.chunks
    sent = [
        messages.send(written_chunks.frame.select("Chunk", "Rows"), chunks_to_files, slots),
        messages.send(marked, marks_to_files, slots),
    ]
    offsets, persons = written_chunks.offsets, None if named is None else named.persons
    work = partial(_write_file, outputs, offsets, persons)
    rows = messages.results(sent, work, slots, _WRITTEN).collect()
    written = sorted(Written(*row) for row in rows)
    slots.delete_passing()
    remove_other_parts(outputs.tables, ".parquet", [file.table for file in written])
    remove_other_parts(outputs.clean, outputs.ending, [file.text for file in written])
    return written


def _write_file(
    outputs: Outputs,
    offsets: Mapping[int, ChunkOffsets],
    persons: PersonsBroadcast | None,
    received: Received,
) -> Batches:
    tables = [games_in(payload, offsets) for payload in received.payloads(GAMES)]
    tables = [table for table in tables if table.num_rows]
    tables.sort(key=lambda table: table["ID"][0].as_py())
    games = pyarrow.concat_tables(tables) if tables else GAMES_SCHEMA.empty_table()
    table, text = (f"part-{received.part:05}{end}" for end in (".parquet", outputs.ending))
    with _file_of_task(f"{outputs.tables}/{table}") as handle:
        write_rows(handle, LOSSLESS_GAMES, games.select(GAMES_SCHEMA.names))
        size = handle.tell()
    clean = _clean(games, received.table(MARKS))
    pieces = (
        clean.slice(start, _GAMES_AT_ONCE) for start in range(0, clean.num_rows, _GAMES_AT_ONCE)
    )
    text_path = f"{outputs.clean}/{text}"
    with _file_of_task(text_path) as handle:
        _write_text(handle, text_path, pieces, outputs.kind, persons)
    values = Written(received.part, table, games.num_rows, size, text, clean.num_rows)
    yield messages.record_batch(
        _WRITTEN, {name: [value] for name, value in values._asdict().items()}
    )


def _clean(games: pyarrow.Table, marks: pyarrow.Table | None) -> pyarrow.Table:
    """Return games without duplicates; kept games have merged headers and annotations."""
    names = [*CARRIED, *(name for name in MERGED_PERSONS if name in games.column_names)]
    games = games.select(names)
    if marks is None:
        return games
    is_unmarked = ~numpy.isin(numpy.asarray(games["ID"]), numpy.asarray(marks["ID"]))
    unmarked = games.filter(pyarrow.array(is_unmarked))
    merged = marks.filter(marks["DuplicateStatus"].is_null())
    values = merged["Merged"].combine_chunks()
    columns = [merged["ID"], *(values.field(name) for name in names[1:])]
    changed = pyarrow.table(columns, schema=games.schema)
    return pyarrow.concat_tables([unmarked, changed]).sort_by("ID")
