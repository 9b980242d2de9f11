"""The options of printpgn."""

from __future__ import annotations

from ocgdedup.cli.options.shared import DATABASE, Commands, add_command


def add_printpgn(commands: Commands) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "printpgn",
        "Print games by their ID as PGN, Go games as SGF, or pairs of them side by side; none "
        "if one of them is unknown.",
        "ocgdedup printpgn games.db3 -g 17 4711",
        "ocgdedup printpgn games.db3 -g 17 4711 --signature",
        "ocgdedup printpgn games.db3 --diff 17 4711",
        "ocgdedup printpgn games.db3 --group 17",
        "ocgdedup printpgn games.db3 --pairs",
        "ocgdedup printpgn games.db3 --pairs copies.csv",
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
        help='print the games with these IDs, each after a comment line "%% game ID"; may be given '
        "several times",
    )
    what.add_argument(
        "--diff",
        nargs=2,
        type=int,
        metavar="ID",
        help="show two games side by side, whatever they are to each other: what differs, the "
        "board where the moves part, what speaks for one game and against",
    )
    what.add_argument(
        "--pairs",
        metavar="FILE",
        nargs="?",
        const="",
        help="show pairs side by side, with the first move that differs: those of a report of "
        "dedup, or of a text file of two IDs a line; without FILE the suspects that nobody has "
        "decided about (review asks about them)",
    )
    what.add_argument(
        "--group",
        type=int,
        metavar="ID",
        help="show a group of copies, each beside the game that stays; the ID of any of them",
    )
    command.add_argument(
        "--signature",
        action="store_true",
        help="with -g: print the signatures of the games, a line each, in place of the games",
    )
