"""Games of a search for duplicates: read from SQLite, with the texts that they name."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable

import apsw
from typing_extensions import Buffer

ENTRY_POINT: str
RECORD_BYTES: int  # of a game, its moves aside
TAKE_GAME: str  # SQL function that takes the columns of a game, as the only column of a scan

class GameBatch:
    """The games of one database, or some of them.

    To be used in this order: load_players(), load_events(), load_sites(); open_scan(), and
    scan_more() and load_addresses() until is_read.
    """

    def __init__(self, is_go: bool = False) -> None:
        """Take no games yet, of Go or else of chess."""

    def load_players(
        self,
        connection: apsw.Connection,
        sql: str,
        fold: Callable[[str], str],
        rewrite: Callable[[str], str] | None = None,
        persons: array[int] | None = None,
        fide_ids: array[int] | None = None,
    ) -> None:
        """Enter players from a statement that returns (ID, name) by rising ID.

        `fold` brings a name that is not ASCII to ASCII; `rewrite`, if given, is what every name
        goes through before. `persons`: array("q") of the persons who have a FIDE ID, by rising
        ID; `fide_ids`: array("I") of these, which take the place of those in the tags. The first
        method that reads from a connection must be called right after that has loaded this module
        by ENTRY_POINT, in the same thread. Like the next two this raises SqliteError, TypeError for
        a name that is no text, UnicodeDecodeError, and ValueError for another SQLite than the
        kernel knows.
        """

    def load_events(self, connection: apsw.Connection, sql: str) -> None:
        """Enter events from a statement that returns (ID, text) by rising ID."""

    def load_sites(
        self,
        connection: apsw.Connection,
        sql: str,
        addresses: Iterable[tuple[int, str, bool]] = (),
    ) -> None:
        """Enter sites from a statement that returns (ID, text) by rising ID.

        `addresses`: (ID, normal form, whether a game has no other address) of those that are
        addresses of games.
        """

    def part(self) -> GameBatch:
        """Return an empty batch that shares the texts of this one, and is read by itself.

        Parts may be read by several threads, each with a connection of its own. Raises ValueError
        for a part; to load texts into a part does so too.
        """

    def append(self, part: GameBatch) -> None:
        """Move the games of a part that has been read behind those that are here.

        Raises ValueError for another batch, and for IDs that do not rise.
        """

    def end(self) -> None:
        """Take what has been appended as all games."""

    def expect(self, games: int) -> None:
        """Reserve memory for about so many games; raise MemoryError if there is not enough."""

    def open_scan(self, connection: apsw.Connection, sql: str, headers: str | None = None) -> None:
        """Prepare to read games by rising ID, the columns of store/copies.py.

        `headers`: reads headers, by rising ID too, that take the place of those of the games. The
        connection must have loaded this module: see load_players(). Raises SqliteError, and
        ValueError for another SQLite than the kernel knows.
        """

    def scan_more(self, most_bytes: int = ...) -> int:
        """Read games until those in memory take so many bytes; return how many were read.

        Raises SqliteError, TypeError for a value of another type than its column should have, and
        ValueError for IDs that do not rise.
        """

    def end_scan(self) -> None:
        """End the reading of games, if it has not ended: the connection can be closed then."""

    @property
    def is_read(self) -> bool:
        """Whether all games have been read."""

    def load_addresses(
        self, rows_of: Callable[[list[int]], Iterable[tuple[int, str, bool]]]
    ) -> None:
        """Enter addresses from other tags than Site, of the games that were read last.

        `rows_of` takes the IDs of games whose tags may hold one and returns rows as above, by ID.
        """

    def keep_near(self, ids: array[int]) -> None:
        """Of the games read since the last call, forget those that no verdict on some games needs.

        `ids`: of these games, rising. They must be read before the others: a second open_scan()
        reads those.
        """

    def use_near(self) -> None:
        """Take the games that keep_near() has kept for the whole collection, once all are read."""

    def sort_run(self) -> None:
        """Sort the games in memory, which are a part of the collection."""

    def add_samples(self, count: int) -> None:
        """Keep about so many of the sorted games in memory as samples, evenly spaced."""

    def sort_samples(self) -> int:
        """Sort the samples of all runs; return how many there are."""

    def take_run(
        self,
        write_records: Callable[[memoryview], object],
        write_moves: Callable[[memoryview], object],
        base: int,
    ) -> int:
        """Hand the sorted games over to functions that write them, and forget them.

        `base`: plies in the file of moves before theirs; returns how many there are with theirs.
        """

    def bound_in_run(self, records: Buffer, moves: Buffer, sample: int) -> int:
        """Return how many games of a sorted run come before a sample, by its number."""

    def load_run(self, records: Buffer, moves: Buffer, first: int, end: int) -> int:
        """Add games of a run to those in memory; return the plies of the run before theirs.

        Raises ValueError for games that are not there.
        """

    def use_file(self, records: Buffer, moves: Buffer, release: Callable[[], None]) -> None:
        """Take all games, sorted, from two mapped files from now on.

        Behind the moves is room for the longest game and 8 plies. `release` is called now and then
        once games are asked for: it may hand mapped memory back to the system.
        """

    @property
    def held_bytes(self) -> int:
        """Bytes of the games in memory: records and moves."""

    @property
    def plies(self) -> int:
        """Plies of the games in memory."""

    @property
    def longest(self) -> int:
        """Plies of the longest game."""

    def __contains__(self, game_id: int) -> bool:
        """Return whether a game was read."""

    @property
    def is_go(self) -> bool:
        """True for Go games, False for chess games."""

    @property
    def games(self) -> int:
        """Number of games that were read."""

    @property
    def memory(self) -> int:
        """Bytes held for games and texts."""
