"""A database in memory: new games, as if they were added to another one, and some of its games.

The other database is not written. A sample holds what the search for duplicates reads of a game.
"""

from __future__ import annotations

from collections.abc import Iterable

import apsw

from ocgdedup.store.connection import id_list
from ocgdedup.store.database import create_database
from ocgdedup.store.games import GAME_TABLES, next_id
from ocgdedup.store.names import NAME_TABLES

_NAMED_BY = {
    "Players": ("WhiteID", "BlackID"),
    "Events": ("EventID",),
    "Sites": ("SiteID",),
}
_HEADERS = (*GAME_TABLES, "UnmergedHeaders")
_IN = "IN (SELECT value FROM json_each(?1))"
# The search reads the first comment of a game, unless it was merged from another one.
_FIRST_COMMENTS = f"""
    INSERT INTO main.Comments (GameID, Ply, Comment)
    SELECT GameID, Ply, Comment.Comment FROM collection.Comments AS Comment WHERE ID IN (
        SELECT min(ID) FROM collection.Comments WHERE GameID {_IN} GROUP BY GameID
    ) AND NOT EXISTS (
        SELECT 1 FROM collection.MergedNotes AS Merged WHERE Merged.GameID = Comment.GameID
        AND NoteTable = 'Comments' AND NoteID = Comment.ID AND FromGameID <> Merged.GameID
    )
"""


def create_sample(collection: apsw.Connection) -> apsw.Connection:
    """Create an empty sample in which new games, sources and names get the IDs after the others."""
    sample = create_database(":memory:")
    last_id = next_id(collection, "Games") - 1
    sample.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('Games', ?)", (last_id,))
    last_source = next_id(collection, "Sources") - 1
    if last_source:
        sample.execute("INSERT INTO Sources (ID, Name) VALUES (?, '')", (last_source,))
    for table in NAME_TABLES:
        select = f"SELECT ID, Name FROM {table} WHERE ID IN (1, (SELECT max(ID) FROM {table}))"
        sample.executemany(
            f"INSERT INTO {table} (ID, Name) VALUES (?, ?)", collection.execute(select)
        )
    return sample


def attach_collection(sample: apsw.Connection, collection: apsw.Connection) -> None:
    """Attach the other database, and give names that are in both databases its IDs.

    Until the sample is closed, `collection` must be in a transaction, so that both connections read
    the same state.
    """
    sample.execute("ATTACH ? AS collection", (collection.filename,))
    sample.pragma("mmap_size", collection.pragma("mmap_size"))
    for table, columns in _NAMED_BY.items():
        rows = sample.execute(
            f"SELECT Own.ID, Other.ID FROM main.{table} AS Own JOIN collection.{table} AS Other "
            "USING (Name) WHERE Own.ID <> Other.ID"
        ).fetchall()
        for column in columns:
            sample.executemany(f"UPDATE main.Games SET {column} = ?2 WHERE {column} = ?1", rows)
        sample.executemany(f"UPDATE main.{table} SET ID = ?2 WHERE ID = ?1", rows)


def copy_games(sample: apsw.Connection, ids: Iterable[int]) -> None:
    """Copy games of the attached database, with their names."""
    chosen = (id_list(ids),)
    for table in _HEADERS:
        names = ", ".join(
            row[0] for row in sample.execute("SELECT name FROM pragma_table_info(?)", (table,))
        )
        key = "GameID" if table == "UnmergedHeaders" else "ID"
        sample.execute(
            f"INSERT INTO main.{table} ({names}) SELECT {names} FROM collection.{table} "
            f"WHERE {key} {_IN}",
            chosen,
        )
    sample.execute(_FIRST_COMMENTS, chosen)
    _copy_named(sample, "Persons", ("WhitePersonID", "BlackPersonID"))
    for table, columns in _NAMED_BY.items():
        _copy_named(sample, table, columns)


def _copy_named(sample: apsw.Connection, table: str, columns: Iterable[str]) -> None:
    """Copy the rows of a table that games in the sample refer to."""
    used = " UNION ".join(
        f"SELECT {column} FROM main.{headers}" for column in columns for headers in _HEADERS
    )
    sample.execute(
        f"INSERT OR IGNORE INTO main.{table} SELECT * FROM collection.{table} WHERE ID IN ({used})"
    )
