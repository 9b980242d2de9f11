"""SQL on players, on the names that refer to them, and on who played each game.

All writes belong to the transaction of the caller. Other modules decide what a name means.
"""

# Not `from __future__ import annotations`: a named tuple would compile each annotation.
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

import apsw

from ocgdedup.store import games
from ocgdedup.store.connection import column_names, id_list
from ocgdedup.store.duplicates import mark_stale
from ocgdedup.store.games import Row
from ocgdedup.store.names import PLAYERS_STATE, read_state, write_state

_OTHER_STATE = "changed"  # no state of a real run, so that the next run resolves all names again
_HIGHEST_ID = "Highest person ID"  # in Info: highest ID ever used, so that no ID is reused
_SELECT_NAMES = """
    SELECT Players.ID, Players.Name, sum(Sides.Games) FROM ({sides}) AS Sides
    JOIN Players ON Players.ID = Sides.PlayerID
    GROUP BY Players.ID ORDER BY Players.Name
"""
_SIDES = (
    "SELECT WhiteID AS PlayerID, count(*) AS Games FROM {table} GROUP BY WhiteID "
    "UNION ALL SELECT BlackID, count(*) FROM {table} GROUP BY BlackID"
)
_WHO_PLAYED = (
    "SELECT WhiteID AS PlayerID, WhitePersonID AS PersonID FROM {table} "
    "UNION SELECT BlackID, BlackPersonID FROM {table}"
)
_SELECT_MERGES = """
    WITH Sides AS (
        SELECT WhiteID AS PlayerID, WhitePersonID AS PersonID FROM Games
        UNION ALL SELECT BlackID, BlackPersonID FROM Games
    ), Counted AS (
        SELECT PlayerID, PersonID, count(*) AS Games FROM Sides
        WHERE PersonID IS NOT NULL GROUP BY PlayerID, PersonID
    )
    SELECT Players.Name, coalesce(Counted.Games, 0), Persons.Name, Persons.FideID, Scope, Stage,
        Score, Reason
    FROM Resolutions JOIN Persons ON Persons.ID = Resolutions.PersonID
    JOIN Players ON Players.ID = Resolutions.PlayerID
    LEFT JOIN Counted ON Counted.PlayerID = Resolutions.PlayerID
        AND Counted.PersonID = Resolutions.PersonID
    {where}
    ORDER BY Persons.Name, Persons.ID, Players.Name
"""
# In one SELECT without subqueries, SQLite would read all rows.
_COUNT_AND_LAST = "SELECT (SELECT count(*) FROM {table}), (SELECT max(ID) FROM {table})"
_SELECT_GAMES = (
    "SELECT ID, WhiteID, BlackID, WhitePersonID, BlackPersonID, CoreHash, BackFilled FROM {table} "
    "WHERE ID > ? ORDER BY ID LIMIT ?"
)
_SAVE_GAME = (
    "INSERT OR IGNORE INTO UndoGames (GameID, WhitePersonID, BlackPersonID, CoreHash, BackFilled) "
    "VALUES (?, ?, ?, ?, ?)"
)


class Person(NamedTuple):
    """A player; later runs keep the ID for the same player and never reuse it."""

    person_id: int
    name: str
    fide_id: int | None
    title: str | None
    country: str | None
    birth_year: int | None


class Resolution(NamedTuple):
    """A name that refers to a player: in "name" scope always, in "game" scope in some games."""

    player_id: int
    person_id: int
    scope: str
    stage: str
    score: float | None
    reason: str | None
    probability: float


class GamePersons(NamedTuple):
    """Who played: by name, with exceptions by game and side (0 White, 1 Black).

    Each name in games without a player needs its key, and so does each player.
    """

    by_name: Mapping[int, int | None]
    by_game: Mapping[tuple[int, int], int | None]
    key_of_name: Mapping[int, str]
    key_of_person: Mapping[int, str]


def distinct_names(connection: apsw.Connection) -> Iterator[tuple[int, str, int]]:
    """Yield (name ID, name, games) of all names that have games, by name, including the empty one.

    Removed games count: their names are resolved like all others.
    """
    sides = games.kept_and_removed(connection, _SIDES)
    return iter(connection.execute(_SELECT_NAMES.format(sides=sides)))


def stored_persons(connection: apsw.Connection) -> Iterator[Person]:
    """Yield the players by ID; none in a database of OCGDB."""
    if not column_names(connection, "Persons"):
        return iter(())
    sql = "SELECT ID, Name, FideID, Title, Country, BirthYear FROM Persons ORDER BY ID"
    return map(Person._make, connection.execute(sql))


