"""Write tables to files: CSV (RFC 4180), JSON Lines and JSON, all in UTF-8."""

from __future__ import annotations

import json
from collections.abc import Sequence
from json.encoder import encode_basestring
from typing import BinaryIO, Protocol

from ocgdedup.tables.columns import Columns, Table
from ocgdedup.tables.spreadsheet import quoted_row


class TableFile(Protocol):
    """A file to which a table is written."""

    def write(self, columns: Columns) -> None:
        """Append rows."""

    def finish(self) -> None:
        """End the file; the handle stays open."""

    def discard(self) -> None:
        """Write no more: the file will be deleted."""


class CsvFile:
    """Writes a table as CSV: names in the first line, line ends CR LF, NULL as an empty field.

    `is_safe`: quote texts that a spreadsheet would run as formulas.
    """

    def __init__(self, handle: BinaryIO, table: Table, *, is_safe: bool = False) -> None:
        self._handle = handle
        self._is_safe = is_safe
        self.write([[name] for name in table.column_names])

    def write(self, columns: Columns) -> None:
        if self._is_safe:
            columns = [quoted_row(column) for column in columns]
        # By columns, since most need no quotes: half the time of csv.writer.
        rows = zip(*map(_csv_fields, columns), strict=True)
        self._handle.write("".join([",".join(row) + "\r\n" for row in rows]).encode())

    def finish(self) -> None: ...
    def discard(self) -> None: ...


def _csv_fields(values: Sequence[object]) -> list[str]:
    """Return the values of a column as fields, quoted where needed (RFC 4180, 2.6)."""
    fields = ["" if value is None else str(value) for value in values]
    if _needs_quotes("".join(fields)):
        return [_quoted(field) if _needs_quotes(field) else field for field in fields]
    return fields


def _needs_quotes(text: str) -> bool:
    return "," in text or '"' in text or "\n" in text or "\r" in text


def _quoted(text: str) -> str:
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


class JsonLinesFile:
    """Writes a table as JSON Lines: an object per row with all columns, NULL as null."""

    def __init__(self, handle: BinaryIO, table: Table) -> None:
        self._handle = handle
        members = ",".join(f"{encode_basestring(name)}:%s" for name in table.column_names)
        self._row = f"{{{members}}}\n"

    def write(self, columns: Columns) -> None:
        # By columns and one template: half the time of encoding row after row.
        rows = zip(*map(_json_values, columns), strict=True)
        self._handle.write("".join([self._row % row for row in rows]).encode())

    def finish(self) -> None: ...
    def discard(self) -> None: ...


def _json_values(values: Sequence[object]) -> list[str]:
    return [
        encode_basestring(value)
        if isinstance(value, str)
        else "null"
        if value is None
        else str(value)
        for value in values
    ]


class JsonArrayFile:
    """Writes a table as one array of objects, one per line for line-based tools."""

    def __init__(self, handle: BinaryIO, table: Table) -> None:
        self._handle = handle
        self._names = table.column_names
        self._start = "["  # of the next row

    def write(self, columns: Columns) -> None:
        lines = []
        for row in zip(*columns, strict=True):
            text = json.dumps(dict(zip(self._names, row, strict=True)), ensure_ascii=False)
            lines.append(f"{self._start}\n{text}")
            self._start = ","
        self._handle.write("".join(lines).encode())

    def finish(self) -> None:
        self._handle.write(b"[]\n" if self._start == "[" else b"\n]\n")

    def discard(self) -> None: ...


def open_table(
    form: str, handle: BinaryIO, table: Table, *, is_safe_csv: bool = False
) -> TableFile:
    """Start writing a table; `form`: a name of TABLE_FORMATS.

    `is_safe_csv`: quote texts of CSV that a spreadsheet would run as formulas. Raises UsageError if
    Parquet is wanted and pyarrow is not installed.
    """
    match form:
        case "csv":
            return CsvFile(handle, table, is_safe=is_safe_csv)
        case "jsonl":
            return JsonLinesFile(handle, table)
        case "json":
            return JsonArrayFile(handle, table)
        case "parquet":
            from ocgdedup.tables.parquet_file import ParquetFile  # 5 ms

            return ParquetFile(handle, table)
    raise ValueError(f"{form}: no class writes this format")
