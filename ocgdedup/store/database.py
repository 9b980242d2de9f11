"""Open and create databases of ocgdedup, open those of OCGDB, and name what is wrong with a file.

Owns which files are accepted. Must not know games.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from typing import Any

import apsw

from ocgdedup.errors import SchemaVersionError, StoreError, UsageError
from ocgdedup.files.portable import sync_folder
from ocgdedup.files.temporary import TemporaryFile
from ocgdedup.store.connection import (
    APPLICATION_ID,
    SCHEMA_VERSION,
    Database,
    column_names,
    connect_with_cache,
    error_text,
    is_sqlite_file,
    missing_basics,
    replaced_tables,
    require_file_name,
    schema_sql,
    stamp,
    view_flags,
    views_of_the_file,
)

JOURNAL_SUFFIXES = ("-journal", "-wal", "-shm")  # SQLite's own files beside a database
# Errors of SQLite for values and tables that a statement cannot use.
_CONTENT_ERRORS = (apsw.SQLError, apsw.MismatchError, apsw.RangeError, apsw.ConstraintError)
# Errors of Python for such a value: UnicodeDecodeError and JSONDecodeError are ValueErrors.
_ODD_CONTENT = (
    ValueError, TypeError, LookupError, ArithmeticError, AttributeError, RecursionError,
    AssertionError, MemoryError,
)  # fmt: skip


def open_database(path: str, *, writable: bool = False, as_it_is: bool = False) -> Database:
    """Open a database of ours or of OCGDB.

    `as_it_is`, for checks only: tables may be missing, and the texts of OCGDB are not converted.
    Raises StoreError if the file is not such a database, SchemaVersionError if a newer version of
    the program wrote it.
    """
    require_file_name(path)
    try:
        is_database = is_sqlite_file(path)
    except FileNotFoundError as error:
        raise UsageError(f"{path}: there is no such database") from error
    except OSError as error:
        if os.path.isdir(path) or path.endswith(("/", os.sep)):
            raise UsageError(f"{path}: is a folder; name a database") from error
        raise StoreError(f"{path}: cannot be read: {error.strerror}") from error
    if not is_database:
        raise StoreError(f"{path}: is not an SQLite database; create one with 'ocgdedup create'")
    with store_errors(path, "cannot be opened"):
        connection = _connect_healed(path, writable)
        try:
            is_ours = _check_kind(path, connection)
            if not as_it_is:
                check_shape(path, connection, is_ours=is_ours, writable=writable)
            if not is_ours and not as_it_is:
                from ocgdedup.store.migrations import read_as_text  # 17 ms

                read_as_text(connection)
            view_flags(connection)
        except BaseException:
            connection.close()
            raise
    return Database(path, connection, is_ours)


def _connect_healed(path: str, writable: bool) -> apsw.Connection:
    """Connect, and first roll back the journal of a killed run, which only a writer may do."""
    try:
        return connect_with_cache(path, writable)
    except (apsw.ReadOnlyError, apsw.CantOpenError):
        if writable:
            raise
    connect_with_cache(path, True).close()
    return connect_with_cache(path, False)


def is_in_place(database: Database) -> bool:
    """Return whether the file of an open database still has its name.

    False once it was replaced, moved or deleted: SQLite compares inodes, and a file that is open
    keeps its own. Also False if the name is a link that leads to another file now.
    """
    import ctypes  # 5 ms; only reviews need it

    moved, connection = ctypes.c_int(), database.connection
    connection.file_control("main", apsw.SQLITE_FCNTL_HAS_MOVED, ctypes.addressof(moved))
    try:
        return not moved.value and os.path.samefile(database.path, connection.filename)
    except OSError:
        return False


def create_database(path: str) -> apsw.Connection:
    """Create a database with the current schema at a path that users do not see yet.

    Journal and syncs are off, since the file is discarded if the program dies.
    """
    connection = apsw.Connection(path)
    connection.pragma("page_size", 8192)
    connection.pragma("journal_mode", "off")
    connection.pragma("synchronous", "off")
    connection.pragma("locking_mode", "exclusive")
    connection.pragma("cache_size", -8192)
    connection.execute(schema_sql("schema.sql"))
    stamp(connection)
    return connection


def database_of_bytes(data: bytes) -> apsw.Connection:
    """Return a database in memory from the bytes that serialize() of another connection made."""
    connection = apsw.Connection(":memory:")
    connection.deserialize("main", data)
    return connection


@contextlib.contextmanager
def store_errors(path: str, action: str) -> Iterator[None]:
    """Turn SQLite errors into a StoreError: "PATH: ACTION: reason".

    The same for an error caused by a value that no version of the program stores. The value is
    searched for and named. An error in a valid database is a bug, and is raised unchanged.
    """
    try:
        yield
    except apsw.Error as error:
        problem = _odd_content(path, error) if isinstance(error, _CONTENT_ERRORS) else None
        notes = getattr(error, "__notes__", ())
        reason = problem or "; ".join([error_text(error), *notes])
        raise StoreError(f"{path}: {action}: {reason}") from error
    except _ODD_CONTENT as error:
        problem = _odd_content(path, error)
        if problem is None:
            raise
        raise StoreError(f"{path}: {action}: {problem}") from error


def _odd_content(path: str, error: Exception) -> str | None:
    """Return the invalid value and the remedy; None if there is none, or no time to find it."""
    from ocgdedup.store.checks import first_problem  # 19 ms

    try:
        problem = first_problem(path)
    except TimeoutError as stopped:
        error.add_note(f"{stopped}; 'ocgdedup check {path}' reads them all")
        return None
    return f"{problem}; run 'ocgdedup check {path}'" if problem else None


def publish_database(file: TemporaryFile, *, replace: bool) -> None:
    """Give a finished database its name; unless `replace`, no existing file is overwritten.

    A journal that a killed run left for an old database of that name is rolled back first; else
    SQLite would roll its pages into the new database.
    """
    path = file.place
    journals = [path + suffix for suffix in JOURNAL_SUFFIXES]
    if any(map(os.path.exists, journals)):
        if os.path.exists(path) and is_sqlite_file(path):
            connect_with_cache(path, True).close()
        for journal in journals:
            if os.path.exists(journal):
                os.remove(journal)
        sync_folder(os.path.dirname(path))
    try:
        file.publish(replace=replace)
    except FileExistsError as error:
        raise StoreError(
            f"{file.path}: was created during the load; nothing was written"
        ) from error


def _check_kind(path: str, connection: apsw.Connection) -> bool:
    """Return True if the database is ours, False if it is OCGDB's."""
    encoding = connection.pragma("encoding")
    if encoding != "UTF-8":
        raise StoreError(
            f"{path}: stores text as {encoding}, only UTF-8 can be read; make a copy that does: "
            "sqlite3 FILE .dump | sqlite3 COPY"
        )
    if connection.pragma("application_id") == APPLICATION_ID:
        version = connection.pragma("user_version")
        if version < 1:
            raise StoreError(
                f"{path}: has schema version {version}, which no version of ocgdedup writes"
            )
        if version > SCHEMA_VERSION:
            raise SchemaVersionError(
                f"{path}: has schema version {version}, this program knows versions up to "
                f"{SCHEMA_VERSION}; use a newer ocgdedup"
            )
        return True
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
    if not {"Games", "Players", "Events", "Sites"} <= tables:
        raise StoreError(f"{path}: is not a database of ocgdedup or OCGDB")
    if "Moves2" not in column_names(connection, "Games"):
        raise StoreError(
            f"{path}: OCGDB wrote this file without Moves2, the only encoding that can be read; "
            "create it again with OCGDB's option moves2, or from the PGN with 'ocgdedup create'"
        )
    return False


