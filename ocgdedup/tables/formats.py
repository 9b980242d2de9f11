"""The formats that games and tables are written in: each is declared here, and nowhere else.

Options, help, messages and checks of names are made from these lists. Every command imports this
module, so it loads what writes a format only to open a file.
"""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from ocgdedup.errors import UsageError
from ocgdedup.files.compress import ARCHIVES, COMPRESSED_ENDINGS, check_compression
from ocgdedup.wording import joined

if TYPE_CHECKING:
    from ocgdedup.tables.columns import Table
    from ocgdedup.tables.table_file import TableFile

TEXT_FORMATS = PGN, SGF = ("pgn", "sgf")
TSV, HTML = "tsv", "html"
DATABASES = ("db3", "db", "sqlite")
_OF_OTHERS = (
    "xml", "xlsx", "xls", "ods", "epd", "arrow", "feather", "cbh", "si4", "si5", "scid"
)  # fmt: skip


class TableFormat(NamedTuple):
    """A format of tables; a file of it ends in its name.

    `open`: begins a TableFile, of a file, a Table, and whether no text of it may be a formula to
    a spreadsheet. `is_binary`: not for standard output. `of_export`, `of_reports`: what writes
    tables in it.
    """

    name: str
    open: "Callable[[BinaryIO, Table, bool], TableFile]"
    is_binary: bool = False
    of_export: bool = False
    of_reports: bool = False


def _parquet(handle: BinaryIO, table: "Table", _: bool) -> "TableFile":
    from ocgdedup.tables.parquet_file import ParquetFile

    return ParquetFile(handle, table)


def _csv(handle: BinaryIO, table: "Table", is_safe: bool) -> "TableFile":
    from ocgdedup.tables.table_file import CsvFile

    return CsvFile(handle, table, is_safe=is_safe)


def _json_lines(handle: BinaryIO, table: "Table", _: bool) -> "TableFile":
    from ocgdedup.tables.table_file import JsonLinesFile

    return JsonLinesFile(handle, table)


def _json_array(handle: BinaryIO, table: "Table", _: bool) -> "TableFile":
    from ocgdedup.tables.table_file import JsonArrayFile

    return JsonArrayFile(handle, table)


# In the order in which help and messages name those of export.
TABLE_FORMATS = {
    form.name: form
    for form in (
        TableFormat("parquet", _parquet, is_binary=True, of_export=True, of_reports=True),
        TableFormat("csv", _csv, of_export=True, of_reports=True),
        TableFormat("jsonl", _json_lines, of_export=True),
        TableFormat("json", _json_array, of_reports=True),
    )
}
EXPORT_FORMATS = tuple(form.name for form in TABLE_FORMATS.values() if form.of_export)
# Of lists of pairs; a report may also be a page of HTML.
REPORT_FORMATS = tuple(sorted(form.name for form in TABLE_FORMATS.values() if form.of_reports))
_NAMED = {*TEXT_FORMATS, *TABLE_FORMATS, TSV, HTML, *DATABASES, *_OF_OTHERS}


def named_format(path: str) -> str | None:
    """Return the format that a name ends in, without that of its compression; None for no format.

    A file of a name without a format may hold any.
    """
    stem, ending = os.path.splitext(path.lower())
    if ending in (*COMPRESSED_ENDINGS, *ARCHIVES):
        ending = os.path.splitext(stem)[1]
    form = ending.removeprefix(".")
    return form if form in _NAMED else None


def check_name(path: str, *formats: str, is_packed: bool = False) -> None:
    """Refuse a name that promises another format than `formats`, or a compression.

    `is_packed`: the file is compressed if its name says so.
    """
    form = named_format(path)
    if form not in (None, *formats):
        endings = joined([f".{name}" for name in formats], "or")
        raise UsageError(
            f"{path}: cannot be written as .{form}; name a file that ends in {endings}"
        )
    if is_packed:
        check_compression(path)
    elif path.lower().endswith((*COMPRESSED_ENDINGS, *ARCHIVES)):
        raise UsageError(f"{path}: is not compressed by ocgdedup; name it without that ending")
