"""SQL that reads stored games and names unchanged, valid or not; text that is not UTF-8.

For checks, texts are bytes, since a damaged one may not be UTF-8.

OCGDB stores names and comments as written in the PGN, often in windows-1252. A database of OCGDB is
read through temporary views with the names of its tables, whose texts are UTF-8, so that other
statements need not know. In our databases such text is damage, which a repair converts to UTF-8.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

import apsw

from ocgdedup.charsets import decoded
from ocgdedup.game_columns import GAME_COLUMNS
from ocgdedup.store.connection import column_names
from ocgdedup.store.games import GAME_TABLES, Row, games_in_ranges

_AS_BYTES = ("FEN", "Date")


class StoredGame(NamedTuple):
    """Columns of a game that partly depend on each other; None if a table lacks the column.

    Texts are the stored bytes, since a damaged one may not be UTF-8.
    """

    game_id: int
    fen: bytes | None
    moves: object
    ply_count: int | None
    mainline_hash: int | None
    final_zobrist: int | None
    positions_key: int | None
    sampled_key: int | None
    special_moves: int | None
    date: bytes | None
    date_quality: int | None
    white: int | None
    black: int | None
    white_person: int | None
    black_person: int | None
    core_hash: int | None
    is_merged: int | None
    result: str | None


_STORED = (
    "FEN", "Moves2", "PlyCount", "MoveHash", "FinalZobrist", "PositionsKey", "SampledKey",
    "SpecialMoves", "Date", "DateQuality", "WhiteID", "BlackID", "WhitePersonID", "BlackPersonID",
    "CoreHash", "HeaderOptimized", "Result",
)  # fmt: skip


def stored_games(connection: apsw.Connection, table: str) -> Iterator[list[Row]]:
    """Yield rows of StoredGame of Games, RemovedGames or UnmergedHeaders, range by range.

    No statement is open between two lists, so that the games may be written.
    """
    existing = column_names(connection, table)
    key = "GameID" if "GameID" in existing else "ID"
    names = (_bytes_of(name) if name in existing else "NULL" for name in _STORED)
    sql = f"SELECT {key}, {', '.join(names)} FROM {table} WHERE {key} > ? ORDER BY 1 LIMIT ?"
    return games_in_ranges(connection, sql)


def _bytes_of(name: str) -> str:
    return f"CAST({name} AS BLOB)" if name in _AS_BYTES else name


def original_date(connection: apsw.Connection, table: str, game_id: int, tag: str) -> str | None:
    """Return the date of a game as written in its source, None if Date is unchanged.

    `tag`: the tag that preserves it.
    """
    key = "GameID" if table == "UnmergedHeaders" else "ID"
    sql = (
        "SELECT CASE WHEN json_valid(ExtraTags) THEN ExtraTags ->> ? END "
        f"FROM {table} WHERE {key} = ?"
    )
    row = connection.execute(sql, (tag, game_id)).fetchone()
    return None if row is None or row[0] is None else str(row[0])


def key_texts(connection: apsw.Connection, table: str) -> Iterator[Row]:
    """Yield (ID, name in bytes) of Players; for Persons also FIDE ID and year of birth."""
    more = ", FideID, BirthYear" if table == "Persons" else ""
    sql = f"SELECT ID, CAST(coalesce(Name, '') AS BLOB){more} FROM {table}"
    return iter(connection.execute(sql))


def places_of_games(connection: apsw.Connection, ids: list[int]) -> dict[int, str]:
    """Return the origin of games, if known: "FILE, game NUMBER"."""
    places: dict[int, str] = {}
    for table in GAME_TABLES:
        if "SourceID" not in column_names(connection, table):
            continue
        sql = (
            f"SELECT {table}.ID, Sources.Name || ', game ' || coalesce(SourceNumber, '?') "
            f"FROM {table} JOIN Sources ON Sources.ID = SourceID WHERE {table}.ID = ?"
        )
        for game_id in ids:
            places.update(connection.execute(sql, (game_id,)))
    return places


# --- text that is not UTF-8 -----------------------------------------------------------------------


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
_NAMED_BY = {
    "Events": ("EventID",),
    "Sites": ("SiteID",),
    "Players": ("WhiteID", "BlackID"),
}
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
            shown = ", ".join(_shown(name, is_text=name in names) for name in columns)
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


def _shown(column: str, *, is_text: bool) -> str:
    quoted = '"' + column.replace('"', '""') + '"'
    if not is_text:
        return quoted
    odd, text = _IS_ODD.format(column), _AS_TEXT.format(column)
    return f"CASE WHEN {odd} THEN {text} ELSE {column} END AS {column}"
