"""Connections to databases: pragmas, memory, transactions, threads, and SQL that any module needs.

Which files are accepted: see database.py. Must not know games.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeVar

import apsw

from ocgdedup import schema
from ocgdedup.data_files import read_data
from ocgdedup.errors import SqliteError, StoreError, UsageError
from ocgdedup.files.decompress import refuse_address
from ocgdedup.files.records import remove_leftovers
from ocgdedup.files.temporary import TemporaryFile

APPLICATION_ID = 0x4F434744  # "OCGD"
SCHEMA_VERSION = 14
_CACHE_KB, _SMALL_CACHE_KB = 65536, 8192
_MAPPED_BYTES = 1 << 26
BUSY_TIMEOUT_MS = 10_000
_HEADER_BYTES = 100  # of a database file
_PARTS_AHEAD = 2  # for each thread, begun before their results are asked for
_REMEDIES: dict[type[apsw.Error], str] = {
    apsw.BusyError: "another program is writing to it; wait for it or close it, and try again",
    apsw.ReadOnlyError: "it or its folder cannot be written to; check permissions, or copy it",
    apsw.CantOpenError: "check its path, and permissions of the file and its folder",
    apsw.CorruptError: "take a backup, or save what is left of it: sqlite3 FILE .recover",
    apsw.FullError: "the disk is full; make room and try again",
}
_MESSAGES: dict[type[apsw.Error], str] = {
    apsw.BusyError: "database is locked",
    apsw.ReadOnlyError: "attempt to write a readonly database",
    apsw.CorruptError: "database disk image is malformed",
    apsw.FullError: "database or disk is full",
    apsw.IOError: "disk I/O error",
    apsw.NoMemError: "out of memory",
}
# In databases of OCGDB too, which lack some columns.
_NEEDED = {
    "Games": ("ID", "EventID", "SiteID", "WhiteID", "BlackID", "Moves2"),
    "Players": ("ID", "Name"),
    "Events": ("ID", "Name"),
    "Sites": ("ID", "Name"),
    "Info": ("Name", "Value"),
}
_SQLITE_MAGIC = b"SQLite format 3\x00"
# Columns of DuplicateFlags; before version 10 of Games and RemovedGames.
FLAG_COLUMNS = ("DuplicateStatus", "DuplicateGroup", "DuplicateReason", "HeaderScore")
_FLAGGED_VIEWS = {"Games": "FlaggedGames", "RemovedGames": "FlaggedRemovedGames"}
# Triggers and views of a database are never run, and its tables cannot call functions of ours.
_NOT_RUN = (
    apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, apsw.SQLITE_DBCONFIG_ENABLE_VIEW,
    apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA,
)  # fmt: skip
Reader = TypeVar("Reader")
Part = TypeVar("Part")
Result = TypeVar("Result")


class Database(NamedTuple):
    """An open database; `is_ours` is False for a database of OCGDB that was not upgraded."""

    path: str
    connection: apsw.Connection
    is_ours: bool

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file.

        SQLite does not close while a kernel's search holds a statement that an error has ended; the
        connection is then freed with the search. That is not an error.
        """
        with contextlib.suppress(apsw.BusyError):
            self.connection.close()


def schema_sql(name: str) -> str:
    """Return a file of schema/, such as "schema.sql"."""
    return read_data(schema.__file__, name)


def migration_sql(version: int) -> str:
    """Return the SQL that migrates the previous version to `version`."""
    folder = os.path.join(os.path.dirname(schema.__file__), "migrations")
    (name,) = (name for name in os.listdir(folder) if name.startswith(f"{version:04}_"))
    return schema_sql(os.path.join("migrations", name))


def name_references(connection: apsw.Connection) -> None:
    """Make the foreign keys of Games name their columns, within the caller's transaction."""
    connection.execute(schema_sql("named_references.sql"))


def connect(path: str, flags: int = apsw.SQLITE_OPEN_READONLY) -> apsw.Connection:
    """Open a file that anybody may have written: nothing that it contains is run."""
    connection = apsw.Connection(path, flags=flags)
    for setting in _NOT_RUN:
        connection.config(setting, 0)
    return connection


