"""The options of signatures."""

from __future__ import annotations

import argparse

from ocgdedup.cli.options.shared import DATABASE, Commands, add_command, positive


def add_signatures(commands: Commands) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "signatures",
        "Compute signatures of games: a few of their moves, and MD5 sums of all moves. Without "
        "IDs, computes missing signatures and stores them in the database. With IDs, prints the "
        "signatures of these games, one line each. Signature A is moves 20, 40 and 60, signature "
        "B is moves 31, 51 and 71; in chess the numbers count plies.",
        "ocgdedup signatures games.db3",
        "ocgdedup signatures games.db3 17 4711",
        "ocgdedup signatures games.db3 17 --moves 10,13,16,19,22",
        "ocgdedup signatures games.db3 --moves 10,13,16 -g 17 4711",
        "ocgdedup signatures games.db3 --report",
    )
    command.add_argument("database", metavar=DATABASE[0], help=DATABASE[1])
    command.add_argument(
        "games",
        metavar="ID",
        nargs="*",
        type=int,
        help="IDs of games whose signatures to print; nothing is stored",
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
        help="like ID, for use after --moves",
    )
    what = command.add_mutually_exclusive_group()
    what.add_argument(
        "--moves",
        metavar="N,N",
        type=move_numbers,
        help="print the moves with these numbers, counted from 1, instead of A and B, of the "
        "given games or of all; for small boards and short games",
    )
    what.add_argument(
        "--report",
        action="store_true",
        help="count different signatures, and list games with equal signatures A and B but "
        "other moves, which are likely duplicates; store nothing",
    )
    command.add_argument(
        "--json",
        action="store_true",
        help="print JSON: one object per line for games, one object for the report",
    )


def move_numbers(text: str) -> list[int]:
    """Parse move numbers separated by commas."""
    try:
        return [positive(number.strip()) for number in text.split(",")]
    except argparse.ArgumentTypeError as error:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no list of moves such as 10,13,16"
        ) from error
