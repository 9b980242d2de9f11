"""Add what a database of OCGDB lacks: keys, flags, dates in PGN form, our tables.

OCGDB replaced each "?" of a date by "1", which cannot be undone here. Texts in another charset are
converted to UTF-8.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import apsw

from ocgdedup.game_columns import GAME_COLUMNS
from ocgdedup.store import games, names
from ocgdedup.store.connection import (
    column_names,
    drop_temporary_flag_views,
    name_references,
    schema_sql,
    stamp,
    transaction,
    view_flags,
)
from ocgdedup.store.stored_text import convert_ocgdb_texts, read_as_stored

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
    view_flags(connection)
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
