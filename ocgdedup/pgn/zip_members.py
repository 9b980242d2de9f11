"""The PGN and SGF members of a zip file, one after the other, each as a source of bytes.

Owns the zip directory, local headers, and the check of length and CRC. Must not know what is
inside a member: a member that is compressed once more is handed on as it is.
"""

from __future__ import annotations

import itertools
import struct
import zlib
from collections.abc import Callable, Iterator
from typing import BinaryIO, NamedTuple, cast

from ocgdedup.errors import PgnReadError
from ocgdedup.pgn.byte_sources import (
    ByteSource,
    RawFile,
    WindowSource,
    peek,
    read_up_to,
    refuse_shortage,
)
from ocgdedup.pgn.decompress import (
    DecodedSource,
    codec_by_extension,
    raw_deflate_codec,
    zip_lzma_source,
)
from ocgdedup.pgn.member_names import MemberNames

LOCAL_MAGIC = b"PK\x03\x04"
ZIP_MAGICS = (LOCAL_MAGIC, b"PK\x05\x06")
# APPNOTE 4.3.6: what may follow the last member.
_AFTER_MEMBERS = (b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x08")
_DESCRIPTOR_MAGIC = b"PK\x07\x08"
_LOCAL_HEADER = struct.Struct("<4s5H3L2H")
_STORED, _DEFLATED, _LZMA = 0, 8, 14
_CODEC_EXTENSIONS = {12: ".bz2", 93: ".zst", 95: ".xz"}
_METHODS = {_STORED, _DEFLATED, _LZMA, *_CODEC_EXTENSIONS}
_ENCRYPTED, _LENGTHS_FOLLOW, _LZMA_END_MARK, _UTF8_NAME = 0x1, 0x8, 0x2, 0x800
_ZIP64_EXTRA = 0x0001
_IN_ZIP64 = 0xFFFFFFFF
_SKIP_BYTES = 1 << 18


class _Member(NamedTuple):
    """What a header says of one member; `lengths_follow`: its lengths and CRC do not count."""

    name: str
    flags: int
    method: int
    crc: int
    compressed_bytes: int
    size_bytes: int
    lengths_follow: bool
    is_zip64: bool


def open_members(raw: RawFile) -> Iterator[tuple[str, ByteSource]]:
    """Give the name and the bytes of each PGN or SGF member, in the order of the zip directory.

    A pipe has no directory to look up, and a file cut short has lost it: these are read
    from member to member. Raise PgnReadError if there is none, and in the end if some member is an
    archive itself.
    """
    names = MemberNames(raw.name, "zip file")
    yield from _open_members(raw, names)
    names.close()


def _open_members(raw: RawFile, names: MemberNames) -> Iterator[tuple[str, ByteSource]]:
    damage = None
    if raw.can_seek:
        try:
            members = _read_directory(raw, names)
        except PgnReadError as failure:
            damage = failure
        else:
            yield from _members_of_directory(raw, members)
            return
        raw.restart_at(0)
    yield from _walk_members(raw, names)
    if damage:
        raise damage


class _CheckedSource:
    """The bytes of one member; at their end, length and CRC are compared with the zip's."""

    def __init__(
        self, source: ByteSource, name: str, read_expected: Callable[[], tuple[int, int]]
    ) -> None:
        self._source = source
        self._name = name
        self._read_expected = read_expected
        self._crc = 0
        self._size_bytes = 0
        self._is_checked = False

    def read_some(self, limit: int) -> bytes:
        """Return 1 to `limit` bytes, or b"" at the end; raise PgnReadError at damage."""
        block = self._source.read_some(limit)
        self._crc = zlib.crc32(block, self._crc)
        self._size_bytes += len(block)
        if not block and not self._is_checked:
            self._check()
            self._is_checked = True
        return block

    def restart_at(self, offset: int) -> bool:
        """Refuse: the CRC goes forward only."""
        return False

    def _check(self) -> None:
        crc, size_bytes = self._read_expected()
        if self._size_bytes < size_bytes:
            raise PgnReadError(
                f"{self._name}: ends in the middle of the member, after {self._size_bytes} of "
                f"{size_bytes} bytes of text; copy or download the zip file again"
            )
        if (self._crc, self._size_bytes) != (crc, size_bytes):
            raise PgnReadError(
                f"{self._name}: is damaged somewhere before byte {self._size_bytes} of its text: "
                f"CRC {self._crc:08x} where the zip has {crc:08x}; "
                "copy or download the zip file again"
            )


def _read_directory(raw: RawFile, names: MemberNames) -> list[tuple[int, _Member]]:
    """Return header offset and description of each PGN or SGF member."""
    import zipfile  # 13-28 ms (-X importtime, CPython 3.11), which other inputs need not wait for

    try:
        entries = zipfile.ZipFile(cast(BinaryIO, raw.handle)).infolist()
        if any(not 0 <= entry.header_offset < 1 << 63 for entry in entries):
            raise zipfile.BadZipFile("a member lies outside the file")
        # The same bytes as many members are a small file that unpacks to terabytes.
        places = sorted((entry.header_offset, entry.compress_size) for entry in entries)
        if any(
            start + _LOCAL_HEADER.size + size > after
            for (start, size), (after, _) in itertools.pairwise(places)
        ):
            raise zipfile.BadZipFile("members lie one in another")
    except (zipfile.BadZipFile, NotImplementedError, ValueError, struct.error, OSError) as cause:
        refuse_shortage(raw.name, cause.__context__ or cause)  # zipfile hides it in a BadZipFile
        raise PgnReadError(
            f"{raw.name}: the zip directory at the end of the file is missing or damaged "
            f"({cause}); copy or download it again"
        ) from cause
    shown = [_entry_name(entry.orig_filename, entry.flag_bits) for entry in entries]
    return [
        (
            entry.header_offset,
            _Member(
                name=name,
                flags=entry.flag_bits,
                method=entry.compress_type,
                crc=entry.CRC,
                compressed_bytes=entry.compress_size,
                size_bytes=entry.file_size,
                lengths_follow=False,
                is_zip64=False,
            ),
        )
        for entry, name in zip(entries, shown, strict=True)
        if names.admit(name)
    ]


def _members_of_directory(
    raw: RawFile, members: list[tuple[int, _Member]]
) -> Iterator[tuple[str, ByteSource]]:
    for _, member in members:
        _require_readable(raw, member)
    for header_offset, member in members:
        raw.restart_at(header_offset)
        _read_local_header(raw)  # its name and extra field may differ in length
        start = raw.position()
        window = WindowSource(raw, start=start, end=start + member.compressed_bytes)
        yield _open_member(raw, member, window)


def _walk_members(raw: RawFile, names: MemberNames) -> Iterator[tuple[str, ByteSource]]:
    """Go from local header to local header, without the zip directory."""
    while peek(raw, 4) not in _AFTER_MEMBERS:
        member = _read_local_header(raw)
        is_text = names.admit(member.name)
        if is_text:
            _require_readable(raw, member)
        yield from _pass_member(raw, member, is_text=is_text)


def _pass_member(
    raw: RawFile, member: _Member, *, is_text: bool
) -> Iterator[tuple[str, ByteSource]]:
    """Give the member if it is PGN or SGF, and leave the file behind it in any case."""
    start = raw.position()
    if member.lengths_follow:
        name, source = _open_endless_member(raw, member)
        if is_text:
            yield name, source
        _skip(source)
        return
    window = WindowSource(raw, start=start, end=start + member.compressed_bytes)
    if is_text:
        yield _open_member(raw, member, window)
    _skip(window)


def _skip(source: ByteSource) -> None:
    while source.read_some(_SKIP_BYTES):
        pass


def _open_member(raw: RawFile, member: _Member, window: WindowSource) -> tuple[str, ByteSource]:
    """Return name and checked text of a member whose lengths are known."""
    name = f"{raw.name}/{member.name}"
    start = raw.position()
    source: ByteSource = window
    if member.method == _DEFLATED:
        source = DecodedSource(window, raw_deflate_codec(), name, offset=start)
    elif member.method == _LZMA:
        has_end_mark = bool(member.flags & _LZMA_END_MARK)
        output_bytes = -1 if has_end_mark else member.size_bytes
        source = zip_lzma_source(window, name, offset=start, output_bytes=output_bytes)
    elif member.method != _STORED:
        codec = codec_by_extension(_CODEC_EXTENSIONS[member.method])
        source = DecodedSource(window, codec, name, offset=start)
    return name, _CheckedSource(source, name, lambda: (member.crc, member.size_bytes))


def _open_endless_member(raw: RawFile, member: _Member) -> tuple[str, ByteSource]:
    """Return name and checked text of a member whose lengths come behind it."""
    name = f"{raw.name}/{member.name}"
    if member.method != _DEFLATED:
        raise PgnReadError(
            f"{name}: the zip has the length of this member only at its end (byte "
            f"{raw.position()}), out of reach here; give a whole zip file, not a pipe"
        )
    decoded = DecodedSource(raw, raw_deflate_codec(), name, offset=raw.position())

    def read_expected() -> tuple[int, int]:
        raw.unread(decoded.unused_bytes())
        return _read_descriptor(raw, is_zip64=member.is_zip64)

    return name, _CheckedSource(decoded, name, read_expected)


def _read_descriptor(raw: RawFile, *, is_zip64: bool) -> tuple[int, int]:
    """Return CRC and length from the data descriptor (APPNOTE 4.3.9; its magic is optional)."""
    if peek(raw, 4) == _DESCRIPTOR_MAGIC:
        _read_exactly(raw, 4)
    layout = "<LQQ" if is_zip64 else "<LLL"
    crc, _, size_bytes = struct.unpack(layout, _read_exactly(raw, struct.calcsize(layout)))
    return crc, size_bytes


def _read_local_header(raw: RawFile) -> _Member:
    offset = raw.position()
    header = _read_exactly(raw, _LOCAL_HEADER.size)
    fields = _LOCAL_HEADER.unpack(header)
    magic, _, flags, method, _, _, crc, compressed_bytes, size_bytes, name_bytes, extra = fields
    if magic != LOCAL_MAGIC:
        raise PgnReadError(
            f"{raw.name}: no zip member begins at byte {offset}, where one should; "
            "copy or download it again"
        )
    name = _read_exactly(raw, name_bytes)
    zip64 = _find_zip64_lengths(_read_exactly(raw, extra))
    if zip64 and compressed_bytes == size_bytes == _IN_ZIP64:
        size_bytes, compressed_bytes = zip64
    return _Member(
        name=_member_name(name, is_utf8=bool(flags & _UTF8_NAME)),
        flags=flags,
        method=method,
        crc=crc,
        compressed_bytes=compressed_bytes,
        size_bytes=size_bytes,
        lengths_follow=bool(flags & _LENGTHS_FOLLOW),
        is_zip64=zip64 is not None,
    )


def _entry_name(name: str, flags: int) -> str:
    """Return the name of an entry as zipfile has read it, from code page 437 without the flag."""
    return name if flags & _UTF8_NAME else _member_name(name.encode("cp437"), is_utf8=False)


def _member_name(name: bytes, *, is_utf8: bool) -> str:
    """Return a name; programs of Unix write UTF-8 without saying so (APPNOTE 4.4.4, bit 11)."""
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        return name.decode("utf-8" if is_utf8 else "cp437", errors="replace")


def _find_zip64_lengths(extra: bytes) -> tuple[int, int] | None:
    """Return length and compressed length from the zip64 extra field, if there is one."""
    while len(extra) >= 4:
        kind, size_bytes = struct.unpack_from("<HH", extra)
        if kind == _ZIP64_EXTRA and size_bytes >= 16 and len(extra) >= 20:
            length, compressed = struct.unpack_from("<QQ", extra, 4)
            return length, compressed
        extra = extra[4 + size_bytes :]
    return None


def _read_exactly(raw: RawFile, size_bytes: int) -> bytes:
    block = read_up_to(raw.read_some, size_bytes) if size_bytes else b""
    if len(block) < size_bytes:
        raise PgnReadError(
            f"{raw.name}: the zip file ends too early, at byte {raw.position()}; "
            "copy or download it again"
        )
    return block


def _require_readable(raw: RawFile, member: _Member) -> None:
    name = f"{raw.name}/{member.name}"
    if member.flags & _ENCRYPTED:
        raise PgnReadError(f"{name}: is encrypted; unpack it and give the file that is in it")
    if member.method not in _METHODS:
        raise PgnReadError(
            f"{name}: zip compression method {member.method} is not supported; "
            "unpack it and give the file that is in it"
        )
