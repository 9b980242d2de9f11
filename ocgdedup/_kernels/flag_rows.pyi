"""Flags of games, gathered in memory and written in the order of the table."""

from array import array
from collections.abc import Sequence
from typing import Any

import apsw

ENTRY_POINT: str

class FlagRows:
    """Flags of games, 24 bytes each, in any order; each game at most once."""

    def __len__(self) -> int: ...
    def __contains__(self, game_id: int) -> bool:
        """Return whether flags of a game are to be written; ValueError if a game came twice."""

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

    def set_reason(self, game_id: int, reason: str) -> None:
        """Change the reason of a game among those flagged last; KeyError if it has no flags."""

    def group_of(self, game_id: int) -> int | None:
        """Return the group that a game gets, None if none; ValueError as above."""

    def get(self, game_id: int) -> tuple[str | None, int, str | None, int] | None:
        """Return (status, group, reason, score) of a game, None if it has no flags."""

    def read(self, connection: apsw.Connection, sql: str) -> None:
        """Enter stored flags: rows of (ID, status, group, reason, score, is removed).

        "Is removed": the game is no longer in Games. The connection must have just loaded this
        module by ENTRY_POINT, in this thread. Raises SqliteError.
        """

    def unchanged_groups(self, ids: array[int], ends: array[int]) -> bytearray:
        """Return 1 for each group whose games are those of one stored group, else 0.

        Its kept game must be one of them.
        """

    def keep(self, game_id: int) -> None:
        """Note that the flags of a game stay, if it has any."""

    def keep_groups(self, ids: array[int], ends: array[int], are_kept: bytearray) -> None:
        """Note that the flags of groups stay: 1 in `are_kept` for each that does."""

    def is_kept(self, game_id: int) -> bool:
        """Return whether a game has flags that stay."""

    def is_dropped(self, game_id: int) -> bool:
        """Return whether a game has flags that do not stay."""

    @property
    def all_kept(self) -> bool:
        """Whether all flags stay."""

    def add_none_of_dropped(self, stored: FlagRows) -> None:
        """Have the flags of games taken away that do not stay, and that get no others."""

    def counts(self, kept_in_games: bool) -> tuple[int, dict[str, int]]:
        """Return the number of groups that have duplicates, and of these by status.

        `kept_in_games`: only of flags that stay, of games in Games.
        """

    def sums(self, stored: FlagRows) -> list[tuple[Any, ...]] | None:
        """Return (status, reason, games, three sums) of these flags and those stored that stay.

        The sums are those of store/search_state.py. None if the numbers are too large for that, or
        a stored flag has no header score. No game may be in both, and none removed.
        """

    def write(
        self, connection: apsw.Connection, flagging: Sequence[str], unflagging: Sequence[str]
    ) -> None:
        """Step the statements `flagging` for each flagged game, the others for those with none.

        By rising ID. The parameters: status, group, reason, header score, ID. The connection must
        have just loaded this module by ENTRY_POINT, in this thread. Raises SqliteError.
        """
