"""SQL on merges: headers and annotations of duplicates that are merged into kept games.

Owns UnmergedHeaders (original headers), MergedTags (the changes), HeaderOptimized, and MergedNotes,
which lists the rows added to Comments and Annotations and the rows that these replace. All writes
belong to the transaction of the caller.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

import apsw

from ocgdedup._kernels import search as search_kernel
from ocgdedup._kernels.search import HeaderCounts
from ocgdedup.errors import StoreError
from ocgdedup.game_columns import GAME_COLUMNS, MERGED_COLUMNS
from ocgdedup.game_kind import CHESS, GO
from ocgdedup.model import GameHeader, KeptGames, KernelMerges, Reason
from ocgdedup.store.connection import column_names, has_rows, id_list, kernel_errors
from ocgdedup.store.duplicates import change_count
from ocgdedup.store.games import (
    RANGE_GAMES,
    Row,
    header_query,
    insert_at_once,
    insert_statements,
    load_kernel,
    tables_with_games,
    using_kernel,
)
from ocgdedup.store.names import NAME_TABLES, game_kind, read_state, write_state
from ocgdedup.thresholds import NOTE_COMMENT, NOTE_NAG

_NAME_TABLES = {
    column.tag: (column.references, column.name)
    for column in GAME_COLUMNS
    if column.tag and column.references
}
_COUNTS = {"Events": "EventCount", "Sites": "SiteCount", "Players": "PlayerCount"}
EMPTY_NAME_ID = 1
_NO_NAME = (None, "", "?")
_NAMES_AT_ONCE = 200

# The function returns NULL, so that SQLite goes through a range of IDs in one step.
_OWN = (
    "SELECT 1 FROM Games WHERE ID BETWEEN ?1 AND ?2 "
    f"AND {search_kernel.TAKE_HEADER}(?3, {', '.join(search_kernel.HEADER_COLUMNS)})"
)
_UNMERGED = (
    "SELECT 1 FROM UnmergedHeaders CROSS JOIN Games ON Games.ID = GameID "
    f"WHERE GameID BETWEEN ?1 AND ?2 AND {search_kernel.TAKE_HEADER}(?3, {{}})"
)
_LOOKUPS = (
    *(f"SELECT Name FROM {table} WHERE ID = ?1" for table in NAME_TABLES),
    "SELECT FideID FROM Persons WHERE ID = ?1",
)

_INSERT = {
    "Comments": "INSERT INTO Comments (GameID, Ply, Position, Comment) VALUES (?, ?, ?, ?) "
    "RETURNING ID",
    "Annotations": "INSERT INTO Annotations (GameID, Ply, Position, NAG, Variation) "
    "VALUES (?, ?, ?, ?, ?) RETURNING ID",
}
# A row from the game itself is not read: see notes_of().
_REPLACE = """
    INSERT INTO MergedNotes (GameID, FromGameID, NoteTable, NoteID)
    SELECT GameID, GameID, '{table}', ID FROM {table}
    WHERE GameID IN (SELECT value FROM json_each(?))
"""
_NOTE_ROW = "INSERT INTO MergedNotes (GameID, FromGameID, NoteTable, NoteID) VALUES (?, ?, ?, ?)"
_INSERT_VARIATION = """
    INSERT INTO Annotations (GameID, Ply, Position, Variation)
    SELECT ?1, ?2, coalesce(max(Position) + 1, 0), ?3 FROM (
        SELECT coalesce(Position, 0) AS Position FROM Comments WHERE GameID = ?1 AND Ply = ?2
        UNION ALL SELECT Position FROM Annotations WHERE GameID = ?1 AND Ply = ?2
    )
"""
_MARK_KEPT_GAMES = """
    UPDATE Games SET HeaderOptimized = 1,
        HasComments = EXISTS (SELECT 1 FROM Comments WHERE GameID = Games.ID),
        HasVariations = EXISTS (
            SELECT 1 FROM Annotations WHERE GameID = Games.ID AND {is_variation}
        )
    WHERE ID IN (SELECT value FROM json_each(?))
