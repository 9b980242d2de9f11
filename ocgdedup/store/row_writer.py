"""Fast inserts of games, annotations and names, and games as columns, by the kernels.

Owns the SQL for these, and gives the kernels access to the SQLite of a connection, which loads them
as extensions. Must not know what the rows mean.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import TYPE_CHECKING

import apsw

from ocgdedup._kernels import chess as chess_kernel
from ocgdedup._kernels import search as search_kernel
from ocgdedup.errors import StoreError
from ocgdedup.game_columns import INSERTED_COLUMNS
from ocgdedup.store.connection import kernel_errors
from ocgdedup.store.games import ANNOTATION_COLUMNS, COMMENT_COLUMNS

if TYPE_CHECKING:
    from ocgdedup._kernels.chess import Block, BlockOrigin, NameTables, OddValues, WrittenBlock
    from ocgdedup._kernels.search import Column

if chess_kernel.INSERTED_COLUMNS != INSERTED_COLUMNS:
    raise ImportError(
        f"the chess kernel inserts the columns {chess_kernel.INSERTED_COLUMNS}, and the store "
        f"{INSERTED_COLUMNS}; build the kernels again"
    )

# Rows per statement: each statement opens the tables and looks up the last ID once.
_GROUP_ROWS = 16
_UNWRITTEN = "cannot be written"

_NAME_COLUMNS = {
    "Events": ("ID", "Name"),
    "Sites": ("ID", "Name"),
    "Players": ("ID", "Name", "Elo"),
}


class RowWriter:
    """Inserts into one connection; close it before the connection is closed.

    Raises StoreError for SQLite errors, also in later calls.
    """

    def __init__(self, connection: apsw.Connection) -> None:
        statements = (
            insert_statements("Games", INSERTED_COLUMNS),
            insert_statements("Comments", COMMENT_COLUMNS),
            insert_statements("Annotations", ANNOTATION_COLUMNS),
        )
        try:
            with using_kernel(connection, chess_kernel, _UNWRITTEN):
                self._writer = chess_kernel.RowWriter(connection, statements)
        except ValueError as error:
            raise StoreError(str(error)) from error
        self._connection = connection

    def close(self) -> None:
        self._writer.close()

    def write_block(
        self,
        block: Block,
        tables: NameTables,
        odd_values: OddValues,
        origin: BlockOrigin,
        *,
        decode_all: bool = False,
    ) -> WrittenBlock:
        """Insert games and annotations; see RowWriter.write_block() of the kernel."""
        with kernel_errors(self._connection, _UNWRITTEN):
            return self._writer.write_block(block, tables, odd_values, origin, decode_all)

    def write_names(self, names: chess_kernel.NameTable, table: str) -> None:
        """Insert the new names of Events, Sites or Players."""
        with kernel_errors(self._connection, _UNWRITTEN):
            self._writer.write_names(names, insert_statements(table, _NAME_COLUMNS[table]))


class ColumnWriter:
    """Inserts columns of Arrow arrays into a table; close it before the connection is closed."""

    def __init__(self, connection: apsw.Connection, table: str, columns: Sequence[str]) -> None:
        load_kernel(connection, search_kernel)
        self._writer = search_kernel.ColumnWriter(connection, insert_statements(table, columns))
        self._connection = connection

    def close(self) -> None:
        self._writer.close()

    def write(self, columns: Sequence[Column], rows: int) -> None:
        """Insert rows; see the kernel. Raise StoreError for SQLite errors."""
        with kernel_errors(self._connection, _UNWRITTEN):
            self._writer.write(columns, rows)


def game_columns(
    connection: apsw.Connection, columns: Sequence[str], types: Sequence[str]
) -> tuple[int, list[Column]]:
    """Return the number of games and the columns of all games, by ID; see read_columns()."""
    sql = f"SELECT {', '.join(columns)} FROM Games ORDER BY ID"
    with using_kernel(connection, search_kernel, "cannot be read"):
        return search_kernel.read_columns(connection, sql, types)


def load_kernel(connection: apsw.Connection, kernel: ModuleType) -> None:
    """Load a kernel as an extension of a connection, for its next call in this thread.

    Raises StoreError if this apsw cannot load extensions.
    """
    try:
        connection.enable_load_extension(True)
        try:
            connection.load_extension(str(kernel.__file__), kernel.ENTRY_POINT)
        finally:
            connection.enable_load_extension(False)
    except (apsw.Error, AttributeError) as error:
        raise StoreError(
            f"this apsw cannot load extensions of SQLite ({error}); "
            "install the one of PyPI: python3 -m pip install --force-reinstall apsw"
        ) from error


@contextlib.contextmanager
def using_kernel(connection: apsw.Connection, kernel: ModuleType, action: str) -> Iterator[None]:
    """Load a kernel, and raise StoreError for the SQLite errors of a block; `action`: what failed.

    The block must run in this thread.
    """
    load_kernel(connection, kernel)
    with kernel_errors(connection, action):
        yield


def insert_statements(
    table: str, columns: Sequence[str], *, replaces: bool = False
) -> tuple[str, str]:
    """Return the statements that insert one row and _GROUP_ROWS rows."""
    row = f"({', '.join('?' * len(columns))})"
    verb = "INSERT OR REPLACE" if replaces else "INSERT"
    head = f"{verb} INTO {table} ({', '.join(columns)}) VALUES "
    return head + row, head + ", ".join([row] * _GROUP_ROWS)
