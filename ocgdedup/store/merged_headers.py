"""SQL on headers of games: original ones, and merged ones of duplicate groups.

Owns UnmergedHeaders (original headers), MergedTags (the changes) and HeaderOptimized. For merged
annotations, see merged_notes.py. All writes belong to the transaction of the caller.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

import apsw

from ocgdedup._kernels import search as search_kernel
from ocgdedup.game_columns import GAME_COLUMNS, MERGED_COLUMNS
from ocgdedup.model import GameHeader, KernelMerges, Reason
from ocgdedup.store.connection import column_names, has_rows, id_list
from ocgdedup.store.current_headers import header_query
from ocgdedup.store.duplicates import change_count
from ocgdedup.store.games import RANGE_GAMES, Row, tables_with_games
from ocgdedup.store.names import read_state, write_state
from ocgdedup.store.row_writer import insert_statements, using_kernel
from ocgdedup.store.undo_log import save_merges

_NAME_TABLES = {
    column.tag: (column.references, column.name)
    for column in GAME_COLUMNS
    if column.tag and column.references
}
_COUNTS = {"Events": "EventCount", "Sites": "SiteCount", "Players": "PlayerCount"}
_EMPTY_NAME_ID = 1
_NO_NAME = (None, "", "?")
_NAMES_AT_ONCE = 200
_CHANGES_AT_ONCE = 100


def _column_of(tag: str) -> str:
    return _NAME_TABLES.get(tag, (tag, tag))[1]


_FINAL = "Merges made final"  # in Info: "yes" if keep_merges() ever made merges final
_CHOSEN = "GameID IN (SELECT value FROM json_each(?))"
_COLUMNS = ", ".join(MERGED_COLUMNS)
_SAVE = (
    f"INSERT OR IGNORE INTO UnmergedHeaders (GameID, {_COLUMNS}) SELECT ID, {_COLUMNS} FROM Games "
    "WHERE ID IN (SELECT value FROM json_each(?))"
)
_PUT_BACK = (
    f"UPDATE Games SET {', '.join(f'{name} = Saved.{name}' for name in MERGED_COLUMNS)}, "
    f"HeaderOptimized = NULL FROM UnmergedHeaders AS Saved WHERE ID = GameID AND {_CHOSEN}"
)
# For the search kernel: ?1 is the game, ?2 and later are the values of FIELD_TAGS.
_TAKE_OVER = "UPDATE Games SET HeaderOptimized = 1, {}, {} WHERE ID = ?1".format(
    ", ".join(
        f"{_column_of(tag)} = coalesce(?{place}, {_column_of(tag)})"
        for place, tag in enumerate(search_kernel.FIELD_TAGS, 2)
    ),
    f"DateQuality = CASE WHEN ?{search_kernel.FIELD_TAGS.index('Date') + 2} IS NULL "
    "THEN DateQuality ELSE ?13 END",
)
# For the search kernel, which has the places.
_REASONS = tuple(getattr(Reason, name) for name in search_kernel.REASON_NAMES)
_LOG_COLUMNS = ("GameID", "Tag", "Before", "After", "FromGameID", "Reason")
_FIND_CHANGE = "SELECT 1 FROM MergedTags WHERE " + " AND ".join(
    f"{column} IS ?" for column in _LOG_COLUMNS
)
_HAS_CHANGES = "SELECT 1 WHERE ?2 = (SELECT count(*) FROM {current} WHERE GameID = ?1)"
_WITHOUT_CHANGES = (
    "SELECT value FROM json_each(?) WHERE value NOT IN (SELECT GameID FROM {current})"
)
_ORIGINAL = {tag: f"CAST(Saved.{tag} AS TEXT)" for tag in search_kernel.FIELD_TAGS} | {
    tag: f"(SELECT Name FROM {table} WHERE ID = Saved.{column})"
    for tag, (table, column) in _NAME_TABLES.items()
}
# Whether a purge made a row of MergedTags final: what the game got is in its original header, and
# it had something else before.
_IS_FINAL = f"""
    Before IS NOT After AND coalesce((
        SELECT After IS CASE Tag
            {" ".join(f"WHEN '{tag}' THEN {value}" for tag, value in _ORIGINAL.items())}
            ELSE (
                SELECT value FROM json_each(iif(json_valid(ExtraTags), ExtraTags, '{{}}'))
                WHERE key = Tag
            )
        END FROM UnmergedHeaders AS Saved WHERE Saved.GameID = MergedTags.GameID
    ), 1)
