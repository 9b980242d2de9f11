"""The command distributed: the search on Spark, and its summary as text or JSON."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from ocgdedup.cli.command import Command
from ocgdedup.cli.options.search import add_search
from ocgdedup.cli.options.shared import add_flags, month, positive
from ocgdedup.cli.shared import given, named_options
from ocgdedup.cli.show import MONTH_UNKNOWN
from ocgdedup.cli.terminal import choose_reporter, show, write_result
from ocgdedup.errors import ExitStatus
from ocgdedup.model import ListFiles
from ocgdedup.wording import WHOLE_CLASS_WORDS, counted

if TYPE_CHECKING:
    from ocgdedup.commands.distributed import DistributedResult


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("inputs", nargs="+")
    command.add_argument("-o", "--output", required=True)
    command.add_argument("--master")
    command.add_argument("--partitions", type=positive)
    command.add_argument("--fide-xml")
    command.add_argument("--aliases")
    command.add_argument("--list-month", type=month)
    add_search(command)
    add_flags(command, "--json", "--force")


def run_command(options: argparse.Namespace) -> ExitStatus:
    """Run the remaining stages and print the summary."""
    from ocgdedup.commands.distributed import DistributedRequest, distributed  # 47 ms

    request = DistributedRequest(
        **given(options, DistributedRequest),
        options=named_options(options),
        lists=ListFiles(options.fide_xml, options.aliases, options.list_month),
    )
    result = distributed(request, choose_reporter(options))
    if options.json:
        write_result(json.dumps(result._asdict()).encode() + b"\n")
    elif not options.quiet:
        _show(result, options)
    return ExitStatus.DONE_WITH_REJECTS if result.problems else ExitStatus.DONE


def _show(result: DistributedResult, options: argparse.Namespace) -> None:
    output = options.output
    classes = ", ".join(
        f"{count:,} {WHOLE_CLASS_WORDS[name]}" for name, count in result.duplicates.items()
    )
    count = sum(result.duplicates.values())
    groups = counted(result.groups, "group")
    show(f"read        {counted(result.games, 'game')}")
    if result.problems:
        texts = counted(
            result.problems,
            "game read up to an error or rejected text",
            "games read up to an error and rejected texts",
        )
        show(f"problems    {texts}: {output}/problems")
    if result.names is not None and result.persons is not None:
        show(
            f"players     {counted(result.names or 0, 'spelling')} of "
            f"{counted(result.persons, 'player')}, "
            f"{result.fide_persons:,} with a FIDE ID: {output}/persons"
        )
        if options.fide_xml is not None:
            show(f"FIDE list   {result.list_month or MONTH_UNKNOWN}")
    show(f"duplicates  {count:,} in {groups}" + (f": {classes}" if classes else ""))
    kept = ", both games kept" if result.possible else ""
    possible = counted(result.possible, "possible duplicate")
    show(f"possible    {possible}{kept}: {output}/possible")
    files = counted(len(result.files), "file")
    show(f"written     {counted(result.written, 'game')} to {files} in {output}/clean")
    show(f"tables      {output}/games, {output}/duplicates")


COMMAND = Command("distributed", _add_options, run_command)
