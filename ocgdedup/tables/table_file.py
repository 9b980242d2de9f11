"""Files that tables are written to: CSV (RFC 4180), JSON Lines and JSON, all in UTF-8."""

from __future__ import annotations

import json
from collections.abc import Sequence
from json.encoder import encode_basestring
from typing import BinaryIO, Protocol

from ocgdedup.tables.columns import Columns, Table
from ocgdedup.tables.spreadsheet import quoted_row


class TableFile(Protocol):
    """A table on its way into a file."""

    def write(self, columns: Columns) -> None:
        """Append rows."""

    def finish(self) -> None:
        """End the file; the handle stays open."""

    def give_up(self) -> None:
        """Write nothing more: the file is thrown away."""


class CsvFile:
    """Writes a table as CSV: a line of names first, lines end in CR LF, NULL is an empty field."""

    def __init__(self, handle: BinaryIO, table: Table, *, is_safe: bool = False) -> None:
        """Begin the file; `is_safe`: no text is a formula to a spreadsheet."""
        self._handle = handle
        self._is_safe = is_safe
        self.write([[name] for name in table.column_names])

    def write(self, columns: Columns) -> None:
        """Append rows."""
        if self._is_safe:
            columns = [quoted_row(column) for column in columns]
        # By columns, since most hold nothing to quote: half the time of csv.writer.
        rows = zip(*map(_csv_fields, columns), strict=True)
        self._handle.write("".join([",".join(row) + "\r\n" for row in rows]).encode())

    def finish(self) -> None: ...
    def give_up(self) -> None: ...


def _csv_fields(values: Sequence[object]) -> list[str]:
    """Return the values of a column as fields, quoted where they must be (RFC 4180, 2.6)."""
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
    """Writes a table as JSON Lines: an object a row with all columns, NULL is null."""

    def __init__(self, handle: BinaryIO, table: Table) -> None:
        self._handle = handle
        members = ",".join(f"{encode_basestring(name)}:%s" for name in table.column_names)
        self._row = f"{{{members}}}\n"

    def write(self, columns: Columns) -> None:
        """Append rows."""
        # By columns and one template: half the time of an encoder that is given each row.
        rows = zip(*map(_json_values, columns), strict=True)
        self._handle.write("".join([self._row % row for row in rows]).encode())

    def finish(self) -> None: ...
    def give_up(self) -> None: ...


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
    """Writes a table as one array of objects, one a line, so that tools for lines can read it."""

    def __init__(self, handle: BinaryIO, table: Table) -> None:
        self._handle = handle
        self._names = table.column_names
        self._start = "["  # of the next row

    def write(self, columns: Columns) -> None:
        """Append rows."""
        lines = []
        for row in zip(*columns, strict=True):
            text = json.dumps(dict(zip(self._names, row, strict=True)), ensure_ascii=False)
            lines.append(f"{self._start}\n{text}")
            self._start = ","
        self._handle.write("".join(lines).encode())

    def finish(self) -> None:
        """End the file; the handle stays open."""
        self._handle.write(b"[]\n" if self._start == "[" else b"\n]\n")

    def give_up(self) -> None: ...


def open_table(
    form: str, handle: BinaryIO, table: Table, *, is_safe_csv: bool = False
) -> TableFile:
    """Begin a file of a table; `form` is the name of one of TABLE_FORMATS.

    `is_safe_csv`: no text of CSV is a formula to a spreadsheet. Raises UsageError if what writes
    Parquet is not installed.
    """
    match form:
        case "csv":
            return CsvFile(handle, table, is_safe=is_safe_csv)
        case "jsonl":
            return JsonLinesFile(handle, table)
        case "json":
            return JsonArrayFile(handle, table)
    from ocgdedup.tables.parquet_file import ParquetFile  # 5 ms

    return ParquetFile(handle, table)
