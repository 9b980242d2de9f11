"""SQL that copies the games of another database, as they were read, in the caller's transaction.

The other database is attached, which ends with the connection: SQLite cannot detach a database that
a transaction has read. It has the current schema, and revert_to_read() was called if it is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import apsw

from ocgdedup._kernels import names as name_kernel
from ocgdedup._kernels.chess import NameTable
from ocgdedup.errors import StoreError
from ocgdedup.game_columns import GAME_COLUMNS
from ocgdedup.store.connection import error_text, has_rows, id_list
from ocgdedup.store.games import (
    GAME_TABLES,
    Row,
    core_hash,
    games_in_ranges,
    kept_and_deleted,
    tables_with_games,
    update_games,
)
from ocgdedup.store.merges import EMPTY_NAME_ID, has_merges, merged_ids, restore_headers
from ocgdedup.store.names import NAME_TABLES, PLAYERS_STATE, read_state

# Tables about games that are copied; their GameID changes.
_ABOUT_GAMES = ("Comments", "Annotations", "Faults", "Corrections", "GameNotes")
# What is known of players, or came from other games, is found again.
_NOT_READ = ("WhitePersonID", "BlackPersonID", "BackFilled", "HeaderOptimized")
_FILLED = ("ExtraTags", "WhiteElo", "BlackElo")
_SELECT_FILLED = """
    SELECT ID, Date, ExtraTags, WhiteElo, BlackElo, BackFilled FROM {table}
    WHERE ID > ? AND BackFilled <> 0 ORDER BY ID LIMIT ?
