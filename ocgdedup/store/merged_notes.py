"""SQL on annotations of duplicates that are merged into their kept games.

Owns MergedNotes, which lists the rows added to Comments and Annotations and the rows that these
replace; take_back_merges() of merged_headers.py undoes both. All writes belong to the transaction
of the caller.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import apsw

from ocgdedup.game_kind import CHESS, GO
from ocgdedup.store.connection import has_rows, id_list
from ocgdedup.store.duplicates import change_count
from ocgdedup.store.games import Row
from ocgdedup.store.merged_headers import save_headers
from ocgdedup.store.undo_log import save_merges
from ocgdedup.store.variant import game_kind
from ocgdedup.thresholds import NOTE_COMMENT, NOTE_NAG

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
_MARK_MASTERS = """
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

    master: int
    ply: int
    text: str
    copy: int


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
    _mark_masters(connection, kept)


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
    masters = id_list(sorted({added.master for added in variations}))
    _save(connection, masters)
    notes: list[Row] = []
    for added in variations:
        connection.execute(_INSERT_VARIATION, (added.master, added.ply, added.text))
        row_id = connection.last_insert_rowid()
        notes.append((added.master, added.copy, "Annotations", row_id))
    connection.executemany(_NOTE_ROW, notes)
    _mark_masters(connection, masters)


def _insert(
    connection: apsw.Connection, table: str, notes: Sequence[AddedNote], rows: Sequence[Row]
) -> None:
    """Insert rows, one for each annotation, and log them."""
    ids = [row_id for (row_id,) in connection.executemany(_INSERT[table], rows)]
    logged = zip(notes, ids, strict=True)
    connection.executemany(
        _NOTE_ROW, [(note.game_id, note.from_id, table, row_id) for note, row_id in logged]
    )


def _mark_masters(connection: apsw.Connection, masters: str) -> None:
    is_variation = IS_VARIATION[game_kind(connection)]
    connection.execute(_MARK_MASTERS.format(is_variation=is_variation), (masters,))


def _save(connection: apsw.Connection, masters: str) -> None:
    save_merges(connection, masters)
    save_headers(connection, masters)
