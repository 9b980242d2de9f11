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
        "Find out which spellings are names of the same player. Looks up the names in a FIDE "
        "rating list and a spelling file, if you gave one in this run or before, and compares "
        "them with each other. The names in the games are not changed. FIDE IDs, titles and Elos "
        "that a game lacks are filled in if the player is certain. You can undo all of it.",
        "ocgdedup players games.db3 --fide-xml players_list_xml_foa.zip",
        "ocgdedup players games.db3 --show 'Botvinnik, M'",
        "ocgdedup players games.db3 --undo",
        "ocgdedup players --fide-xml players_list_xml_foa.zip --resolve names.txt -o found.tsv",
    )
    command.add_argument("database", metavar=DATABASE[0], nargs="?", help="database with the games")
    add_json(command)
    job = command.add_mutually_exclusive_group()
    job.add_argument(
        "--show",
        metavar="NAME",
        action="append",
        help="explain which players a name may mean, by the lists in the database or, without "
        "a database, by --fide-xml; change nothing (repeatable)",
    )
    job.add_argument("--undo", action="store_true", help="undo the last run of this command")
    job.add_argument(
        "--resolve",
        metavar="NAMES.txt",
        help="look up the names in a file, one per line (- for standard input), without a database",
    )
    add_lists(command, "look up names in ")
    add_list_month(command)
    _add_outputs_of_players(command)
    command.add_argument(
        "--again",
        action="store_true",
        help="look up all names again, including those resolved before",
    )
    filling = command.add_mutually_exclusive_group()
    filling.add_argument(
        "--no-fill",
        action="store_true",
        help="fill in nothing, in this run and later ones, and remove values that were filled "
        "in before",
    )
    filling.add_argument(
        "--fill", action="store_true", help="fill in values again, after --no-fill"
    )
    storing = command.add_mutually_exclusive_group()
    storing.add_argument(
        "--no-store-list",
        action="store_true",
        help="store only the FIDE list entries of players in the database, and shrink the "
        "file; later runs need --fide-xml for new names",
    )
    storing.add_argument(
        "--store-list",
        action="store_true",
        help="store the whole FIDE list again, after --no-store-list; requires --fide-xml",
    )


def _add_outputs_of_players(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--report",
        metavar="FILE.csv",
        help="list all resolved names with number of games, player, FIDE ID and method",
    )
    command.add_argument(
        "-o",
        "--output",
        metavar="OUT.tsv",
        help="output file of --resolve: name, FIDE ID, canonical name, stage and score "
        "(default: -, standard output)",
    )
    command.add_argument("--force", action="store_true", help="overwrite existing files")
