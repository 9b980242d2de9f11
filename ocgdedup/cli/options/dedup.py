"""The options of dedup."""

from __future__ import annotations

import argparse

from ocgdedup.cli.options.search import add_resources, add_search
from ocgdedup.cli.options.shared import (
    DATABASE,
    Commands,
    add_command,
    add_json,
    add_list_month,
    add_lists,
    natural,
)

# As store/hash_groups.py has them; a test compares. This module imports nothing of ours.
METHOD_CHOICES = (
    "last-position", "last-position+length", "all-positions", "every-5", "moves", "moves+players",
)  # fmt: skip


def add_dedup(commands: Commands) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "dedup",
        "Find duplicate games: records of one played game with the same moves, with moves missing "
        "at the end, with a slip, or under other names. Duplicates are flagged (table "
        "DuplicateFlags), and the best of their headers is merged into the kept game; no game is "
        "deleted unless you say so. Possible duplicates are listed for the command review, and "
        "your decisions there count. --undo takes a run back.",
        "ocgdedup dedup games.db3 --dry-run",
        "ocgdedup dedup games.db3 --report copies.csv",
        "ocgdedup dedup games.db3 --report report.html",
        "ocgdedup dedup games.db3 --explain 17 4711",
        "ocgdedup dedup games.db3 --explain 17",
        "ocgdedup dedup games.db3 --by moves --plycount 20",
        "ocgdedup dedup games.db3 --delete",
        "ocgdedup dedup games.db3 --undo",
        "ocgdedup dedup games.db3 --reset",
    )
    command.add_argument("database", metavar=DATABASE[0], help=DATABASE[1])
    add_json(command)
    job = command.add_mutually_exclusive_group()
    job.add_argument("--dry-run", action="store_true", help="only count, change nothing")
    job.add_argument(
        "--undo",
        action="store_true",
        help="take back the last run: flags, merged headers and deletion",
    )
    job.add_argument(
        "--restore",
        action="store_true",
        help="put all deleted games back that were not purged, whichever run deleted them",
    )
    job.add_argument(
        "--reset",
        action="store_true",
        help="take back what all runs did and no purge made final: flags, groups, merged headers, "
        "possible duplicates, deletion; what you decided stays. --undo takes a reset back",
    )
    job.add_argument(
        "--explain",
        nargs="+",
        type=int,
        metavar="ID",
        help="two IDs: explain the verdict on two games; one ID: say what was merged into the "
        "header of a kept game, from which game and why",
    )
    job.add_argument(
        "--method",
        action="append",
        choices=(*METHOD_CHOICES, "all"),
        help="repeat OCGDB's study: count what this key alone reports, and how much of it the "
        "moves confirm; change nothing. May be given several times",
    )
    _add_key(command)
    add_search(command, "; with --by and --method 1")
    _add_removal(command)
    command.add_argument(
        "--upgrade",
        action="store_true",
        help="add the hash columns to a database that OCGDB wrote, without asking",
    )
    add_resources(command)
    add_lists(command, "find out who played, as the command players does, by ")
    add_list_month(command)
    command.add_argument(
        "--no-players",
        action="store_true",
        help="leave the names of players as they are (else new names are looked up first, if a "
        "list is given or the command players was run before; --dry-run never does)",
    )


def _add_key(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--by",
        choices=(*METHOD_CHOICES, "record"),
        metavar="KEY",
        help="flag all games with equal keys, whoever played them, in place of weighing evidence; "
        "headers are not merged. KEY: " + ", ".join((*METHOD_CHOICES, "record")),
    )
    command.add_argument(
        "--include-shorter",
        action="store_true",
        help="with --by: flag also games whose moves are the beginning of another game's",
    )


def _add_removal(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--delete",
        action="store_true",
        help="take copies out of the games, after writing them to a PGN file beside the database, "
        "Go records to an SGF file",
    )
    command.add_argument(
        "--min-header-quality",
        type=natural,
        default=0,
        metavar="N",
        help="with --delete: not if the header of the kept game has fewer points "
        "(docs/duplicates.md: 88 at most, 48 in Go games)",
    )
    command.add_argument(
        "--purge",
        action="store_true",
        help="drop deleted games for good and shrink the file; no undo after that",
    )
    command.add_argument(
        "--full", action="store_true", help="judge all groups anew, not only what has changed"
    )
    command.add_argument(
        "--report",
        metavar="FILE",
        help="list each duplicate with its kept game, and the possible duplicates: .csv, .json (an "
        "array, one object a line), .parquet, or .html for a page with charts, boards, evidence, "
        "names and rejected text",
    )
    command.add_argument("--force", action="store_true", help="overwrite the report")
