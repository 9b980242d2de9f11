"""SQL on the names that are written for players and for open names, and on their FIDE IDs.

All writes belong to the transaction of the caller.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

import apsw

from ocgdedup.store.connection import column_names, has_rows, id_list
from ocgdedup.store.games import as_imported
from ocgdedup.store.names import PLAYERS_STATE, read_state
from ocgdedup.store.players import SideCounts, count_sides, fide_number
from ocgdedup.thresholds import SURE_PROBABILITY

_SELECT_SURE = (
    "SELECT PlayerID, PersonID, Persons.Name, coalesce(FideID, 0), Scope FROM Resolutions "
    "JOIN Persons ON Persons.ID = PersonID WHERE Probability >= ?"
)
_AMONG = " AND {column} IN (SELECT value FROM json_each(?))"
_OF_GAMES = "FROM Games WHERE ID IN (SELECT value FROM json_each(?1))"
_SELECT_NAMES = f"SELECT WhiteID {_OF_GAMES} UNION SELECT BlackID {_OF_GAMES}"
_SELECT_FIDE_IDS = f"""
    SELECT DISTINCT Tags.value
    FROM (SELECT iif(json_valid(ExtraTags), ExtraTags, '{{}}') AS ExtraTags {_OF_GAMES}) AS Game
    JOIN json_each(Game.ExtraTags) AS Tags
    WHERE lower(Tags.key) IN ('whitefideid', 'blackfideid')
"""
_SELECT_SIDES = "SELECT WhiteID, BlackID, WhitePersonID, BlackPersonID, ExtraTags FROM {table}"


class SureName(NamedTuple):
    """A name that surely means a player, and the player's canonical name.

    `fide_id`: 0 for none. `scope`: "name" in all games but exceptions, "game" in some games.
    """

    player_id: int
    person_id: int
    name: str
    fide_id: int
    scope: str


def sure_names(
    connection: apsw.Connection, ids: Collection[int] | None = None, *, column: str = "PlayerID"
) -> Iterator[SureName]:
    """Yield the names that surely mean a player; none if no names were resolved.

    `ids`: only the names with these values of `column`, PlayerID or FideID; None for all names.
    A name that is only similar to a listed one is not sure: one in fifty belongs to an unlisted
    player.
    """
    if not column_names(connection, "Resolutions"):
        return iter(())
    rows = connection.execute(*_among(_SELECT_SURE, column, ids, SURE_PROBABILITY))
    return map(SureName._make, rows)


def are_resolved(connection: apsw.Connection) -> bool:
    """Return whether names were resolved; reads a database of any version."""
    is_resolved = read_state(connection, PLAYERS_STATE) is not None
    return is_resolved or has_rows(connection, "Persons")


def count_games(connection: apsw.Connection) -> tuple[SideCounts, SideCounts]:
    """Count games by (name ID, player ID or 0), and by (name ID, FIDE ID).

    Deleted games and filled-in IDs are included. Headers are those before merges.
    """
    return count_sides(connection, as_imported(connection, _SELECT_SIDES))


class NamesOfGames(NamedTuple):
    """The IDs of the names of some games, and the FIDE IDs in their tags."""

    players: Collection[int]
    fide_ids: Collection[int]


def names_of_games(connection: apsw.Connection, ids: Collection[int]) -> NamesOfGames:
    """Return the names and FIDE IDs of games that are not deleted."""
    chosen = id_list(ids)
    players = {row[0] for row in connection.execute(_SELECT_NAMES, (chosen,))}
    fide_ids = {fide_number(row[0]) for row in connection.execute(_SELECT_FIDE_IDS, (chosen,))}
    return NamesOfGames(players - {None}, fide_ids - {0})


def write_open_names(connection: apsw.Connection, spellings: Mapping[int, str]) -> None:
    """Replace the spellings of open names, given by name ID."""
    connection.execute("DELETE FROM OpenNames")
    connection.executemany(
        "INSERT INTO OpenNames (PlayerID, Spelling) VALUES (?, ?)", spellings.items()
    )


def write_names_of_ids(connection: apsw.Connection, names: Mapping[int, str]) -> None:
    """Replace the names beside which the FIDE IDs of games are written."""
    connection.execute("DELETE FROM FideIDNames")
    connection.executemany("INSERT INTO FideIDNames (FideID, Name) VALUES (?, ?)", names.items())


def open_names(connection: apsw.Connection, ids: Collection[int] | None = None) -> dict[int, str]:
    """Return the spellings of open names by name ID, where they differ; None for all IDs."""
    if not column_names(connection, "OpenNames"):
        return {}
    sql = "SELECT PlayerID, Spelling FROM OpenNames WHERE true"
    return dict(connection.execute(*_among(sql, "PlayerID", ids)))


def names_of_ids(connection: apsw.Connection, ids: Collection[int] | None = None) -> dict[int, str]:
    """Return the name beside which each FIDE ID is written; None for all IDs."""
    sure = sure_names(connection, ids, column="FideID")
    names = {row.fide_id: row.name for row in sure if row.fide_id}
    if column_names(connection, "FideIDNames"):
        sql = "SELECT FideID, Name FROM FideIDNames WHERE true"
        names |= dict(connection.execute(*_among(sql, "FideID", ids)))
    return names


def _among(
    sql: str, column: str, ids: Collection[int] | None, *values: float
) -> tuple[str, tuple[float | str, ...]]:
    """Return a query and its values, restricted to IDs if they are given."""
    if ids is None:
        return sql, values
    return sql + _AMONG.format(column=column), (*values, id_list(ids))
