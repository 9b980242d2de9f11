"""Bytes and lines of a rating list or spelling file, plain or compressed.

Owns opening, decompression, the choice of a zip's member, and the charset of text files. Must
not know what a list holds. Damage and cut-off data become RatingListError, never a quiet end.
"""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import os
import re
import struct
import sys
import zlib
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import BinaryIO, NamedTuple, Protocol, Self, cast

from ocgdedup.errors import RatingListError

_BLOCK_BYTES = 1 << 17
_MAX_LINE_BYTES = 1 << 16
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_DOS_END = b"\x1a"  # closes text files of DOS programs, FIDE's lists of 2004 among them
# After a letter, these are signs in windows-1252 that no name has, and letters in DOS.
_DOS_LETTER = (
    rb"[A-Za-z][\x80-\x89\x8b\x8d\x8f\x90\x93-\x95\x98\x99\x9b\x9d\xa1-\xa7]|[A-Za-z]\xa0[a-z]"
)
_ENCRYPTED = 0x0001
_ZIP_MAGICS = (b"PK\x03\x04", b"PK\x05\x06")  # the second: a zip without members
_FIRST_ZIP_YEAR = 1980  # what tools write when they know no date
_AGAIN = "copy or download it again"


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


class LineBlock(NamedTuple):
    """Some lines without their ends; `has_end` is False where the file stops without one."""

    first_line: int
    lines: list[str]
    has_end: bool


class _Opened(NamedTuple):
    """A readable file, and what its zip says of it, if it is in one."""

    source: _Readable
    member: str
    stamp_month: str | None
    failures: tuple[type[Exception], ...]


