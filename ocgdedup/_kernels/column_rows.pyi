"""Columns of Arrow arrays to rows of SQLite and back, without a Python object for each value."""

from collections.abc import Sequence
from typing import Any

import apsw

ENTRY_POINT: str
KINDS: dict[str, int]

# (kind, rows before the first one in the buffers, bitmap of values that are not NULL, offsets of
# text and bytes, values): str(type), offset and buffers() of a pyarrow.Array. The last three are
# buffers, or None.
Column = tuple[str, int, Any, Any, Any]

class ColumnWriter:
    """Inserts into one table of a database.

    The connection must be used by one thread at a time, as apsw demands anyhow. Raises SqliteError
    for what SQLite refuses.
    """

    def __init__(self, connection: apsw.Connection, statements: tuple[str, str]) -> None:
        """Prepare an INSERT of one row and one of up to 64 rows.

        `connection` must have just loaded this module by ENTRY_POINT, in this thread.
        """

    def write(self, columns: Sequence[Column], rows: int) -> None:
        """Insert rows, of a column for each parameter. Text must be UTF-8.

        Raises ValueError for buffers that are too short, and KeyError for a kind that is not among
        KINDS. Rows before the error may have been inserted.
        """

    def close(self) -> None:
        """Finalize the statements; to be called before the connection is closed."""

def read_columns(
    connection: apsw.Connection, sql: str, kinds: Sequence[str]
) -> tuple[int, list[Column]]:
    """Return how many rows a query has, and its columns, each of one of KINDS.

    `connection` must have just loaded this module by ENTRY_POINT, in this thread. Raises
    SqliteError for what SQLite refuses, and ValueError for a value that is not of its column's
    kind.
    """
