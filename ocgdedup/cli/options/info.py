"""The options of info."""

from __future__ import annotations

from ocgdedup.cli.options.shared import DATABASE, Commands, add_command


def add_info(commands: Commands) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "info",
        "Show what is in a database, and what was done with it. Counts, sources, players, "
        "duplicates, what can be undone, indexes and sizes; nothing is changed.",
        "ocgdedup info games.db3",
        "ocgdedup info games.db3 --json",
    )
    command.add_argument("database", metavar=DATABASE[0], help=DATABASE[1])
    command.add_argument("--json", action="store_true", help="write all of it as one object")
