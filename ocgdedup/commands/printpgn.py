"""printpgn: games by ID as PGN text."""

from __future__ import annotations

from collections.abc import Sequence

from ocgdedup.errors import UsageError
from ocgdedup.pipeline.emit import pgn_of_games
from ocgdedup.store.connection import open_database, store_errors


def printpgn(path: str, game_ids: Sequence[int], *, width: int = 80) -> bytes:
    """Return the games in the order asked for; raise UsageError that names unknown IDs."""
    database = open_database(path)
    try:
        with store_errors(path, "cannot be read"):
            texts = list(pgn_of_games(database, game_ids, width=width))
    finally:
        database.close()
    unknown = [str(i) for i, text in zip(game_ids, texts, strict=True) if text is None]
    if unknown:
        raise UsageError(f"{path}: there is no game with ID {', '.join(unknown)}")
    return b"".join(text for text in texts if text is not None)
