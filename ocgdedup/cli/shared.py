"""Functions of several commands: requests from options, report writers, exit status of imports."""

from __future__ import annotations

import argparse
import functools
from typing import TYPE_CHECKING, Any, NamedTuple

from ocgdedup.errors import ExitStatus, UsageError
from ocgdedup.files.portable import processors
from ocgdedup.model import ListFiles

if TYPE_CHECKING:
    from ocgdedup.commands.create import CreateResult
    from ocgdedup.commands.dedup_search import ReportWriter
    from ocgdedup.pipeline.search.named_options import NamedOptions
    from ocgdedup.pipeline.search.spill import Resources


def given(
    options: argparse.Namespace, request: type[NamedTuple], **others: object
) -> dict[str, Any]:
    """Return the options that have the names of fields of a request; `others` take precedence."""
    fields = {name: value for name, value in vars(options).items() if name in request._fields}
    return fields | others


def list_files(options: argparse.Namespace) -> ListFiles:
    """Return the lists of players that the options name."""
    return ListFiles(options.fide_xml, options.aliases, options.list_month, options.replace_list)


def resources_of(options: argparse.Namespace) -> Resources:
    """Return the threads, memory and folder that a search may use."""
    from ocgdedup.pipeline.search.spill import Resources  # 11 ms

    return Resources(
        options.jobs or default_jobs(), options.memory, options.temp_dir,
        not getattr(options, "no_search_file", False),
    )  # fmt: skip


def report_writer(path: str | None) -> ReportWriter | None:
    """Return a writer for the report or None; raise UsageError if the ending is not supported.

    The caller must check that the file may be written.
    """
    if path is None:
        return None
    from ocgdedup.reports.report_file import report_kind, write_report  # 38 ms

    report_kind(path)
    return functools.partial(write_report, path)


def default_jobs() -> int:
    """Return the default number of parser threads."""
    return min(4, processors())


def load_status(result: CreateResult, options: argparse.Namespace) -> ExitStatus:
    """Return the exit status of an import according to --fail-on."""
    summary = result.summary
    failures = {
        "rejects": summary.rejects or summary.damaged,
        "faults": summary.faults or summary.rejects or summary.damaged,
        "never": 0,
    }
    return ExitStatus.DONE_WITH_REJECTS if failures[options.fail_on] else ExitStatus.DONE


def named_options(options: argparse.Namespace) -> NamedOptions:
    """Return the options that the user gave; raise UsageError if two contradict each other."""
    for name in ("merge_variations", "keep_annotations"):
        if options.no_merge and getattr(options, name):
            option = f"--{name.replace('_', '-')}"
            raise UsageError(
                f"{options.command}: {option} does not go with --no-merge; leave out one"
            )
    from ocgdedup.pipeline.search.named_options import NamedOptions  # 30 ms

    # A flag that is not given is False.
    values = {name: getattr(options, name) for name in NamedOptions._fields}
    return NamedOptions(**{name: value for name, value in values.items() if value is not False})
