"""The PGN and SGF members of a tar archive, one after the other, each as a source of bytes.

Owns what of an archive is read; the format is the standard library's. The archive is read forward
only, so that a compressed one, or a pipe, is read once and never held.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import IO

from ocgdedup.errors import PgnReadError
from ocgdedup.pgn.byte_sources import ByteSource, read_up_to
from ocgdedup.pgn.member_names import MemberNames

HEAD_BYTES = 512
_MAGIC, _MAGIC_AT = b"ustar", 257


def is_tar(head: bytes) -> bool:
    """Tell if a file begins as a tar archive does (POSIX 1003.1, and GNU's)."""
    return head.startswith(_MAGIC, _MAGIC_AT)


def open_tar_members(source: ByteSource, name: str) -> Iterator[tuple[str, ByteSource]]:
    """Give the name and the bytes of each PGN or SGF member, in the order of the archive.

    A member can be read until the next one is asked for. Raise PgnReadError for a damaged archive,
    after all members before the damage, for one that holds no such file, and in the end for one in
    which another archive is.
    """
    tarfile = importlib.import_module("tarfile")  # 10 ms that few inputs need
    names = MemberNames(name, "tar archive")
    try:
        with tarfile.open(fileobj=_Handle(source), mode="r|") as archive:
            for member in archive:
                if member.isfile() and names.admit(member.name):
                    handle = archive.extractfile(member)
                    yield f"{name}/{member.name}", _TarMember(handle, name, tarfile.TarError)
                archive.members.clear()  # else all that was passed is held
    except tarfile.TarError as error:
        raise _damaged(name, error) from error
    names.close()


class _Handle:
    """A source as the file object that tarfile reads."""

    def __init__(self, source: ByteSource) -> None:
        self._source = source

    def read(self, size_bytes: int) -> bytes:
        return read_up_to(self._source.read_some, size_bytes)


class _TarMember:
    """The bytes of one member."""

    def __init__(self, handle: IO[bytes], name: str, failure: type[Exception]) -> None:
        self._handle = handle
        self._name = name
        self._failure = failure

    def read_some(self, limit: int) -> bytes:
        """Return 1 to `limit` bytes, or b"" at the end; raise PgnReadError at damage."""
        try:
            return self._handle.read(limit)
        except self._failure as error:
            raise _damaged(self._name, error) from error

    def restart_at(self, offset: int) -> bool:
        """Refuse: an archive is read forward only."""
        return False


def _damaged(name: str, error: Exception) -> PgnReadError:
    return PgnReadError(f"{name}: the tar archive is damaged: {error}; copy or download it again")