"""
_NEW_NAME = (
    f"coalesce((SELECT NewID FROM temp.New{{table}} WHERE OldID = {{column}}), {EMPTY_NAME_ID})"
)
_NEW_SOURCE = "coalesce((SELECT NewID FROM temp.NewSources WHERE OldID = SourceID), :own_source)"
_NUMBER = "CASE WHEN SourceID IS NULL THEN ID ELSE SourceNumber END"
_NAMES_HASH = "ocgdedup_names_hash"
_ALL_BITS = -1


def must_be_reverted(connection: apsw.Connection) -> bool:
    """Return whether games of a database may differ from what was read."""
    return has_merges(connection) or _is_resolved(connection)


def _is_resolved(connection: apsw.Connection) -> bool:
    return read_state(connection, PLAYERS_STATE) is not None or has_rows(connection, "Persons")


def revert_to_read(connection: apsw.Connection) -> None:
    """Undo merges and what `players` filled in, and delete the names that no game has then."""
    restore_headers(connection, id_list(merged_ids(connection)))
    for table in tables_with_games(connection):
        for rows in games_in_ranges(connection, _SELECT_FILLED.format(table=table)):
            changes: list[Row] = []
            for game_id, *fields in rows:
                game = name_kernel.OneGame(*fields)
                game.withdraw(_ALL_BITS)
                changes.append((*game.columns()[:3], game_id))
            update_games(connection, _FILLED, changes, table)
    for name_table in NAME_TABLES:
        used = " UNION ".join(
            kept_and_deleted(connection, f"SELECT {column.name} FROM {{table}}")
            for column in GAME_COLUMNS
            if column.references == name_table
        )
        connection.execute(f"DELETE FROM {name_table} WHERE ID NOT IN ({used})")


class NewIDs(NamedTuple):
    """IDs of copied games: `shift` is added to the other database's, `end_id` follows the last.

    `games`: how many games are not deleted.
    """

    shift: int
    end_id: int
    games: int


class OtherDatabase:
    """Another database, attached to the connection of an import; raises StoreError."""

    def __init__(self, connection: apsw.Connection, path: str, other: apsw.Connection) -> None:
        self.other = other
        self._connection = connection
        self._path = path
        self._name = f"Other{len(connection.db_names())}"
        self._skipped = ""
        self._values: dict[str, int] = {}
        self._renumbered: set[str] = set()  # tables of names
        self._execute(f"ATTACH ? AS {self._name}", (other.filename,))

    def copy(
        self,
        next_id: int,
        names: Sequence[NameTable],
        sources: Mapping[int, int | str],
        own_source: int,
    ) -> NewIDs:
        """Copy games, deleted games and the rows about them; the first game gets the ID `next_id`.

        `names`: tables of NAME_TABLES, which get new names. `sources`: by ID, the new ID, or the
        SHA-256 of a source whose games are left out. Games without a source get `own_source`, and
        their IDs as numbers.
        """
        skipped = [str(old) for old, new in sources.items() if isinstance(new, str)]
        if skipped:
            self._skipped = f"SourceID IN ({', '.join(skipped)})"
        where = f"WHERE coalesce(NOT ({self._skipped}), 1)" if skipped else ""
        ids = kept_and_deleted(self.other, f"SELECT ID FROM {{table}} {where}")
        first, last = self.other.execute(f"SELECT min(ID), max(ID) FROM ({ids})").get
        first, last = (0, -1) if first is None else (first, last)
        self._values = {"shift": next_id - first, "own_source": own_source}
        self._map("Sources", ((old, new) for old, new in sources.items() if isinstance(new, int)))
        self._map_names(names)
        games = self._copy_rows("Games", self._game_values(where), where)
        self._copy_rows("RemovedGames", self._game_values(where), where)
        self._copy_rows("Rejects", {"SourceID": _NEW_SOURCE}, where)
        skipped_ids = " UNION ALL ".join(
            f"SELECT ID FROM {self._name}.{table} WHERE {self._skipped}" for table in GAME_TABLES
        )
        where = f"WHERE GameID NOT IN ({skipped_ids})" if skipped else ""
        for table in _ABOUT_GAMES:
            self._copy_rows(table, {"GameID": "GameID + :shift"}, where)
        self._execute(
            f"INSERT OR IGNORE INTO UnwantedRecords SELECT * FROM {self._name}.UnwantedRecords"
        )
        end_id = next_id - first + last + 1
        # Later games must not get the IDs of deleted ones.
        self._execute("DELETE FROM sqlite_sequence WHERE name = 'Games'")
        self._execute("INSERT INTO sqlite_sequence VALUES ('Games', ?)", (end_id - 1,))
        return NewIDs(next_id - first, end_id, games)

    def places(self, ids: Iterable[int]) -> Iterator[Row]:
        """Yield ID, SourceID and SourceNumber of those of the games that exist, deleted or not."""
        select = (
            "SELECT ID, SourceID, SourceNumber FROM {table} "
            f"WHERE ID IN (SELECT value FROM json_each('{id_list(ids)}'))"
        )
        return iter(self.other.execute(kept_and_deleted(self.other, select)))

    def _map_names(self, tables: Sequence[NameTable]) -> None:
        for name_table, table in zip(NAME_TABLES, tables, strict=True):
            elo = "Elo" if name_table == "Players" else "NULL"
            sql = f"SELECT ID, coalesce(Name, ''), {elo} FROM {name_table} ORDER BY ID"
            rows = self.other.execute(sql)
            self._map(name_table, ((name_id, table.intern(*row)) for name_id, *row in rows))
        players = tables[NAME_TABLES.index("Players")]

        def names_hash(*names: Any) -> int:
            return core_hash(*map(players.key, names))

        self._connection.create_scalar_function(_NAMES_HASH, names_hash, 2)

    def _map(self, table: str, new_ids: Iterable[tuple[int, int]]) -> None:
        new_ids = list(new_ids)
        if any(old != new for old, new in new_ids):
            self._renumbered.add(table)
        self._execute(f"DROP TABLE IF EXISTS temp.New{table}")
        self._execute(f"CREATE TEMP TABLE New{table} (OldID INTEGER PRIMARY KEY, NewID INTEGER)")
        self._connection.executemany(f"INSERT INTO temp.New{table} VALUES (?, ?)", new_ids)

    def _game_values(self, where: str) -> dict[str, str]:
        """Return the SQL of the columns of games that change, none for a mere copy."""
        # A database of OCGDB that was upgraded has games without a source, the first ones.
        first = "SELECT SourceID FROM {table} WHERE ID = (SELECT min(ID) FROM {table})"
        sources = [
            source
            for table in tables_with_games(self.other)
            for (source,) in self.other.execute(first.format(table=table))
        ]
        is_changed = where or self._renumbered or self._values["shift"] or _is_resolved(self.other)
        if not is_changed and None not in sources:
            return {}
        values = dict.fromkeys(_NOT_READ, "NULL") | {
            column.name: (
                _NEW_NAME.format(table=column.references, column=column.name)
                if column.references in self._renumbered
                else f"coalesce({column.name}, {EMPTY_NAME_ID})"
            )
            for column in GAME_COLUMNS
            if column.references in NAME_TABLES
        }
        names_hash = f"{_NAMES_HASH}({values['WhiteID']}, {values['BlackID']})"
        if not _is_resolved(self.other):
            names_hash = f"coalesce(CoreHash, {names_hash})"
        return values | {
            "ID": "ID + :shift", "SourceID": _NEW_SOURCE, "SourceNumber": _NUMBER,
            "CoreHash": names_hash,
        }  # fmt: skip

    def _copy_rows(self, table: str, changed: dict[str, str], where: str) -> int:
        """Copy the rows of a table; return how many. Without its ID, a row gets a free one."""
        sql = "SELECT name FROM pragma_table_xinfo(?, ?)"
        here, there = (
            [name for (name,) in self._connection.execute(sql, (table, schema))]
            for schema in ("main", self._name)
        )
        if not changed and here == there:  # SQLite copies the rows as they are, in a third the time
            self._execute(f"INSERT INTO {table} SELECT * FROM {self._name}.{table}")
            return self._connection.changes()
        columns = [name for name in here if name != "ID" or name in changed or not changed]
        selected = ", ".join(changed.get(name, name) for name in columns)
        values = {name: value for name, value in self._values.items() if f":{name}" in selected}
        self._execute(
            f"INSERT INTO {table} ({', '.join(columns)}) "
            f"SELECT {selected} FROM {self._name}.{table} {where}",
            values,
        )
        return self._connection.changes()

    def _execute(self, sql: str, values: Row | dict[str, int] = ()) -> None:
        try:
            self._connection.execute(sql, values)
        except (apsw.CorruptError, apsw.NotADBError, apsw.BusyError) as error:
            raise StoreError(f"{self._path}: cannot be read: {error_text(error)}") from error
