"""The PGN and SGF members of a tar archive, one after the other, each as a source of bytes.

Owns the format (POSIX 1003.1 ustar and pax, and GNU's), of which only names, kinds and lengths are
read. The archive is read forward only, so that a compressed one, or a pipe, is read once and never
held. No length in it is believed: what is claimed beyond the end of the archive is damage, and
names are bounded. The standard library's reader holds long names in memory, goes on reading behind
the end for as long as a length says, and keeps back what it has of a member that is cut.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ocgdedup.errors import PgnReadError
from ocgdedup.pgn.byte_sources import ByteSource, read_up_to
from ocgdedup.pgn.member_names import MemberNames

HEAD_BYTES = 512  # of a header; members are padded to a multiple of it
_MAGIC, _MAGIC_AT = b"ustar", 257
_POSIX_MAGIC = b"ustar\0"  # of GNU, "ustar  ": what POSIX has a prefix for is otherwise used there
_NAME, _SIZE, _CHECKSUM, _KIND = slice(0, 100), slice(124, 136), slice(148, 156), 156
_PREFIX = slice(345, 500)
# Kinds of entries. Links, devices, folders and pipes have no bytes, whatever their length says.
_OLD_FILE, _FOLDER, _SPARSE = b"\0", b"5", b"S"
_FILES = (b"0", _OLD_FILE, b"7", _SPARSE)
_WITHOUT_BYTES = b"123456"
_PAX, _GLOBAL_PAX, _GNU_NAME, _GNU_LINK = b"x", b"g", b"L", b"K"
_MOST_NAME_BYTES = 1 << 16  # of a long name or a pax header; systems allow names of 4096
_SKIP_BYTES = 1 << 18


_OF_SPARSE = "GNU.sparse."


class _Entry(NamedTuple):
    """What a header says; the bytes of a sparse file are not the text of it alone."""

    name: str
    kind: bytes
    size_bytes: int
    is_sparse: bool = False


def is_tar(head: bytes) -> bool:
    """Tell if a file begins as a tar archive does (POSIX 1003.1, and GNU's)."""
    return head.startswith(_MAGIC, _MAGIC_AT)


def open_tar_members(source: ByteSource, name: str) -> Iterator[tuple[str, ByteSource]]:
    """Give the name and the bytes of each PGN or SGF member, in the order of the archive.

    A member can be read until the next one is asked for. Raise PgnReadError for a damaged archive,
    after all members before the damage, for one that holds no such file, and in the end for one in
    which another archive is, or a sparse file. Damage within a member is raised by reading it, and
    ends the archive.
    """
    names = MemberNames(name, "tar archive")
    archive = _Archive(source, name)
    sparse = ""
    for entry in archive.entries():
        if entry.kind not in _FILES or not names.admit(entry.name):
            continue
        if entry.is_sparse:
            sparse = sparse or entry.name
            continue
        yield f"{name}/{entry.name}", _TarMember(archive, entry.name)
        if archive.is_damaged:  # who read the member knows
            return
    if sparse:
        raise PgnReadError(
            f"{name}: {sparse} is stored as a sparse file, which was not read; unpack the archive "
            "and give the files"
        )
    names.close()


class _Archive:
    """The bytes of an archive: headers, and the members behind them."""

    def __init__(self, source: ByteSource, name: str) -> None:
        self.is_damaged = False
        self._name = name
        self._source = source
        self._position = 0
        self._left_bytes = 0  # of the member

    def entries(self) -> Iterator[_Entry]:
        """Yield the headers of members; raise PgnReadError where the archive is cut or damaged."""
        has_end = False
        named: dict[str, str] = {}  # by the headers before this one
        named_for_all: dict[str, str] = {}
        while block := self._header():
            has_end = not block.strip(b"\0")
            if has_end:  # archives may stand one behind the other
                continue
            entry = self._entry(block)
            if entry.kind == _GLOBAL_PAX:
                named_for_all |= self._pax_records(self._text(entry))
            elif entry.kind == _PAX:
                named |= self._pax_records(self._text(entry))
            elif entry.kind in (_GNU_NAME, _GNU_LINK):
                text = self._text(entry)
                named |= {"path": _decoded(text.split(b"\0")[0])} if entry.kind == _GNU_NAME else {}
            else:
                entry = self._with_names(entry, named_for_all | named)
                named = {}
                self._left_bytes = 0 if entry.kind in _WITHOUT_BYTES else entry.size_bytes
                padding_bytes = -self._left_bytes % HEAD_BYTES
                yield entry
                while self.read_member(_SKIP_BYTES, entry.name):
                    pass
                read_up_to(self._read, padding_bytes)
        if not has_end:
            raise self._damage("it ends without its end mark")

    def read_member(self, limit: int, name: str) -> bytes:
        """Return 1 to `limit` bytes of the member, b"" at its end; raise PgnReadError at damage."""
        if not self._left_bytes:
            return b""
        block = self._read(min(limit, self._left_bytes))
        if not block:
            raise self._damage(f"it ends within {name}, {self._left_bytes} bytes too early")
        self._left_bytes -= len(block)
        return block

    def _read(self, limit: int) -> bytes:
        if not limit:
            return b""
        try:
            block = self._source.read_some(limit)
        except PgnReadError:
            self.is_damaged = True
            raise
        self._position += len(block)
        return block

    def _damage(self, what: str) -> PgnReadError:
        self.is_damaged = True
        return PgnReadError(
            f"{self._name}: the tar archive is damaged: {what} (at byte {self._position} of the "
            "archive); copy or download it again"
        )

    def _header(self) -> bytes:
        """Return the next block; b"" at the end of the archive."""
        block = read_up_to(self._read, HEAD_BYTES)
        if block and len(block) < HEAD_BYTES:
            raise self._damage("it ends within the header of a member")
        return block

    def _entry(self, block: bytes) -> _Entry:
        try:
            # Of the header with blanks in place of the sum; old programs took bytes as signed.
            blank = block[: _CHECKSUM.start] + b" " * 8 + block[_CHECKSUM.stop :]
            signed_sum = sum(blank) - 256 * sum(byte > 127 for byte in blank)
            if _number(block[_CHECKSUM]) not in (sum(blank), signed_sum):
                raise ValueError("wrong check sum")
            size_bytes = _number(block[_SIZE])
            if size_bytes < 0:
                raise ValueError(f"a length of {size_bytes} bytes")
        except ValueError as cause:
            raise self._damage(f"no member begins where one should: {cause}") from cause
        kind = block[_KIND : _KIND + 1]
        name = block[_NAME].split(b"\0")[0]
        prefix = block[_PREFIX].split(b"\0")[0]
        if prefix and block.startswith(_POSIX_MAGIC, _MAGIC_AT):
            name = prefix + b"/" + name
        if kind == _OLD_FILE and name.endswith(b"/"):
            kind = _FOLDER
        return _Entry(_decoded(name), kind, size_bytes, kind == _SPARSE)

    def _text(self, entry: _Entry) -> bytes:
        """Return the bytes of a header that says more of the next member, such as a long name."""
        if entry.size_bytes > _MOST_NAME_BYTES:
            raise self._damage(f"the name of a member claims {entry.size_bytes} bytes")
        text = read_up_to(self._read, entry.size_bytes)
        if len(text) < entry.size_bytes:
            raise self._damage("it ends within the name of a member")
        read_up_to(self._read, -entry.size_bytes % HEAD_BYTES)
        return text

    def _pax_records(self, text: bytes) -> dict[str, str]:
        """Return what a pax header says of names and lengths: records of `LENGTH KEY=VALUE`."""
        records = {}
        while text.strip(b"\0"):
            length, blank, _ = text[:8].partition(b" ")
            end = int(length) if blank and length.isdigit() else 0
            if not len(length) < end <= len(text):
                raise self._damage("its pax header cannot be read")
            key, equals, value = text[len(length) + 1 : end].partition(b"=")
            if not equals or not value.endswith(b"\n"):
                raise self._damage("its pax header cannot be read")
            if key in (b"path", b"size") or key.startswith(_OF_SPARSE.encode()):
                records[_decoded(key)[:40]] = _decoded(value[:-1])
            text = text[end:]
        return records

    def _with_names(self, entry: _Entry, named: dict[str, str]) -> _Entry:
        """Return an entry with what the headers before it say of it."""
        size = named.get("size")
        if size is not None:
            if not (size.isascii() and size.isdigit() and len(size) < 20):
                raise self._damage("its pax header has a length that is not a number")
            entry = entry._replace(size_bytes=int(size))
        name = named.get(f"{_OF_SPARSE}name", named.get("path", entry.name))
        is_sparse = entry.is_sparse or any(key.startswith(_OF_SPARSE) for key in named)
        return entry._replace(name=name, is_sparse=is_sparse)


class _TarMember:
    """The bytes of one member."""

    def __init__(self, archive: _Archive, name: str) -> None:
        self._archive = archive
        self._name = name

    def read_some(self, limit: int) -> bytes:
        """Return 1 to `limit` bytes, or b"" at the end; raise PgnReadError at damage."""
        return self._archive.read_member(limit, self._name)

    def restart_at(self, offset: int) -> bool:
        """Refuse: an archive is read forward only."""
        return False


def _number(field: bytes) -> int:
    """Return a number of a header: octal digits, or GNU's binary one; ValueError for others."""
    if field[:1] in (b"\x80", b"\xff"):
        return int.from_bytes(
            bytes([field[0] & 0x7F | (field[0] & 0x40) << 1]) + field[1:], signed=True
        )
    text = field.split(b"\0")[0].strip()
    if text.strip(b"01234567"):
        raise ValueError("a length or check sum that is not a number")
    return int(text or b"0", 8)


def _decoded(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")
