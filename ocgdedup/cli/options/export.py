"""The options of export."""

from __future__ import annotations

from ocgdedup.cli.options.shared import DATABASE, Commands, add_command


def add_export(commands: Commands) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "export",
        "Write all games to a PGN file, by rising ID, or to tables for other programs.",
        "ocgdedup export games.db3 -o games.pgn",
        "ocgdedup export games.db3 --format parquet -o tables",
        "ocgdedup export games.db3 -o games.csv",
    )
    command.add_argument("database", metavar=DATABASE[0], help=DATABASE[1])
    command.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="OUT.pgn",
        help="the file, or - for standard output; for tables a folder, or one file for the games",
    )
    command.add_argument(
        "--format",
        choices=("pgn", "parquet", "csv", "jsonl"),
        help="what to write: PGN, or tables of games, players and player_names as Parquet, CSV or "
        "JSON Lines into a folder (docs/tables.md explains the columns); without it the ending of "
        "OUT decides: OUT.parquet, OUT.csv and OUT.jsonl get the table of games, any other PGN",
    )
    command.add_argument("--force", action="store_true", help="overwrite what is there")
