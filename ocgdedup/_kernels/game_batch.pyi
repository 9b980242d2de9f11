"""A batch of games for the search for duplicates: read from SQLite, with their texts."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable

import apsw
from typing_extensions import Buffer

ENTRY_POINT: str
RECORD_BYTES: int  # of a game, without its moves
TAKE_GAME: str  # SQL function of the columns of a game, as the only column of a scan

class GameBatch:
    """The games of one database, or some of them.

    Call the methods in this order: load_players(), load_events(), load_sites(); open_scan(), then
    scan_more() and load_addresses() until is_read.
    """

    def __init__(self, is_go: bool = False) -> None:
        """Create an empty batch of Go games or of chess games."""

    def load_players(
        self,
        connection: apsw.Connection,
        sql: str,
        fold: Callable[[str], str],
        rewrite: Callable[[str], str] | None = None,
        persons: array[int] | None = None,
        fide_ids: array[int] | None = None,
    ) -> None:
        """Load players with a statement that returns (ID, name) by rising ID.

        `fold` transliterates names that are not ASCII; `rewrite`, if given, is applied to every
        name before. `persons`: array("q") of the IDs of players with a FIDE ID, rising; `fide_ids`:
        array("I") of their FIDE IDs, which override those of the tags.

        The first method that reads from a connection must be called right after the connection has
        loaded this module by ENTRY_POINT, in the same thread. Like the next two methods, raises
        SqliteError, TypeError for a name that is not text, UnicodeDecodeError, and ValueError for
        an incompatible SQLite.
        """

    def load_events(self, connection: apsw.Connection, sql: str) -> None:
        """Load events with a statement that returns (ID, text) by rising ID."""

    def load_sites(
        self,
        connection: apsw.Connection,
        sql: str,
        addresses: Iterable[tuple[int, str, bool]] = (),
    ) -> None:
        """Load sites with a statement that returns (ID, text) by rising ID.

        `addresses`: (ID, normal form, True if a game has no other address) of sites that are web
        addresses of games.
        """

    def part(self) -> GameBatch:
        """Return an empty batch that shares the texts of this batch.

        Several threads may read parts, each with a connection of its own. Raises ValueError for a
        part; so does loading texts into a part.
        """

    def append(self, part: GameBatch) -> None:
        """Move the games of a completely read part to the end of this batch.

        Raises ValueError for a part of another batch, and for IDs that do not rise.
        """

    def end(self) -> None:
        """Declare the appended games complete."""

    def expect(self, games: int) -> None:
        """Reserve memory for about `games` games; raise MemoryError if out of memory."""

    def open_scan(self, connection: apsw.Connection, sql: str, headers: str | None = None) -> None:
        """Prepare to read games by rising ID, with the columns of store/copies.py.

        `headers`: a statement for headers, also by rising ID, that override those of the games. The
        connection must have loaded this module: see load_players(). Raises SqliteError, and
        ValueError for an incompatible SQLite.
        """

    def scan_more(self, most_bytes: int = ...) -> int:
        """Read games until games use `most_bytes`; return the number of games read.

        Raises SqliteError, TypeError for a value of a wrong type, and ValueError for IDs that do
        not rise.
        """

    def end_scan(self) -> None:
        """Finalize the statements of the scan, so that the connection can be closed."""

    @property
    def is_read(self) -> bool:
        """Whether all games have been read."""

    def load_addresses(
        self, rows_of: Callable[[list[int]], Iterable[tuple[int, str, bool]]]
    ) -> None:
        """Load web addresses from tags other than Site, for the games read last.

        `rows_of` takes the IDs of games whose tags may hold an address and returns rows as above,
        by ID.
        """

    def keep_near(self, ids: array[int]) -> None:
        """Drop the games read since the last call that verdicts on `ids` do not need.

        `ids`: games, rising. They must be read first; a second open_scan() reads the other games.
        """

    def use_near(self) -> None:
        """Use the games that keep_near() kept as the whole collection, after all games are read."""

    def sort_run(self) -> None:
        """Sort the games in memory, which are one run of the collection."""

    def add_samples(self, count: int) -> None:
        """Copy about `count` of the sorted games in memory as samples, evenly spaced."""

    def sort_samples(self) -> int:
        """Sort the samples of all runs; return their number."""

    def take_run(
        self,
        write_records: Callable[[memoryview], object],
        write_moves: Callable[[memoryview], object],
        base: int,
    ) -> int:
        """Write the sorted games in memory with two functions, and drop them.

        `base`: plies already in the file of moves; returns the new number.
        """

    def bound_in_run(self, records: Buffer, moves: Buffer, sample: int) -> int:
        """Return the number of games in a sorted run that come before a sample, given by index."""

    def load_run(self, records: Buffer, moves: Buffer, first: int, end: int) -> int:
        """Add games of a run to those in memory; return the plies of the run before them.

        Raises ValueError for games out of range.
        """

    def use_file(self, records: Buffer, moves: Buffer, release: Callable[[], None]) -> None:
        """Use two mapped files with all games in sorted order from now on.

        The file of moves needs room after its end for the longest game and 8 plies. `release` is
        called from time to time while games are compared; it may hand mapped memory back to the
        system.
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
        """Number of games read."""

    @property
    def memory(self) -> int:
        """Bytes used by games and texts."""
