"""The content of games without their origin, which create, export, create must preserve."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from itertools import groupby
from pathlib import Path
from typing import Any

_COLUMNS = (
    "Date", "Round", "WhiteElo", "BlackElo", "Result", "TimeControl", "ECO", "PlyCount", "FEN",
    "Moves2", "MoveHash", "FinalZobrist", "PositionsKey", "SampledKey", "DateQuality",
    "HasComments", "HasVariations", "SpecialMoves", "ExtraTags",
)  # fmt: skip
_NAMES = {"Event": "Events", "Site": "Sites", "White": "Players", "Black": "Players"}

Content = dict[str, Any]


def contents(path: Path | str) -> list[Content]:
    """Return the games of a database by ID."""
    names = [f"(SELECT Name FROM {table} WHERE ID = {name}ID)" for name, table in _NAMES.items()]
    sql = f"SELECT ID, {', '.join((*names, *_COLUMNS))} FROM Games ORDER BY ID"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        games = {
            row[0]: dict(zip((*_NAMES, *_COLUMNS), row[1:], strict=True))
            for row in connection.execute(sql)
        }
        for table, columns in (
            ("Comments", "Ply, Position, Comment"),
            ("Annotations", "Ply, Position, NAG, Variation"),
        ):
            rows = connection.execute(f"SELECT GameID, {columns} FROM {table} ORDER BY 1, 2, 3")
            for game_id, notes in groupby(rows, key=lambda row: row[0]):
                games[game_id][table] = [note[1:] for note in notes]
    for game in games.values():
        if game["ExtraTags"] is not None:
            game["ExtraTags"] = list(json.loads(game["ExtraTags"]).items())
    return list(games.values())


def differences(before: list[Content], after: list[Content]) -> list[str]:
    """Return the differences, one line per game and field."""
    changes = [] if len(before) == len(after) else [f"{len(before)} games became {len(after)}"]
    for number, (old, new) in enumerate(zip(before, after, strict=False), 1):
        for field in old.keys() | new.keys():
            if old.get(field) != new.get(field):
                changes.append(f"game {number} {field}: {old.get(field)!r} -> {new.get(field)!r}")
    return changes
