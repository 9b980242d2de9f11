"""Whether the file was written to since the last run of dedup, and the verdicts that hold if not.

SQLite counts the transactions that write to a file in its header (not in WAL mode). A run of dedup
stores the count that its own commit will leave, and its result: while the count is the same, so are
all tables. An import that adds games stores that the verdicts on earlier games are still valid.
So does a run of players, which lists the games that it changed. Only the search kernel knows the
format of verdicts. All writes belong to the transaction of the caller.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypedDict
from zlib import crc32

import apsw

from ocgdedup.errors import StoreError
from ocgdedup.store.connection import column_names
from ocgdedup.store.games import id_span
from ocgdedup.store.history import change_counter, natural_counter, write_step_row
from ocgdedup.store.names import (
    CHANGED_STATE,
    FILE_STATE,
    SEARCH_TOKEN,
    VERDICTS_STATE,
    read_json,
    read_state,
    write_state,
)

_BUT_CHANGED = " but changed games"  # of the options: see Verdicts.changed
_OF_PLAYERS = "ChangesOfPlayers"  # a temporary table
# A dump read into a new file may reach the same counter, but not these values too.
_PRAGMAS = ("page_count", "page_size", "freelist_count", "schema_version")


class LastResult(NamedTuple):
    """The counts of the results of the last run of dedup.

    `names_are_current`: resolving names would have changed nothing then. `longer`, `diverging`:
    see count_not_truncated().
    """

    names_are_current: bool
    games: int
    groups: int
    duplicates: Mapping[str, int]
    suspects: int
    longer: int
    diverging: int


class _Noted(TypedDict, total=False):
    """The stored state of the file; `left`: a LastResult; `verdicts`: the verdicts are valid."""

    left: Sequence[object]
    verdicts: bool
    file: list[int]


def unchanged_result(connection: apsw.Connection) -> LastResult | None:
    """Return the result of the last run of dedup if the file was not written to since.

    None if it was, or if that is unknown: then the tables must be read. The connection is in a
    transaction that has written nothing.
    """
    noted = _noted(connection)
    left = noted.get("left")
    return None if left is None else LastResult._make(left)


def has_verdicts(connection: apsw.Connection) -> bool:
    """Return whether the stored verdicts are valid for the games of the last search.

    Except for the games in Verdicts.changed. False once this connection has written anything else
    than players, since that may affect them.
    """
    changes = connection.total_changes()
    if changes:
        return changes == _changes_of_players(connection)
    return bool(_noted(connection).get("verdicts"))


def search_token(connection: apsw.Connection) -> str | None:
    """Return the token of the last search; None unless has_verdicts(), or if it has none."""
    return _token(connection, _noted(connection)) if has_verdicts(connection) else None


def is_changed_by_others(connection: apsw.Connection) -> bool:
    """Return whether the file was changed since the last run of dedup, except by adding games.

    False where that cannot be known.
    """
    text = read_state(connection, FILE_STATE)
    is_known = text is not None and _file_state(connection, commits=0) is not None
    return is_known and not _noted(connection)


def note_result(
    connection: apsw.Connection, result: LastResult, *, verdicts: bool, token: str | None = None
) -> None:
    """Store the result of a run of dedup, as the last statement of a writing transaction.

    `verdicts`: whether the stored verdicts are valid for the current games. `token`: what
    search_token() returns as long as only games and decisions are added.
    """
    _note(connection, {"left": result, "verdicts": verdicts}, token)


@contextlib.contextmanager
def result_changes(connection: apsw.Connection) -> Iterator[None]:
    """Run a whole transaction that may change results of the last search.

    It drops the stored state, so that the next search does not attribute the change to another
    program. If another program wrote before, the state stays, and the next search reports it.
    """
    noted, before = _noted(connection), connection.total_changes()
    yield
    if noted and connection.total_changes() != before:
        write_state(connection, FILE_STATE, None)


@contextlib.contextmanager
def result_still_holds(connection: apsw.Connection) -> Iterator[None]:
    """Run the writing part of a transaction that does not affect duplicates or names."""
    noted, before = _noted(connection), connection.total_changes()
    token = _token(connection, noted)
    yield
    if noted and connection.total_changes() != before:
        _note(connection, noted, token)


@contextlib.contextmanager
def verdicts_still_hold(connection: apsw.Connection) -> Iterator[None]:
    """Run a whole transaction that only writes decisions of the user."""
    noted = _noted(connection)
    token = _token(connection, noted)
    yield
    if noted.get("verdicts"):
        _note(connection, {"verdicts": True}, token)


@contextlib.contextmanager
def games_are_added(connection: apsw.Connection) -> Iterator[None]:
    """Run a whole transaction that adds games or changes nothing."""
    noted, before = _noted(connection), connection.total_changes()
    ids, token = id_span(connection), _token(connection, noted)
    yield
    if noted and connection.total_changes() != before:
        if id_span(connection) == ids:
            _note(connection, noted, token)
        elif noted.get("verdicts"):
            _note(connection, {"verdicts": True}, token)


@contextlib.contextmanager
def players_change(connection: apsw.Connection) -> Iterator[None]:
    """Run a whole transaction that resolves players; other results of the last search are lost."""
    noted, before = _noted(connection), connection.total_changes()
    token = _token(connection, noted)
    yield
    if noted and connection.total_changes() != before:
        if noted.get("verdicts") and are_stored(connection):
            _note(connection, {"verdicts": True}, token)
        else:
            write_state(connection, FILE_STATE, None)


@contextlib.contextmanager
def players_come_first(connection: apsw.Connection) -> Iterator[None]:
    """Run the first part of a transaction, which resolves players before a search."""
    had_verdicts = has_verdicts(connection)
    yield
    if had_verdicts and connection.total_changes() and are_stored(connection):
        connection.execute(f"CREATE TEMP TABLE IF NOT EXISTS {_OF_PLAYERS} (Changes INTEGER)")
        sql = f"INSERT INTO {_OF_PLAYERS} VALUES (?)"
        connection.execute(sql, (connection.total_changes() + 1,))


def _changes_of_players(connection: apsw.Connection) -> int | None:
    """Return how many rows the connection had changed after it resolved players."""
    if not column_names(connection, _OF_PLAYERS):
        return None
    return int(connection.execute(f"SELECT max(Changes) FROM {_OF_PLAYERS}").get)


def _noted(connection: apsw.Connection) -> _Noted:
    """Return the stored state, empty if the file was written to since."""
    noted: _Noted | None = read_json(connection, FILE_STATE)
    file = _file_state(connection, commits=0)
    return {} if noted is None or file is None or noted.get("file") != file else noted


def _token(connection: apsw.Connection, noted: _Noted) -> str | None:
    """Return the token of the search that a stored state goes with.

    The token comes with a count of transactions: versions without tokens leave both as they are.
    """
    token, counter = read_json(connection, SEARCH_TOKEN) or (None, None)
    return token if noted.get("verdicts") and counter == noted["file"][0] else None


def _note(connection: apsw.Connection, noted: _Noted, token: str | None) -> None:
    write_step_row()  # which may add a page
    write_state(connection, FILE_STATE, None)
    counter = _counter(connection, commits=1)
    is_kept = token is not None and counter is not None
    write_state(connection, SEARCH_TOKEN, json.dumps([token, counter]) if is_kept else None)
    file = _file_state(connection, commits=1)
    if file is not None:
        write_state(connection, FILE_STATE, json.dumps(noted | {"file": file}))


def _counter(connection: apsw.Connection, *, commits: int) -> int | None:
    """Return SQLite's count of transactions, as after `commits` more; None if it has none."""
    # Undoing restores an old state under a new counter; commits count on from the new one.
    counter = change_counter(connection) if commits else natural_counter(connection)
    return None if counter is None else (counter + commits) % (1 << 32)


