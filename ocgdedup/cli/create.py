"""The command create."""

from __future__ import annotations

import argparse
import time

from ocgdedup.cli import show
from ocgdedup.cli.command import Command
from ocgdedup.cli.options.shared import add_fail_on, add_flags, add_lists, positive
from ocgdedup.cli.shared import default_jobs, given, list_files, load_status
from ocgdedup.cli.terminal import choose_reporter, json_text, show_wrapped, write_result
from ocgdedup.errors import ExitStatus


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("database")
    command.add_argument("inputs", nargs="+")
    add_flags(command.add_mutually_exclusive_group(), "--append", "--force")
    add_flags(command, "--only-new", "--again")
    command.add_argument("--jobs", type=positive)
    add_flags(command, "--no-index", "--index-records", "--signatures")
    add_fail_on(command)
    add_flags(command, "--json")
    command.add_argument("--rejects")
    command.add_argument("--report")
    add_lists(command)


def run_command(options: argparse.Namespace) -> ExitStatus:
    """Import the input files, and print errors and counts."""
    from ocgdedup.commands.create import CreateRequest, create  # 35 ms

    request = CreateRequest(
        **given(options, CreateRequest, jobs=options.jobs or default_jobs()),
        with_indexes=not options.no_index,
        rejects_path=options.rejects,
        report_path=options.report,
        lists=list_files(options),
    )
    began = time.monotonic()
    result = create(request, choose_reporter(options))
    elapsed_s = time.monotonic() - began
    if options.json:
        write_result(json_text({"database": options.database, **result._asdict()}))
    if result.loaded_before is not None:
        if not (options.quiet or options.json):
            show.show_loaded_before(result, options.database)
        return ExitStatus.DONE
    if result.players is not None:
        elapsed_s -= result.players.elapsed_s  # games/s is the speed of the import
    if not (options.quiet or options.json):
        show.show_faults(result, options.report)
        show.show_create(result, elapsed_s)
        if result.players is not None:
            show.show_players(result.players, options.database, show_wrapped)
    return load_status(result, options)


COMMAND = Command("create", _add_options, run_command)
