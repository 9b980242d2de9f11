"""Read the members of 7-Zip and RAR archives, which libarchive unpacks, as sources of bytes.

libarchive-c is of the extra `archives`. An archive must be a file: both formats need to seek.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any

from ocgdedup.errors import PgnReadError, UsageError
from ocgdedup.files.archives import MemberNames
from ocgdedup.files.decompress import ByteSource, RawFile

# By the first bytes: what messages call the archive, and libarchive's name of the format.
_FORMATS = {
    b"7z\xbc\xaf\x27\x1c": ("7-Zip archive", "7zip"),
    b"Rar!\x1a\x07\x00": ("RAR archive", "rar"),
    b"Rar!\x1a\x07\x01\x00": ("RAR archive", "rar5"),
}
MAGICS = tuple(_FORMATS)
_BLOCK_BYTES = 1 << 18


def require_library(name: str) -> None:
    """Raise UsageError if the extra is not installed."""
    try:
        _load(name)
    except PgnReadError as cause:
        raise UsageError(str(cause)) from cause


def open_members(
    raw: RawFile, head: bytes, endings: Sequence[str]
) -> Iterator[tuple[str, ByteSource]]:
    """Yield the name and the bytes of each member with an ending, in the order of the archive.

    A member can be read until the next one is requested. Raise PgnReadError at damage, after what
    precedes it; if there is no such member; and at the end if a member is an archive itself.
    """
    archive_type, library_format = next(
        names for magic, names in _FORMATS.items() if head.startswith(magic)
    )
    library = _load(raw.name)
    if not raw.can_seek:
        raise PgnReadError(f"{raw.name}: is a {archive_type}; give a file, not a pipe")
    raw.restart_at(0)
    names = MemberNames(raw.name, archive_type, endings)
    try:
        with library.stream_reader(raw.handle, library_format, block_size=_BLOCK_BYTES) as archive:
            for entry in archive:
                path = entry.pathname or ""
                name = os.fsdecode(path) if isinstance(path, bytes) else path
                if entry.isfile and names.admit(name):
                    member = _Member(f"{raw.name}/{name}", archive_type, library, entry)
                    yield f"{raw.name}/{name}", member
                    if member.is_damaged:  # reading it has raised the error
                        return
    except library.ArchiveError as cause:
        raise _failure(raw.name, archive_type, cause) from cause
    names.close()


class _Member(ByteSource):
    """The bytes of one member."""

    def __init__(self, name: str, archive_type: str, library: ModuleType, entry: Any) -> None:
        self.is_damaged = False
        self._name = name
        self._archive_type = archive_type
        self._failures = library.ArchiveError
        self._blocks = entry.get_blocks(_BLOCK_BYTES)
        self._ready = b""

    def read_some(self, limit: int) -> bytes:
        try:
            self._ready = self._ready or next(self._blocks, b"")
        except self._failures as cause:
            self.is_damaged = True
            raise _failure(self._name, self._archive_type, cause) from cause
        part, self._ready = self._ready[:limit], self._ready[limit:]
        return part


def _failure(name: str, archive_type: str, cause: Any) -> PgnReadError:
    return PgnReadError(
        f"{name}: the {archive_type} cannot be read from here on: {cause.msg}; if it is damaged, "
        "copy or download it again; else (it is encrypted, or has several volumes) unpack it and "
        "give the files"
    )


def _load(name: str) -> ModuleType:
    """Return the module libarchive; raise PgnReadError, for an archive, if it is absent."""
    try:
        import libarchive  # 12 ms
    # A module without its library fails with one of the last two.
    except (ImportError, OSError, TypeError, AttributeError) as cause:
        raise PgnReadError(
            f"{name}: 7-Zip and RAR archives need the extra 'archives': pip install "
            "'ocgdedup[archives]', and the library libarchive of your system; or unpack it and "
            "give the files"
        ) from cause
    import logging  # 9 ms

    logging.getLogger("libarchive").setLevel(logging.ERROR)
    module: ModuleType = libarchive
    return module
