"""Find the games that have a pattern, by replaying them."""

from collections.abc import Iterable
from typing import TypeAlias

import apsw

ENTRY_POINT: str
CONSTANTS: dict[str, int]

# What (of CONSTANTS: NUMBER, COUNT, FEN, or an operator by its sign), the kind of piece, the value.
Step: TypeAlias = tuple[int, int, int]
# Column, row, sum of EMPTY, BLACK, WHITE: what may be there.
Point: TypeAlias = tuple[int, int, int]
# Lines of the board (0: any), column and row of the first point (ANYWHERE, FAR_EDGE), width, height
# and the points that count, those first that are most seldom so.
GoPattern: TypeAlias = tuple[int, int, int, int, int, Iterable[Point]]

class PatternFinder:
    """What to look for; scan() may be called by several threads at a time.

    `at`: look after so many plies alone.
    """

    @staticmethod
    def of_chess(
        steps: Iterable[Step], positions: Iterable[tuple[str, int]], at: int | None = None
    ) -> PatternFinder:
        """Return what looks for positions of which a program leaves another number than 0.

        The program is in postfix order. Kinds: 0 white, 8 black, plus 1 pawn to 6 king, or 7 for
        all. `positions`: FENs, and so many fields of each count; see PositionFinder. Raises
        ValueError for no program or position.
        """

    @staticmethod
    def of_go(patterns: Iterable[GoPattern], at: int | None = None) -> PatternFinder:
        """Return what looks for one of some patterns; raise ValueError for none."""

    def scan(self, connection: apsw.Connection, sql: str) -> list[tuple[int, int, int]]:
        """Replay the games that a statement reads: ID, start or NULL, moves.

        Returns of each game that has it (ID, plies before it comes first, which pattern of Go). The
        connection must have just loaded this module by ENTRY_POINT, in this thread. Raises
        SqliteError.
        """
