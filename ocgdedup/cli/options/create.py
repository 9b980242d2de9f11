"""The options of create and distributed."""

from __future__ import annotations

from ocgdedup.cli.options.search import add_search
from ocgdedup.cli.options.shared import (
    Commands,
    add_command,
    add_fail_on,
    add_json,
    add_list_month,
    add_lists,
    positive,
)


def add_create(commands: Commands) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "create",
        "Import PGN or SGF files into a new database. Checks that all moves are legal. A game "
        "with an error is kept up to the error and listed; text that is not a game is rejected "
        "and written to a file.",
        "ocgdedup create games.db3 twic*.zip mygames.pgn",
        "ocgdedup create go.db3 mygames.sgf",
    )
    command.add_argument("database", metavar="GAMES.db3", help="database to create")
    command.add_argument(
        "inputs",
        metavar="INPUT",
        nargs="+",
        help="PGN or SGF file, folder, archive (.zip, .tar), compressed file (.gz, .bz2, .xz, "
        ".zst), or - for standard input; a database holds either chess or Go games",
    )
    existing = command.add_mutually_exclusive_group()
    existing.add_argument(
        "--append", action="store_true", help="add the games to an existing database"
    )
    existing.add_argument(
        "--force",
        action="store_true",
        help="overwrite an existing database, file of rejected text and report",
    )
    command.add_argument(
        "--only-new",
        action="store_true",
        help="skip files that were imported before, recognised by their content, not by their name",
    )
    command.add_argument(
        "--again",
        action="store_true",
        help="import these input files again (default: an import that the database already "
        "contains is not repeated)",
    )
    command.add_argument(
        "--jobs",
        type=positive,
        metavar="N",
        help="parse with N threads; the result is the same for any N (default: number of CPUs, "
        "at most 4)",
    )
    command.add_argument(
        "--no-index",
        action="store_true",
        help="do not build indexes on the hash and signature columns",
    )
    command.add_argument(
        "--index-records",
        action="store_true",
        help="index GameHash, for queries for equal records and 'dedup --by record'",
    )
    command.add_argument(
        "--signatures",
        action="store_true",
        help="compute signatures, like 'ocgdedup signatures' (always done for Go games and if "
        "the database has signatures)",
    )
    add_fail_on(command)
    add_json(command)
    command.add_argument(
        "--rejects",
        metavar="FILE.pgn",
        help="write rejected text to this file, if there is any (default: GAMES.rejects.pgn, "
        "GAMES.rejects.sgf for Go)",
    )
    command.add_argument(
        "--report",
        metavar="FILE.tsv",
        help="list all errors with file, line, game number, ply (Go: move) and reason "
        "(default: print the first 20)",
    )
    add_lists(command, "after the import, resolve player names with ")
    add_list_month(command)


def add_distributed(commands: Commands) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "distributed",
        "Find duplicate games with Apache Spark, in collections too large for one machine. "
        "Reads PGN files, and writes Parquet tables of games, duplicates and possible "
        "duplicates, and clean PGN files. The results are the same as those of 'ocgdedup run'. "
        "Each stage is saved in the output folder; run the same command again to continue after "
        "an interruption.",
        "ocgdedup distributed lichess/*.pgn -o clean-games",
        "ocgdedup distributed games.pgn -o out --fide-xml players_list_xml.zip",
        "ocgdedup distributed games.pgn -o out --master 'local[2]' --partitions 4 --keep longest",
    )
    command.add_argument(
        "inputs",
        metavar="INPUT",
        nargs="+",
        help="PGN or SGF file, folder, archive (.zip, .tar) or compressed file (.gz, .bz2, "
        ".xz, .zst); all workers must reach it under this path",
    )
    command.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="DIR",
        help="folder for results and intermediate stages; all workers must reach it under this "
        "path",
    )
    command.add_argument(
        "--master",
        metavar="URL",
        help="Spark master, such as spark://HOST:7077 or yarn (default: as set by "
        "spark-submit, else local[*], all CPUs of this machine)",
    )
    command.add_argument(
        "--partitions",
        type=positive,
        metavar="N",
        help="split the games into N partitions, each held in the memory of one worker "
        "(default: one per 100,000 games, at least two per CPU)",
    )
    command.add_argument(
        "--fide-xml",
        metavar="LIST",
        help="resolve player names with this FIDE rating list, fill in FIDE IDs, titles and "
        "Elos, and use the names of the list; chess only",
    )
    command.add_argument(
        "--aliases",
        metavar="FILE",
        help="resolve player names with this Scid spelling file (.ssp) or name table; chess only",
    )
    add_list_month(command)
    add_search(command)
    add_json(command)
    command.add_argument(
        "--force", action="store_true", help="start again and overwrite the results of another run"
    )
