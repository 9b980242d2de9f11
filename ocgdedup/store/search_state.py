"""What the last search for duplicates read, and its verdicts, so that the next one does less.

Whether the file was written to since is known without reading a table: SQLite counts the
transactions that write to a file in its header, whoever makes them. A run of dedup stores the count
that its own commit will leave, and its result. While the count is the same, so are all tables. This
does not work in WAL mode, where SQLite does not keep that count. An import that adds games stores
that the verdicts on earlier games are still valid.

Only the search kernel knows the format of verdicts. All writes belong to the transaction of the
caller.
"""

from __future__ import annotations

import contextlib
import json
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypedDict
from zlib import crc32

import apsw

from ocgdedup.errors import StoreError
from ocgdedup.store.connection import column_names
from ocgdedup.store.duplicates import FlagSums, are_stale, flags_in_games
from ocgdedup.store.games import Row, id_span
from ocgdedup.store.names import (
    CHOICES_STATE,
    FILE_STATE,
    PLAYERS_STATE,
    VERDICTS_STATE,
    read_json,
    read_state,
    write_state,
)
from ocgdedup.store.players import newest_ids
from ocgdedup.store.possible_duplicates import decisions
from ocgdedup.wording import SUBSUMPTION_STATUS

_OPTIONS = "Duplicates searched by"  # in Info: the options of the last search
OPTIONS_STATE = "Duplicates options"  # in Info: the options that the user named for it, as JSON
_CONTENT = "Duplicates searched in"  # in Info: a text that changes with games, names, decisions
_FLAGS = "Duplicates left as"  # in Info: a text that changes with the flags
# Sums that cannot overflow for any IDs.
_SUM_UP_FLAGS = """
    SELECT DuplicateStatus, DuplicateReason, count(*), sum(ID % 1000000007),
        sum((ID * 31 + DuplicateGroup) % 1000000007), sum(HeaderScore % 1000000007)
    FROM {flags} GROUP BY 1, 2 ORDER BY 1, 2
"""
_DUPLICATES = "FROM {flags} WHERE DuplicateStatus IS NOT NULL"
_COUNT_STATUSES = f"SELECT CAST(DuplicateStatus AS TEXT), count(*) {_DUPLICATES} GROUP BY 1"
_COUNT_GROUPS = f"SELECT count(DISTINCT DuplicateGroup) {_DUPLICATES}"
_COUNT_LENGTHS = """
    SELECT count(CASE WHEN Game.PlyCount > Kept.PlyCount THEN 1 END),
        count(CASE WHEN Game.PlyCount = Kept.PlyCount AND Game.FEN IS Kept.FEN THEN 1 END)
    FROM ({source}) AS Flags JOIN Games AS Game USING (ID)
    JOIN Games AS Kept ON Kept.ID = Flags.DuplicateGroup
"""
_KEY_OPTIONS = re.compile(r"KeyOptions\(key='([^']+)', min_plies=(\d+), include_shorter=(\w+)\)")
_COUNTER_OFFSET, _COUNTER_BYTES = 24, 4  # of the header: "file change counter", big-endian
# A dump read into a new file may reach the same counter, but not these values too.
_PRAGMAS = ("page_count", "page_size", "freelist_count", "schema_version")


class Basis(NamedTuple):
    """The inputs of a search: its options, and a text that changes with the searched content."""

    options: str
    content: str


def current_basis(connection: apsw.Connection, options: str) -> Basis:
    """Return the current inputs of a search."""
    return Basis(options, _content_text(connection))


def has_pending_decisions(connection: apsw.Connection) -> bool:
    """Return whether the user made or cleared a decision since the last search.

    True as well if there are decisions and the flags are not those that a search left.
    """
    content = read_state(connection, _CONTENT)
    if content is not None and _split(content)[1] != _decisions_text(connection):
        return True
    return bool(decisions(connection)) and last_basis(connection) is None


def has_changed_games(connection: apsw.Connection, *, decisions_count: bool) -> bool:
    """Return whether games or names were added or changed since the last search.

    True if there was no search. `decisions_count`: whether later decisions of the user count as
    changes.
    """
    content = read_state(connection, _CONTENT)
    if content is None or are_stale(connection):
        return True
    if decisions_count:
        return content != _content_text(connection)
    return _split(content)[0] != _games_text(connection)


