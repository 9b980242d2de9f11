"""Flags of games, gathered in memory and written in table order."""

from array import array
from collections.abc import Sequence

import apsw

ENTRY_POINT: str

class FlagRows:
    """Flags of games, 24 bytes each, in any order; each game at most once."""

    def __len__(self) -> int: ...
    def __contains__(self, game_id: int) -> bool:
        """Return whether a game has flags; raise ValueError if a game was flagged twice."""

    def add(
        self, game_id: int, status: str | None, group: int, reason: str | None, score: int
    ) -> None:
        """Flag a game."""

    def add_none(self, game_id: int) -> None:
        """Clear the flags of a game."""

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
        """Flag the games of groups; return the number of duplicates.

        `masters`, `scores`, `kinds`: as GroupResolver.resolve() returns them. Groups whose kind has
        one of the bits `left_out` are skipped. `status`: the status of all duplicates.
        """

    def set_reason(self, game_id: int, reason: str) -> None:
        """Change the reason of a game flagged last; raise KeyError if it has no flags."""

    def group_of(self, game_id: int) -> int | None:
        """Return the group of a game, None if it has none; ValueError as above."""

    def get(self, game_id: int) -> tuple[str | None, int, str | None, int] | None:
        """Return (status, group, reason, score) of a game, None if it has no flags."""

    def read(self, connection: apsw.Connection, sql: str) -> None:
        """Load stored flags: rows of (ID, status, group, reason, score, is removed).

        "Is removed" means that the game is no longer in Games. The connection must have just loaded
        this module by ENTRY_POINT, in this thread. Raises SqliteError.
        """

    def unchanged_groups(self, ids: array[int], ends: array[int]) -> bytearray:
        """Return 1 for each group with the same games as one stored group, else 0.

        The kept game of the stored group must be one of them.
        """

    def keep(self, game_id: int) -> None:
        """Mark the flags of a game as unchanged, if it has any."""

    def keep_groups(self, ids: array[int], ends: array[int], are_kept: bytearray) -> None:
        """Mark the flags of groups as unchanged: those with 1 in `are_kept`."""

    def is_kept(self, game_id: int) -> bool:
        """Return whether a game has flags that are marked as unchanged."""

    def is_dropped(self, game_id: int) -> bool:
        """Return whether a game has flags that are not marked as unchanged."""

    @property
    def all_kept(self) -> bool:
        """Whether all flags are marked as unchanged."""

    def add_none_of_dropped(self, stored: FlagRows) -> None:
        """Clear the stored flags of games that are not unchanged and get no new flags."""

    def counts(self, kept_in_games: bool) -> tuple[int, dict[str, int]]:
        """Return the number of groups that have duplicates, and the number of duplicates by status.

        `kept_in_games`: count only unchanged flags of games in Games.
        """

    def sums(
        self, stored: FlagRows
    ) -> list[tuple[str | None, str | None, int, int, int, int]] | None:
        """Return (status, reason, games, three sums) of these flags and the unchanged stored flags.

        For the sums, see store/search_state.py. Returns None if the numbers are too large for that,
        or if a stored flag has no header score. No game may be in both, and no game may be removed.
        """

    def insert(self, connection: apsw.Connection, statements: tuple[str, str]) -> None:
        """Insert the flagged games into a table that is empty, in the order of their IDs.

        `statements` insert one row and several rows. The parameters of a row are ID, status, group,
        reason, header score. Connection and errors as in write(); ValueError for other statements.
        """

    def write(
        self, connection: apsw.Connection, flagging: Sequence[str], unflagging: Sequence[str]
    ) -> None:
        """Step the statements `flagging` for each flagged game, `unflagging` for each cleared game.

        Games are in the order of their IDs. The parameters are status, group, reason, header score,
        ID. The connection must have just loaded this module by ENTRY_POINT, in this thread. Raises
        SqliteError.
        """
