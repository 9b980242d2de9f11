"""printpgn: games by ID as PGN text."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Sequence

from ocgdedup.errors import UsageError
from ocgdedup.pipeline.emit import pgn_of_games
from ocgdedup.pipeline.pairs import ShownPair, pairs_of, pairs_of_group
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


@contextlib.contextmanager
def opened_pairs(
    path: str, ids: Collection[tuple[int, int]] | None, group: int | None
) -> Iterator[Iterator[ShownPair]]:
    """Open a database and give the pairs asked for, else those of the group of a game.

    Raises UsageError that names unknown IDs, before the first pair comes.
    """
    database = open_database(path)
    try:
        with store_errors(path, "cannot be read"):
            if ids is not None:
                yield pairs_of(database, ids)
            elif group is not None:
                yield pairs_of_group(database, group)
    finally:
        database.close()
