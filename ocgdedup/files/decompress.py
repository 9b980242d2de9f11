"""Sources of bytes: a file or pipe, a span of it, and their decompressed content.

Owns reading from the operating system and the position in the file on disk; decompression of gzip,
bzip2, xz, zstd and of single zip members, their magic bytes and concatenated streams, and the
recovery of bytes before damage. Must not know the content, the inputs of a command or the zip
directory.
"""

from __future__ import annotations

import errno
import re
import sys
import zlib
from collections.abc import Callable
from functools import partial
from io import FileIO
from types import ModuleType
from typing import NamedTuple, Protocol

from ocgdedup.errors import PgnReadError, ResourceError, UsageError

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/")  # not of C:/, a drive of Windows
DOWNLOADED = ("http", "https", "ftp")
_COPIED_BY = {
    "s3": "aws s3 cp", "s3a": "aws s3 cp", "gs": "gcloud storage cp", "hdfs": "hdfs dfs -get",
    "abfs": "azcopy copy", "abfss": "azcopy copy",
}  # fmt: skip
_SHORTAGES = (errno.EMFILE, errno.ENFILE, errno.ENOMEM)
MAGIC_BYTES = 16
_INPUT_BYTES = 1 << 16
_OUTPUT_BYTES = 1 << 18
# A decoder that fails withholds its output, and a pipe cannot be read again. This limits the loss
# before the damage.
_PIPE_OUTPUT_BYTES = 1 << 12
_ZSTD_MAX_WINDOW_LOG = 31
# xz -9 needs 65 MB to unpack. A header may claim 4 GB, which liblzma would allocate at once.
_LZMA_MOST_BYTES = 1 << 30


# --- raw bytes ----------------------------------------------------------------------------------


class ReadableHandle(Protocol):
    """The methods of a binary file that RawFile calls."""

    def read(self, size: int, /) -> bytes | None: ...
    def seek(self, offset: int, /) -> int: ...


class ByteStream(Protocol):
    """A stream of bytes; read() returns b"" at the end."""

    def read(self, size_bytes: int, /) -> bytes: ...


class ByteSource(Protocol):
    """The interface of every layer of an input: the layer above reads bytes from it."""

    def read_some(self, limit: int) -> bytes:
        """Return 1 to `limit` bytes, or b"" at the end; raise PgnReadError at damage."""

    def restart_at(self, offset: int) -> bool:
        """Go back to `offset` of the file on disk; False if this source only goes forward."""
        return False


class RawFile:
    """A file or pipe, unbuffered so that large reads are copied once."""

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
        if block_or_none is None:  # not the end: treating it so would silently truncate the input
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
        if not self._left_bytes:
            return b""
        block = self._raw.read_some(min(limit, self._left_bytes))
        self._left_bytes -= len(block)
        return block

    def restart_at(self, offset: int) -> bool:
        if not self._raw.restart_at(offset):
            return False
        self._left_bytes = self._end - offset
        return True


class PrefixedSource:
    """A source whose first bytes, `head`, were already read; then `failure` is raised, if any."""

    def __init__(self, head: bytes, rest: ByteSource, failure: PgnReadError | None) -> None:
        self.failure = failure
        self._head = head
        self._rest = rest

    def read_some(self, limit: int) -> bytes:
        if self._head:
            block, self._head = self._head[:limit], self._head[limit:]
            return block
        if self.failure:
            raise self.failure
        return self._rest.read_some(limit)

    def restart_at(self, offset: int) -> bool:
        if not self._rest.restart_at(offset):
            return False
        self._head = b""
        self.failure = None
        return True


def open_unbuffered(path: str) -> FileIO:
    """Open a file unbuffered, which saves a copy of each block; raise PgnReadError on failure."""
    refuse_address(path)
    try:
        return open(path, "rb", buffering=0)
    except (OSError, ValueError) as cause:
        raise cannot_open(path, cause) from cause


def scheme_of(path: str) -> str | None:
    """Return the scheme of a URL, in lower case; None for a path."""
    scheme = _SCHEME.match(path)
    return None if scheme is None else scheme[1].lower()


