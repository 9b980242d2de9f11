"""Find the games that a position occurs in, and write the filters that spare most of the work."""

from collections.abc import Iterable, Sequence

import apsw

ENTRY_POINT: str

def filter_of(moves: bytes, start: str | None, is_go: bool) -> bytes:
    """Return the filter of a game; `start` is None for the usual one."""

def write_filters(
    connection: apsw.Connection, select: str, insert: str, is_go: bool
) -> tuple[int, int]:
    """Insert the filters of the games that a statement reads: ID, start or NULL, moves.

    Returns how many, and the ID of the last one, 0 if there was none. The connection must have
    just loaded this module by ENTRY_POINT, in this thread. Raises SqliteError, and ValueError for
    another SQLite than the kernel knows.
    """

class PositionFinder:
    """A position, and the games that may have it.

    To be used in this order: scan_filters() and scan_games(), or choose(); then find() until
    `left` is 0; close() before the connection is closed. Not by two threads at a time. All raise
    SqliteError for what SQLite refuses.
    """

    def __init__(
        self, connection: apsw.Connection, wanted: Sequence[str], is_go: bool, fields: int = 4
    ) -> None:
        """Take one FEN, or up to eight starts of Go games: one board, turned and mirrored.

        `fields`: 1, only the pieces count; 2, the side to move too; 3, castling; 4, en passant. The
        connection as for write_filters(). Raises ValueError for what is no such position.
        """

    def scan_filters(self, sql: str) -> int:
        """Sift games by rows of ID and filter, IDs rising; return how many there were."""

    def scan_games(self, sql: str) -> int:
        """Add the games without a filter, of rows of ID in any order; return how many."""

    def choose(self, ids: Iterable[int], filter_sql: str | None = None) -> None:
        """Take these games alone, in this order; `filter_sql` binds an ID and reads its filter."""

    def find(self, game_sql: str, most_tried: int) -> list[tuple[int, int, int]]:
        """Look at the next `most_tried` games that may have the position.

        `game_sql` binds an ID and reads start or NULL, and moves. Returns of each game that has it
        (ID, plies before it comes first, which of the boards).
        """

    @property
    def left(self) -> int:
        """Number of games that may have the position and were not looked at yet."""

    def close(self) -> None:
        """Finalize the statements; nothing can be found afterwards."""