"""
# Rows of Annotations that are variations. In Go the column also holds properties and other nodes
# (docs/go.md).
IS_VARIATION = {CHESS: "Variation IS NOT NULL", GO: "Variation LIKE '(%'"}


def _column_of(tag: str) -> str:
    return _NAME_TABLES.get(tag, (tag, tag))[1]


_FINAL = "Merges made final"  # in Info: "yes" if keep_merges() ever made merges final
_CHOSEN = "GameID IN (SELECT value FROM json_each(?))"
_COLUMNS = ", ".join(MERGED_COLUMNS)
_SAVE = (
    f"INSERT OR IGNORE INTO UnmergedHeaders (GameID, {_COLUMNS}) SELECT ID, {_COLUMNS} FROM Games "
    "WHERE ID IN (SELECT value FROM json_each(?))"
)
_RESTORE = (
    f"UPDATE Games SET {', '.join(f'{name} = Saved.{name}' for name in MERGED_COLUMNS)}, "
    f"HeaderOptimized = NULL FROM UnmergedHeaders AS Saved WHERE ID = GameID AND {_CHOSEN}"
)
# For the search kernel: ?1 is the game, ?2 and later are the values of FIELD_TAGS.
_MERGE = "UPDATE Games SET HeaderOptimized = 1, {}, {} WHERE ID = ?1".format(
    ", ".join(
        f"{_column_of(tag)} = coalesce(?{number}, {_column_of(tag)})"
        for number, tag in enumerate(search_kernel.FIELD_TAGS, 2)
    ),
    f"DateQuality = CASE WHEN ?{search_kernel.FIELD_TAGS.index('Date') + 2} IS NULL "
    "THEN DateQuality ELSE ?13 END",
)
# For the search kernel, which returns indexes.
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
# Whether a purge made a row of MergedTags final: the merged value is in the original header,
# and the value before the merge differs.
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

    `may_be_merged`: one of them may have a merged header. Deleted games are included. Raises
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
    restore_headers(connection, chosen)
    save_headers(connection, chosen)
    if connection.changes() != len(merges):
        raise ValueError("a game to merge into is not there, or comes twice")
    _update_games(connection, merges)
    # In the order of the table's key. Replaces rows that a purge made final.
    insert_merged_tags(
        connection,
        ((merge.game_id, *change) for merge in merges for change in sorted(merge.changes)),
    )


def insert_merged_tags(connection: apsw.Connection, rows: Iterable[Row]) -> None:
    """Insert or replace rows of MergedTags."""
    insert_at_once(connection, "INSERT OR REPLACE INTO MergedTags", list(rows))


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
        save_headers(connection, chosen)
        verb = "INSERT" if are_first else "INSERT OR REPLACE"
        log = insert_statements("MergedTags", _LOG_COLUMNS, verb=verb)
        with using_kernel(connection, search_kernel, "headers cannot be written"):
            search_kernel.write_merges(connection, *merges, _MERGE, log, _REASONS)
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


def revert_merges(connection: apsw.Connection, ids: Collection[int] | None) -> None:
    """Restore headers and annotations of games (all if None) from before merges."""
    sql = f"SELECT GameID FROM UnmergedHeaders WHERE {_CHOSEN}"
    merged: Iterable[tuple[int]] = () if ids is None else connection.execute(sql, (id_list(ids),))
    chosen = id_list(merged_ids(connection) if ids is None else (row[0] for row in merged))
    restore_headers(connection, chosen)


def has_merges(connection: apsw.Connection) -> bool:
    """Return whether any game has a merged header or merged annotations."""
    return has_rows(connection, "UnmergedHeaders")


def merged_ids(connection: apsw.Connection, scope: Collection[int] | None = None) -> list[int]:
    """Return the IDs of the games with merges, in order; `scope`: only of these games."""
    if scope is None:
        return [row[0] for row in connection.execute("SELECT GameID FROM UnmergedHeaders")]
    sql = f"SELECT GameID FROM UnmergedHeaders WHERE {_CHOSEN} ORDER BY GameID"
    return [row[0] for row in connection.execute(sql, (id_list(scope),))]


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


class MergedNotes(NamedTuple):
    """Numbers of annotations of a kept game from one record; `from_game_id`: see MergedNotes.

    `others`: SGF properties and nodes.
    """

    from_game_id: int
    comments: int
    nags: int
    variations: int
    others: int


def merged_notes(connection: apsw.Connection, game_id: int) -> list[MergedNotes]:
    """Return the numbers of annotations that were merged into a kept game, by record."""
    if not column_names(connection, "MergedNotes"):
        return []
    is_variation = IS_VARIATION[game_kind(connection)]
    sorts = "NoteTable = 'Comments'", "NAG NOTNULL", is_variation
    others = f"NoteTable <> 'Comments' AND NAG IS NULL AND NOT ({is_variation})"
    counts = ", ".join(f"count(*) FILTER (WHERE {sort})" for sort in (*sorts, others))
    sql = (
        f"SELECT FromGameID, {counts} FROM MergedNotes AS Merged LEFT JOIN Annotations AS Note "
        "ON NoteTable = 'Annotations' AND Note.ID = NoteID WHERE Merged.GameID = ? GROUP BY 1"
    )
    return [MergedNotes._make(row) for row in connection.execute(sql, (game_id,))]


def keep_merges(connection: apsw.Connection) -> None:
    """Make merges with values of deleted duplicates final; call it before these are purged."""
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
    """Do the work of revert_merges() without the undo log; `chosen` is a text of id_list()."""
    if not has_merges(connection):
        return
    drop_merged_notes(connection, chosen)
    connection.execute(_RESTORE, (chosen,))
    current = f" AND NOT ({_IS_FINAL})" if has_final_merges(connection) else ""
    connection.execute(f"DELETE FROM MergedTags WHERE {_CHOSEN}{current}", (chosen,))
    connection.execute(f"DELETE FROM UnmergedHeaders WHERE {_CHOSEN}", (chosen,))


def drop_merged_notes(connection: apsw.Connection, chosen: str) -> None:
    """Drop annotations that were merged into games; `chosen` is a text of id_list()."""
    for table in ("Comments", "Annotations"):
        connection.execute(_DROP_NOTES.format(table=table), (chosen,))
        if table == "Comments":
            change_count(connection, "CommentCount", -connection.changes())
    connection.execute(f"DELETE FROM MergedNotes WHERE {_CHOSEN}", (chosen,))


def _header_sources(connection: apsw.Connection, *, may_be_merged: bool) -> list[str]:
    """Return statements that together read the original headers of games of a text of IDs."""
    current = header_query(connection, "Games")
    if not column_names(connection, "UnmergedHeaders"):
        return [current]
    deleted = header_query(connection, "RemovedGames")
    if not may_be_merged or not has_merges(connection):
        return [current, deleted] if len(tables_with_games(connection)) > 1 else [current]
    return [
        f"{current} AND H.ID NOT IN (SELECT GameID FROM UnmergedHeaders)",
        header_query(connection, "UnmergedHeaders"),
        deleted,
    ]


def _update_games(connection: apsw.Connection, merges: Sequence[Merge]) -> None:
    """Write merged values, with one statement for games that get the same columns."""
    by_columns: defaultdict[tuple[str, ...], list[Row]] = defaultdict(list)
    for game_id, values, _ in merges:
        by_columns[tuple(values)].append((*values.values(), game_id))
    names: dict[str, dict[object, int]] = {
        table: dict.fromkeys(_NO_NAME, EMPTY_NAME_ID) for table in _COUNTS
    }
    for columns, rows in by_columns.items():
        parts: list[Sequence[object]] = list(zip(*rows, strict=True))
        settings = ["HeaderOptimized = 1"]
        for index, name in enumerate(columns):
            table, column = _NAME_TABLES.get(name, (None, name))
            if column not in MERGED_COLUMNS:
                raise ValueError(f"no column of a header: {column}")
            if table is not None:
                parts[index] = _name_ids(connection, table, names[table], parts[index])
            settings.append(f"{column} = ?")
        sql = f"UPDATE Games SET {', '.join(settings)} WHERE ID = ?"
        connection.executemany(sql, zip(*parts, strict=True))


def _name_ids(
    connection: apsw.Connection, table: str, ids_by_name: dict[object, int], names: Sequence[object]
) -> list[int]:
    """Return the IDs of names; new names are inserted."""
    unknown = [name for name in dict.fromkeys(names) if name not in ids_by_name]
    for start in range(0, len(unknown), _NAMES_AT_ONCE):
        some = unknown[start : start + _NAMES_AT_ONCE]
        marks = ", ".join("?" * len(some))
        sql = f"SELECT Name, ID FROM {table} WHERE Name IN ({marks})"
        ids_by_name.update(connection.execute(sql, tuple(some)))
    new = [name for name in unknown if name not in ids_by_name]
    for name in new:
        connection.execute(f"INSERT INTO {table} (Name) VALUES (?)", (name,))
        ids_by_name[name] = connection.last_insert_rowid()
    change_count(connection, _COUNTS[table], len(new))
    return [ids_by_name[name] for name in names]


# --- kept games chosen by the kernel --------------------------------------------------------------


class NameRules(NamedTuple):
    """The kernel's questions about names: see Names in its stub."""

    outweighs: Callable[[int, str, str, int, tuple[str, ...]], bool]
    is_named: Callable[[str], bool]
    event_rank: Callable[[str], int]
    letters: Callable[[str], str]
    best_of_two: Callable[[str, str, bool], Collection[str] | None]
    may_be_one: Callable[[str, str], bool]
    no_given_names: frozenset[bytes]
    unknown_pairs: bytes
    eco_of: Callable[[int], str | None] | None = None
    outweighed_days: Callable[[list[tuple[int, str, str]]], Collection[str]] | None = None
    best_of_votes: Callable[[list[str], list[bool], bool], Collection[str] | None] | None = None