"""
# Rows that now belong to another game, since their ID was reused, are not deleted. Nor are rows of
# the game itself that annotations of other games replace.
_DROP_NOTES = """
    DELETE FROM {table} WHERE ID IN (
        SELECT NoteID FROM MergedNotes JOIN {table} AS Note
        ON Note.ID = NoteID AND Note.GameID = MergedNotes.GameID
        WHERE NoteTable = '{table}' AND MergedNotes.GameID IN (SELECT value FROM json_each(?))
        AND FromGameID <> MergedNotes.GameID
    )
"""


class Merge(NamedTuple):
    """Changes of a merge to the original header of a kept game, with reasons.

    `values`: columns of Games by name; names as texts by "Event", "Site", "White", "Black".
    `changes`: (tag, before, after, ID of the game with the value, reason), each tag once, as shown
    to users.
    """

    game_id: int
    values: Mapping[str, object]
    changes: Sequence[tuple[str, str | None, str | None, int | None, str | None]] = ()


def read_headers(
    connection: apsw.Connection, ids: Sequence[int], *, may_be_merged: bool = True
) -> list[GameHeader]:
    """Return the original headers of games, before any merge, in the order of the IDs.

    `may_be_merged`: one of them may have a merged header. Removed games are included. Raises
    KeyError for an unknown ID. Reads a database of any version.
    """
    sources = _header_sources(connection, may_be_merged=may_be_merged)
    headers: dict[int, GameHeader] = {}
    for start in range(0, len(ids), RANGE_GAMES):
        chosen = id_list(ids[start : start + RANGE_GAMES])
        for sql in sources:
            rows = connection.execute(sql, (chosen,))
            headers.update((row[0], GameHeader._make(row)) for row in rows)
    return [headers[game_id] for game_id in ids]


def write_merges(connection: apsw.Connection, merges: Sequence[Merge]) -> None:
    """Merge headers into kept games; an earlier merge into a game is undone first.

    Raises ValueError for a column that is not part of a header, and for an unknown or repeated
    game; apsw.ConstraintError for a repeated tag.
    """
    merges = sorted(merges, key=itemgetter(0))  # in the order of the table
    chosen = id_list(merge.game_id for merge in merges)
    save_merges(connection, chosen)
    restore_headers(connection, chosen)
    save_headers(connection, chosen)
    if connection.changes() != len(merges):
        raise ValueError("a game to merge into is not there, or comes twice")
    _update_games(connection, merges)
    # In the order of the table's key. Replaces rows that a purge made final.
    rows = [(merge.game_id, *change) for merge in merges for change in sorted(merge.changes)]
    # Many rows per statement take half the time.
    for start in range(0, len(rows), _CHANGES_AT_ONCE):
        some = rows[start : start + _CHANGES_AT_ONCE]
        marks = ", ".join(["(?, ?, ?, ?, ?, ?)"] * len(some))
        sql = f"INSERT OR REPLACE INTO MergedTags VALUES {marks}"
        connection.execute(sql, tuple(chain.from_iterable(some)))


def write_kernel_merges(
    connection: apsw.Connection, merges: KernelMerges, *, are_first: bool = False
) -> int:
    """Do the work of write_merges() for games without a merge; return their number.

    `are_first`: MergedTags has no row of these games. Else it may have rows that a purge made
    final, which are replaced.
    """
    ids = search_kernel.merged_games(merges.rows)
    if ids:
        chosen = id_list(ids)
        save_merges(connection, chosen)
        save_headers(connection, chosen)
        log = insert_statements("MergedTags", _LOG_COLUMNS, replaces=not are_first)
        with using_kernel(connection, search_kernel, "headers cannot be written"):
            search_kernel.write_merges(connection, *merges, _TAKE_OVER, log, _REASONS)
    return len(ids)


def games_as_merged(
    connection: apsw.Connection, kept: Collection[int], merges: KernelMerges
) -> set[int]:
    """Return those of some kept games whose stored changes are what the kernel merges into them.

    `kept`: the games of `merges`, and games into which it merges nothing.
    """
    merged = search_kernel.merged_games(merges.rows)
    others = id_list(set(kept).difference(merged))
    current = "MergedTags"
    if has_final_merges(connection):
        current = f"(SELECT GameID FROM MergedTags WHERE NOT ({_IS_FINAL}))"
    sql = _WITHOUT_CHANGES.format(current=current)
    games = {row[0] for row in connection.execute(sql, (others,))}
    if merged:
        has_changes = _HAS_CHANGES.format(current=current)
        with using_kernel(connection, search_kernel, "merged headers cannot be read"):
            games.update(
                search_kernel.logged_games(connection, *merges, has_changes, _FIND_CHANGE, _REASONS)
            )
    return games


def take_back_merges(connection: apsw.Connection, ids: Collection[int] | None) -> None:
    """Restore headers and annotations of games (all if None) from before merges."""
    sql = f"SELECT GameID FROM UnmergedHeaders WHERE {_CHOSEN}"
    merged: Iterable[tuple[int]] = () if ids is None else connection.execute(sql, (id_list(ids),))
    chosen = id_list(merged_ids(connection) if ids is None else (row[0] for row in merged))
    save_merges(connection, chosen)
    restore_headers(connection, chosen)


def has_merges(connection: apsw.Connection) -> bool:
    """Return whether any game has a merged header or merged annotations."""
    return has_rows(connection, "UnmergedHeaders")


def merged_ids(connection: apsw.Connection) -> list[int]:
    """Return the IDs of the games with merges, in order."""
    return [row[0] for row in connection.execute("SELECT GameID FROM UnmergedHeaders")]


class MergedTag(NamedTuple):
    """A row of MergedTags; `reason`: see model.Reason, None if it is not known."""

    game_id: int
    tag: str
    before: str | None
    after: str | None
    from_game_id: int | None
    reason: str | None


def merged_tags(
    connection: apsw.Connection, game_id: int | None = None, *, with_final: bool = True
) -> Iterator[MergedTag]:
    """Yield the merged values of a game (all games if None), by game and tag.

    `with_final`: also those that a purge made final. Reads a database of any version.
    """
    reason = "Reason" if "Reason" in column_names(connection, "MergedTags") else "NULL"
    where = "WHERE 1" if game_id is None else f"WHERE GameID = {int(game_id)}"
    if not with_final and has_final_merges(connection):
        where += f" AND NOT ({_IS_FINAL})"
    sql = f"SELECT GameID, Tag, Before, After, FromGameID, {reason} FROM MergedTags {where}"
    return map(MergedTag._make, connection.execute(sql))


def keep_merges(connection: apsw.Connection) -> None:
    """Make merges with values of removed duplicates final, before these are purged.

    Call it before the purge.
    """
    connection.execute(
        "DELETE FROM UnmergedHeaders "
        "WHERE GameID IN (SELECT DuplicateGroup FROM DuplicateFlags "
        "WHERE DuplicateFlags.GameID IN (SELECT ID FROM RemovedGames))"
    )
    if connection.changes():
        write_state(connection, _FINAL, "yes")
    connection.execute(
        "DELETE FROM MergedTags WHERE Before IS After "
        "AND GameID NOT IN (SELECT GameID FROM UnmergedHeaders)"
    )
    connection.execute(
        "DELETE FROM MergedNotes WHERE GameID NOT IN (SELECT GameID FROM UnmergedHeaders) "
        "AND FromGameID <> GameID"
    )


def has_final_merges(connection: apsw.Connection) -> bool:
    """Return whether merges into any game were made final."""
    return read_state(connection, _FINAL) is not None


def games_with_merged_players(connection: apsw.Connection) -> set[int]:
    """Return the IDs of games into which a player's name was ever merged."""
    sql = "SELECT GameID FROM MergedTags WHERE Tag IN ('White', 'Black')"
    return {row[0] for row in connection.execute(sql)}


