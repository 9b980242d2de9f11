"""SQL on annotations of copies that are taken over into their masters.

Owns MergedNotes, which tells the rows that were put into Comments and Annotations; they go again
with take_back_merges() of merged_headers.py. All writes belong to the transaction of the caller.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import apsw

from ocgdedup.store.connection import id_list
from ocgdedup.store.duplicates import change_count
from ocgdedup.store.games import Row, has_notes
from ocgdedup.store.merged_headers import save_headers
from ocgdedup.store.undo_log import save_merges
from ocgdedup.store.variant import holds_go

_CREATE_PAIRS = (
    "CREATE TEMP TABLE NotePairs "
    "(Number INTEGER PRIMARY KEY, MasterID INTEGER, CopyID INTEGER, Plies INTEGER)"
)
# What is left after these: the first copy with notes of each master that has none.
_CHOOSE = (
    "DELETE FROM NotePairs WHERE EXISTS (SELECT 1 FROM Comments WHERE GameID = MasterID) "
    "OR EXISTS (SELECT 1 FROM Annotations WHERE GameID = MasterID)",
    "DELETE FROM NotePairs "
    "WHERE NOT EXISTS (SELECT 1 FROM Comments WHERE GameID = CopyID AND coalesce(Ply, -1) < Plies) "
    "AND NOT EXISTS (SELECT 1 FROM Annotations WHERE GameID = CopyID AND Ply < Plies)",
    "DELETE FROM NotePairs "
    "WHERE Number NOT IN (SELECT min(Number) FROM NotePairs GROUP BY MasterID)",
)
_COPY = """
    INSERT INTO {table} (GameID, Ply, Position, {columns})
    SELECT MasterID, Ply, Position, {columns}
    FROM NotePairs JOIN {table} AS Note ON Note.GameID = CopyID
    WHERE coalesce(Ply, -1) < Plies ORDER BY MasterID, Note.ID
"""
_NOTE_COPIED = """
    INSERT INTO MergedNotes (GameID, FromGameID, NoteTable, NoteID)
    SELECT GameID, CopyID, '{table}', Note.ID
    FROM {table} AS Note JOIN NotePairs ON MasterID = GameID WHERE Note.ID > ?
"""
_COPIED = (("Comments", "Comment"), ("Annotations", "NAG, Variation"))

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
# Of Go the column holds properties and further nodes too (docs/go.md).
_IS_VARIATION = "Variation IS NOT NULL"
_IS_BRANCH = "Variation LIKE '(%'"


class CopyWithNotes(NamedTuple):
    """A copy whose annotations its master may take over.

    `plies`: the half-moves from the start that both have; an annotation of a later one is left.
    """

    master: int
    copy: int
    plies: int


class AddedVariation(NamedTuple):
    """Moves of a copy for its master: `text` stands behind half-move `ply`, counted from 0."""

    master: int
    ply: int
    text: str
    copy: int


def copy_notes(connection: apsw.Connection, copies: Sequence[CopyWithNotes]) -> dict[int, int]:
    """Copy annotations into masters that have none; return whose each of these got, by master.

    Of several copies of a master the first with annotations counts.
    """
    if not copies or not has_notes(connection):
        return {}
    # A full disk rolls back, and takes the table along: it is not dropped in a `finally`.
    connection.execute("DROP TABLE IF EXISTS temp.NotePairs")
    connection.execute(_CREATE_PAIRS)
    connection.executemany(
        "INSERT INTO NotePairs (MasterID, CopyID, Plies) VALUES (?, ?, ?)", copies
    )
    for statement in _CHOOSE:
        connection.execute(statement)
    chosen = dict(connection.execute("SELECT MasterID, CopyID FROM NotePairs ORDER BY 1"))
    if chosen:
        _copy_chosen(connection, id_list(chosen))
    connection.execute("DROP TABLE temp.NotePairs")
    return chosen


def add_variations(connection: apsw.Connection, variations: Sequence[AddedVariation]) -> None:
    """Add variations to masters, each as the last annotation of its half-move."""
    masters = id_list(sorted({added.master for added in variations}))
    _save(connection, masters)
    notes: list[Row] = []
    for added in variations:
        connection.execute(_INSERT_VARIATION, (added.master, added.ply, added.text))
        row_id = connection.last_insert_rowid()
        notes.append((added.master, added.copy, "Annotations", row_id))
    connection.executemany(
        "INSERT INTO MergedNotes (GameID, FromGameID, NoteTable, NoteID) VALUES (?, ?, ?, ?)", notes
    )
    _mark_masters(connection, masters)


def _copy_chosen(connection: apsw.Connection, masters: str) -> None:
    _save(connection, masters)
    for table, columns in _COPIED:
        last = connection.execute(f"SELECT coalesce(max(ID), 0) FROM {table}").get
        connection.execute(_COPY.format(table=table, columns=columns))
        if table == "Comments":
            change_count(connection, "CommentCount", connection.changes())
        connection.execute(_NOTE_COPIED.format(table=table), (last,))
    _mark_masters(connection, masters)


def _mark_masters(connection: apsw.Connection, masters: str) -> None:
    is_variation = _IS_BRANCH if holds_go(connection) else _IS_VARIATION
    connection.execute(_MARK_MASTERS.format(is_variation=is_variation), (masters,))


def _save(connection: apsw.Connection, masters: str) -> None:
    save_merges(connection, masters)
    save_headers(connection, masters)
