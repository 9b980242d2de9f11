"""The manifest of a folder: manifest.json, with the name, size and SHA-256 of each file.

Owns its format and the check of the files. Must not know the content of the files.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO, NamedTuple

from ocgdedup.errors import PgnReadError
from ocgdedup.version import __version__

NAME = "manifest.json"
_FORMAT, _VERSION = "ocgdedup lossless games", 1
_MOST_BYTES = 1 << 26  # of a manifest: a million files
_READ_BYTES = 1 << 20


class ListedFile(NamedTuple):
    """A file of a table; `name`: relative to the folder, `sha256`: None if not computed."""

    table: str
    name: str
    rows: int
    bytes: int
    sha256: str | None


class Manifest(NamedTuple):
    """The manifest of a folder; `sha256`, `own_bytes`: of the manifest itself."""

    folder: str
    kind: str
    files: tuple[ListedFile, ...]
    sha256: str = ""
    own_bytes: int = 0

    @property
    def size_bytes(self) -> int:
        return self.own_bytes + sum(file.bytes for file in self.files)

    @property
    def path(self) -> str:
        return os.path.join(self.folder, NAME)

    def paths_of(self, table: str) -> list[str]:
        """Return the paths of the files of a table, in order."""
        return [os.path.join(self.folder, file.name) for file in self.files if file.table == table]

    def rows_of(self, table: str) -> int:
        return sum(file.rows for file in self.files if file.table == table)


class HashedFile:
    """A file that counts and hashes the bytes written to it."""

    def __init__(self, handle: BinaryIO) -> None:
        self.size_bytes = 0
        self.closed = False
        self._handle = handle
        self._sha256 = hashlib.sha256()

    def write(self, data: bytes) -> int:
        self._handle.write(data)
        self._sha256.update(data)
        size = memoryview(data).nbytes
        self.size_bytes += size
        return size

    def tell(self) -> int:
        return self.size_bytes

    def flush(self) -> None:
        self._handle.flush()

    def sha256_hex(self) -> str:
        return self._sha256.hexdigest()


def write_manifest(handle: BinaryIO, kind: str, files: Sequence[ListedFile]) -> None:
    """Write a manifest; `kind`: "chess" or "go"."""
    content = {
        "format": _FORMAT,
        "version": _VERSION,
        "kind": kind,
        "program": f"ocgdedup {__version__}",
        "files": [file._asdict() for file in files],
    }
    handle.write(json.dumps(content, indent=2).encode() + b"\n")


def manifest_of(folder: str) -> Manifest | None:
    """Return the manifest of a folder, None if ocgdedup wrote none.

    Raises PgnReadError for an unreadable manifest, for one that names files outside the folder, and
    for one that a newer version of ocgdedup wrote.
    """
    path = os.path.join(folder, NAME)
    try:
        with open(path, "rb") as handle:
            data = handle.read(_MOST_BYTES + 1)
        content = json.loads(data) if len(data) <= _MOST_BYTES else None
    except FileNotFoundError:
        return None
    except OSError as error:
        raise PgnReadError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError):
        return None  # of another program
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        return None
    if content.get("version") != _VERSION:
        raise PgnReadError(
            f"{path}: has version {content.get('version')} of the format, this program reads "
            f"version {_VERSION}; update ocgdedup"
        )
    try:
        files = tuple(map(_listed_file, content["files"]))
        kind = str(content["kind"])
    except (KeyError, TypeError, ValueError) as error:
        raise PgnReadError(f"{path}: is damaged ({error}); write the folder again") from error
    return Manifest(folder, kind, files, hashlib.sha256(data).hexdigest(), len(data))


def _listed_file(entry: Mapping[str, Any]) -> ListedFile:
    file = ListedFile(**entry)
    if (
        not file.name
        or "\0" in file.name
        or os.path.isabs(file.name)
        or ".." in file.name.split("/")
    ):
        raise ValueError(f"{file.name!r} is not a file of the folder")
    if min(int(file.rows), int(file.bytes)) < 0:
        raise ValueError(f"{file.name}: rows and bytes must be counts")
    return file


def check_files(manifest: Manifest) -> None:
    """Compare the files with a manifest; raise PgnReadError for a difference."""
    for file in manifest.files:
        path = os.path.join(manifest.folder, file.name)
        sha256 = hashlib.sha256()
        try:
            with open(path, "rb") as handle:
                size = os.fstat(handle.fileno()).st_size
                if size == file.bytes and file.sha256 is not None:
                    while block := handle.read(_READ_BYTES):
                        sha256.update(block)
        except OSError as error:
            raise PgnReadError(f"{path}: cannot be opened: {error.strerror}") from error
        if size != file.bytes or file.sha256 not in (None, sha256.hexdigest()):
            raise PgnReadError(
                f"{path}: is not the file that {NAME} lists; copy the folder again, or write it "
                "again"
            )
