"""Output files and folders: whether a command may write there, and how they get their names.

Everything is checked before the work starts. Files of a split export and folders of tables get
their final names only when all of them are complete. `run` may replace the files that it wrote if
nobody has changed them since, but no others.
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
from ocgdedup.store.file_state import result_still_holds
from ocgdedup.store.names import OUTPUTS_STATE, read_json, write_state

if TYPE_CHECKING:
    from ocgdedup.store.selection import Selection

_STREAMS = ("/dev/stdout", "/dev/stderr")
_DESCRIPTORS = ("/dev/fd/", "/proc/self/fd/")


def check_outputs(
    outputs: Sequence[str], inputs: Sequence[str], *, database: str | None = None
) -> None:
    """Refuse a folder, an absent folder, one file for two outputs, an input, and any database.

    Files are compared by their paths and, if they are there, by device and inode. `database`: the
    one that is written, an output too, which alone may be a database.
    """
    read = {identity for path in inputs if path != "-" for identity in _identities(path)}
    used: dict[object, str] = {}
    for path in [*([] if database is None else [database]), *outputs]:
        _check_place(path)
        for identity in _identities(path):
            if identity in read:
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


def _check_place(path: str) -> None:
    if not path:
        raise UsageError("an empty name is not a file")
    if path == "-":
        raise UsageError("-: this cannot be written to standard output; name a file")
    refuse_address(path, is_output=True)
    if os.path.isdir(path):
        raise UsageError(f"{path}: is a folder; name a file")
    place = os.path.realpath(path)
    if not os.path.isdir(os.path.dirname(place)):
        raise UsageError(f"{path}: there is no such folder")
    if is_temporary_name(path) or is_temporary_name(place):
        raise UsageError(f"{path}: is a name of temporary files of ocgdedup; name another file")


def _identities(path: str) -> Iterator[object]:
    """Yield what a file is known by: its path, and device and inode if it is there."""
    yield os.path.realpath(path)
    with contextlib.suppress(OSError, ValueError):
        status = os.stat(path)
        if stat.S_ISREG(status.st_mode):
            yield status.st_dev, status.st_ino


def _check_journals(outputs: Iterable[str], databases: Sequence[str]) -> None:
    """Refuse the journal of a database: SQLite would take what is written for its own.

    `databases` may be absent yet, or no databases at all; any other that is there counts too.
    """
    journals = {
        identity: path
        for path in databases
        for suffix in store.JOURNAL_SUFFIXES
        for identity in _identities(os.path.realpath(path) + suffix)
    }
    for path in outputs:
        place = os.path.realpath(path)
        suffix = next(filter(place.lower().endswith, store.JOURNAL_SUFFIXES), None)
        database_path = place[: -len(suffix)] if suffix else ""
        if os.path.isfile(database_path) and store.is_sqlite_file(database_path):
            journals.setdefault(place, database_path)
        database = next((journals[key] for key in _identities(path) if key in journals), None)
        if database is not None:
            raise UsageError(f"{path}: is a journal of the database {database}; name another file")


@contextlib.contextmanager
def standard_output() -> Iterator[BinaryIO]:
    """Give standard output for bytes, flushed at the end.

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
        if error.filename is not None:  # another file's
            raise
        raise unwritten("standard output", error) from error


def check_free(path: str, *, force: bool) -> None:
    """Refuse a file that is there, unless `force` was given; a device or pipe may be there.

    What a killed run wrote last, and nobody has changed since, may be there too.
    """
    if os.path.exists(path) and not force and not is_special(path) and not was_left_published(path):
        raise already_exists(path)


def is_special(path: str) -> bool:
    """Tell if a path is a device or a pipe: it is written into, never replaced."""
    if path in _STREAMS or path.startswith(_DESCRIPTORS):
        return True  # whatever it leads to
    return os.path.exists(path) and not stat.S_ISREG(os.stat(path).st_mode)


