"""dedup --undo and --reset: revert runs of dedup."""

from __future__ import annotations

from typing import NamedTuple

import apsw

from ocgdedup.commands.dedup_search import apply_name_decisions
from ocgdedup.commands.history import state_before, undo_kind
from ocgdedup.commands.outputs import reading
from ocgdedup.model import Reporter
from ocgdedup.store.connection import Database, count_rows
from ocgdedup.store.database import open_database, store_errors
from ocgdedup.store.deleted_games import deleted_ids
from ocgdedup.store.duplicates import has_flags, may_lack_merges, searched_at, stored_flag_rows
from ocgdedup.store.file_state import result_changes
from ocgdedup.store.history import DEDUP, UNDO_OF, parts_since, require_last, transaction
from ocgdedup.store.merges import has_final_merges
from ocgdedup.store.migrations import migrate
from ocgdedup.store.possible_duplicates import count_possible_duplicates, decisions
from ocgdedup.store.undo import old_state, reset, revert_dedup

_UNCHANGED = "nothing was changed"


class ResetResult(NamedTuple):
    """The changes that a reset reverted.

    `decisions`: of the user, which stay. `has_final_merges`: so do merges that a purge made final.
    """

    groups: int
    duplicates: int
    merged: int
    possible_duplicates: int
    restored: int
    decisions: int
    has_final_merges: bool


def undo_dedup(path: str, reporter: Reporter) -> int | None:
    """Undo the last run, but no later step; return the number of games in groups before or after.

    None if there is no run. Raises UsageError if later steps depend on the run.
    """
    with reading(path) as database:
        if not parts_since(database.connection, DEDUP):
            return None
        touched = len(stored_flag_rows(database.connection))
    since = undo_kind(path, DEDUP)
    if since is None:
        with reading(path) as database:
            _warn_of_lost_merges(database, reporter)
            return max(touched, len(stored_flag_rows(database.connection)))
    with (
        state_before(path, since) as old,
        open_database(path, writable=True) as database,
        store_errors(path, _UNCHANGED),
        old_state(database.connection, old),
    ):
        connection = database.connection
        with transaction(connection, UNDO_OF.format(DEDUP)) as change, result_changes(connection):
            require_last(connection, path, since)
            restored = revert_dedup(connection)
            apply_name_decisions(connection)
            change.words = f"run of step {since[0].number} undone"
        _warn_of_lost_merges(database, reporter)
        return restored


def _warn_of_lost_merges(database: Database, reporter: Reporter) -> None:
    if has_flags(database.connection) and may_lack_merges(database.connection):
        path = database.path
        reporter.warn(
            f"{path}: the flags are restored, but headers that earlier runs merged are not, "
            "because names or headers have changed since; run "
            f"'ocgdedup dedup {path}' to merge them again"
        )


def reset_dedup(path: str, reporter: Reporter) -> ResetResult | None:
    """Revert all runs of dedup; return the reverted changes, None if there are none."""
    with open_database(path, writable=True) as database, store_errors(path, _UNCHANGED):
        if not database.is_ours:
            return None
        migrate(database, reporter)
        with transaction(database.connection, DEDUP) as change, result_changes(database.connection):
            change.words = "all runs undone"
            return _reset(database.connection)


def _reset(connection: apsw.Connection) -> ResetResult | None:
    groups, duplicates = stored_flag_rows(connection).counts(unchanged_in_games=False)
    reverted = ResetResult(
        groups,
        sum(duplicates.values()),
        count_rows(connection, "UnmergedHeaders"),
        count_possible_duplicates(connection),
        len(deleted_ids(connection)),
        len(decisions(connection)),
        has_final_merges(connection),
    )
    if searched_at(connection) is None and not any(reverted[:5]):
        return None
    reset(connection)
    apply_name_decisions(connection)
    return reverted
