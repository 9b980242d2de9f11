"""Files and folders that are being written: under a temporary name until they are whole.

The name is `.NAME.ocgdedup-<16 random hex digits>.tmp`, in the folder of the output. The file is
opened exclusively, without following links, and locked; records.py notes whose it is. Must not
know what is written.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from ocgdedup.errors import StoreError, UsageError, note_lasting_change
from ocgdedup.files import portable
from ocgdedup.files.portable import uninterrupted
from ocgdedup.files.records import Record, Stamp, remove_folder

_FLAGS = os.O_RDWR | os.O_CREAT | os.O_EXCL | portable.OWN_FILE
_RANDOM_BYTES = 8
_NAME_MAX_BYTES = 255
# What file systems without hard links say.
_NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EACCES, errno.EINVAL)
_REMEDIES = {
    errno.ENOSPC: "; make room and try again",
    errno.EDQUOT: "; make room and try again",
    errno.EACCES: "; check the permissions of its folder, or name another",
    errno.EROFS: "; name another folder",
    errno.ENOLCK: "; its file system cannot lock files, name another folder",
}


class TemporaryFile:
    """A file that is being written beside its final name, locked until it gets that name.

    `owner`: the database that will list the file; see records.py. `may_replace`: False refuses an
    output that exists, unless a killed run left it. Raises UsageError for that and if another run
    is writing the output, StoreError if it cannot be written.
    """

    @uninterrupted
    def __init__(self, path: str, *, owner: str = "", may_replace: bool = True) -> None:
        self._descriptor: int | None = None
        self.path = path  # as the user calls it
        self.place = os.path.realpath(path)  # behind a link, not over it
        self.name = ""
        folder, output = os.path.split(self.place)
        with self.errors():
            self._record = Record(folder, output, path=path, owner=owner)
            try:
                if not may_replace:
                    self._check_free()
                self._open(folder, output)
            except BaseException:
                self.discard()
                raise

    def __del__(self) -> None:
        if self._descriptor is not None:  # interrupted before the file had an owner
            with contextlib.suppress(OSError):  # its record stays, for the next command
                self.discard()

    def _check_free(self) -> None:
        """Refuse an output that exists; the locked record keeps other runs from making it now."""
        if os.path.lexists(self.place) and not self._record.was_left_published(self.place):
            raise already_exists(self.path)

    def _open(self, folder: str, output: str) -> None:
        replaced = _status_of(self.place)
        while self._descriptor is None:
            name = temporary_name(output)
            self._record.write(name)
            self.name = os.path.join(folder, name)
            with contextlib.suppress(FileExistsError):
                self._descriptor = os.open(self.name, _FLAGS, 0o600 if replaced else 0o666)
        portable.lock(self._descriptor)
        if replaced:
            portable.take_access(self._descriptor, replaced)

    def open(self) -> BinaryIO:
        """Open it for writing, from its beginning."""
        with self.errors():
            assert self._descriptor is not None
            # A copy: closing it does not end the lock.
            return os.fdopen(os.dup(self._descriptor), "wb")

    def sync(self) -> None:
        """Bring what was written to the disk."""
        with self.errors():
            assert self._descriptor is not None
            os.fsync(self._descriptor)

    @uninterrupted
    def publish(self, *, replace: bool = True, is_noted: bool = False) -> None:
        """Sync the file and give it its name; the record stays until release() or leave().

        `is_noted`: the record says so, for was_left_published(). Raises FileExistsError if there is
        such a file and it is not to be replaced.
        """
        self.sync()
        with self.errors():
            if is_noted:
                self._record.note_published(Stamp.of(self._descriptor or 0))
            assert self._descriptor is not None
            self._descriptor = portable.close_before_move(self._descriptor)
            if replace:
                os.replace(self.name, self.place)
            else:
                _rename_to_new(self.name, self.place)
            self.name = ""
            note_lasting_change()
            portable.sync_folder(os.path.dirname(self.place))

    @uninterrupted
    def release(self) -> None:
        """End the work on a file that has its name, or is not to be found by records any more."""
        self._close()
        self._record.release()

    @uninterrupted
    def leave(self) -> None:
        """End the work as a killed run would: the record stays."""
        self._close()
        self._record.leave()

    @uninterrupted
    def discard(self) -> None:
        """Remove the file, unless it has its name."""
        if self.name:
            with contextlib.suppress(FileNotFoundError):
                os.remove(self.name)
        self.release()

    def _close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    @contextlib.contextmanager
    def errors(self) -> Iterator[None]:
        """Name the file in the user's words if it cannot be written."""
        try:
            yield
        except FileExistsError:
            raise
        except OSError as error:
            if error.filename in (None, self.name, self.place, os.path.dirname(self.place)):
                raise unwritten(self.path, error) from error
            raise