@contextlib.contextmanager
def new_file(
    path: str, inputs: Sequence[str] = (), *, may_replace: bool = True
) -> Iterator[BinaryIO]:
    """Open a file that gets its name only when it is whole; a device or pipe is opened itself.

    `inputs`, `may_replace`: see new_files(). Raises UsageError if another run is writing the file.
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
    """Files that get their names together, when all of them are whole; see new_files()."""

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
        """Open one of them; a device or pipe is opened itself."""
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
        # What has come into being since the first check counts too.
        check_outputs([file.path for file in self._files], self._inputs)
        for file in self._files:
            file.sync()
        published: set[object] = set()
        for file in self._files:
            # Names that differ in case are one file on some file systems.
            if published.intersection(_identities(file.place)):
                raise UsageError(f"{file.path}: is the same file as another output")
            file.publish(is_noted=True)
            self._published += 1
            published.update(_identities(file.place))
        for file in self._files:
            if self._noted is None:
                file.release()
            else:
                self._noted.push(partial(_end, file))
        self._files.clear()

    @uninterrupted
    def discard(self) -> None:
        """Remove what has no name yet; what has may be replaced by the next run, as it is."""
        for file in self._files[: self._published]:
            file.leave()
        for file in self._files[self._published :]:
            file.discard()


@uninterrupted
def _end(file: TemporaryFile, failure: object, *_: object) -> None:
    """End the work on a file, as a killed run would if nobody could note it."""
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
    """Give what opens files that get their names at the end, none of them if the block fails.

    `inputs`: what they must not replace. `noted`: is closed when nobody needs to know any more that
    they may be replaced by the next run if this one is killed; None: now. `may_replace`: see
    TemporaryFile.
    """
    files = NewFiles(inputs, noted, may_replace=may_replace)
    try:
        yield files
        files.publish()
    finally:
        files.discard()


_LEAST_DIGITS = 3


def part_names(output: str, parts: int) -> list[str]:
    """Return the names of so many parts: "x.pgn.gz" becomes "x-001.pgn.gz" and so on.

    Numbers are as wide as the last one needs, and have three digits at least.
    """
    stem, extension = _cut(output)
    digits = max(_LEAST_DIGITS, len(str(parts)))
    return [f"{stem}-{number:0{digits}}{extension}" for number in range(1, parts + 1)]


def present_parts(output: str) -> list[str]:
    """Return the files that look like parts of this output, of an earlier export perhaps."""
    folder = os.path.dirname(output)
    paths = (os.path.join(folder, entry) for entry in sorted(os.listdir(folder or ".")))
    return [path for path in paths if is_part_name(output, path)]


def is_part_name(output: str, path: str) -> bool:
    """Tell if a file has a name that a part of this output could have."""
    stem, extension = _cut(_place(output))
    name = re.escape(stem) + rf"-\d{{{_LEAST_DIGITS},}}" + re.escape(extension)
    return re.fullmatch(name, _place(path)) is not None


def _place(path: str) -> str:
    folder, name = os.path.split(path)
    return os.path.join(os.path.realpath(folder), name)


def left_parts(output: str, written: Sequence[str]) -> list[str]:
    """Return the files that look like parts and are none of those written."""
    places = {os.path.realpath(path) for path in written}
    return [path for path in present_parts(output) if os.path.realpath(path) not in places]


def _cut(output: str) -> tuple[str, str]:
    compression = extension_of(output)
    stem, extension = os.path.splitext(output.removesuffix(compression) if compression else output)
    return stem, extension + compression


OpenFile: TypeAlias = Callable[[str], AbstractContextManager[BinaryIO]]


def check_folder(path: str, names: Sequence[str], inputs: Sequence[str], *, force: bool) -> None:
    """Refuse a folder that files of these names must not be written to.

    It may be absent, or empty; in any other, `force` replaces files of these names, and no others.
    What a killed run left in it does not count.
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
    places = (os.path.join(path, entry) for entry in os.listdir(path))
    if not force and not all(is_temporary_name(p) or was_left_published(p) for p in places):
        raise UsageError(
            f"{path}: is a folder with files in it; name another, or write {', '.join(names)} "
            "into it with --force"
        )
    check_outputs([os.path.join(path, name) for name in names], inputs)


