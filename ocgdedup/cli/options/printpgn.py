"""The options of printpgn."""

from __future__ import annotations

from ocgdedup.cli.options.shared import DATABASE, Commands, add_command


def add_printpgn(commands: Commands) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "printpgn",
        "Print games as PGN or SGF, or compare games side by side. If one of the IDs is "
        "unknown, nothing is printed.",
        "ocgdedup printpgn games.db3 -g 17 4711",
        "ocgdedup printpgn games.db3 -g 17 4711 --signature",
        "ocgdedup printpgn games.db3 --diff 17 4711",
        "ocgdedup printpgn games.db3 --group 17",
        "ocgdedup printpgn games.db3 --pairs",
        "ocgdedup printpgn games.db3 --pairs duplicates.csv",
    )
    command.add_argument("database", metavar=DATABASE[0], help=DATABASE[1])
    what = command.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "-g",
        "--game",
        dest="games",
        type=int,
        action="extend",
        nargs="+",
        metavar="ID",
        help='print the games with these IDs, each after a comment line "%% game ID" (repeatable)',
    )
    what.add_argument(
        "--diff",
        nargs=2,
        type=int,
        metavar="ID",
        help="compare two games side by side: differences, board at the first difference, and "
        "evidence",
    )
    what.add_argument(
        "--pairs",
        metavar="FILE",
        nargs="?",
        const="",
        help="compare the pairs of a dedup report, or of a text file with two IDs per line; "
        "without FILE, the possible duplicates that you have not decided",
    )
    what.add_argument(
        "--group",
        type=int,
        metavar="ID",
        help="compare each duplicate of a group with its kept game; ID of any game of the group",
    )
    command.add_argument(
        "--signature",
        action="store_true",
        help="with -g: print the signatures of the games, one line each, instead of the games",
    )