def check_shape(path: str, connection: apsw.Connection, *, is_ours: bool, writable: bool) -> None:
    """Raise StoreError for a database whose tables a command cannot use."""
    # A command that only reads, such as an export that rescues data, needs only the basics.
    if problems := replaced_tables(connection):
        raise StoreError(f"{path}: {problems[0]}; run 'ocgdedup check {path}'")
    if writable:
        from ocgdedup.store.migrations import costly_expressions, missing_parts  # 18 ms

        if costly := costly_expressions(connection):
            raise StoreError(f"{path}: {costly[0]}; drop {costly[0].part} with any SQLite client")
    if is_ours and writable:
        missing = missing_parts(connection, connection.pragma("user_version"))
    else:
        missing = missing_basics(connection)
    if missing:
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        raise StoreError(
            f"{path}: lacks {', '.join(missing[:3])}{more}; run 'ocgdedup check {path}'"
        )


def select_rows(database: Database, sql: str, bindings: Sequence[object]) -> list[tuple[Any, ...]]:
    """Return the rows of a user's statement; raise StoreError for SQLite errors.

    The statement may name views of the file.
    """
    connection = database.connection
    try:
        with views_of_the_file(connection):
            return connection.execute(sql, bindings).fetchall()
    except apsw.Error as error:
        raise StoreError(f"{database.path}: the statement failed: {error}") from error
