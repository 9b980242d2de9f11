"""The options of players."""

from __future__ import annotations

import argparse

from ocgdedup.cli.options.shared import (
    DATABASE,
    Commands,
    add_command,
    add_json,
    add_list_month,
    add_lists,
)


def add_players(commands: Commands) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "players",
        "Find out which names are one person's, and who played each game. Names are looked up in "
        "a rating list of FIDE and a spelling file, if given now or before, and compared with one "
        "another; the text of the names stays. What a game lacks of a person it is sure about "
        "(FIDE ID, title, Elo) is filled in. All of it can be undone.",
        "ocgdedup players games.db3 --fide-xml players_list_xml_foa.zip",
        "ocgdedup players games.db3 --show 'Botvinnik, M'",
        "ocgdedup players games.db3 --undo",
        "ocgdedup players --fide-xml players_list_xml_foa.zip --resolve names.txt -o found.tsv",
    )
    command.add_argument("database", metavar=DATABASE[0], nargs="?", help="the database")
    add_json(command)
    job = command.add_mutually_exclusive_group()
    job.add_argument(
        "--show",
        metavar="NAME",
        action="append",
        help="say who may be meant by a name and why, by the lists in the database or, without a "
        "database, by --fide-xml; change nothing. May be given several times",
    )
    job.add_argument(
        "--undo", action="store_true", help="put back all that the last consolidation changed"
    )
    job.add_argument(
        "--resolve",
        metavar="NAMES.txt",
        help="look up the names of a file, one a line (- for standard input), without a database",
    )
    add_lists(command, "look names up in ")
    add_list_month(command)
    _add_outputs_of_players(command)
    command.add_argument(
        "--again", action="store_true", help="look up again the names that were resolved before"
    )
    filling = command.add_mutually_exclusive_group()
    filling.add_argument(
        "--no-fill",
        action="store_true",
        help="fill nothing in, now and later; take out what was filled in before",
    )
    filling.add_argument("--fill", action="store_true", help="fill in again, after --no-fill")
    storing = command.add_mutually_exclusive_group()
    storing.add_argument(
        "--no-store-list",
        action="store_true",
        help="keep only the FIDE list entries of players in the database, and shrink the file; "
        "holds for later runs, which need --fide-xml again for new names",
    )
    storing.add_argument(
        "--store-list",
        action="store_true",
        help="keep the whole FIDE list again, after --no-store-list; needs --fide-xml",
    )


def _add_outputs_of_players(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--report",
        metavar="FILE.csv",
        help="list all names that became a person: name, games, person, FIDE ID, and by what",
    )
    command.add_argument(
        "-o",
        "--output",
        metavar="OUT.tsv",
        help="where --resolve writes name, FIDE ID, canonical name, stage and score (default: -, "
        "standard output)",
    )
    command.add_argument("--force", action="store_true", help="overwrite what is there")
