"""SQL on Corrections and GameNotes: values and notes of the user, and the headers that they change.

All writes belong to the transaction of the caller.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import apsw

from ocgdedup.game_columns import MERGED_COLUMNS
from ocgdedup.model import Reason
from ocgdedup.store.connection import has_rows, id_list
from ocgdedup.store.games import delete_rows_of
from ocgdedup.store.merges import insert_merged_tags, save_headers
from ocgdedup.store.names import id_of_name

MOVETEXT = "{movetext}"  # the Tag of corrected moves and annotations
Header = dict[str, Any]  # values of MERGED_COLUMNS
ShownValues = dict[str, tuple[str | None, str | None]]  # (value, value as read) by tag

_OF_GAMES = "GameID IN (SELECT value FROM json_each(?))"
_NOW = "strftime('%Y-%m-%dT%H:%M:%fZ')"  # in milliseconds: the latest correction counts
_ADD_NOTE = (
    f"INSERT INTO GameNotes VALUES (?, ?, {_NOW}) "
    "ON CONFLICT DO UPDATE SET Note = excluded.Note, NotedAt = excluded.NotedAt"
)
_CORRECT = (
    f"INSERT INTO Corrections VALUES (?, ?, ?, ?, {_NOW}) "
    "ON CONFLICT DO UPDATE SET Value = excluded.Value, CorrectedAt = excluded.CorrectedAt"
)
# Of a purged game to its kept game, whose own corrections and whose merged values stay.
_CARRY = f"""
    INSERT OR IGNORE INTO Corrections
    SELECT Merged.GameID, Merged.Tag, Merged.After, Merged.Before, CorrectedAt
    FROM MergedTags AS Merged JOIN Corrections AS Purged
        ON Purged.GameID = Merged.FromGameID AND Purged.Tag = Merged.Tag
    WHERE Merged.Reason = '{Reason.CORRECTED}' AND Purged.{_OF_GAMES}
"""
_SHOWN = f"""
    SELECT GameID, Tag, Value, ReadValue FROM Corrections WHERE {_OF_GAMES}
    UNION ALL SELECT GameID, Tag, After, Before FROM MergedTags
    WHERE Reason = '{Reason.CORRECTED}' AND FromGameID <> GameID AND {_OF_GAMES}
