"""A part of the games as a database in memory, on which the stages of the search run.

Runs in Spark workers, and must not import Spark.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import apsw
import numpy
import pyarrow

from ocgdedup._kernels.search import name_hash
from ocgdedup.game_columns import LOADED_COLUMNS
from ocgdedup.game_kind import CHESS, GameKind
from ocgdedup.pipeline.ingest.lossless import LosslessReader
from ocgdedup.store import fide_players, games
from ocgdedup.store.database import create_database
from ocgdedup.store.games import ColumnWriter, game_columns
from ocgdedup.store.names import NAME_TABLES, names_by_id, set_variant
from ocgdedup.tables.columns import LOSSLESS_GAMES
from ocgdedup.tables.parquet_file import arrow_schema

if TYPE_CHECKING:
    from ocgdedup._kernels.search import Column

SIDES = ("White", "Black")
_ANNOTATIONS = "Annotations"
# For each table of NAME_TABLES, the columns of games with its IDs and with its texts.
_NAMES = (
    (("EventID", "Event"),),
    (("SiteID", "Site"),),
    (("WhiteID", "White"), ("BlackID", "Black")),
)
_NAMED = pyarrow.schema({"ID": "int64", "Name": "string"})
# Columns of games that a search reads.
SEARCHED = (
    "ID", "Event", "Site", "Date", "Round", "White", "WhiteElo", "Black", "BlackElo", "Result",
    "PlyCount", "FEN", "Moves2", "MoveHash", "FinalZobrist", "SourceID", "ExtraTags",
)  # fmt: skip
# Columns of games with resolved players. The first four are stored in Games.
PERSON_COLUMNS = (
    "WhitePersonID", "BlackPersonID", "CoreHash", "BackFilled", "WhitePersonFideID",
    "BlackPersonFideID",
)  # fmt: skip
_STORED_PERSONS = PERSON_COLUMNS[:4]
# Columns that the back-fill of players reads or changes.
FILLED_COLUMNS = ("ID", "Date", "White", "WhiteElo", "Black", "BlackElo", "ExtraTags")

GAMES_SCHEMA = arrow_schema(LOSSLESS_GAMES)


class Part:
    """A database of the games of a part, with their IDs in the whole collection.

    `table`: columns of LOSSLESS_GAMES and PERSON_COLUMNS; missing ones are NULL. `name_ids`,
    `names`: IDs by name and names by ID for each table of NAME_TABLES. With `ids_by_hash`, a name
    has the same ID in all parts.
    """

    def __init__(self, table: pyarrow.Table, kind: GameKind, *, ids_by_hash: bool = False) -> None:
        self.connection = create_database(":memory:")
        self.name_ids: list[dict[str, int]] = [{"": 1} for _ in NAME_TABLES]
        table = in_order_of_ids(table)
        self.ids = numpy.asarray(table["ID"])
        existing = {*table.column_names}
        loaded = {name: table[name] for name in LOADED_COLUMNS if name in existing}
        loaded.update({name: table[name] for name in _STORED_PERSONS if name in existing})
        for ids, columns in zip(self.name_ids, _NAMES, strict=True):
            for column, text in columns:
                if text in existing:
                    loaded[column] = _name_ids(ids, table[text], by_hash=ids_by_hash)
        with self.connection:
            if kind is not CHESS:
                set_variant(self.connection, kind)
            for table_name, ids in zip(NAME_TABLES, self.name_ids, strict=True):
                self._insert(table_name, pyarrow.table([list(ids.values()), list(ids)], _NAMED))
            self._insert("Games", pyarrow.table(loaded))
            if existing.issuperset(PERSON_COLUMNS):
                self._insert("Persons", _persons_of(table))
            if _ANNOTATIONS in existing:
                self._insert_annotations(table)
        games.build_note_indexes(self.connection)
        self.names = [{number: text for text, number in ids.items()} for ids in self.name_ids]

    def _insert(self, table_name: str, rows: pyarrow.Table) -> None:
        writer = ColumnWriter(self.connection, table_name, rows.column_names)
        for batch in rows.to_batches():
            columns: list[Column] = []
            for array in batch.columns:
                valid, *others = array.buffers()
                offsets = others[0] if len(others) > 1 else None
                columns.append((str(array.type), array.offset, valid, offsets, others[-1]))
            writer.write(columns, batch.num_rows)
        writer.close()

    def _insert_annotations(self, table: pyarrow.Table) -> None:
        comments: list[games.Row] = []
        others: list[games.Row] = []
        rows = table.select(["ID", _ANNOTATIONS]).filter(table[_ANNOTATIONS].is_valid())
        for game_id, notes in zip(*(column.to_pylist() for column in rows.columns), strict=True):
            games.add_annotations(game_id, notes, comments, others)
        games.insert_rows(self.connection, "Comments", comments)
        games.insert_rows(self.connection, "Annotations", others)

    def set_list_month(self, month: str | None) -> None:
        """Store the month of the rating list in the database."""
        rating_list = fide_players.RatingList("", "fide", None, None, month, 0)
        fide_players.record_list(self.connection, rating_list)

    def filled_columns(self) -> dict[str, pyarrow.Array]:
        """Return the columns with persons and back-filled values, in the order of the game IDs."""
        names = ("ExtraTags", "WhiteElo", "BlackElo", *_STORED_PERSONS)
        return _columns_of(self.connection, names)

    def close(self) -> None:
        self.connection.close()


def persons_in(table: pyarrow.Table) -> list[str]:
    """Return the PERSON_COLUMNS of a table, which has all or none."""
    return [name for name in PERSON_COLUMNS if name in table.column_names]


def games_of_database(connection: apsw.Connection) -> pyarrow.Table:
    """Return all games of a newly imported database, as rows of GAMES_SCHEMA sorted by ID."""
    columns = _columns_of(connection, LOADED_COLUMNS)
    for table_name, id_columns in zip(NAME_TABLES, _NAMES, strict=True):
        names = pyarrow.array(names_by_id(connection, table_name), pyarrow.string())
        columns.update((text, names.take(columns[column])) for column, text in id_columns)
    ids = columns["ID"].to_pylist()
    lists = LosslessReader(connection).annotations_and_faults(ids)
    for name, values in zip((_ANNOTATIONS, "Faults"), lists, strict=True):
        columns[name] = pyarrow.array(values, GAMES_SCHEMA.field(name).type)
    return pyarrow.table([columns[name] for name in GAMES_SCHEMA.names], GAMES_SCHEMA)


def _columns_of(connection: apsw.Connection, names: Sequence[str]) -> dict[str, pyarrow.Array]:
    types = [
        GAMES_SCHEMA.field(name).type if name in GAMES_SCHEMA.names else pyarrow.int64()
        for name in names
    ]
    rows, columns = game_columns(connection, names, list(map(str, types)))
    arrays: dict[str, pyarrow.Array] = {}
    for name, column, kind in zip(names, columns, types, strict=True):
        buffers = [pyarrow.py_buffer(buffer) for buffer in column[2:] if buffer is not None]
        arrays[name] = pyarrow.Array.from_buffers(kind, rows, buffers)
    return arrays


def in_order_of_ids(table: pyarrow.Table) -> pyarrow.Table:
    ids = numpy.asarray(table["ID"])
    if (ids[1:] > ids[:-1]).all():
        return table
    return table.take(pyarrow.array(numpy.argsort(ids)))


def _persons_of(table: pyarrow.Table) -> pyarrow.Table:
    """Return IDs and FIDE IDs of the persons of games, as rows of Persons."""
    sides = [
        table.select([f"{side}PersonID", f"{side}PersonFideID"]).rename_columns(["ID", "FideID"])
        for side in SIDES
    ]
    rows = pyarrow.concat_tables(sides).group_by(["ID", "FideID"]).aggregate([])
    rows = rows.filter(rows["ID"].is_valid())
    return rows.append_column("Name", pyarrow.array([""] * rows.num_rows, pyarrow.string()))


def _name_ids(
    name_ids: dict[str, int], texts: pyarrow.ChunkedArray, *, by_hash: bool
) -> pyarrow.ChunkedArray:
    """Return the IDs of names; a new name gets the next ID, or its hash in 63 bits."""
    chunks = []
    for chunk in texts.chunks:
        coded = chunk.dictionary_encode(null_encoding="encode")
        ids = [
            name_ids.setdefault(
                text or "", name_hash(text or "") >> 1 if by_hash else len(name_ids) + 1
            )
            for text in coded.dictionary.to_pylist()
        ]
        chunks.append(pyarrow.array(numpy.array(ids, "<i8")[numpy.asarray(coded.indices)]))
    return pyarrow.chunked_array(chunks, pyarrow.int64())
