"""What writes the report of a search, for the commands that offer one."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ocgdedup.commands.dedup import ReportWriter


def report_writer(path: str | None) -> ReportWriter | None:
    """Return what writes a report, None for none; raise UsageError for a name that is no report's.

    Whether the file may be written is for the caller to check.
    """
    if path is None:
        return None
    files = importlib.import_module("ocgdedup.report.report_file")
    outputs = importlib.import_module("ocgdedup.commands.outputs")
    files.report_kind(path)
    return lambda database, search: files.write_report(path, database, search, outputs.new_file)
