"""Where a command may write: checked before any work, so that nothing is lost or done in vain."""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
import sys
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from ocgdedup.errors import StoreError, UsageError
from ocgdedup.store.connection import is_sqlite_file, publish_file

_STREAMS = ("/dev/stdout", "/dev/stderr")
_DESCRIPTORS = ("/dev/fd/", "/proc/self/fd/")


def check_outputs(
    outputs: Sequence[str], inputs: Sequence[str], *, database: str | None = None
) -> None:
    """Refuse a folder, an absent folder, one file for two outputs, an input, and any database.

    `database`: the one that is written, an output too, which alone may be a database.
    """
    read = {os.path.realpath(path) for path in inputs if path != "-"}
    taken: dict[str, str] = {}
    for path in [*([] if database is None else [database]), *outputs]:
        if not path:
            raise UsageError("an empty name is no file")
        if path == "-":
            raise UsageError("-: standard output is no place for this; name a file")
        if os.path.isdir(path):
            raise UsageError(f"{path}: is a folder; name a file")
        folder = os.path.dirname(os.path.abspath(path))
        if not os.path.isdir(folder):
            raise UsageError(f"{path}: there is no such folder")
        place = os.path.realpath(path)
        if place in read:
            raise UsageError(f"{path}: is an input, which would be overwritten; name another file")
        if place in taken:
            raise UsageError(f"{path}: is named twice; it would overwrite {taken[place]}")
        if path != database and os.path.isfile(path) and is_sqlite_file(path):
            raise UsageError(f"{path}: is a database; nothing else is written over it")
        taken[place] = path


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
        raise _unwritten("standard output", error) from error


def check_free(path: str, *, force: bool) -> None:
    """Refuse a file that is there, unless `force` was given; a device or pipe may be there."""
    if os.path.exists(path) and not force and not is_special(path):
        raise UsageError(f"{path}: is there already; overwrite it with --force")


def is_special(path: str) -> bool:
    """Tell if a path is a device or a pipe: it is written into, never replaced."""
    if path in _STREAMS or path.startswith(_DESCRIPTORS):
        return True  # whatever stands behind it
    return os.path.exists(path) and not stat.S_ISREG(os.stat(path).st_mode)


def hold(name: str, flags: int, path: str) -> int:
    """Open a file or folder that this run alone may write; return its descriptor, which locks it.

    Raises UsageError if another run holds it; `path` is what the user calls it.
    """
    while True:
        descriptor = os.open(name, flags, 0o666)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_named(descriptor, name):
                return descriptor
        except BlockingIOError as error:
            os.close(descriptor)
            raise UsageError(f"{path}: another run is writing it") from error
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _is_named(descriptor: int, name: str) -> bool:
    """Tell if an open file still has its name: another run may have just renamed or removed it."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(name))
    except FileNotFoundError:
        return False


class _Partial:
    """A file that is being written beside its final name, locked until it gets that name."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._place = os.path.realpath(path)  # behind a link, not over it
        self._name = self._place + ".partial"
        with self.errors():
            # What a killed run left is emptied only once nobody else can be writing it.
            self._lock = hold(self._name, os.O_RDWR | os.O_CREAT, path)

    def open(self) -> BinaryIO:
        with self.errors():
            os.ftruncate(self._lock, 0)
            # A copy: closing it does not end the lock.
            return os.fdopen(os.dup(self._lock), "wb")

    def publish(self) -> None:
        with self.errors():
            publish_file(self._name, self._place)
        os.close(self._lock)

    def discard(self) -> None:
        if _is_named(self._lock, self._name):
            os.remove(self._name)
        os.close(self._lock)

    @contextlib.contextmanager
    def errors(self) -> Iterator[None]:
        """Name the file in the user's words if it cannot be written."""
        try:
            yield
        except OSError as error:
            if error.filename in (None, self._name):
                raise _unwritten(self.path, error) from error
            raise


@contextlib.contextmanager
def new_file(path: str) -> Iterator[BinaryIO]:
    """Open a file that gets its name only when it is whole; a device or pipe is opened itself.

    Raises UsageError if another run is writing it.
    """
    if is_special(path):
        try:
            with open(path, "wb") as handle:
                yield handle
        except BrokenPipeError:
            raise
        except OSError as error:
            raise _unwritten(path, error) from error
        return
    with new_files() as files, files.opened(path) as handle:
        yield handle


class NewFiles:
    """Files that get their names together, when all of them are whole; see new_files()."""

    def __init__(self) -> None:
        self._whole: list[_Partial] = []

    @contextlib.contextmanager
    def opened(self, path: str) -> Iterator[BinaryIO]:
        """Open one of them; a device or pipe is opened itself."""
        if is_special(path):
            with new_file(path) as handle:
                yield handle
            return
        partial = _Partial(path)
        self._whole.append(partial)
        with partial.errors(), partial.open() as handle:
            yield handle

    def publish(self) -> None:
        """Give all files their names."""
        while self._whole:
            self._whole[0].publish()
            del self._whole[0]

    def discard(self) -> None:
        """Remove what has no name yet."""
        while self._whole:
            self._whole.pop().discard()


@contextlib.contextmanager
def new_files() -> Iterator[NewFiles]:
    """Give what opens files that get their names at the end, none of them if the block fails."""
    files = NewFiles()
    try:
        yield files
        files.publish()
    finally:
        files.discard()


def _unwritten(path: str, error: OSError) -> StoreError:
    return StoreError(f"{path}: cannot be written: {error.strerror}")
