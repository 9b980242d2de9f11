"""dedup: find duplicate games and flag them in place."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import apsw

from ocgdedup._kernels.move_decode import keys_of
from ocgdedup.errors import StoreError, UsageError
from ocgdedup.model import ExactSummary, Reporter
from ocgdedup.pgn.dates import parse_date
from ocgdedup.pipeline.detect import find_exact
from ocgdedup.store.connection import Database, open_database
from ocgdedup.store.upgrade import Converters, upgrade

BACKUP_SUFFIX = ".before-upgrade"


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
        if not database.is_ours:
            _upgrade(database, dry_run, may_upgrade, reporter)
        with database.connection:  # one transaction
            summary = find_exact(database.connection, min_plies=min_plies, write=not dry_run)
    except apsw.Error as error:
        raise StoreError(f"{path}: nothing was changed: {error}") from error
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
            f"'ocgdedup dedup --upgrade {path}' to add them (a copy is kept as "
            f"{path}{BACKUP_SUFFIX})"
        )
    shutil.copyfile(path, path + BACKUP_SUFFIX)
    unreadable = upgrade(database.connection, Converters(keys_of, parse_date))
    reporter.warn(f"{path}: upgraded; the file as OCGDB wrote it is {path}{BACKUP_SUFFIX}")
    if unreadable:
        ids = ", ".join(map(str, unreadable[:10])) + (" ..." if len(unreadable) > 10 else "")
        reporter.warn(
            f"{path}: the moves of {len(unreadable)} games do not replay and were left as they "
            f"are, without keys: ID {ids}"
        )
