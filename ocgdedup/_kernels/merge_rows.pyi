"""Write the merges of the kernel resolve_groups, or look them up."""

from collections.abc import Sequence

import apsw

ENTRY_POINT: str
FIELD_TAGS: tuple[str, ...]

def merged_games(merges: bytes) -> list[int]:
    """Return the IDs of the games that values are merged into."""

def write_merges(
    connection: apsw.Connection, merges: bytes, texts: bytes, update: str, tags: Sequence[str]
) -> None:
    """Write merges as returned by GroupResolver.resolve(), by rising ID.

    `update` sets the new values of a game: its ID, the values of FIELD_TAGS (NULL for no change,
    names as IDs), and the DateQuality, which goes with the date. `tags`: for each of FIELD_TAGS the
    statement that logs a change: ID, old value, new value, ID of the game that had it, and the
    reason as an index into (missing, supported by all records, more reliable record, more exact).
    The connection must have just loaded this module by ENTRY_POINT, in this thread. Raises
    SqliteError.
    """

def noted_games(
    connection: apsw.Connection, merges: bytes, texts: bytes, has_number: str, tags: Sequence[str]
) -> list[int]:
    """Return the IDs of the games whose logged changes are exactly those of the merges.

    `has_number` has a row if so many changes of a game are logged: its ID, the number. `tags`: for
    each of FIELD_TAGS the statement that has a row if a change is logged; its parameters are those
    of write_merges(). For the connection, see there. Raises SqliteError.
    """
