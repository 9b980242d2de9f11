"""Output files and folders: check whether a command may write them, and publish them.

All checks come before the work. Files of a split export and folders of tables get their final names
when all of them are complete. `run` may only replace files that it wrote itself and that are
unchanged since.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, TypeAlias

import apsw

from ocgdedup.errors import UsageError
from ocgdedup.files.compress import extension_of
from ocgdedup.files.decompress import refuse_address
from ocgdedup.files.portable import uninterrupted
from ocgdedup.files.records import is_temporary_name, remove_leftovers, was_left_published
from ocgdedup.files.temporary import TemporaryFile, TemporaryFolder, already_exists, unwritten
from ocgdedup.model import Reporter
from ocgdedup.store import connection as store
from ocgdedup.store.connection import Database
from ocgdedup.store.database import JOURNAL_SUFFIXES, open_database, store_errors
from ocgdedup.store.file_state import result_still_holds
from ocgdedup.store.history import note_outputs, noted_outputs, transaction
from ocgdedup.store.loads import note_run
from ocgdedup.store.names import OUTPUTS_STATE, read_json, write_state
from ocgdedup.tables.formats import STDOUT_ARGUMENT

if TYPE_CHECKING:
    from ocgdedup.store.selection import Selection

_STREAMS = ("/dev/stdout", "/dev/stderr")
_DESCRIPTORS = ("/dev/fd/", "/proc/self/fd/")


def check_outputs(
    outputs: Sequence[str], inputs: Sequence[str], *, database: str | None = None
) -> None:
    """Raise UsageError for an output that is a folder, an input, a database or named twice.

    Files are compared by path and, if they exist, by device and inode. `database`: the output that
    may be a database.
    """
    inputs_read = {identity for path in inputs if path != "-" for identity in _identities(path)}
    used: dict[object, str] = {}
    for path in [*([] if database is None else [database]), *outputs]:
        _check_path(path)
        for identity in _identities(path):
            if identity in inputs_read:
                raise UsageError(
                    f"{path}: is an input, which would be overwritten; name another file"
                )
            if identity in used:
                raise UsageError(f"{path}: is named twice; it would overwrite {used[identity]}")
            used[identity] = path
        if path != database and os.path.isfile(path) and store.is_sqlite_file(path):
            raise UsageError(f"{path}: is a database; nothing else is written over it")
    _check_journals(outputs, [*inputs, *([] if database is None else [database])])
    if database is not None:
        _check_journals([database], inputs)


def _check_path(path: str) -> None:
    if not path:
        raise UsageError("an empty name is not a file")
    if path == STDOUT_ARGUMENT:
        raise UsageError("-: this cannot be written to standard output; name a file")
    refuse_address(path, is_output=True)
    if os.path.isdir(path) or path.endswith(("/", os.sep)):
        raise UsageError(f"{path}: is a folder; name a file")
    real_path = os.path.realpath(path)
    if not os.path.isdir(os.path.dirname(real_path)):
        raise UsageError(f"{path}: there is no such folder")
    if is_temporary_name(path) or is_temporary_name(real_path):
        raise UsageError(f"{path}: is a name of temporary files of ocgdedup; name another file")


def _identities(path: str) -> Iterator[object]:
    """Yield the path of a file and, if it exists, its device and inode."""
    yield os.path.realpath(path)
    with contextlib.suppress(OSError, ValueError):
        status = os.stat(path)
        if stat.S_ISREG(status.st_mode):
            yield status.st_dev, status.st_ino


def _check_journals(outputs: Iterable[str], databases: Sequence[str]) -> None:
    """Raise UsageError for an output that is the journal of one of `databases`, or of any file."""
    journals = {
        identity: path
        for path in databases
        for suffix in JOURNAL_SUFFIXES
        for identity in _identities(os.path.realpath(path) + suffix)
    }
    for path in outputs:
        real_path = os.path.realpath(path)
        suffix = next(filter(real_path.lower().endswith, JOURNAL_SUFFIXES), None)
        database_path = real_path[: -len(suffix)] if suffix else ""
        if os.path.isfile(database_path) and store.is_sqlite_file(database_path):
            journals.setdefault(real_path, database_path)
        database = next((journals[key] for key in _identities(path) if key in journals), None)
        if database is not None:
            raise UsageError(f"{path}: is a journal of the database {database}; name another file")


@contextlib.contextmanager
def standard_output() -> Iterator[BinaryIO]:
    """Yield standard output for bytes; flush it at the end.

    Raises UsageError if it is closed, StoreError if it cannot be written.
    """
    if sys.stdout is None:
        raise UsageError("standard output: is closed; let it lead to a file or a program")
    try:
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename is not None:  # of another file
            raise
        raise unwritten("standard output", error) from error


def check_free(path: str, *, force: bool) -> None:
    """Raise UsageError for an existing file without `force`.

    Devices, pipes and an unchanged output of a killed run are free.
    """
    if os.path.exists(path) and not force and not is_special(path) and not was_left_published(path):
        raise already_exists(path)


def is_special(path: str) -> bool:
    """Return whether a path is a device or a pipe, which is written directly, never replaced."""
    if path in _STREAMS or path.startswith(_DESCRIPTORS):
        return True  # even if redirected to a file
    return os.path.exists(path) and not stat.S_ISREG(os.stat(path).st_mode)


@contextlib.contextmanager
def new_file(
    path: str, inputs: Sequence[str] = (), *, may_replace: bool = True
) -> Iterator[BinaryIO]:
    """Open a file that gets its name when it is complete, or a device or pipe.

    `inputs`, `may_replace`: see new_files(). Raises UsageError if another run writes the file.
    """
    if is_special(path):
        try:
            with open(path, "wb") as handle:
                yield handle
        except BrokenPipeError:
            raise
        except OSError as error:
            raise unwritten(path, error) from error
        return
    with new_files(inputs, may_replace=may_replace) as files, files.opened(path) as handle:
        yield handle


class NewFiles:
    """Files that get their names when all of them are complete; see new_files()."""

    def __init__(
        self, inputs: Sequence[str], noted: contextlib.ExitStack | None, *, may_replace: bool
    ) -> None:
        self._inputs = inputs
        self._noted = noted
        self._may_replace = may_replace
        self._files: list[TemporaryFile] = []
        self._published = 0
        self._folders: set[str] = set()

    @contextlib.contextmanager
    def opened(self, path: str) -> Iterator[BinaryIO]:
        """Open one of the files, or a device or pipe."""
        if is_special(path):
            with new_file(path) as handle:
                yield handle
            return
        folder = os.path.dirname(os.path.realpath(path))
        if folder not in self._folders:
            self._folders.add(folder)
            remove_leftovers(folder)
        file = TemporaryFile(path, may_replace=self._may_replace)
        self._files.append(file)
        with file.errors(), file.open() as handle:
            yield handle

    @uninterrupted
    def publish(self) -> None:
        """Give all files their names."""
        # Again: other files may exist since the first check.
        check_outputs([file.path for file in self._files], self._inputs)
        for file in self._files:
            file.sync()
        published: set[object] = set()
        for file in self._files:
            # On some file systems, names that differ only in case are one file.
            if published.intersection(_identities(file.place)):
                raise UsageError(f"{file.path}: is the same file as another output")
            file.publish(is_noted=True)
            self._published += 1
            published.update(_identities(file.place))
        for file in self._files:
            if self._noted is None:
                file.release()
            else:
                self._noted.push(partial(_release, file))
        self._files.clear()

    @uninterrupted
    def discard(self) -> None:
        """Delete the unpublished files; leave the records of the others for the next run."""
        for file in self._files[: self._published]:
            file.leave()
        for file in self._files[self._published :]:
            file.discard()


@uninterrupted
def _release(file: TemporaryFile, failure: object, *_: object) -> None:
    """Release a file; after a failure, leave its record for the next run."""
    if failure is None:
        file.release()
    else:
        file.leave()


@contextlib.contextmanager
def new_files(
    inputs: Sequence[str] = (),
    noted: contextlib.ExitStack | None = None,
    *,
    may_replace: bool = True,
) -> Iterator[NewFiles]:
    """Yield a NewFiles whose files get their names at the end, or none if the block fails.

    `inputs`: files that they must not replace. `noted`: closed when the caller has noted the files;
    if the run is killed before, the next run may replace them. `may_replace`: see TemporaryFile.
    """
    files = NewFiles(inputs, noted, may_replace=may_replace)
    try:
        yield files
        files.publish()
    finally:
        files.discard()


_LEAST_DIGITS = 3


def part_names(output: str, parts: int) -> list[str]:
    """Return names for parts of an output: "x.pgn.gz" becomes "x-001.pgn.gz" and so on.

    All numbers are as wide as the last one, with at least three digits.
    """
    stem, extension = _split_name(output)
    digits = max(_LEAST_DIGITS, len(str(parts)))
    return [f"{stem}-{number:0{digits}}{extension}" for number in range(1, parts + 1)]


def present_parts(output: str) -> list[str]:
    """Return the existing files with names of parts of this output."""
    folder = os.path.dirname(output)
    paths = (os.path.join(folder, entry) for entry in sorted(os.listdir(folder or ".")))
    return [path for path in paths if is_part_name(output, path)]


def is_part_name(output: str, path: str) -> bool:
    """Return whether a file has the name of a part of this output."""
    stem, extension = _split_name(os.path.basename(output))
    name = re.escape(stem) + rf"-\d{{{_LEAST_DIGITS},}}" + re.escape(extension)
    folders = {os.path.realpath(os.path.dirname(each)) for each in (output, path)}
    return len(folders) == 1 and re.fullmatch(name, os.path.basename(path)) is not None


def _split_name(output: str) -> tuple[str, str]:
    compression = extension_of(output)
    stem, extension = os.path.splitext(output.removesuffix(compression) if compression else output)
    return stem, extension + compression


OpenFile: TypeAlias = Callable[[str], AbstractContextManager[BinaryIO]]


def check_folder(path: str, names: Sequence[str], inputs: Sequence[str], *, force: bool) -> None:
    """Raise UsageError for a folder in which files of these names may not be written.

    It may be missing or empty, apart from files of killed runs. In another folder, `force` replaces
    the files of these names.
    """
    if not path:
        raise UsageError("an empty name is not a folder")
    refuse_address(path, is_output=True)
    if not os.path.isdir(path):
        if os.path.lexists(path):
            raise UsageError(f"{path}: is a file, not a folder; name a folder for the tables")
        if not os.path.isdir(os.path.dirname(os.path.realpath(path))):
            raise UsageError(f"{path}: its parent folder does not exist")
        return
    entries = (os.path.join(path, entry) for entry in os.listdir(path))
    if not force and not all(is_temporary_name(p) or was_left_published(p) for p in entries):
        raise UsageError(
            f"{path}: is a folder with files in it; name another, or write {', '.join(names)} "
            "into it with --force"
        )
    check_outputs([os.path.join(path, name) for name in names], inputs)


@contextlib.contextmanager
def new_folder(path: str, names: Sequence[str], inputs: Sequence[str] = ()) -> Iterator[OpenFile]:
    """Yield a function that opens files of these names in the folder `path`.

    A new folder appears at the end, as a whole. In an existing folder, the files are then renamed
    one after the other. If anything fails, nothing changes.
    """
    real_path = os.path.realpath(path)
    if os.path.isdir(real_path):
        with new_files(inputs) as files:
            yield lambda name: files.opened(os.path.join(path, name))
        return
    remove_leftovers(os.path.dirname(real_path))
    folder = TemporaryFolder(path, names)
    try:
        yield folder.opened
        folder.publish()
    finally:
        folder.discard()


# --- files that run wrote -------------------------------------------------------------------------


# Stored as JSON in Info: size in bytes, time of change, and 1 if `edit` took it in, by path
# relative to the database, so that both may be moved together.
Written: TypeAlias = dict[str, list[int]]


def check_replaceable(
    database: str | None, outputs: Sequence[str], edits_in: Callable[[Database, str], str]
) -> None:
    """Raise UsageError for an existing output that no run on the database wrote.

    `database`: None if it does not exist yet. `edits_in`: returns the end of the message for an
    output that was changed: which games differ, and what to do.
    """
    written: Written = {}
    undone: Written = {}
    if database is not None:
        undone = noted_outputs(database)
        with reading(database) as opened:
            written = _stored(opened.connection)
    for path in outputs:
        if not os.path.exists(path) or is_special(path) or was_left_published(path):
            continue
        if database is not None:
            # An older version noted full paths; and an unchanged file may have been renamed.
            key = _key(database, path)
            entry = written.get(key, written.get(os.path.realpath(path)))
            all_noted = [*written.values(), *undone.values()]
            noted = all_noted if entry is None else [entry, undone.get(key, [])]
            if _stamp(path) in [stamp[:2] for stamp in noted]:
                continue
            if entry is not None:
                with reading(database) as opened:
                    edits = edits_in(opened, path)
                raise UsageError(f"{path}: has been changed since a run wrote it{edits}")
        raise UsageError(
            f"{path}: already exists, and no run wrote it or it has been changed since; move it "
            "away, name another file, or overwrite it with --force"
        )


@contextlib.contextmanager
def outputs_kept(database: str) -> Iterator[None]:
    """Undo or redo steps in a block; the files that run wrote stay those that it wrote."""
    with reading(database) as opened:
        # Not those of files that were edited and taken in: undoing may take that back.
        before = {key: stamp for key, stamp in _stored(opened.connection).items() if len(stamp) < 3}
    yield
    note_outputs(database, before)


@contextlib.contextmanager
def writing(database: str, outputs: Sequence[str]) -> Iterator[None]:
    """Run the last block of a run, which writes files, and note their stamps in the database."""
    paths = [path for path in outputs if not is_special(path)]
    before = _stamps(database, paths)
    try:
        yield
    except BaseException:
        # Note the files that were written before the failure.
        after = _stamps(database, paths)
        _note(database, {key: after[key] for key in after if after[key] != before.get(key)})
        raise
    _note(database, _stamps(database, paths), is_running=False)


def note_written(connection: apsw.Connection, database: str, paths: Iterable[str]) -> None:
    """Note the stamps of files, in the transaction of the caller."""
    _add(connection, _stamps(database, paths))


def note_taken_in(connection: apsw.Connection, database: str, path: str) -> None:
    """Note that the database has the user's changes in a file, in the caller's transaction."""
    _add(connection, {_key(database, path): [*_stamp(path), 1]})


def written_at(database: Database, path: str) -> float | None:
    """Return when a run wrote a file of this name, in seconds since 1970; None if none did."""
    stored = _stored(database.connection)
    stamp = stored.get(_key(database.path, path), stored.get(os.path.realpath(path)))
    return None if stamp is None else stamp[1] / 1e9


def _stamps(database: str, paths: Iterable[str]) -> Written:
    return {_key(database, path): _stamp(path) for path in paths if os.path.exists(path)}


@contextlib.contextmanager
def reading(path: str) -> Iterator[Database]:
    """Open a database for reading."""
    with open_database(path) as database, store_errors(path, "cannot be read"):
        yield database


def has_content(path: str) -> bool:
    """Return whether a file exists and is not empty."""
    return os.path.exists(path) and os.path.getsize(path) > 0


def _stored(connection: apsw.Connection) -> Written:
    return read_json(connection, OUTPUTS_STATE) or {}


def reopen_killed_run(database: str, outputs: Iterable[str]) -> None:
    """Make the last run one that has not finished, if it was killed right after its last note."""
    if has_content(database) and any(map(was_left_published, outputs)):
        _note(database, {}, is_running=True)


def _note(
    database: str, written: Mapping[str, list[int]], *, is_running: bool | None = None
) -> None:
    with (
        open_database(database, writable=True) as opened,
        store_errors(database, "could not be written"),
        transaction(opened.connection),
        result_still_holds(opened.connection),
    ):
        _add(opened.connection, written)
        if is_running is not None:
            note_run(opened.connection, is_running=is_running)


def _add(connection: apsw.Connection, written: Mapping[str, list[int]]) -> None:
    if written:
        write_state(connection, OUTPUTS_STATE, json.dumps({**_stored(connection), **written}))


def _key(database: str, path: str) -> str:
    # json.dumps writes surrogates (bytes that are not UTF-8) as ASCII escapes.
    return os.path.relpath(os.path.realpath(path), os.path.dirname(os.path.realpath(database)))


def _stamp(path: str) -> list[int]:
    status = os.stat(path)
    return [status.st_size, status.st_mtime_ns]


def warn_of_decisions(database: Database, selection: Selection, reporter: Reporter) -> None:
    """Warn if duplicates are left out and the user has decided since they were flagged."""
    connection = database.connection
    if selection.with_duplicates or not store.has_rows(connection, "Suspects"):
        return
    from ocgdedup.store.search_state import has_pending_decisions  # 3 ms

    if has_pending_decisions(connection):
        path = database.path
        reporter.warn(
            f"{path}: decisions since the last search are not applied yet; run "
            f"'ocgdedup dedup {shlex.quote(path)}' before the export"
        )