class ListFile:
    """One opened file; its text comes by `read`, or by `read_lines`.

    `name` is for messages, `member` the name inside a zip or "", `stamp_month` ("YYYY-MM") the
    time stamp of that member, `size_bytes` the size on disk.
    """

    def __init__(self, path: str, *, suffixes: tuple[str, ...]) -> None:
        """Open `path`; `suffixes` are those of the one member to take from a zip.

        Raise RatingListError if the file is absent or not as its first bytes promise.
        """
        try:
            self._raw = open(path, "rb")  # noqa: SIM115 -- closed by close()
            self.size_bytes = os.fstat(self._raw.fileno()).st_size
            magic = self._raw.read(16)
            self._raw.seek(0)
        except OSError as cause:
            reason = cause.strerror or str(cause)
            raise RatingListError(f"{path}: cannot be opened: {reason}; give a file") from cause
        self.name = path
        try:
            opened = _open_by_magic(path, self._raw, magic, suffixes)
        except BaseException:
            self._raw.close()
            raise
        self._source = opened.source
        self._failures = opened.failures
        self.member = opened.member
        self.stamp_month = opened.stamp_month
        if opened.member:
            self.name = f"{path}/{opened.member}"
        self._head = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; closing it twice does no harm."""
        self._raw.close()

    def position_bytes(self) -> int:
        """Return how many bytes of the file on disk were read, for a progress bar."""
        return self.size_bytes if self._raw.closed else min(self._raw.tell(), self.size_bytes)

    def peek(self, size_bytes: int) -> bytes:
        """Return the first bytes of the text; `read` gives them again."""
        while len(self._head) < size_bytes:
            block = self._fetch(size_bytes - len(self._head))
            if not block:
                break
            self._head += block
        return self._head[:size_bytes]

    def peek_lines(self, size_bytes: int) -> list[str]:
        """Return the lines among the first bytes of a text; the last one may be cut."""
        return _decode_lines(self.peek(size_bytes), is_first=True)

    def read(self, size_bytes: int) -> bytes:
        """Return 1 to `size_bytes` bytes of text, b"" at the end; raise RatingListError."""
        if self._head:
            block, self._head = self._head[:size_bytes], self._head[size_bytes:]
            return block
        return self._fetch(size_bytes)

    def read_lines(self) -> Iterator[LineBlock]:
        """Give all lines in blocks; bytes that are no UTF-8 are taken as windows-1252 or DOS.

        The choice is made line by line: hardly a name in an 8-bit charset happens to be UTF-8,
        and a list put together from several sources mixes them (so does APR04).
        """
        if self.peek(2) in _UTF16_MARKS:
            raise RatingListError(f"{self.name}: line 1: is UTF-16 text; save it as UTF-8")
        first_line = 1
        rest = b""
        while block := self.read(_BLOCK_BYTES):
            whole, newline, rest = (rest + block).rpartition(b"\n")
            if len(rest) > _MAX_LINE_BYTES:
                line = first_line + whole.count(b"\n") + len(newline)
                raise RatingListError(
                    f"{self.name}: line {line}: is too long to be text; give another file"
                )
            if newline:
                lines = _decode_lines(whole, is_first=first_line == 1)
                yield LineBlock(first_line, lines, True)
                first_line += len(lines)
        rest = rest.rstrip(_DOS_END)
        if rest:
            yield LineBlock(first_line, _decode_lines(rest, is_first=first_line == 1), False)

    def _fetch(self, size_bytes: int) -> bytes:
        try:
            return self._source.read(size_bytes)
        except self._failures as cause:
            raise RatingListError(
                f"{self.name}: is damaged or truncated near byte {self.position_bytes()} "
                f"of the file ({cause}); {_AGAIN}"
            ) from cause


def _decode_lines(text: bytes, *, is_first: bool) -> list[str]:
    if is_first:
        text = text.removeprefix(codecs.BOM_UTF8)
    try:
        return text.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        return [_decode_line(line) for line in text.split(b"\n")]


def _decode_line(line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        is_dos = re.search(_DOS_LETTER, line) is not None
    try:
        return line.decode("cp850" if is_dos else "cp1252")
    except UnicodeDecodeError:
        return line.decode("latin-1")  # windows-1252 leaves five bytes undefined


def _open_by_magic(path: str, raw: BinaryIO, magic: bytes, suffixes: tuple[str, ...]) -> _Opened:
    if magic.startswith(_ZIP_MAGICS):
        return _open_zip(path, raw, suffixes)
    for magics, open_stream, failures in _STREAMS:
        if magic.startswith(magics):
            return _Opened(open_stream(raw), "", None, (*failures, OSError, EOFError))
    if magic.startswith(_ZSTD_MAGIC):
        return _open_zstd(path, raw)
    if not magic:
        raise RatingListError(f"{path}: is empty; {_AGAIN}")
    return _Opened(raw, "", None, (OSError,))


_STREAMS: tuple[tuple[bytes, Callable[[BinaryIO], _Readable], tuple[type[Exception], ...]], ...] = (
    (b"\x1f\x8b", lambda raw: gzip.GzipFile(fileobj=raw), (zlib.error,)),
    (b"BZh", bz2.BZ2File, (ValueError,)),
    (b"\xfd7zXZ\x00", lzma.LZMAFile, (lzma.LZMAError,)),
)
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"


def _open_zstd(path: str, raw: BinaryIO) -> _Opened:
    name = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    try:
        if sys.version_info >= (3, 14):
            import compression.zstd as zstd
        else:
            import backports.zstd as zstd
    except ImportError as cause:
        raise RatingListError(
            f"{path}: is zstd data, and this Python has no module {name}; install it, "
            "or decompress the file with zstd -d"
        ) from cause
    stream = cast(io.BufferedIOBase, zstd.ZstdFile(raw))
    return _Opened(stream, "", None, (zstd.ZstdError, OSError, EOFError))


def _open_zip(path: str, raw: BinaryIO, suffixes: tuple[str, ...]) -> _Opened:
    import zipfile  # slow to import: only those who give a zip file wait for it

    failures = (
        zipfile.BadZipFile,
        NotImplementedError,
        RuntimeError,  # zipfile's word for "encrypted"
        ValueError,
        struct.error,
        zlib.error,
        lzma.LZMAError,
        OSError,
        EOFError,
    )
    try:
        archive = zipfile.ZipFile(raw)
        names = [entry.filename for entry in archive.infolist() if not entry.is_dir()]
        entry = archive.getinfo(_choose_member(path, names, suffixes))
        if entry.flag_bits & _ENCRYPTED:
            raise RatingListError(f"{path}/{entry.filename}: is encrypted; unpack it first")
        source = archive.open(entry)
    except failures as cause:
        raise RatingListError(
            f"{path}: the zip file is damaged or truncated ({cause}); {_AGAIN}"
        ) from cause
    year, month = entry.date_time[:2]
    has_stamp = year > _FIRST_ZIP_YEAR and 1 <= month <= 12
    stamp = f"{year:04}-{month:02}" if has_stamp else None
    return _Opened(source, entry.filename, stamp, failures)


def _choose_member(path: str, names: list[str], suffixes: tuple[str, ...]) -> str:
    """Return the one member with a suffix; hidden ones do not count (macOS adds some)."""
    fitting = [
        name
        for name in names
        if name.lower().endswith(suffixes) and not name.rpartition("/")[2].startswith(".")
    ]
    if len(fitting) == 1:
        return fitting[0]
    wanted = " or ".join(suffixes)
    if not fitting:
        raise RatingListError(f"{path}: no member of this zip file ends in {wanted}; unpack it")
    raise RatingListError(
        f"{path}: has {len(fitting)} members that end in {wanted} ({fitting[0]}, {fitting[1]}, "
        "...), where one is expected; unpack it and give the file you mean"
    )
