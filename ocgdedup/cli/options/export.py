"""The options of export."""

from __future__ import annotations

from ocgdedup.cli.options.shared import DATABASE, Commands, add_command


def add_export(commands: Commands) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "export",
        "Write all games to a PGN file, by rising ID.",
        "ocgdedup export games.db3 -o games.pgn",
    )
    command.add_argument("database", metavar=DATABASE[0], help=DATABASE[1])
    command.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="OUT.pgn",
        help="the file, or - for standard output",
    )
    command.add_argument("--force", action="store_true", help="overwrite what is there")