class GroupHeaders:
    """Reads headers of one database; caches facts about names while they do not change.

    It does not see merges that are written after its construction.
    """

    def __init__(
        self,
        connection: apsw.Connection,
        points: Sequence[int],
        tags: Sequence[tuple[str, int]],
        names: NameRules,
        counts: HeaderCounts | None = None,
    ) -> None:
        """Set the rules of matching/header_score.py, and those for names.

        `counts`: over all records; without them no value outweighs another.
        """
        self._connection = connection
        self._sources = [_OWN]
        if has_merges(connection):
            columns = [
                f"{'UnmergedHeaders' if name in MERGED_COLUMNS else 'Games'}.{name}"
                for name in search_kernel.HEADER_COLUMNS
            ]
            self._sources.insert(0, _UNMERGED.format(", ".join(columns)))
        load_kernel(connection, search_kernel)
        try:
            self._resolver = search_kernel.GroupResolver(connection, points, tags, names, counts)
        except ValueError as error:
            raise StoreError(str(error)) from error

    def kept_games(
        self,
        ids: array[int],
        lines: array[int],
        ends: array[int],
        closed: bytes | bytearray,
        has_swapped: Callable[[int, int], bool] | None = None,
        *,
        is_merging: bool = False,
        merges_again: bool = False,
    ) -> KeptGames:
        """Choose the kept games of groups; arguments as for GroupResolver.resolve().

        Raises KeyError for an unknown game.
        """
        with kernel_errors(self._connection, "headers of games cannot be read"):
            return self._resolver.resolve(
                ids, lines, ends, closed, self._sources, _LOOKUPS, has_swapped, is_merging,
                merges_again,
            )  # fmt: skip


