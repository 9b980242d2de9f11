"""signatures: write missing signatures, show those of games, count and compare them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ocgdedup.errors import UsageError, unknown_games
from ocgdedup.model import Reporter
from ocgdedup.pipeline.find.signature_report import SignatureReport, signature_report
from ocgdedup.pipeline.ingest.signatures import (
    ChosenMoves,
    GameSignatures,
    chosen_moves,
    fill_signatures,
    signatures_of,
)
from ocgdedup.store.connection import Database
from ocgdedup.store.database import open_database, store_errors
from ocgdedup.store.file_state import result_still_holds
from ocgdedup.store.find import count_unsigned, played_games, played_games_of
from ocgdedup.store.games import Row, count_games
from ocgdedup.store.history import SIGNATURES, transaction
from ocgdedup.store.migrations import migrate
from ocgdedup.store.names import game_kind


class Filled(NamedTuple):
    """Counts of games, of signatures written, and of games with unreadable moves."""

    games: int
    written: int
    unreadable: int


def fill_database(path: str, reporter: Reporter) -> Filled:
    """Write the missing signatures in one transaction.

    Raises UsageError for a database that OCGDB wrote.
    """
    with open_database(path, writable=True) as database:
        connection = database.connection
        if not database.is_ours:
            raise UsageError(
                f"{path}: OCGDB wrote this file, which cannot store signatures; run 'ocgdedup "
                "dedup --upgrade' on it first, or name the games whose signatures you want to see"
            )
        with store_errors(path, "nothing was changed"):
            migrate(database, reporter)
            with transaction(connection, SIGNATURES), result_still_holds(connection):
                written = fill_signatures(connection, reporter=reporter)
            return Filled(count_games(connection), written, count_unsigned(connection))


def read_signatures(path: str, game_ids: Sequence[int]) -> list[GameSignatures]:
    """Return the signatures of games, made from their moves, in the order of the IDs.

    Raises UsageError for unknown IDs and for games whose moves cannot be read.
    """
    with open_database(path) as database, store_errors(path, "cannot be read"):
        games = _games_by_id(database, game_ids)
        signatures = signatures_of(games, game_kind(database.connection))
    unreadable = [
        game[0] for game, signature in zip(games, signatures, strict=True) if signature is None
    ]
    if unreadable:
        raise UsageError(
            f"{path}: start or moves of these games cannot be read: ID "
            f"{', '.join(map(str, unreadable))}; 'ocgdedup check' says more"
        )
    return [signature for signature in signatures if signature is not None]


def read_moves(
    path: str, game_ids: Sequence[int] | None, numbers: Sequence[int]
) -> Iterator[ChosenMoves]:
    """Yield the moves with these numbers, of the games with these IDs or of all games if None.

    Raises UsageError for unknown IDs, IntegrityError for moves that cannot be read.
    """
    with open_database(path) as database, store_errors(path, "cannot be read"):
        kind = game_kind(database.connection)
        ranges = (
            played_games(database.connection)
            if game_ids is None
            else [_games_by_id(database, game_ids)]
        )
        for games in ranges:
            yield from chosen_moves(games, numbers, kind)


def _games_by_id(database: Database, game_ids: Sequence[int]) -> list[Row]:
    games = played_games_of(database.connection, game_ids)
    unknown = [game_id for game_id in game_ids if game_id not in games]
    if unknown:
        raise unknown_games(database.path, *unknown)
    return [games[game_id] for game_id in game_ids]


def report(path: str, reporter: Reporter, numbers: Sequence[int] | None = None) -> SignatureReport:
    """Count and compare the signatures of a database; change nothing.

    `numbers`: moves to use instead of those of A and B.
    """
    with open_database(path) as database, store_errors(path, "cannot be read"):
        return signature_report(database.connection, reporter, numbers)
