"""SQL on duplicates: flags of games, and pairs for reports.

Pairs are read from any version of the schema, and from files of OCGDB; values of missing columns
are None. All writes belong to the transaction of the caller.
"""

# Not `from __future__ import annotations`: a named tuple would compile each annotation.
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from operator import itemgetter
from typing import NamedTuple

import apsw

from ocgdedup._kernels import search as search_kernel
from ocgdedup._kernels.search import FlagRows
from ocgdedup.model import Reason
from ocgdedup.store.connection import FLAG_COLUMNS, column_names, count_rows, has_rows, id_list
from ocgdedup.store.games import (
    Row,
    build_indexes,
    can_be_id,
    insert_statements,
    is_searched,
    tables_with_games,
    using_kernel,
)
from ocgdedup.store.names import read_state, write_state, write_time
from ocgdedup.wording import NEAR_IDENTICAL_STATUS, POSSIBLE_DUPLICATE

_STATE = "Duplicates flagged"  # in Info: when the flags were last written
_OLD_STATE = "Exact duplicates flagged"  # the same before version 3
_STALE = "Duplicates stale"  # in Info: "yes" or "restored" if inputs of the search have changed
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
_IN_SCOPE = "IN (SELECT value FROM json_each(?1))"
_UNFLAG = "DELETE FROM DuplicateFlags WHERE GameID = ?5"
# (status, reason, games, sums of their IDs, groups and scores): see search_state.py.
FlagSums = list[Row]


def sorted_sums(sums: FlagSums) -> FlagSums:
    """Return sums as SQLite sorts them: NULL first, texts by their bytes."""
    return sorted(sums, key=lambda row: [(text or "").encode() for text in row[:2]])


class Flags(NamedTuple):
    """The flags of a game of a group.

    `status` is one of STATUSES (wording.py), or None for the kept game, whose ID is `group`.
    `reason` names a special kind. `score` is the header score, 0 if there is none.
    """

    status: str | None
    group: int
    reason: str | None
    score: int


def stored_flag_rows(connection: apsw.Connection, scope: Collection[int] | None = None) -> FlagRows:
    """Return the flags of all games of a group, including deleted games, in little memory.

    `scope`: only those of these games, and of others whose kept game is one of these.
    """
    rows = FlagRows()
    with using_kernel(connection, search_kernel, "flags cannot be read"):
        select = f"SELECT ID, {_FLAGS}, IsRemoved FROM {_all_flags(connection)}"
        if scope is None:
            rows.read(connection, select)
        else:
            parts = (f"{select} WHERE {name} {_IN_SCOPE}" for name in ("ID", "DuplicateGroup"))
            rows.read(connection, " UNION ".join(parts), id_list(scope))
    return rows


def stored_flags(connection: apsw.Connection) -> dict[int, Flags]:
    """Return the flags of each game of a group, by ID, from a database of any version."""
    return _flags_by_id(connection, is_deleted=False)


def stored_groups(connection: apsw.Connection) -> Iterator[list[int]]:
    """Yield the IDs of each group in Games by its kept game, which comes first."""
    rows = connection.execute(
        f"SELECT DuplicateGroup, ID FROM {flags_in_games(connection)} ORDER BY 1, 2"
    )
    for kept, members in groupby(rows, key=itemgetter(0)):
        yield sorted((game_id for _, game_id in members), key=lambda game_id: game_id != kept)


def deleted_flags(connection: apsw.Connection) -> dict[int, Flags]:
    """Return the flags of each deleted game of a group, by ID."""
    return _flags_by_id(connection, is_deleted=True)


