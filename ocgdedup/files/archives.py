"""Read the members of zip and tar archives, one after the other, each as a source of bytes.

Owns which members are read, both archive formats, and the check of length and CRC. Must not know
the content of a member, not even whether it is compressed itself.

Of tar headers (POSIX 1003.1 ustar and pax, and GNU's) only names, types and lengths are read, and
the archive is read forward only: it may be compressed or a pipe. The reader of the standard library
holds long names in memory, trusts every length, and withholds the text of a truncated member.
"""

from __future__ import annotations

import itertools
import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO, NamedTuple, cast

from ocgdedup.errors import PgnReadError
from ocgdedup.files import decompress
from ocgdedup.files.decompress import ByteSource, DecodedSource, RawFile, WindowSource
from ocgdedup.files.other_formats import advice_on

ARCHIVE_ENDINGS = (
    *(f".tar{name}" for name in ("", *decompress.EXTENSIONS)), ".tgz", ".zip", ".7z", ".rar",
)  # fmt: skip
_SHOWN_ARCHIVES = 5
_SKIP_BYTES = 1 << 18


class MemberNames:
    """Chooses the members to read by name; skips archives in the archive, but reports them.

    `archive`: its name; `archive_type`: "zip file" or "tar archive"; `endings`: of the members to
    read, which may be compressed.
    """

    def __init__(self, archive: str, archive_type: str, endings: Sequence[str]) -> None:
        self._archive = archive
        self._archive_type = archive_type
        self._endings = endings
        self._packed_endings = packed_endings(endings)
        self._has_text = False
        self._skipped: list[str] = []  # the first ones
        self._skipped_count = 0
        self._other_formats: dict[str, str] = {}  # the first member of each, by the advice

    def admit(self, member: str) -> bool:
        """Return whether to read a member; skip hidden ones (macOS adds __MACOSX/._name.pgn)."""
        if member.rpartition("/")[2].startswith("."):
            return False
        name = member.lower()
        is_text = name.endswith(self._packed_endings)
        self._has_text |= is_text
        if name.endswith(ARCHIVE_ENDINGS):
            self._skipped_count += 1
            if self._skipped_count <= _SHOWN_ARCHIVES:
                self._skipped.append(member)
        advice = advice_on(name)
        if advice is not None:
            self._other_formats.setdefault(advice, member)
        return is_text

    def close(self) -> None:
        """Raise PgnReadError if a member is an archive, or of a format that is not read.

        Also if there is none to read.
        """
        others = "".join(f"; {name} is {advice}" for advice, name in self._other_formats.items())
        if self._skipped:
            shown = ", ".join(self._skipped)
            more_count = self._skipped_count - len(self._skipped)
            more = f" and {more_count} more" if more_count else ""
            raise PgnReadError(
                f"{self._archive}: holds archives, which were not read: {shown}{more}; "
                f"unpack it and name the archives in it{others}"
            )
        if not self._has_text:
            raise PgnReadError(
                f"{self._archive}: no member of this {self._archive_type} ends in "
                f"{' or '.join(self._endings)}{others or '; unpack it and give the files'}"
            )
        if others:
            raise PgnReadError(f"{self._archive}: holds files that were not read{others}")


def packed_endings(endings: Sequence[str]) -> tuple[str, ...]:
    """Return the endings with and without compression: ".pgn", ".pgn.gz" and so on."""
    return tuple(
        f"{ending}{extension}" for ending in endings for extension in ("", *decompress.EXTENSIONS)
    )


# --- zip ------------------------------------------------------------------------------------------

