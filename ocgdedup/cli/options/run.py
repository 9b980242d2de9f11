"""The options of run."""

from __future__ import annotations

import argparse

from ocgdedup.cli.options.export import add_names
from ocgdedup.cli.options.search import add_resources, add_search
from ocgdedup.cli.options.shared import (
    Commands,
    add_command,
    add_fail_on,
    add_json,
    add_list_month,
    add_lists,
)


def add_run(commands: Commands) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "run",
        "Turn PGN files into one clean PGN file, or SGF files into one clean SGF file. Reads them "
        "into a database, finds out who played, finds copies and merges their headers, and writes "
        "the games without the copies. The database stays beside the output: run it again with "
        "more files and only what is new is done; after a stop it goes on where it was.",
        "ocgdedup run twic*.zip mygames.pgn -o unique.pgn",
        "ocgdedup run games.pgn -o unique.pgn --fide-xml players_list_xml.zip "
        "--duplicates copies.pgn --report report.html",
        "ocgdedup run --db unique.db3 -o unique.pgn",
        "ocgdedup run mygames.sgf -o unique.sgf",
    )
    command.add_argument(
        "inputs",
        metavar="INPUT",
        nargs="*",
        help="PGN or SGF file, folder of them, .gz .bz2 .xz .zst, .tar or .zip of them, or - for "
        "standard input; files that were imported before are skipped. None: the database as it is",
    )
    _add_files(command)
    add_search(command)
    add_lists(command, "find out who played, as the command players does, by ")
    add_list_month(command)
    add_names(command, None)
    add_resources(command)
    add_fail_on(command)
    add_json(command)
    command.add_argument(
        "--force",
        action="store_true",
        help="overwrite outputs that no run of this database wrote",
    )


def _add_files(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="OUT.pgn",
        help="where the clean games go, OUT.sgf for Go games; also .gz, .bz2, .xz or .zst; - "
        "for standard output (then name a database with --db)",
    )
    command.add_argument(
        "--db",
        metavar="GAMES.db3",
        help="the database (default: the name of the output, ending in .db3)",
    )
    command.add_argument(
        "--duplicates",
        metavar="FILE.pgn",
        help="write the duplicates to this file, marked as such; FILE.sgf for Go games",
    )
    command.add_argument(
        "--report",
        metavar="FILE.html",
        help="write a report of what was found: .html for reading; .csv, .json or .parquet of all "
        "pairs",
    )
    command.add_argument(
        "--rejects",
        metavar="FILE.pgn",
        help="where rejected text goes (default: beside the database, ending in .rejects.pgn, "
        "for Go games in .rejects.sgf)",
    )