def write_flags(
    connection: apsw.Connection,
    new_flags: Mapping[int, Flags],
    stored: Mapping[int, Flags] | None = None,
) -> list[int]:
    """Flag these games, clear the flags of all others, and store the time.

    Deleted games are flagged too: each names its current kept game. Writes only changes; returns
    the IDs of the changed games, in order. `stored`: the current results of stored_flags() and
    deleted_flags(), if known.
    """
    build_flag_index(connection)
    if stored is None:
        rows = connection.execute(f"SELECT GameID, {_FLAGS} FROM DuplicateFlags")
        stored = {row[0]: Flags._make(row[1:]) for row in rows}
    changed = [game_id for game_id, flags in new_flags.items() if stored.get(game_id) != flags]
    changed += [game_id for game_id in stored if game_id not in new_flags]
    changed.sort()  # in the order of the table, so that each page is written once
    connection.executemany(
        _WRITE, ((*new_flags[game_id], game_id) for game_id in changed if game_id in new_flags)
    )
    unflagged = ((*_NO_FLAGS, game_id) for game_id in changed if game_id not in new_flags)
    connection.executemany(_UNFLAG, unflagged)
    _note_search(connection)
    return changed


def write_flag_rows(
    connection: apsw.Connection, rows: FlagRows, stored: FlagRows, *, are_all: bool = True
) -> FlagSums | None:
    """Flag games and store the time; other games are not changed.

    Writes only changes. `stored`: the known flags, unchanged ones marked as kept. Without it, games
    that another program has flagged lose their flags, unless other groups have flags too (not
    `are_all`). Returns sums for note_flags(), None if they must be counted.
    """
    _write_rows(connection, rows)
    build_flag_index(connection)  # after the rows, which takes a quarter of the time
    if not are_all:
        _note_search(connection)
        return None
    if not len(stored) and count_rows(connection, "DuplicateFlags") != len(rows):
        others = FlagRows()
        flagged: list[Row] = connection.execute("SELECT GameID FROM DuplicateFlags").fetchall()
        for (game_id,) in flagged:
            if game_id not in rows:
                others.add_cleared(game_id)
        _write_rows(connection, others)
    _note_search(connection)
    sums = rows.sums(stored) if tables_with_games(connection) == ["Games"] else None
    return None if sums is None else sorted_sums(sums)


def duplicates_to_delete(connection: apsw.Connection, min_score: int) -> list[int]:
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


def kept_games_of(connection: apsw.Connection, ids: Iterable[int]) -> set[int]:
    """Return the kept games of the groups of some games, deleted ones included."""
    sql = (
        "SELECT DISTINCT DuplicateGroup FROM DuplicateFlags "
        "WHERE GameID IN (SELECT value FROM json_each(?))"
    )
    return {kept for (kept,) in connection.execute(sql, (id_list(ids),))}


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


def mark_stale(connection: apsw.Connection, *, keeps_merges: bool = False) -> None:
    """Store that the inputs of the duplicates have changed, if duplicates were ever searched.

    `keeps_merges`: the merged headers are unchanged.
    """
    if read_state(connection, _STATE) is None:
        return
    if not (keeps_merges and are_stale(connection)):
        write_state(connection, _STALE, "restored" if keeps_merges else "yes")


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
    """Return the source of flags_in_games() with deleted games and a column IsRemoved."""
    if column_names(connection, "DuplicateFlags"):
        is_deleted = "GameID IN (SELECT ID FROM RemovedGames)"
        return f"(SELECT GameID AS ID, {_FLAGS}, {is_deleted} AS IsRemoved FROM DuplicateFlags)"
    views = ["FlaggedGames"]
    if column_names(connection, "FlaggedRemovedGames"):
        views.append("FlaggedRemovedGames")
    parts = [
        f"SELECT ID, {_FLAGS}, {number} AS IsRemoved FROM {view} WHERE DuplicateGroup IS NOT NULL"
        for number, view in enumerate(views)
    ]
    return f"({' UNION ALL '.join(parts)})"


def _flags_by_id(connection: apsw.Connection, *, is_deleted: bool) -> dict[int, Flags]:
    sql = f"SELECT ID, {_FLAGS} FROM {_all_flags(connection)} WHERE IsRemoved = ?"
    return {
        game_id: Flags(status, group, reason, score or 0)
        for game_id, status, group, reason, score in connection.execute(sql, (is_deleted,))
    }


