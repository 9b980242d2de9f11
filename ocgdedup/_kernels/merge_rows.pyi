"""Write the merges of the kernel resolve_groups, or look them up."""

from collections.abc import Sequence

import apsw

ENTRY_POINT: str
FIELD_TAGS: tuple[str, ...]

def merged_games(merges: bytes) -> list[int]:
    """Return the IDs of the games that values are merged into."""

def write_merges(
    connection: apsw.Connection,
    merges: bytes,
    texts: bytes,
    update: str,
    log: tuple[str, str],
    reasons: Sequence[str],
) -> None:
    """Write merges as returned by GroupResolver.resolve(), by rising ID.

    `update` sets the new values of a game: its ID, the values of FIELD_TAGS (NULL for no change,
    names as IDs), and the DateQuality, which goes with the date. `log`: statements that insert one
    and several changes: ID, tag, old value, new value, ID of the game that had it, and the reason;
    values are logged as shown to users, "?" if missing. `reasons`: texts for missing, supported by
    all records, more reliable record, more exact, majority.

    The connection must have just loaded this module by ENTRY_POINT, in this thread. Raises
    SqliteError.
    """

def noted_games(
    connection: apsw.Connection,
    merges: bytes,
    texts: bytes,
    has_number: str,
    find: str,
    reasons: Sequence[str],
) -> list[int]:
    """Return the IDs of the games whose logged changes are exactly those of the merges.

    `has_number` has a row if so many changes of a game are logged: its ID, the number. `find` has a
    row if a change is logged; its parameters are the columns that write_merges() inserts. For the
    others and the connection, see there. Raises SqliteError.
    """
