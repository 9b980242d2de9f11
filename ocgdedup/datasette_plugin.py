"""A plugin that Datasette loads: san(), uci(), fen_at() and pgn() in its SQL."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable
from typing import Any

from datasette import hookimpl

from ocgdedup.sql_functions import register


def _register(conn: sqlite3.Connection, database: str, datasette: object) -> None:
    """Register the functions with each connection, also those to other databases."""
    register(conn)


def _show_binary(
    value: object, table: str | None, database: str, datasette: Any
) -> Awaitable[str | None] | None:
    """Return the text for a BLOB of a view.

    Datasette links a BLOB by the key of its row. A view has no key, so its page would fail.
    """
    if table is None or not isinstance(value, bytes):
        return None

    async def shown() -> str | None:
        views = await datasette.get_database(database).view_names()
        return f"<Binary: {len(value):,} bytes>" if table in views else None

    return shown()


prepare_connection, render_cell = hookimpl(_register), hookimpl(_show_binary)  # Datasette's hooks
