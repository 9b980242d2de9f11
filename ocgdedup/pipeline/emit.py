"""Phase 5: games of a database to PGN text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from ocgdedup._kernels.pgn_write import PgnWriter
from ocgdedup.errors import IntegrityError
from ocgdedup.store import games, names
from ocgdedup.store.connection import Database
from ocgdedup.store.upgrade import pgn_date

PLAIN_BATCH = 2000  # games
ANNOTATED_BATCH = 16
BATCH_BYTES = 1 << 22

Names = tuple[list[str | None], list[str | None], list[str | None]]
_DATE = games.PRINTED_COLUMNS.index("Date")
_EXTRA_TAGS = games.PRINTED_COLUMNS.index("ExtraTags")


def pgn_of_all(database: Database, *, width: int = 80) -> Iterator[tuple[int, bytes]]:
    """Yield the number of games and their PGN text, batch by batch, by rising ID."""
    connection = database.connection
    events, sites, players = (names.names_by_id(connection, table) for table in names.NAME_TABLES)
    with_notes = _prepare_notes(database)
    writer = PgnWriter(width)
    size = ANNOTATED_BATCH if with_notes else PLAIN_BATCH
    for rows in games.printed_rows(connection, PLAIN_BATCH):
        start = 0
        while start < len(rows):
            some = rows[start : start + size]
            start += size
            notes = games.notes_between(connection, some[0][0], some[-1][0]) if with_notes else {}
            text = _write(writer, database, some, (events, sites, players), notes)
            if with_notes:
                size = _next_size(size, len(text))
            yield len(some), text


def _next_size(size: int, written_bytes: int) -> int:
    """Return how many games to take next, so that memory does not grow with their comments."""
    if written_bytes > BATCH_BYTES:
        return max(1, size * BATCH_BYTES // written_bytes)
    return min(2 * size, PLAIN_BATCH)


def pgn_of_games(
    database: Database, game_ids: Iterable[int], *, width: int = 80
) -> Iterator[bytes | None]:
    """Yield the PGN text of each game, None where there is no game of that ID."""
    with_notes = _prepare_notes(database)
    writer = PgnWriter(width)
    for game_id in game_ids:
        # SQLite's numbers end at 2**63.
        row = games.printed_row(database.connection, game_id) if abs(game_id) < 2**63 else None
        if row is None:
            yield None
            continue
        notes = games.notes_between(database.connection, game_id, game_id) if with_notes else {}
        values, lists = _with_own_names(database, row)
        yield _write(writer, database, [values], lists, notes)


def _with_own_names(database: Database, row: games.Row) -> tuple[games.Row, Names]:
    """Return the row with IDs that index lists of its own names alone."""
    values = list(row)
    lists: list[list[str | None]] = []
    for table, columns in (("Events", (1,)), ("Sites", (2,)), ("Players", (5, 7))):
        found: list[str | None] = [None]
        for column in columns:
            found.append(names.name_of(database.connection, table, values[column]))
            values[column] = len(found) - 1
        lists.append(found)
    return tuple(values), (lists[0], lists[1], lists[2])


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
