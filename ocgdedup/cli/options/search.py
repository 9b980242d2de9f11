"""Options of a search for duplicates: those of dedup, run and distributed, and of review."""

from __future__ import annotations

import argparse

from ocgdedup.cli.options.shared import (
    DATABASE,
    REPORT_ENDINGS,
    Commands,
    add_command,
    add_json,
    add_list_month,
    add_lists,
    natural,
    positive,
    share,
    size_bytes,
)
from ocgdedup.model import ANNOTATIONS

KEEP_CHOICES = ("best-header", "longest", "annotated", "first")


def add_search(command: argparse.ArgumentParser, plycount: str = "") -> None:
    """Add the options of a search; `plycount` is appended to the default of --plycount.

    No option has a default here: missing options are taken from the last search.
    """
    command.add_argument(
        "--defaults",
        action="store_true",
        help="use the defaults for options that you omit (otherwise they keep their values "
        "from the last search)",
    )
    command.add_argument(
        "--plycount",
        type=natural,
        metavar="N",
        help=f"ignore games of fewer than N plies (Go: moves) (default: 0{plycount})",
    )
    command.add_argument(
        "--subsumption-min-shorter",
        type=natural,
        metavar="N",
        help="group a truncated game only if it is at least N plies shorter, otherwise list it "
        "as a possible duplicate (default: no minimum)",
    )
    _add_gates(command)
    _add_kept_games(command)


def add_resources(command: argparse.ArgumentParser) -> None:
    """Add the limits on threads, memory and temporary files."""
    command.add_argument(
        "--jobs",
        type=positive,
        metavar="N",
        help="use N threads (default: number of CPUs, at most 4)",
    )
    command.add_argument(
        "--memory",
        type=size_bytes,
        metavar="SIZE",
        help="maximum memory of the search, such as 500M or 2G; larger collections are "
        "searched in parts (default: a quarter of the RAM, at most 2G)",
    )
    command.add_argument(
        "--temp-dir",
        metavar="DIR",
        help="folder for temporary files, about the size of the database, if the search needs "
        "them (default: $TMPDIR, else the folder of the database)",
    )


def _add_gates(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--join-accuracy",
        "--accuracy",
        choices=("strict", "normal", "tolerant"),
        help="gates: group near-identical games only within these limits; each --join option and "
        "--monge-elkan turns the gates on (default: off; docs/duplicates.md)",
    )
    for name, kind, value, text in (
        ("start", natural, "15", "skip N plies at the start of both games"),
        (
            "compare",
            natural,
            "10",
            "compare from the first ply if fewer than N plies would be left",
        ),
        ("ply", natural, "10", "minimum number of plies of both games"),
    ):
        option = {"start": "ply-start", "compare": "min-compare", "ply": "min-ply"}[name]
        command.add_argument(
            f"--join-{option}", type=kind, metavar="N", help=f"gates: {text} (default: {value})"
        )
    command.add_argument(
        "--join-diff-ratio",
        type=share,
        metavar="X",
        help="gates: maximum difference in length, as a share of the longer game (default: 0.15)",
    )
    command.add_argument(
        "--join-dynamic",
        action="store_true",
        help="gates: scale the limits with the length of the shorter game (always on for Go; "
        "docs/duplicates.md)",
    )
    command.add_argument(
        "--monge-elkan",
        type=share,
        nargs="?",
        const=0.95,
        metavar="X",
        help="gates: also require this Monge-Elkan similarity of the moves (default: off; 0.95 "
        "if X is omitted)",
    )


def _add_kept_games(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--keep",
        choices=KEEP_CHOICES,
        help="game of each group to keep, never a truncated game if the group has a complete "
        "one (default: best-header)",
    )
    command.add_argument(
        "--no-merge", action="store_true", help="do not merge headers into the kept games"
    )
    command.add_argument(
        "--keep-annotations",
        choices=ANNOTATIONS,
        help="annotations of the kept game: those of all records merged, those of the record "
        "with the longest text, or only its own (default: merge)",
    )
    command.add_argument(
        "--merge-variations",
        action="store_true",
        help="keep the differing moves of duplicates as variations of the kept game",
    )


# --- dedup ----------------------------------------------------------------------------------------


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


# --- review ---------------------------------------------------------------------------------------


def add_review(commands: Commands) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "review",
        "Decide about possible duplicates one by one, in the terminal or in the browser. Shows "
        "both games side by side, and asks whether they are the same game and which record to "
        "keep. Each decision is saved at once, so you can stop at any time and continue later. "
        "The next run of dedup applies the decisions.",
        "ocgdedup review games.db3",
        "ocgdedup review games.db3 --web",
        "ocgdedup review games.db3 --joins",
        "ocgdedup review games.db3 --pair 17 4711",
        "ocgdedup review games.db3 --list",
        "ocgdedup review games.db3 --decide decisions.csv --apply",
    )
    command.add_argument("database", metavar=DATABASE[0], help=DATABASE[1])
    which = command.add_mutually_exclusive_group()
    which.add_argument(
        "--joins",
        action="store_true",
        help="review duplicates whose moves are near-identical, the least certain first",
    )
    which.add_argument(
        "--pair",
        nargs=2,
        type=int,
        metavar="ID",
        help="review this pair, even if it is not a possible duplicate",
    )
    which.add_argument(
        "--group",
        type=int,
        metavar="ID",
        help="review each duplicate of a group with its kept game; ID of any game of the group",
    )
    which.add_argument(
        "--list",
        action="store_true",
        help="list all possible duplicates and your decisions in tab-separated columns, for "
        "--decide and scripts; classes are named as in the database (docs/reference.md)",
    )
    which.add_argument(
        "--decide",
        metavar="FILE.csv",
        help="import decisions from a file with the columns GameID1, GameID2, Decision and "
        "optionally Master; the output of --list works (docs/reference.md)",
    )
    which.add_argument(
        "--web",
        action="store_true",
        help="review all pairs in the browser, on a page that only this computer can open",
    )
    command.add_argument(
        "--json", action="store_true", help="with --list: print an array of objects"
    )
    command.add_argument(
        "--port",
        type=int,
        metavar="N",
        help="port of the page of --web (default: any free port)",
    )
    command.add_argument(
        "--all",
        action="store_true",
        help="show pairs that you decided before again, after the others",
    )
    command.add_argument(
        "--apply",
        action="store_true",
        help="run dedup at the end, with the options of the last search, to apply the decisions",
    )
