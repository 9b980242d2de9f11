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


def open_table(
    form: str, handle: BinaryIO, table: Table, *, is_safe_csv: bool = False
) -> TableFile:
    """Begin a file of a table; `form` is "parquet", "csv" or "jsonl".

    `is_safe_csv`: no text of CSV is a formula to a spreadsheet. Raises UsageError if what writes
    Parquet is not installed.
    """
    if form == "csv":
        return CsvFile(handle, table, is_safe=is_safe_csv)
    kinds: dict[str, type[ParquetFile] | type[JsonLinesFile]] = {
        "parquet": ParquetFile,
        "jsonl": JsonLinesFile,
    }
    return kinds[form](handle, table)
