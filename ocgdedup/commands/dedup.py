"""dedup: find duplicate games and flag them in place."""

from __future__ import annotations

import importlib
from collections.abc import Callable

from ocgdedup.errors import UsageError
from ocgdedup.model import ExactSummary, Reporter
from ocgdedup.pipeline.detect import find_exact
from ocgdedup.store.connection import Database, open_database, store_errors, transaction


def dedup(
    path: str,
    *,
    min_plies: int,
    dry_run: bool,
    may_upgrade: Callable[[str], bool],
    reporter: Reporter,
) -> ExactSummary:
    """Find exact copies of `min_plies` or more; flag them unless `dry_run`.

    `may_upgrade` is asked if OCGDB wrote the database; without its leave nothing is changed.
    """
    database = open_database(path, writable=not dry_run)
    try:
        with store_errors(path, "nothing was changed"):
            if not database.is_ours:
                _upgrade(database, dry_run, may_upgrade, reporter)
            if dry_run:
                return find_exact(database.connection, min_plies=min_plies, write=False)
            with transaction(database.connection):
                summary = find_exact(database.connection, min_plies=min_plies, write=True)
    finally:
        database.close()
    return summary


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