# --- annotations ----------------------------------------------------------------------------------


class AddedNote(NamedTuple):
    """An annotation of the game `from_id` for its kept game: see notes_of()."""

    game_id: int
    ply: int
    position: int
    kind: int
    value: str | int
    from_id: int


class AddedVariation(NamedTuple):
    """Moves of a duplicate for its kept game: `text` follows half-move `ply`, counted from 0."""

    kept: int
    ply: int
    text: str
    duplicate: int


def annotated_among(connection: apsw.Connection, ids: Iterable[int]) -> set[int]:
    """Return which of some games have rows in Annotations.

    A game with only NAGs has neither HasComments nor HasVariations.
    """
    if not has_rows(connection, "Annotations"):
        return set()
    sql = (
        "SELECT value FROM json_each(?) "
        "WHERE EXISTS (SELECT 1 FROM Annotations WHERE GameID = value)"
    )
    return {game_id for (game_id,) in connection.execute(sql, (id_list(ids),))}


def add_notes(connection: apsw.Connection, notes: Sequence[AddedNote]) -> None:
    """Add annotations of duplicates to their kept games."""
    if not notes:
        return
    kept = id_list(sorted({note.game_id for note in notes}))
    _save(connection, kept)
    comments = [note for note in notes if note.kind == NOTE_COMMENT]
    _insert(connection, "Comments", comments, [(*note[:3], note.value) for note in comments])
    change_count(connection, "CommentCount", len(comments))
    others = [note for note in notes if note.kind != NOTE_COMMENT]
    rows = [
        (*note[:3], *((note.value, None) if note.kind == NOTE_NAG else (None, note.value)))
        for note in others
    ]
    _insert(connection, "Annotations", others, rows)
    _mark_kept_games(connection, kept)


def replace_notes(connection: apsw.Connection, ids: Sequence[int]) -> None:
    """Replace these games' own annotations, which stay stored, by those of other games.

    Call it before annotations are added.
    """
    if not ids:
        return
    kept = id_list(sorted(ids))
    _save(connection, kept)
    for table in _INSERT:
        connection.execute(_REPLACE.format(table=table), (kept,))


def add_variations(connection: apsw.Connection, variations: Sequence[AddedVariation]) -> None:
    """Add variations to kept games, each as the last annotation of its half-move."""
    kept = id_list(sorted({added.kept for added in variations}))
    _save(connection, kept)
    notes: list[Row] = []
    for added in variations:
        connection.execute(_INSERT_VARIATION, (added.kept, added.ply, added.text))
        row_id = connection.last_insert_rowid()
        notes.append((added.kept, added.duplicate, "Annotations", row_id))
    connection.executemany(_NOTE_ROW, notes)
    _mark_kept_games(connection, kept)


def _insert(
    connection: apsw.Connection, table: str, notes: Sequence[AddedNote], rows: Sequence[Row]
) -> None:
    """Insert rows, one for each annotation, and log them."""
    ids = [row_id for (row_id,) in connection.executemany(_INSERT[table], rows)]
    logged = zip(notes, ids, strict=True)
    connection.executemany(
        _NOTE_ROW, [(note.game_id, note.from_id, table, row_id) for note, row_id in logged]
    )


def _mark_kept_games(connection: apsw.Connection, kept: str) -> None:
    is_variation = IS_VARIATION[game_kind(connection)]
    connection.execute(_MARK_KEPT_GAMES.format(is_variation=is_variation), (kept,))


def _save(connection: apsw.Connection, kept: str) -> None:
    save_headers(connection, kept)