def connect_with_cache(path: str, writable: bool) -> apsw.Connection:
    flags = apsw.SQLITE_OPEN_READWRITE if writable else apsw.SQLITE_OPEN_READONLY
    connection = connect(path, flags)
    try:
        connection.set_busy_timeout(BUSY_TIMEOUT_MS)
        _use_memory(connection, _CACHE_KB, _MAPPED_BYTES)
        if writable:
            # Else SQLite leaves the content of freed pages in the file, without journaling it, and
            # a later transaction overwrites it: undoing both would not bring it back.
            connection.pragma("secure_delete", "on")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
    except apsw.Error:
        connection.close()
        raise
    return connection


def stamp(connection: apsw.Connection) -> None:
    """Mark the database as ours, with the current schema version."""
    connection.pragma("application_id", APPLICATION_ID)
    connection.pragma("user_version", SCHEMA_VERSION)


def _use_memory(connection: apsw.Connection, cache_kb: int, mapped_bytes: int) -> None:
    connection.pragma("cache_size", -cache_kb)
    connection.pragma("mmap_size", mapped_bytes)  # spares a copy of each page read


def file_bytes(connection: apsw.Connection) -> int:
    """Return the size of a database."""
    return int(connection.pragma("page_count")) * int(connection.pragma("page_size"))


def map_file(connection: apsw.Connection) -> None:
    """Map the whole file, which spares a copy of each page that is read; 2 GB at most."""
    size = file_bytes(connection)
    if size > _MAPPED_BYTES:
        connection.pragma("mmap_size", size)


def use_little_memory(connection: apsw.Connection) -> None:
    """Use a small page cache from now on, since the memory is needed elsewhere."""
    _use_memory(connection, _SMALL_CACHE_KB, 0)
    connection.execute("PRAGMA shrink_memory")


@contextlib.contextmanager
def little_memory(connection: apsw.Connection) -> Iterator[None]:
    """Run a block with a small page cache, since it needs the memory elsewhere."""
    cache_size = connection.pragma("cache_size")
    mapped_bytes = connection.pragma("mmap_size") or 0
    use_little_memory(connection)
    try:
        yield
    finally:
        connection.pragma("cache_size", cache_size)
        connection.pragma("mmap_size", mapped_bytes)


