"""The command distributed: the search on Spark, and its summary as text or JSON."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from ocgdedup.cli.command import Command
from ocgdedup.cli.options.search import add_search
from ocgdedup.cli.options.shared import (
    add_flag,
    add_json,
    add_list_month,
    positive,
)
from ocgdedup.cli.shared import named_options
from ocgdedup.cli.show import MONTH_UNKNOWN
from ocgdedup.cli.terminal import choose_reporter, show, write_result
from ocgdedup.errors import ExitStatus
from ocgdedup.model import ListFiles
from ocgdedup.wording import WHOLE_CLASS_WORDS, counted

if TYPE_CHECKING:
    from ocgdedup.commands.distributed import DistributedResult


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "inputs",
        metavar="INPUT",
        nargs="+",
        help="PGN or SGF file, folder, archive (.zip, .tar) or compressed file (.gz, .bz2, "
        ".xz, .zst); all workers must reach it under this path",
    )
    command.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="DIR",
        help="folder for results and intermediate stages; all workers must reach it under this "
        "path",
    )
    command.add_argument(
        "--master",
        metavar="URL",
        help="Spark master, such as spark://HOST:7077 or yarn (default: as set by "
        "spark-submit, else local[*], all CPUs of this machine)",
    )
    command.add_argument(
        "--partitions",
        type=positive,
        metavar="N",
        help="split the games into N partitions, each held in the memory of one worker "
        "(default: one per 100,000 games, at least two per CPU)",
    )
    command.add_argument(
        "--fide-xml",
        metavar="LIST",
        help="resolve player names with this FIDE rating list, fill in FIDE IDs, titles and "
        "Elos, and use the names of the list; chess only",
    )
    command.add_argument(
        "--aliases",
        metavar="FILE",
        help="resolve player names with this Scid spelling file (.ssp) or name table; chess only",
    )
    add_list_month(command)
    add_search(command)
    add_json(command)
    add_flag(command, "--force", "start again and overwrite the results of another run")


def run_command(options: argparse.Namespace) -> ExitStatus:
    """Run the remaining stages and print the summary."""
    from ocgdedup.commands.distributed import DistributedRequest, distributed

    request = DistributedRequest(
        inputs=options.inputs,
        output=options.output,
        master=options.master,
        partitions=options.partitions,
        options=named_options(options),
        lists=ListFiles(options.fide_xml, options.aliases, options.list_month),
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
    classes = ", ".join(
        f"{count:,} {WHOLE_CLASS_WORDS[name]}" for name, count in result.duplicates.items()
    )
    count = sum(result.duplicates.values())
    groups = counted(result.groups, "group")
    show(f"read        {counted(result.games, 'game')}")
    if result.problems:
        texts = counted(
            result.problems, "truncated game or rejected text", "truncated games and rejected texts"
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


COMMAND = Command(
    "distributed",
    "Find duplicate games with Apache Spark, in collections too large for one machine. "
    "Reads PGN files, and writes Parquet tables of games, duplicates and possible "
    "duplicates, and clean PGN files. The results are the same as those of 'ocgdedup run'. "
    "Each stage is saved in the output folder; run the same command again to continue after "
    "an interruption.",
    (
        "ocgdedup distributed lichess/*.pgn -o clean-games",
        "ocgdedup distributed games.pgn -o out --fide-xml players_list_xml.zip",
        "ocgdedup distributed games.pgn -o out --master 'local[2]' --partitions 4 --keep longest",
    ),
    _add_options,
    run_command,
)
