"""Output files that belong to a change of a database: they get their names after its commit.

The change commits together with a list of them (UnpublishedFiles), so a command that is killed
loses none and leaves none without its change: the next one that writes to the database publishes
what is listed, and removes what is not.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import BinaryIO

import apsw

from ocgdedup.commands.outputs import is_special, new_file, note_written, reading
from ocgdedup.errors import OcgdedupError, StoreError
from ocgdedup.files.portable import sync_folder, uninterrupted
from ocgdedup.files.records import is_recorded, remove_leftovers
from ocgdedup.files.temporary import TemporaryFile
from ocgdedup.model import Reporter
from ocgdedup.store import loads
from ocgdedup.store.connection import Database, transaction
from ocgdedup.store.database import open_database, store_errors
from ocgdedup.store.file_state import result_still_holds
from ocgdedup.store.loads import UnpublishedFile

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
        """Make one of them; `kind` as UnpublishedFile has it."""
        remove_leftovers(os.path.dirname(os.path.realpath(path)), self._owner)
        file = TemporaryFile(path, owner=self._owner, may_replace=may_replace)
        self._files.append((file, kind))
        return file

    def opened_report(self, path: str) -> AbstractContextManager[BinaryIO]:
        """Open the report, which is of `report_kind`.

        With `keeps_published`, that of a killed run, which has just been published, stays as it is:
        it was written before games were deleted.
        """
        was_published = os.path.realpath(path) in self._published
        if self.keeps_published and was_published:
            return self.opened(os.devnull)
        may_replace = self.may_replace_report or was_published
        return self.opened(path, self.report_kind, may_replace=may_replace)

    @contextlib.contextmanager
    def opened(
        self, path: str, kind: str = loads.ANY_FILE, *, may_replace: bool = True
    ) -> Iterator[BinaryIO]:
        """Open one of them; a device or pipe is opened itself."""
        if is_special(path):
            with new_file(path) as handle:
                yield handle
            return
        file = self.file(path, kind, may_replace=may_replace)
        with file.errors(), file.open() as handle:
            yield handle

    def temporary_names(self) -> set[str]:
        """Return the names that the files have before they are published."""
        return {file.name for file, _ in self._files}

    def list_in(self, connection: apsw.Connection) -> None:
        """Note all files in the database, as a part of the change."""
        rows = []
        for file, kind in self._files:
            file.sync()
            with file.errors():
                size_bytes = os.path.getsize(file.name)
                before = sha256_of(file.place) if os.path.exists(file.place) else None
                name, place = (
                    os.path.relpath(path, self._folder) for path in (file.name, file.place)
                )
                digest = sha256_of(file.name)
                rows.append(UnpublishedFile(kind, name, place, size_bytes, digest, before))
        loads.add_unpublished(connection, rows)

    @uninterrupted
    def finish(self, database_path: str) -> None:
        """End the work on the files: those that no committed change lists are removed."""
        if not self._files:
            return
        rows = _rows_of(database_path)
        listed = {row.temporary_name for row in rows or ()}
        for file, _ in self._files:
            if rows is None or os.path.relpath(file.name, self._folder) in listed:
                file.leave()
            else:
                file.discard()


@contextlib.contextmanager
def publication(database_path: str, published: list[str] | None = None) -> Iterator[Publication]:
    """Give what opens output files of a change; those of a change that fails are removed.

    The block ends with publish(). `published`: what that published for a killed run before.
    """
    files = Publication(database_path, published or [])
    try:
        yield files
    finally:
        files.finish(database_path)


def publish(
    database: Database, reporter: Reporter, outputs: Publication | None = None
) -> list[str]:
    """Give the files that a database lists their names; return these.

    A database may come from somebody else and list any paths: what is neither in `outputs`, the
    files of this run, nor recorded by this user is left alone, with a warning. The database is open
    for writing and in no transaction.
    """
    folder = os.path.dirname(os.path.realpath(database.path))
    own = set() if outputs is None else outputs.temporary_names()
    owner = owner_of(database.path)
    names: list[str] = []
    if loads.unpublished_files(database.connection):
        # Within a transaction: two commands do not publish the same files.
        with transaction(database.connection):
            rows = [
                _with_paths(folder, row) for row in loads.unpublished_files(database.connection)
            ]
            rows = [row for row in rows if _is_ours(row, own, owner, reporter)]
            try:
                names = [_publish(row, reporter) for row in rows]
            except OSError as error:
                place = error.filename2 or error.filename or database.path
                raise StoreError(
                    f"{place}: cannot be written: {error.strerror}; {database.path} was changed: "
                    "repeat the command, which will finish this file"
                ) from error
            reports = [
                name for name, row in zip(names, rows, strict=True) if row.kind == loads.RUN_REPORT
            ]
            with result_still_holds(database.connection):
                note_written(database.connection, database.path, reports)
                loads.forget_unpublished(database.connection)
    return names


def finish_killed_run(path: str, reporter: Reporter) -> list[str]:
    """Publish what a killed run has left in a database, and remove what it left unfinished.

    Returns the names of the files. To be called before anything else is written.
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
    """Tell if a file is what a killed run has left to be published, or had just published."""
    rows = _rows_of(database_path) if os.path.exists(path) else None
    folder = os.path.dirname(os.path.realpath(database_path))
    return os.path.realpath(path) in (_with_paths(folder, row).name for row in rows or ())


