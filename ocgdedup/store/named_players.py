"""SQL that looks up players by their names: names in games, resolved players, lists of aliases.

Reads databases of OCGDB too, which have no resolved players. Must not know when two names may mean
the same player.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import apsw

from ocgdedup.store.canonical_names import open_names
from ocgdedup.store.connection import column_names, id_list

YEAR = "CASE WHEN Date GLOB '[0-9][0-9][0-9][0-9]*' THEN CAST(substr(Date, 1, 4) AS INTEGER) END"


class PlayerKeys(NamedTuple):
    """The IDs of Players and of Persons that a name refers to."""

    names: frozenset[int]
    persons: frozenset[int]


class NamedPlayers(NamedTuple):
    """Names by ID, the names that are written for unresolved ones, and resolved players by ID.

    `persons`: name and FIDE ID; `resolved`: (name ID, player ID, whether in all games but
    exceptions).
    """

    names: dict[int, str]
    open_names: dict[int, str]
    persons: dict[int, tuple[str, int | None]]
    resolved: list[tuple[int, int, bool]]


class CareerSpan(NamedTuple):
    """The number of games of a player, with the first and the last year, None if unknown."""

    games: int = 0
    first: int | None = None
    last: int | None = None


def all_players(connection: apsw.Connection) -> NamedPlayers:
    """Return the names and players of a database."""
    names = dict(connection.execute("SELECT ID, Name FROM Players WHERE Name <> ''"))
    if not column_names(connection, "Persons"):
        return NamedPlayers(names, {}, {}, [])
    rows = connection.execute("SELECT ID, Name, FideID FROM Persons")
    persons = {person_id: (name, fide_id) for person_id, name, fide_id in rows}
    rows = connection.execute("SELECT PlayerID, PersonID, Scope = 'name' FROM Resolutions")
    resolved = [(name_id, person_id, bool(is_all)) for name_id, person_id, is_all in rows]
    return NamedPlayers(names, open_names(connection), persons, resolved)


def career_spans(
    connection: apsw.Connection, candidates: Collection[PlayerKeys]
) -> list[CareerSpan]:
    """Return games and years of each candidate; a game of a resolved player is that player's."""
    has_persons = "WhitePersonID" in column_names(connection, "Games")
    sides = " UNION ALL ".join(
        f"SELECT {side}ID AS Name, {f'{side}PersonID' if has_persons else 'NULL'} AS Person, "
        f"{YEAR} AS Year FROM Games"
        for side in ("White", "Black")
    )
    among = "IN (SELECT value FROM json_each(?))"
    sql = (
        f"SELECT Name, Person, count(*), min(Year), max(Year) FROM ({sides}) "
        f"WHERE Name {among} OR Person {among} GROUP BY 1, 2"
    )
    by_name = {key: index for index, keys in enumerate(candidates) for key in keys.names}
    by_person = {key: index for index, keys in enumerate(candidates) for key in keys.persons}
    spans = [CareerSpan()] * len(candidates)
    for name, person, *span in connection.execute(sql, (id_list(by_name), id_list(by_person))):
        index = by_name.get(name) if person is None else by_person.get(person)
        if index is not None:
            spans[index] = _joined(spans[index], CareerSpan(*span))
    return spans


def _joined(left: CareerSpan, right: CareerSpan) -> CareerSpan:
    years = [year for year in (*left[1:], *right[1:]) if year is not None]
    return CareerSpan(left.games + right.games, min(years, default=None), max(years, default=None))


def name_aliases(connection: apsw.Connection) -> list[tuple[str, str]]:
    """Return (alias, name) of the lists of names in the database."""
    if not column_names(connection, "NameAliases"):
        return []
    return list(connection.execute("SELECT Alias, Name FROM NameAliases"))
