"""SQL on the user's decisions about names, and on players as they are without them.

While there are decisions, UndecidedPersons and UndecidedResolutions hold the players that were
found without them, and UndecidedSides those of the sides of games that decisions may change. All
writes belong to the transaction of the caller.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import apsw

from ocgdedup.model import DecidedName, NameDecision
from ocgdedup.store.connection import column_names, has_rows, id_list
from ocgdedup.store.games import GAME_TABLES, Row
from ocgdedup.store.merges import restore_headers, save_headers
from ocgdedup.store.names import read_state, write_state
from ocgdedup.store.players import (
    FilledFields,
    Person,
    Resolution,
    newest_ids,
    stored_persons,
    stored_resolutions,
)
from ocgdedup.wording import SWAPPED

APPLIED_STATE = (
    "Applied name decisions"  # in Info: the decisions and games to which they were applied
)
ARE_APPLIED = f"EXISTS (SELECT 1 FROM Info WHERE Name = '{APPLIED_STATE}')"  # in SQL
_SELECT = "SELECT Decision, Name, GameID, OtherName, OtherGameID FROM NameDecisions ORDER BY ID"
_INSERT = (
    "INSERT INTO NameDecisions (Decision, Name, GameID, OtherName, OtherGameID, DecidedAt) "
    "VALUES (?, ?, ?, ?, ?, strftime('%Y-%m-%dT%H:%M:%SZ'))"
)
_DELETE = (
    "DELETE FROM NameDecisions WHERE Decision = ? AND Name = ? AND GameID IS ? "
    "AND OtherName = ? AND OtherGameID IS ?"
)
_COPIED = ("Persons", "Resolutions")
# Tables with players of games, the name of the ID, and the table with the sources of merged names.
_TABLES = (
    ("UnmergedHeaders", "GameID", None),
    ("RemovedGames", "ID", None),
    ("Games", "ID", "MergedTags"),
)
_SELECT_ROWS = """
    SELECT {id}, Date, ExtraTags, WhiteElo, BlackElo, coalesce(BackFilled, 0),
        WhiteID, BlackID, WhitePersonID, BlackPersonID, CoreHash, {white_source}, {black_source}
    FROM {table}
    WHERE WhiteID IN (SELECT value FROM json_each(?1))
        OR BlackID IN (SELECT value FROM json_each(?1))
    ORDER BY 1
