"""Records of temporary files: which of them are ours, and which are in use.

They are kept in the user's state folder, not in the folder of the output. A record is locked as
long as the run that wrote it lives, so what an unlocked record names was left by a killed run.
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
_RECORD_FLAGS = os.O_RDWR | os.O_CREAT | portable.OWN_FILE
_FIXED_FIELDS = 4
_KEPT_NAME_BYTES = 120  # of the output, in the name of a record


def is_temporary_name(path: str) -> bool:
    """Tell if a file has a name such as our temporary files have."""
    return _TEMPORARY_NAME.fullmatch(os.path.basename(path)) is not None


class Stamp(NamedTuple):
    """What a file keeps when it is renamed, and loses when it is replaced or changed."""

    inode: int
    size_bytes: int
    changed_ns: int

    @classmethod
    def of(cls, path: str | int) -> Stamp:
        status = os.stat(path)
        return cls(status.st_ino, status.st_size, status.st_mtime_ns)


class _Content(NamedTuple):
    """What a record says.

    `output`: its final name; `name`: the temporary file or folder; `published`: the stamp of the
    file as the run gave it its final name, "" before; `owner`: the database that lists the file
    once that is committed, "" if none does; `members`: the files that a folder may have.
    """

    output: str = ""
    name: str = ""
    published: str = ""
    owner: str = ""
    members: Sequence[str] = ()

    def encode(self) -> bytes:
        fields = (self.output, self.name, self.published, self.owner, *self.members, "", "")
        return b"\0".join(map(os.fsencode, fields))

    @classmethod
    def decode(cls, raw: bytes) -> _Content:
        fields = [os.fsdecode(field) for field in raw.split(b"\0")]
        if len(fields) <= _FIXED_FIELDS:  # killed before it was written
            return cls()
        output, name, published, owner, *members = fields
        # Behind the empty one may be the end of what the record said before.
        return cls(output, name, published, owner, members[: members.index("")])


class Record:
    """The record of one output, locked until it is released; where none can be kept, nothing.

    `path`: what the user calls the output. Raises UsageError if another run writes it.
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

    def was_left_published(self, place: str) -> bool:
        """Tell if a run that was killed before its end wrote the output as it is now."""
        return _has_stamp(place, self._previous)

    def write(self, name: str, members: Sequence[str] = ()) -> None:
        """Note the temporary name, before there is such a file."""
        self._write(self._content._replace(name=name, members=members))

    def note_published(self, stamp: Stamp) -> None:
        """Note the file as it is, right before it gets its final name."""
        self._write(self._content._replace(published=repr(tuple(stamp))))

    def _write(self, content: _Content) -> None:
        self._content = content
        if self._descriptor is None:
            return
        try:
            # At once: a run that is killed has written the record, or not.
            portable.write_at(self._descriptor, content.encode(), 0)
        except OSError:
            # A full home folder does not keep an output elsewhere from being written; without
            # its record, what a killed run leaves is left to the user.
            self.release()

    def release(self) -> None:
        """Forget the output: it has its final name, or is gone."""
        if self._descriptor is None or self._path is None:
            return
        portable.remove_locked(self._path, self._descriptor)
        self._descriptor = None

    def leave(self) -> None:
        """Unlock the record and leave it, as a killed run would."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def remove_leftovers(folder: str, owner: str = "") -> None:
    """Remove what killed runs left in a folder, all of it recorded as ours and in no use.

    Files that a database may list are only removed for this `owner`, once it does not list them.
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
    """Tell if a run that was killed before its end wrote a file that is unchanged since."""
    place = os.path.realpath(path)
    record = _record_path(*os.path.split(place), "")
    if record is None or not os.path.exists(record):
        return False
    with _unlocked(record) as content:
        return content is not None and _has_stamp(place, content)


def is_recorded(temporary: str, place: str, owner: str) -> bool:
    """Tell if this user's runs recorded a temporary file that is to become the file `place`."""
    folder, name = os.path.split(temporary)
    record = _record_path(*os.path.split(place), owner)
    if record is None or folder != os.path.dirname(place):
        return False
    with contextlib.suppress(OSError):
        if stat.S_ISREG(os.lstat(temporary).st_mode):
            with open(record, "rb") as handle:  # not locked: its run may be this one
                content = _Content.decode(handle.read())
            expected = (os.path.basename(place), name, owner)
            return (content.output, content.name, content.owner) == expected
    return False


def hold(name: str, flags: int, path: str) -> int:
    """Open a file that this run alone may write; return its descriptor, which locks it.

    Raises UsageError if another run holds it; `path` is what the user calls it.
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
    """Tell if an open file still has its name: another run may have just renamed or removed it."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.lstat(name))
    except FileNotFoundError:
        return False


@contextlib.contextmanager
def _unlocked(record: str) -> Iterator[_Content | None]:
    """Give what a record says, locked meanwhile; None if it is in use, or gone."""
    try:
        descriptor = hold(record, os.O_RDWR | portable.OWN_FILE, record)
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
    """Tell if a file is as the run published it: that record stays, for was_left_published()."""
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
    """Remove a temporary folder with these files of it; leave it if there is anything else."""
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
    name = f"{_prefix(folder)}{number:08x}-{os.fsdecode(raw[:_KEPT_NAME_BYTES])}"
    return os.path.join(records, name)


def _prefix(folder: str) -> str:
    """Return how the records of a folder begin: the folder may be renamed, and is the same."""
    status = os.stat(folder or ".")
    return f"{status.st_dev:x}-{status.st_ino:x}-"


def _records_folder() -> str | None:
    """Return the folder of records, made if need be; None where none can be written."""
    state = os.environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(state):
        state = os.path.expanduser("~/.local/state")
    shared = os.path.join(os.environ.get("TMPDIR") or "/tmp", f"ocgdedup-{portable.user_id()}")
    for path in os.path.join(state, "ocgdedup", "temporary"), shared:
        with contextlib.suppress(OSError):
            os.makedirs(path, 0o700, exist_ok=True)
            status = os.lstat(path)
            is_ours = stat.S_ISDIR(status.st_mode) and portable.is_private(status)
            if is_ours and os.access(path, os.W_OK):
                return path
    return None
