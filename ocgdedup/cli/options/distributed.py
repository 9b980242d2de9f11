"""The options of distributed."""

from __future__ import annotations

from ocgdedup.cli.options.search import add_search
from ocgdedup.cli.options.shared import Commands, add_command, add_json, add_list_month, positive


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