"""
_SOURCE = "(SELECT FromGameID FROM {tags} WHERE GameID = {table}.{id} AND Tag = '{side}')"


def name_decisions(connection: apsw.Connection) -> list[NameDecision]:
    """Return the decisions in their order; none in a database of an older version."""
    if not column_names(connection, "NameDecisions"):
        return []
    return [
        NameDecision(decision, DecidedName(name, game), DecidedName(other, other_game))
        for decision, name, game, other, other_game in connection.execute(_SELECT)
    ]


def write_name_decisions(connection: apsw.Connection, decisions: Sequence[NameDecision]) -> None:
    """Replace the stored decisions by these; a decision that stays keeps its time."""
    stored, kept = (dict.fromkeys(rows) for rows in (name_decisions(connection), decisions))
    connection.executemany(_DELETE, (_values(row) for row in stored if row not in kept))
    connection.executemany(_INSERT, (_values(row) for row in kept if row not in stored))


def _values(row: NameDecision) -> Row:
    return (row.decision, *row.name, *row.other)


# --- players without the decisions ----------------------------------------------------------------


class Side(NamedTuple):
    """The player of a side without the decisions, and the bits of its filled-in fields."""

    person_id: int | None
    filled: int


class Undecided(NamedTuple):
    """The players that were found without the decisions; `sides` by game, side and name."""

    persons: dict[int, Person]
    resolutions: list[Resolution]
    sides: dict[tuple[int, int, int], Side]


def are_applied(connection: apsw.Connection) -> bool:
    """Return whether decisions have changed who played; reads a database of any version."""
    return read_state(connection, APPLIED_STATE) is not None


def are_current(connection: apsw.Connection, decisions: Sequence[NameDecision]) -> bool:
    """Return whether these decisions were applied to all games."""
    state = _state(connection, decisions) if decisions else None
    return read_state(connection, APPLIED_STATE) == state


def note_applied(connection: apsw.Connection, decisions: Sequence[NameDecision]) -> None:
    """Store that these decisions were applied to all games."""
    write_state(connection, APPLIED_STATE, _state(connection, decisions) if decisions else None)


def _state(connection: apsw.Connection, decisions: Sequence[NameDecision]) -> str:
    digest = hashlib.sha256(repr(list(map(_values, decisions))).encode()).hexdigest()[:16]
    return f"{newest_ids(connection)} {digest}"


def undecided(connection: apsw.Connection) -> Undecided:
    """Return the players as they are without the decisions."""
    copy = "Undecided" if are_applied(connection) else ""
    sides = connection.execute(
        "SELECT GameID, Side, PlayerID, PersonID, BackFilled FROM UndecidedSides"
    )
    return Undecided(
        {row.person_id: row for row in stored_persons(connection, copy)},
        list(stored_resolutions(connection, copy)),
        {row[:3]: Side(row[3], row[4] or 0) for row in sides} if copy else {},
    )


def save_undecided(connection: apsw.Connection) -> None:
    """Copy the players before decisions change them for the first time."""
    for table in _COPIED:
        connection.execute(f"INSERT INTO Undecided{table} SELECT * FROM {table}")


def add_undecided(connection: apsw.Connection) -> None:
    """Copy the players without decisions to the present ones, where these are missing."""
    for table in _COPIED:
        connection.execute(f"INSERT OR IGNORE INTO {table} SELECT * FROM Undecided{table}")


def save_sides(connection: apsw.Connection, sides: Mapping[tuple[int, int, int], Side]) -> None:
    """Store sides as they are without the decisions."""
    connection.executemany(
        "INSERT OR IGNORE INTO UndecidedSides VALUES (?, ?, ?, ?, ?)",
        ((*key, *side) for key, side in sides.items()),
    )


def forget_undecided(connection: apsw.Connection) -> None:
    """Drop the players without the decisions, once they are those of all games again."""
    for table in (*_COPIED, "Sides"):
        connection.execute(f"DELETE FROM Undecided{table}")


# --- the sides of games ---------------------------------------------------------------------------


SidePlayers = tuple[int | None, int | None]  # of White and Black


class NamedGame(NamedTuple):
    """A game in one of the tables; `sources`: the games from which the names were merged."""

    game_id: int
    fields: FilledFields
    players: tuple[int | None, int | None]
    persons: SidePlayers
    core_hash: int | None
    sources: tuple[int | None, int | None]


def decided_games(
    connection: apsw.Connection, player_ids: Collection[int]
) -> Iterator[tuple[str, list[NamedGame]]]:
    """Yield each table with its games that have one of some names, own names before merged ones."""
    for table, key, tags in _TABLES:
        white, black = (
            _SOURCE.format(tags=tags, table=table, id=key, side=side) if tags else "NULL"
            for side in ("White", "Black")
        )
        sql = _SELECT_ROWS.format(table=table, id=key, white_source=white, black_source=black)
        rows: list[Row] = connection.execute(sql, (id_list(player_ids),)).fetchall()
        yield (
            table,
            [
                NamedGame(row[0], FilledFields(*row[1:6]), row[6:8], row[8:10], row[10], row[11:])
                for row in rows
            ],
        )


class GroupedGame(NamedTuple):
    """A game of a duplicate group; `is_exchanged`: its players have each other's colours."""

    game_id: int
    kept_id: int
    is_exchanged: bool


