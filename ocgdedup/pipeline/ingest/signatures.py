"""Signatures of games: write missing ones, and compute those of given games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import apsw

from ocgdedup._kernels.chess import moves_at, signature_rows, symmetric_form
from ocgdedup.errors import damaged_moves
from ocgdedup.game_kind import GameKind
from ocgdedup.model import Reporter
from ocgdedup.store import find as store
from ocgdedup.store.find import fill_filters
from ocgdedup.store.games import GAME_TABLES, Row
from ocgdedup.store.names import game_kind


class GameSignatures(NamedTuple):
    """The signatures of a game; symmetric forms and `canonical_md5` are None for chess.

    MD5s are hexadecimal; `md5_first50` and `md5_first100` cover the first 50 and 100 moves.
    """

    game_id: int
    a: str
    b: str
    symmetric_a: str | None
    symmetric_b: str | None
    symmetric: str | None
    md5: str
    md5_first50: str
    md5_first100: str
    canonical_md5: str | None


class ChosenMoves(NamedTuple):
    """The moves of a game at given move numbers; `symmetric` is None for chess."""

    game_id: int
    moves: str
    symmetric: str | None


def wants_signatures(connection: apsw.Connection) -> bool:
    """Return whether imported games get signatures: always in Go, in chess if games have them."""
    return game_kind(connection).is_always_signed or store.has_signatures(connection)


def fill_signatures(
    connection: apsw.Connection,
    first_id: int | None = None,
    reporter: Reporter | None = None,
    *,
    with_indexes: bool = True,
) -> int:
    """Write the missing signatures of games from an ID on, of deleted ones too; return how many.

    Also writes position filters and, `with_indexes`, indexes. The caller owns the transaction. A
    game whose start or moves cannot be read gets no signature.
    """
    kind = game_kind(connection)
    written = 0
    if reporter:
        reporter.start("signatures", None, None)
    for table in GAME_TABLES:
        for games in store.unsigned_games(connection, table, first_id):
            rows = [row for row in signature_rows(games, kind.is_go) if row is not None]
            store.insert_signatures(connection, rows)
            written += len(rows)
            if reporter:
                reporter.advance(written, 0)
    if with_indexes:
        store.build_signature_indexes(connection)
    fill_filters(connection, kind, first_id)
    if reporter:
        reporter.finish()
    return written


def signatures_of(games: list[Row], kind: GameKind) -> list[GameSignatures | None]:
    """Return the signatures of games; None for one whose start or moves cannot be read."""
    signatures: list[GameSignatures | None] = []
    for (_, start, _), row in zip(games, signature_rows(games, kind.is_go), strict=True):
        if row is None:
            signatures.append(None)
            continue
        game_id, a, b, both, *digests = row
        *md5s, canonical = (digest.hex() for digest in digests)
        rest = (None, None, None, *md5s, None)
        if kind.has_symmetry:
            rest = (symmetric_form(a, start), symmetric_form(b, start), both, *md5s, canonical)
        signatures.append(GameSignatures._make((game_id, a, b, *rest)))
    return signatures


def chosen_moves(games: list[Row], numbers: Sequence[int], kind: GameKind) -> list[ChosenMoves]:
    """Return the moves at these move numbers, from 1, of games.

    Raises IntegrityError for a game whose start or moves cannot be read.
    """
    chosen = []
    for game_id, start, blob in games:
        try:
            moves = moves_at(blob or b"", numbers, kind.is_go)
            symmetric = symmetric_form(moves, start) if kind.has_symmetry else None
        except ValueError as error:
            raise damaged_moves(f"game {game_id}", error) from error
        chosen.append(ChosenMoves(game_id, moves, symmetric))
    return chosen
