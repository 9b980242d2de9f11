"""The options of export."""

from __future__ import annotations

import argparse

from ocgdedup.cli.options.selection import add_selection
from ocgdedup.cli.options.shared import DATABASE, Commands, add_command, add_json, natural, positive

STRIPPED = ("comments", "variations", "nags", "clocks", "evp")


def add_export(commands: Commands) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "export",
        "Write chess games to PGN files, Go games to SGF files, or either as tables for other "
        "programs. Without options of a selection it is all games that are no flagged copies, by "
        "rising ID; what several options say must all be true of a game. The database is not "
        "changed.",
        "ocgdedup export games.db3 -o games.pgn",
        "ocgdedup export games.db3 -o clean.pgn.zst --duplicates copies.pgn",
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
        help="the file, or - for standard output; OUT.sgf for Go games. A name that ends in "
        ".gz, .bz2, .xz or .zst is compressed so. For tables a folder, or one file for the games. "
        "Not needed beside --duplicates",
    )
    command.add_argument(
        "--format",
        choices=("pgn", "sgf", "parquet", "csv", "jsonl"),
        help="what to write: PGN, for Go SGF, or tables of games, players, names and aliases as "
        "Parquet, CSV or JSON Lines into a folder (docs/tables.md explains the columns); without "
        "it the ending of OUT decides: OUT.parquet, OUT.csv and OUT.jsonl get the table of games, "
        "any other PGN or SGF",
    )
    command.add_argument(
        "--lossless",
        action="store_true",
        help="write Parquet with all that is stored of each game, from which 'ocgdedup create' can "
        "make a database: moves, annotations, tags, source files",
    )
    command.add_argument(
        "--safe-csv",
        action="store_true",
        help="write CSV for a spreadsheet: an apostrophe stands before each text that it may take "
        "for a formula, such as =1+1",
    )
    command.add_argument(
        "--duplicates",
        metavar="COPIES.pgn",
        help="write the flagged copies to this file, deleted ones too that were not purged: exact "
        "ones first, then subsumption, then join. Event and Site begin with a mark, such as "
        "[exact copy of 8], where 8 is the ID of the game that stays; the tags DuplicateStatus and "
        "DuplicateGroup say the same. In SGF these are EV, PC, DUPSTATUS and DUPGROUP",
    )
    command.add_argument(
        "--split",
        type=positive,
        metavar="N",
        help="N games a file: OUT-001.pgn, OUT-002.pgn and so on, .sgf for Go games. If files of "
        "such names exist, none is written without --force; those that are not overwritten stay",
    )
    command.add_argument("--force", action="store_true", help="overwrite what is there")


def _add_form(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--width",
        type=natural,
        default=80,
        metavar="N",
        help="columns of a line of moves; 0 writes the moves of a game on one line, in SGF the "
        "whole game (default: 80; in SGF that is ten moves a line)",
    )
    command.add_argument(
        "--strip",
        type=_kinds,
        default=(),
        metavar="KIND,...",
        help="leave out, in variations too: comments (all of them), variations, nags ($1, !?), "
        "clocks (the marks [%%clk], [%%emt], [%%egt], [%%mct] in comments), evp ([%%evp], left "
        "out by default). Other marks, such as [%%eval], [%%cal], [%%csl], stay in their comments. "
        "In SGF these are the property C, branches, BM DO IT TE DM GB GW HO UC, and BL WL OB OW",
    )
    command.add_argument(
        "--keep-evp",
        action="store_true",
        help="keep ChessBase's mark [%%evp ...], which is otherwise left out: no other program "
        "reads it. Chess only",
    )

    add_names(command, "original")
    command.add_argument(
        "--original-names",
        action="store_true",
        help="write repaired names, events and sites as the source has them (docs/how-to.md); "
        "otherwise the original text is in the tags OriginalWhite and so on, in Go games in the "
        "properties ORIGINALPW and so on",
    )


def add_names(command: argparse.ArgumentParser, default: str | None) -> None:
    """Declare how players are named in what is written."""
    usual = default or "canonical if a FIDE list was loaded, else original"
    command.add_argument(
        "--names",
        choices=("canonical", "original"),
        default=default,
        help="canonical: name players as the FIDE list does where players found them (docs/"
        "players.md), others without titles and countries; original: as the merged header has "
        f"them (default: {usual}). Chess only",
    )


def _kinds(text: str) -> tuple[str, ...]:
    kinds = tuple(text.split(","))
    for kind in kinds:
        if kind not in STRIPPED:
            raise argparse.ArgumentTypeError(
                f"{kind!r} is none of {', '.join(STRIPPED)} (with commas between, no blanks)"
            )
    return kinds
