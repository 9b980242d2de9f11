"""Migrate a database of an older schema version to the current one; upgrade one of OCGDB.

Owns the order of the steps in schema/migrations and their transaction. Only commands that write
call it; reading commands accept any version up to the current one.

A database of OCGDB lacks keys, flags, dates in PGN form, and our tables. OCGDB replaced each "?" of
a date by "1", which cannot be undone here. Texts in another charset are converted to UTF-8.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import apsw

from ocgdedup.game_columns import GAME_COLUMNS
from ocgdedup.model import Reporter
from ocgdedup.store import games, names
from ocgdedup.store.connection import (
    FLAG_COLUMNS,
    SCHEMA_VERSION,
    Database,
    back_up,
    column_names,
    drop_temporary_flag_views,
    migration_sql,
    name_references,
    schema_sql,
    stamp,
    transaction,
)
from ocgdedup.store.duplicates import build_flag_index, mark_stale, searched_at
from ocgdedup.store.games import tables_with_games
from ocgdedup.store.persons import forget_wrong_persons, judge_players_anew
from ocgdedup.store.stored_games import convert_ocgdb_texts, read_as_stored

_FLAG_TABLE = 10  # first version with a table of flags
_NAMED_REFERENCES = 9  # first version whose foreign keys name their columns
_SOUND_PERSONS = 6  # first version that resolves names of removed games


def migrate(database: Database, reporter: Reporter) -> None:
    """Migrate a database of ours, open for writing, to SCHEMA_VERSION, unless it is current.

    The file is first copied to PATH.version-N, and the user is told so. All steps are one
    transaction: a killed run leaves the database unchanged, and the next run finds its copy. Raises
    StoreError for an unknown version, and apsw.Error.
    """
    connection, path = database.connection, database.path
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
        quoted = str(name).replace('"', '""')
        connection.execute(f'DROP INDEX "{quoted}"')


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


# --- databases of OCGDB ---------------------------------------------------------------------------


Keys = tuple[int, int, int, int]
_SELECT = "SELECT ID, Date, FEN, Moves2 FROM Games ORDER BY ID"
_UPDATE = (
    "UPDATE Games SET MoveHash = ?, FinalZobrist = ?, PositionsKey = ?, SampledKey = ?, "
    "Date = ?, DateQuality = ?, ExtraTags = ?, PlyCount = ?, HasComments = 0, HasVariations = 0, "
    "SpecialMoves = 0 WHERE ID = ?"
)
_NEW_COLUMNS = [
    f"ALTER TABLE Games ADD COLUMN {column.name} {column.sql_type}"
    + (f" REFERENCES {column.references}(ID)" if column.references else "")
    for column in GAME_COLUMNS
    if not column.of_ocgdb
]
_OCGDB_DATE = re.compile(r"^(\d{4})-(\d{2})-(\d{2})$")


class Converters(NamedTuple):
    """Chess and date rules that this layer must not know."""

    keys_of: Callable[[bytes, str | None], Keys]
    parse_date: Callable[[str], tuple[str, int]]


def pgn_date(date: str | None) -> str | None:
    """Return a date of OCGDB (with hyphens) in PGN form; any other date unchanged."""
    return _OCGDB_DATE.sub(r"\1.\2.\3", date) if date else date


def upgrade(connection: apsw.Connection, converters: Converters) -> list[int]:
    """Upgrade in one transaction; return the IDs of games whose moves do not replay.

    These keep their blob and get no keys, so that they are never considered duplicates.
    """
    unreadable: list[int] = []
    drop_temporary_flag_views(connection)
    read_as_stored(connection)
    with transaction(connection):
        convert_ocgdb_texts(connection)
        _add_columns_and_tables(connection)
        rows = connection.execute(_SELECT).fetchall()
        connection.executemany(_UPDATE, _updates(rows, converters, unreadable))
        connection.execute(
            "UPDATE Games SET HasComments = 1 WHERE ID IN (SELECT GameID FROM Comments)"
        )
        games.build_note_indexes(connection)
        games.build_hash_indexes(connection)
        names.write_info(connection)
        stamp(connection)
    return unreadable


def _add_columns_and_tables(connection: apsw.Connection) -> None:
    existing = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
    for line in [*_NEW_COLUMNS, *schema_sql("from_ocgdb.sql").splitlines()]:
        change = re.match(r"ALTER TABLE (\w+) ADD COLUMN (\w+)", line)
        is_new = change and change.group(1) in existing
        if change and is_new and change.group(2) not in column_names(connection, change.group(1)):
            connection.execute(line)
    for statement in schema_sql("schema.sql").split(";"):
        match = re.search(r"CREATE (?:TABLE|VIEW) (\w+)", statement)
        if match and match.group(1) not in existing:
            connection.execute(statement)
    name_references(connection)


def _updates(
    rows: list[games.Row], converters: Converters, unreadable: list[int]
) -> Iterator[games.Row]:
    for game_id, date, fen, moves in rows:
        text = pgn_date(date)
        parsed, quality = converters.parse_date(text) if text else ("????.??.??", 0)
        keys: tuple[int | None, ...]
        try:
            keys = converters.keys_of(moves or b"", fen or None)
        except ValueError:
            unreadable.append(game_id)
            keys = (None, None, None, None)
        original = None if not text or parsed == text else json.dumps({"OriginalDate": text})
        yield (*keys, parsed, quality, original, len(moves or b"") // 2, game_id)