def last_basis(connection: apsw.Connection) -> Basis | None:
    """Return the inputs of the last search.

    None if there was none, if it is stale, or if another program has changed the flags since.
    """
    options, content = read_state(connection, _OPTIONS), read_state(connection, _CONTENT)
    if options is None or content is None or are_stale(connection):
        return None
    # If only games and decisions were added, the flags are unchanged.
    if not has_verdicts(connection) and read_state(connection, _FLAGS) != _flags_text(connection):
        return None
    return Basis(options, content)


def write_basis(connection: apsw.Connection, basis: Basis, sums: FlagSums | None = None) -> None:
    """Store the inputs of the search just done, and the state of the flags.

    `sums`: see note_flags().
    """
    write_state(connection, _OPTIONS, basis.options)
    write_state(connection, _CONTENT, basis.content)
    note_flags(connection, sums)


def note_decisions(connection: apsw.Connection) -> None:
    """Store that the last search has applied the user's decisions as they are now."""
    content = read_state(connection, _CONTENT)
    if content is not None:
        write_state(connection, _CONTENT, f"{_split(content)[0]};{_decisions_text(connection)}")


def last_search(connection: apsw.Connection) -> str | None:
    """Return the options that write_basis() stored, None if there was no search."""
    return read_state(connection, _OPTIONS)


class LastKey(NamedTuple):
    """The key of a search by one key alone; `words`: its options on the command line."""

    key: str
    words: str


def last_key(connection: apsw.Connection) -> LastKey | None:
    """Return the key of the last search, None if it used evidence, or if there was none."""
    match = _KEY_OPTIONS.search(read_state(connection, _OPTIONS) or "")
    if match is None:
        return None
    key, plies, is_shorter = match.groups()
    more = f" --plycount {plies}" if int(plies) > 1 else ""
    more += " --include-shorter" if is_shorter == "True" else ""
    return LastKey(key, f"--by {key}{more}")


def last_choices(connection: apsw.Connection) -> list[tuple[int, int]]:
    """Return the user's choices of kept games before the last search, as pairs of IDs."""
    return [(kept, other) for kept, other in read_json(connection, CHOICES_STATE) or ()]


def write_choices(connection: apsw.Connection, choices: Sequence[tuple[int, int]]) -> None:
    """Store the result of last_choices()."""
    write_state(connection, CHOICES_STATE, json.dumps(choices) if choices else None)


def note_flags(connection: apsw.Connection, sums: FlagSums | None = None) -> None:
    """Store that the flags are as the last run of dedup left them.

    `sums`: the result of write_flag_rows(); without it they are counted, which reads each flagged
    game.
    """
    write_state(connection, _FLAGS, _flags_text(connection, sums))


def count_flagged(connection: apsw.Connection) -> tuple[int, dict[str, int]]:
    """Return the number of groups with duplicates in Games, and of duplicates by class."""
    flags = flags_in_games(connection)
    statuses = dict(connection.execute(_COUNT_STATUSES.format(flags=flags)))
    if not statuses:
        return 0, {}
    return connection.execute(_COUNT_GROUPS.format(flags=flags)).get, statuses


def count_not_truncated(
    connection: apsw.Connection, pairs: Collection[tuple[int, int]] | None = None
) -> tuple[int, int]:
    """Return how many duplicates with SUBSUMPTION_STATUS are longer than the kept game, or diverge.

    Those that diverge have the same start and length. `pairs`: IDs of duplicates with their kept
    games; None: the stored ones in Games.
    """
    if pairs is None:
        values: tuple[str, ...] = ()
        source = (
            f"SELECT ID, DuplicateGroup FROM {flags_in_games(connection)} "
            f"WHERE DuplicateStatus = '{SUBSUMPTION_STATUS}'"
        )
    else:
        values = (json.dumps(list(pairs)),)
        source = "SELECT value ->> 0 AS ID, value ->> 1 AS DuplicateGroup FROM json_each(?)"
    longer, diverging = connection.execute(_COUNT_LENGTHS.format(source=source), values).get
    return longer, diverging


