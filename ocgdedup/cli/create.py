"""The command create."""

from __future__ import annotations

import argparse
import time

from ocgdedup.cli import show
from ocgdedup.cli.command import Command
from ocgdedup.cli.options.shared import (
    add_fail_on,
    add_flag,
    add_json,
    add_list_month,
    add_lists,
    positive,
)
from ocgdedup.cli.shared import default_jobs, list_files, load_status
from ocgdedup.cli.terminal import choose_reporter, json_text, write_result
from ocgdedup.errors import ExitStatus


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("database", metavar="GAMES.db3", help="database to create")
    command.add_argument(
        "inputs",
        metavar="INPUT",
        nargs="+",
        help="PGN or SGF file, folder, archive (.zip, .tar), compressed file (.gz, .bz2, .xz, "
        ".zst), or - for standard input; a database holds either chess or Go games",
    )
    existing = command.add_mutually_exclusive_group()
    add_flag(existing, "--append", "add the games to an existing database")
    add_flag(
        existing, "--force", "overwrite an existing database, file of rejected text and report"
    )
    add_flag(
        command,
        "--only-new",
        "skip files that were imported before, recognised by their content, not by their name",
    )
    add_flag(
        command,
        "--again",
        "import these input files again (default: an import that the database already contains is "
        "not repeated)",
    )
    command.add_argument(
        "--jobs",
        type=positive,
        metavar="N",
        help="parse with N threads; the result is the same for any N (default: number of CPUs, "
        "at most 4)",
    )
    add_flag(command, "--no-index", "do not build indexes on the hash and signature columns")
    add_flag(
        command,
        "--index-records",
        "index GameHash, for queries for equal records and 'dedup --by record'",
    )
    add_flag(
        command,
        "--signatures",
        "compute signatures, like 'ocgdedup signatures' (always done for Go games and if the "
        "database has signatures)",
    )
    add_fail_on(command)
    add_json(command)
    command.add_argument(
        "--rejects",
        metavar="FILE.pgn",
        help="write rejected text to this file, if there is any (default: GAMES.rejects.pgn, "
        "GAMES.rejects.sgf for Go)",
    )
    command.add_argument(
        "--report",
        metavar="FILE.tsv",
        help="list all errors with file, line, game number, ply (Go: move) and reason "
        "(default: print the first 20)",
    )
    add_lists(command, "after the import, resolve player names with ")
    add_list_month(command)


def run_command(options: argparse.Namespace) -> ExitStatus:
    """Import the input files, and print errors and counts."""
    from ocgdedup.commands.create import CreateRequest, create

    request = CreateRequest(
        database=options.database,
        inputs=options.inputs,
        append=options.append,
        force=options.force,
        jobs=options.jobs or default_jobs(),
        with_indexes=not options.no_index,
        index_records=options.index_records,
        rejects_path=options.rejects,
        report_path=options.report,
        lists=list_files(options),
        only_new=options.only_new,
        signatures=options.signatures,
        again=options.again,
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
            show.show_players(result.players, options.database)
    return load_status(result, options)


COMMAND = Command(
    "create",
    "Import PGN or SGF files into a new database. Checks that all moves are legal. A game "
    "with an error is kept up to the error and listed; text that is not a game is rejected "
    "and written to a file.",
    (
        "ocgdedup create games.db3 twic*.zip mygames.pgn",
        "ocgdedup create go.db3 mygames.sgf",
    ),
    _add_options,
    run_command,
)
