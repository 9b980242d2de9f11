"""history, undo and redo: every step, of any command, back and forth; what cannot be undone."""

from __future__ import annotations

import json
from typing import Any

from tests.support.command_line import Command
from tests.support.databases import Row, columns, query, tables

SEQUENCES = 12


def rows(path: str) -> dict[str, list[Row]]:
    """Return all rows of all tables except the history, by table."""
    return {
        table: query(path, f"SELECT * FROM {table} ORDER BY {', '.join(columns(path, table))}")
        for table in sorted(tables(path) - {"Steps"})
    }


def numbers(command: Command, path: str) -> list[int]:
    return [step["number"] for step in history(command, path) if not step["undone"]]


def history(command: Command, path: str) -> list[dict[str, Any]]:
    done = command("history", path, "--json")
    assert done.status == 0, done.err
    steps: list[dict[str, Any]] = json.loads(done.out)
    return steps
