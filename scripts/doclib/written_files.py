"""The files that commands write in addition to the named ones: for man pages and docs."""

from __future__ import annotations

import argparse
from typing import NamedTuple

from ocgdedup.cli.command import arguments_of


class WrittenFile(NamedTuple):
    """A kind of file; commands with `option` write it, or all that change a database."""

    name: str
    meaning: str
    option: str | None = None

    def is_of(self, command: argparse.ArgumentParser) -> bool:
        """Return whether the manual of a command is to name it."""
        options = {name for action in arguments_of(command) for name in action.option_strings}
        return self.option is None or self.option in options


WRITTEN_FILES = (
    WrittenFile("GAMES.db3", "the database, one SQLite file; schema/README.md has its tables"),
    WrittenFile(
        "GAMES.db3-history",
        "folder with the old content of each page of the database that a step overwrote, for undo "
        "and redo. It is at most as large as the database (or 64 MB): the oldest steps go first. "
        "Keep it next to the database; without it, steps cannot be undone, and nothing else is "
        "lost",
    ),
    WrittenFile(
        "GAMES.db3-search",
        "folder with what the last search for duplicates remembers: the order of the games and "
        "their keys, about 100 bytes a game. With it, the next search reads only new games and "
        "those that they affect. It is bound to the state of the database, and made again if it is "
        "missing, old or damaged: you may delete it. --no-search-file does without",
        "--no-search-file",
    ),
    WrittenFile(
        "GAMES.db3-journal",
        "SQLite's journal while a command changes the database. If a crash leaves it behind, keep "
        "it next to the database: the next command needs it to repair the database",
    ),
    WrittenFile(
        ".NAME.ocgdedup-HEX.tmp",
        "temporary file, renamed to NAME when it is complete (HEX: 16 random digits). The next "
        "command that writes to the folder removes the temporary files of killed commands, which "
        "are recorded in ~/.local/state/ocgdedup ($XDG_STATE_HOME/ocgdedup if that is set)",
    ),
    WrittenFile(
        "GAMES.db3.version-N",
        "copy of a database of schema version N, made before it is updated; ocgdedup never "
        "deletes it",
    ),
    WrittenFile(
        "GAMES.rejects.pgn",
        "rejected text, unchanged (Go: GAMES.rejects.sgf); created only if text was rejected",
        "--rejects",
    ),
    WrittenFile(
        "GAMES.removed-DATE.pgn",
        "the games that --delete deletes (Go: .sgf), written and synced to disk before they are "
        "deleted; ocgdedup never deletes this file",
        "--delete",
    ),
    WrittenFile(
        "GAMES.db3.before-repair",
        "copy of the database, made before --repair changes it; ocgdedup never deletes it",
        "--repair",
    ),
    WrittenFile(
        "GAMES.db3.before-upgrade",
        "copy of a database written by OCGDB, made before --upgrade changes it; ocgdedup never "
        "deletes it",
        "--upgrade",
    ),
)
