"""The options of review."""

from __future__ import annotations

from ocgdedup.cli.options.shared import DATABASE, Commands, add_command


def add_review(commands: Commands) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "review",
        "Decide about possible duplicates one by one, in the terminal or in the browser: see both "
        "games side by side and say if they are the same game, and which record to keep. Each "
        "decision is written at once, so you can stop at any time and go on later; the next run "
        "of dedup applies it.",
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
        help="go through the copies whose moves are only nearly the same, the least certain first",
    )
    which.add_argument(
        "--pair",
        nargs=2,
        type=int,
        metavar="ID",
        help="decide about these two games, suspects or not",
    )
    which.add_argument(
        "--group",
        type=int,
        metavar="ID",
        help="go through a group of copies, each beside the game that stays; the ID of any of them",
    )
    which.add_argument(
        "--list",
        action="store_true",
        help="print all suspects with what you decided, tabs between the values; change nothing",
    )
    which.add_argument(
        "--decide",
        metavar="FILE.csv",
        help="take decisions from a file, all or none. Its columns are GameID1, GameID2, Decision "
        "(same, different, or none to take one back; empty: as it is) and, if you like, Master, "
        "the ID of the one of two games that stays; what --list prints will do",
    )
    which.add_argument(
        "--web",
        action="store_true",
        help="decide in the browser: show all pairs on a page that only this computer can open",
    )
    command.add_argument(
        "--json", action="store_true", help="with --list: print an array of objects"
    )
    command.add_argument(
        "--port",
        type=int,
        metavar="N",
        help="port of the page of --web (default: a free one)",
    )
    command.add_argument(
        "--all", action="store_true", help="show pairs again that are decided, after the others"
    )
    command.add_argument(
        "--apply",
        action="store_true",
        help="run dedup in the end, with the options of the last search, so that the decisions "
        "count at once",
    )
