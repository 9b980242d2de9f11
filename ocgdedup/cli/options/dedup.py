"""The options of dedup."""

from __future__ import annotations

import argparse

from ocgdedup.cli.options.search import add_resources, add_search
from ocgdedup.cli.options.shared import (
    DATABASE,
    REPORT_ENDINGS,
    Commands,
    add_command,
    add_json,
    add_list_month,
    add_lists,
    natural,
)

# The same as in store/hash_groups.py, which is slow to import; a test compares them.
METHOD_CHOICES = (
    "last-position", "last-position+length", "all-positions", "every-5", "moves", "moves+players",
)  # fmt: skip
KEY_CHOICES = (*METHOD_CHOICES, "record")


def add_dedup(commands: Commands) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "dedup",
        "Find duplicate games, flag them and merge their headers. Duplicates are records of "
        "one played game with the same moves, with moves missing at the end, with near-identical "
        "moves, or with other spellings of the names. They are flagged in the table "
        "DuplicateFlags, and the best header values are merged into the kept game. Games are "
        "deleted only with --delete. Possible duplicates are listed for 'ocgdedup review', and "
        "your decisions there are applied. --undo undoes a run.",
        "ocgdedup dedup games.db3 --dry-run",
        "ocgdedup dedup games.db3 --report duplicates.csv",
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
    job.add_argument("--dry-run", action="store_true", help="count duplicates, change nothing")
    job.add_argument(
        "--undo",
        action="store_true",
        help="undo the last run: flags, merged headers and deletions",
    )
    job.add_argument(
        "--restore",
        action="store_true",
        help="restore all deleted games that are not purged, whichever run deleted them",
    )
    job.add_argument(
        "--reset",
        action="store_true",
        help="undo all runs except purges: flags, groups, merged headers, possible duplicates "
        "and deletions; your decisions stay, and --undo reverts the reset",
    )
    job.add_argument(
        "--explain",
        nargs="+",
        type=int,
        metavar="ID",
        help="two IDs: explain the verdict on this pair; one ID: explain which game each "
        "merged header value of this kept game comes from, and why",
    )
    job.add_argument(
        "--method",
        action="append",
        choices=(*METHOD_CHOICES, "all"),
        help="count the duplicates that this key alone reports, and how many of them the moves "
        "confirm, as in OCGDB's study; change nothing (repeatable)",
    )
    _add_key(command)
    add_search(command, "; with --by and --method: 1")
    _add_removal(command)
    command.add_argument(
        "--upgrade",
        action="store_true",
        help="add the hash columns to a database written by OCGDB, without asking",
    )
    add_resources(command)
    add_lists(command, "resolve player names with ")
    add_list_month(command)
    command.add_argument(
        "--no-players",
        action="store_true",
        help="do not resolve new player names (default: resolve them if a list is given or "
        "'ocgdedup players' has run before, never with --dry-run)",
    )


def _add_key(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--by",
        choices=KEY_CHOICES,
        metavar="KEY",
        help="flag all games with equal keys, whoever played them, instead of weighing evidence; "
        "headers are not merged; KEY: " + ", ".join(KEY_CHOICES),
    )
    command.add_argument(
        "--include-shorter",
        action="store_true",
        help="with --by: also flag games whose moves are the beginning of another game",
    )


def _add_removal(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--delete",
        action="store_true",
        help="delete duplicates, after writing them to a PGN file next to the database (SGF "
        "for Go)",
    )
    command.add_argument(
        "--min-header-quality",
        type=natural,
        default=0,
        metavar="N",
        help="with --delete: keep the duplicates of games whose header has fewer than N points "
        "(maximum 88, Go 48; docs/reference.md)",
    )
    command.add_argument(
        "--purge",
        action="store_true",
        help="remove deleted games permanently and shrink the file; cannot be undone",
    )
    command.add_argument(
        "--full",
        action="store_true",
        help="search all groups again, not only what changed since the last search",
    )
    command.add_argument(
        "--report",
        metavar="FILE",
        help="list duplicates with their kept games, and possible duplicates, as "
        f"{', '.join(REPORT_ENDINGS)} or an .html page with charts, boards and evidence "
        "(docs/report.md)",
    )
    command.add_argument("--force", action="store_true", help="overwrite an existing report")
