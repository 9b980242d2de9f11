"""dedup: find out who played, find duplicate games and flag them in place."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from ocgdedup.errors import UsageError
from ocgdedup.model import ExactSummary, Reporter
from ocgdedup.pipeline.detect import find_exact
from ocgdedup.store.connection import Database, open_database, store_errors, transaction
from ocgdedup.store.migrate import migrate
from ocgdedup.store.names import PLAYERS_STATE, read_state

if TYPE_CHECKING:
    from ocgdedup.commands.players import PlayersResult


class DedupRequest(NamedTuple):
    """What the user asked for; games of fewer than `min_plies` are left out."""

    database: str
    min_plies: int = 1
    dry_run: bool = False
    with_players: bool = True
    fide_list: str | None = None
    aliases: str | None = None

    @property
    def has_lists(self) -> bool:
        return self.fide_list is not None or self.aliases is not None


class DedupResult(NamedTuple):
    """What was found; `players` is None if the names were left as they are."""

    summary: ExactSummary
    players: PlayersResult | None


def dedup(
    request: DedupRequest, *, may_upgrade: Callable[[str], bool], reporter: Reporter
) -> DedupResult:
    """Consolidate names, then find exact copies and flag them: all of it or nothing.

    A dry run only counts copies. `may_upgrade` is asked if OCGDB wrote the database; without its
    leave nothing is changed. Raises RatingListError for a list that is none.
    """
    _check_lists(request, reporter)
    path = request.database
    database = open_database(path, writable=not request.dry_run)
    connection = database.connection
    try:
        with store_errors(path, "nothing was changed"):
            if not database.is_ours:
                _upgrade(database, request.dry_run, may_upgrade, reporter)
            if request.dry_run:
                found = find_exact(connection, min_plies=request.min_plies, write=False)
                return DedupResult(found, None)
            migrate(database, reporter)
            with transaction(connection):
                players = _consolidate(database, request, reporter)
                found = find_exact(connection, min_plies=request.min_plies, write=True)
    finally:
        database.close()
    return DedupResult(found, players)


def _players_command() -> Any:
    # Its imports take longer than the search for copies among 10,000 games.
    return importlib.import_module("ocgdedup.commands.players")


def _check_lists(request: DedupRequest, reporter: Reporter) -> None:
    if not request.has_lists:
        return
    if not request.with_players:
        raise UsageError(
            "dedup: a list of players is of no use with --no-players; leave out one of them"
        )
    players = _players_command()
    players.check_lists(players.ListFiles(request.fide_list, request.aliases))
    if request.dry_run:
        reporter.warn("--dry-run changes nothing: the lists of players are not used")


def _consolidate(
    database: Database, request: DedupRequest, reporter: Reporter
) -> PlayersResult | None:
    """Consolidate new names, if a list is given or names have been consolidated before."""
    if not request.with_players:
        return None
    if not request.has_lists and read_state(database.connection, PLAYERS_STATE) is None:
        return None
    command = _players_command()
    lists = command.ListFiles(request.fide_list, request.aliases)
    result: PlayersResult = command.consolidate_names(database.connection, lists, reporter)
    return result


def _upgrade(
    database: Database, dry_run: bool, may_upgrade: Callable[[str], bool], reporter: Reporter
) -> None:
    path = database.path
    if dry_run or not may_upgrade(path):
        raise UsageError(
            f"{path}: OCGDB wrote it, it has no hash columns yet; run "
            f"'ocgdedup dedup --upgrade {path}' to add them (a copy of the file is kept)"
        )
    # Rare, and its imports take a tenth of the start-up time.
    importlib.import_module("ocgdedup.commands.upgrade").upgrade_database(database, reporter)
