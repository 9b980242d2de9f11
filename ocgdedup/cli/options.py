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
    _add_players(commands)
    _add_printpgn(commands)
    _add_export(commands)
    return parser


_Commands = argparse._SubParsersAction  # argparse gives it no public name


class _HelpFormatter(argparse.HelpFormatter):
    """Keeps the lines of a text that has several: examples stand one below the other."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if "\n" in text:
            return "".join(indent + line for line in text.splitlines(keepends=True))
        return super()._fill_text(text, width, indent)


def _add_command(
    commands: _Commands[argparse.ArgumentParser], name: str, text: str, *examples: str
) -> argparse.ArgumentParser:
    if len(examples) == 1:
        epilog = f"Example: {examples[0]}"
    else:
        epilog = "\n  ".join(("Examples:", *examples))
    command: argparse.ArgumentParser = commands.add_parser(
        name,
        help=text[0].lower() + text[1:].split(". ")[0].rstrip("."),
        description=text,
        epilog=epilog,
        formatter_class=_HelpFormatter,
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
    _add_lists(command, "after the load, find out who played, as the command players does, by ")


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
    _add_lists(command, "find out who played, as the command players does, by ")
    command.add_argument(
        "--no-players",
        action="store_true",
        help="leave the names of players as they are (else new names are looked up first, if a "
        "list is given or the command players was run before; --dry-run never does)",
    )


def _add_players(commands: _Commands[argparse.ArgumentParser]) -> None:
    command = _add_command(
        commands,
        "players",
        "Find out which names are one person's, and who played each game. Names are looked up in "
        "a rating list of FIDE and a spelling file, if given now or before, and compared with one "
        "another; the text of the names stays. What a game lacks of a person it is sure about "
        "(FIDE ID, title, Elo) is filled in. All of it can be undone.",
        "ocgdedup players games.db3 --fide-xml players_list_xml_foa.zip",
        "ocgdedup players games.db3 --show 'Botvinnik, M'",
        "ocgdedup players games.db3 --undo",
        "ocgdedup players --fide-xml players_list_xml_foa.zip --resolve names.txt -o found.tsv",
    )
    command.add_argument("database", metavar=_DATABASE[0], nargs="?", help="the database")
    job = command.add_mutually_exclusive_group()
    job.add_argument(
        "--show",
        metavar="NAME",
        action="append",
        help="say who may be meant by a name and why, by the lists in the database or, without a "
        "database, by --fide-xml; change nothing. May be given several times",
    )
    job.add_argument(
        "--undo", action="store_true", help="put back all that the last consolidation changed"
    )
    job.add_argument(
        "--resolve",
        metavar="NAMES.txt",
        help="look up the names of a file, one a line (- for standard input), without a database",
    )
    _add_lists(command, "look names up in ")
    command.add_argument(
        "--list-month",
        type=_month,
        metavar="YYYY-MM",
        help="month of the rating list, if the list does not tell it: titles and Elos are filled "
        "in by it",
    )
    _add_outputs_of_players(command)
    command.add_argument(
        "--again", action="store_true", help="look up again the names that were resolved before"
    )
    command.add_argument(
        "--no-fill",
        action="store_true",
        help="fill nothing in, now and later; take out what was filled in before",
    )
    command.add_argument("--fill", action="store_true", help="fill in again, after --no-fill")


def _add_outputs_of_players(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--report",
        metavar="FILE.csv",
        help="list all names that became a person: name, games, person, FIDE ID, and by what",
    )
    command.add_argument(
        "-o",
        "--output",
        metavar="OUT.tsv",
        help="where --resolve writes name, FIDE ID, canonical name, stage and score (default: -, "
        "standard output)",
    )
    command.add_argument("--force", action="store_true", help="overwrite what is there")


def _add_lists(command: argparse.ArgumentParser, purpose: str) -> None:
    command.add_argument(
        "--fide-xml",
        metavar="LIST",
        help=f"{purpose}this rating list of FIDE: XML or text, packed or not; it is kept in the "
        "database",
    )
    command.add_argument(
        "--aliases",
        metavar="FILE",
        help=f"{purpose}this spelling file of Scid (.ssp); it is kept in the database",
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


def _month(text: str) -> str:
    year, _, month = text.partition("-")
    is_number = text.isascii() and year.isdigit() and month.isdigit()
    if not (is_number and len(year) == 4 and len(month) == 2 and 1 <= int(month) <= 12):
        raise argparse.ArgumentTypeError(f"{text!r} is no month such as 2025-02")
    return text


def _positive(text: str) -> int:
    number = _natural(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def _natural(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 0 on")
    return int(text)
