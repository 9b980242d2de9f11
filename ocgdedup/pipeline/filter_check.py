"""Find out whether the filters of positions follow from the games; make those anew that do not.

A wrong filter is worse than none: `find` would pass over a game.
"""

from __future__ import annotations

from collections.abc import Iterator

import apsw

from ocgdedup._kernels.find_positions import filter_of
from ocgdedup.pipeline.signature_check import has_hash
from ocgdedup.pipeline.signatures import wants_signatures
from ocgdedup.store import position_filters as store
from ocgdedup.store.games import GAME_TABLES
from ocgdedup.store.variant import holds_go


def check_filters(connection: apsw.Connection) -> Iterator[int]:
    """Yield the IDs of games whose filter is wrong, and of those without one.

    In a database of Go, or of chess that has signatures or filters: each signed game has a filter.
    Not of a game whose moves are others than its MoveHash was made of, as with signatures.
    """
    if not wants_signatures(connection) and not store.has_filters(connection):
        return
    is_go = holds_go(connection)
    for table in GAME_TABLES:
        for rows in store.stored_filters(connection, table):
            for game_id, start, moves, mainline_hash, stored in rows:
                if filter_of(moves or b"", start, is_go) != stored:
                    game = (game_id, start, moves)
                    if stored is None or has_hash(game, mainline_hash, is_go):
                        yield game_id


def repair_filters(connection: apsw.Connection) -> None:
    """Write anew what check_filters() finds; the caller holds the transaction."""
    wrong = list(check_filters(connection))
    if wrong:
        store.delete_filters(connection, wrong)
        store.fill_filters(connection, holds_go(connection))
