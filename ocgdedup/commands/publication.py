"""Output files of a change of a database, published after its commit.

The change commits together with a list of its files (UnpublishedFiles). If the command is killed,
the next command that writes to the database publishes the listed files and deletes the others. So
no file is lost, and none exists without its change.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import BinaryIO

import apsw

from ocgdedup.commands.outputs import (
    has_content,
    is_special,
    new_file,
    note_written,
    reading,
    standard_output,
)
from ocgdedup.errors import OcgdedupError, StoreError
from ocgdedup.files.portable import sync_folder, uninterrupted
from ocgdedup.files.records import is_recorded, remove_leftovers
from ocgdedup.files.temporary import TemporaryFile
from ocgdedup.model import Reporter
from ocgdedup.store import loads
from ocgdedup.store.connection import Database
from ocgdedup.store.database import open_database, store_errors
from ocgdedup.store.file_state import result_still_holds
from ocgdedup.store.history import transaction
from ocgdedup.store.loads import UnpublishedFile
from ocgdedup.tables.formats import STDOUT_ARGUMENT

UNPUBLISHED = "was changed, but its output files are not in place yet; repeat the command"
_READ_BYTES = 1 << 20


class Publication:
    """The output files of one change of a database; see publication()."""

    def __init__(self, database_path: str, published: list[str]) -> None:
        self._folder = os.path.dirname(os.path.realpath(database_path))
        self._owner = owner_of(database_path)
        self._files: list[tuple[TemporaryFile, str]] = []
        self._published = published
        self.keeps_published = False
        self.report_kind = loads.ANY_FILE
        self.may_replace_report = False

    def file(
        self, path: str, kind: str = loads.ANY_FILE, *, may_replace: bool = True
    ) -> TemporaryFile:
        """Create one of the files; `kind`: see UnpublishedFile."""
        remove_leftovers(os.path.dirname(os.path.realpath(path)), self._owner)
        file = TemporaryFile(path, owner=self._owner, may_replace=may_replace)
        self._files.append((file, kind))
        return file

    def opened_report(self, path: str) -> AbstractContextManager[BinaryIO]:
        """Open the report; with `keeps_published`, that of a killed run is not replaced."""
        # A killed run wrote its report before it deleted games.
        was_published = os.path.realpath(path) in self._published
        if self.keeps_published and was_published:
            return self.opened(os.devnull)
        may_replace = self.may_replace_report or was_published
        return self.opened(path, self.report_kind, may_replace=may_replace)

    @contextlib.contextmanager
    def opened(
        self, path: str, kind: str = loads.ANY_FILE, *, may_replace: bool = True
    ) -> Iterator[BinaryIO]:
        """Open one of the files, a device or pipe, or standard output ("-")."""
        if path == STDOUT_ARGUMENT:
            with standard_output() as handle:
                yield handle
            return
        if is_special(path):
            with new_file(path) as handle:
                yield handle
            return
        file = self.file(path, kind, may_replace=may_replace)
        with file.errors(), file.open() as handle:
            yield handle

    def temporary_names(self) -> set[str]:
        """Return the names of the files before publication."""
        return {file.name for file, _ in self._files}

    def list_in(self, connection: apsw.Connection) -> None:
        """List all files in the database, as a part of the change."""
        rows = []
        for file, kind in self._files:
            file.sync()
            with file.errors():
                size_bytes = os.path.getsize(file.name)
                before = sha256_of(file.place) if os.path.exists(file.place) else None
                name, output = (
                    os.path.relpath(path, self._folder) for path in (file.name, file.place)
                )
                digest = sha256_of(file.name)
                rows.append(UnpublishedFile(kind, name, output, size_bytes, digest, before))
        loads.add_unpublished(connection, rows)

    @uninterrupted
    def finish(self, database_path: str) -> None:
        """Delete the files that no committed change lists; leave the others to publish()."""
        if not self._files:
            return
        rows = _listed_files(database_path)
        listed = {row.temporary_name for row in rows or ()}
        for file, _ in self._files:
            if rows is None or os.path.relpath(file.name, self._folder) in listed:
                file.leave()
            else:
                file.discard()


@contextlib.contextmanager
def publication(database_path: str, published: list[str] | None = None) -> Iterator[Publication]:
    """Yield a Publication; if the change fails, delete its files.

    The block ends with publish(). `published`: the files just published for a killed run.
    """
    files = Publication(database_path, published or [])
    try:
        yield files
    finally:
        files.finish(database_path)


def publish(
    database: Database, reporter: Reporter, outputs: Publication | None = None
) -> list[str]:
    """Rename the files that a database lists to their outputs; return the paths of these.

    A database of somebody else may list any paths: files that are neither in `outputs`, the files
    of this run, nor recorded by this user are left alone, with a warning. The database is open for
    writing and in no transaction.
    """
    folder = os.path.dirname(os.path.realpath(database.path))
    run_files = set() if outputs is None else outputs.temporary_names()
    owner = owner_of(database.path)
    if not loads.unpublished_files(database.connection):
        return []
    # In a transaction, so that two commands do not publish the same files.
    with transaction(database.connection):
        rows = [_with_paths(folder, row) for row in loads.unpublished_files(database.connection)]
        rows = [row for row in rows if _may_publish(row, run_files, owner, reporter)]
        try:
            paths = [_publish(row, reporter) for row in rows]
        except OSError as error:
            path = error.filename2 or error.filename or database.path
            raise StoreError(
                f"{path}: cannot be written: {error.strerror}; {database.path} was changed: "
                "repeat the command, which will finish this file"
            ) from error
        reports = [
            path for path, row in zip(paths, rows, strict=True) if row.kind == loads.RUN_REPORT
        ]
        with result_still_holds(database.connection):
            note_written(database.connection, database.path, reports)
            loads.forget_unpublished(database.connection)
    return paths


def finish_killed_run(path: str, reporter: Reporter) -> list[str]:
    """Publish the complete files of a killed run and delete the incomplete ones.

    Returns the paths of the published files. Call it before writing anything else.
    """
    with reading(path) as database:
        is_needed = bool(loads.unpublished_files(database.connection))
    names: list[str] = []
    if is_needed:
        with open_database(path, writable=True) as database, store_errors(path, UNPUBLISHED):
            names = publish(database, reporter)
    remove_leftovers(os.path.dirname(os.path.realpath(path)), owner_of(path))
    return names


def is_unpublished(database_path: str, path: str) -> bool:
    """Return whether a database lists this output file of a killed run."""
    rows = _listed_files(database_path) if os.path.exists(path) else None
    folder = os.path.dirname(os.path.realpath(database_path))
    return os.path.realpath(path) in (_with_paths(folder, row).name for row in rows or ())


def owner_of(database_path: str) -> str:
    """Return the name of a database in the records of its files; its folder may be renamed."""
    folder, name = os.path.split(os.path.realpath(database_path))
    status = os.stat(folder)
    return f"{status.st_dev:x}-{status.st_ino:x}/{name}"


def _listed_files(database_path: str) -> list[UnpublishedFile] | None:
    """Return the files that a database lists; None if it cannot be read."""
    if not has_content(database_path):
        return []
    try:
        with reading(database_path) as database:
            return loads.unpublished_files(database.connection)
    except OcgdedupError:
        return None


def _with_paths(folder: str, row: UnpublishedFile) -> UnpublishedFile:
    temporary, output = (
        os.path.normpath(os.path.join(folder, name)) for name in (row.temporary_name, row.name)
    )
    return row._replace(temporary_name=temporary, name=output)


def _may_publish(row: UnpublishedFile, run_files: set[str], owner: str, reporter: Reporter) -> bool:
    """Return whether a file may be renamed: this user wrote it, or it does not exist any more."""
    temporary = row.temporary_name
    if temporary in run_files or is_recorded(temporary, row.name, owner):
        return True
    if os.path.lexists(temporary):
        reporter.warn(
            f"{temporary}: the database wants to rename this file to {row.name}, but no command of "
            "this user wrote it; it was left as it is"
        )
        return False
    return True


def _publish(row: UnpublishedFile, reporter: Reporter) -> str:
    """Rename or append one file to its output; return the path of the output."""
    temporary, output = row.temporary_name, row.name
    if not os.path.exists(temporary):
        if not _ends_with(output, row):
            reporter.warn(f"{output}: is not complete: {temporary}, its last part, is gone")
        return output
    if not os.path.exists(output) or (
        row.kind != loads.MORE_REJECTS and sha256_of(output) == row.sha256_before
    ):
        os.replace(temporary, output)
    elif row.kind in (loads.RUN_REPORT, loads.ANY_FILE):
        output = _free_name(output)
        os.replace(temporary, output)
    elif sha256_of(output) == row.sha256_before or not _ends_with(output, row):
        _append(temporary, output)
    sync_folder(os.path.dirname(output))
    with contextlib.suppress(FileNotFoundError):
        os.remove(temporary)
    return output


def _append(temporary: str, output: str) -> None:
    """Append a file to another one, by writing both to a new file."""
    both = TemporaryFile(output)
    try:
        with both.open() as target:
            for source in (output, temporary):
                with open(source, "rb") as handle:
                    while block := handle.read(_READ_BYTES):
                        target.write(block)
        both.publish()
    finally:
        both.discard()


def _ends_with(output: str, row: UnpublishedFile) -> bool:
    """Return whether an output ends with the content of the unpublished file."""
    if not os.path.exists(output) or os.path.getsize(output) < row.size_bytes:
        return False
    return sha256_of(output, os.path.getsize(output) - row.size_bytes) == row.sha256


def _free_name(output: str) -> str:
    number = 2
    while os.path.lexists(f"{output}-{number}"):
        number += 1
    return f"{output}-{number}"


def sha256_of(path: str, start: int = 0) -> str:
    """Return the SHA-256 of a file from an offset on, in hex."""
    from hashlib import sha256  # 4 ms

    digest = sha256()
    with open(path, "rb") as handle:
        handle.seek(start)
        while block := handle.read(_READ_BYTES):
            digest.update(block)
    return digest.hexdigest()
