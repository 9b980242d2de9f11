"""Find out whether the rows of Signatures follow from the games; make those anew that do not."""

from __future__ import annotations

from collections.abc import Iterator

import apsw

from ocgdedup._kernels import go_moves, move_decode
from ocgdedup._kernels.signatures import signature_rows
from ocgdedup.pipeline.signatures import fill_signatures, wants_signatures
from ocgdedup.store import signatures as store
from ocgdedup.store.games import GAME_TABLES, Row
from ocgdedup.store.variant import holds_go


def check_signatures(connection: apsw.Connection) -> Iterator[int]:
    """Yield the IDs of games whose signatures are wrong, and of rows whose game is nowhere.

    In a database of Go, or of chess that has signatures, games without are among them. One whose
    moves are not those that its MoveHash was made of is not: its signatures may be of the right
    ones.
    """
    if not wants_signatures(connection):
        return
    is_go = holds_go(connection)
    for table in GAME_TABLES:
        for rows in store.stored_signatures(connection, table):
            expected = signature_rows([game for game, _, _ in rows], is_go)
            for (game, mainline_hash, stored), row in zip(rows, expected, strict=True):
                if row is None:
                    wrong = False  # whatever stands there: the moves are what is damaged
                elif stored is None:
                    wrong = True
                else:
                    wrong = _as_stored(row) != stored and has_hash(game, mainline_hash, is_go)
                if wrong:
                    yield game[0]
    yield from store.lost_signatures(connection)


def repair_signatures(connection: apsw.Connection) -> None:
    """Write anew what check_signatures() finds; the caller holds the transaction."""
    wrong = list(check_signatures(connection))
    if wrong:
        # A database that has some may have been made without indexes.
        with_indexes = not store.has_signatures(connection)
        store.delete_signatures(connection, wrong)
        fill_signatures(connection, with_indexes=with_indexes)


def _as_stored(row: Row) -> Row:
    return tuple(value.encode() if isinstance(value, str) else value for value in row[1:])


def has_hash(game: Row, mainline_hash: int | None, is_go: bool) -> bool:
    """Tell if the moves are those of the MoveHash of a game, or it has none."""
    if mainline_hash is None:
        return True
    keys_of = go_moves.keys_of if is_go else move_decode.keys_of
    try:
        return bool(keys_of(game[2] or b"", game[1])[0] == mainline_hash)
    except ValueError:
        return False
