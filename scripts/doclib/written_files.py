"""The files that commands write beside those that they are told to: for manuals and docs."""

from __future__ import annotations

import argparse
from typing import NamedTuple

from ocgdedup.cli.command_tree import arguments_of


class WrittenFile(NamedTuple):
    """A kind of file; commands with `option` write it, or all that change a database."""

    name: str
    meaning: str
    option: str | None = None

    def is_of(self, command: argparse.ArgumentParser) -> bool:
        """Tell if the manual of a command is to name it."""
        options = {name for action in arguments_of(command) for name in action.option_strings}
        return self.option is None or self.option in options


WRITTEN_FILES = (
    WrittenFile("GAMES.db3", "the database, one SQLite file; schema/README.md has its tables"),
    WrittenFile(
        "GAMES.db3-journal",
        "SQLite's own, while a command changes the database. One that a crash left behind is "
        "needed to put things right: leave it beside the database, and the next command uses it",
    ),
    WrittenFile(
        ".NAME.ocgdedup-HEX.tmp",
        "temporary file, renamed to NAME once it is complete (HEX: 16 random digits). The next "
        "command that writes to the folder removes what a killed command left; which files those "
        "are is recorded in ~/.local/state/ocgdedup ($XDG_STATE_HOME/ocgdedup if that is set)",
    ),
    WrittenFile(
        "GAMES.db3.version-N",
        "copy of a database of schema version N, made before it is brought up to date; never "
        "deleted by the program",
    ),
    WrittenFile(
        "GAMES.rejects.pgn",
        "text that was no game, as it stood in the input (Go records: GAMES.rejects.sgf); only if "
        "there is any",
        "--rejects",
    ),
    WrittenFile(
        "GAMES.removed-DATE.pgn",
        "the games that --delete takes out (Go records: .sgf), written and synced to the disk "
        "before they go; never deleted by the program",
        "--delete",
    ),
    WrittenFile(
        "GAMES.db3.before-repair",
        "copy of the database, made before --repair changes it; never deleted by the program",
        "--repair",
    ),
    WrittenFile(
        "GAMES.db3.before-upgrade",
        "copy of a database that OCGDB wrote, made before --upgrade changes it; never deleted by "
        "the program",
        "--upgrade",
    ),
)
