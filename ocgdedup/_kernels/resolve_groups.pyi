"""Choose the kept game of groups with equal mainlines, and tell which groups need no merge."""

from array import array
from collections.abc import Callable, Sequence

import apsw

ENTRY_POINT: str
COLUMNS: tuple[str, ...]
OPEN: int
HEADERS: int
NOTES: int
COLOURS: int

class SqliteError(Exception):
    """SQLite refused: its extended result code and its message."""

class GroupResolver:
    """Reads the headers of one database, batch by batch; what it learns of names it keeps."""

    def __init__(
        self,
        connection: apsw.Connection,
        points: Sequence[int],
        tags: Sequence[tuple[str, int]],
        is_named: Callable[[str], bool],
    ) -> None:
        """Take POINTS and TAG_POINTS of matching/header_score.py, and its is_named().

        The connection must have just loaded this module by ENTRY_POINT, in this thread. Raises
        ValueError for another number of points and another SQLite than the kernel knows.
        """

    def resolve(
        self,
        ids: array[int],
        lines: array[int],
        ends: array[int],
        closed: bytes | bytearray,
        sources: Sequence[str],
        lookups: Sequence[str],
    ) -> tuple[bytearray, array[int], array[int], bytearray, array[int], int]:
        """Return what each group needs, and of groups that are not OPEN what was chosen.

        `ids`, `lines`, `ends`: see groups_found() of find_copies. `closed`: 1 for each group that
        is to be left OPEN. `sources`: statements that select COLUMNS of a game by ID, the first
        that has it counts; `lookups`: those that select the name of an event, a site and a player,
        and the FIDE ID of a person.

        The result: bits (OPEN, HEADERS, NOTES, COLOURS) and the ID of the kept game by group; the
        header score and the number of kinds of annotations by game; the plies of the kept game by
        group; how many duplicates have annotations. Raises SqliteError, and KeyError for a game
        that no statement has.
        """
