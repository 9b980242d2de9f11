"""Databases of Go games as the loader would write them, from moves given in the tests."""

import json
import random
import struct
from typing import NamedTuple

from ocgdedup._kernels import go as go_kernel
from ocgdedup.game_columns import MOVE_KEYS
from ocgdedup.game_kind import GO
from ocgdedup.store import games, names
from ocgdedup.store.database import create_database
from ocgdedup.store.history import transaction
from ocgdedup.store.loads import insert_source
from ocgdedup.store.names import set_variant

_NAMED = {"event": "Events", "site": "Sites", "white": "Players", "black": "Players"}


class GoGame(NamedTuple):
    """A game; `moves` as colour and point with blanks between: "Bpd Wdd B"."""

    moves: str = ""
    start: str | None = None
    white: str = ""
    black: str = ""
    event: str = ""
    site: str = ""
    date: str = "????.??.??"
    round: str | None = None
    result: str = "*"
    tags: dict[str, str] | None = None
    comments: tuple[tuple[int, int, str], ...] = ()  # ply, position, text
    notes: tuple[tuple[int, int, str], ...] = ()  # the same of Annotations


def move_value(text):
    """Return the stored number of a move in the form colour and point: "Bpd"; a pass is "B"."""
    column, row = (ord(letter) - ord("a") for letter in text[1:]) if text[1:] else (0, 0)
    point = column | row << 5 if text[1:] else go_kernel.PASS
    return point | (go_kernel.COLOUR if text[0] == "W" else 0)


def blob_of(moves):
    """Return the move blob of moves with blanks between."""
    values = list(map(move_value, moves.split()))
    return struct.pack(f"<{len(values)}H", *values)


def write_go_database(path, played):
    """Create a database of these games, with IDs from 1 and one source each."""
    connection = create_database(str(path))
    ids = {table: {"": 1} for table in names.NAME_TABLES}
    with transaction(connection):
        set_variant(connection, GO)
        for table in names.NAME_TABLES:
            names.insert_empty_name(connection, table)
        for game_id, game in enumerate(played, start=1):
            _write_game(connection, game_id, game, ids)
        names.write_info(connection)
    games.build_note_indexes(connection)
    games.build_hash_indexes(connection)
    connection.close()


def _write_game(connection, game_id, game, ids):
    blob = blob_of(game.moves)
    *keys, special = go_kernel.keys_of(blob, game.start)
    named = {}
    for field, table in _NAMED.items():
        name = getattr(game, field)
        if name not in ids[table]:
            ids[table][name] = len(ids[table]) + 1
            sql = f"INSERT INTO {table} (ID, Name) VALUES (?, ?)"
            connection.execute(sql, (ids[table][name], name))
        named[field] = ids[table][name]
    known = sum("?" not in part for part in game.date.split("."))
    tags = json.dumps(game.tags, ensure_ascii=False, separators=(",", ":")) if game.tags else None
    row = {
        "ID": game_id,
        "EventID": named["event"],
        "SiteID": named["site"],
        "Date": game.date,
        "Round": game.round,
        "WhiteID": named["white"],
        "BlackID": named["black"],
        "Result": game.result,
        "PlyCount": len(blob) // 2,
        "FEN": game.start,
        "Moves2": blob,
        **dict(zip(MOVE_KEYS, keys, strict=True)),
        "SourceID": game_id,
        "SourceNumber": 1,
        "SourceOffset": 0,
        "DateQuality": 10 * known + 3 if known else 0,
        "HasComments": int(bool(game.comments)),
        "HasVariations": int(any(text.startswith("(") for *_, text in game.notes)),
        "SpecialMoves": special,
        "ExtraTags": tags,
    }
    marks = ", ".join("?" * len(row))
    connection.execute(f"INSERT INTO Games ({', '.join(row)}) VALUES ({marks})", (*row.values(),))
    insert_source(connection, game_id, f"{game_id}.sgf", 1, f"{game_id:064x}")
    connection.executemany(
        "INSERT INTO Comments (GameID, Ply, Position, Comment) VALUES (?, ?, ?, ?)",
        [(game_id, *comment) for comment in game.comments],
    )
    connection.executemany(
        "INSERT INTO Annotations (GameID, Ply, Position, Variation) VALUES (?, ?, ?, ?)",
        [(game_id, *note) for note in game.notes],
    )


def random_go(seed: int, lines: int, plies: int) -> bytes:
    """Return a blob of random moves on a board, including passes and moves onto stones."""
    rng = random.Random(seed)
    values = []
    for ply in range(plies):
        point = rng.randrange(lines) | rng.randrange(lines) << 5
        values.append((1023 if rng.random() < 0.05 else point) | (ply & 1) << 10)
    return struct.pack(f"<{plies}H", *values)
