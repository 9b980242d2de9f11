"""Undo, reset and restore: what takes runs of dedup back."""

from __future__ import annotations

from typing import NamedTuple

import apsw

from ocgdedup.model import Reporter
from ocgdedup.store.connection import count_rows, open_database, store_errors, transaction
from ocgdedup.store.duplicates import has_flags, may_lack_merges, searched_at, stored_flag_rows
from ocgdedup.store.file_state import own_changes
from ocgdedup.store.merged_headers import has_final_merges
from ocgdedup.store.migrate import migrate
from ocgdedup.store.removed_games import restore_games
from ocgdedup.store.suspects import count_suspects, decisions
from ocgdedup.store.undo_duplicates import can_undo, reset, undo

_UNCHANGED = "nothing was changed"


class ResetResult(NamedTuple):
    """What a reset took back.

    `decisions` of the user stay, and so do the merges that a purge made final, if there are any.
    """

    groups: int
    duplicates: int
    merged: int
    possible_duplicates: int
    restored: int
    decisions: int
    has_final_merges: bool


def undo_dedup(path: str, reporter: Reporter) -> int | None:
    """Take the last run back; return how many games were changed back, None if there is no run."""
    with open_database(path, writable=True) as database, store_errors(path, _UNCHANGED):
        if not database.is_ours or not can_undo(database.connection):
            return None
        migrate(database, reporter)
        with transaction(database.connection), own_changes(database.connection):
            restored = undo(database.connection)
        if has_flags(database.connection) and may_lack_merges(database.connection):
            reporter.warn(
                f"{path}: the flags are restored, but headers that earlier runs merged are "
                "not, because names or headers have changed since; run "
                f"'ocgdedup dedup {path}' to merge them again"
            )
        return restored


def reset_dedup(path: str, reporter: Reporter) -> ResetResult | None:
    """Take back what all runs of dedup did; return what that was, None if there is nothing."""
    with open_database(path, writable=True) as database, store_errors(path, _UNCHANGED):
        if not database.is_ours:
            return None
        migrate(database, reporter)
        with transaction(database.connection), own_changes(database.connection):
            return _reset(database.connection)


def _reset(connection: apsw.Connection) -> ResetResult | None:
    groups, copies = stored_flag_rows(connection).counts(kept_in_games=False)
    taken_back = ResetResult(
        groups,
        sum(copies.values()),
        count_rows(connection, "UnmergedHeaders"),
        count_suspects(connection),
        count_rows(connection, "RemovedGames"),
        len(decisions(connection)),
        has_final_merges(connection),
    )
    if searched_at(connection) is None and not any(taken_back[:5]):
        return None
    reset(connection)
    return taken_back


def restore_removed(path: str, reporter: Reporter) -> int:
    """Restore all games that were deleted as duplicates and not purged; return how many."""
    with open_database(path, writable=True) as database, store_errors(path, _UNCHANGED):
        if not database.is_ours:
            return 0
        migrate(database, reporter)
        with transaction(database.connection), own_changes(database.connection):
            return restore_games(database.connection, None)