@contextlib.contextmanager
def new_folder(path: str, names: Sequence[str], inputs: Sequence[str] = ()) -> Iterator[OpenFile]:
    """Yield a function that opens files of these names; at the end they are in the folder `path`.

    A folder that is not there yet appears as a whole. In one that is there the files are renamed
    one after the other. If anything fails, all is as before.
    """
    place = os.path.realpath(path)
    if os.path.isdir(place):
        with new_files(inputs) as files:
            yield lambda name: files.opened(os.path.join(path, name))
        return
    remove_leftovers(os.path.dirname(place))
    folder = TemporaryFolder(path, names)
    try:
        yield folder.opened
        folder.publish()
    finally:
        folder.discard()


# --- files that run wrote -------------------------------------------------------------------------


# In Info: JSON, size in bytes and time of change by path, relative to the database, so that both
# may be moved.

Written: TypeAlias = dict[str, list[int]]


def check_replaceable(database: str | None, outputs: Sequence[str]) -> None:
    """Refuse an output that is there, unless a run on the database wrote it as it is.

    `database` is None if there is none yet. Raises UsageError.
    """
    written: Written = {}
    if database is not None:
        with reading(database) as opened:
            written = _stored(opened.connection)
    for path in outputs:
        if not os.path.exists(path) or is_special(path) or was_left_published(path):
            continue
        if database is not None and _is_written(written, database, path):
            continue
        raise UsageError(
            f"{path}: already exists, and no run wrote it or it has been changed since; move it "
            "away, name another file, or overwrite it with --force"
        )


def _is_written(written: Written, database: str, path: str) -> bool:
    """Tell if a file is as a run left it: under its name beside the database, or renamed."""
    # An older version noted full paths, which move with nothing.
    entry = written.get(_key(database, path), written.get(os.path.realpath(path)))
    return _stamp(path) in ([entry] if entry is not None else written.values())


@contextlib.contextmanager
def writing(database: str, outputs: Sequence[str]) -> Iterator[None]:
    """Run a block that writes files, and remember them as they are then."""
    paths = [path for path in outputs if not is_special(path)]
    were = _stamps(database, paths)
    try:
        yield
    except BaseException:
        # Some were written, perhaps, before it failed.
        are = _stamps(database, paths)
        _note(database, {key: are[key] for key in are if are[key] != were.get(key)})
        raise
    _note(database, _stamps(database, paths))


def note_written(connection: apsw.Connection, database: str, paths: Iterable[str]) -> None:
    """Remember files as they are; the caller holds the transaction."""
    _add(connection, _stamps(database, paths))


def _stamps(database: str, paths: Iterable[str]) -> Written:
    return {_key(database, path): _stamp(path) for path in paths if os.path.exists(path)}


@contextlib.contextmanager
def reading(path: str) -> Iterator[Database]:
    """Open a database to read it."""
    with store.open_database(path) as database, store.store_errors(path, "cannot be read"):
        yield database


def holds_something(path: str) -> bool:
    """Return whether a file exists and is not empty."""
    return os.path.exists(path) and os.path.getsize(path) > 0


def _stored(connection: apsw.Connection) -> Written:
    return read_json(connection, OUTPUTS_STATE) or {}


def _note(database: str, written: Mapping[str, list[int]]) -> None:
    with (
        store.open_database(database, writable=True) as opened,
        store.store_errors(database, "could not be written"),
        store.transaction(opened.connection),
        result_still_holds(opened.connection),
    ):
        _add(opened.connection, written)


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
    """Warn if duplicates are left out whose flags are older than the user's decisions."""
    connection = database.connection
    if selection.with_duplicates or not store.column_names(connection, "Suspects"):
        return
    if not store.count_rows(connection, "Suspects"):
        return
    from ocgdedup.store.search_state import has_pending_decisions  # most exports need it not

    if has_pending_decisions(connection):
        path = database.path
        reporter.warn(
            f"{path}: decisions since the last search are not applied yet; run "
            f"'ocgdedup dedup {shlex.quote(path)}' before the export"
        )
