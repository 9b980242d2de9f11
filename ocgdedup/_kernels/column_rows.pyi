"""Insert columns of Arrow arrays into SQLite and read them back, without Python objects."""

from collections.abc import Sequence

import apsw
from typing_extensions import Buffer

ENTRY_POINT: str
KINDS: dict[str, int]

# (kind, offset of the first row in the buffers, validity bitmap, offsets of text and bytes,
# values): str(type), offset and buffers() of a pyarrow.Array. The last three are buffers, or None.
Column = tuple[str, int, Buffer | None, Buffer | None, Buffer | None]

class ColumnWriter:
    """Inserts into one table of a database.

    Only one thread may use the connection at a time, as apsw requires. Raises SqliteError.
    """

    def __init__(self, connection: apsw.Connection, statements: tuple[str, str]) -> None:
        """Prepare an INSERT of one row and one of up to 64 rows.

        `connection` must have just loaded this module by ENTRY_POINT, in this thread.
        """

    def write(self, columns: Sequence[Column], rows: int) -> None:
        """Insert rows from one column per parameter. Text must be UTF-8.

        Raises ValueError for buffers that are too short, and KeyError for a kind that is not in
        KINDS. Rows before the error may have been inserted.
        """

    def close(self) -> None:
        """Finalize the statements; call it before the connection is closed."""

def read_columns(
    connection: apsw.Connection, sql: str, kinds: Sequence[str]
) -> tuple[int, list[Column]]:
    """Return the number of rows of a query, and its columns, each of one of KINDS.

    `connection` must have just loaded this module by ENTRY_POINT, in this thread. Raises
    SqliteError, and ValueError for a value that is not of its column's kind.
    """
