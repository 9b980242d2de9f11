"""The report of a search as a file, in the format that its name ends in."""

from __future__ import annotations

from ocgdedup.pipeline.search.detect import SearchOptions
from ocgdedup.pipeline.search.overview import overview_of, reported_pairs
from ocgdedup.pipeline.search.spill import ONE_THREAD, Resources
from ocgdedup.reports import pair_files
from ocgdedup.reports.pair_files import OpenFile
from ocgdedup.store.connection import Database
from ocgdedup.tables.formats import HTML, REPORT_FORMATS, kind_of
from ocgdedup.tables.parquet_file import load_pyarrow

KINDS = (*REPORT_FORMATS, HTML)


def report_kind(path: str) -> str:
    """Return one of KINDS by the end of a file's name.

    Raises UsageError for other endings, and for Parquet if pyarrow is not installed.
    """
    kind = kind_of(path, KINDS)
    if kind == "parquet":
        load_pyarrow()
    return kind


def write_report(
    path: str,
    database: Database,
    search: SearchOptions,
    open_file: OpenFile,
    resources: Resources = ONE_THREAD,
) -> int:
    """Write the report in the format of the name's ending; return how many pairs it lists.

    `search`: the options of the reported search. `open_file` opens a new file that gets its name
    when it is complete. `resources`: to sort the games, so that pairs can be compared. The
    connection may be within a transaction.
    """
    if report_kind(path) != HTML:
        pairs = reported_pairs(database.connection, search, resources)
        return pair_files.write_report(path, pairs, open_file)
    from ocgdedup.reports.html_report import write_html_report  # 51 ms

    overview = overview_of(database, search, resources=resources)
    with open_file(path) as handle:
        listed = write_html_report(handle, overview, weights=search.weights)
    return listed