@contextlib.contextmanager
def one_state(connection: apsw.Connection) -> Iterator[None]:
    """Run a reading block whose statements all see the database in one state."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


@contextlib.contextmanager
def readers_beside(
    connection: apsw.Connection,
    count: int,
    *,
    harmless_changes: int = 0,
    seeks: bool = False,
    maps_file: bool = True,
) -> Iterator[list[apsw.Connection]]:
    """Yield connections for other threads that read the same data; none if that is impossible.

    It is impossible if this connection has changed anything since it was opened (others may not see
    it yet), in WAL mode (the file may change in between), for a database in memory, and if the file
    was replaced. `harmless_changes`: number of rows changed in tables that the readers do not read.
    `seeks`: the readers read scattered rows, and get as much memory as any connection. Others read
    different parts of the file. If map_file() was called, they map what they read, with `seeks`
    nearly all of the file each; `maps_file` False prevents that.
    """
    with contextlib.ExitStack() as stack:
        readers: list[apsw.Connection] = []
        if (
            count
            and connection.filename
            and connection.total_changes() == harmless_changes
            and connection.pragma("journal_mode") != "wal"
        ):
            if not connection.in_transaction:
                stack.enter_context(one_state(connection))
            connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
            # From here on no other connection can commit.
            with contextlib.suppress(apsw.BusyError, apsw.CantOpenError):  # locked, or gone
                for _ in range(count):
                    readers.append(_reader(connection, seeks=seeks, maps_file=maps_file))
                    stack.callback(readers[-1].close)
        if readers:  # the header has SQLite's change counter and the number of pages
            headers = {each.read("main", 0, 0, _HEADER_BYTES) for each in (connection, *readers)}
            readers = readers if len(headers) == 1 else []
        yield readers


@contextlib.contextmanager
def on_threads(
    readers: Sequence[Reader], task: Callable[[Reader, Part], Result], parts: Iterable[Part]
) -> Iterator[Iterator[Result]]:
    """Yield the results of a task for all parts, in order, made on one thread for each reader.

    A few parts are begun before their results are asked for. No thread uses a reader after the
    block.
    """
    from concurrent.futures import Future, ThreadPoolExecutor  # takes 10 ms to import
    from queue import SimpleQueue  # 2 ms

    free = SimpleQueue[Reader]()
    for reader in readers:
        free.put(reader)

    def run(part: Part) -> Result:
        reader = free.get()
        try:
            return task(reader, part)
        finally:
            free.put(reader)

    def results(pool: ThreadPoolExecutor) -> Iterator[Result]:
        ahead: deque[Future[Result]] = deque()
        remaining = iter(parts)
        while True:
            for part in islice(remaining, _PARTS_AHEAD * len(readers) - len(ahead)):
                ahead.append(pool.submit(run, part))
            if not ahead:
                return
            yield ahead.popleft().result()

    with ThreadPoolExecutor(len(readers)) as pool:
        try:
            yield results(pool)
        finally:
            pool.shutdown(cancel_futures=True)


def _reader(connection: apsw.Connection, *, seeks: bool, maps_file: bool) -> apsw.Connection:
    reader = connect(connection.filename)
    cache_kb = -connection.pragma("cache_size") if seeks else _SMALL_CACHE_KB
    mapped_bytes: int = connection.pragma("mmap_size") or 0
    if mapped_bytes <= _MAPPED_BYTES or not maps_file:
        mapped_bytes = min(mapped_bytes, _MAPPED_BYTES) if seeks else 0
    _use_memory(reader, cache_kb, mapped_bytes)
    reader.execute("BEGIN")  # else each statement would take a lock and look for a journal
    reader.execute("SELECT count(*) FROM sqlite_master").fetchall()
    return reader


@contextlib.contextmanager
def kernel_errors(connection: apsw.Connection, action: str) -> Iterator[None]:
    """Turn SqliteError of a kernel, a result code and its message, into such a StoreError."""
    try:
        yield
    except SqliteError as error:
        name = connection.filename or "the database in memory"
        code, message = error.args
        refused: Any = type(apsw.exception_for(code & 0xFF))(message)
        raise StoreError(f"{name}: {action}: {error_text(refused)}") from error


def error_text(error: apsw.Error) -> str:
    """Return SQLite's message and a remedy, if one is known."""
    text = str(error)
    if not text or "not an error" in text:  # another call has succeeded since
        text = next(
            (words for kind, words in _MESSAGES.items() if isinstance(error, kind)), "failed"
        )
    if getattr(error, "extendedresult", 0) == apsw.SQLITE_READONLY_DBMOVED:
        return f"{text}; the file was replaced, moved or deleted meanwhile; run the command again"
    remedy = next((words for kind, words in _REMEDIES.items() if isinstance(error, kind)), "")
    return f"{text}; {remedy}" if remedy else text


def back_up(database: Database, path: str) -> str:
    """Copy a whole database, including its log, to a new file; return its name.

    The name is `path`, or `path` and a number if such files exist. An identical file among these,
    left by a killed run, is used instead.
    """
    import filecmp  # 1 ms

    number, free = 1, path
    remove_leftovers(os.path.dirname(os.path.realpath(path)))
    file = TemporaryFile(path)
    try:
        require_file_name(file.name, is_output=True)
        copy_pages(database.connection, file.name)
        while os.path.lexists(free):
            if os.path.isfile(free) and filecmp.cmp(file.name, free, shallow=False):
                return free
            number += 1
            free = f"{path}-{number}"
        file.place = os.path.abspath(free)
        file.publish(replace=False)
    finally:
        file.discard()
    return free


def copy_pages(connection: apsw.Connection, path: str) -> None:
    """Copy a whole database, including its log, to an empty file."""
    with contextlib.closing(apsw.Connection(path)) as target:
        target.pragma("journal_mode", "off")  # whose file would be left of a killed run
        with target.backup("main", connection, "main") as backup:
            backup.step()


def is_sqlite_file(path: str) -> bool:
    """Return whether a file has the header of an SQLite database."""
    with open(path, "rb") as handle:
        return handle.read(len(_SQLITE_MAGIC)) == _SQLITE_MAGIC


