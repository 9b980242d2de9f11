"""A database as plain Python values, read with the standard library's sqlite3."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import Any

Row = tuple[Any, ...]
# When a run was made is not part of what it made.
_TIMES = {"Sources": {"ImportDate"}}


def query(path: Path | str, sql: str, *values: object) -> list[Row]:
    """Return all rows of one SELECT."""
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        return connection.execute(sql, values).fetchall()


def change(path: Path | str, sql: str, *values: object) -> None:
    """Run one statement and commit."""
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(sql, values)


def value(path: Path | str, sql: str, *values: object) -> Any:
    """Return the only value of a SELECT."""
    ((found,),) = query(path, sql, *values)
    return found


def columns(path: Path | str, table: str) -> list[str]:
    """Return the columns of a table in order."""
    return [name for (name,) in query(path, "SELECT name FROM pragma_table_info(?)", table)]


def tables(path: Path | str, kind: str = "table") -> set[str]:
    """Return the names of all tables (or views, or indexes), without SQLite's own."""
    rows = query(path, "SELECT name FROM sqlite_master WHERE type = ?", kind)
    return {name for (name,) in rows if not name.startswith("sqlite_")}


def dump(path: Path | str) -> dict[str, list[Row]]:
    """Return all rows of all tables but for times, and the schema with its versions."""
    content = {"sqlite_master": query(path, "SELECT type, name, sql FROM sqlite_master ORDER BY 2")}
    for pragma in ("application_id", "user_version"):
        content[pragma] = query(path, f"PRAGMA {pragma}")
    for table in sorted(tables(path)):
        kept = [name for name in columns(path, table) if name not in _TIMES.get(table, ())]
        content[table] = query(path, f"SELECT {', '.join(kept)} FROM {table} ORDER BY 1, 2")
    return content


def is_sound(path: Path | str) -> bool:
    """Tell if SQLite finds nothing wrong with the file."""
    return value(path, "PRAGMA integrity_check") == "ok"
