"""Check whether signatures and position filters follow from the games; rewrite those that do not.

A wrong filter is worse than none: `find` would miss a game.
"""

from __future__ import annotations

from collections.abc import Iterator

import apsw

from ocgdedup._kernels.find_positions import filter_of
from ocgdedup._kernels.signatures import signature_rows
from ocgdedup.game_kind import GameKind
from ocgdedup.pipeline.check.game_values import stored_keys
from ocgdedup.pipeline.ingest.signatures import fill_signatures, wants_signatures
from ocgdedup.store import position_filters, signatures
from ocgdedup.store.games import GAME_TABLES, Row
from ocgdedup.store.variant import game_kind


def check_signatures(connection: apsw.Connection) -> Iterator[int]:
    """Yield the IDs of games whose signatures are wrong, and of rows without a game.

    In a Go database, and in a chess database that has signatures, this includes games without
    signatures. A game whose moves do not have its MoveHash is left out: its signatures may be
    those of the right moves.
    """
    if not wants_signatures(connection):
        return
    kind = game_kind(connection)
    for table in GAME_TABLES:
        for rows in signatures.stored_signatures(connection, table):
            expected = signature_rows([game for game, _, _ in rows], kind.is_go)
            for (game, mainline_hash, stored), row in zip(rows, expected, strict=True):
                if row is None:
                    wrong = False  # whatever is stored: the moves are damaged
                elif stored is None:
                    wrong = True
                else:
                    wrong = _as_stored(row) != stored and has_hash(game, mainline_hash, kind)
                if wrong:
                    yield game[0]
    yield from signatures.lost_signatures(connection)


def repair_signatures(connection: apsw.Connection) -> None:
    """Rewrite what check_signatures() reports; the caller holds the transaction."""
    wrong = list(check_signatures(connection))
    if wrong:
        # A database that has some may have been made without indexes.
        with_indexes = not signatures.has_signatures(connection)
        signatures.delete_signatures(connection, wrong)
        fill_signatures(connection, with_indexes=with_indexes)


def _as_stored(row: Row) -> Row:
    return tuple(value.encode() if isinstance(value, str) else value for value in row[1:])


def has_hash(game: Row, mainline_hash: int | None, kind: GameKind) -> bool:
    """Tell if the moves are those of the MoveHash of a game, or it has none."""
    if mainline_hash is None:
        return True
    try:
        return stored_keys(game[2] or b"", game[1], kind)[0] == mainline_hash
    except ValueError:
        return False


def check_filters(connection: apsw.Connection) -> Iterator[int]:
    """Yield the IDs of games whose filter is wrong or missing.

    This concerns Go databases, and chess databases that have signatures or filters: each signed
    game has a filter. A game whose moves do not have its MoveHash is left out, as above.
    """
    if not wants_signatures(connection) and not position_filters.has_filters(connection):
        return
    kind = game_kind(connection)
    for table in GAME_TABLES:
        for rows in position_filters.stored_filters(connection, table):
            for game_id, start, moves, mainline_hash, stored in rows:
                if filter_of(moves or b"", start, kind.is_go) != stored:
                    game = (game_id, start, moves)
                    if stored is None or has_hash(game, mainline_hash, kind):
                        yield game_id


def repair_filters(connection: apsw.Connection) -> None:
    """Rewrite what check_filters() reports; the caller holds the transaction."""
    wrong = list(check_filters(connection))
    if wrong:
        position_filters.delete_filters(connection, wrong)
        position_filters.fill_filters(connection, game_kind(connection))