def require_file_name(path: str, *, is_output: bool = False) -> None:
    """Raise UsageError for a database name that is not UTF-8, or that means no file to SQLite."""
    refuse_address(path, is_output=is_output)
    if not path or path == ":memory:" or path.startswith("file:"):
        raise UsageError(
            f"{path or 'the empty name'}: is not the name of a database file to SQLite; "
            f"write {os.path.join(os.curdir, path or 'games.db3')}"
        )
    try:
        path.encode()
    except UnicodeEncodeError as error:
        shown = os.fsencode(path).decode("utf-8", "replace")
        raise UsageError(
            f"{shown}: SQLite cannot open a file whose path is not UTF-8; rename it, or the folder"
        ) from error


def replaced_tables(connection: apsw.Connection) -> list[str]:
    """Return which tables of ours are views or virtual tables: "Games is a view, not a table"."""
    ours = {name.lower() for name in re.findall(r"CREATE TABLE (\w+)", schema_sql("schema.sql"))}
    # SQLite refuses a file in which a name or a type differs from that of the statement, and
    # begins the statement of each table so.
    rows = connection.execute(
        "SELECT name, type FROM main.sqlite_master WHERE type IN ('table', 'view') "
        "AND (type = 'view' OR sql NOT LIKE 'CREATE TABLE %')"
    )
    return [
        f"{name} is a {'view' if kind == 'view' else 'virtual table'}, not a table"
        for name, kind in rows
        if str(name).lower() in ours
    ]


def view_flags(connection: apsw.Connection) -> None:
    """Create the temporary views FlaggedGames and FlaggedRemovedGames.

    The views of the same names in the file are for other programs.
    """
    flags = column_names(connection, "DuplicateFlags")
    for table, view in _FLAGGED_VIEWS.items():
        existing = column_names(connection, table)
        if not existing:
            continue
        added = [
            name if name in flags else f"NULL AS {name}"
            for name in FLAG_COLUMNS
            if name not in existing
        ]
        joined = f"LEFT JOIN DuplicateFlags ON GameID = {table}.ID" if "GameID" in flags else ""
        columns = ", ".join((f"{table}.*", *added))
        connection.execute(f"CREATE TEMP VIEW {view} AS SELECT {columns} FROM {table} {joined}")


def drop_temporary_flag_views(connection: apsw.Connection) -> None:
    """Drop the temporary views before a database gets its own."""
    for view in _FLAGGED_VIEWS.values():
        connection.execute(f"DROP VIEW IF EXISTS temp.{view}")


def missing_basics(connection: apsw.Connection) -> list[str]:
    """Return the tables and columns that every command needs and a database lacks."""
    missing = []
    for table, columns in _NEEDED.items():
        existing = column_names(connection, table)
        missing += [f"{table}.{name}" for name in columns if name not in existing]
    return missing


def column_names(connection: apsw.Connection, table: str) -> set[str]:
    """Return the columns of a table; empty if there is no such table."""
    rows = connection.execute("SELECT name FROM pragma_table_info(?)", (table,))
    return {row[0] for row in rows}


def has_rows(connection: apsw.Connection, table: str) -> bool:
    """Return whether a table has rows; False if there is no such table."""
    sql = f"SELECT EXISTS (SELECT 1 FROM {table})"
    return bool(column_names(connection, table)) and bool(connection.execute(sql).get)


def count_rows(connection: apsw.Connection, table: str) -> int:
    """Return the number of rows of a table."""
    return int(connection.execute(f"SELECT count(*) FROM {table}").get)


@contextlib.contextmanager
def views_of_the_file(connection: apsw.Connection) -> Iterator[None]:
    """Run a block in which SQL that the user typed may name views of the file."""
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_VIEW, 1)
    try:
        yield
    finally:
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_VIEW, 0)


def quoted(name: str) -> str:
    """Return a name as an identifier in SQL."""
    escaped = name.replace('"', '""')
    return f'"{escaped}"'


def id_list(ids: Iterable[int]) -> str:
    """Return IDs as the text for json_each() in a statement."""
    return f"[{','.join(map(str, ids))}]"
