"""The formats that games and tables are written in: each is declared here, and nowhere else.

Options, help, messages and checks of names are made from these lists. Every command imports this
module: what writes the formats is in table_file.py.
"""

import os
from typing import NamedTuple

from ocgdedup.errors import UsageError
from ocgdedup.files.compress import ARCHIVES, COMPRESSED_ENDINGS, check_compression
from ocgdedup.wording import joined

TEXT_FORMATS = PGN, SGF = ("pgn", "sgf")
TSV, HTML = "tsv", "html"
DATABASES = ("db3", "db", "sqlite")
_OF_OTHERS = (
    "xml", "xlsx", "xls", "ods", "epd", "arrow", "feather", "cbh", "si4", "si5", "scid"
)  # fmt: skip


class TableFormat(NamedTuple):
    """A format of tables, which open_table() writes; a file of it ends in its name.

    `is_binary`: not for standard output. `of_export`, `of_reports`: what writes tables in it.
    """

    name: str
    is_binary: bool = False
    of_export: bool = False
    of_reports: bool = False


# In the order in which help and messages name those of export.
TABLE_FORMATS = {
    form.name: form
    for form in (
        TableFormat("parquet", is_binary=True, of_export=True, of_reports=True),
        TableFormat("csv", of_export=True, of_reports=True),
        TableFormat("jsonl", of_export=True),
        TableFormat("json", of_reports=True),
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