class TemporaryFolder:
    """A folder that is being filled beside its final name, with files of these names."""

    @uninterrupted
    def __init__(self, path: str, names: Sequence[str]) -> None:
        self._name = ""
        self.path = path
        self.place = os.path.realpath(path)
        self._names = names
        folder, output = os.path.split(self.place)
        self._record = Record(folder, output, path=path)
        name = temporary_name(output)
        self._record.write(name, names)
        self._name = os.path.join(folder, name)
        try:
            os.mkdir(self._name)
        except OSError as error:
            self._record.release()
            raise unwritten(path, error) from error

    @contextlib.contextmanager
    def opened(self, name: str) -> Iterator[BinaryIO]:
        """Open a file of the folder; it is synced at the end."""
        path = os.path.join(self._name, name)
        try:
            with os.fdopen(os.open(path, _FLAGS, 0o666), "wb") as handle:
                yield handle
                handle.flush()
                os.fsync(handle.fileno())
        except OSError as error:
            if error.filename in (None, path):
                raise unwritten(os.path.join(self.path, name), error) from error
            raise

    @uninterrupted
    def publish(self) -> None:
        """Give the folder its name; raise UsageError if something has that name by now."""
        if os.path.lexists(self.place):
            raise UsageError(f"{self.path}: was created in the meantime; nothing was written")
        try:
            portable.sync_folder(self._name)
            self._record.note_published(Stamp.of(self._name))
            os.rename(self._name, self.place)
            note_lasting_change()
            portable.sync_folder(os.path.dirname(self.place))
        except OSError as error:
            raise unwritten(self.path, error) from error
        self._record.release()

    @uninterrupted
    def discard(self) -> None:
        """Remove the folder and its files."""
        remove_folder(self._name, self._names)
        self._record.release()
        self._name = ""

    def __del__(self) -> None:
        if self._name:  # interrupted before the folder had an owner
            with contextlib.suppress(OSError):  # its record stays, for the next command
                self.discard()


def temporary_name(output: str) -> str:
    """Return a new temporary name for an output, cut to what a file system takes."""
    ending = f".ocgdedup-{os.urandom(_RANDOM_BYTES).hex()}.tmp"
    while len(os.fsencode(output)) + len(ending) + 1 > _NAME_MAX_BYTES:
        output = output[:-1]
    return f".{output}{ending}"


def unnamed_file(folder: str) -> BinaryIO:
    """Return an empty file in a folder, without a buffer and without a name: it ends with us.

    Raises StoreError if there can be none.
    """
    from tempfile import TemporaryFile as UnnamedFile  # 9 ms

    try:
        return UnnamedFile(dir=folder, buffering=0)
    except OSError as error:
        raise unwritten(folder, error) from error


def already_exists(path: str) -> UsageError:
    """Return the error of an output that is not to be replaced."""
    return UsageError(f"{path}: already exists; overwrite it with --force")


def unwritten(path: str, error: OSError) -> StoreError:
    """Return the error of an output that cannot be written."""
    remedy = _REMEDIES.get(error.errno or 0, "")
    return StoreError(f"{path}: cannot be written: {error.strerror}{remedy}")


def _status_of(place: str) -> os.stat_result | None:
    try:
        status = os.stat(place)
    except FileNotFoundError:
        return None
    return status if stat.S_ISREG(status.st_mode) else None


def _rename_to_new(name: str, place: str) -> None:
    """Rename a file, but never over another one that is not empty."""
    try:
        os.link(name, place)
    except FileExistsError:
        if os.path.getsize(place):
            raise
        os.replace(name, place)
        return
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        if os.path.lexists(place):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), place) from error
        os.rename(name, place)
        return
    os.remove(name)
