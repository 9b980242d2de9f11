"""Files that run wrote: it may replace them as they are, but nothing that others wrote."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Sequence

import apsw

from ocgdedup.commands.outputs import is_special
from ocgdedup.errors import UsageError
from ocgdedup.store.connection import open_database, store_errors, transaction
from ocgdedup.store.names import read_state, write_state

_STATE = "Files written by run"  # in Info: JSON, size in bytes and time of change by full path


def check_replaceable(database: str | None, outputs: Sequence[str]) -> None:
    """Refuse an output that is there, unless a run on the database wrote it as it is.

    `database` is None if there is none yet. Raises UsageError.
    """
    written = _written(database) if database is not None else {}
    for path in outputs:
        if not os.path.exists(path) or is_special(path) or written.get(_key(path)) == _stamp(path):
            continue
        raise UsageError(
            f"{path}: is there already, and no run wrote it as it is now; move it away, name "
            "another file, or overwrite it with --force"
        )


def note_written(database: str, outputs: Sequence[str]) -> None:
    """Remember files as they are now, so that the next run may replace them."""
    written = _written(database)
    written.update((_key(path), _stamp(path)) for path in outputs if not is_special(path))
    opened = open_database(database, writable=True)
    try:
        with store_errors(database, "could not be written"), transaction(opened.connection):
            write_state(opened.connection, _STATE, json.dumps(written))
    finally:
        opened.close()


@contextlib.contextmanager
def reading(path: str) -> Iterator[apsw.Connection]:
    """Open a database for a short look."""
    database = open_database(path)
    try:
        with store_errors(path, "cannot be read"):
            yield database.connection
    finally:
        database.close()


def _written(database: str) -> dict[str, list[int]]:
    with reading(database) as connection:
        stored = read_state(connection, _STATE)
    written: dict[str, list[int]] = json.loads(stored) if stored else {}
    return written


def _key(path: str) -> str:
    # json.dumps writes surrogates, which stand for bytes that are no UTF-8, as ASCII escapes.
    return os.path.realpath(path)


def _stamp(path: str) -> list[int]:
    status = os.stat(path)
    return [status.st_size, status.st_mtime_ns]
