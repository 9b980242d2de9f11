"""Text that is not UTF-8: how it is read, and how it is converted to UTF-8.

OCGDB stores names and comments as written in the PGN, often in windows-1252. A database of OCGDB is
read through temporary views with the names of its tables, whose texts are UTF-8, so that other
statements need not know. In our databases such text is damage, which a repair converts to UTF-8.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

import apsw

from ocgdedup.charsets import decoded
from ocgdedup.game_columns import GAME_COLUMNS
from ocgdedup.store.connection import quoted

# Columns that OCGDB declares as text. It omits tables and columns that were not requested.
OCGDB_TEXTS = {
    "Info": ("Name", "Value"),
    "Events": ("Name",),
    "Sites": ("Name",),
    "Players": ("Name",),
    "Games": tuple(
        column.name for column in GAME_COLUMNS if column.of_ocgdb and column.sql_type == "TEXT"
    ),
    "Comments": ("Comment",),
}
_NAMED_BY = {"Events": ("EventID",), "Sites": ("SiteID",), "Players": ("WhiteID", "BlackID")}
# Anything except plain ASCII, including numbers: older versions of OCGDB store rounds as numbers.
_IS_ODD = "({0} IS NOT NULL AND (typeof({0}) <> 'text' OR {0} GLOB '*[^ -~]*'))"
_AS_TEXT = "stored_text(CAST({0} AS BLOB))"


class TextColumn(NamedTuple):
    """A column of a table that holds text."""

    table: str
    column: str


def add_text_function(connection: apsw.Connection) -> None:
    """Register the SQL function stored_text(BLOB), which returns UTF-8."""
    connection.create_scalar_function("stored_text", _text, 1, deterministic=True)


def _text(*values: object) -> str | None:
    (raw,) = values
    return decoded(raw) if isinstance(raw, bytes) else None


def read_as_text(
    connection: apsw.Connection, texts: Mapping[str, Collection[str]] = OCGDB_TEXTS
) -> None:
    """Show columns of tables (OCGDB's by default) as UTF-8 to all statements of a connection."""
    add_text_function(connection)
    for table, names in texts.items():
        columns = _columns(connection, table)
        if columns:
            shown = ", ".join(
                f"CASE WHEN {_IS_ODD.format(name)} THEN {_AS_TEXT.format(name)} "
                f"ELSE {name} END AS {name}"
                if name in names
                else quoted(name)
                for name in columns
            )
            connection.execute(f"CREATE TEMP VIEW {table} AS SELECT {shown} FROM main.{table}")


def read_as_stored(connection: apsw.Connection, tables: Iterable[str] = OCGDB_TEXTS) -> None:
    """Undo read_as_text(), so that the tables can be written."""
    for table in tables:
        connection.execute(f"DROP VIEW IF EXISTS temp.{table}")


def convert_ocgdb_texts(connection: apsw.Connection) -> None:
    """Convert all texts of a database of OCGDB to UTF-8; join names that become equal.

    The caller holds the transaction.
    """
    add_text_function(connection)
    for table, columns in OCGDB_TEXTS.items():
        existing = _columns(connection, table)
        if table in _NAMED_BY:
            _join_equal_names(connection, table)
        for column in columns:
            if column in existing:
                convert_texts(connection, TextColumn(table, column))


def convert_texts(connection: apsw.Connection, place: TextColumn) -> None:
    """Convert the texts of a column to UTF-8; a text that another row already has stays."""
    table, column = place
    text = _AS_TEXT.format(column)
    connection.execute(
        f"UPDATE OR IGNORE {table} SET {column} = {text} "
        f"WHERE {_IS_ODD.format(column)} AND {column} IS NOT {text}"
    )


def _join_equal_names(connection: apsw.Connection, table: str) -> None:
    """Make games refer to the UTF-8 row of a name that other rows have in other bytes."""
    odd = (
        f"SELECT Odd.ID, Sound.ID FROM {table} AS Odd "
        f"CROSS JOIN {table} AS Sound ON Sound.Name = {_AS_TEXT.format('Odd.Name')} "
        f"WHERE {_IS_ODD.format('Odd.Name')} AND Sound.ID <> Odd.ID"
    )
    for old, new in connection.execute(odd).fetchall():
        for column in _NAMED_BY[table]:
            connection.execute(f"UPDATE Games SET {column} = ? WHERE {column} = ?", (new, old))
        connection.execute(f"DELETE FROM {table} WHERE ID = ?", (old,))


def _columns(connection: apsw.Connection, table: str) -> list[str]:
    rows = connection.execute("SELECT name FROM pragma_table_info(?, 'main')", (table,))
    return [row[0] for row in rows]