def _write_rows(connection: apsw.Connection, rows: FlagRows) -> None:
    are_first = not has_rows(connection, "DuplicateFlags")
    with using_kernel(connection, search_kernel, "flags cannot be written"):
        if are_first:
            rows.insert(connection, _INSERTS)
        else:
            rows.write(connection, [_WRITE], [_UNFLAG])


def _note_search(connection: apsw.Connection) -> None:
    write_time(connection, _STATE)
    write_state(connection, _STALE, None)


# --- pairs for reports ----------------------------------------------------------------------------


class PairSide(NamedTuple):
    """A game as a report names it; `plies` counts the mainline.

    `source`, `number`: its input file and its number there.
    """

    game_id: int
    white: str | None
    black: str | None
    event: str | None
    date: str | None
    round: str | None
    result: str | None
    plies: int | None
    fen: str | None
    moves: bytes | None
    header_score: int | None
    has_comments: int | None
    has_variations: int | None
    source: str | None = None
    number: int | None = None


class StoredPair(NamedTuple):
    """A duplicate (`game`) and its kept game, or possible duplicates with the later game first.

    `status`: DuplicateStatus or POSSIBLE_DUPLICATE; `kind`: the class in which they would be
    duplicates.
    """

    status: str | None
    group: int | None
    reason: str | None
    kind: str | None
    score: float | None
    evidence: str | None
    decision: str | None
    note: str | None
    game: PairSide
    kept: PairSide


class GameRow(NamedTuple):
    """A game to show; `number` is its number in the source, `is_deleted` 1 if deleted.

    `kept_plies` are those of the kept game of its group.
    """

    game_id: int
    event: str | None
    site: str | None
    date: str | None
    round: str | None
    white: str | None
    black: str | None
    result: str | None
    white_elo: int | None
    black_elo: int | None
    time_control: str | None
    eco: str | None
    fen: str | None
    extra_tags: str | None
    moves: bytes | None
    status: str | None
    group: int | None
    reason: str | None
    has_comments: int | None
    has_variations: int | None
    source: str | None
    number: int | None
    has_merged_header: int
    has_merged_notes: int
    kept_plies: int | None
    is_deleted: int


# Columns of PairSide and GameRow: columns of Games, or the name with an ID.
_NAMES: dict[str, tuple[str | None, str]] = {
    "White": ("Players", "WhiteID"), "Black": ("Players", "BlackID"),
    "Event": ("Events", "EventID"), "Site": ("Sites", "SiteID"), "Source": ("Sources", "SourceID"),
}  # fmt: skip
_SIDE = (
    "ID", "White", "Black", "Event", "Date", "Round", "Result", "PlyCount", "FEN", "Moves2",
    "HeaderScore", "HasComments", "HasVariations", "Source", "SourceNumber",
)  # fmt: skip
_SHOWN = (
    "ID", "Event", "Site", "Date", "Round", "White", "Black", "Result", "WhiteElo", "BlackElo",
    "TimeControl", "ECO", "FEN", "ExtraTags", "Moves2", "DuplicateStatus", "DuplicateGroup",
    "DuplicateReason", "HasComments", "HasVariations", "Source", "SourceNumber",
)  # fmt: skip
# What tells two games apart: their tags and moves, not what a search finds out.
_CONTENT = _SHOWN[1:15]
_KEPT_PLIES = "SELECT PlyCount FROM Games AS Kept WHERE Kept.ID = Game.DuplicateGroup"


