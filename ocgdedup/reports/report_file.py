"""The report of a search as a file: which kind it is, by its name, and what writes it."""

from __future__ import annotations

from ocgdedup.pipeline.search.detect import SearchOptions
from ocgdedup.pipeline.search.overview import overview_of, reported_pairs
from ocgdedup.pipeline.search.spill import ONE_THREAD, Resources
from ocgdedup.reports import pair_files
from ocgdedup.reports.pair_files import OpenFile
from ocgdedup.store.connection import Database
from ocgdedup.tables.formats import HTML, REPORT_FORMATS
from ocgdedup.tables.parquet_file import load_pyarrow

KINDS = (*REPORT_FORMATS, HTML)


def report_kind(path: str) -> str:
    """Return one of KINDS by the end of a file's name; raise UsageError for another.

    So it does for Parquet where pyarrow is not installed.
    """
    kind = pair_files.kind_of(path, KINDS)
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
    """Write the report of the kind that the name says; return how many pairs it lists.

    `search`: the options of the search that is reported. `open_file` opens a new file that gets
    its name when it is whole. `resources`: for the order of the games, by which pairs are
    compared. The connection may be within a transaction.
    """
    if report_kind(path) != HTML:
        pairs = reported_pairs(database.connection, search, resources)
        return pair_files.write_report(path, pairs, open_file)
    from ocgdedup.reports.html_report import write_html_report  # 51 ms

    overview = overview_of(database, search, resources=resources)
    with open_file(path) as handle:
        listed = write_html_report(handle, overview, weights=search.weights)
    return listed
