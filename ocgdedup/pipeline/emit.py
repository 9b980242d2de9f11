"""Phase 5: games of a database to PGN text."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ocgdedup._kernels.pgn_write import PgnWriter
from ocgdedup.errors import IntegrityError
from ocgdedup.store import games, names
from ocgdedup.store.connection import Database
from ocgdedup.store.upgrade import pgn_date

Names = tuple[list[str | None], list[str | None], list[str | None]]
_DATE = games.PRINTED_COLUMNS.index("Date")
_EXTRA_TAGS = games.PRINTED_COLUMNS.index("ExtraTags")


def pgn_of_all(database: Database, *, width: int = 80) -> Iterator[tuple[int, bytes]]:
    """Yield the number of games and their PGN text, batch by batch, by rising ID."""
    connection = database.connection
    events, sites, players = (names.names_by_id(connection, table) for table in names.NAME_TABLES)
    with_notes = _prepare_notes(database)
    writer = PgnWriter(width)
    for rows in games.printed_rows(connection):
        notes = games.notes_between(connection, rows[0][0], rows[-1][0]) if with_notes else {}
        yield len(rows), _write(writer, database, rows, (events, sites, players), notes)


def pgn_of_game(database: Database, game_id: int, *, width: int = 80) -> bytes | None:
    """Return the PGN text of one game, None if there is no game of that ID."""
    if not -(2**63) <= game_id < 2**63:
        return None  # SQLite has no such number
    row = games.printed_row(database.connection, game_id)
    if row is None:
        return None
    with_notes = _prepare_notes(database)
    notes = games.notes_between(database.connection, game_id, game_id) if with_notes else {}
    values = list(row)
    tables: list[list[str | None]] = []
    for table, columns in (("Events", (1,)), ("Sites", (2,)), ("Players", (5, 7))):
        found: list[str | None] = [None]
        for column in columns:
            found.append(names.name_of(database.connection, table, values[column]))
            values[column] = len(found) - 1
        tables.append(found)
    lists = (tables[0], tables[1], tables[2])
    return _write(PgnWriter(width), database, [tuple(values)], lists, notes)


def _prepare_notes(database: Database) -> bool:
    """Tell if there are annotations; make those of a foreign database quick to find."""
    if not games.has_notes(database.connection):
        return False
    if not database.is_ours:
        games.prepare_notes(database.connection)
    return True


def _write(
    writer: PgnWriter,
    database: Database,
    rows: list[games.Row],
    lists: Names,
    notes: dict[int, list[games.Row]],
) -> bytes:
    prepared = [row if row[_EXTRA_TAGS] is None else _with_tag_list(row) for row in rows]
    if not database.is_ours:
        prepared = [_with_pgn_date(row) for row in prepared]
    try:
        return writer.write(prepared, *lists, notes)
    except ValueError as error:
        raise IntegrityError(
            f"{database.path}: {error}; the stored moves are damaged, restore the file from a "
            "backup or create it anew from the PGN"
        ) from error


def _with_tag_list(row: games.Row) -> games.Row:
    tags = [(name, str(value)) for name, value in json.loads(row[_EXTRA_TAGS]).items()]
    return (*row[:_EXTRA_TAGS], tags, *row[_EXTRA_TAGS + 1 :])


def _with_pgn_date(row: games.Row) -> games.Row:
    return (*row[:_DATE], pgn_date(row[_DATE]) or None, *row[_DATE + 1 :])
