"""Records of temporary files: which files ocgdedup made, and which are in use.

Records are in the user's state folder, not in the folder of the output. A run locks its records
until it ends, so a killed run left the files of an unlocked record.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import zlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ocgdedup.errors import UsageError
from ocgdedup.files import portable

_TEMPORARY_NAME = re.compile(r"\..*\.ocgdedup-[0-9a-f]{16}\.tmp", re.DOTALL)
_RECORD_FLAGS = os.O_RDWR | os.O_CREAT | portable.PRIVATE_FLAGS
_FIXED_FIELDS = 4
_RECORD_NAME_BYTES = 120  # of the output's name, in the name of a record


def is_temporary_name(path: str) -> bool:
    """Return whether a file has the name of a temporary file of ocgdedup."""
    return _TEMPORARY_NAME.fullmatch(os.path.basename(path)) is not None


class Stamp(NamedTuple):
    """The state of a file: equal after a rename, different after a change or replacement."""

    inode: int
    size_bytes: int
    changed_ns: int

    @classmethod
    def of(cls, path: str | int) -> Stamp:
        status = os.stat(path)
        return cls(status.st_ino, status.st_size, status.st_mtime_ns)

    def has_changed(self, path: str) -> bool:
        """Return whether the file was changed, replaced or removed since."""
        try:
            return self != Stamp.of(path)
        except OSError:
            return True


class _Content(NamedTuple):
    """The content of a record."""

    output: str = ""  # the final name
    name: str = ""  # of the temporary file or folder
    published: str = ""  # the stamp of the published file
    owner: str = ""  # the database that will list the file
    members: Sequence[str] = ()  # the possible files of a folder

    def encode(self) -> bytes:
        fields = (self.output, self.name, self.published, self.owner, *self.members, "", "")
        return b"\0".join(map(os.fsencode, fields))

    @classmethod
    def decode(cls, raw: bytes) -> _Content:
        fields = [os.fsdecode(field) for field in raw.split(b"\0")]
        if len(fields) <= _FIXED_FIELDS:  # killed before it was written
            return cls()
        output, name, published, owner, *members = fields
        # After the empty field, the end of an older and longer content may follow.
        return cls(output, name, published, owner, members[: members.index("")])


class Record:
    """The record of one output, locked until it is released; does nothing if it cannot be written.

    `path`: the user's name of the output. Raises UsageError if another run writes the output.
    """

    def __init__(self, folder: str, output: str, *, path: str, owner: str = "") -> None:
        self._content = _Content(output, owner=owner)
        self._path = _record_path(folder, output, owner)
        self._descriptor: int | None = None
        self._previous = _Content()
        if self._path is None:
            return
        with contextlib.suppress(OSError):
            self._descriptor = hold(self._path, _RECORD_FLAGS, path)
            self._previous = _read(self._descriptor)
            _remove_leftover(folder, self._previous)

    def was_left_published(self, path: str) -> bool:
        """Return whether a killed run has published the output and it is unchanged since."""
        return _has_stamp(path, self._previous)

    def write(self, name: str, members: Sequence[str] = ()) -> None:
        """Note the temporary name, before the file is made."""
        self._write(self._content._replace(name=name, members=members))

    def note_published(self, stamp: Stamp) -> None:
        """Note the stamp of the file, right before it gets its final name."""
        self._write(self._content._replace(published=repr(tuple(stamp))))

    def _write(self, content: _Content) -> None:
        self._content = content
        if self._descriptor is None:
            return
        try:
            # In one call: a killed run has written the whole record or nothing.
            portable.write_at(self._descriptor, content.encode(), 0)
        except OSError:
            # The home folder may be full while the output can be written. Without a record, the
            # user must delete what a killed run leaves.
            self.release()

    def release(self) -> None:
        """Delete the record: the output has its final name or is deleted."""
        if self._descriptor is not None and self._path is not None:
            # Removed before it is unlocked, if possible, so that no other run locks it between.
            still_open = portable.close_before_move(self._descriptor)
            self._descriptor = None
            with contextlib.suppress(OSError):
                os.remove(self._path)
            if still_open is not None:
                os.close(still_open)

    def leave(self) -> None:
        """Unlock the record, but do not delete it: as if the run were killed."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def remove_leftovers(folder: str, owner: str = "") -> None:
    """Remove the temporary files that killed runs left in a folder.

    `owner`: a database that does not list its temporary files any more; those of other databases
    stay.
    """
    records = _records_folder()
    if records is None:
        return
    prefix = _prefix(folder)
    for name in os.listdir(records):
        if name.startswith(prefix):
            with _unlocked(os.path.join(records, name)) as content:
                if content is None or content.owner not in ("", owner):
                    continue
                _remove_leftover(folder, content)
                if not _has_stamp(os.path.join(folder, content.output), content):
                    os.remove(os.path.join(records, name))