def stored_pairs(connection: apsw.Connection) -> Iterator[StoredPair]:
    """Yield each duplicate with its kept game, by group and ID, then possible duplicates by ID.

    Pairs that the user has decided about are included. Deleted games, which are not in Games, are
    not.
    """
    existing = column_names(connection, "FlaggedGames")
    sides = f"{_columns('Game', _SIDE, existing)}, {_columns('Master', _SIDE, existing)}"
    games = "CROSS JOIN FlaggedGames AS Game CROSS JOIN FlaggedGames AS Master"
    # An index of DuplicateGroup, if it exists, avoids a sort.
    selects = [
        f"SELECT Flags.DuplicateStatus, Flags.DuplicateGroup, Flags.DuplicateReason, "
        f"Flags.DuplicateStatus, NULL, NULL, NULL, NULL, {sides} "
        f"FROM {flags_in_games(connection)} AS Flags {games} "
        "WHERE Game.ID = Flags.ID AND Master.ID = Flags.DuplicateGroup "
        "AND Flags.DuplicateGroup <> Flags.ID ORDER BY Flags.DuplicateGroup, Flags.ID"
    ]
    if suspect_columns := column_names(connection, "Suspects"):
        note = "Note" if "Note" in suspect_columns else "NULL"
        selects.append(
            f"SELECT '{POSSIBLE_DUPLICATE}', NULL, NULL, nullif(Class, ''), "
            f"iif(Class = '', NULL, Score), nullif(Evidence, ''), Decision, {note}, {sides} "
            f"FROM Suspects {games} "
            "WHERE Game.ID = GameID2 AND Master.ID = GameID1 ORDER BY GameID1, GameID2"
        )
    for row in chain.from_iterable(map(connection.execute, selects)):
        game, kept = row[8 : 8 + len(_SIDE)], row[8 + len(_SIDE) :]
        yield StoredPair._make((*row[:8], PairSide._make(game), PairSide._make(kept)))


def _columns(table: str, columns: tuple[str, ...], existing: set[str]) -> str:
    """Return the columns of a table like Games, NULL for columns that it lacks."""
    parts = []
    for name in columns:
        names, reference = _NAMES.get(name, (None, name))
        if reference not in existing:
            parts.append("NULL")
        elif names is None:
            parts.append(f"{table}.{name}")
        else:
            parts.append(f"(SELECT Name FROM {names} WHERE {names}.ID = {table}.{reference})")
    return ", ".join(parts)


def unknown_ids(connection: apsw.Connection, game_ids: Collection[int]) -> list[int]:
    """Return the IDs of no game, or of one that the user deleted; by rising ID."""
    tables = " UNION ALL ".join(
        f"SELECT 1 FROM {table} WHERE {table}.ID = Asked.value AND {is_searched(connection, table)}"
        for table in tables_with_games(connection)
    )
    beyond = {game_id for game_id in game_ids if not can_be_id(game_id)}
    rows = connection.execute(
        f"SELECT value FROM json_each(?) AS Asked WHERE NOT EXISTS ({tables})",
        (json.dumps(sorted(set(game_ids) - beyond)),),
    )
    return sorted([*beyond, *(game_id for (game_id,) in rows)])


def are_known(connection: apsw.Connection, columns: Sequence[str]) -> str:
    """Return the SQL condition that no column is an ID that unknown_ids() returns."""
    games = " UNION ALL ".join(
        f"SELECT ID FROM {table} WHERE {is_searched(connection, table)}"
        for table in tables_with_games(connection)
    )
    return " AND ".join(f"EXISTS (SELECT 1 FROM ({games}) WHERE ID = {name})" for name in columns)


def game_row(connection: apsw.Connection, game_id: int) -> GameRow | None:
    """Return a game, deleted or not; None for an unknown ID."""
    for is_deleted, table in enumerate(tables_with_games(connection)):
        columns = _columns("Game", _SHOWN, column_names(connection, f"Flagged{table}"))
        row = connection.execute(
            f"SELECT {columns}, {', '.join(merge_conditions(connection, 'Game'))}, "
            f"({_KEPT_PLIES}), {is_deleted} FROM Flagged{table} AS Game "
            "WHERE ID = ?",
            (game_id,),
        ).fetchone()
        if row is not None:
            return GameRow._make(row)
    return None


