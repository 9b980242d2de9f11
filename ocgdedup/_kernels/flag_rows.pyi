"""Flags of games, gathered in memory and written in the order of the table."""

from array import array
from collections.abc import Sequence

import apsw

ENTRY_POINT: str

class SqliteError(Exception):
    """SQLite refused: its extended result code and its message."""

class FlagRows:
    """Flags of games, 24 bytes each, in any order; each game at most once."""

    def __len__(self) -> int: ...
    def __contains__(self, game_id: int) -> bool:
        """Tell if flags of a game are to be written; ValueError if a game came twice."""

    def add(
        self, game_id: int, status: str | None, group: int, reason: str | None, score: int
    ) -> None:
        """Flag a game."""

    def add_none(self, game_id: int) -> None:
        """Have the flags of a game taken away."""

    def add_groups(
        self,
        ids: array[int],
        ends: array[int],
        masters: array[int],
        scores: array[int],
        kinds: bytearray,
        left_out: int,
        status: str,
    ) -> int:
        """Flag the games of groups; return how many of them are duplicates.

        `masters`, `scores`, `kinds`: as GroupResolver.resolve() returns them. Groups of a kind
        that has one of the bits `left_out` are skipped. `status`: that of all duplicates.
        """

    def group_of(self, game_id: int) -> int | None:
        """Return the group that a game gets, None if none; ValueError as above."""

    def write(self, connection: apsw.Connection, statements: Sequence[str]) -> None:
        """Step each statement for each game, by rising ID.

        The parameters: status, group, reason, header score, ID. The connection must have just
        loaded this module by ENTRY_POINT, in this thread. Raises SqliteError.
        """
