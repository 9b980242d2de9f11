"""Text whose bytes are not UTF-8: how it is read, and how it is made UTF-8.

OCGDB stores names and comments as they were in the PGN, often windows-1252. A database of OCGDB is
read through temporary views of the same names as its tables, whose texts are UTF-8, so that no
other statement has to know. In a database of ours such text is damage; a repair makes it UTF-8.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

import apsw

from ocgdedup.charsets import decoded
from ocgdedup.game_columns import GAME_COLUMNS

# Columns that OCGDB declares as text. It leaves tables and columns out that it is not asked for.
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
_NAMED_BY = {
    "Events": ("EventID",),
    "Sites": ("SiteID",),
    "Players": ("WhiteID", "BlackID"),
}
# Anything but plain ASCII, numbers and bytes too: older versions of OCGDB store rounds as numbers.
_IS_ODD = "({0} IS NOT NULL AND (typeof({0}) <> 'text' OR {0} GLOB '*[^ -~]*'))"
_AS_TEXT = "stored_text(CAST({0} AS BLOB))"


class TextColumn(NamedTuple):
    """A column of a table that holds text."""

    table: str
    column: str


def add_text_function(connection: apsw.Connection) -> None:
    """Give statements of a connection the function stored_text(BLOB), which returns UTF-8."""
    connection.create_scalar_function("stored_text", _text, 1, deterministic=True)


def _text(*values: object) -> str | None:
    (raw,) = values
    return decoded(raw) if isinstance(raw, bytes) else None


def read_as_text(
    connection: apsw.Connection, texts: Mapping[str, Collection[str]] = OCGDB_TEXTS
) -> None:
    """Let all statements of a connection see columns of tables, OCGDB's unless given, as UTF-8."""
    add_text_function(connection)
    for table, names in texts.items():
        columns = _columns(connection, table)
        if columns:
            shown = ", ".join(_shown(name, is_text=name in names) for name in columns)
            connection.execute(f"CREATE TEMP VIEW {table} AS SELECT {shown} FROM main.{table}")


def read_as_stored(connection: apsw.Connection, tables: Iterable[str] = OCGDB_TEXTS) -> None:
    """Take back what read_as_text() did, so that the tables can be written."""
    for table in tables:
        connection.execute(f"DROP VIEW IF EXISTS temp.{table}")


def convert_ocgdb_texts(connection: apsw.Connection) -> None:
    """Make all texts of a database of OCGDB UTF-8; names that become equal become one name.

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
    """Make the texts of a column UTF-8; one that another row has already stays as it is."""
    table, column = place
    text = _AS_TEXT.format(column)
    connection.execute(
        f"UPDATE OR IGNORE {table} SET {column} = {text} "
        f"WHERE {_IS_ODD.format(column)} AND {column} IS NOT {text}"
    )


def _join_equal_names(connection: apsw.Connection, table: str) -> None:
    """Let games name the row whose bytes are UTF-8, where another says the same in other bytes."""
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


def _shown(column: str, *, is_text: bool) -> str:
    quoted = '"' + column.replace('"', '""') + '"'
    if not is_text:
        return quoted
    odd, text = _IS_ODD.format(column), _AS_TEXT.format(column)
    return f"CASE WHEN {odd} THEN {text} ELSE {column} END AS {column}"