def sure_names(connection: apsw.Connection, probability: float) -> Iterator[tuple[int, int, str]]:
    """Yield (name ID, player ID, name in the FIDE list) of the names that certainly are a player's.

    Names that are only similar to his are left out, since one in fifty belongs to another player
    who is not in the list. None in a database without a FIDE list.
    """
    if not column_names(connection, "Resolutions"):
        return iter(())
    sql = (
        "SELECT PlayerID, PersonID, FidePlayers.Name FROM Resolutions "
        "JOIN Persons ON Persons.ID = PersonID JOIN FidePlayers ON FidePlayers.FideID = "
        "Persons.FideID "
        "WHERE Probability >= ? AND Stage <> 'similarity' AND FidePlayers.Name <> ''"
    )
    return iter(connection.execute(sql, (probability,)))


def write_persons(connection: apsw.Connection, persons: Iterable[Person]) -> None:
    """Replace the stored players by these; store the highest ID."""
    connection.execute("DELETE FROM Persons")
    connection.executemany(
        "INSERT INTO Persons (ID, Name, FideID, Title, Country, BirthYear) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        persons,
    )
    highest = next_person_id(connection) - 1
    if highest:
        write_state(connection, _HIGHEST_ID, str(highest))


def next_person_id(connection: apsw.Connection) -> int:
    """Return one more than the highest player ID that was ever used."""
    sql = (
        "SELECT max(coalesce((SELECT max(ID) FROM Persons), 0), "
        "coalesce((SELECT CAST(Value AS INTEGER) FROM Info WHERE Name = ?), 0))"
    )
    return int(connection.execute(sql, (_HIGHEST_ID,)).get) + 1


def stored_resolutions(connection: apsw.Connection) -> Iterator[Resolution]:
    """Yield the resolutions by player ID and person ID; none in a database of OCGDB."""
    if not column_names(connection, "Resolutions"):
        return iter(())
    sql = (
        "SELECT PlayerID, PersonID, Scope, Stage, Score, Reason, Probability FROM Resolutions "
        "ORDER BY PlayerID, PersonID"
    )
    return map(Resolution._make, connection.execute(sql))


def write_resolutions(connection: apsw.Connection, rows: Iterable[Resolution]) -> None:
    """Replace the stored resolutions by these."""
    connection.execute("DELETE FROM Resolutions")
    connection.executemany(
        "INSERT INTO Resolutions (PlayerID, PersonID, Scope, Stage, Score, Reason, Probability) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        rows,
    )


def newest_ids(connection: apsw.Connection) -> str:
    """Return a text that changes with each new game and each new name.

    A removed game is not new, and does not make others new.
    """
    limits = {
        table: connection.execute(_COUNT_AND_LAST.format(table=table)).get
        for table in ("Players", *games.tables_with_games(connection))
    }
    count, last = limits["Games"]
    if "RemovedGames" in limits:
        removed_count, last_removed = limits["RemovedGames"]
        count, last = count + removed_count, max(last or 0, last_removed)
    return ",".join(map(str, (count, last, *limits["Players"])))


def newest_game(state: str) -> int:
    """Return the highest game ID in a text that begins like newest_ids(); 0 if it does not."""
    ids = re.match("[0-9]+,([0-9]{1,18}),", state)
    return 0 if ids is None else int(ids[1])


def names_of_one_person(connection: apsw.Connection) -> dict[int, int]:
    """Return the player of each name, by name ID, all of whose games one player played."""
    sides = " UNION ".join(
        _WHO_PLAYED.format(table=name) for name in games.tables_with_games(connection)
    )
    sql = (
        f"SELECT PlayerID, min(PersonID) FROM ({sides}) "
        "GROUP BY PlayerID HAVING count(*) = 1 AND min(PersonID) IS NOT NULL"
    )
    return dict(connection.execute(sql))


def persons_of_games(
    connection: apsw.Connection, ids: Collection[int]
) -> dict[int, tuple[int | None, int | None]]:
    """Return the player IDs of White and Black, by game ID."""
    sql = (
        "SELECT ID, WhitePersonID, BlackPersonID FROM Games "
        "WHERE ID IN (SELECT value FROM json_each(?))"
    )
    return {row[0]: row[1:] for row in connection.execute(sql, (id_list(ids),))}


