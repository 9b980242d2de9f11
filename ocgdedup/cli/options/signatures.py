"""The options of signatures."""

from __future__ import annotations

import argparse

from ocgdedup.cli.options.shared import DATABASE, Commands, add_command, positive


def add_signatures(commands: Commands) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "signatures",
        "Sign games by a few of their moves, and by MD5s of all. Without an ID the signatures "
        "that games lack are written into the database; with IDs those of these games are "
        "printed, a line each. A is moves 20, 40 and 60, B moves 31, 51 and 71, half-moves in "
        "chess.",
        "ocgdedup signatures games.db3",
        "ocgdedup signatures games.db3 17 4711",
        "ocgdedup signatures games.db3 17 --moves 10,13,16,19,22",
        "ocgdedup signatures games.db3 --moves 10,13,16 -g 17 4711",
        "ocgdedup signatures games.db3 --report",
    )
    command.add_argument("database", metavar=DATABASE[0], help=DATABASE[1])
    command.add_argument(
        "games", metavar="ID", nargs="*", type=int, help="IDs of games; nothing is written then"
    )
    command.add_argument(
        "-g",
        "--game",
        dest="more_games",
        type=int,
        action="extend",
        nargs="+",
        default=[],
        metavar="ID",
        help="the same, for IDs that stand behind --moves",
    )
    what = command.add_mutually_exclusive_group()
    what.add_argument(
        "--moves",
        metavar="N,N",
        type=move_numbers,
        help="print the moves with these numbers, from 1, in place of A and B: of the games named, "
        "or of all; for small boards and short games",
    )
    what.add_argument(
        "--report",
        action="store_true",
        help="count the different signatures, and list the games that have both A and B in common "
        "and other moves: which are one game with a slip; nothing is written",
    )
    command.add_argument(
        "--json",
        action="store_true",
        help="write what is printed as JSON: games as an object a line, a report as one object",
    )


def move_numbers(text: str) -> list[int]:
    """Take numbers of moves with commas between."""
    try:
        return [positive(number.strip()) for number in text.split(",")]
    except argparse.ArgumentTypeError as error:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no list of moves such as 10,13,16"
        ) from error
