"""Files that run wrote: it may replace them as they are, but nothing that others wrote."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

import apsw

from ocgdedup.commands.outputs import is_special
from ocgdedup.errors import UsageError
from ocgdedup.store.connection import open_database, store_errors, transaction
from ocgdedup.store.names import read_state, write_state

_STATE = "Files written by run"  # in Info: JSON, size in bytes and time of change by full path
_BEING_WRITTEN: list[int] = []
_NOT_OURS = [-1]

Written: TypeAlias = dict[str, list[int]]


def check_replaceable(database: str | None, outputs: Sequence[str]) -> None:
    """Refuse an output that is there, unless a run on the database wrote it as it is.

    `database` is None if there is none yet. Raises UsageError.
    """
    written = _written(database) if database is not None else {}
    for path in outputs:
        if not os.path.exists(path) or is_special(path):
            continue
        if written.get(_key(path), _NOT_OURS) in (_BEING_WRITTEN, _stamp(path)):
            continue
        raise UsageError(
            f"{path}: is there already, and no run wrote it as it is now; move it away, name "
            "another file, or overwrite it with --force"
        )


@contextlib.contextmanager
def writing(database: str, outputs: Sequence[str]) -> Iterator[None]:
    """Run a block that writes files, and remember them as they are then.

    One that is killed meanwhile leaves a note that they were being written, so that the next run
    may replace them.
    """
    before = _written(database)
    keys = {_key(path): path for path in outputs if not is_special(path)}
    were = _stamps(keys)
    _note(database, before | dict.fromkeys(keys, _BEING_WRITTEN))
    try:
        yield
    except BaseException:
        # Some were written, perhaps, before it failed.
        are = _stamps(keys)
        _note(database, before | {key: are[key] for key in are if are[key] != were.get(key)})
        raise
    _note(database, _written(database) | _stamps(keys))


def _stamps(paths: Mapping[str, str]) -> Written:
    return {key: _stamp(path) for key, path in paths.items() if os.path.exists(path)}


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
        stored = read_state(connection, _STATE)
    written: Written = json.loads(stored) if stored else {}
    return written


def _note(database: str, written: Written) -> None:
    opened = open_database(database, writable=True)
    try:
        with store_errors(database, "could not be written"), transaction(opened.connection):
            write_state(opened.connection, _STATE, json.dumps(written))
    finally:
        opened.close()


def _key(path: str) -> str:
    # json.dumps writes surrogates, which stand for bytes that are no UTF-8, as ASCII escapes.
    return os.path.realpath(path)


def _stamp(path: str) -> list[int]:
    status = os.stat(path)
    return [status.st_size, status.st_mtime_ns]
