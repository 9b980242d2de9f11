"""Write the report of a search, for the commands that offer one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ocgdedup.commands.dedup import OpenFile, ReportWriter
    from ocgdedup.pipeline.search.detect import SearchOptions
    from ocgdedup.pipeline.search.spill import Resources
    from ocgdedup.store.connection import Database


def report_writer(path: str | None) -> ReportWriter | None:
    """Return a writer for the report or None; raise UsageError if the ending is not supported.

    The caller must check that the file may be written.
    """
    if path is None:
        return None
    from ocgdedup.reports.report_file import report_kind, write_report

    report_kind(path)

    def write(
        database: Database, search: SearchOptions, open_file: OpenFile, resources: Resources
    ) -> object:
        return write_report(path, database, search, open_file, resources)

    return write
