"""The options of find."""

from __future__ import annotations

import argparse

from ocgdedup.cli.options.selection import add_conditions
from ocgdedup.cli.options.shared import DATABASE, Commands, add_command, natural, positive


def add_find(commands: Commands) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "find",
        "Find chess or Go games by moves, signatures, positions, players and years. What "
        "several options say must all be true of a game. Flagged copies are shown, and said to "
        "be copies; deleted ones are not. The database is not changed.",
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
        help="the first N games alone; the search stops there",
    )
    command.add_argument("--json", action="store_true", help="write an object a line for each game")


def _add_moves(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--signature-a",
        metavar="MOVES",
        help="games with these moves 20, 40 and 60: in Go two letters each (qoqghn), in chess the "
        "two squares of half-moves (g8f6d2d4e7e5), as 'ocgdedup signatures' prints them: ?? or "
        "???? at the end if the game has no such move, or -- and ----; _ or *, and ? elsewhere, "
        "for a letter that is not known",
    )
    command.add_argument("--signature-b", metavar="MOVES", help="the same of moves 31, 51 and 71")
    command.add_argument(
        "--move",
        action="append",
        default=[],
        metavar="N=MOVE",
        help="games with this move N (of chess half-move N, or 10w for move 10 of White): 20=qo, "
        "20=tt for a pass; 20=e2e4, 20=e4 for any move to e4, 20=e7e8q; ?, _ or * for a letter "
        "that is not known, -- or ---- for no such move. May be given several times",
    )
    command.add_argument(
        "--position",
        metavar="TEXT",
        help="games in which this position occurs, and after how many moves: in chess a FEN, or "
        "its first fields (the first alone: the pieces, whoever is to move); in Go all stones on "
        "the board, as 'AB[pd][dp]AW[dd]', rectangles as [pd:qf], with SZ[13] in front if it "
        "has not 19 lines",
    )
    _add_pattern(command)
    command.add_argument(
        "--symmetric",
        action="store_true",
        help="Go: signatures, moves, position and pattern turned and mirrored too, in all eight "
        "ways",
    )
    command.add_argument(
        "--size",
        type=natural,
        metavar="N",
        help="Go: games on boards of N lines, 25 at most; with --symmetric 19 unless given",
    )


def _add_pattern(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--pattern",
        metavar="TEXT",
        help="games with a position that matches this pattern (docs/find.md); @FILE reads it from "
        "a file. Chess: a query of OCGDB such as 'Q = 3', or a board with ? for any square. Go: "
        "rows of X, O, . and ? such as '.XO/?X.', or SGF",
    )
    command.add_argument(
        "--at",
        type=natural,
        metavar="N",
        help="match the pattern after N moves only (chess: half-moves)",
    )
    command.add_argument(
        "--swap-colours",
        action="store_true",
        help="Go: match the pattern with colours swapped too",
    )


def _add_likeness(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--like",
        type=int,
        metavar="ID",
        help="games like this one, the most alike first: with the same moves, in Go turned or "
        "mirrored too, the same first 100 moves, the same signatures A and B, the same first 50",
    )
    command.add_argument(
        "--md5",
        metavar="HEX",
        help="games with this MD5 of all moves, of the first 50 or 100, or canonical; in Go as "
        "sgfinfo prints them with -md5 and -can",
    )