def count_persons(connection: apsw.Connection) -> tuple[int, int]:
    """Return the number of players, and of players with a FIDE ID."""
    counts: tuple[int, int]
    counts = connection.execute("SELECT count(*), count(FideID) FROM Persons").get
    return counts


def count_games_with_both(connection: apsw.Connection) -> int:
    """Return the number of games of which both sides are resolved."""
    sql = "SELECT count(*) FROM Games WHERE WhitePersonID IS NOT NULL AND BlackPersonID IS NOT NULL"
    return int(connection.execute(sql).get)


def merges(connection: apsw.Connection) -> Iterator[Row]:
    """Yield (name, games, person, FIDE ID, scope, stage, score, reason) by person, then name."""
    return iter(connection.execute(_SELECT_MERGES.format(where="")))


def merges_of_name(connection: apsw.Connection, name: str) -> Iterator[Row]:
    """Yield the rows of merges() for one name."""
    return iter(connection.execute(_SELECT_MERGES.format(where="WHERE Players.Name = ?"), (name,)))


def build_person_indexes(connection: apsw.Connection) -> None:
    """Build the indexes on the columns that resolving players writes."""
    games.build_indexes(connection, ("GamesCoreHash",))


def write_game_persons(connection: apsw.Connection, who: GamePersons) -> int:
    """Set WhitePersonID, BlackPersonID and CoreHash of all games; return the number of changes.

    Removed games are included. Previous values of changed games go to UndoGames. Raises KeyError if
    a name or a player of a game has no key.
    """
    changed = 0
    for table in games.tables_with_games(connection):
        for rows in games.games_in_ranges(connection, _SELECT_GAMES.format(table=table)):
            changes, before = [], []
            for game_id, white_id, black_id, *stored, back_filled in rows:
                white = _side(who, game_id, 0, white_id)
                black = _side(who, game_id, 1, black_id)
                current = [white[0], black[0], games.core_hash(white[1], black[1])]
                if current != stored:
                    changes.append((*current, game_id))
                    before.append((game_id, *stored, back_filled))
            save_games(connection, before)
            games.update_games(
                connection, ("WhitePersonID", "BlackPersonID", "CoreHash"), changes, table
            )
            changed += len(changes)
    return changed


def _side(
    who: GamePersons, game_id: int, side: int, player_id: int | None
) -> tuple[int | None, str]:
    """Return player and key of one side of a game."""
    if player_id is None:  # only in files of OCGDB
        return None, ""
    place = game_id, side
    person = who.by_game[place] if place in who.by_game else who.by_name.get(player_id)
    return person, who.key_of_name[player_id] if person is None else who.key_of_person[person]


def save_games(connection: apsw.Connection, rows: Iterable[Row]) -> None:
    """Store (game ID, WhitePersonID, BlackPersonID, CoreHash, BackFilled) for undo.

    Of two rows for a game the first counts, which is from before the resolving.
    """
    connection.executemany(_SAVE_GAME, rows)


def forget_wrong_persons(connection: apsw.Connection) -> int:
    """Clear the player of a side if he does not exist or does not have the name.

    CoreHash is cleared with the player. Returns the number of games, including removed games and
    headers from before a merge. If there are any, the next run of `players` resolves all names
    again.
    """
    wrong = 0
    for table in ("Games", "RemovedGames", "UnmergedHeaders"):
        settings = ", ".join(
            f"{side}PersonID = CASE WHEN {has_wrong_person(side)} THEN NULL ELSE {side}PersonID END"
            for side in ("White", "Black")
        )
        connection.execute(
            f"UPDATE {table} SET {settings}, CoreHash = NULL "
            f"WHERE {has_wrong_person('White')} OR {has_wrong_person('Black')}"
        )
        wrong += connection.changes()
    if wrong:
        judge_players_anew(connection)
        mark_stale(connection)
    return wrong


def has_wrong_person(side: str) -> str:
    """Return the SQL condition that no resolution of the name on a side is its player."""
    return (
        f"({side}PersonID IS NOT NULL AND NOT EXISTS (SELECT 1 FROM Resolutions "
        f"JOIN Persons ON Persons.ID = Resolutions.PersonID "
        f"WHERE PlayerID = {side}ID AND PersonID = {side}PersonID))"
    )


def judge_players_anew(connection: apsw.Connection) -> None:
    """Make the next run of `players`, if names were resolved before, resolve all names again."""
    if read_state(connection, PLAYERS_STATE) is not None:
        write_state(connection, PLAYERS_STATE, _OTHER_STATE)
