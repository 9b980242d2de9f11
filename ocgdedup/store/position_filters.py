"""SQL of PositionFilters: writing filters, and the search for a position that they narrow.

Both by the kernel find_positions, which reads the rows itself. Must not know how a user writes a
position.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import apsw

from ocgdedup._kernels import find_positions
from ocgdedup.errors import StoreError
from ocgdedup.store.connection import column_names
from ocgdedup.store.row_writer import load_kernel

# Between two calls of the kernel Python looks for Ctrl-C.
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
_GAME = "SELECT nullif(FEN, ''), Moves2 FROM Games WHERE ID = ?1"


class Place(NamedTuple):
    """Where a position comes first in a game: after so many plies; which of the boards it is."""

    game_id: int
    plies: int
    which: int


class WantedPosition(NamedTuple):
    """A position as the kernel takes it.

    `boards`: one FEN, or starts of Go games: one board, turned and mirrored; `fields` of the FEN
    count, of 4.
    """

    boards: tuple[str, ...]
    fields: int = 4


def fill_filters(connection: apsw.Connection, is_go: bool, first_id: int | None = None) -> int:
    """Write the filters of the games, removed ones too, that lack one, from an ID on.

    Returns how many. Raises StoreError.
    """
    return sum(
        _fill_filters(connection, table, is_go, -(2**63) if first_id is None else first_id)
        for table in ("Games", "RemovedGames")
    )


def _fill_filters(connection: apsw.Connection, table: str, is_go: bool, first_id: int) -> int:
    written = 0
    while True:
        select = _LACKING.format(table=table, first=first_id, limit=_GAMES_AT_ONCE)
        with _kernel_errors(connection, "cannot be written"):
            load_kernel(connection, find_positions)
            count, last_id = find_positions.write_filters(connection, select, _INSERT, is_go)
        written += count
        if count < _GAMES_AT_ONCE:
            return written
        first_id = last_id + 1


class PositionSearch:
    """The search for a position: in some games, or in all. To be closed before the connection is.

    `unfiltered` is how many games have no filter and must be replayed. Raises StoreError.
    """

    def __init__(
        self,
        connection: apsw.Connection,
        wanted: WantedPosition,
        is_go: bool,
        ids: Sequence[int] | None = None,
    ) -> None:
        self._connection = connection
        self.unfiltered = 0
        has_filters = bool(column_names(connection, "PositionFilters"))
        with _kernel_errors(connection, "cannot be read"):
            load_kernel(connection, find_positions)
            self._finder = find_positions.PositionFinder(
                connection, wanted.boards, is_go, wanted.fields
            )
            if ids is not None:
                self._finder.choose(ids, _FILTER_OF if has_filters else None)
                return
            if has_filters:
                self._finder.scan_filters(_ALL_FILTERS)
            self.unfiltered = self._finder.scan_games(_ALL_GAMES)

    def places(self) -> Iterator[Place]:
        """Yield the games that have the position, in their order, as they are found."""
        with _kernel_errors(self._connection, "cannot be read"):
            while self._finder.left:
                yield from map(Place._make, self._finder.find(_GAME, _GAMES_AT_ONCE))

    def close(self) -> None:
        self._finder.close()


@contextlib.contextmanager
def _kernel_errors(connection: apsw.Connection, what: str) -> Iterator[None]:
    try:
        yield
    except find_positions.SqliteError as error:
        place = connection.filename or "the database in memory"
        raise StoreError(f"{place}: {what}: {error.args[-1]}") from error
