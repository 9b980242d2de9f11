"""Migrate a database of an older schema version to the current one.

Owns the order of the steps in schema/migrations and their transaction. Only commands that write
call it; reading commands accept any version up to the current one.
"""

from __future__ import annotations

import apsw

from ocgdedup.model import Reporter
from ocgdedup.store.connection import (
    FLAG_COLUMNS,
    SCHEMA_VERSION,
    Database,
    back_up,
    drop_temporary_flag_views,
    migration_sql,
    name_references,
    quoted,
    transaction,
    view_flags,
)
from ocgdedup.store.duplicates import build_flag_index, mark_stale, searched_at
from ocgdedup.store.games import tables_with_games
from ocgdedup.store.persons import forget_wrong_persons, judge_players_anew

_FLAG_TABLE = 10  # first version with a table of flags
_NAMED_REFERENCES = 9  # first version whose foreign keys name their columns
_SOUND_PERSONS = 6  # first version that resolves names of removed games


def migrate(database: Database, reporter: Reporter) -> None:
    """Migrate a database of ours, open for writing, to SCHEMA_VERSION, unless it is current.

    The file is first copied to PATH.version-N, and the user is told so. All steps are one
    transaction: a killed run leaves the database unchanged, and the next run finds its copy. Raises
    StoreError for an unknown version, and apsw.Error.

    Every command that writes calls this first, so the user is also told of triggers here.
    """
    connection, path = database.connection, database.path
    triggers = "SELECT group_concat(name, ', ') FROM main.sqlite_master WHERE type = 'trigger'"
    if (names := connection.execute(triggers).get) is not None:
        reporter.warn(f"{path}: has triggers, which ocgdedup does not run: {names}")
    before = int(connection.pragma("user_version"))
    if before == SCHEMA_VERSION:
        return
    drop_temporary_flag_views(connection)
    kept = back_up(database, f"{path}.version-{before}")
    with transaction(connection):
        # Another run may have migrated it while this run made its copy.
        since = int(connection.pragma("user_version"))
        if since < _FLAG_TABLE:
            _drop_indexes_of_flags(connection)
        for version in range(since + 1, SCHEMA_VERSION + 1):
            connection.execute(migration_sql(version))
            connection.pragma("user_version", version)
        view_flags(connection)
        _heal(connection, since)
    reporter.warn(
        f"{path}: schema version {before} -> {SCHEMA_VERSION}; a copy of the file is {kept}"
    )


def _drop_indexes_of_flags(connection: apsw.Connection) -> None:
    """Drop the user's indexes on flags, which are about to leave the tables of games."""
    named = " OR ".join(f"sql LIKE '%{name}%'" for name in FLAG_COLUMNS)
    names = connection.execute(
        "SELECT name FROM sqlite_master "
        f"WHERE type = 'index' AND tbl_name IN ('Games', 'RemovedGames') AND ({named})"
    ).fetchall()
    for (name,) in names:
        connection.execute(f"DROP INDEX {quoted(str(name))}")


def _heal(connection: apsw.Connection, since: int) -> None:
    """Repair, in the current schema, known faults of versions from `since` on."""
    if searched_at(connection) is not None:
        build_flag_index(connection)  # a search before version 3 built none
    if since < _NAMED_REFERENCES:
        name_references(connection)
    if since >= _SOUND_PERSONS:
        return
    # Removed games kept the persons from the time of removal, and passed them to kept games.
    forget_wrong_persons(connection)
    if len(tables_with_games(connection)) > 1:
        judge_players_anew(connection)
        mark_stale(connection)
