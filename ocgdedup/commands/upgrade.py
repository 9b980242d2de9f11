"""Upgrade a database that OCGDB wrote, and keep a copy of the file."""

from __future__ import annotations

import apsw

from ocgdedup._kernels.chess import keys_of
from ocgdedup.errors import UsageError
from ocgdedup.model import Reporter
from ocgdedup.pgn.dates import parse_date
from ocgdedup.store.connection import Database, back_up
from ocgdedup.store.migrations import Converters, upgrade
from ocgdedup.wording import counted

BACKUP_SUFFIX = ".before-upgrade"


def require_ours(database: Database) -> None:
    """Raise UsageError for a database that OCGDB wrote and that was not upgraded."""
    if not database.is_ours:
        raise UsageError(
            f"{database.path}: OCGDB wrote this file; run 'ocgdedup dedup --upgrade' on it first"
        )


def upgrade_copy(connection: apsw.Connection) -> list[int]:
    """Do the work of upgrade_database() without a copy of the file; see upgrade()."""
    return upgrade(connection, Converters(keys_of, parse_date))


def upgrade_database(database: Database, reporter: Reporter) -> None:
    """Upgrade in one transaction, after copying the file."""
    path = database.path
    backup_path = back_up(database, path + BACKUP_SUFFIX)
    unreadable = upgrade_copy(database.connection)
    reporter.warn(f"{path}: upgraded; the original file is kept as {backup_path}")
    if unreadable:
        ids = ", ".join(map(str, unreadable[:10])) + (" ..." if len(unreadable) > 10 else "")
        reporter.warn(
            f"{path}: the moves of {counted(len(unreadable), 'game')} cannot be replayed and are "
            f"kept without hash keys: ID {ids}"
        )