def refuse_address(path: str, *, is_output: bool = False) -> None:
    """Raise UsageError for a URL: only local files are read and written."""
    scheme = scheme_of(path)
    if scheme is None:
        return
    if scheme == "file":
        remedy = "write the path alone, without 'file:' or 'file://'"
    elif is_output:
        remedy = "name a file or folder of this machine"
    elif scheme in DOWNLOADED:
        remedy = f"download it first: curl -LO '{path}'"
    else:
        command = _COPIED_BY.get(scheme)
        how = f", as with '{command}'," if command else ","
        remedy = f"copy it to this machine first{how} and name the copy"
    raise UsageError(f"{path}: is an address, not a file; {remedy}")


def cannot_open(path: str, cause: Exception) -> PgnReadError:
    """Return the error of a file that cannot be opened; raise ResourceError for a shortage."""
    refuse_shortage(path, cause)
    reason = cause.strerror if isinstance(cause, OSError) and cause.strerror else str(cause)
    return PgnReadError(f"{path}: cannot be opened: {reason}; check the path and its permissions")


def refuse_shortage(name: str, cause: BaseException) -> None:
    """Raise ResourceError if the cause is a lack of memory or of file handles.

    Such an input can be read later, unlike a damaged one.
    """
    if isinstance(cause, OSError) and cause.errno in _SHORTAGES:
        raise ResourceError(
            f"{name}: cannot be read now: {cause.strerror}; close other programs or raise the "
            "limits of memory and open files (ulimit), then repeat the command"
        ) from cause


def read_up_to(read_some: Callable[[int], bytes], size_bytes: int) -> bytes:
    """Return exactly `size_bytes` bytes, or fewer at the end."""
    block = read_some(size_bytes)
    while block and len(block) < size_bytes:
        part = read_some(size_bytes - len(block))
        if not part:
            break
        block += part
    return block


def look_ahead(source: ByteSource, size_bytes: int) -> tuple[bytes, PrefixedSource]:
    """Return the first bytes, and a source that begins with them and raises a failure later."""
    head = b""
    failure = None
    try:
        while len(head) < size_bytes:
            block = source.read_some(size_bytes - len(head))
            if not block:
                break
            head += block
    except PgnReadError as error:
        failure = error
    return head, PrefixedSource(head, source, failure)


def peek(raw: RawFile, size_bytes: int) -> bytes:
    """Return the next bytes of a file without consuming them."""
    head = read_up_to(raw.read_some, size_bytes)
    raw.unread(head)
    return head


# --- decompressed bytes -------------------------------------------------------------------------


