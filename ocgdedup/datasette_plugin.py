"""Datasette loads this where ocgdedup is installed: its SQL knows san(), uci(), fen_at(), pgn()."""

from __future__ import annotations

import sqlite3

from datasette import hookimpl

from ocgdedup.sql_functions import register


def _register(conn: sqlite3.Connection, database: str, datasette: object) -> None:
    """Register the functions with each connection; those on other databases do no harm."""
    register(conn)


prepare_connection = hookimpl(_register)  # a hook of Datasette
