"""The options of review."""

from __future__ import annotations

from ocgdedup.cli.options.shared import DATABASE, Commands, add_command


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
