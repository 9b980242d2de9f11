"""export: all games of a database to a PGN file."""

from __future__ import annotations

import os
import sys
from typing import BinaryIO

from ocgdedup.commands.outputs import check_outputs, is_special, new_file
from ocgdedup.errors import UsageError
from ocgdedup.model import Reporter
from ocgdedup.pipeline.emit import pgn_of_all
from ocgdedup.store import games
from ocgdedup.store.connection import Database, is_sqlite_file, open_database, store_errors

STDOUT_ARGUMENT = "-"
COMPRESSED = (".gz", ".bz2", ".xz", ".zst", ".zip")


def export(
    path: str, output: str, *, force: bool = False, width: int = 80, reporter: Reporter
) -> int:
    """Write all games by rising ID; return how many. "-" is standard output.

    The file is written beside its name and renamed when it is whole.
    """
    if output != STDOUT_ARGUMENT:
        check_outputs([output], [path])
        if output.endswith(COMPRESSED):
            raise UsageError(f"{output}: is written as plain PGN only; compress it afterwards")
        if os.path.isfile(output) and is_sqlite_file(output):
            raise UsageError(f"{output}: is a database; PGN is not written over it")
        if os.path.exists(output) and not force and not is_special(output):
            raise UsageError(f"{output}: is there already; overwrite it with --force")
    database = open_database(path)
    try:
        with store_errors(path, "cannot be read"):
            cut = games.count_faults(database.connection)
            if cut:
                reporter.warn(
                    f"games cut at a fault: {cut}; the rest of their text is not written, it "
                    "stays in the table Faults"
                )
            if output == STDOUT_ARGUMENT:
                return _write_all(database, sys.stdout.buffer, width, reporter)
            with new_file(output) as handle:
                count = _write_all(database, handle, width, reporter)
    finally:
        database.close()
    return count


def _write_all(database: Database, handle: BinaryIO, width: int, reporter: Reporter) -> int:
    reporter.start("writing", None, games.count_games(database.connection))
    count = 0
    for number, text in pgn_of_all(database, width=width):
        handle.write(text)
        count += number
        reporter.advance(count, 0)
    handle.flush()
    reporter.finish()
    return count
