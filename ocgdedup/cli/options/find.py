"""The options of find, signatures and printpgn."""

from __future__ import annotations

import argparse

from ocgdedup.cli.options.selection import add_conditions
from ocgdedup.cli.options.shared import DATABASE, Commands, add_command, natural, positive


def add_find(commands: Commands) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "find",
        "Find chess or Go games by moves, positions, players, years and other conditions. If "
        "you give several conditions, a game must meet all of them. Flagged duplicates are shown "
        "and marked as duplicates; deleted games are not shown. The database is not changed.",
        "ocgdedup find games.db3 --move 46=g3",
        "ocgdedup find games.db3 --signature-a 'e7c5________'",
        "ocgdedup find games.db3 --position 5rk1/pp4pp/4p3/2R3Q1/3n4/2q4r/P1P2PPP/5RK1",
        "ocgdedup find games.db3 --like 17",
        "ocgdedup find games.db3 --player 'Tal, Mihail' --year 1957-1960 --json",
        "ocgdedup find games.db3 --event championship --result 1-0 --min-plies 60",
        "ocgdedup find games.db3 --pattern 'R = 0 and r = 0 and Q = 1 and q = 1'",
        "ocgdedup find go.db3 --signature-a qo??hn --symmetric",
        "ocgdedup find go.db3 --signature-a 'oc????'",
        "ocgdedup find go.db3 --position 'AB[pd][dp]AW[dd][pp]' --move 20=qo",
        "ocgdedup find go.db3 --pattern '.XO/?.X' --symmetric --swap-colours",
    )
    command.add_argument("database", metavar=DATABASE[0], help=DATABASE[1])
    _add_moves(command)
    _add_likeness(command)
    add_conditions(command)
    command.add_argument(
        "--limit",
        type=positive,
        default=0,
        metavar="N",
        help="stop after the first N games",
    )
    command.add_argument(
        "--json", action="store_true", help="print one JSON object per line for each game"
    )


def _add_moves(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--signature-a",
        metavar="MOVES",
        help="games with these moves 20, 40 and 60, as printed by 'ocgdedup signatures'; write "
        "_ for an unknown letter (docs/reference.md)",
    )
    command.add_argument(
        "--signature-b",
        metavar="MOVES",
        help="games with these moves 31, 51 and 71, written like --signature-a",
    )
    command.add_argument(
        "--move",
        action="append",
        default=[],
        metavar="N=MOVE",
        help="games with this move N (chess: ply N, or 10w for White's move 10), such as "
        "20=e2e4, 20=e4 or, in Go, 20=qo; repeatable (docs/reference.md)",
    )
    command.add_argument(
        "--position",
        metavar="TEXT",
        help="games in which this position occurs: in chess a FEN or its first fields, in Go "
        "all stones, such as 'AB[pd][dp]AW[dd]' (docs/reference.md)",
    )
    _add_pattern(command)
    command.add_argument(
        "--symmetric",
        action="store_true",
        help="Go: also match signatures, moves, position and pattern in all eight rotations "
        "and reflections",
    )
    command.add_argument(
        "--size",
        type=natural,
        metavar="N",
        help="Go: games on boards of N lines, at most 25 (default with --symmetric: 19)",
    )


def _add_pattern(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--pattern",
        metavar="TEXT",
        help="games with a position that matches this pattern, such as 'Q = 3' or, in Go, "
        "'.XO/?X.'; @FILE reads it from a file (docs/find.md)",
    )
    command.add_argument(
        "--at",
        type=natural,
        metavar="N",
        help="match the pattern only after N moves (chess: plies)",
    )
    command.add_argument(
        "--swap-colours",
        action="store_true",
        help="Go: also match the pattern with colours swapped",
    )


def _add_likeness(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--like",
        type=int,
        metavar="ID",
        help="games similar to this one, the most similar first: same moves (Go: also rotated "
        "or mirrored), first 100 moves, signatures A and B, first 50 moves",
    )
    command.add_argument(
        "--md5",
        metavar="HEX",
        help="games with this MD5 sum of all moves, of the first 50 or 100 moves, or the "
        "canonical one (Go: as printed by sgfinfo -md5 and -can)",
    )


# --- signatures -----------------------------------------------------------------------------------


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


# --- printpgn -------------------------------------------------------------------------------------


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