_LOCAL_MAGIC = b"PK\x03\x04"
ZIP_MAGICS = (_LOCAL_MAGIC, b"PK\x05\x06")
# APPNOTE 4.3.6: the records that may follow the last member.
_AFTER_MEMBERS = (b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x08")
_DESCRIPTOR_MAGIC = b"PK\x07\x08"
_LOCAL_HEADER = struct.Struct("<4s5H3L2H")
_STORED, _DEFLATED, _LZMA = 0, 8, 14
_CODEC_EXTENSIONS = {12: ".bz2", 93: ".zst", 95: ".xz"}
_METHODS = {_STORED, _DEFLATED, _LZMA, *_CODEC_EXTENSIONS}
_ENCRYPTED, _LENGTHS_FOLLOW, _LZMA_END_MARK, _UTF8_NAME = 0x1, 0x8, 0x2, 0x800
_ZIP64_EXTRA = 0x0001
_IN_ZIP64 = 0xFFFFFFFF
_FIRST_ZIP_YEAR = 1980  # tools write it for an unknown date


class ZipMember(NamedTuple):
    """The header of one member; `lengths_follow`: its lengths and CRC are not in this header.

    `header_offset` and `stamp_month` ("YYYY-MM", of the time stamp) come from the directory.
    """

    name: str
    flags: int
    method: int
    crc: int
    compressed_bytes: int
    size_bytes: int
    lengths_follow: bool = False
    is_zip64: bool = False
    header_offset: int = 0
    stamp_month: str | None = None


def open_zip_members(raw: RawFile, endings: Sequence[str]) -> Iterator[tuple[str, ByteSource]]:
    """Yield the name and the bytes of each member with an ending, in the order of the directory.

    A pipe or a truncated file, whose directory cannot be read, is read from member to member. Raise
    PgnReadError if there is no such member, and at the end if a member is an archive itself.
    """
    names = MemberNames(raw.name, "zip file", endings)
    damage = None
    members = None
    if raw.can_seek:
        try:
            members = [member for member in _read_directory(raw) if names.admit(member.name)]
        except PgnReadError as failure:
            damage = failure
            raw.restart_at(0)
    yield from _walk_members(raw, names) if members is None else _open_members(raw, members)
    if damage:
        raise damage
    names.close()


def open_only_zip_member(raw: RawFile, endings: Sequence[str]) -> tuple[ZipMember, ByteSource]:
    """Return the one member with an ending, and its bytes.

    Raise PgnReadError for none or several such members, and if the zip directory is missing.
    """
    names = MemberNames(raw.name, "zip file", endings)
    fitting = [member for member in _read_directory(raw) if names.admit(member.name)]
    if not fitting:
        names.close()
    if len(fitting) > 1:
        raise PgnReadError(
            f"{raw.name}: has {len(fitting)} members that end in {' or '.join(endings)} "
            f"({fitting[0].name}, {fitting[1].name}, ...), where one is expected; unpack it and "
            "give the file you mean"
        )
    ((_, source),) = _open_members(raw, fitting)
    return fitting[0], source


class _CheckedSource(ByteSource):
    """The bytes of one member; at the end, length and CRC are compared with those of the zip."""

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
        block = self._source.read_some(limit)
        self._crc = zlib.crc32(block, self._crc)
        self._size_bytes += len(block)
        if not block and not self._is_checked:
            self._check()
            self._is_checked = True
        return block

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


def _read_directory(raw: RawFile) -> list[ZipMember]:
    """Return the members in the zip directory; raise PgnReadError if it is damaged."""
    import zipfile  # 13-28 ms (-X importtime, CPython 3.11), which other inputs need not wait for

    try:
        entries = zipfile.ZipFile(cast(BinaryIO, raw.handle)).infolist()
        if any(not 0 <= entry.header_offset < 1 << 63 for entry in entries):
            raise zipfile.BadZipFile("a member lies outside the file")
        # A small file whose members share bytes may unpack to terabytes.
        spans = sorted((entry.header_offset, entry.compress_size) for entry in entries)
        if any(
            start + _LOCAL_HEADER.size + size > next_start
            for (start, size), (next_start, _) in itertools.pairwise(spans)
        ):
            raise zipfile.BadZipFile("members lie one in another")
    except (zipfile.BadZipFile, NotImplementedError, ValueError, struct.error, OSError) as cause:
        decompress.refuse_shortage(raw.name, cause.__context__ or cause)  # hidden in a BadZipFile
        raise PgnReadError(
            f"{raw.name}: the zip directory at the end of the file is missing or damaged "
            f"({cause}); copy or download it again"
        ) from cause
    return [
        ZipMember(
            # Without the flag, zipfile has read the name as code page 437.
            name=entry.orig_filename
            if entry.flag_bits & _UTF8_NAME
            else _member_name(entry.orig_filename.encode("cp437"), is_utf8=False),
            flags=entry.flag_bits,
            method=entry.compress_type,
            crc=entry.CRC,
            compressed_bytes=entry.compress_size,
            size_bytes=entry.file_size,
            header_offset=entry.header_offset,
            stamp_month=_stamp_month(*entry.date_time[:2]),
        )
        for entry in entries
    ]


def _stamp_month(year: int, month: int) -> str | None:
    """Return the month of a time stamp, None for an unknown date."""
    has_stamp = year > _FIRST_ZIP_YEAR and 1 <= month <= 12
    return f"{year:04}-{month:02}" if has_stamp else None


def _open_members(raw: RawFile, members: Sequence[ZipMember]) -> Iterator[tuple[str, ByteSource]]:
    for member in members:
        _require_readable(raw, member)
    for member in members:
        raw.restart_at(member.header_offset)
        _read_local_header(raw)  # may differ in length from the directory entry
        start = raw.position()
        window = WindowSource(raw, start=start, end=start + member.compressed_bytes)
        yield _open_member(raw, member, window)


def _walk_members(raw: RawFile, names: MemberNames) -> Iterator[tuple[str, ByteSource]]:
    """Go from local header to local header, without the zip directory."""
    while decompress.peek(raw, 4) not in _AFTER_MEMBERS:
        member = _read_local_header(raw)
        is_text = names.admit(member.name)
        if is_text:
            _require_readable(raw, member)
        start = raw.position()
        if member.lengths_follow:
            name, rest = _open_endless_member(raw, member)
            if is_text:
                yield name, rest
        else:
            rest = WindowSource(raw, start=start, end=start + member.compressed_bytes)
            if is_text:
                yield _open_member(raw, member, rest)
        while rest.read_some(_SKIP_BYTES):
            pass


def _open_member(raw: RawFile, member: ZipMember, window: WindowSource) -> tuple[str, ByteSource]:
    """Return the name and the checked bytes of a member whose lengths are known."""
    name = f"{raw.name}/{member.name}"
    start = raw.position()
    source: ByteSource = window
    if member.method == _DEFLATED:
        source = DecodedSource(window, decompress.raw_deflate_codec(), name, offset=start)
    elif member.method == _LZMA:
        has_end_mark = bool(member.flags & _LZMA_END_MARK)
        output_bytes = -1 if has_end_mark else member.size_bytes
        source = decompress.zip_lzma_source(window, name, offset=start, output_bytes=output_bytes)
    elif member.method != _STORED:
        codec = decompress.codec_by_extension(_CODEC_EXTENSIONS[member.method])
        source = DecodedSource(window, codec, name, offset=start)
    return name, _CheckedSource(source, name, lambda: (member.crc, member.size_bytes))


def _open_endless_member(raw: RawFile, member: ZipMember) -> tuple[str, ByteSource]:
    """Return the name and the checked bytes of a member whose lengths follow it."""
    name = f"{raw.name}/{member.name}"
    if member.method != _DEFLATED:
        raise PgnReadError(
            f"{name}: the zip has the length of this member only at its end (byte "
            f"{raw.position()}), out of reach here; give a whole zip file, not a pipe"
        )
    decoded = DecodedSource(raw, decompress.raw_deflate_codec(), name, offset=raw.position())

    def read_expected() -> tuple[int, int]:
        raw.unread(decoded.unused_bytes())
        # The data descriptor: APPNOTE 4.3.9; its magic is optional.
        if decompress.peek(raw, 4) == _DESCRIPTOR_MAGIC:
            _read_exactly(raw, 4)
        layout = "<LQQ" if member.is_zip64 else "<LLL"
        crc, _, size_bytes = struct.unpack(layout, _read_exactly(raw, struct.calcsize(layout)))
        return crc, size_bytes

    return name, _CheckedSource(decoded, name, read_expected)


def _read_local_header(raw: RawFile) -> ZipMember:
    offset = raw.position()
    header = _read_exactly(raw, _LOCAL_HEADER.size)
    fields = _LOCAL_HEADER.unpack(header)
    magic, _, flags, method, _, _, crc, compressed_bytes, size_bytes, name_bytes, extra = fields
    if magic != _LOCAL_MAGIC:
        raise PgnReadError(
            f"{raw.name}: no zip member begins at byte {offset}, where one should; "
            "copy or download it again"
        )
    name = _read_exactly(raw, name_bytes)
    zip64 = _find_zip64_lengths(_read_exactly(raw, extra))
    if zip64 and compressed_bytes == size_bytes == _IN_ZIP64:
        size_bytes, compressed_bytes = zip64
    return ZipMember(
        name=_member_name(name, is_utf8=bool(flags & _UTF8_NAME)),
        flags=flags,
        method=method,
        crc=crc,
        compressed_bytes=compressed_bytes,
        size_bytes=size_bytes,
        lengths_follow=bool(flags & _LENGTHS_FOLLOW),
        is_zip64=zip64 is not None,
    )


def _member_name(name: bytes, *, is_utf8: bool) -> str:
    """Decode a name; Unix programs write UTF-8 without the flag (APPNOTE 4.4.4, bit 11)."""
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        return name.decode("utf-8" if is_utf8 else "cp437", errors="replace")


def _find_zip64_lengths(extra: bytes) -> tuple[int, int] | None:
    """Return length and compressed length from the zip64 extra field, if there is one."""
    while len(extra) >= 4:
        field_id, size_bytes = struct.unpack_from("<HH", extra)
        if field_id == _ZIP64_EXTRA and size_bytes >= 16 and len(extra) >= 20:
            length, compressed = struct.unpack_from("<QQ", extra, 4)
            return length, compressed
        extra = extra[4 + size_bytes :]
    return None


def _read_exactly(raw: RawFile, size_bytes: int) -> bytes:
    block = decompress.read_up_to(raw.read_some, size_bytes) if size_bytes else b""
    if len(block) < size_bytes:
        raise PgnReadError(
            f"{raw.name}: the zip file ends too early, at byte {raw.position()}; "
            "copy or download it again"
        )
    return block


def _require_readable(raw: RawFile, member: ZipMember) -> None:
    name = f"{raw.name}/{member.name}"
    if member.flags & _ENCRYPTED:
        raise PgnReadError(f"{name}: is encrypted; unpack it and give the file that is in it")
    if member.method not in _METHODS:
        raise PgnReadError(
            f"{name}: zip compression method {member.method} is not supported; "
            "unpack it and give the file that is in it"
        )


# --- tar ------------------------------------------------------------------------------------------

TAR_HEAD_BYTES = 512  # of a header; members are padded to a multiple of it
_TAR_MAGIC, _TAR_MAGIC_OFFSET = b"ustar", 257
_POSIX_TAR_MAGIC = b"ustar\0"  # GNU writes "ustar  " and does not use the prefix for names
_NAME, _SIZE, _CHECKSUM, _TYPE = slice(0, 100), slice(124, 136), slice(148, 156), 156
_PREFIX = slice(345, 500)
# Types of entries. Links, devices, folders and pipes have no bytes, whatever their length field.
_OLD_FILE, _FOLDER, _SPARSE = b"\0", b"5", b"S"
_FILES = (b"0", _OLD_FILE, b"7", _SPARSE)
_WITHOUT_BYTES = b"123456"
_PAX, _GLOBAL_PAX, _GNU_NAME, _GNU_LINK = b"x", b"g", b"L", b"K"
_MOST_NAME_BYTES = 1 << 16  # of a long name or a pax header; systems allow names of 4096
_SPARSE_KEYS = "GNU.sparse."


class _Entry(NamedTuple):
    """A header; the bytes of a sparse file are more than its text."""

    name: str
    type: bytes
    size_bytes: int
    is_sparse: bool = False


def is_tar(head: bytes) -> bool:
    """Return whether a file begins like a tar archive (POSIX 1003.1, and GNU's)."""
    return head.startswith(_TAR_MAGIC, _TAR_MAGIC_OFFSET)


def open_tar_members(
    source: ByteSource, name: str, endings: Sequence[str]
) -> Iterator[tuple[str, ByteSource]]:
    """Yield the name and the bytes of each member with an ending, in the order of the archive.

    A member can be read until the next one is requested. Raise PgnReadError at damage, after all
    members before it, if there is no such member, and at the end if a member is an archive itself
    or a sparse file. Reading a damaged member raises PgnReadError, too, and ends the archive.
    """
    names = MemberNames(name, "tar archive", endings)
    archive = _Archive(source, name)
    sparse = ""
    for entry in archive.entries():
        if entry.type not in _FILES or not names.admit(entry.name):
            continue
        if entry.is_sparse:
            sparse = sparse or entry.name
            continue
        yield f"{name}/{entry.name}", _TarMember(archive, entry.name)
        if archive.is_damaged:  # reading the member has raised the error
            return
    if sparse:
        raise PgnReadError(
            f"{name}: {sparse} is stored as a sparse file, which was not read; unpack the archive "
            "and give the files"
        )
    names.close()


class _Archive:
    """The bytes of an archive: headers, each followed by its member."""

    def __init__(self, source: ByteSource, name: str) -> None:
        self.is_damaged = False
        self._name = name
        self._source = source
        self._position = 0
        self._left_bytes = 0  # of the member

    def entries(self) -> Iterator[_Entry]:
        """Yield the headers of members; raise PgnReadError at a truncation or damage."""
        has_end = False
        fields: dict[str, str] = {}  # from special headers for the next member
        global_fields: dict[str, str] = {}
        while block := self._header():
            has_end = not block.strip(b"\0")
            if has_end:  # another archive may follow
                continue
            entry = self._entry(block)
            if entry.type == _GLOBAL_PAX:
                global_fields |= self._pax_records(self._text(entry))
            elif entry.type == _PAX:
                fields |= self._pax_records(self._text(entry))
            elif entry.type in (_GNU_NAME, _GNU_LINK):
                text = self._text(entry)
                if entry.type == _GNU_NAME:
                    fields["path"] = _decoded(text.split(b"\0")[0])
            else:
                entry = self._with_fields(entry, global_fields | fields)
                fields = {}
                self._left_bytes = 0 if entry.type in _WITHOUT_BYTES else entry.size_bytes
                padding_bytes = -self._left_bytes % TAR_HEAD_BYTES
                yield entry
                while self.read_member(_SKIP_BYTES, entry.name):
                    pass
                decompress.read_up_to(self._read, padding_bytes)
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

    def _damage(self, reason: str) -> PgnReadError:
        self.is_damaged = True
        return PgnReadError(
            f"{self._name}: the tar archive is damaged: {reason} (at byte {self._position} of the "
            "archive); copy or download it again"
        )

    def _header(self) -> bytes:
        """Return the next block; b"" at the end of the archive."""
        block = decompress.read_up_to(self._read, TAR_HEAD_BYTES)
        if block and len(block) < TAR_HEAD_BYTES:
            raise self._damage("it ends within the header of a member")
        return block

    def _entry(self, block: bytes) -> _Entry:
        try:
            # The sum is that of the header with blanks for the sum; old programs add signed bytes.
            blank = block[: _CHECKSUM.start] + b" " * 8 + block[_CHECKSUM.stop :]
            signed_sum = sum(blank) - 256 * sum(byte > 127 for byte in blank)
            if _number(block[_CHECKSUM]) not in (sum(blank), signed_sum):
                raise ValueError("wrong check sum")
            size_bytes = _number(block[_SIZE])
            if size_bytes < 0:
                raise ValueError(f"a length of {size_bytes} bytes")
        except ValueError as cause:
            raise self._damage(f"no member begins where one should: {cause}") from cause
        entry_type = block[_TYPE : _TYPE + 1]
        name = block[_NAME].split(b"\0")[0]
        prefix = block[_PREFIX].split(b"\0")[0]
        if prefix and block.startswith(_POSIX_TAR_MAGIC, _TAR_MAGIC_OFFSET):
            name = prefix + b"/" + name
        if entry_type == _OLD_FILE and name.endswith(b"/"):
            entry_type = _FOLDER
        return _Entry(_decoded(name), entry_type, size_bytes, entry_type == _SPARSE)

    def _text(self, entry: _Entry) -> bytes:
        """Return the text of a special header for the next member, such as a long name."""
        if entry.size_bytes > _MOST_NAME_BYTES:
            raise self._damage(f"the name of a member claims {entry.size_bytes} bytes")
        text = decompress.read_up_to(self._read, entry.size_bytes)
        if len(text) < entry.size_bytes:
            raise self._damage("it ends within the name of a member")
        decompress.read_up_to(self._read, -entry.size_bytes % TAR_HEAD_BYTES)
        return text

    def _pax_records(self, text: bytes) -> dict[str, str]:
        """Return the names and lengths in a pax header: records of `LENGTH KEY=VALUE`."""
        records = {}
        while text.strip(b"\0"):
            length, blank, _ = text[:8].partition(b" ")
            end = int(length) if blank and length.isdigit() else 0
            if not len(length) < end <= len(text):
                raise self._damage("its pax header cannot be read")
            key, equals, value = text[len(length) + 1 : end].partition(b"=")
            if not equals or not value.endswith(b"\n"):
                raise self._damage("its pax header cannot be read")
            if key in (b"path", b"size") or key.startswith(_SPARSE_KEYS.encode()):
                records[_decoded(key)[:40]] = _decoded(value[:-1])
            text = text[end:]
        return records

    def _with_fields(self, entry: _Entry, fields: dict[str, str]) -> _Entry:
        """Return an entry with the fields of the special headers before it."""
        size = fields.get("size")
        if size is not None:
            if not (size.isascii() and size.isdigit() and len(size) < 20):
                raise self._damage("its pax header has a length that is not a number")
            entry = entry._replace(size_bytes=int(size))
        name = fields.get(f"{_SPARSE_KEYS}name", fields.get("path", entry.name))
        is_sparse = entry.is_sparse or any(key.startswith(_SPARSE_KEYS) for key in fields)
        return entry._replace(name=name, is_sparse=is_sparse)


class _TarMember(ByteSource):
    """The bytes of one member."""

    def __init__(self, archive: _Archive, name: str) -> None:
        self._archive = archive
        self._name = name

    def read_some(self, limit: int) -> bytes:
        return self._archive.read_member(limit, self._name)


def _number(field: bytes) -> int:
    """Return a header's number, octal or in GNU's binary form; raise ValueError for others."""
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