def _games_text(connection: apsw.Connection) -> str:
    return f"{newest_ids(connection)};{read_state(connection, PLAYERS_STATE) or ''}"


def _content_text(connection: apsw.Connection) -> str:
    return f"{_games_text(connection)};{_decisions_text(connection)}"


def _split(content: str) -> tuple[str, str]:
    """Return the parts of _content_text(): of games and of decisions."""
    of_games, _, of_decisions = content.rpartition(";")
    return of_games, of_decisions


def _decisions_text(connection: apsw.Connection) -> str:
    return _hash_text([*map(tuple, decisions(connection))])


def _flags_text(connection: apsw.Connection, sums: FlagSums | None = None) -> str:
    if sums is None:
        sql = _SUM_UP_FLAGS.format(flags=flags_in_games(connection))
        sums = connection.execute(sql).fetchall()
    return _hash_text(sums)


def _hash_text(rows: list[Row]) -> str:
    import hashlib  # 4 ms

    return hashlib.sha256(repr(rows).encode()).hexdigest()[:16]


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
    """The state of the file as it is stored, in JSON.

    `left`: the fields of a LastResult. `verdicts`: the stored verdicts are valid. `file`:
    see _file_state().
    """

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

    False once this connection has written anything, since that may affect them.
    """
    return not connection.total_changes() and bool(_noted(connection).get("verdicts"))


def is_changed_by_others(connection: apsw.Connection) -> bool:
    """Return whether the file was changed since the last run of dedup, except by adding games.

    False where that cannot be known.
    """
    text = read_state(connection, FILE_STATE)
    is_known = text is not None and _file_state(connection, commits=0) is not None
    return is_known and not _noted(connection)


def note_result(connection: apsw.Connection, result: LastResult, *, verdicts: bool) -> None:
    """Store the result of a run of dedup, as the last statement of a writing transaction.

    `verdicts`: the stored verdicts are valid for the current games.
    """
    _note(connection, {"left": result, "verdicts": verdicts})


@contextlib.contextmanager
def own_changes(connection: apsw.Connection) -> Iterator[None]:
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
    yield
    if noted and connection.total_changes() != before:
        _note(connection, noted)


@contextlib.contextmanager
def verdicts_still_hold(connection: apsw.Connection) -> Iterator[None]:
    """Run a whole transaction that only writes decisions of the user."""
    holds = _noted(connection).get("verdicts")
    yield
    if holds:
        _note(connection, {"verdicts": True})


@contextlib.contextmanager
def games_are_added(connection: apsw.Connection) -> Iterator[None]:
    """Run a whole transaction that only adds games, or nothing."""
    noted, before = _noted(connection), connection.total_changes()
    ids = id_span(connection)
    yield
    if noted and connection.total_changes() != before:
        if id_span(connection) == ids:
            _note(connection, noted)
        elif noted.get("verdicts"):
            _note(connection, {"verdicts": True})


def _noted(connection: apsw.Connection) -> _Noted:
    """Return the stored state, empty if the file was written to since."""
    noted: _Noted | None = read_json(connection, FILE_STATE)
    file = _file_state(connection, commits=0)
    return {} if noted is None or file is None or noted.get("file") != file else noted


def _note(connection: apsw.Connection, noted: _Noted) -> None:
    write_state(connection, FILE_STATE, None)
    file = _file_state(connection, commits=1)
    if file is not None:
        write_state(connection, FILE_STATE, json.dumps(noted | {"file": file}))


def _file_state(connection: apsw.Connection, *, commits: int) -> list[int] | None:
    """Return values that change with each writing transaction, as after `commits` more.

    None in WAL mode and for a database in memory, where no such value exists.
    """
    if connection.pragma("journal_mode") in ("wal", "memory"):
        return None
    # Through SQLite: opening and closing the file here would drop SQLite's locks on it.
    is_read, header = connection.read("main", 0, _COUNTER_OFFSET, _COUNTER_BYTES)
    if not is_read:
        return None
    counter = (int.from_bytes(header, "big") + commits) % (1 << 8 * _COUNTER_BYTES)
    return [counter, *(int(connection.pragma(name)) for name in _PRAGMAS)]


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
