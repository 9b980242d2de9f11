"""The options of info."""

from __future__ import annotations

from ocgdedup.cli.options.shared import DATABASE, Commands, add_command


def add_info(commands: Commands) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "info",
        "Show what a database contains and what was done to it. Shows counts, input files, "
        "players, duplicates, what you can undo, indexes and sizes. The database is not changed.",
        "ocgdedup info games.db3",
        "ocgdedup info games.db3 --json",
    )
    command.add_argument("database", metavar=DATABASE[0], help=DATABASE[1])
    command.add_argument("--json", action="store_true", help="print everything as one JSON object")
