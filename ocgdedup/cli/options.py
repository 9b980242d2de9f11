"""The command line: each command and each option once, with its help.

Imports argparse alone, so that `--help` and the making of man pages need nothing built.
"""

from __future__ import annotations

import argparse

from ocgdedup import __version__

_DATABASE = ("GAMES.db3", "the database: one of ours, or one that OCGDB wrote with Moves2")


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    parser = argparse.ArgumentParser(
        prog="ocgdedup",
        description="Turn PGN files of chess games into one SQLite database, find the games that "
        "stand in it twice, and turn it back into PGN.",
        epilog="Exit status: 0 done; 1 done, but some input was rejected or marked; 2 failed; "
        "130 interrupted.",
    )
    parser.add_argument("--version", action="version", version=f"ocgdedup {__version__}")
    # With prog given, argparse need not format a usage line, which would import shutil.
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", required=True, prog=parser.prog
    )
    _add_create(commands)
    _add_dedup(commands)
    _add_printpgn(commands)
    _add_export(commands)
    return parser


_Commands = argparse._SubParsersAction  # argparse gives it no public name


def _add_command(
    commands: _Commands[argparse.ArgumentParser], name: str, text: str, example: str
) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(
        name,
        help=text[0].lower() + text[1:].split(". ")[0].rstrip("."),
        description=text,
        epilog=f"Example: {example}",
    )
    command.add_argument(
        "-q", "--quiet", action="store_true", help="no progress and no summary; errors only"
    )
    return command


def _add_create(commands: _Commands[argparse.ArgumentParser]) -> None:
    command = _add_command(
        commands,
        "create",
        "Read PGN into a new database. Moves are checked for legality; a game with an error is "
        "kept up to it and listed, text that is no game goes to the reject file.",
        "ocgdedup create games.db3 twic*.zip mygames.pgn",
    )
    command.add_argument("database", metavar="GAMES.db3", help="the database to make")
    command.add_argument(
        "inputs",
        metavar="INPUT",
        nargs="+",
        help="PGN file, folder of them, .gz .bz2 .xz .zst or .zip of them, or - for standard input",
    )
    existing = command.add_mutually_exclusive_group()
    existing.add_argument("--append", action="store_true", help="add to a database that is there")
    existing.add_argument("--force", action="store_true", help="overwrite what is there")
    command.add_argument(
        "--jobs",
        type=_positive,
        metavar="N",
        help="threads that parse (default: one for each processor, at most 4); "
        "the result is the same for any number",
    )
    command.add_argument(
        "--no-index", action="store_true", help="build no indexes on the hash columns"
    )
    command.add_argument(
        "--rejects",
        metavar="FILE.pgn",
        help="where rejected text goes (default: GAMES.rejects.pgn); made only if there is any",
    )
    command.add_argument(
        "--report",
        metavar="FILE.tsv",
        help="list all faults: file, line, game number, ply, reason (else the first 20 are shown)",
    )


def _add_dedup(commands: _Commands[argparse.ArgumentParser]) -> None:
    command = _add_command(
        commands,
        "dedup",
        "Find games with exactly the same moves. Each copy is flagged in place (DuplicateStatus, "
        "DuplicateGroup); nothing is deleted. As yet only moves are compared: quick draws that "
        "other people played with the same moves are flagged too; --plycount 40 spares them.",
        "ocgdedup dedup games.db3 --dry-run",
    )
    command.add_argument("database", metavar=_DATABASE[0], help=_DATABASE[1])
    command.add_argument(
        "--plycount",
        type=_natural,
        default=1,
        metavar="N",
        help="leave out games of fewer than N plies (default: 1; games without moves are never "
        "compared)",
    )
    command.add_argument("--dry-run", action="store_true", help="only count, change nothing")
    command.add_argument(
        "--upgrade",
        action="store_true",
        help="add the hash columns to a database that OCGDB wrote, without asking",
    )


def _add_printpgn(commands: _Commands[argparse.ArgumentParser]) -> None:
    command = _add_command(
        commands,
        "printpgn",
        "Print games by their ID; none if one of them is unknown.",
        "ocgdedup printpgn games.db3 -g 17 4711",
    )
    command.add_argument("database", metavar=_DATABASE[0], help=_DATABASE[1])
    command.add_argument(
        "-g",
        "--game",
        dest="games",
        type=int,
        action="extend",
        nargs="+",
        required=True,
        metavar="ID",
        help="IDs of games; may be given several times",
    )


def _add_export(commands: _Commands[argparse.ArgumentParser]) -> None:
    command = _add_command(
        commands,
        "export",
        "Write all games to a PGN file, by rising ID.",
        "ocgdedup export games.db3 -o games.pgn",
    )
    command.add_argument("database", metavar=_DATABASE[0], help=_DATABASE[1])
    command.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="OUT.pgn",
        help="the file, or - for standard output",
    )
    command.add_argument("--force", action="store_true", help="overwrite what is there")


def _positive(text: str) -> int:
    number = _natural(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def _natural(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 0 on")
    return int(text)
