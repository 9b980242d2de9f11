"""Read PGN text with the kernel, into rows by column name."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterable
from typing import Any, NamedTuple

import apsw

from ocgdedup._kernels.chess import Block, NameTable
from ocgdedup.game_columns import INSERTED_COLUMNS
from ocgdedup.matching.names.name_form import name_key
from ocgdedup.pgn.blocks import parse_stream
from ocgdedup.pgn.odd_values import OddValues
from ocgdedup.store.games import ANNOTATION_COLUMNS, COMMENT_COLUMNS, RowWriter

CHESS960_CASTLING = 1 << 15


class Fault(NamedTuple):
    game_id: int
    line: int
    ply: int
    reason: str
    rest: str


class Reject(NamedTuple):
    number: int
    offset: int
    line: int
    reason: str
    text: bytes


class Reading(NamedTuple):
    """The parsed text; games are dicts of INSERTED_COLUMNS, with names in place of IDs."""

    games: list[dict[str, Any]]
    comments: list[tuple[Any, ...]]
    annotations: list[tuple[Any, ...]]
    faults: list[Fault]
    rejects: list[Reject]

    @property
    def plies(self) -> list[int]:
        return [game["PlyCount"] for game in self.games]

    @property
    def keys(self) -> list[tuple[int, int, int, int, int]]:
        """Plies, mainline hash, final, positions and sampled key of each game."""
        columns = ("PlyCount", "MoveHash", "FinalZobrist", "PositionsKey", "SampledKey")
        return [tuple(map(game.__getitem__, columns)) for game in self.games]

    @property
    def uci(self) -> list[str]:
        """The moves of each game; Chess960 castling has a star."""
        return [" ".join(map(uci_of, moves_of(game["Moves2"]))) for game in self.games]

    @property
    def marked(self) -> list[int]:
        return [fault.game_id for fault in self.faults]


def moves_of(blob: bytes) -> list[int]:
    return [move for (move,) in struct.iter_unpack("<H", blob)]


def uci_of(move: int) -> str:
    if not move:
        return "0000"
    squares = "".join("abcdefgh"[s & 7] + "12345678"[s >> 3] for s in (move & 63, move >> 6 & 63))
    promotion = ("", "", "n", "b", "r", "q")[move >> 12 & 7]
    return squares + promotion + ("*" if move & CHESS960_CASTLING else "")


def numbered(tokens: list[str]) -> str:
    """Return moves with a number before each of White's."""
    return " ".join(f"{i // 2 + 1}. {t}" if i % 2 == 0 else t for i, t in enumerate(tokens))


def parsed(text: bytes, *, use_ni: bool | None = None) -> Block:
    block = Block(text)
    block.parse(True, use_ni=use_ni)
    return block


def read(text: str | bytes) -> Reading:
    """Read a text as one block."""
    return rows_of([parsed(text.encode() if isinstance(text, str) else text)])


def read_in_blocks(text: bytes, block_bytes: int, jobs: int = 1) -> Reading:
    """Read a text as `create` does, in blocks of a given size, by several threads."""
    return rows_of(parse_stream(io.BytesIO(text), jobs=jobs, block_bytes=block_bytes))


TABLES = {
    "Games": INSERTED_COLUMNS,
    "Comments": COMMENT_COLUMNS,
    "Annotations": ANNOTATION_COLUMNS,
}


def table_rows(connection: apsw.Connection, table: str) -> list[tuple[Any, ...]]:
    """Return the rows of a table in the order in which they were inserted."""
    columns = ", ".join(TABLES[table])
    return connection.execute(f"SELECT {columns} FROM {table} ORDER BY rowid").fetchall()


def rows_of(blocks: Iterable[Block]) -> Reading:
    reading = Reading([], [], [], [], [])
    connection = apsw.Connection(":memory:")
    for table, columns in TABLES.items():
        connection.execute(f"CREATE TABLE {table} ({', '.join(columns)})")
    writer = RowWriter(connection)
    tables = (NameTable(), NameTable(), NameTable(name_key))
    for table in tables:
        table.load(1, "")
    game_id, number, offset, line = 1, 0, 0, 0
    odd_values = OddValues()
    for block in blocks:
        count, _, faults, rejects = writer.write_block(
            block, tables, odd_values, (game_id, 1, number, offset, line)
        )
        reading.faults.extend(Fault(*fault[:5]) for fault in faults)
        reading.rejects.extend(Reject(*reject) for reject in rejects)
        game_id += count
        number += block.game_count
        offset += block.consumed
        line += block.newlines
    writer.close()
    for row in table_rows(connection, "Games"):
        reading.games.append(dict(zip(INSERTED_COLUMNS, row, strict=True)))
    assert len(reading.games) == game_id - 1
    reading.comments.extend(table_rows(connection, "Comments"))
    reading.annotations.extend(table_rows(connection, "Annotations"))
    connection.close()
    events, sites, players = ({i: n for i, n, _ in table.new_rows()} for table in tables)
    for game in reading.games:
        game["Event"] = events.get(game["EventID"], "")
        game["Site"] = sites.get(game["SiteID"], "")
        game["White"] = players.get(game["WhiteID"], "")
        game["Black"] = players.get(game["BlackID"], "")
    return reading
