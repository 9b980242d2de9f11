"""Files that run wrote: it may replace them as they are, but nothing that others wrote."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

import apsw

from ocgdedup.commands.outputs import is_special
from ocgdedup.errors import UsageError
from ocgdedup.files.records import was_left_published
from ocgdedup.store.connection import open_database, store_errors, transaction
from ocgdedup.store.file_state import result_still_holds
from ocgdedup.store.names import read_state, write_state

# In Info: JSON, size in bytes and time of change by path, relative to the database, so that both
# may be moved.
_STATE = "Files written by run"

Written: TypeAlias = dict[str, list[int]]


def check_replaceable(database: str | None, outputs: Sequence[str]) -> None:
    """Refuse an output that is there, unless a run on the database wrote it as it is.

    `database` is None if there is none yet. Raises UsageError.
    """
    written = _written(database) if database is not None else {}
    for path in outputs:
        if not os.path.exists(path) or is_special(path) or was_left_published(path):
            continue
        if database is not None and _is_written(written, database, path):
            continue
        raise UsageError(
            f"{path}: already exists, and no run wrote it or it has been changed since; move it "
            "away, name another file, or overwrite it with --force"
        )


def _is_written(written: Written, database: str, path: str) -> bool:
    """Tell if a file is as a run left it: under its name beside the database, or renamed."""
    # An older version noted full paths, which move with nothing.
    entry = written.get(_key(database, path), written.get(os.path.realpath(path)))
    return _stamp(path) in ([entry] if entry is not None else written.values())


@contextlib.contextmanager
def writing(database: str, outputs: Sequence[str]) -> Iterator[None]:
    """Run a block that writes files, and remember them as they are then."""
    paths = [path for path in outputs if not is_special(path)]
    were = _stamps(database, paths)
    try:
        yield
    except BaseException:
        # Some were written, perhaps, before it failed.
        are = _stamps(database, paths)
        _note(database, {key: are[key] for key in are if are[key] != were.get(key)})
        raise
    _note(database, _stamps(database, paths))


def note_written(connection: apsw.Connection, database: str, paths: Iterable[str]) -> None:
    """Remember files as they are; the caller holds the transaction."""
    _add(connection, _stamps(database, paths))


def _stamps(database: str, paths: Iterable[str]) -> Written:
    return {_key(database, path): _stamp(path) for path in paths if os.path.exists(path)}


@contextlib.contextmanager
def reading(path: str) -> Iterator[apsw.Connection]:
    """Open a database for a short look."""
    database = open_database(path)
    try:
        with store_errors(path, "cannot be read"):
            yield database.connection
    finally:
        database.close()


def _written(database: str) -> Written:
    with reading(database) as connection:
        return _stored(connection)


def _stored(connection: apsw.Connection) -> Written:
    stored = read_state(connection, _STATE)
    written: Written = json.loads(stored) if stored else {}
    return written


def _note(database: str, written: Mapping[str, list[int]]) -> None:
    opened = open_database(database, writable=True)
    try:
        with (
            store_errors(database, "could not be written"),
            transaction(opened.connection),
            result_still_holds(opened.connection),
        ):
            _add(opened.connection, written)
    finally:
        opened.close()


def _add(connection: apsw.Connection, written: Mapping[str, list[int]]) -> None:
    if written:
        write_state(connection, _STATE, json.dumps({**_stored(connection), **written}))


def _key(database: str, path: str) -> str:
    # json.dumps writes surrogates (bytes that are not UTF-8) as ASCII escapes.
    return os.path.relpath(os.path.realpath(path), os.path.dirname(os.path.realpath(database)))


def _stamp(path: str) -> list[int]:
    status = os.stat(path)
    return [status.st_size, status.st_mtime_ns]
