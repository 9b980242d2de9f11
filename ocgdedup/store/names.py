"""SQL on Events, Sites, Players and Info."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import apsw

from ocgdedup.game_kind import CHESS, GAME_KINDS, GameKind
from ocgdedup.store.connection import count_rows

FILE_STATE = "Duplicates unchanged since"  # in Info: the file after the last run of dedup
CHOICES_STATE = "Duplicates chosen by hand"  # in Info: choices of kept games at the last search
VERDICTS_STATE = "Verdicts rest on"  # in Info: options, highest ID of a game, CRC-32
CHANGED_STATE = "Verdicts without"  # in Info: games that players changed since, see Verdicts
SEARCH_TOKEN = "Search files of"  # in Info: a search, and the count in FILE_STATE
NEW_GAMES_STATE = "New games of run"  # in Info: the first ID, and whether the run has not finished
OUTPUTS_STATE = "Files written by run"  # in Info: outputs of the last runs, as they were then
# Examples of the values of Info that are JSON and can be derived again.
JSON_STATES: dict[str, object] = {
    FILE_STATE: {
        "left": [True, 1, 1, {"exact": 1}, 1, 1, 1],
        "result": [True, 1, 1, {"exact": 1}, 1],  # of older versions, in place of "left"
        "verdicts": True,
        "file": [1],
    },
    CHOICES_STATE: [[1, 2]],
    VERDICTS_STATE: ["options", 1, 1],
    SEARCH_TOKEN: ["token", 1],
    CHANGED_STATE: [[1, 1]],
    NEW_GAMES_STATE: [1, True],
    OUTPUTS_STATE: {"name": [1]},
}
_LARGEST = (1 << 63) - 1
FILLING_STATE = "Back-fill"  # in Info: "no" without back-fill
PLAYERS_STATE = "Players consolidated"  # in Info: inputs of the last resolving of names
PLAYERS_TIME = "Players consolidated at"  # in Info: when that was
NAME_TABLES = ("Events", "Sites", "Players")
# In Info: numbers of rows, by their tables.
COUNTS = {
    "GameCount": "Games", "PlayerCount": "Players", "EventCount": "Events", "SiteCount": "Sites",
    "CommentCount": "Comments",
}  # fmt: skip
_MOST_UNUSED_IDS = 1 << 22
_INFO = {
    "Data Structure Version": "0.6", "Version": "0.1", "Variant": "standard", "License": "free",
    "Description": "",
}  # fmt: skip
_VARIANT = "Variant"
_KINDS: dict[str | None, GameKind] = {kind.variant: kind for kind in GAME_KINDS}


def stored_names(connection: apsw.Connection, table: str) -> Iterable[tuple[int, str, int | None]]:
    """Yield (ID, name, Elo) of one of NAME_TABLES; Elo is None for events and sites."""
    elo = "Elo" if table == "Players" else "NULL"
    return connection.execute(f"SELECT ID, Name, {elo} FROM {table} WHERE Name IS NOT NULL")


def highest_name_id(count: int) -> int:
    """Return the highest ID allowed for a list of `count` names that is indexed by ID."""
    return 4 * count + _MOST_UNUSED_IDS


def names_by_id(connection: apsw.Connection, table: str) -> list[str | None]:
    """Return the names of one of NAME_TABLES as a list indexed by ID.

    Raises ValueError if the IDs are too high for a list.
    """
    limits = connection.execute(f"SELECT min(ID), max(ID), count(*) FROM {table}").fetchone()
    lowest, highest, count = limits or (0, 0, 0)
    if count and (lowest < 0 or highest > highest_name_id(count)):
        raise ValueError(f"{table} has IDs from {lowest} to {highest}")
    names: list[str | None] = [None] * (int(highest or 0) + 1)
    rows: Iterable[tuple[int, str | None]] = connection.execute(f"SELECT ID, Name FROM {table}")
    for name_id, name in rows:
        names[name_id] = name
    return names


def insert_empty_name(connection: apsw.Connection, table: str) -> None:
    """Insert the empty name, ID 1, into one of NAME_TABLES."""
    connection.execute(f"INSERT INTO {table} (ID, Name) VALUES (1, '')")


def update_elos(connection: apsw.Connection, rows: Iterable[tuple[int, int]]) -> None:
    """Store (Elo, player ID)."""
    connection.executemany("UPDATE Players SET Elo = ? WHERE ID = ?", rows)


def write_info(connection: apsw.Connection, known_counts: Mapping[str, int] | None = None) -> None:
    """Write OCGDB's missing Info rows, and the current counts.

    `known_counts`: tables whose rows need not be counted, since that reads the whole table.
    """
    connection.executemany("INSERT OR IGNORE INTO Info VALUES (?, ?)", _INFO.items())
    for name, table in COUNTS.items():
        count = known_counts.get(table) if known_counts else None
        if count is None:
            count = count_rows(connection, table)
        connection.execute("INSERT OR REPLACE INTO Info VALUES (?, ?)", (name, str(count)))


def count_names(connection: apsw.Connection) -> int:
    """Return the number of distinct names of players, events and sites."""
    return sum(count_rows(connection, table) for table in NAME_TABLES)


def name_of(connection: apsw.Connection, table: str, name_id: int) -> str | None:
    """Return one name of one of NAME_TABLES, None for an unknown ID."""
    row = connection.execute(f"SELECT Name FROM {table} WHERE ID = ?", (name_id,)).fetchone()
    return None if row is None else row[0]


def id_of_name(connection: apsw.Connection, table: str, name: str) -> int | None:
    """Return the ID of a name of Events, Sites or Players; None for an unknown name."""
    name_id: int | None = connection.execute(f"SELECT ID FROM {table} WHERE Name = ?", (name,)).get
    return name_id


def read_state(connection: apsw.Connection, name: str) -> str | None:
    """Return a value of Info, None if it does not exist.

    Another program may have written anything: numbers, bytes and NULL are returned as text.
    """
    sql = "SELECT coalesce(CAST(CAST(Value AS TEXT) AS BLOB), x'') FROM Info WHERE Name = ?"
    row = connection.execute(sql, (name,)).fetchone()
    return None if row is None else str(row[0], "utf-8", "replace")


def read_json(connection: apsw.Connection, name: str) -> Any:
    """Return a value of Info that is JSON, a key of JSON_STATES.

    None if it does not exist, or if it is damaged: all these values can be derived again.
    """
    try:
        value = json.loads(read_state(connection, name) or "null")
    except (ValueError, RecursionError):
        return None
    return value if _is_like(value, JSON_STATES[name]) else None


def _is_like(value: object, example: object) -> bool:
    """Return whether a JSON value has the types of another, and numbers that SQLite can hold."""
    # A list or object of one element stands for any number; other objects need not have all keys.
    if type(value) is not type(example):
        return False
    if isinstance(value, int):
        return -_LARGEST <= value <= _LARGEST
    if isinstance(value, list) and isinstance(example, list):
        examples = example * len(value) if len(example) == 1 else example
        return len(value) == len(examples) and all(map(_is_like, value, examples))
    if isinstance(value, dict) and isinstance(example, dict):
        other = next(iter(example.values())) if len(example) == 1 else None
        return all(_is_like(each, example.get(key, other)) for key, each in value.items())
    return True


def damaged_states(connection: apsw.Connection) -> list[str]:
    """Return the names of values in Info that read_json() cannot use."""
    return [
        name
        for name in JSON_STATES
        if read_state(connection, name) is not None and read_json(connection, name) is None
    ]


def write_state(connection: apsw.Connection, name: str, value: str | None) -> None:
    """Store a value in Info; None deletes it."""
    connection.execute("DELETE FROM Info WHERE Name = ?", (name,))
    if value is not None:
        connection.execute("INSERT INTO Info VALUES (?, ?)", (name, value))


def write_time(connection: apsw.Connection, name: str) -> None:
    """Store the current time in Info, in UTC."""
    sql = "INSERT OR REPLACE INTO Info VALUES (?, strftime('%Y-%m-%dT%H:%M:%SZ'))"
    connection.execute(sql, (name,))


def game_kind(connection: apsw.Connection) -> GameKind:
    """Return the kind of the games; chess if the database does not name one."""
    return _KINDS.get(read_state(connection, _VARIANT), CHESS)


def set_variant(connection: apsw.Connection, kind: GameKind) -> None:
    """Store the kind of games, before the first game is loaded."""
    write_state(connection, _VARIANT, kind.variant)