def was_left_published(path: str) -> bool:
    """Return whether a killed run has published a file and it is unchanged since."""
    real_path = os.path.realpath(path)
    record = _record_path(*os.path.split(real_path), "")
    if record is None or not os.path.exists(record):
        return False
    with _unlocked(record) as content:
        return content is not None and _has_stamp(real_path, content)


def is_recorded(temporary: str, output: str, owner: str) -> bool:
    """Return whether a run of this user recorded a temporary file for this output and owner."""
    folder, name = os.path.split(temporary)
    record = _record_path(*os.path.split(output), owner)
    if record is None or folder != os.path.dirname(output):
        return False
    with contextlib.suppress(OSError):
        if stat.S_ISREG(os.lstat(temporary).st_mode):
            with open(record, "rb") as handle:  # not locked: its run may be this one
                content = _Content.decode(handle.read())
            expected = (os.path.basename(output), name, owner)
            return (content.output, content.name, content.owner) == expected
    return False


def hold(name: str, flags: int, path: str) -> int:
    """Open and lock a file; return its descriptor.

    Raises UsageError if another run has locked it; `path`: the user's name of the file.
    """
    while True:
        descriptor = os.open(name, flags, 0o666)
        try:
            portable.lock(descriptor)
            if is_named(descriptor, name):
                return descriptor
        except BlockingIOError as error:
            os.close(descriptor)
            raise UsageError(f"{path}: another run is writing it") from error
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def is_named(descriptor: int, name: str) -> bool:
    """Return whether an open file still has this name: another run may have renamed it."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.lstat(name))
    except FileNotFoundError:
        return False


@contextlib.contextmanager
def _unlocked(record: str) -> Iterator[_Content | None]:
    """Lock a record and yield its content; None if it is in use or deleted."""
    try:
        descriptor = hold(record, os.O_RDWR | portable.PRIVATE_FLAGS, record)
    except (OSError, UsageError):
        yield None
        return
    try:
        yield _read(descriptor)
    finally:
        os.close(descriptor)


def _read(descriptor: int) -> _Content:
    return _Content.decode(portable.read_at(descriptor, 1 << 16, 0))


def _has_stamp(path: str, content: _Content) -> bool:
    """Return whether a file is unchanged since the run of this record published it."""
    try:
        return bool(content.published) and content.published == repr(tuple(Stamp.of(path)))
    except OSError:
        return False


def _remove_leftover(folder: str, content: _Content) -> None:
    if not is_temporary_name(content.name) or os.path.basename(content.name) != content.name:
        return
    path = os.path.join(folder, content.name)
    with contextlib.suppress(OSError):
        if stat.S_ISDIR(os.lstat(path).st_mode):
            remove_folder(path, content.members)
        elif stat.S_ISREG(os.lstat(path).st_mode):
            os.remove(path)


def remove_folder(path: str, members: Sequence[str]) -> None:
    """Remove these files of a temporary folder, and the folder if it is then empty."""
    for member in members:
        with contextlib.suppress(FileNotFoundError):
            os.remove(os.path.join(path, member))
    with contextlib.suppress(OSError):
        os.rmdir(path)


def _record_path(folder: str, output: str, owner: str) -> str | None:
    records = _records_folder()
    if records is None:
        return None
    raw = os.fsencode(output)
    number = zlib.crc32(raw + b"\0" + os.fsencode(owner))
    name = f"{_prefix(folder)}{number:08x}-{os.fsdecode(raw[:_RECORD_NAME_BYTES])}"
    return os.path.join(records, name)


def _prefix(folder: str) -> str:
    """Return the start of the record names of a folder, which stays if the folder is renamed."""
    status = os.stat(folder or ".")
    return f"{status.st_dev:x}-{status.st_ino:x}-"


def _records_folder() -> str | None:
    """Return the folder of records, creating it if needed; None if it cannot be written."""
    state = os.environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(state):
        state = os.path.expanduser("~/.local/state")
    shared = os.path.join(os.environ.get("TMPDIR") or "/tmp", f"ocgdedup-{portable.user_id()}")
    for path in os.path.join(state, "ocgdedup", "temporary"), shared:
        with contextlib.suppress(OSError):
            os.makedirs(path, 0o700, exist_ok=True)
            status = os.lstat(path)
            is_safe = stat.S_ISDIR(status.st_mode) and portable.is_private(status)
            if is_safe and os.access(path, os.W_OK):
                return path
    return None
