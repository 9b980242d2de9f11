"""Databases as inputs: open each, and copy those whose games are not as they were read."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence

from ocgdedup.files.inputs import InputFile
from ocgdedup.files.records import remove_leftovers
from ocgdedup.files.temporary import TemporaryFile
from ocgdedup.store.connection import (
    SCHEMA_VERSION,
    copy_pages,
    is_sqlite_file,
    require_file_name,
)
from ocgdedup.store.database import check_shape, open_database, store_errors
from ocgdedup.store.history import transaction


def with_databases(files: Sequence[InputFile]) -> list[InputFile]:
    """Return the files, databases among them marked.

    Raises StoreError for a database that has no games or that a newer version wrote.
    """
    return [_marked(file) for file in files]


def _marked(file: InputFile) -> InputFile:
    path = file.path_as_given
    if file.manifest is not None or file.size_bytes is None or not is_sqlite_file(path):
        return file
    require_file_name(path)
    open_database(path).close()
    return file._replace(database=path)


@contextlib.contextmanager
def as_read(files: Sequence[InputFile], beside: str) -> Iterator[list[InputFile]]:
    """Yield the files with databases of the current schema whose games are as they were read.

    Other databases are copied to temporary files beside the file `beside`, which end with the
    block.
    """
    remove_leftovers(os.path.dirname(os.path.realpath(beside)))
    with contextlib.ExitStack() as copies:
        yield [
            file if file.database is None else _as_read(file, f"{beside}.input-{number}", copies)
            for number, file in enumerate(files, 1)
        ]


def _as_read(file: InputFile, name: str, copies: contextlib.ExitStack) -> InputFile:
    from ocgdedup.commands.upgrade import upgrade_copy  # 18 ms
    from ocgdedup.store.copied_games import must_be_reverted, revert_to_read  # 6 ms
    from ocgdedup.store.migrations import migrate_copy  # 15 ms

    path = file.path_as_given
    with open_database(path) as source, store_errors(path, "cannot be read"):
        connection = source.connection
        check_shape(path, connection, is_ours=source.is_ours, writable=True)
        is_current = source.is_ours and connection.pragma("user_version") == SCHEMA_VERSION
        if is_current and not must_be_reverted(connection):
            return file
        temporary = TemporaryFile(name)
        copies.callback(temporary.discard)
        copy_pages(connection, temporary.name)
    with open_database(temporary.name, writable=True) as copy, store_errors(path, "cannot be read"):
        copy.connection.pragma("journal_mode", "off")
        copy.connection.pragma("synchronous", "off")
        (migrate_copy if copy.is_ours else upgrade_copy)(copy.connection)
        with transaction(copy.connection):
            revert_to_read(copy.connection)
    return file._replace(database=temporary.name)
