"""The folder DATABASE-search: the files in which a search leaves its sorted state for the next one.

Owns the files, their names, and MANIFEST, which lists those that belong together. A search writes
new files beside the old ones. After its transaction has committed, it replaces MANIFEST and deletes
the old files; other processes keep what they have mapped. MANIFEST names the search, whose token
the database has too: if they differ, the files are of another state of the database.

All of this can be made again from the database, so a folder that cannot be written, a full disk, or
damage is no error: the caller goes on without the files. Must not know what the files mean.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import re
import secrets
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from ocgdedup._kernels.search import BUCKETS, SOURCES, KeyRuns, run_end
from ocgdedup.files import portable
from ocgdedup.files.decompress import load_zstd
from ocgdedup.files.portable import SEARCH_SUFFIX, sync_folder
from ocgdedup.version import __version__

if TYPE_CHECKING:
    from typing_extensions import Buffer

_MANIFEST, _LOCK, _RUN = "MANIFEST", "lock", "keys"
# Of the files in the folder; all others are somebody else's.
_OWN_NAME = re.compile(r"MANIFEST(\.new)?|lock|[a-z-]+\.[0-9a-f]{16}")
_NEW_FILE = os.O_RDWR | os.O_CREAT | os.O_EXCL | portable.PRIVATE_FLAGS
_LOCK_FILE = os.O_RDWR | os.O_CREAT | portable.PRIVATE_FLAGS
# Files of another program version, or of a machine with another byte order, are not used.
_WRITTEN_BY = [2, __version__, sys.byteorder]
# A run is merged with the one before unless that is more than so many times as large. So each
# key is merged a few times while a database doubles, and there are few runs.
_RATIO = 2
_ZSTD_LEVEL = 1  # a fifth of the size of days of rounds; higher levels save little more


class _File(NamedTuple):
    """A file of the folder, with the CRC of its content (0 for runs, whose blocks have one)."""

    name: str
    size_bytes: int
    checksum: int


class _Manifest(NamedTuple):
    """The files of one search, by what they are; `runs`: of keys, the oldest first."""

    token: str
    files: Mapping[str, _File]
    runs: Sequence[_File]


def folder_of(database: str) -> str:
    """Return the folder of the files of a database."""
    return os.path.realpath(database) + SEARCH_SUFFIX


def size_on_disk(database: str) -> int:
    """Return the bytes of all files of a database, used or not."""
    folder, total = folder_of(database), 0
    for name in _own_files(folder):
        with contextlib.suppress(OSError):
            total += os.path.getsize(os.path.join(folder, name))
    return total


def delete_files(database: str) -> None:
    """Delete the files of a database, unless another process is writing them."""
    folder = folder_of(database)
    with contextlib.suppress(OSError):
        lock = _locked(os.path.join(folder, _LOCK))
        try:
            with contextlib.suppress(FileNotFoundError):
                os.remove(os.path.join(folder, _MANIFEST))
            _delete_others(folder, None)
        finally:
            _unlock(folder, lock)


class SearchFiles:
    """The mapped files of the last search."""

    def __init__(self, folder: str, manifest: _Manifest) -> None:
        self.manifest = manifest
        self._content = {name: _mapped(folder, file) for name, file in manifest.files.items()}
        self.runs = KeyRuns([_mapped(folder, run) for run in manifest.runs])

    @classmethod
    def open(cls, database: str, token: str) -> SearchFiles | None:
        """Map the files of the search with this token.

        None if they are missing, of another search, program version or byte order, or damaged.
        """
        folder = folder_of(database)
        try:
            manifest = _read_manifest(folder)
            if manifest is None or manifest.token != token:
                return None
            return cls(folder, manifest)
        except (OSError, ValueError):
            return None

    def map(self, name: str) -> memoryview:
        """Return a file; its size is right, check() also checks its content."""
        return self._content[name]

    def check(self, name: str) -> None:
        """Raise ValueError unless a file is there and has the content that was written."""
        if name not in self.manifest.files:
            raise ValueError(f"{name}: missing")
        if crc32(self._content[name]) != self.manifest.files[name].checksum:
            raise ValueError(f"{name}: damaged")

    def bytes(self, name: str) -> bytes:
        """Return the content of a file; raise ValueError if it is damaged."""
        self.check(name)
        return bytes(self._content[name])

    def unpacked(self, name: str) -> memoryview:
        """Return what NewSearchFiles.write_packed() wrote; raise ValueError if it is damaged."""
        zstd = load_zstd()
        try:
            return memoryview(zstd.decompress(self.bytes(name)))
        except zstd.ZstdError as error:
            raise ValueError(f"{name}: {error}") from error

    @property
    def size_bytes(self) -> int:
        """The size of all files."""
        every = [*self.manifest.files.values(), *self.manifest.runs]
        return sum(file.size_bytes for file in every)


class NewSearchFiles:
    """New files of a search, as a context in which they are written; commit() publishes them.

    `last`: the files that the search began from. After the first error of the file system, and if
    another process writes the folder, all methods do nothing.
    """

    def __init__(self, database: str, last: SearchFiles | None = None) -> None:
        self._database, self._folder = database, folder_of(database)
        self._last = last
        self._files: dict[str, _File] = {}
        self._run: _NewRun | None = None
        self._opened: list[_NewFile] = []
        self._lock: int | None = None
        self._writing = threading.Lock()
        with self._errors():
            os.makedirs(self._folder, exist_ok=True)
            self._lock = _locked(os.path.join(self._folder, _LOCK))
            _delete_others(self._folder, _read_manifest(self._folder))  # of a killed process

    def __enter__(self) -> NewSearchFiles:
        return self

    def __exit__(self, *_: object) -> None:
        self._discard()

    @property
    def is_open(self) -> bool:
        """Whether the files could be written so far."""
        return self._lock is not None

    def write(self, name: str, parts: Iterable[Buffer]) -> None:
        """Write a file, by the name that it will have in SearchFiles: small letters."""
        if not self.is_open:
            return
        with self._errors():
            file, checksum = self._new_file(name), 0
            for part in parts:
                file.write(part)
                checksum = crc32(part, checksum)
            self._files[name] = file.end(checksum)

    def write_packed(self, name: str, content: bytes) -> None:
        """Write a file in compressed form."""
        self.write(name, [load_zstd().compress(content, _ZSTD_LEVEL)])

    def keep(self, name: str) -> None:
        """Keep a file of the last search as it is."""
        assert self._last is not None
        self._files[name] = self._last.manifest.files[name]

    def add_keys(self, source: str, bucket: int, packed: bytes) -> None:
        """Write a packed bucket to the new run of keys; threads may do so at the same time."""
        with self._writing, self._errors():
            if self.is_open and packed:
                if self._run is None:
                    self._run = _NewRun(self._new_file(_RUN))
                self._run.add(source, bucket, packed)

    def commit(self, token: str) -> None:
        """Publish the files as those of the search whose token the database has by now.

        Keys of the last search stay, in runs of their own or merged with the new one.
        """
        if not self.is_open:
            return
        with self._errors():
            manifest = _Manifest(token, self._files, self._runs())
            _write_manifest(self._folder, manifest)
            self._opened.clear()
            _delete_others(self._folder, manifest)

    def _runs(self) -> list[_File]:
        runs = [] if self._last is None else list(self._last.manifest.runs)
        if self._run is not None:
            runs.append(self._run.end())
        first, size = len(runs) - 1, sum(run.size_bytes for run in runs[-1:])
        while first > 0 and runs[first - 1].size_bytes <= _RATIO * size:
            first -= 1
            size += runs[first].size_bytes
        if len(runs) - first > 1:
            runs[first:] = [self._merged(runs[first:])]
        return runs

    def _merged(self, runs: Sequence[_File]) -> _File:
        """Write a run with the keys of several; raise ValueError if one is damaged."""
        keys, merged = KeyRuns([_mapped(self._folder, run) for run in runs]), None
        for source, bucket in product(SOURCES, range(BUCKETS)):
            packed = keys.merged(source, bucket)
            if packed:
                merged = merged or _NewRun(self._new_file(_RUN))
                merged.add(source, bucket, packed)
        assert merged is not None, "no run is empty"
        return merged.end()

    def _new_file(self, name: str) -> _NewFile:
        file = _NewFile(self._folder, name, self._database)
        self._opened.append(file)
        return file

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        """Give up if the file system fails, or if a run of the last search is damaged."""
        try:
            yield
        except (OSError, ValueError):
            self._discard()

    def _discard(self) -> None:
        """Delete files that are not published, and let other processes write the folder."""
        for file in self._opened:
            with contextlib.suppress(OSError):
                file.discard()
        self._opened.clear()
        if self._lock is not None:
            _unlock(self._folder, self._lock)
            self._lock = None


class _NewFile:
    """A new file of the folder."""

    def __init__(self, folder: str, name: str, database: str) -> None:
        self.name = f"{name}.{secrets.token_hex(8)}"
        self.size_bytes = 0
        self._path = os.path.join(folder, self.name)
        self._handle = os.fdopen(os.open(self._path, _NEW_FILE, 0o600), "wb")
        portable.take_access(self._handle.fileno(), os.stat(database))

    def write(self, part: Buffer) -> None:
        self.size_bytes += self._handle.write(part)

    def end(self, checksum: int = 0) -> _File:
        """Sync and close the file."""
        with self._handle as handle:
            handle.flush()
            os.fsync(handle.fileno())
        return _File(self.name, self.size_bytes, checksum)

    def discard(self) -> None:
        """Close and delete the file."""
        try:
            self._handle.close()
        finally:
            os.remove(self._path)


class _NewRun:
    """A new run of keys."""

    def __init__(self, file: _NewFile) -> None:
        self._file = file
        self._places: list[tuple[str, int, int, int]] = []

    def add(self, source: str, bucket: int, packed: bytes) -> None:
        self._places.append((source, bucket, self._file.size_bytes, len(packed)))
        self._file.write(packed)

    def end(self) -> _File:
        self._file.write(run_end(self._places))
        return self._file.end()


# --- the folder -----------------------------------------------------------------------------------


def _locked(path: str) -> int:
    """Open and lock a file; raise BlockingIOError if another process has locked it."""
    descriptor = os.open(path, _LOCK_FILE, 0o666)
    try:
        portable.lock(descriptor)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _unlock(folder: str, descriptor: int) -> None:
    """Unlock a folder; delete it if no file is left."""
    os.close(descriptor)
    with contextlib.suppress(OSError):
        if os.listdir(folder) == [_LOCK]:
            os.remove(os.path.join(folder, _LOCK))
            os.rmdir(folder)


def _own_files(folder: str) -> list[str]:
    with contextlib.suppress(OSError):
        return list(filter(_OWN_NAME.fullmatch, os.listdir(folder)))
    return []


def _delete_others(folder: str, manifest: _Manifest | None) -> None:
    """Delete the files that a manifest does not list."""
    listed = {_MANIFEST, _LOCK}
    if manifest is not None:
        listed |= {file.name for file in (*manifest.files.values(), *manifest.runs)}
    for name in _own_files(folder):
        if name not in listed:
            with contextlib.suppress(OSError):
                os.remove(os.path.join(folder, name))


def _mapped(folder: str, file: _File) -> memoryview:
    """Map a file; raise ValueError if its size is wrong."""
    with open(os.path.join(folder, file.name), "rb") as handle:
        size = os.fstat(handle.fileno()).st_size
        if size != file.size_bytes:
            raise ValueError(f"{file.name}: damaged")
        if size == 0:
            return memoryview(b"")
        return memoryview(mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ))


def _read_manifest(folder: str) -> _Manifest | None:
    """Return the manifest; None if there is none, or if it is damaged or of another version."""
    try:
        with open(os.path.join(folder, _MANIFEST), "rb") as handle:
            checksum, _, text = handle.read().partition(b" ")
        if checksum != b"%08x" % crc32(text):
            return None
        written_by, token, files, runs = json.loads(text)
    except (OSError, ValueError):
        return None
    if written_by != _WRITTEN_BY:
        return None
    files = {name: _File(*file) for name, file in files.items()}
    return _Manifest(token, files, [_File(*run) for run in runs])


def _write_manifest(folder: str, manifest: _Manifest) -> None:
    text = json.dumps((_WRITTEN_BY, *manifest)).encode()
    path = os.path.join(folder, _MANIFEST)
    with open(f"{path}.new", "wb") as handle:
        handle.write(b"%08x %b" % (crc32(text), text))
        handle.flush()
        os.fsync(handle.fileno())
    os.replace(f"{path}.new", path)
    sync_folder(folder)
