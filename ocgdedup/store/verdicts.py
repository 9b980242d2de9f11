"""Stored verdicts of a search, so that the next one judges only pairs that new games touch.

Only the search kernel knows their format. All writes belong to the transaction of the
caller.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from zlib import crc32

import apsw

from ocgdedup.errors import StoreError
from ocgdedup.store.connection import column_names
from ocgdedup.store.file_state import has_verdicts
from ocgdedup.store.games import id_span
from ocgdedup.store.names import VERDICTS_STATE, read_json, read_state, write_state


class Verdicts(NamedTuple):
    """Verdicts on the games up to `last_id`: edges, in the kernel's format."""

    last_id: int
    edges: Iterator[bytes]


def stored_verdicts(connection: apsw.Connection, options: str) -> Verdicts | None:
    """Return the verdicts of the last search, to be read at once; reading may raise StoreError.

    None if they were made with options other than this text, or if anything but games and decisions
    was added since.
    """
    basis = read_json(connection, VERDICTS_STATE)
    if basis is None or not has_verdicts(connection) or not column_names(connection, "Verdicts"):
        return None
    noted, last_id, checksum = basis
    if noted != _with_machine(options):
        return None
    return Verdicts(last_id, _checked_edges(connection, checksum))


def _checked_edges(connection: apsw.Connection, checksum: int) -> Iterator[bytes]:
    crc = 0
    for (edges,) in connection.execute("SELECT Edges FROM Verdicts ORDER BY ID"):
        crc = crc32(edges, crc)
        yield edges
    if crc != checksum:
        raise StoreError(
            f"{connection.filename}: the verdicts of the last search are damaged; "
            "run 'ocgdedup dedup --full' to compare all pairs again"
        )


def write_verdicts(connection: apsw.Connection, options: str, edges: Iterable[bytes]) -> None:
    """Replace the stored verdicts by those of a search of all games."""
    forget_verdicts(connection)
    checksum = 0
    for part in edges:
        checksum = crc32(part, checksum)
        connection.execute("INSERT INTO Verdicts (Edges) VALUES (?)", (part,))
    _, last_id = id_span(connection) or (0, 0)
    write_state(connection, VERDICTS_STATE, json.dumps((_with_machine(options), last_id, checksum)))


def forget_verdicts(connection: apsw.Connection) -> None:
    """Drop the stored verdicts."""
    connection.execute("DELETE FROM Verdicts")
    write_state(connection, VERDICTS_STATE, None)


def forget_stale_verdicts(connection: apsw.Connection) -> None:
    """Drop the stored verdicts if they are no longer valid."""
    if are_stored(connection) and not has_verdicts(connection):
        forget_verdicts(connection)


def are_stored(connection: apsw.Connection) -> bool:
    """Return whether there are stored verdicts."""
    return read_state(connection, VERDICTS_STATE) is not None


def _with_machine(options: str) -> str:
    return f"{sys.byteorder} {options}"  # numbers are in the byte order of the machine