"""


class Correction(NamedTuple):
    """A row of Corrections; `value` None: the tag is cleared."""

    game_id: int
    tag: str
    value: str | None
    read_value: str | None = None
    corrected_at: str = ""


def has_corrections(connection: apsw.Connection) -> bool:
    """Return whether the user corrected any game."""
    return has_rows(connection, "Corrections")


def has_notes(connection: apsw.Connection) -> bool:
    """Return whether the user has a note on any game."""
    return has_rows(connection, "GameNotes")


def corrections(
    connection: apsw.Connection, ids: Iterable[int] | None = None
) -> dict[int, list[Correction]]:
    """Return the corrections of games, all if None, by game."""
    where = "1" if ids is None else _OF_GAMES
    chosen = () if ids is None else (id_list(ids),)
    found: dict[int, list[Correction]] = defaultdict(list)
    for row in connection.execute(f"SELECT * FROM Corrections WHERE {where}", chosen):
        found[row[0]].append(Correction._make(row))
    return found


def games_with_own_moves(connection: apsw.Connection) -> frozenset[int]:
    """Return the IDs of games whose moves or annotations the user corrected."""
    if not has_corrections(connection):
        return frozenset()
    sql = "SELECT GameID FROM Corrections WHERE Tag = ?"
    return frozenset(row[0] for row in connection.execute(sql, (MOVETEXT,)))


def write_corrections(connection: apsw.Connection, rows: Iterable[Correction]) -> None:
    """Write corrections; those of a tag that was corrected before keep its value as read."""
    connection.executemany(_CORRECT, (row[:4] for row in rows))


def shown_values(connection: apsw.Connection, ids: Iterable[int]) -> dict[int, ShownValues]:
    """Return the corrected values in the headers of games, also those of their duplicates."""
    chosen = id_list(ids)
    found: dict[int, ShownValues] = defaultdict(dict)
    for game_id, tag, value, read in connection.execute(_SHOWN, (chosen, chosen)):
        found[game_id].setdefault(tag, (value, read))
    return found


def notes_on(connection: apsw.Connection, ids: Iterable[int]) -> dict[int, str]:
    """Return the notes on games by their IDs."""
    sql = f"SELECT GameID, Note FROM GameNotes WHERE {_OF_GAMES}"
    return dict(connection.execute(sql, (id_list(ids),)))


def write_notes(connection: apsw.Connection, notes: Mapping[int, str]) -> None:
    """Write notes on games; an empty note is deleted."""
    connection.executemany(_ADD_NOTE, [row for row in notes.items() if row[1]])
    delete_rows_of(
        connection, "GameNotes", [game_id for game_id, note in notes.items() if not note]
    )


def carry_corrections(connection: apsw.Connection, groups: Mapping[int, int]) -> None:
    """Pass corrections and notes of games to be purged to their kept games."""
    if has_corrections(connection):
        connection.execute(_CARRY, (id_list(groups),))
        delete_rows_of(connection, "Corrections", groups)
    if has_notes(connection):
        purged = notes_on(connection, groups)
        notes = notes_on(connection, {groups[game_id] for game_id in purged})
        for game_id, note in purged.items():
            kept = groups[game_id]
            if note not in notes.get(kept, "").split("; "):
                notes[kept] = "; ".join(filter(None, (notes.get(kept), note)))
        write_notes(connection, notes | dict.fromkeys(purged, ""))


def stored_headers(
    connection: apsw.Connection, table: str, ids: Iterable[int]
) -> dict[int, Header]:
    """Return the headers of games in Games, RemovedGames or UnmergedHeaders."""
    key = _key(table)
    rows = connection.execute(
        f"SELECT {key}, {', '.join(MERGED_COLUMNS)} FROM {table} "
        f"WHERE {key} IN (SELECT value FROM json_each(?))",
        (id_list(ids),),
    )
    return {row[0]: dict(zip(MERGED_COLUMNS, row[1:], strict=True)) for row in rows}


def write_headers(connection: apsw.Connection, table: str, headers: Mapping[int, Header]) -> None:
    """Write headers of stored_headers()."""
    settings = ", ".join(f"{name} = ?" for name in MERGED_COLUMNS)
    connection.executemany(
        f"UPDATE {table} SET {settings} WHERE {_key(table)} = ?",
        [(*header.values(), game_id) for game_id, header in headers.items()],
    )


def _key(table: str) -> str:
    return "GameID" if table == "UnmergedHeaders" else "ID"


def name_id(connection: apsw.Connection, table: str, name: str) -> int:
    """Return the ID of a name, which is added if it is new."""
    known = id_of_name(connection, table, name)
    if known is not None:
        return known
    connection.execute(f"INSERT INTO {table} (Name) VALUES (?)", (name,))
    return connection.last_insert_rowid()


def kept_games_of(connection: apsw.Connection, ids: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield games of groups, deleted ones too, each with the kept game of its group."""
    sql = (
        f"SELECT GameID, DuplicateGroup FROM DuplicateFlags WHERE {_OF_GAMES} "
        "AND DuplicateGroup IN (SELECT ID FROM Games)"
    )
    return iter([(row[0], row[1]) for row in connection.execute(sql, (id_list(ids),))])


def merge_corrections(
    connection: apsw.Connection,
    headers: Mapping[int, Header],
    rows: Collection[tuple[int, str, str | None, str | None, int]],
) -> None:
    """Write headers of kept games with corrected values.

    `rows`: (kept game, tag, value before, corrected value, ID of the corrected game).
    """
    save_headers(connection, id_list(headers))
    write_headers(connection, "Games", headers)
    connection.execute(
        "UPDATE Games SET HeaderOptimized = 1 WHERE ID IN (SELECT value FROM json_each(?))",
        (id_list(headers),),
    )
    insert_merged_tags(connection, ((*row, Reason.CORRECTED) for row in rows))
