"""The options of export."""

from __future__ import annotations

import argparse

from ocgdedup.cli.options.selection import add_selection
from ocgdedup.cli.options.shared import DATABASE, Commands, add_command, add_json, natural, positive
from ocgdedup.tables.formats import EXPORT_FORMATS, TEXT_FORMATS
from ocgdedup.wording import joined

STRIPPED = ("comments", "variations", "nags", "clocks", "evp")


def add_export(commands: Commands) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "export",
        "Write games to PGN or SGF files, or to tables for other programs. Writes all games "
        "except flagged duplicates, in the order of their IDs, unless you select games. If you "
        "give several conditions, a game must meet all of them. The database is not changed.",
        "ocgdedup export games.db3 -o games.pgn",
        "ocgdedup export games.db3 -o clean.pgn.zst --duplicates duplicates.pgn",
        "ocgdedup export games.db3 -o tal.pgn --player 'Tal, Mihail' --year 1957-1960 --sort date",
        "ocgdedup export games.db3 -o b.pgn --eco B20-B99 --where \"Result = '1-0'\" --split 5000",
        "ocgdedup export games.db3 -o - --strip comments,variations,nags --width 0",
        "ocgdedup export games.db3 --format parquet -o tables",
        "ocgdedup export games.db3 --all --lossless -o lossless",
        "ocgdedup export games.db3 -o games.csv",
    )
    command.add_argument("database", metavar=DATABASE[0], help=DATABASE[1])
    add_json(command)
    _add_files(command)
    add_selection(command)
    _add_form(command)


def _add_files(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "-o",
        "--output",
        metavar="OUT.pgn",
        help="output file (.sgf for Go; compressed if it ends in .gz, .bz2, .xz or .zst), - "
        "for standard output, or a folder for tables; optional with --duplicates",
    )
    command.add_argument(
        "--format",
        choices=(*TEXT_FORMATS, *EXPORT_FORMATS),
        help=f"output format; {joined(EXPORT_FORMATS, 'and')} write tables: all of them if OUT is "
        "a folder, else the games (docs/tables.md) (default: by the ending of OUT)",
    )
    command.add_argument(
        "--lossless",
        action="store_true",
        help="write Parquet with moves, annotations, tags and source files, from which "
        "'ocgdedup create' can rebuild the database",
    )
    command.add_argument(
        "--safe-csv",
        action="store_true",
        help="in CSV, put an apostrophe before text that a spreadsheet may run as a formula, "
        "such as =1+1",
    )
    command.add_argument(
        "--duplicates",
        metavar="COPIES.pgn",
        help="write the flagged duplicates to this file, including deleted games that are not "
        "purged, with marks such as [exact copy of 8] (docs/reference.md)",
    )
    command.add_argument(
        "--split",
        type=positive,
        metavar="N",
        help="write N games per file: OUT-001.pgn, OUT-002.pgn and so on (.sgf for Go)",
    )
    command.add_argument("--force", action="store_true", help="overwrite existing files")


def _add_form(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--width",
        type=natural,
        default=80,
        metavar="N",
        help="maximum line length of the moves; 0 writes all moves on one line (default: 80; "
        "SGF: ten moves per line)",
    )
    command.add_argument(
        "--strip",
        type=_kinds,
        default=(),
        metavar="KIND,...",
        help="leave out these parts, also in variations: comments, variations, nags, clocks, "
        "evp (docs/reference.md)",
    )
    command.add_argument(
        "--keep-evp",
        action="store_true",
        help="keep ChessBase's evaluation profile [%%evp ...] in comments, which only "
        "ChessBase reads (default: left out); chess only",
    )

    add_names(command, "original")
    command.add_argument(
        "--original-names",
        action="store_true",
        help="write names, events and sites as in the input file, without repairs of the "
        "character encoding (docs/how-to.md)",
    )


def add_names(command: argparse.ArgumentParser, default: str | None) -> None:
    """Declare --names."""
    usual = default or "canonical if a FIDE list was loaded, else original"
    command.add_argument(
        "--names",
        choices=("canonical", "original"),
        default=default,
        help="player names: canonical (from the FIDE list; docs/reference.md) or original (from "
        f"the merged header); chess only (default: {usual})",
    )


def _kinds(text: str) -> tuple[str, ...]:
    kinds = tuple(text.split(","))
    for kind in kinds:
        if kind not in STRIPPED:
            raise argparse.ArgumentTypeError(
                f"{kind!r} is none of {', '.join(STRIPPED)} (with commas between, no blanks)"
            )
    return kinds