def merge_conditions(connection: apsw.Connection, game: str) -> tuple[str, str]:
    """Return SQL conditions: values, or annotations, of duplicates were merged into a game.

    `game`: the name of a row of Games. False in a database that cannot have merges.
    """
    if "HeaderOptimized" not in column_names(connection, "Games"):
        return "0", "0"
    is_merged = f"{game}.HeaderOptimized IS 1"
    columns = column_names(connection, "MergedTags")
    if not columns:
        return is_merged, "0"
    changes = f"SELECT 1 FROM MergedTags WHERE GameID = {game}.ID"
    in_header = f"EXISTS ({changes})"
    of_duplicates = in_header
    if "Reason" in columns:
        of_duplicates = f"EXISTS ({changes} AND Reason IS NOT '{Reason.TIDIED}')"
    # A purge deletes the rows of MergedNotes, but not those of MergedTags.
    notes = f"SELECT 1 FROM MergedNotes WHERE GameID = {game}.ID AND FromGameID <> {game}.ID"
    return (
        f"({is_merged} AND {of_duplicates})",
        f"({is_merged} AND (NOT {in_header} OR EXISTS ({notes})))",
    )


def content_hashes(connection: apsw.Connection, game_ids: Iterable[int]) -> dict[int, bytes]:
    """Return a hash of the tags and moves of games, deleted or not; leave out unknown IDs."""
    import hashlib  # 4 ms

    hashes: dict[int, bytes] = {}
    ids = id_list(game_ids)
    for table in tables_with_games(connection):
        columns = _columns("Game", _CONTENT, column_names(connection, table))
        rows = connection.execute(
            f"SELECT Game.ID, {columns} FROM json_each(?) AS Asked CROSS JOIN {table} AS Game "
            "ON Game.ID = Asked.value",
            (ids,),
        )
        for game_id, *values in rows:
            text = repr(values).encode()
            hashes[game_id] = hashlib.blake2b(text, digest_size=16).digest()
    return hashes


def group_ids(connection: apsw.Connection, game_id: int) -> list[int]:
    """Return the IDs of the group of a game, the kept game's first; empty if it is in none."""
    sql = (
        "SELECT ID, DuplicateGroup FROM FlaggedGames "
        "WHERE DuplicateGroup = (SELECT DuplicateGroup FROM FlaggedGames WHERE ID = ?) "
        "ORDER BY DuplicateGroup <> ID, ID"
    )
    return [member for member, _ in connection.execute(sql, (game_id,))]


def groups_of(connection: apsw.Connection, game_ids: Iterable[int]) -> dict[int, int]:
    """Return the kept game of each game in the groups of some games, deleted ones included."""
    groups: dict[int, int] = {}
    sql = (
        "SELECT ID, DuplicateGroup FROM Flagged{} "
        "WHERE DuplicateGroup IS NOT NULL AND {} IN (SELECT value FROM json_each(?))"
    )
    ids = id_list(filter(can_be_id, game_ids))
    kept: set[int] = set()
    for table in tables_with_games(connection):
        rows = connection.execute(sql.format(table, "ID"), (ids,))
        kept.update(group for _, group in rows)
    for table in tables_with_games(connection) if kept else ():
        groups.update(connection.execute(sql.format(table, "DuplicateGroup"), (id_list(kept),)))
    return groups


def near_identical_ids(connection: apsw.Connection) -> list[tuple[int, int]]:
    """Return (kept game, duplicate) of each near-identical duplicate, by their IDs."""
    sql = (
        "SELECT DuplicateGroup, ID FROM FlaggedGames "
        f"WHERE DuplicateGroup IS NOT NULL AND DuplicateStatus = '{NEAR_IDENTICAL_STATUS}' "
        "ORDER BY 1, 2"
    )
    return list(connection.execute(sql))
