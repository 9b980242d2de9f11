"""The options of run."""

from __future__ import annotations

import argparse

from ocgdedup.cli.options.export import add_names
from ocgdedup.cli.options.search import add_resources, add_search
from ocgdedup.cli.options.shared import (
    REPORT_ENDINGS,
    Commands,
    add_command,
    add_fail_on,
    add_json,
    add_list_month,
    add_lists,
)
from ocgdedup.wording import joined


def add_run(commands: Commands) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "run",
        "Turn PGN files into one PGN file without duplicates, or SGF files into one SGF file. "
        "Imports the files into a database, resolves player names, finds duplicates and merges "
        "their headers, and writes all games except the duplicates. The database is kept next to "
        "the output file: run the command again with more files, and only the new files are "
        "processed. An interrupted run continues where it stopped.",
        "ocgdedup run twic*.zip mygames.pgn -o unique.pgn",
        "ocgdedup run games.pgn -o unique.pgn --fide-xml players_list_xml.zip "
        "--duplicates duplicates.pgn --report report.html",
        "ocgdedup run --db unique.db3 -o unique.pgn",
        "ocgdedup run mygames.sgf -o unique.sgf",
    )
    command.add_argument(
        "inputs",
        metavar="INPUT",
        nargs="*",
        help="PGN or SGF file, folder, archive (.zip, .tar), compressed file (.gz, .bz2, .xz, "
        ".zst), or - for standard input; imported files are skipped (default: none, use the "
        "games in the database)",
    )
    _add_files(command)
    add_search(command)
    add_lists(command, "resolve player names with ")
    add_list_month(command)
    add_names(command, None)
    add_resources(command)
    add_fail_on(command)
    add_json(command)
    command.add_argument(
        "--force",
        action="store_true",
        help="overwrite output files that no run with this database wrote",
    )


def _add_files(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="OUT.pgn",
        help="write the clean games to this file (OUT.sgf for Go; compressed if it ends in "
        ".gz, .bz2, .xz or .zst), or - for standard output (requires --db)",
    )
    command.add_argument(
        "--db",
        metavar="GAMES.db3",
        help="the database (default: name of the output file with the ending .db3)",
    )
    command.add_argument(
        "--duplicates",
        metavar="FILE.pgn",
        help="write the duplicates, marked as such, to this file (FILE.sgf for Go)",
    )
    command.add_argument(
        "--report",
        metavar="FILE.html",
        help="write a report of the results: .html to read, or all pairs as "
        f"{joined(REPORT_ENDINGS, 'or')}",
    )
    command.add_argument(
        "--rejects",
        metavar="FILE.pgn",
        help="write rejected text to this file (default: next to the database, ending in "
        ".rejects.pgn, .rejects.sgf for Go)",
    )
