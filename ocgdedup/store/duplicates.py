"""SQL on duplicates: the flags of games, and what Info says of the search.

All writes belong to the transaction of the caller.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import apsw

from ocgdedup._kernels import flag_rows
from ocgdedup._kernels.flag_rows import FlagRows
from ocgdedup.errors import SqliteError
from ocgdedup.store import undo_log
from ocgdedup.store.connection import column_names, kernel_error
from ocgdedup.store.games import Row, build_indexes, tables_with_games, update_games
from ocgdedup.store.names import read_state, write_state
from ocgdedup.store.row_writer import load_kernel

_STATE = "Duplicates flagged"  # in Info: when the flags were last written
_OLD_STATE = "Exact duplicates flagged"  # the same before version 3
_STALE = "Duplicates stale"  # in Info: "yes" or "restored" if what they rest on has changed
# Rows of Info that say what a search has left; other modules may add "Duplicates ..." ones.
OWN_STATES = "Name GLOB 'Duplicates *'"

_INDEX = "GamesDuplicateGroup"
_FLAGS = ("DuplicateStatus", "DuplicateGroup", "DuplicateReason", "HeaderScore")
_NO_FLAGS = (None, None, None, None)
_FLAGS_AT_ONCE = 5_000  # whose rows are in memory
_DIFFERS = (
    "DuplicateStatus IS NOT ?1 OR DuplicateGroup IS NOT ?2 OR DuplicateReason IS NOT ?3 "
    "OR coalesce(HeaderScore, 0) IS NOT coalesce(?4, 0)"
)
_WRITE = (
    "UPDATE {table} SET DuplicateStatus = ?1, DuplicateGroup = ?2, DuplicateReason = ?3, "
    f"HeaderScore = ?4 WHERE ID = ?5 AND ({_DIFFERS})"
)

# (status, reason, games, sums of their IDs, groups and scores): see search_state.py.
FlagSums = list[Row]


class Flags(NamedTuple):
    """What a game of a group is marked with.

    `status` is "exact", "subsumption", "join", or None for the master, whose ID `group` is;
    `reason` names a special kind; `score` are the points of its header, 0 if none were given.
    """

    status: str | None
    group: int
    reason: str | None
    score: int


def stored_flag_rows(connection: apsw.Connection) -> FlagRows:
    """Return the flags of all games of a group, removed ones too, in little memory."""
    rows = FlagRows()
    if _was_searched(connection):
        rows.read(_flag_rows(connection, "Games"), are_removed=False)
    rows.read(_flag_rows(connection, "RemovedGames"), are_removed=True)
    return rows


def stored_flags(connection: apsw.Connection) -> dict[int, Flags]:
    """Return the flags of each game of a group, by ID; of a database of any version."""
    if not _was_searched(connection):
        return {}
    return {
        game_id: Flags(status, group, reason, score or 0)
        for game_id, status, group, reason, score in _flag_rows(connection, "Games")
    }


def stored_groups(connection: apsw.Connection) -> Iterator[list[int]]:
    """Yield the IDs of each group in Games by its kept game, which comes first."""
    if not _was_searched(connection):
        return
    rows = connection.execute(
        "SELECT DuplicateGroup, ID FROM Games WHERE DuplicateGroup IS NOT NULL ORDER BY 1, 2"
    )
    for kept, members in groupby(rows, key=itemgetter(0)):
        yield sorted((game_id for _, game_id in members), key=lambda game_id: game_id != kept)


def removed_flags(connection: apsw.Connection) -> dict[int, Flags]:
    """Return the flags of each removed game of a group, by ID."""
    return {row[0]: Flags._make(row[1:]) for row in _flag_rows(connection, "RemovedGames")}


def write_flags(
    connection: apsw.Connection,
    wanted: Mapping[int, Flags],
    stored: Mapping[int, Flags] | None = None,
) -> list[int]:
    """Flag these games, unflag all others, and note that this was done now.

    Removed games are flagged too: each names the kept game that stands for it now. Writes only what
    changes; returns the IDs of the games that changed, in order. `stored`: what stored_flags() and
    removed_flags() say now, if the caller knows.
    """
    build_flag_index(connection)
    if stored is None:
        kept = _flag_rows(connection, "Games")
        stored = {row[0]: Flags._make(row[1:]) for row in kept} | removed_flags(connection)
    changed = [game_id for game_id, flags in wanted.items() if stored.get(game_id) != flags]
    changed += [game_id for game_id in stored if game_id not in wanted]
    changed.sort()  # in the order of the table: each page is written once
    undo_log.save_flags(connection, changed)
    for table in tables_with_games(connection):
        for start in range(0, len(changed), _FLAGS_AT_ONCE):
            some = changed[start : start + _FLAGS_AT_ONCE]
            rows = [(*wanted.get(game_id, _NO_FLAGS), game_id) for game_id in some]
            update_games(connection, _FLAGS, rows, table)
    _note_search(connection)
    return changed


def write_flag_rows(
    connection: apsw.Connection, rows: FlagRows, stored: FlagRows
) -> FlagSums | None:
    """Flag games, and note that this was done now; the others stay as they are.

    Writes only what changes. `stored`: what is known of the flags, those that stay marked as kept.
    If nothing is known, games that somebody else has flagged lose their flags. Returns sums for
    note_flags(), None if they have to be counted.
    """
    had_index = _has_index(connection)
    _write_rows(connection, rows)
    build_flag_index(connection)  # behind the rows: that takes a quarter of the time
    if not len(stored) and not had_index:
        _unflag_others(connection, rows)
    _note_search(connection)
    return _sums(rows, stored) if tables_with_games(connection) == ["Games"] else None


def _sums(rows: FlagRows, stored: FlagRows) -> FlagSums | None:
    sums = rows.sums(stored)
    if sums is not None:  # as SQLite sorts: NULL first, texts by their bytes
        sums.sort(key=lambda row: [(text or "").encode() for text in row[:2]])
    return sums


def copies_to_remove(connection: apsw.Connection, min_score: int) -> list[int]:
    """Return the IDs of duplicates whose kept game has at least so many points of header, in order.

    All of them for 0: a bare header has fewer.
    """
    rows = connection.execute(
        "SELECT Copy.ID FROM Games AS Copy JOIN Games AS Master ON Master.ID = Copy.DuplicateGroup "
        "WHERE Copy.DuplicateGroup IS NOT NULL AND Copy.DuplicateStatus IS NOT NULL "
        "AND (?1 = 0 OR coalesce(Master.HeaderScore, 0) >= ?1) ORDER BY Copy.ID",
        (min_score,),
    )
    return [row[0] for row in rows]


def build_flag_index(connection: apsw.Connection) -> None:
    """Build the index by which flagged games are found, if it is not there yet."""
    build_indexes(connection, (_INDEX,))


def has_flags(connection: apsw.Connection) -> bool:
    """Tell if any game is flagged."""
    sql = "SELECT EXISTS (SELECT 1 FROM Games WHERE DuplicateGroup IS NOT NULL)"
    return bool(connection.execute(sql).get)


def has_duplicates(connection: apsw.Connection) -> bool:
    """Tell if any game in Games is flagged as a duplicate of another."""
    sql = (
        "SELECT EXISTS (SELECT 1 FROM Games "
        "WHERE DuplicateGroup IS NOT NULL AND DuplicateStatus IS NOT NULL)"
    )
    return bool(connection.execute(sql).get)


def searched_at(connection: apsw.Connection) -> str | None:
    """Return the UTC time at which duplicates were last searched for, None if they never were."""
    return read_state(connection, _STATE) or read_state(connection, _OLD_STATE)


def mark_stale(connection: apsw.Connection, *, by_restoring: bool = False) -> None:
    """Note that what duplicates rest on has changed, if they were ever searched for.

    `by_restoring`: only in that deleted games are back; what was merged is as it was.
    """
    if read_state(connection, _STATE) is None:
        return
    if not (by_restoring and are_stale(connection)):
        write_state(connection, _STALE, "restored" if by_restoring else "yes")


def are_stale(connection: apsw.Connection) -> bool:
    """Tell if what duplicates rest on has changed since they were searched for."""
    return read_state(connection, _STALE) is not None


def may_lack_merges(connection: apsw.Connection) -> bool:
    """Tell if names or headers have changed since the last search: merges may be taken back."""
    return read_state(connection, _STALE) not in (None, "restored")


def change_count(connection: apsw.Connection, name: str, difference: int) -> None:
    """Add to one of the counts in Info, if it is there."""
    if difference:
        sql = "UPDATE Info SET Value = CAST(CAST(Value AS INTEGER) + ? AS TEXT) WHERE Name = ?"
        connection.execute(sql, (difference, name))


def _was_searched(connection: apsw.Connection) -> bool:
    """Tell if there may be flags: spares a scan of the table."""
    states = (read_state(connection, name) for name in (_STATE, _OLD_STATE))
    return any(states) or _has_index(connection)


def _write_rows(connection: apsw.Connection, rows: FlagRows) -> None:
    statements: list[str] = []
    for table in tables_with_games(connection):
        statements += undo_log.flag_statements(connection, table, _DIFFERS)
        statements.append(_WRITE.format(table=table))
    load_kernel(connection, flag_rows)
    try:
        rows.write(connection, statements)
    except SqliteError as error:
        raise kernel_error(connection, "flags cannot be written", error) from error


def _unflag_others(connection: apsw.Connection, rows: FlagRows) -> None:
    sql = "FROM Games WHERE DuplicateGroup IS NOT NULL"
    if connection.execute(f"SELECT count(*) {sql}").get == len(rows):
        return
    others = FlagRows()
    flagged: list[Row] = connection.execute(f"SELECT ID {sql}").fetchall()
    for (game_id,) in flagged:
        if game_id not in rows:
            others.add_none(game_id)
    _write_rows(connection, others)


def _has_index(connection: apsw.Connection) -> bool:
    sql = "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = ?)"
    return bool(connection.execute(sql, (_INDEX,)).get)


def _flag_rows(connection: apsw.Connection, table: str) -> Iterator[Row]:
    """Yield ID and flags of the flagged games; NULL for what an older version does not have."""
    there = column_names(connection, table)
    if not there:
        return iter(())
    names = ", ".join(name if name in there else "NULL" for name in _FLAGS)
    sql = f"SELECT ID, {names} FROM {table} WHERE DuplicateGroup IS NOT NULL"
    return iter(connection.execute(sql))


def _note_search(connection: apsw.Connection) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO Info VALUES (?, strftime('%Y-%m-%dT%H:%M:%SZ'))", (_STATE,)
    )
    write_state(connection, _STALE, None)