def save_headers(connection: apsw.Connection, chosen: str) -> None:
    """Store original headers of games, unless already stored; `chosen` is a text of id_list()."""
    connection.execute(_SAVE, (chosen,))


def restore_headers(connection: apsw.Connection, chosen: str) -> None:
    """Do the work of take_back_merges() without the undo log; `chosen` is a text of id_list()."""
    if not has_merges(connection):
        return
    for table in ("Comments", "Annotations"):
        connection.execute(_DROP_NOTES.format(table=table), (chosen,))
        if table == "Comments":
            change_count(connection, "CommentCount", -connection.changes())
    connection.execute(_PUT_BACK, (chosen,))
    current = f" AND NOT ({_IS_FINAL})" if has_final_merges(connection) else ""
    connection.execute(f"DELETE FROM MergedTags WHERE {_CHOSEN}{current}", (chosen,))
    for table in ("UnmergedHeaders", "MergedNotes"):
        connection.execute(f"DELETE FROM {table} WHERE {_CHOSEN}", (chosen,))


def _header_sources(connection: apsw.Connection, *, may_be_merged: bool) -> list[str]:
    """Return statements that together read the original headers of games of a text of IDs."""
    own = header_query(connection, "Games")
    if not column_names(connection, "UnmergedHeaders"):
        return [own]
    removed = header_query(connection, "RemovedGames")
    if not may_be_merged or not has_merges(connection):
        return [own, removed] if len(tables_with_games(connection)) > 1 else [own]
    return [
        f"{own} AND H.ID NOT IN (SELECT GameID FROM UnmergedHeaders)",
        header_query(connection, "UnmergedHeaders"),
        removed,
    ]