def grouped_games(connection: apsw.Connection, ids: Collection[int]) -> Iterator[GroupedGame]:
    """Yield those of some games that are in groups, kept games included, by game ID."""
    sql = (
        "SELECT GameID, DuplicateGroup, DuplicateReason IS ? FROM DuplicateFlags "
        "WHERE GameID IN (SELECT value FROM json_each(?)) ORDER BY GameID"
    )
    for game_id, kept_id, is_exchanged in connection.execute(sql, (SWAPPED, id_list(ids))):
        yield GroupedGame(game_id, kept_id, bool(is_exchanged))


def names_of_kept_games(connection: apsw.Connection, player_ids: Collection[int]) -> set[int]:
    """Return the names that kept games have where a record of their group has one of some names."""
    named = " UNION ALL ".join(
        f"SELECT {key} AS GameID, {side} AS Side FROM {table} "
        f"WHERE {name} IN (SELECT value FROM json_each(?1))"
        for table, key in (("Games", "ID"), ("RemovedGames", "ID"), ("UnmergedHeaders", "GameID"))
        for side, name in enumerate(("WhiteID", "BlackID"))
    )
    sql = (
        "SELECT DISTINCT iif(Side = (DuplicateReason IS ?2), Kept.WhiteID, Kept.BlackID) "
        f"FROM ({named}) JOIN DuplicateFlags USING (GameID) "
        "JOIN {} AS Kept ON Kept.{} = DuplicateGroup"
    )
    names: set[int] = set()
    if has_rows(connection, "DuplicateFlags"):
        for table, key in (("Games", "ID"), ("UnmergedHeaders", "GameID")):
            rows = connection.execute(sql.format(table, key), (id_list(player_ids), SWAPPED))
            names.update(name for (name,) in rows if name is not None)
    return names


def save_kept_games(connection: apsw.Connection, ids: Collection[int]) -> None:
    """Save the headers of kept games before they get players of other records.

    HeaderOptimized becomes 2 if nothing else is merged into a game.
    """
    chosen = id_list(ids)
    connection.execute(
        "UPDATE Games SET HeaderOptimized = 2 WHERE ID IN (SELECT value FROM json_each(?)) "
        "AND ID NOT IN (SELECT GameID FROM UnmergedHeaders)",
        (chosen,),
    )
    save_headers(connection, chosen)


def restore_kept_games(connection: apsw.Connection) -> dict[int, SidePlayers]:
    """Restore the headers of games into which only players were merged; return their players."""
    sql = (
        "SELECT ID, Games.WhitePersonID, Games.BlackPersonID FROM UnmergedHeaders "
        "CROSS JOIN Games ON ID = GameID WHERE Games.HeaderOptimized = 2"
    )
    players = {row[0]: (row[1], row[2]) for row in connection.execute(sql)}
    restore_headers(connection, id_list(players))
    return players


def write_games(connection: apsw.Connection, table: str, games: Iterable[NamedGame]) -> None:
    """Set filled-in fields, players and CoreHash of games."""
    key = "ID" if table in GAME_TABLES else "GameID"
    connection.executemany(
        f"UPDATE {table} SET ExtraTags = ?, WhiteElo = ?, BlackElo = ?, BackFilled = ?, "
        f"WhitePersonID = ?, BlackPersonID = ?, CoreHash = ? WHERE {key} = ?",
        (
            (*game.fields[1:4], game.fields[4] or None, *game.persons, game.core_hash, game.game_id)
            for game in games
        ),
    )


def ids_of_names(connection: apsw.Connection, names: Collection[str]) -> dict[str, int]:
    """Return the IDs of those names that the database has."""
    sql = "SELECT Name, ID FROM Players WHERE Name IN (SELECT value FROM json_each(?))"
    return dict(connection.execute(sql, (json.dumps(list(names)),)))


def texts_of_names(connection: apsw.Connection, ids: Iterable[int]) -> dict[int, str]:
    """Return the names with some IDs."""
    sql = "SELECT ID, Name FROM Players WHERE ID IN (SELECT value FROM json_each(?))"
    return dict(connection.execute(sql, (id_list(ids),)))


