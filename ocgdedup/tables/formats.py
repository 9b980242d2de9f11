"""The output formats of games and tables, each declared here alone.

Options, help, messages and checks of file names use these lists. Every command imports this
module; table_file.py writes the formats.
"""

import os
from collections.abc import Sequence
from typing import NamedTuple

from ocgdedup.errors import UsageError
from ocgdedup.files.compress import ARCHIVES, COMPRESSED_ENDINGS, check_compression
from ocgdedup.wording import joined

STDOUT_ARGUMENT = "-"
TEXT_FORMATS = PGN, SGF = ("pgn", "sgf")
TSV, HTML = "tsv", "html"
DATABASES = ("db3", "db", "sqlite")
_UNSUPPORTED = (
    "xml", "xlsx", "xls", "ods", "epd", "arrow", "feather", "cbh", "si4", "si5", "scid"
)  # fmt: skip


class TableFormat(NamedTuple):
    """A table format; its name is the ending of its files.

    `is_binary`: refused on standard output. `of_export`, `of_reports`: offered there.
    """

    name: str
    is_binary: bool = False
    of_export: bool = False
    of_reports: bool = False


# In the order of help and messages.
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
# Formats of pair lists; a report may also be an HTML page.
REPORT_FORMATS = tuple(sorted(form.name for form in TABLE_FORMATS.values() if form.of_reports))
_NAMED = {*TEXT_FORMATS, *TABLE_FORMATS, TSV, HTML, *DATABASES, *_UNSUPPORTED}


def named_format(path: str) -> str | None:
    """Return the format in the ending of a name, before that of a compression; None without one."""
    stem, ending = os.path.splitext(path.lower())
    if ending in (*COMPRESSED_ENDINGS, *ARCHIVES):
        ending = os.path.splitext(stem)[1]
    form = ending.removeprefix(".")
    return form if form in _NAMED else None


def check_name(path: str, *formats: str, is_packed: bool = False) -> None:
    """Raise UsageError for a name with the ending of another format or of a compression.

    `is_packed`: allow a compression that can be written.
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


def kind_of(path: str, kinds: Sequence[str]) -> str:
    """Return the kind of report that a name ends in; raise UsageError if it ends in none.

    A report on standard output ("-") is CSV.
    """
    if path == STDOUT_ARGUMENT:
        return "csv"
    for kind in kinds:
        if path.lower().endswith(f".{kind}"):
            return kind
    endings = joined([f".{kind}" for kind in kinds], "or")
    raise UsageError(f"{path}: a report is written as {endings}; name it so")
