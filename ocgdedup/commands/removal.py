"""Delete duplicates: write them to a file and move them to RemovedGames; shrink the database."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import NamedTuple

from ocgdedup.commands.outputs import OpenFile
from ocgdedup.errors import StoreError
from ocgdedup.model import Reporter
from ocgdedup.pipeline.export.emit import pgn_of_games
from ocgdedup.pipeline.export.text_form import MERGED, TextForm
from ocgdedup.store import deleted_games
from ocgdedup.store.connection import Database
from ocgdedup.store.database import store_errors
from ocgdedup.store.duplicates import duplicates_to_delete
from ocgdedup.store.history import forget_journals
from ocgdedup.store.names import game_kind
from ocgdedup.store.search_state import note_flags


class DeletedGames(NamedTuple):
    """The number of deleted games, and the file with their text, None for no games."""

    games: int
    backup_path: str | None


def delete_duplicates(
    database: Database, min_header_quality: int, open_file: OpenFile
) -> DeletedGames:
    """Move duplicates to RemovedGames, after writing them to a file beside the database.

    Duplicates stay if their kept game has fewer points than `min_header_quality`. `open_file`:
    opens a file that gets its name after the commit. The caller holds the transaction.
    """
    connection = database.connection
    ids = duplicates_to_delete(connection, min_header_quality)
    if not ids:
        return DeletedGames(0, None)
    path = _write_backup(database, ids, open_file)
    games = deleted_games.remove_games(connection, ids)
    note_flags(connection)
    return DeletedGames(games, path)


def shrink(database: Database, change: str, remedy: str, reporter: Reporter) -> None:
    """Shrink the file after a change was committed; warn if that fails.

    `change`: the committed change, `remedy`: how to shrink the file later, both for the warning.
    """
    forget_journals(database.connection)  # their pages would belong to another file
    reporter.start("shrinking the file", None, None)
    try:
        with store_errors(database.path, f"{change}, but the file could not be shrunk"):
            deleted_games.vacuum(database.connection)
    except StoreError as error:
        reporter.warn(f"{error}; {remedy}")
    reporter.finish()


def _write_backup(database: Database, ids: Sequence[int], open_file: OpenFile) -> str:
    """Write games to a new file beside the database."""
    stem = os.path.splitext(database.path)[0]
    stamp = time.strftime("%Y%m%d-%H%M%S")
    ending = game_kind(database.connection).text_format
    number, path = 1, f"{stem}.removed-{stamp}.{ending}"
    while os.path.exists(path):
        number += 1
        path = f"{stem}.removed-{stamp}-{number}.{ending}"
    with open_file(path) as handle:
        for text in pgn_of_games(database, ids, TextForm().with_names(MERGED)):
            if text is not None:
                handle.write(text)
    return path
