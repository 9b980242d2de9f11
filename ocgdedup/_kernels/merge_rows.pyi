"""Write what the kernel resolve_groups has merged."""

from collections.abc import Sequence

import apsw

ENTRY_POINT: str
FIELD_TAGS: tuple[str, ...]

def merged_games(merges: bytes) -> list[int]:
    """Return the IDs of the games that something is merged into."""

def write_merges(
    connection: apsw.Connection, merges: bytes, texts: bytes, update: str, tags: Sequence[str]
) -> None:
    """Write merges as GroupResolver.resolve() returns them, by rising ID.

    `update` gives a game its new values: its ID, the values of FIELD_TAGS, NULL for those that
    stay, names as IDs, and the quality of the date, which goes with the date. `tags`: for each of
    FIELD_TAGS the statement that notes a change: ID, value before, value now, ID of the game that
    had it, and why, as a place in (missing, supported by all records, more reliable record, more
    exact). The connection must have just loaded this module by ENTRY_POINT, in this thread. Raises
    SqliteError.
    """
