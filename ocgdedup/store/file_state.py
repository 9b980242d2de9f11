"""Whether anybody has written to the file since the last run of dedup, without reading a table.

SQLite counts in a file's header the transactions that write to it, whoever makes them. A run of
dedup notes the count that its own commit will leave, and its result: while the count is the same,
so are all tables. Not in WAL mode, where SQLite does not keep that count. A load that adds games
notes that the verdicts on the games before it still hold.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import apsw

from ocgdedup.store.games import id_span
from ocgdedup.store.names import read_state, write_state

_STATE = "Duplicates unchanged since"  # in Info: the file as dedup left it, and what was in it
_COUNTER_OFFSET, _COUNTER_BYTES = 24, 4  # of the header: "file change counter", big-endian
# A dump that was read into a new file may come to the same counter; not to these as well.
_PRAGMAS = ("page_count", "page_size", "freelist_count", "schema_version")


class LastResult(NamedTuple):
    """What the last run of dedup left in the tables, by number.

    `names_are_current`: a consolidation of names would have changed nothing then.
    """

    names_are_current: bool
    games: int
    groups: int
    duplicates: Mapping[str, int]
    suspects: int


def unchanged_result(connection: apsw.Connection) -> LastResult | None:
    """Return what the last run of dedup left if nobody has written to the file since.

    None if somebody has, or if that cannot be known: then the tables have to be read. The
    connection is in a transaction, which has written nothing.
    """
    noted = _noted(connection)
    result = noted.get("result", ())
    return LastResult(*result) if len(result) == len(LastResult._fields) else None


def has_verdicts(connection: apsw.Connection) -> bool:
    """Return whether the verdicts that the last search stored hold for the games that it had.

    Not once this connection has written anything: that may concern them.
    """
    return not connection.total_changes() and bool(_noted(connection).get("verdicts"))


def is_changed_by_others(connection: apsw.Connection) -> bool:
    """Return whether the file has been written to since the last run of dedup, and not to add
    games.

    False where that cannot be known.
    """
    text = read_state(connection, _STATE)
    is_known = text is not None and _file_state(connection, commits=0) is not None
    return is_known and not _noted(connection)


def note_result(connection: apsw.Connection, result: LastResult, *, verdicts: bool) -> None:
    """Note what a run of dedup leaves, as the last statement of a transaction that writes.

    `verdicts`: those stored are on the games as they are.
    """
    _note(connection, {"result": result, "verdicts": verdicts})


@contextlib.contextmanager
def result_still_holds(connection: apsw.Connection) -> Iterator[None]:
    """Run the part of a transaction that writes; nothing of it concerns duplicates or names."""
    noted = _noted(connection)
    yield
    if noted:
        _note(connection, noted)


@contextlib.contextmanager
def verdicts_still_hold(connection: apsw.Connection) -> Iterator[None]:
    """Run a transaction, from its beginning, that only writes what a user decides."""
    holds = _noted(connection).get("verdicts")
    yield
    if holds:
        _note(connection, {"verdicts": True})


@contextlib.contextmanager
def games_are_added(connection: apsw.Connection) -> Iterator[None]:
    """Run a transaction, from its beginning, that only adds games, or none after all."""
    noted, before = _noted(connection), connection.total_changes()
    ids = id_span(connection)
    yield
    if noted and connection.total_changes() != before:
        if id_span(connection) == ids:
            _note(connection, noted)
        elif noted.get("verdicts"):
            _note(connection, {"verdicts": True})


def _noted(connection: apsw.Connection) -> dict[str, Any]:
    """Return what was noted, empty if somebody has written to the file since."""
    text = read_state(connection, _STATE)
    noted: dict[str, Any] = {} if text is None else json.loads(text)
    if noted and noted.get("file") != _file_state(connection, commits=0):
        return {}
    return noted


def _note(connection: apsw.Connection, noted: dict[str, Any]) -> None:
    write_state(connection, _STATE, None)
    file = _file_state(connection, commits=1)
    if file is not None:
        write_state(connection, _STATE, json.dumps(noted | {"file": file}))


def _file_state(connection: apsw.Connection, *, commits: int) -> list[int] | None:
    """Return what changes with each transaction that writes, as it will be after `commits` more.

    None if nothing does: in WAL mode, and for a database in memory.
    """
    if connection.pragma("journal_mode") in ("wal", "memory"):
        return None
    # By SQLite: to open and close the file here would drop the locks that SQLite holds on it.
    is_read, header = connection.read("main", 0, _COUNTER_OFFSET, _COUNTER_BYTES)
    if not is_read:
        return None
    counter = (int.from_bytes(header, "big") + commits) % (1 << 8 * _COUNTER_BYTES)
    return [counter, *(int(connection.pragma(name)) for name in _PRAGMAS)]