class Decoder(Protocol):
    """The common interface of the bz2, lzma and zstd decompressors."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


class Codec(NamedTuple):
    """One compression; `magics`: the first bytes of its streams."""

    label: str
    magics: tuple[bytes, ...]
    make_decoder: Callable[[], Decoder]
    failures: tuple[type[Exception], ...]


class _ZlibDecoder:
    """A zlib decompressor with the interface of the others."""

    def __init__(self, wbits: int) -> None:
        self._inflater = zlib.decompressobj(wbits=wbits)
        self._output_was_full = False

    @property
    def eof(self) -> bool:
        return self._inflater.eof

    @property
    def needs_input(self) -> bool:
        return not (self.eof or self._output_was_full or self._inflater.unconsumed_tail)

    @property
    def unused_data(self) -> bytes:
        return self._inflater.unused_data

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        tail = self._inflater.unconsumed_tail
        block = self._inflater.decompress(tail + data if tail else data, max_length)
        self._output_was_full = len(block) == max_length
        return block


def load_zstd() -> ModuleType:
    """Return the module ZSTD_MODULE; raise ImportError if it is not installed."""
    # 6-10 ms (-X importtime, CPython 3.11); bz2 and lzma together take 1.5 ms.
    if sys.version_info >= (3, 14):
        import compression.zstd as zstd  # 4 ms
    else:
        import backports.zstd as zstd  # 4 ms
    return zstd


ZSTD_MODULE = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
# The first bytes of a stream, by the ending of a file.
_MAGICS = {
    ".gz": (b"\x1f\x8b",),
    ".bz2": tuple(b"BZh%d" % level for level in range(1, 10)),
    ".xz": (b"\xfd7zXZ\x00",),
    # RFC 8878 3.1.2: a skippable frame starts with 0x184D2A50 to 0x184D2A5F, little-endian.
    ".zst": (b"\x28\xb5\x2f\xfd", *(bytes((0x50 + i, 0x2A, 0x4D, 0x18)) for i in range(16))),
}
EXTENSIONS = tuple(_MAGICS)


def codec_by_extension(extension: str) -> Codec:
    """Return the codec of a file extension such as ".bz2"; import its library."""
    magics = _MAGICS[extension]
    if extension == ".gz":
        return Codec("gzip", magics, lambda: _ZlibDecoder(31), (zlib.error,))
    if extension == ".bz2":
        import bz2  # 2 ms

        return Codec("bzip2", magics, bz2.BZ2Decompressor, (OSError, ValueError))
    if extension == ".xz":
        import lzma  # 2 ms

        make_decoder = partial(lzma.LZMADecompressor, lzma.FORMAT_XZ, memlimit=_LZMA_MOST_BYTES)
        return Codec("xz", magics, make_decoder, (lzma.LZMAError, MemoryError))
    try:
        zstd = load_zstd()
    except ImportError as cause:
        raise PgnReadError(
            f"zstd data cannot be read: this Python has no module {ZSTD_MODULE}; install it, "
            "or decompress the file with zstd -d"
        ) from cause
    options: dict[int, int] = {zstd.DecompressionParameter.window_log_max: _ZSTD_MAX_WINDOW_LOG}
    return Codec("zstd", magics, lambda: zstd.ZstdDecompressor(options=options), (zstd.ZstdError,))


def sniff_codec(head: bytes, name: str) -> Codec | None:
    """Return the compression of the first bytes, None for text.

    Text under a compressed name counts as text: web browsers save such files. Raise PgnReadError
    for other bytes under such a name.
    """
    for extension, magics in _MAGICS.items():
        if head.startswith(magics):
            return codec_by_extension(extension)
    for extension, magics in _MAGICS.items():
        if name.lower().endswith(extension):
            require_readable_head(head, name, magics)
    return None


def require_readable_head(head: bytes, name: str, magics: tuple[bytes, ...]) -> None:
    """Raise PgnReadError if a file with a compressed name is neither compressed nor text."""
    extension = name.rpartition(".")[2]
    if any(magic.startswith(head) for magic in magics):
        raise PgnReadError(
            f"{name}: ends in the middle of the .{extension} data at byte {len(head)}; "
            "copy or download it again"
        )
    if any(byte < 0x20 and byte not in b"\t\n\r\f" for byte in head):
        raise PgnReadError(
            f"{name}: does not begin like a .{extension} file (byte 0) and is not text; "
            "copy or download it again"
        )


def decompressed(
    name: str, compressed: ByteSource, head_bytes: int = MAGIC_BYTES
) -> tuple[bytes, PrefixedSource]:
    """Return the first decompressed bytes of a file or member, and a source of all its bytes."""
    head, ahead = look_ahead(compressed, head_bytes)
    codec = sniff_codec(head[:MAGIC_BYTES], name) if head or not ahead.failure else None
    if codec:
        head, ahead = look_ahead(DecodedSource(ahead, codec, name), head_bytes)
    return head, ahead


class DecodedSource(ByteSource):
    """The decompressed bytes of one source: concatenated streams, or a single zip member."""

    def __init__(self, source: ByteSource, codec: Codec, name: str, *, offset: int = 0) -> None:
        """Read from `source`, which is at byte `offset` of `name`."""
        self._source = source
        self._codec = codec
        self._name = name
        self._fed_to = offset
        self._pending = b""
        self._failure: PgnReadError | None = None
        can_restart = source.restart_at(offset)
        self._output_bytes = _OUTPUT_BYTES if can_restart else _PIPE_OUTPUT_BYTES
        self._start_stream(offset)

    def read_some(self, limit: int) -> bytes:
        while True:
            if self._failure:
                raise self._failure
            if self._decoder.eof and not self._start_next_stream():
                return b""
            block = self._decode(min(limit, self._output_bytes))
            if block:
                self._stream_output_bytes += len(block)
                return block

    def unused_bytes(self) -> bytes:
        """Return the bytes that were read from the source after the end of a single stream."""
        return self._decoder.unused_data

    def _start_stream(self, offset: int) -> None:
        self._decoder = self._codec.make_decoder()
        self._stream_offset = self._block_offset = offset
        self._stream_output_bytes = 0

    def _decode(self, limit: int) -> bytes:
        block = b""
        if self._decoder.needs_input:
            block = self._pending or self._fetch()
            self._pending = b""
            if not block:
                raise self._truncated()
            self._block_offset = self._fed_to - len(block)
        try:
            return self._decoder.decompress(block, limit)
        except self._codec.failures as cause:
            return self._salvage(cause)

    def _fetch(self) -> bytes:
        block = self._source.read_some(_INPUT_BYTES)
        self._fed_to += len(block)
        return block

    def _start_next_stream(self) -> bool:
        """Start with the next concatenated stream; return False at the end of the data."""
        if not self._codec.magics:
            return False
        rest = self._skip_padding(self._decoder.unused_data)
        if not rest:
            return False
        at_byte = self._fed_to - len(rest)
        if rest.startswith(self._codec.magics):
            self._pending = rest
            self._start_stream(at_byte)
            return True
        if any(magic.startswith(rest) for magic in self._codec.magics):
            raise self._truncated()
        raise PgnReadError(
            f"{self._name}: bytes that are not {self._codec.label} data follow the compressed "
            f"data at byte {at_byte}; copy or download it again, or cut it there"
        )

    def _skip_padding(self, rest: bytes) -> bytes:
        """Skip the zero bytes that tapes and tar leave after a stream; return the next bytes."""
        rest = rest.lstrip(b"\0")
        while len(rest) < MAGIC_BYTES:
            block = self._fetch()
            if not block:
                break
            rest = (rest + block).lstrip(b"\0") if not rest else rest + block
        return rest

    def _truncated(self) -> PgnReadError:
        return PgnReadError(
            f"{self._name}: ends in the middle of the compressed data ({self._codec.label}) "
            f"at byte {self._fed_to}; copy or download it again"
        )

    def _salvage(self, cause: Exception) -> bytes:
        """Return the output that the failed call withheld, and fail at the next read."""
        # The decompressors discard the whole output of a failed call. So decode the stream again,
        # up to the input block of the failure at once, and from there byte by byte.
        withheld = bytearray()
        block_offset = self._block_offset
        if self._source.restart_at(self._stream_offset):
            try:
                self._decode_again(block_offset, withheld)
            except self._codec.failures as same_cause:
                cause = same_cause
        self._failure = PgnReadError(
            f"{self._name}: the compressed data ({self._codec.label}) are damaged at or before "
            f"byte {self._fed_to}: {cause}; copy or download it again"
        )
        self._failure.__cause__ = cause
        if not withheld:
            raise self._failure
        return bytes(withheld)

    def _decode_again(self, block_offset: int, withheld: bytearray) -> None:
        """Collect the output after the bytes returned so far, until the decoder fails again."""
        # One byte a call, so that all output before the error is returned: a decoder discards the
        # output of the call that fails.
        decoder = self._codec.make_decoder()
        skip_bytes = self._stream_output_bytes
        self._fed_to = self._stream_offset
        while not decoder.eof:
            data = b""
            if decoder.needs_input:
                data = self._source.read_some(min(_INPUT_BYTES, block_offset - self._fed_to) or 1)
                self._fed_to += len(data)
                block_offset = max(block_offset, self._fed_to)
                if not data:
                    return
            block = decoder.decompress(data, min(skip_bytes, _OUTPUT_BYTES) or 1)
            withheld += block[skip_bytes:]
            skip_bytes -= min(skip_bytes, len(block))


def raw_deflate_codec() -> Codec:
    """Return the codec for zip method 8."""
    return Codec("deflate", (), lambda: _ZlibDecoder(-15), (zlib.error,))


def zip_lzma_source(
    source: ByteSource, name: str, *, offset: int, output_bytes: int
) -> DecodedSource:
    """Return the source of a zip member of method 14; `output_bytes`: -1 if it has an end mark.

    APPNOTE 5.8.8: version (2 bytes), size of properties (2), properties (5), then LZMA. The
    .lzma format has the same properties, then the uncompressed size.
    """
    import lzma  # 2 ms

    header = read_up_to(source.read_some, 9)
    alone_header = header[4:] + output_bytes.to_bytes(8, "little", signed=True)

    def make_decoder() -> Decoder:
        decoder = lzma.LZMADecompressor(lzma.FORMAT_ALONE, memlimit=_LZMA_MOST_BYTES)
        decoder.decompress(alone_header, 0)
        return decoder

    try:
        make_decoder()
    except (lzma.LZMAError, MemoryError) as cause:
        raise PgnReadError(
            f"{name}: the lzma properties at byte {offset} of the zip file are damaged: {cause}; "
            "copy or download it again"
        ) from cause
    codec = Codec("lzma", (), make_decoder, (lzma.LZMAError, MemoryError))
    return DecodedSource(source, codec, name, offset=offset + len(header))
