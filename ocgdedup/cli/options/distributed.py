"""The options of distributed."""

from __future__ import annotations

from ocgdedup.cli.options.search import add_search
from ocgdedup.cli.options.shared import Commands, add_command, add_json, add_list_month, positive


def add_distributed(commands: Commands) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "distributed",
        "Find duplicate games on Apache Spark, for collections that one machine does not hold: "
        "from PGN files to Parquet tables of games, duplicates and possible duplicates, and to "
        "clean PGN files. The results are those of 'ocgdedup run'. Stages are "
        "written to the output folder; the same command goes on where it was stopped.",
        "ocgdedup distributed lichess/*.pgn -o clean-games",
        "ocgdedup distributed games.pgn -o out --fide-xml players_list_xml.zip",
        "ocgdedup distributed games.pgn -o out --master 'local[2]' --partitions 4 --keep longest",
    )
    command.add_argument(
        "inputs",
        metavar="INPUT",
        nargs="+",
        help="PGN or SGF file, folder of them, or .gz .bz2 .xz .zst, .tar or .zip of them; all "
        "workers must reach it by this path",
    )
    command.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="DIR",
        help="folder for the results and the stages, which all workers must reach by this path",
    )
    command.add_argument(
        "--master",
        metavar="URL",
        help="Spark master, such as spark://HOST:7077 or yarn (default: as spark-submit says, "
        "else local[*], the processors of this machine)",
    )
    command.add_argument(
        "--partitions",
        type=positive,
        metavar="N",
        help="parts that games are cut into; each is in the memory of one worker (default: one "
        "for 100,000 games, at least two for each processor)",
    )
    command.add_argument(
        "--fide-xml",
        metavar="LIST",
        help="look player names up in this rating list of FIDE, fill in FIDE IDs, titles and Elos, "
        "and name players as the list does; chess only",
    )
    command.add_argument(
        "--aliases",
        metavar="FILE",
        help="look player names up in this spelling file of Scid (.ssp), or table of names; chess "
        "only",
    )
    add_list_month(command)
    add_search(command)
    add_json(command)
    command.add_argument(
        "--force", action="store_true", help="begin again, over the results of another run"
    )
