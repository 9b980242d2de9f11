"""Find the games that match a position pattern, by replaying them."""

from collections.abc import Iterable
from typing import TypeAlias

import apsw

ENTRY_POINT: str
CONSTANTS: dict[str, int]

# Operation (of CONSTANTS: NUMBER, COUNT, FEN, or an operator by its sign), kind of piece, value.
Step: TypeAlias = tuple[int, int, int]
# Column, row, sum of EMPTY, BLACK, WHITE: the allowed contents.
Point: TypeAlias = tuple[int, int, int]
# Board size (0: any), column and row of the first point (ANYWHERE, FAR_EDGE), width, height, and
# the points that count, the rarest first.
GoPattern: TypeAlias = tuple[int, int, int, int, int, Iterable[Point]]

class PatternFinder:
    """A compiled pattern; several threads may call scan() at a time.

    `at`: match only after this many plies.
    """

    @staticmethod
    def of_chess(
        steps: Iterable[Step], positions: Iterable[tuple[str, int]], at: int | None = None
    ) -> PatternFinder:
        """Return a finder of positions for which a program does not evaluate to 0.

        The program is in postfix order. Kinds: 0 white, 8 black, plus 1 pawn to 6 king, or 7 for
        all. `positions`: FENs, and how many fields of each count; see PositionFinder. Raises
        ValueError for an invalid program or position.
        """

    @staticmethod
    def of_go(patterns: Iterable[GoPattern], at: int | None = None) -> PatternFinder:
        """Return a finder of any of some patterns; raise ValueError for an invalid pattern."""

    def scan(self, connection: apsw.Connection, sql: str) -> list[tuple[int, int, int]]:
        """Replay the games that a statement reads: ID, start or NULL, moves.

        Returns (ID, plies before the first match, index of the Go pattern) of each matching game.
        The connection must have just loaded this module by ENTRY_POINT, in this thread. Raises
        SqliteError.
        """
