"""SQL of PositionFilters: writing filters, and the search for a position with their help.

Both use the chess kernel, which reads the rows itself. Must not know how a user writes a
position.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import apsw

from ocgdedup._kernels import chess as chess_kernel
from ocgdedup.game_kind import GameKind
from ocgdedup.store.connection import column_names, has_rows, kernel_errors
from ocgdedup.store.games import GAME_TABLES, Row, games_in_ranges
from ocgdedup.store.row_writer import using_kernel

# Between two calls of the kernel Python handles Ctrl-C.
_GAMES_AT_ONCE = 20_000

_INSERT = "INSERT INTO PositionFilters (GameID, Filter) VALUES (?1, ?2)"
_LACKING = """
    SELECT ID, nullif(FEN, ''), Moves2 FROM {table}
    WHERE ID >= {first} AND NOT EXISTS (SELECT 1 FROM PositionFilters WHERE GameID = {table}.ID)
    ORDER BY ID LIMIT {limit}
"""
_ALL_FILTERS = "SELECT GameID, Filter FROM PositionFilters ORDER BY GameID"
_FILTER_OF = "SELECT Filter FROM PositionFilters WHERE GameID = ?1"
_ALL_GAMES = "SELECT ID FROM Games"
_GAME = "SELECT {start}, Moves2 FROM Games WHERE ID = ?1"


class Place(NamedTuple):
    """The first occurrence of a position in a game: plies before it, and index of the board."""

    game_id: int
    plies: int
    which: int


class WantedPosition(NamedTuple):
    """A position in the kernel's format.

    `boards`: one FEN, or starts of Go games: one board in all orientations; `fields`: how many of 4
    fields of the FEN are compared.
    """

    boards: tuple[str, ...]
    fields: int = 4


def fill_filters(connection: apsw.Connection, kind: GameKind, first_id: int | None = None) -> int:
    """Write the filters of the games, including removed games, that lack one, from an ID on.

    Returns the number of filters. Works within the transaction of the caller. Raises StoreError.
    """
    written = 0
    for table in GAME_TABLES:
        next_id, count = -(2**63) if first_id is None else first_id, _GAMES_AT_ONCE
        while count == _GAMES_AT_ONCE:
            select = _LACKING.format(table=table, first=next_id, limit=_GAMES_AT_ONCE)
            with using_kernel(connection, chess_kernel, "cannot be written"):
                count, last_id = chess_kernel.write_filters(connection, select, _INSERT, kind.is_go)
            written += count
            next_id = last_id + 1
    return written


def has_filters(connection: apsw.Connection) -> bool:
    """Return whether any game has a filter; False for a database of an older version."""
    return has_rows(connection, "PositionFilters")


def stored_filters(connection: apsw.Connection, table: str) -> Iterator[list[Row]]:
    """Yield (ID, start, moves, MoveHash, filter or None) of the games of a table, in ranges."""
    sql = (
        "SELECT ID, CAST(FEN AS BLOB), Moves2, MoveHash, Filter FROM "
        f"{table} LEFT JOIN PositionFilters ON GameID = ID WHERE ID > ? ORDER BY ID LIMIT ?"
    )
    for rows in games_in_ranges(connection, sql):
        yield [
            # A start that is not UTF-8 cannot be read, whatever replaces its bytes.
            (row[0], None if row[1] is None else row[1].decode(errors="replace"), *row[2:])
            for row in rows
        ]


class PositionSearch:
    """The search for a position in some or all games; close it before the connection is closed.

    `unfiltered`: number of games without a filter, which must be replayed. Raises StoreError.
    """

    def __init__(
        self,
        connection: apsw.Connection,
        position: WantedPosition,
        kind: GameKind,
        ids: Sequence[int] | None = None,
    ) -> None:
        self._connection = connection
        # OCGDB omits columns that were not requested.
        has_starts = "FEN" in column_names(connection, "Games")
        self._game_sql = _GAME.format(start="nullif(FEN, '')" if has_starts else "NULL")
        self.unfiltered = 0
        is_sifted = has_filters(connection)
        with using_kernel(connection, chess_kernel, "cannot be read"):
            self._finder = chess_kernel.PositionFinder(
                connection, position.boards, kind.is_go, position.fields
            )
            if ids is not None:
                self._finder.choose(ids, _FILTER_OF if is_sifted else None)
                return
            if is_sifted:
                self._finder.scan_filters(_ALL_FILTERS)
            self.unfiltered = self._finder.scan_games(_ALL_GAMES)

    def places(self) -> Iterator[Place]:
        """Yield the games that have the position, in their order, as they are found."""
        with kernel_errors(self._connection, "cannot be read"):
            while self._finder.left:
                yield from map(Place._make, self._finder.find(self._game_sql, _GAMES_AT_ONCE))

    def close(self) -> None:
        self._finder.close()
