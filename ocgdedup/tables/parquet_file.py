"""Read and write tables as Parquet, with pyarrow, an optional dependency."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Protocol

from ocgdedup.errors import IntegrityError, PgnReadError, UsageError
from ocgdedup.tables.columns import Column, Columns, Table
from ocgdedup.tables.formats import EXPORT_FORMATS, TABLE_FORMATS
from ocgdedup.wording import joined

if TYPE_CHECKING:
    import pyarrow
    import pyarrow.parquet

# A row group is in memory as a whole while it is written.
ROW_GROUP_ROWS = 50_000
ROW_GROUP_BYTES = 1 << 27
_ROWS_READ = 2_000  # at a time

_OTHER_FORMATS = joined(
    [name for name in EXPORT_FORMATS if not TABLE_FORMATS[name].is_binary], "or"
)
_ARROW_TYPES = {"real": "float64", "text": "string", "word": "string", "bytes": "binary"}


def load_pyarrow() -> tuple[ModuleType, ModuleType]:
    """Return the modules pyarrow and pyarrow.parquet; UsageError if they are not installed."""
    try:
        import pyarrow  # 140 ms
        import pyarrow.parquet  # 190 ms
    except ImportError as error:
        raise UsageError(
            'Parquet needs pyarrow, which is not installed; install it with "pip install '
            f"'ocgdedup[parquet]'\"; tables can also be written with --format {_OTHER_FORMATS}"
        ) from error
    return pyarrow, pyarrow.parquet


def arrow_schema(table: Table) -> pyarrow.Schema:
    """Return the Arrow schema of a table."""
    arrow, _ = load_pyarrow()
    return arrow.schema([(column.name, _type_of(arrow, column)) for column in table.columns])


def _type_of(arrow: ModuleType, column: Column) -> pyarrow.DataType:
    if column.kind == "rows":
        fields = [(inner.name, _type_of(arrow, inner)) for inner in column.columns]
        return arrow.list_(arrow.struct(fields))
    return getattr(arrow, _ARROW_TYPES.get(column.kind, column.kind))()


# Columns that folders of older versions lack; their values are NULL.
_ADDED = {"decisions": frozenset({"Note"})}


def read_parquet(path: str, table: Table) -> Iterator[Columns]:
    """Yield the rows of a file, 2,000 at a time.

    Raises PgnReadError for a file that is not Parquet and for missing columns or wrong types.
    """
    arrow, parquet = load_pyarrow()
    schema = arrow_schema(table)
    try:
        with parquet.ParquetFile(path) as file:
            absent = _ADDED.get(table.name, frozenset()).difference(file.schema_arrow.names)
            read = [name for name in table.column_names if name not in absent]
            for name in read:
                if (count := file.schema_arrow.names.count(name)) != 1:
                    problem = "occurs twice" if count else "is missing"
                    raise PgnReadError(f"{path}: column {name} of table {table.name} {problem}")
            for batch in file.iter_batches(_ROWS_READ, columns=read):
                rows = arrow.Table.from_batches([batch])
                for name in absent:
                    rows = rows.append_column(name, arrow.nulls(rows.num_rows))
                rows = rows.select(schema.names).cast(schema)
                yield [column.to_pylist() for column in rows.columns]
    except (arrow.ArrowException, OSError, ValueError) as error:  # text that is not UTF-8, too
        raise PgnReadError(f"{path}: cannot be read: {error}") from error


class Target(Protocol):
    """The methods of an output file that pyarrow calls."""

    def write(self, data: bytes, /) -> int: ...
    def tell(self) -> int: ...
    def flush(self) -> None: ...


def write_rows(handle: Target, table: Table, rows: pyarrow.Table) -> None:
    """Write an Arrow table that has the columns of `table`, as ParquetFile does."""
    with _writer(handle, table) as writer:
        writer.write_table(rows, row_group_size=ROW_GROUP_ROWS)


def _writer(handle: Target, table: Table) -> pyarrow.parquet.ParquetWriter:
    words = [column.name for column in table.columns if column.kind == "word"]
    parquet = load_pyarrow()[1]
    return parquet.ParquetWriter(
        handle, arrow_schema(table), compression="zstd", use_dictionary=words
    )


class ParquetFile:
    """Writes a table as Parquet: zstd, row groups of 50,000 rows, dictionaries for words."""

    def __init__(self, handle: Target, table: Table) -> None:
        self._arrow = load_pyarrow()[0]
        self._table = table
        self._schema = arrow_schema(table)
        self._writer = _writer(handle, table)
        self._pending: list[pyarrow.RecordBatch] = []

    def write(self, columns: Columns) -> None:
        """Append rows; raise IntegrityError for a value that does not fit its column's type."""
        arrays = [
            self._array(column, values)
            for column, values in zip(self._table.columns, columns, strict=True)
        ]
        self._pending.append(self._arrow.record_batch(arrays, schema=self._schema))
        if (
            sum(batch.num_rows for batch in self._pending) >= ROW_GROUP_ROWS
            or sum(batch.nbytes for batch in self._pending) >= ROW_GROUP_BYTES
        ):
            self._write_pending()

    def finish(self) -> None:
        self._write_pending()
        self._writer.close()

    def discard(self) -> None:
        self._writer.is_open = False  # otherwise its finalizer would complete the file

    def _write_pending(self) -> None:
        group = self._arrow.Table.from_batches(self._pending, self._schema)
        if group.num_rows:  # pyarrow refuses a group without rows
            self._writer.write_table(group, row_group_size=group.num_rows)
        self._pending = []

    def _array(self, column: Column, values: object) -> pyarrow.Array:
        try:
            return self._arrow.array(values, type=_type_of(self._arrow, column))
        except (self._arrow.ArrowException, OverflowError) as error:
            raise IntegrityError(
                f"column {column.name} of table {self._table.name}: has a value that is not "
                f"{column.kind} ({error}); correct it in the database, or take --format "
                f"{_OTHER_FORMATS}"
            ) from error
