"""find: search a database for games by moves, signatures, positions and players."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from ocgdedup.commands.kind_checks import check_chess_options
from ocgdedup.model import Reporter
from ocgdedup.pipeline.find.games import FindRequest, FoundGames, find_games
from ocgdedup.store.connection import one_state
from ocgdedup.store.database import open_database, store_errors


@contextlib.contextmanager
def opened_search(path: str, request: FindRequest, reporter: Reporter) -> Iterator[FoundGames]:
    """Open a database and yield the games that match, as they are found.

    Raises UsageError for an invalid request, before the first game.
    """
    with (
        open_database(path) as database,
        store_errors(path, "cannot be read"),
        one_state(database.connection),
    ):
        check_chess_options(database, request.selection)
        similar = None
        if isinstance(request.like, str):
            from ocgdedup.commands.find_like import games_like_file  # 110 ms

            similar = games_like_file(database, request.like, reporter)
        matches = find_games(database, request, reporter, similar)
        try:
            yield matches
        finally:
            matches.games.close()
