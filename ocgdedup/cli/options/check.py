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
        "wrong, remarks aside, 1 something wrong, repaired or not, 2 the database cannot be read.",
        "ocgdedup check games.db3",
        "ocgdedup check games.db3 --repair",
        "ocgdedup check games.db3 --fix-results",
        "ocgdedup check games.db3 --json",
    )
    command.add_argument("database", metavar=DATABASE[0], help=DATABASE[1])
    command.add_argument(
        "--repair",
        action="store_true",
        help="make anew what follows from something else, and texts UTF-8, after copying the file "
        "to GAMES.db3.before-repair; moves, names and tags keep what they say, "
        "but for a wrong tag PlyCount",
    )
    command.add_argument(
        "--fix-results",
        action="store_true",
        help="give games that end in mate or stalemate the result on the board, after copying the "
        "file likewise; the result that was read becomes the tag OriginalResult",
    )
    command.add_argument("--json", action="store_true", help="write what was found as one object")
