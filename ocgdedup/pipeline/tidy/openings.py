"""Set the tags ECO and Opening of games by their moves. The caller owns the transaction."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

import apsw

from ocgdedup.pgn.openings import CODE_CHARS, Opening, openings
from ocgdedup.pipeline.tidy.steps import TidiedTag
from ocgdedup.store import tidied as store

MISSING, ALL = CHOICES = "missing", "all"
ECO, OPENING = "ECO", "Opening"
_GAMES_AT_ONCE = 10_000


def tidy_eco(connection: apsw.Connection, choice: str) -> TidiedTag:
    """Set the ECO codes of games: of those without a code (MISSING), or of ALL.

    A longer code of the same opening, such as C67a, stays.
    """
    return _tidy(connection, ECO, choice, lambda opening: opening.eco)


def tidy_opening(connection: apsw.Connection, choice: str) -> TidiedTag:
    """Set the names of openings of games: of those without a name (MISSING), or of ALL."""
    return _tidy(connection, OPENING, choice, lambda opening: opening.name)


def _tidy(
    connection: apsw.Connection, tag: str, choice: str, value_of: Callable[[Opening], str]
) -> TidiedTag:
    games = store.games_to_classify(connection, tag, missing=choice == MISSING)
    filled, new = 0, dict[int, str]()
    while batch := list(islice(games, _GAMES_AT_ONCE)):
        found = openings().of_games([moves for _, _, moves in batch])
        for (game_id, before, _), opening in zip(batch, found, strict=True):
            if opening is None:
                continue
            value = value_of(opening)
            if before is None or (before != value and not _is_finer(tag, before, value)):
                new[game_id] = value
                filled += before is None
    changed = store.write_tidied(connection, tag, new)
    return TidiedTag(tag, filled, changed - filled)


def _is_finer(tag: str, before: str, value: str) -> bool:
    return tag == ECO and before[:CODE_CHARS].upper() == value
