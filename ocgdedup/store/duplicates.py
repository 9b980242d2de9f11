"""SQL on duplicates: the flags of games, and the state of the search in Info.

All writes belong to the transaction of the caller.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import apsw

from ocgdedup._kernels import search as search_kernel
from ocgdedup._kernels.search import FlagRows
from ocgdedup.store import undo_log
from ocgdedup.store.connection import FLAG_COLUMNS, column_names, count_rows, has_rows
from ocgdedup.store.games import Row, build_indexes, tables_with_games
from ocgdedup.store.names import read_state, write_state
from ocgdedup.store.row_writer import insert_statements, using_kernel

_STATE = "Duplicates flagged"  # in Info: when the flags were last written
_OLD_STATE = "Exact duplicates flagged"  # the same before version 3
_STALE = "Duplicates stale"  # in Info: "yes" or "restored" if inputs of the search have changed
# Rows of Info about the last search; other modules may add rows "Duplicates ...".
OWN_STATES = "Name GLOB 'Duplicates *'"

_INDEX = "DuplicateFlagsGroup"
_FLAGS = ", ".join(FLAG_COLUMNS)
_NO_FLAGS = (None, None, None, None)
_DIFFERS = (
    "DuplicateStatus IS NOT ?1 OR DuplicateGroup IS NOT ?2 OR DuplicateReason IS NOT ?3 "
    "OR coalesce(HeaderScore, 0) IS NOT coalesce(?4, 0)"
)
_INSERTS = insert_statements("DuplicateFlags", ("GameID", *FLAG_COLUMNS))
# The parameters: see FlagRows.write(); of the rows above, FlagRows.insert().
_WRITE = (
    "INSERT INTO DuplicateFlags VALUES (?5, ?1, ?2, ?3, ?4) ON CONFLICT (GameID) DO UPDATE "
    "SET DuplicateStatus = ?1, DuplicateGroup = ?2, DuplicateReason = ?3, HeaderScore = ?4 "
    f"WHERE {_DIFFERS}"
)
_UNFLAG = "DELETE FROM DuplicateFlags WHERE GameID = ?5"

# (status, reason, games, sums of their IDs, groups and scores): see search_state.py.
FlagSums = list[Row]


class Flags(NamedTuple):
    """The flags of a game of a group.

    `status` is one of STATUSES (wording.py), or None for the kept game, whose ID is `group`.
    `reason` names a special kind. `score` is the header score, 0 if there is none.
    """

    status: str | None
    group: int
    reason: str | None
    score: int


def stored_flag_rows(connection: apsw.Connection) -> FlagRows:
    """Return the flags of all games of a group, including removed games, in little memory."""
    rows = FlagRows()
    with using_kernel(connection, search_kernel, "flags cannot be read"):
        rows.read(connection, f"SELECT ID, {_FLAGS}, IsRemoved FROM {_all_flags(connection)}")
    return rows


def stored_flags(connection: apsw.Connection) -> dict[int, Flags]:
    """Return the flags of each game of a group, by ID, from a database of any version."""
    return _flags_by_id(connection, is_removed=False)


def stored_groups(connection: apsw.Connection) -> Iterator[list[int]]:
    """Yield the IDs of each group in Games by its kept game, which comes first."""
    rows = connection.execute(
        f"SELECT DuplicateGroup, ID FROM {flags_in_games(connection)} ORDER BY 1, 2"
    )
    for kept, members in groupby(rows, key=itemgetter(0)):
        yield sorted((game_id for _, game_id in members), key=lambda game_id: game_id != kept)


def removed_flags(connection: apsw.Connection) -> dict[int, Flags]:
    """Return the flags of each removed game of a group, by ID."""
    return _flags_by_id(connection, is_removed=True)


def write_flags(
    connection: apsw.Connection,
    new_flags: Mapping[int, Flags],
    stored: Mapping[int, Flags] | None = None,
) -> list[int]:
    """Flag these games, clear the flags of all others, and store the time.

    Removed games are flagged too: each names its current kept game. Writes only changes; returns
    the IDs of the changed games, in order. `stored`: the current results of stored_flags() and
    removed_flags(), if known.
    """
    build_flag_index(connection)
    if stored is None:
        rows = connection.execute(f"SELECT GameID, {_FLAGS} FROM DuplicateFlags")
        stored = {row[0]: Flags._make(row[1:]) for row in rows}
    changed = [game_id for game_id, flags in new_flags.items() if stored.get(game_id) != flags]
    changed += [game_id for game_id in stored if game_id not in new_flags]
    changed.sort()  # in the order of the table, so that each page is written once
    undo_log.save_flags(connection, changed)
    connection.executemany(
        _WRITE, ((*new_flags[game_id], game_id) for game_id in changed if game_id in new_flags)
    )
    unflagged = ((*_NO_FLAGS, game_id) for game_id in changed if game_id not in new_flags)
    connection.executemany(_UNFLAG, unflagged)
    _note_search(connection)
    return changed


def write_flag_rows(
    connection: apsw.Connection, rows: FlagRows, stored: FlagRows
) -> FlagSums | None:
    """Flag games and store the time; other games are not changed.

    Writes only changes. `stored`: the known flags, unchanged ones marked as kept. Without it, games
    that another program has flagged lose their flags. Returns sums for note_flags(), None if they
    must be counted.
    """
    _write_rows(connection, rows)
    build_flag_index(connection)  # after the rows, which takes a quarter of the time
    if not len(stored) and count_rows(connection, "DuplicateFlags") != len(rows):
        others = FlagRows()
        flagged: list[Row] = connection.execute("SELECT GameID FROM DuplicateFlags").fetchall()
        for (game_id,) in flagged:
            if game_id not in rows:
                others.add_cleared(game_id)
        _write_rows(connection, others)
    _note_search(connection)
    sums = rows.sums(stored) if tables_with_games(connection) == ["Games"] else None
    if sums is not None:  # as SQLite sorts: NULL first, texts by their bytes
        sums.sort(key=lambda row: [(text or "").encode() for text in row[:2]])
    return sums


def copies_to_remove(connection: apsw.Connection, min_score: int) -> list[int]:
    """Return the IDs of duplicates whose kept game has a header score of `min_score` or more.

    The IDs are in order. 0 returns all duplicates, since the score of a bare header is negative.
    """
    rows = connection.execute(
        "SELECT Flags.GameID FROM DuplicateFlags AS Flags "
        "JOIN Games AS Copy ON Copy.ID = Flags.GameID "
        "JOIN Games AS Kept ON Kept.ID = Flags.DuplicateGroup "
        "LEFT JOIN DuplicateFlags AS KeptFlags ON KeptFlags.GameID = Kept.ID "
        "WHERE Flags.DuplicateStatus IS NOT NULL "
        "AND (?1 = 0 OR coalesce(KeptFlags.HeaderScore, 0) >= ?1) ORDER BY Flags.GameID",
        (min_score,),
    )
    return [row[0] for row in rows]


def build_flag_index(connection: apsw.Connection) -> None:
    """Build the index of flagged games, if it does not exist."""
    build_indexes(connection, (_INDEX,))


def has_flags(connection: apsw.Connection, condition: str = "1") -> bool:
    """Return whether any game in Games has flags of which a condition in SQL is true."""
    flagged = f"FROM {flags_in_games(connection)} WHERE {condition}"
    return bool(connection.execute(f"SELECT EXISTS (SELECT 1 {flagged})").get)


def has_duplicates(connection: apsw.Connection) -> bool:
    """Return whether any game in Games is flagged as a duplicate of another."""
    return has_flags(connection, "DuplicateStatus IS NOT NULL")


def searched_at(connection: apsw.Connection) -> str | None:
    """Return the UTC time at which duplicates were last searched for, None if they never were."""
    return read_state(connection, _STATE) or read_state(connection, _OLD_STATE)


def mark_stale(connection: apsw.Connection, *, by_restoring: bool = False) -> None:
    """Store that the inputs of the duplicates have changed, if duplicates were ever searched.

    `by_restoring`: only deleted games were restored; merged headers are unchanged.
    """
    if read_state(connection, _STATE) is None:
        return
    if not (by_restoring and are_stale(connection)):
        write_state(connection, _STALE, "restored" if by_restoring else "yes")


def are_stale(connection: apsw.Connection) -> bool:
    """Return whether the inputs of the duplicates have changed since the last search."""
    return read_state(connection, _STALE) is not None


def may_lack_merges(connection: apsw.Connection) -> bool:
    """Return whether names or headers changed since the last search, so merges may be undone."""
    return read_state(connection, _STALE) not in (None, "restored")


def change_count(connection: apsw.Connection, name: str, difference: int) -> None:
    """Add to a count in Info, if it exists."""
    if difference:
        sql = "UPDATE Info SET Value = CAST(CAST(Value AS INTEGER) + ? AS TEXT) WHERE Name = ?"
        connection.execute(sql, (difference, name))


def flags_in_games(connection: apsw.Connection) -> str:
    """Return a FROM source for ID and FLAG_COLUMNS of each flagged game in Games.

    Works for a database of any version; avoids reading rows of Games if possible.
    """
    return f"(SELECT * FROM {_all_flags(connection)} WHERE NOT IsRemoved)"


def _all_flags(connection: apsw.Connection) -> str:
    """Return the source of flags_in_games() with removed games and a column IsRemoved."""
    if column_names(connection, "DuplicateFlags"):
        is_removed = "GameID IN (SELECT ID FROM RemovedGames)"
        return f"(SELECT GameID AS ID, {_FLAGS}, {is_removed} AS IsRemoved FROM DuplicateFlags)"
    views = ["FlaggedGames"]
    if column_names(connection, "FlaggedRemovedGames"):
        views.append("FlaggedRemovedGames")
    parts = [
        f"SELECT ID, {_FLAGS}, {number} AS IsRemoved FROM {view} WHERE DuplicateGroup IS NOT NULL"
        for number, view in enumerate(views)
    ]
    return f"({' UNION ALL '.join(parts)})"


def _flags_by_id(connection: apsw.Connection, *, is_removed: bool) -> dict[int, Flags]:
    sql = f"SELECT ID, {_FLAGS} FROM {_all_flags(connection)} WHERE IsRemoved = ?"
    return {
        game_id: Flags(status, group, reason, score or 0)
        for game_id, status, group, reason, score in connection.execute(sql, (is_removed,))
    }


def _write_rows(connection: apsw.Connection, rows: FlagRows) -> None:
    saving = undo_log.flag_statements(connection, _DIFFERS)
    are_first = not has_rows(connection, "DuplicateFlags")
    with using_kernel(connection, search_kernel, "flags cannot be written"):
        if are_first and not saving:
            rows.insert(connection, _INSERTS)
        else:
            rows.write(connection, [*saving, _WRITE], [*saving, _UNFLAG])


def _note_search(connection: apsw.Connection) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO Info VALUES (?, strftime('%Y-%m-%dT%H:%M:%SZ'))", (_STATE,)
    )
    write_state(connection, _STALE, None)
