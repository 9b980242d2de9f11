"""SQL on imports: Sources, Faults, Loads, and UnpublishedFiles (finished files not yet renamed).

All writes belong to the transaction of the caller.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import apsw

from ocgdedup.model import IngestSummary
from ocgdedup.store.connection import column_names
from ocgdedup.store.games import GAME_TABLES, Row, is_searched
from ocgdedup.store.names import NEW_GAMES_STATE, read_json, write_state

REJECTS, MORE_REJECTS, RUN_REPORT, ANY_FILE = "rejects", "more rejects", "report of run", "file"
_INSERT_LOAD = (
    "INSERT INTO Loads (Fingerprint, InputBytes, LoadDate, FirstGameID, Games, Faults, Rejects, "
    "Damaged) VALUES (?, ?, strftime('%Y-%m-%dT%H:%M:%SZ'), ?, ?, ?, ?, ?)"
)
_FIND_LOAD = (
    "SELECT LoadDate, FirstGameID, Games, Faults, Rejects, Damaged FROM Loads "
    "WHERE Fingerprint = ? ORDER BY ID DESC"
)
_FILE_COLUMNS = "Kind, TemporaryName, Name, Size, SHA256, SHA256Before"
_READ_FILES = """
    SELECT Kind, CAST(TemporaryName AS BLOB) AS Temporary, CAST(Name AS BLOB) AS Place, Size,
        SHA256, SHA256Before
    FROM UnpublishedFiles
    WHERE length(Temporary) > 0 AND length(Place) > 0 AND typeof(Size) = 'integer'
        AND instr(Temporary, x'00') = 0 AND instr(Place, x'00') = 0
    ORDER BY ID
"""
_INSERT_SOURCE = (
    "INSERT INTO Sources (ID, Name, Size, SHA256, ImportDate) "
    "VALUES (?, ?, ?, ?, strftime('%Y-%m-%dT%H:%M:%SZ'))"
)


class StoredLoad(NamedTuple):
    """A finished import and its time, None if the time is unknown."""

    date: str | None
    summary: IngestSummary


class UnpublishedFile(NamedTuple):
    """A finished file without its final name; paths are absolute or relative to the database.

    `kind`: one of REJECTS, MORE_REJECTS, RUN_REPORT, ANY_FILE; `sha256_before`: of the file that
    had the name.
    """

    kind: str
    temporary_name: str
    name: str
    size_bytes: int
    sha256: str
    sha256_before: str | None


def write_load(
    connection: apsw.Connection, fingerprint: str, input_bytes: int | None, summary: IngestSummary
) -> None:
    """Store a finished import."""
    connection.execute(_INSERT_LOAD, (fingerprint, input_bytes, *summary[:5]))


def find_load(connection: apsw.Connection, fingerprint: str) -> StoredLoad | None:
    """Return the last import with a fingerprint, None if there is none."""
    row = connection.execute(_FIND_LOAD, (fingerprint,)).fetchone()
    return None if row is None else StoredLoad(row[0], IngestSummary(*row[1:]))


def may_have_loaded(connection: apsw.Connection, input_bytes: int | None) -> bool:
    """Return whether there was an import of that input size; None: including a pipe."""
    if not column_names(connection, "Loads"):
        return False  # a database of an older version, or of OCGDB
    sql = "SELECT EXISTS (SELECT 1 FROM Loads WHERE InputBytes IS ?)"
    return bool(connection.execute(sql, (input_bytes,)).get)


def unpublished_files(connection: apsw.Connection) -> list[UnpublishedFile]:
    """Return the files of committed changes that have no final name yet, oldest first.

    Rows that no command writes, such as names of no file, are left out.
    """
    if not column_names(connection, "UnpublishedFiles"):
        return []
    rows = connection.execute(_READ_FILES)
    return [
        UnpublishedFile(kind, os.fsdecode(temporary), os.fsdecode(name), *others)
        for kind, temporary, name, *others in rows
    ]


def add_unpublished(connection: apsw.Connection, files: Iterable[UnpublishedFile]) -> None:
    """Store files that get their names after the commit."""
    connection.executemany(
        f"INSERT INTO UnpublishedFiles ({_FILE_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)",
        (
            (file.kind, os.fsencode(file.temporary_name), os.fsencode(file.name), *file[3:])
            for file in files
        ),
    )


def forget_unpublished(connection: apsw.Connection) -> None:
    """Store that all files have their names."""
    connection.execute("DELETE FROM UnpublishedFiles")


def first_new_game(connection: apsw.Connection) -> int | None:
    """Return the ID of the first game imported by runs that have not finished, None if none."""
    first_id, is_running = read_json(connection, NEW_GAMES_STATE) or (None, False)
    return first_id if is_running else None


def note_new_games(connection: apsw.Connection, first_id: int) -> None:
    """Note the first game of an import by a run, unless an earlier run has not finished."""
    if first_new_game(connection) is None:
        write_state(connection, NEW_GAMES_STATE, json.dumps([first_id, True]))


def note_run(connection: apsw.Connection, *, is_running: bool) -> None:
    """Note whether the run that imported the last new games is still to write them."""
    first_id, was_running = read_json(connection, NEW_GAMES_STATE) or (None, is_running)
    if was_running != is_running:
        write_state(connection, NEW_GAMES_STATE, json.dumps([first_id, is_running]))


def faults_of(connection: apsw.Connection, first_id: int) -> Iterator[Row]:
    """Yield (source, line, number in the source, plies, reason) of faults of one import.

    `first_id`: of its games, which end before those of the next import.
    """
    sql = (
        "SELECT Sources.Name, Line, SourceNumber, Ply, Reason FROM Faults "
        "JOIN Games ON Games.ID = GameID JOIN Sources ON Sources.ID = SourceID "
        "WHERE GameID >= ?1 AND GameID < coalesce((SELECT min(FirstGameID) FROM Loads "
        "WHERE FirstGameID > ?1), GameID + 1) ORDER BY Faults.ID"
    )
    return iter(connection.execute(sql, (first_id,)))


def insert_source(
    connection: apsw.Connection,
    source_id: int,
    name: str,
    size_bytes: int | None,
    sha256: str | None,
) -> None:
    """Insert a source; without a SHA-256, an input with the same bytes is not skipped later."""
    connection.execute(_INSERT_SOURCE, (source_id, name, size_bytes, sha256))


def sources_named(connection: apsw.Connection, name: str) -> list[str]:
    """Return the names of the sources with a name, or else of those whose last part it is."""
    sql = "SELECT DISTINCT Name FROM Sources ORDER BY Name"
    names = [row[0] for row in connection.execute(sql)]
    return [name] if name in names else [path for path in names if path.endswith(f"/{name}")]


def games_of_source(connection: apsw.Connection, name: str) -> list[int]:
    """Return the IDs of the games of all sources of a name, without those that the user deleted."""
    sources = "SourceID IN (SELECT ID FROM Sources WHERE Name = ?1)"
    sql = " UNION ALL ".join(
        f"SELECT ID FROM {table} WHERE {sources} AND {is_searched(connection, table)}"
        for table in GAME_TABLES
    )
    return sorted(row[0] for row in connection.execute(sql, (name,)))


def source_names(connection: apsw.Connection) -> dict[str, str]:
    """Return the name of the first source of each SHA-256."""
    sql = "SELECT SHA256, Name FROM Sources WHERE SHA256 IS NOT NULL ORDER BY ID DESC"
    return dict(connection.execute(sql))
