"""The formats that games and tables are written in: each is declared here, and nowhere else.

Options, help, messages and checks of names are made from these lists. Every command imports this
module, so it loads what writes a format only to open a file.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

if TYPE_CHECKING:
    from ocgdedup.tables.columns import Table
    from ocgdedup.tables.table_file import TableFile

TEXT_FORMATS = PGN, SGF = ("pgn", "sgf")


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
