"""SQL on Events, Sites, Players and Info."""

from __future__ import annotations

from collections.abc import Iterable

import apsw

NAME_TABLES = ("Events", "Sites", "Players")
_INFO = {
    "Data Structure Version": "0.6",
    "Version": "0.1",
    "Variant": "standard",
    "License": "free",
    "Description": "",
}


def stored_names(
    connection: apsw.Connection, table: str
) -> Iterable[tuple[int, str, int | None]]:
    """Yield (ID, name, Elo) of one of NAME_TABLES; Elo is None for events and sites."""
    elo = "Elo" if table == "Players" else "NULL"
    rows = connection.execute(f"SELECT ID, Name, {elo} FROM {table} WHERE Name IS NOT NULL")
    return rows


def names_by_id(connection: apsw.Connection, table: str) -> list[str | None]:
    """Return the names of one of NAME_TABLES as a list indexed by ID."""
    rows = connection.execute(f"SELECT ID, Name FROM {table}").fetchall()
    names: list[str | None] = [None] * (max((row[0] for row in rows), default=0) + 1)
    for name_id, name in rows:
        names[name_id] = name
    return names


def insert_names(
    connection: apsw.Connection, table: str, rows: Iterable[tuple[int, str, int | None]]
) -> None:
    """Insert (ID, name, Elo) into one of NAME_TABLES."""
    if table == "Players":
        connection.executemany("INSERT INTO Players (ID, Name, Elo) VALUES (?, ?, ?)", rows)
        return
    pairs = ((name_id, name) for name_id, name, _ in rows)
    connection.executemany(f"INSERT INTO {table} (ID, Name) VALUES (?, ?)", pairs)


def update_elos(connection: apsw.Connection, rows: Iterable[tuple[int, int]]) -> None:
    """Store (Elo, player ID)."""
    connection.executemany("UPDATE Players SET Elo = ? WHERE ID = ?", rows)


def write_info(connection: apsw.Connection) -> None:
    """Write OCGDB's Info rows that are missing, and the counts as they are now."""
    connection.executemany("INSERT OR IGNORE INTO Info VALUES (?, ?)", _INFO.items())
    for name, table in (
        ("GameCount", "Games"),
        ("PlayerCount", "Players"),
        ("EventCount", "Events"),
        ("SiteCount", "Sites"),
        ("CommentCount", "Comments"),
    ):
        connection.execute(
            f"INSERT OR REPLACE INTO Info SELECT ?, CAST(count(*) AS TEXT) FROM {table}", (name,)
        )


def name_of(connection: apsw.Connection, table: str, name_id: int) -> str | None:
    """Return one name of one of NAME_TABLES, None if there is none of that ID."""
    row = connection.execute(f"SELECT Name FROM {table} WHERE ID = ?", (name_id,)).fetchone()
    return None if row is None else row[0]
