"""The command line: each command and each option once, with its help.

Imports argparse alone, so that `--help` and the making of man pages need nothing built.
"""

from __future__ import annotations

import argparse

from ocgdedup import __version__

_DATABASE = ("GAMES.db3", "the database: one of ours, or one that OCGDB wrote with Moves2")


# As store/hash_groups.py has them; a test compares. This module imports nothing of ours.
METHOD_CHOICES = (
    "last-position", "last-position+length", "all-positions", "every-5", "moves", "moves+players",
)  # fmt: skip


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
        allow_abbrev=False,  # "--delet" is a slip, and slips delete nothing
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
        "Find the records of one played game: equal ones, cut-off ones, those with a slip or "
        "under other names. Copies are flagged in place (DuplicateStatus, DuplicateGroup) and the "
        "best of their headers goes into the one that stays; nothing is deleted unless you say "
        "so. What is likely but not sure stands in the table Suspects. All of it can be undone.",
        "ocgdedup dedup games.db3 --dry-run",
        "ocgdedup dedup games.db3 --report copies.csv",
        "ocgdedup dedup games.db3 --explain 17 4711",
        "ocgdedup dedup games.db3 --delete",
        "ocgdedup dedup games.db3 --undo",
    )
    command.add_argument("database", metavar=_DATABASE[0], help=_DATABASE[1])
    job = command.add_mutually_exclusive_group()
    job.add_argument("--dry-run", action="store_true", help="only count, change nothing")
    job.add_argument(
        "--undo",
        action="store_true",
        help="take back the last run: flags, merged headers and deletion",
    )
    job.add_argument(
        "--restore",
        action="store_true",
        help="put all deleted games back that were not purged, whichever run deleted them",
    )
    job.add_argument(
        "--explain",
        nargs=2,
        type=int,
        metavar="ID",
        help="say what two games are to each other, and what speaks for it and against",
    )
    job.add_argument(
        "--method",
        action="append",
        choices=(*METHOD_CHOICES, "all"),
        help="repeat OCGDB's study: count what this key alone reports, and how much of it the "
        "moves confirm; change nothing. May be given several times",
    )
    _add_search(command)
    _add_removal(command)
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


def _add_search(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--plycount",
        type=_natural,
        metavar="N",
        help="leave out games of fewer than N plies (default: 0; with --method 1)",
    )
    command.add_argument(
        "--subsumption-min-shorter",
        type=_natural,
        default=1,
        metavar="N",
        help="plies that a game must have to count as the start of another (default: 1)",
    )
    command.add_argument(
        "--join-accuracy",
        choices=("strict", "normal", "tolerant"),
        default="normal",
        help="how like each other moves must be that differ somewhere (default: normal; "
        "docs/duplicates.md has the figures)",
    )
    for name, kind, value, text in (
        ("start", _natural, "15", "ply from which likeness is measured"),
        ("compare", _natural, "10", "plies it must be measured on, else the whole game is taken"),
        ("ply", _natural, "10", "plies that both games must have"),
    ):
        option = {"start": "ply-start", "compare": "min-compare", "ply": "min-ply"}[name]
        command.add_argument(
            f"--join-{option}", type=kind, metavar="N", help=f"join: {text} (default: {value})"
        )
    command.add_argument(
        "--join-diff-ratio",
        type=_share,
        metavar="X",
        help="join: by what part of the longer one lengths may differ (default: 0.15)",
    )
    command.add_argument(
        "--join-dynamic",
        action="store_true",
        help="join: let the limits follow the number of plies",
    )
    command.add_argument(
        "--monge-elkan",
        type=_share,
        nargs="?",
        const=0.95,
        metavar="X",
        help="join: ask for this Monge-Elkan similarity of the moves besides (default: 0.95)",
    )


def _add_removal(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--keep",
        choices=("best-header", "longest", "annotated", "first"),
        default="best-header",
        help="which record stays; never a cut-off one beside its full score (default: best-header)",
    )
    command.add_argument(
        "--no-merge", action="store_true", help="leave the headers of the games that stay alone"
    )
    command.add_argument(
        "--merge-variations",
        action="store_true",
        help="keep the differing moves of copies as variations of the game that stays",
    )
    command.add_argument(
        "--delete",
        action="store_true",
        help="take copies out of the games, after writing them to a PGN file beside the database",
    )
    command.add_argument(
        "--min-header-quality",
        type=_natural,
        default=0,
        metavar="N",
        help="with --delete: not where the game that stays has a header of fewer points",
    )
    command.add_argument(
        "--purge",
        action="store_true",
        help="drop deleted games for good and shrink the file; no undo after that",
    )
    command.add_argument(
        "--full", action="store_true", help="judge all groups anew, not only what has changed"
    )
    command.add_argument(
        "--report",
        metavar="FILE.csv",
        help="list each copy with its master, and the suspects: .csv, or .json for one JSON "
        "object a line",
    )
    command.add_argument("--force", action="store_true", help="overwrite the report")


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
        "Print games by their ID, or copies side by side; none if one of them is unknown.",
        "ocgdedup printpgn games.db3 -g 17 4711",
        "ocgdedup printpgn games.db3 --group 17",
        "ocgdedup printpgn games.db3 --pairs copies.csv",
    )
    command.add_argument("database", metavar=_DATABASE[0], help=_DATABASE[1])
    what = command.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "-g",
        "--game",
        dest="games",
        type=int,
        action="extend",
        nargs="+",
        metavar="ID",
        help="IDs of games; may be given several times",
    )
    what.add_argument(
        "--pairs",
        metavar="FILE",
        help="show pairs side by side, with the first move that differs: a report of dedup, or "
        "a text file of two IDs a line",
    )
    what.add_argument(
        "--group",
        type=int,
        metavar="ID",
        help="show a group of copies, each beside the game that stays; the ID of any of them",
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


def _share(text: str) -> float:
    try:
        number = float(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0 to 1") from error
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0 to 1")
    return number


def _positive(text: str) -> int:
    number = _natural(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def _natural(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 0 on")
    return int(text)
