"""Bytes and lines of a rating list or spelling file, plain or compressed.

Owns which member of a zip is the list, and the lines and charsets of texts. Must not know the
content. Damaged and truncated data raise RatingListError.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import re
from collections.abc import Iterator
from typing import NamedTuple, Self

from ocgdedup.errors import PgnReadError, RatingListError
from ocgdedup.files import decompress
from ocgdedup.files.archives import ZIP_MAGICS, open_only_zip_member
from ocgdedup.files.decompress import ByteSource, RawFile

_READ_BYTES = 1 << 17
_MAX_LINE_BYTES = 1 << 16
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_DOS_END = b"\x1a"  # at the end of text files of DOS programs, such as FIDE's lists of 2004
# After a letter, these bytes are letters in DOS, but in windows-1252 characters that no name has.
_DOS_LETTER = (
    rb"[A-Za-z][\x80-\x89\x8b\x8d\x8f\x90\x93-\x95\x98\x99\x9b\x9d\xa1-\xa7]|[A-Za-z]\xa0[a-z]"
)


class LineBlock(NamedTuple):
    """Whole lines; only the last block of a file may lack the end of its only line."""

    first_line: int
    text: bytes

    def lines(self) -> list[str]:
        """Return the lines without their ends."""
        return decode_lines(self.text.removesuffix(b"\n"), is_first=self.first_line == 1)

    def has_end(self) -> bool:
        return self.text.endswith(b"\n")


class ListFile:
    """An opened file; read it with `read` or with `read_lines`.

    `name` is for messages, `member` the name inside a zip or "", `stamp_month` ("YYYY-MM") the
    time stamp of that member, `size_bytes` the size on disk.
    """

    def __init__(self, path: str, *, suffixes: tuple[str, ...]) -> None:
        """Open `path`; `suffixes`: of the only member to read from a zip.

        Raise RatingListError if the file is absent, or damaged in its first bytes.
        """
        self.name = path
        self.member = ""
        self.stamp_month: str | None = None
        self._head = b""
        with _as_list_errors():
            self._handle = decompress.open_unbuffered(path)
        try:
            self.size_bytes = os.fstat(self._handle.fileno()).st_size
            self._raw = RawFile(self._handle, path, can_seek=self._handle.seekable())
            with _as_list_errors():
                self._source = self._open(suffixes)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self, suffixes: tuple[str, ...]) -> ByteSource:
        """Return the text of the file, or of its only member."""
        source: ByteSource = self._raw
        head = decompress.peek(self._raw, decompress.MAGIC_BYTES)
        if not head:
            raise RatingListError(f"{self.name}: is empty; copy or download it again")
        if head.startswith(_UTF16_MARKS):
            return source  # whatever the suffix of the name
        if head.startswith(ZIP_MAGICS):
            member, source = open_only_zip_member(self._raw, suffixes)
            self.member, self.stamp_month = member.name, member.stamp_month
            self.name = f"{self.name}/{member.name}"
        return decompress.decompressed(self.name, source)[1]

    def close(self) -> None:
        self._handle.close()

    def error(self, line: int, problem: str) -> RatingListError:
        return RatingListError(f"{self.name}: line {line}: {problem}")

    def position_bytes(self) -> int:
        """Return how many bytes of the file on disk were read, for a progress bar."""
        if self._handle.closed:
            return self.size_bytes
        return min(self._raw.position(), self.size_bytes)

    def peek(self, size_bytes: int) -> bytes:
        """Return the first bytes of the text; `read` returns them again."""
        while len(self._head) < size_bytes:
            block = self._fetch(size_bytes - len(self._head))
            if not block:
                break
            self._head += block
        return self._head[:size_bytes]

    def peek_lines(self, size_bytes: int) -> list[str]:
        """Return the lines among the first bytes of a text; the last one may be incomplete."""
        return decode_lines(self.peek(size_bytes), is_first=True)

    def read(self, size_bytes: int) -> bytes:
        """Return 1 to `size_bytes` bytes of text, b"" at the end."""
        if self._head:
            block, self._head = self._head[:size_bytes], self._head[size_bytes:]
            return block
        return self._fetch(size_bytes)

    def read_lines(self) -> Iterator[LineBlock]:
        """Yield all lines in blocks."""
        if self.peek(2) in _UTF16_MARKS:
            raise self.error(1, "is UTF-16 text; save it as UTF-8")
        first_line = 1
        rest = b""
        while block := self.read(_READ_BYTES):
            whole, newline, rest = (rest + block).rpartition(b"\n")
            if len(rest) > _MAX_LINE_BYTES:
                line = first_line + whole.count(b"\n") + len(newline)
                raise self.error(line, "is too long to be text; give another file")
            if newline:
                yield LineBlock(first_line, whole + newline)
                first_line += whole.count(newline) + 1
        rest = rest.rstrip(_DOS_END)
        if rest:
            yield LineBlock(first_line, rest)

    def _fetch(self, size_bytes: int) -> bytes:
        with _as_list_errors():
            return self._source.read_some(size_bytes)


@contextlib.contextmanager
def _as_list_errors() -> Iterator[None]:
    try:
        yield
    except PgnReadError as cause:
        raise RatingListError(str(cause)) from cause


def decode_lines(text: bytes, *, is_first: bool) -> list[str]:
    """Return the lines of a text; one that is not UTF-8 is decoded as windows-1252 or DOS.

    Names in an 8-bit charset are hardly ever valid UTF-8, and a list compiled from several sources
    has lines in different charsets (APR04 does).
    """
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
