"""SQL for the tables that export writes for other programs: games and names as stored.

Works on databases of OCGDB too; values that they lack are NULL.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

import apsw

from ocgdedup.game_columns import EXPORTED_COLUMNS, LOADED_COLUMNS
from ocgdedup.store.connection import column_names, id_list
from ocgdedup.store.games import Row, in_batches, kept_and_removed

# The columns that game_fields() returns, before the tags.
GAME_FIELDS = (
    *EXPORTED_COLUMNS, "DuplicateStatus", "DuplicateReason", "DuplicateGroup", "HeaderScore",
)  # fmt: skip
_TAG_NAME = re.compile("[A-Za-z]+")


def game_fields(
    connection: apsw.Connection, ids: Sequence[int], tags: Sequence[str] = ()
) -> Iterator[list[Row]]:
    """Yield GAME_FIELDS of games in the order of their IDs; unknown IDs are left out.

    `tags`: names of tags, of plain letters, whose values follow.
    """
    assert all(map(_TAG_NAME.fullmatch, tags)), tags
    # CROSS JOIN: SQLite then takes the IDs as they come, and looks each game up.
    sql = (
        "SELECT {} FROM json_each(?) AS Chosen CROSS JOIN FlaggedGames AS Games "
        "WHERE Games.ID = Chosen.value"
    )
    existing = column_names(connection, "FlaggedGames")
    # json_each() has a column "id" too.
    fields = [f"Games.{name}" if name in existing else "NULL" for name in GAME_FIELDS]
    # JSON is only parsed where the tag may be.
    tag = "CASE WHEN instr(ExtraTags, '\"{0}\"') THEN ExtraTags ->> '{0}' END"
    in_tags = tag if "ExtraTags" in existing else "NULL"
    fields += [f"Games.{name}" if name in existing else in_tags.format(name) for name in tags]
    return in_batches(connection.execute(sql.format(", ".join(fields)), (id_list(ids),)))


def loaded_rows_of(connection: apsw.Connection, ids: Sequence[int]) -> Iterator[list[Row]]:
    """Yield LOADED_COLUMNS of games in the order of their IDs; unknown IDs are left out."""
    columns = ", ".join(f"Games.{name}" for name in LOADED_COLUMNS)
    sql = (
        f"SELECT {columns} FROM json_each(?) AS Chosen CROSS JOIN Games ON Games.ID = Chosen.value"
    )
    return in_batches(connection.execute(sql, (id_list(ids),)))


def games_at(connection: apsw.Connection, places: Sequence[tuple[int, str, int]]) -> dict[int, int]:
    """Return the ID of the game at each place, deleted or not, if there is one.

    A place is (any number by which the result has it, SHA-256 of the source, SourceNumber).
    """
    sql = (
        "SELECT Place.value ->> 0, min(Game.ID) FROM json_each(?) AS Place "
        "JOIN Sources ON Sources.SHA256 = Place.value ->> 1 "
        f"JOIN ({kept_and_removed(connection, 'SELECT ID, SourceID, SourceNumber FROM {table}')}) "
        "AS Game "
        "ON Game.SourceID = Sources.ID AND Game.SourceNumber = Place.value ->> 2 GROUP BY 1"
    )
    rows: Iterator[tuple[int, int]] = connection.execute(sql, (json.dumps(places),))
    return dict(rows)


def fault_ids(connection: apsw.Connection) -> dict[int, list[int]]:
    """Return the IDs of the faults of each game that has some."""
    ids_by_game: dict[int, list[int]] = {}
    for game_id, fault_id in connection.execute("SELECT GameID, ID FROM Faults ORDER BY ID"):
        ids_by_game.setdefault(game_id, []).append(fault_id)
    return ids_by_game


def faults_by_id(connection: apsw.Connection, ids: Sequence[int]) -> list[Row]:
    """Return (GameID, Line, Ply, Reason, Rest) of faults in the order of their IDs."""
    sql = (
        "SELECT GameID, Line, Ply, Reason, Rest FROM Faults "
        "WHERE ID IN (SELECT value FROM json_each(?)) ORDER BY ID"
    )
    return connection.execute(sql, (id_list(ids),)).fetchall()


def source_rows(connection: apsw.Connection) -> list[Row]:
    """Return (ID, Name, Size, SHA256, ImportDate) of all sources, by ID."""
    sql = "SELECT ID, Name, Size, SHA256, ImportDate FROM Sources ORDER BY ID"
    return connection.execute(sql).fetchall()


def games_by_source(connection: apsw.Connection) -> dict[int | None, int]:
    """Return the number of games of each source, including deleted games."""
    select = kept_and_removed(connection, "SELECT SourceID FROM {table}")
    return dict(connection.execute(f"SELECT SourceID, count(*) FROM ({select}) GROUP BY 1"))


def texts_by_id(
    connection: apsw.Connection, table: str, column: str = "Name"
) -> dict[int, str | None]:
    """Return a column of Events, Sites, Players, Sources or Persons; empty without the table."""
    if not column_names(connection, table):
        return {}
    return dict(connection.execute(f"SELECT ID, {column} FROM {table}"))


def listed_facts(connection: apsw.Connection) -> dict[int, Row]:
    """Return (Sex, Rating, Rapid, Blitz, Flag) of players in the FIDE list, by player ID."""
    if not column_names(connection, "Persons"):
        return {}
    sql = (
        "SELECT Persons.ID, Sex, Rating, Rapid, Blitz, Flag FROM Persons "
        "JOIN FidePlayers USING (FideID)"
    )
    return {person_id: tuple(facts) for person_id, *facts in connection.execute(sql)}


def listed_aliases(connection: apsw.Connection) -> Iterator[Row]:
    """Yield (Alias, Probability, FideID, Name, PersonID) of listed players, by FIDE ID."""
    if not column_names(connection, "FideAliases"):
        return iter(())
    sql = (
        "SELECT Alias, Probability, FideID, FidePlayers.Name, Persons.ID FROM FideAliases "
        "JOIN FidePlayers USING (FideID) LEFT JOIN Persons USING (FideID) ORDER BY FideID"
    )
    return iter(connection.execute(sql))
