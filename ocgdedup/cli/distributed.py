"""The command distributed: the search on Spark, and its summary as text or JSON."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from ocgdedup.cli.search_options import named_options
from ocgdedup.cli.show import MONTH_UNKNOWN
from ocgdedup.cli.terminal import choose_reporter, show, write_result
from ocgdedup.errors import ExitStatus

if TYPE_CHECKING:
    from ocgdedup.commands.distributed import DistributedResult


def run_command(options: argparse.Namespace) -> ExitStatus:
    """Run all stages that are not done, and print the summary."""
    from ocgdedup.commands.distributed import DistributedRequest, distributed

    request = DistributedRequest(
        inputs=options.inputs,
        output=options.output,
        master=options.master,
        partitions=options.partitions,
        options=named_options(options),
        fide_list=options.fide_xml,
        aliases=options.aliases,
        list_month=options.list_month,
        force=options.force,
    )
    result = distributed(request, choose_reporter(options))
    if options.json:
        write_result(json.dumps(result._asdict()).encode() + b"\n")
    elif not options.quiet:
        _show(result, options)
    return ExitStatus.DONE_WITH_REJECTS if result.problems else ExitStatus.DONE


def _show(result: DistributedResult, options: argparse.Namespace) -> None:
    output = options.output
    classes = ", ".join(f"{count:,} {name}" for name, count in result.duplicates.items())
    count = sum(result.duplicates.values())
    show(f"read       {result.games:,} games")
    if result.problems:
        show(
            f"problems   {result.problems:,} truncated games and rejected texts: {output}/problems"
        )
    if result.persons is not None:
        show(
            f"players    {result.names:,} spellings of {result.persons:,} players, "
            f"{result.fide_persons:,} with a FIDE ID: {output}/persons"
        )
        if options.fide_xml is not None:
            show(f"FIDE list  {result.list_month or MONTH_UNKNOWN}")
    show(f"duplicates {count:,} in {result.groups:,} groups" + (f": {classes}" if classes else ""))
    show(f"possible   {result.possible:,} pairs, both games kept: {output}/possible")
    show(f"written    {result.written:,} games to {len(result.files):,} files in {output}/clean")
    show(f"tables     {output}/games, {output}/duplicates")
