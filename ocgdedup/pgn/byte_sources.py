"""Raw bytes of an input in small steps: a file or pipe, a span of it, bytes put back.

Owns reading from the operating system and the position in the file on disk. Must not know
compression, PGN, or which inputs the user asked for.
"""

from __future__ import annotations

import errno
from collections.abc import Callable
from typing import Protocol

from ocgdedup.errors import PgnReadError, ResourceError

_SHORTAGES = (errno.EMFILE, errno.ENFILE, errno.ENOMEM)


class ReadableHandle(Protocol):
    """The part of a binary file object that is used here."""

    def read(self, size: int, /) -> bytes | None: ...
    def seek(self, offset: int, /) -> int: ...


class ByteSource(Protocol):
    """Bytes to pull; what every layer of an input offers to the layer above."""

    def read_some(self, limit: int) -> bytes:
        """Return 1 to `limit` bytes, or b"" at the end; raise PgnReadError at damage."""

    def restart_at(self, offset: int) -> bool:
        """Go back to `offset` of the file on disk; False if this source cannot."""


class RawFile:
    """A file or pipe without a buffer of its own, so that large reads are copied once."""

    def __init__(self, handle: ReadableHandle, name: str, *, can_seek: bool) -> None:
        self.handle = handle
        self.name = name
        self.can_seek = can_seek
        self._ahead = b""
        self._fetched_bytes = 0

    def position(self) -> int:
        """Return how many bytes of the file on disk have been consumed."""
        return self._fetched_bytes - len(self._ahead)

    def read_some(self, limit: int) -> bytes:
        """Return 1 to `limit` bytes, or b"" at the end; raise PgnReadError if reading fails."""
        if self._ahead:
            block, self._ahead = self._ahead[:limit], self._ahead[limit:]
            return block
        try:
            block_or_none = self.handle.read(limit)
        except OSError as cause:
            refuse_shortage(self.name, cause)
            raise PgnReadError(
                f"{self.name}: reading failed at byte {self._fetched_bytes}: "
                f"{cause.strerror or cause}; check the disk or the connection"
            ) from cause
        if block_or_none is None:  # taken for b"", this would cut the input short in silence
            raise PgnReadError(
                f"{self.name}: is a non-blocking pipe and has nothing to read at byte "
                f"{self._fetched_bytes}; save the text to a file and give that"
            )
        self._fetched_bytes += len(block_or_none)
        return block_or_none

    def unread(self, block: bytes) -> None:
        """Put bytes back, to be read next."""
        self._ahead = block + self._ahead

    def restart_at(self, offset: int) -> bool:
        """Read from `offset` next; False for a pipe."""
        if self.can_seek:
            self.handle.seek(offset)
            self._ahead = b""
            self._fetched_bytes = offset
        return self.can_seek


class WindowSource:
    """The span [start, end) of a RawFile, such as one stored or deflated zip member."""

    def __init__(self, raw: RawFile, *, start: int, end: int) -> None:
        self._raw = raw
        self._end = end
        self._left_bytes = end - start

    def read_some(self, limit: int) -> bytes:
        """Return 1 to `limit` bytes, or b"" at the end of the span or of the file."""
        if not self._left_bytes:
            return b""
        block = self._raw.read_some(min(limit, self._left_bytes))
        self._left_bytes -= len(block)
        return block

    def restart_at(self, offset: int) -> bool:
        """Read from `offset` of the file next; False for a pipe."""
        if not self._raw.restart_at(offset):
            return False
        self._left_bytes = self._end - offset
        return True


class PrefixedSource:
    """A source whose first bytes were looked at and have to come first again."""

    def __init__(self, head: bytes, rest: ByteSource, failure: PgnReadError | None) -> None:
        """Give `head` first; `failure` is what looking at it met behind it."""
        self.failure = failure
        self._head = head
        self._rest = rest

    def read_some(self, limit: int) -> bytes:
        """Return 1 to `limit` bytes, or b"" at the end."""
        if self._head:
            block, self._head = self._head[:limit], self._head[limit:]
            return block
        if self.failure:
            raise self.failure
        return self._rest.read_some(limit)

    def restart_at(self, offset: int) -> bool:
        """Go back in the source below."""
        if not self._rest.restart_at(offset):
            return False
        self._head = b""
        self.failure = None
        return True


def refuse_shortage(name: str, cause: BaseException) -> None:
    """Raise ResourceError if the system was short of something while it read an input.

    The games of such an input can be read another time; those of a damaged one cannot.
    """
    if isinstance(cause, OSError) and cause.errno in _SHORTAGES:
        raise ResourceError(
            f"{name}: cannot be read now: {cause.strerror}; close other programs or raise the "
            "limits of memory and open files (ulimit), then repeat the command"
        ) from cause


def read_up_to(read_some: Callable[[int], bytes], size_bytes: int) -> bytes:
    """Return exactly `size_bytes` bytes, fewer only at the end."""
    block = read_some(size_bytes)
    while block and len(block) < size_bytes:
        part = read_some(size_bytes - len(block))
        if not part:
            break
        block += part
    return block


def look_ahead(source: ByteSource, size_bytes: int) -> tuple[bytes, PrefixedSource]:
    """Return the first bytes, and a source that begins with them; damage waits for its turn."""
    head = b""
    failure = None
    try:
        while len(head) < size_bytes:
            block = source.read_some(size_bytes - len(head))
            if not block:
                break
            head += block
    except PgnReadError as met:
        failure = met
    return head, PrefixedSource(head, source, failure)


def peek(raw: RawFile, size_bytes: int) -> bytes:
    """Return the next bytes of a file without consuming them."""
    head = read_up_to(raw.read_some, size_bytes)
    raw.unread(head)
    return head
