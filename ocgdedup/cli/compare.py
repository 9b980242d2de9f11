"""The command compare: print the numbers of differences."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ocgdedup.cli.command import Command
from ocgdedup.cli.options.search import add_resources
from ocgdedup.cli.options.shared import add_flags
from ocgdedup.cli.shared import given, resources_of
from ocgdedup.cli.terminal import choose_reporter, json_text, show, tell, write_result
from ocgdedup.errors import ExitStatus
from ocgdedup.tables.formats import STDOUT_ARGUMENT
from ocgdedup.wording import counted

if TYPE_CHECKING:
    from ocgdedup.commands.compare import CompareRequest, CompareResult


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("first")
    command.add_argument("others", nargs="+")
    command.add_argument("-o", "--output")
    command.add_argument("--report")
    add_flags(command, "--moves-only")
    add_resources(command)
    add_flags(command, "--json", "--force")


def run_command(options: argparse.Namespace) -> ExitStatus:
    """Compare the collections; the status tells whether there are differences."""
    from ocgdedup.commands.compare import CompareRequest, compare  # 70 ms

    request = CompareRequest(
        **given(options, CompareRequest),
        report_path=options.report,
        resources=resources_of(options),
    )
    result = compare(request, choose_reporter(options))
    if options.json:
        write_result(json_text(result._asdict()))
    elif not options.quiet:
        write_line = tell if options.output == STDOUT_ARGUMENT else show
        for line in _lines(request, result):
            write_line(line)
    return ExitStatus.DONE_WITH_REJECTS if result.is_different else ExitStatus.DONE


def _lines(request: CompareRequest, result: CompareResult) -> Iterator[str]:
    first, others = request.first, " ".join(request.others)
    games, other_games = counted(result.games, "game"), counted(result.other_games, "game")
    yield f"{first}: {games}; {others}: {other_games}"
    written = "" if request.output is None else f", written to {request.output}"
    yield f"not in {first}: {counted(result.new, 'game')}{written}"
    longer = f", {result.longer:,} of them longer" if result.longer else ""
    yield f"better than in {first}: {counted(result.better, 'game')}{longer}"
    pairs = counted(result.possible_duplicates, "pair")
    yield f"possible duplicates between them: {pairs}"
    if request.report_path is not None:
        yield f"report: {request.report_path}"


COMMAND = Command("compare", _add_options, run_command)