def _update_games(connection: apsw.Connection, merges: Sequence[Merge]) -> None:
    """Write merged values, with one statement for games that get the same columns."""
    by_columns: defaultdict[tuple[str, ...], list[Row]] = defaultdict(list)
    for game_id, values, _ in merges:
        by_columns[tuple(values)].append((*values.values(), game_id))
    names: dict[str, dict[object, int]] = {
        table: dict.fromkeys(_NO_NAME, _EMPTY_NAME_ID) for table in _COUNTS
    }
    for columns, rows in by_columns.items():
        parts: list[Sequence[object]] = list(zip(*rows, strict=True))
        settings = ["HeaderOptimized = 1"]
        for place, name in enumerate(columns):
            table, column = _NAME_TABLES.get(name, (None, name))
            if column not in MERGED_COLUMNS:
                raise ValueError(f"no column of a header: {column}")
            if table is not None:
                parts[place] = _name_ids(connection, table, names[table], parts[place])
            settings.append(f"{column} = ?")
        sql = f"UPDATE Games SET {', '.join(settings)} WHERE ID = ?"
        connection.executemany(sql, zip(*parts, strict=True))


def _name_ids(
    connection: apsw.Connection, table: str, known: dict[object, int], names: Sequence[object]
) -> list[int]:
    """Return the IDs of names; new names are inserted."""
    unknown = [name for name in dict.fromkeys(names) if name not in known]
    for start in range(0, len(unknown), _NAMES_AT_ONCE):
        some = unknown[start : start + _NAMES_AT_ONCE]
        marks = ", ".join("?" * len(some))
        sql = f"SELECT Name, ID FROM {table} WHERE Name IN ({marks})"
        known.update(connection.execute(sql, tuple(some)))
    new = [name for name in unknown if name not in known]
    for name in new:
        connection.execute(f"INSERT INTO {table} (Name) VALUES (?)", (name,))
        known[name] = connection.last_insert_rowid()
    change_count(connection, _COUNTS[table], len(new))
    return [known[name] for name in names]
