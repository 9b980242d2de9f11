"""The options of check and info."""

from __future__ import annotations

from ocgdedup.cli.options.shared import DATABASE, Commands, add_command


def add_check(commands: Commands) -> None:
    """Declare the command."""
    command = add_command(
        commands,
        "check",
        "Check a database for damage and repair it. Replays all moves, and compares hash keys, "
        "flags, annotations, names and indexes with the data that they are derived from. Exit "
        "status: 0 no damage (remarks do not count), 1 damage, repaired or not, 2 the database "
        "cannot be read.",
        "ocgdedup check games.db3",
        "ocgdedup check games.db3 --repair",
        "ocgdedup check games.db3 --fix-results",
        "ocgdedup check games.db3 --json",
    )
    command.add_argument("database", metavar=DATABASE[0], help=DATABASE[1])
    command.add_argument(
        "--repair",
        action="store_true",
        help="rebuild derived data, convert text to UTF-8 and correct PlyCount tags, after "
        "copying the file to GAMES.db3.before-repair; moves, names and other tags stay",
    )
    command.add_argument(
        "--fix-results",
        action="store_true",
        help="set the result of games that end in checkmate or stalemate, after copying the "
        "file; the tag OriginalResult keeps the old result",
    )
    command.add_argument(
        "--json", action="store_true", help="print the findings as one JSON object"
    )


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