def names_of_game(connection: apsw.Connection, game_id: int) -> tuple[str, ...]:
    """Return the names of a game as imported and as merged; none for an unknown game."""
    names: dict[str, None] = {}
    for table, key in (("UnmergedHeaders", "GameID"), ("Games", "ID"), ("RemovedGames", "ID")):
        sql = f"SELECT Name FROM Players JOIN {table} AS Game ON Players.ID IN (WhiteID, BlackID) "
        rows = connection.execute(f"{sql} WHERE Game.{key} = ? ORDER BY Name", (game_id,))
        names.update((name, None) for (name,) in rows)
    return tuple(names)


def players_of_names(
    connection: apsw.Connection, names: Iterable[tuple[int, int | None]]
) -> set[int]:
    """Return the players of names, given by name ID and game (None: in all games).

    They are the players of whole names; those of single games only if a name has no other player.
    """
    players: set[int] = set()
    by_name = "SELECT PersonID FROM Resolutions WHERE PlayerID = ? AND Scope = ?"
    for name, game_id in names:
        if game_id is not None:
            players.update(_players_in_game(connection, name, game_id))
            continue
        rows: list[Row] = connection.execute(by_name, (name, "name")).fetchall()
        rows = rows or connection.execute(by_name, (name, "game")).fetchall()
        players.update(row[0] for row in rows)
    return players


def players_of_decided_names(
    connection: apsw.Connection, names: Collection[DecidedName], among: Collection[int]
) -> dict[DecidedName, int]:
    """Return the player of each name whose player is one of some, by player ID."""
    ids = ids_of_names(connection, {name.name for name in names})
    sql = (
        "SELECT PlayerID, PersonID FROM Resolutions WHERE Scope = 'name' "
        "AND PersonID IN (SELECT value FROM json_each(?)) ORDER BY PersonID"
    )
    by_name = dict(connection.execute(sql, (id_list(among),)))
    found: dict[DecidedName, int] = {}
    for name in names if among else ():
        player = ids.get(name.name, 0)
        persons: Iterable[int] = [by_name[player]] if player in by_name else []
        if name.game_id is not None:
            persons = _players_in_game(connection, player, name.game_id)
        found.update((name, person) for person in persons if person in among)
    return found


def _players_in_game(connection: apsw.Connection, name: int, game_id: int) -> Iterator[int]:
    for table, key in (("UnmergedHeaders", "GameID"), ("Games", "ID"), ("RemovedGames", "ID")):
        for side in ("White", "Black"):
            sql = (
                f"SELECT {side}PersonID FROM {table} WHERE {key} = ? AND {side}ID = ? "
                f"AND {side}PersonID IS NOT NULL"
            )
            for (person_id,) in connection.execute(sql, (game_id, name)):
                yield int(person_id)


def names_in_kept_games(
    connection: apsw.Connection, names: Iterable[DecidedName], kept: Mapping[int, int]
) -> dict[DecidedName, DecidedName]:
    """Return the names that kept games have in place of names in deleted games.

    `kept`: the kept game of each deleted one.
    """
    sql = (
        "SELECT Other.Name FROM RemovedGames AS Game JOIN DuplicateFlags ON GameID = Game.ID "
        "JOIN Games AS Kept ON Kept.ID = ?3 JOIN Players AS Other ON Other.ID = "
        "iif(?4 = (DuplicateReason IS ?5), Kept.WhiteID, Kept.BlackID) "
        "JOIN Players AS Named ON Named.ID = {}ID WHERE Game.ID = ?1 AND Named.Name = ?2"
    )
    found: dict[DecidedName, DecidedName] = {}
    for name in names:
        kept_id = kept[name.game_id or 0]
        for side, colour in enumerate(("Game.White", "Game.Black")):
            values = (name.game_id, name.name, kept_id, side, SWAPPED)
            for (text,) in connection.execute(sql.format(colour), values):
                found[name] = DecidedName(text, kept_id)
    return found


def has_decisions(connection: apsw.Connection) -> bool:
    """Return whether there is a decision; reads a database of any version."""
    return has_rows(connection, "NameDecisions")