def owner_of(database_path: str) -> str:
    """Return what a database is called in the records of its files; its folder may be renamed."""
    folder, name = os.path.split(os.path.realpath(database_path))
    status = os.stat(folder)
    return f"{status.st_dev:x}-{status.st_ino:x}/{name}"


def _rows_of(database_path: str) -> list[UnpublishedFile] | None:
    """Return the files that a database lists; None if it cannot be read."""
    if not os.path.exists(database_path) or not os.path.getsize(database_path):
        return []
    try:
        with reading(database_path) as database:
            return loads.unpublished_files(database.connection)
    except OcgdedupError:
        return None


def _with_paths(folder: str, row: UnpublishedFile) -> UnpublishedFile:
    temporary, place = (
        os.path.normpath(os.path.join(folder, name)) for name in (row.temporary_name, row.name)
    )
    return row._replace(temporary_name=temporary, name=place)


def _is_ours(row: UnpublishedFile, own: set[str], owner: str, reporter: Reporter) -> bool:
    """Tell if a file may be published: nothing is moved or changed because a database says so."""
    temporary = row.temporary_name
    if temporary in own or is_recorded(temporary, row.name, owner):
        return True
    if os.path.lexists(temporary):
        reporter.warn(
            f"{temporary}: the database wants to rename this file to {row.name}, but no command of "
            "this user wrote it; it was left as it is"
        )
        return False
    return True  # renamed before the run was killed, or gone: there is nothing to move


def _publish(row: UnpublishedFile, reporter: Reporter) -> str:
    """Give one file its name; return it."""
    temporary, place = row.temporary_name, row.name
    if not os.path.exists(temporary):
        if not _ends_with(place, row):
            reporter.warn(f"{place}: is not complete: {temporary}, its last part, is gone")
        return place
    if not os.path.exists(place) or (
        row.kind != loads.MORE_REJECTS and sha256_of(place) == row.sha256_before
    ):
        os.replace(temporary, place)
    elif row.kind in (loads.RUN_REPORT, loads.ANY_FILE):
        place = _free_name(place)
        os.replace(temporary, place)
    elif sha256_of(place) == row.sha256_before or not _ends_with(place, row):
        _append(temporary, place)
    sync_folder(os.path.dirname(place))
    with contextlib.suppress(FileNotFoundError):
        os.remove(temporary)
    return place


def _append(temporary: str, place: str) -> None:
    """Put the content of a file behind that of another, which is replaced as a whole."""
    both = TemporaryFile(place)
    try:
        with both.open() as target:
            for source in (place, temporary):
                with open(source, "rb") as handle:
                    while block := handle.read(_READ_BYTES):
                        target.write(block)
        both.publish()
    finally:
        both.discard()


def _ends_with(place: str, row: UnpublishedFile) -> bool:
    """Tell if a file ends with what was to be published."""
    if not os.path.exists(place) or os.path.getsize(place) < row.size_bytes:
        return False
    return sha256_of(place, os.path.getsize(place) - row.size_bytes) == row.sha256


def _free_name(place: str) -> str:
    number = 2
    while os.path.lexists(f"{place}-{number}"):
        number += 1
    return f"{place}-{number}"


def sha256_of(path: str, start: int = 0) -> str:
    """Return the SHA-256 of a file from a place in it on, in hex."""
    from hashlib import sha256  # 4 ms

    digest = sha256()
    with open(path, "rb") as handle:
        handle.seek(start)
        while block := handle.read(_READ_BYTES):
            digest.update(block)
    return digest.hexdigest()
