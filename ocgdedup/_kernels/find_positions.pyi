"""Find the games in which a position occurs, and write the filters that avoid most replays."""

from collections.abc import Iterable, Sequence

import apsw

ENTRY_POINT: str

def filter_of(moves: bytes, start: str | None, is_go: bool) -> bytes:
    """Return the filter of a game; `start` is None for the standard start."""

def write_filters(
    connection: apsw.Connection, select: str, insert: str, is_go: bool
) -> tuple[int, int]:
    """Insert the filters of the games that a statement reads: ID, start or NULL, moves.

    Returns the number of games and the ID of the last one (0 if there was none). The connection
    must have just loaded this module by ENTRY_POINT, in this thread. Raises SqliteError, and
    ValueError for an incompatible SQLite.
    """

class PositionFinder:
    """A position, and the games in which it may occur.

    Call the methods in this order: scan_filters() and scan_games(), or choose(); then find() until
    `left` is 0; close() before the connection is closed. Only one thread may use it at a time. All
    methods raise SqliteError.
    """

    def __init__(
        self, connection: apsw.Connection, positions: Sequence[str], is_go: bool, fields: int = 4
    ) -> None:
        """Set one FEN, or up to eight starts of Go games: one board in several orientations.

        `fields`: 1 compares only the pieces; 2 also the side to move; 3 castling; 4 en passant. For
        the connection, see write_filters(). Raises ValueError for an invalid position.
        """

    def scan_filters(self, sql: str) -> int:
        """Test games by rows of (ID, filter), by rising ID; return the number of rows."""

    def scan_games(self, sql: str) -> int:
        """Add the games without a filter, from rows of ID in any order; return their number."""

    def choose(self, ids: Iterable[int], filter_sql: str | None = None) -> None:
        """Search only these games, in this order; `filter_sql` binds an ID and reads its filter."""

    def find(self, game_sql: str, most_tried: int) -> list[tuple[int, int, int]]:
        """Search the next `most_tried` games in which the position may occur.

        `game_sql` binds an ID and reads start or NULL, and moves. Returns (ID, plies before the
        first occurrence, index of the board) of each game that has the position.
        """

    @property
    def left(self) -> int:
        """Number of games in which the position may occur and that are not searched yet."""

    def close(self) -> None:
        """Finalize the statements; the finder cannot be used afterwards."""
