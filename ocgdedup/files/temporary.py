"""Write files and folders under a temporary name until they are complete.

The name is `.NAME.ocgdedup-<16 random hex digits>.tmp`, in the folder of the output. The file is
opened exclusively, without following links, and locked; records.py records it. Must not know the
content.
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

_FLAGS = os.O_RDWR | os.O_CREAT | os.O_EXCL | portable.PRIVATE_FLAGS
_RANDOM_BYTES = 8
_NAME_MAX_BYTES = 255
# The errors of file systems without hard links.
_NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EACCES, errno.EINVAL)
_REMEDIES = {
    errno.ENOSPC: "; make room and try again",
    errno.EDQUOT: "; make room and try again",
    errno.EACCES: "; check the permissions of its folder, or name another",
    errno.EROFS: "; name another folder",
    errno.ENOLCK: "; its file system cannot lock files, name another folder",
}


class TemporaryFile:
    """A locked file with a temporary name, in the folder of its output.

    `owner`: the database that will list the file; see records.py. Raises UsageError if another run
    writes the output, or if it exists without `may_replace` (unless a killed run left it), and
    StoreError if it cannot be written.
    """

    @uninterrupted
    def __init__(self, path: str, *, owner: str = "", may_replace: bool = True) -> None:
        self._descriptor: int | None = None
        self.path = path  # the user's name
        self.place = os.path.realpath(path)  # replace the target of a link, not the link
        self.name = ""
        folder, output = os.path.split(self.place)
        with self.errors():
            self._record = Record(folder, output, path=path, owner=owner)
            try:
                # The locked record keeps other runs from writing the output after this check.
                is_free = may_replace or not os.path.lexists(self.place)
                if not is_free and not self._record.was_left_published(self.place):
                    raise already_exists(path)
                self._open(folder, output)
            except BaseException:
                self.discard()
                raise

    def __del__(self) -> None:
        if self._descriptor is not None:  # interrupted in or right after __init__
            with contextlib.suppress(OSError):  # the record stays for the next command
                self.discard()

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
        """Open the file for writing, from its beginning."""
        with self.errors():
            assert self._descriptor is not None
            # A copy of the descriptor: closing it does not end the lock.
            return os.fdopen(os.dup(self._descriptor), "wb")

    def sync(self) -> None:
        """Sync the written bytes to the disk."""
        with self.errors():
            assert self._descriptor is not None
            os.fsync(self._descriptor)

    @uninterrupted
    def publish(self, *, replace: bool = True, is_noted: bool = False) -> None:
        """Sync the file and rename it to its output; the record stays until release() or leave().

        `is_noted`: note this in the record, for was_left_published(). Raises FileExistsError if the
        output exists and `replace` is False.
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
        """Close the file and delete its record."""
        self._close()
        self._record.release()

    @uninterrupted
    def leave(self) -> None:
        """Close the file and leave its record, as if the run were killed."""
        self._close()
        self._record.leave()

    @uninterrupted
    def discard(self) -> None:
        """Delete the file, unless it is published."""
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
        """Turn errors of the file into StoreError with the user's name of it."""
        try:
            yield
        except FileExistsError:
            raise
        except OSError as error:
            if error.filename in (None, self.name, self.place, os.path.dirname(self.place)):
                raise unwritten(self.path, error) from error
            raise


class TemporaryFolder:
    """A folder with a temporary name, next to its output; `names`: of its files."""

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
        """Open a file of the folder, and sync it at the end."""
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
        """Rename the folder to its output; raise UsageError if that exists by now."""
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
        """Delete the folder and its files."""
        remove_folder(self._name, self._names)
        self._record.release()
        self._name = ""

    def __del__(self) -> None:
        if self._name:  # interrupted in or right after __init__
            with contextlib.suppress(OSError):  # the record stays for the next command
                self.discard()


def temporary_name(output: str) -> str:
    """Return a new temporary name for an output, cut to the length limit of file systems."""
    ending = f".ocgdedup-{os.urandom(_RANDOM_BYTES).hex()}.tmp"
    while len(os.fsencode(output)) + len(ending) + 1 > _NAME_MAX_BYTES:
        output = output[:-1]
    return f".{output}{ending}"


def unnamed_file(folder: str) -> BinaryIO:
    """Return an unbuffered file without a name in a folder; closing it deletes it.

    Raises StoreError if it cannot be made.
    """
    from tempfile import TemporaryFile as UnnamedFile  # 9 ms

    try:
        return UnnamedFile(dir=folder, buffering=0)
    except OSError as error:
        raise unwritten(folder, error) from error


def already_exists(path: str) -> UsageError:
    """Return the error for an output that exists."""
    return UsageError(f"{path}: already exists; overwrite it with --force")


def unwritten(path: str, error: OSError) -> StoreError:
    """Return the error for an output that cannot be written."""
    remedy = _REMEDIES.get(error.errno or 0, "")
    return StoreError(f"{path}: cannot be written: {error.strerror}{remedy}")


def _status_of(path: str) -> os.stat_result | None:
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return None
    return status if stat.S_ISREG(status.st_mode) else None


def _rename_to_new(name: str, output: str) -> None:
    """Rename a file, but never over a non-empty one."""
    try:
        os.link(name, output)
    except FileExistsError:
        if os.path.getsize(output):
            raise
        os.replace(name, output)
        return
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        if os.path.lexists(output):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), output) from error
        os.rename(name, output)
        return
    os.remove(name)
