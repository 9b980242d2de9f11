"""The kinds of files that tables are written to."""

from __future__ import annotations

from typing import BinaryIO, Protocol

from ocgdedup.tables.columns import Columns, Table
from ocgdedup.tables.parquet_file import ParquetFile
from ocgdedup.tables.text_files import CsvFile, JsonLinesFile


class TableFile(Protocol):
    """A table on its way into a file."""

    def write(self, columns: Columns) -> None:
        """Append rows."""

    def finish(self) -> None:
        """End the file; the handle stays open."""

    def give_up(self) -> None:
        """Write nothing more: the file is thrown away."""


def open_table(form: str, handle: BinaryIO, table: Table) -> TableFile:
    """Begin a file of a table; `form` is "parquet", "csv" or "jsonl".

    Raises UsageError if what writes Parquet is not installed.
    """
    kinds: dict[str, type[ParquetFile] | type[CsvFile] | type[JsonLinesFile]] = {
        "parquet": ParquetFile,
        "csv": CsvFile,
        "jsonl": JsonLinesFile,
    }
    return kinds[form](handle, table)
