"""The options of check."""

from __future__ import annotations

from ocgdedup.cli.options.shared import DATABASE, Commands, add_command


def add_check(commands: Commands) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "check",
        "Look for damage in a database, and repair it. Replays all moves, and compares hash keys, "
        "flags, annotations, names and indexes with what they follow from. Exit status: 0 nothing "
        "found, 1 something found, repaired or not, 2 the database cannot be read.",
        "ocgdedup check games.db3",
        "ocgdedup check games.db3 --repair",
        "ocgdedup check games.db3 --json",
    )
    command.add_argument("database", metavar=DATABASE[0], help=DATABASE[1])
    command.add_argument(
        "--repair",
        action="store_true",
        help="make anew what follows from something else, and texts UTF-8, after copying the file "
        "to GAMES.db3.before-repair; moves, names and tags keep what they say",
    )
    command.add_argument("--json", action="store_true", help="write what was found as one object")