def _file_state(connection: apsw.Connection, *, commits: int) -> list[int] | None:
    """Return values that change with each writing transaction, as after `commits` more."""
    counter = _counter(connection, commits=commits)
    if counter is None:
        return None
    return [counter, *(int(connection.pragma(name)) for name in _PRAGMAS)]


# --- verdicts -------------------------------------------------------------------------------------


class Verdicts(NamedTuple):
    """Verdicts on the games up to `last_id`: edges, in the kernel's format.

    They do not hold for `changed`: games that `players` changed since the search, with CoreHash in
    that search, 0 if a player was unknown.
    """

    last_id: int
    edges: Iterator[bytes]
    changed: Mapping[int, int] = {}


def stored_verdicts(connection: apsw.Connection, options: str) -> Verdicts | None:
    """Return the verdicts of the last search, to be read at once; reading may raise StoreError.

    None if they were made with options other than this text, or if anything but games and decisions
    was added since.
    """
    basis = read_json(connection, VERDICTS_STATE)
    if basis is None or not has_verdicts(connection) or not column_names(connection, "Verdicts"):
        return None
    noted, last_id, checksum = basis
    changed: Iterable[tuple[int, int]] | None = ()
    if noted.endswith(_BUT_CHANGED):
        changed = read_json(connection, CHANGED_STATE)
    if changed is None or noted.removesuffix(_BUT_CHANGED) != _with_machine(options):
        return None
    return Verdicts(last_id, _checked_edges(connection, checksum), dict(changed))


def note_changed_games(connection: apsw.Connection, games: Mapping[int, int] | None) -> None:
    """Store that verdicts do not hold for more games, as in Verdicts; None: for unknown ones."""
    basis = read_json(connection, VERDICTS_STATE)
    if games is None or basis is None:
        forget_verdicts(connection)
    elif games:
        noted, *others = basis
        # So that versions which do not know changed games do not use the verdicts.
        noted = noted.removesuffix(_BUT_CHANGED) + _BUT_CHANGED
        earlier = read_json(connection, CHANGED_STATE) if noted == basis[0] else ()
        rows = None if earlier is None else sorted({**games, **dict(earlier)}.items())
        write_state(connection, VERDICTS_STATE, json.dumps((noted, *others)))
        write_state(connection, CHANGED_STATE, None if rows is None else json.dumps(rows))


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
    write_state(connection, CHANGED_STATE, None)


def forget_stale_verdicts(connection: apsw.Connection) -> None:
    """Drop the stored verdicts if they are no longer valid."""
    if are_stored(connection) and not has_verdicts(connection):
        forget_verdicts(connection)


def are_stored(connection: apsw.Connection) -> bool:
    """Return whether there are stored verdicts."""
    return read_state(connection, VERDICTS_STATE) is not None


def _with_machine(options: str) -> str:
    return f"{sys.byteorder} {options}"  # numbers are in the byte order of the machine
