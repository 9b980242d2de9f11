"""signatures: written for games that lack them, read for games asked for, counted and compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ocgdedup.errors import UsageError
from ocgdedup.model import Reporter
from ocgdedup.pipeline.find.signature_report import SignatureReport, signature_report
from ocgdedup.pipeline.ingest.signatures import (
    ChosenMoves,
    GameSignatures,
    chosen_moves,
    fill_signatures,
    signatures_of,
)
from ocgdedup.store.connection import Database, transaction
from ocgdedup.store.database import open_database, store_errors
from ocgdedup.store.file_state import result_still_holds
from ocgdedup.store.find import count_unsigned, played_games, played_games_of
from ocgdedup.store.games import Row, count_games
from ocgdedup.store.migrations import migrate
from ocgdedup.store.names import game_kind


class Filled(NamedTuple):
    """How many games there are, how many rows were written, how many games cannot have one."""

    games: int
    written: int
    unreadable: int


def fill_database(path: str, reporter: Reporter) -> Filled:
    """Write the signatures that games lack, in one transaction.

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
            with transaction(connection), result_still_holds(connection):
                written = fill_signatures(connection, reporter=reporter)
            return Filled(count_games(connection), written, count_unsigned(connection))


def read_signatures(path: str, game_ids: Sequence[int]) -> list[GameSignatures]:
    """Return the signatures of games in the order asked for, made of their moves as they are.

    Raises UsageError that names unknown IDs, and games whose moves cannot be read.
    """
    with open_database(path) as database, store_errors(path, "cannot be read"):
        games = _known_games(database, game_ids)
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
    """Yield the moves with these numbers of games, of all games if None.

    Raises UsageError that names unknown IDs, IntegrityError for moves that cannot be read.
    """
    with open_database(path) as database, store_errors(path, "cannot be read"):
        kind = game_kind(database.connection)
        ranges = (
            played_games(database.connection)
            if game_ids is None
            else [_known_games(database, game_ids)]
        )
        for games in ranges:
            yield from chosen_moves(games, numbers, kind)


def _known_games(database: Database, game_ids: Sequence[int]) -> list[Row]:
    games = played_games_of(database.connection, game_ids)
    unknown = [str(game_id) for game_id in game_ids if game_id not in games]
    if unknown:
        raise UsageError(f"{database.path}: there is no game with ID {', '.join(unknown)}")
    return [games[game_id] for game_id in game_ids]


def report(path: str, reporter: Reporter) -> SignatureReport:
    """Count and compare the signatures of a database; nothing in it is changed."""
    with open_database(path) as database, store_errors(path, "cannot be read"):
        return signature_report(database.connection, reporter)
