"""Write compressed files: gzip, bzip2, xz or zstd, by the ending of the file name.

Must not know the content.
"""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Iterator
from typing import BinaryIO, Protocol, cast

from ocgdedup.errors import UsageError
from ocgdedup.files.decompress import EXTENSIONS, ZSTD_MODULE, load_zstd

_GZIP_BITS = 31  # a gzip header with time 0, so that equal texts give equal files


class Compressor(Protocol):
    """The common interface of all compressors."""

    def compress(self, data: bytes, /) -> bytes: ...
    def flush(self) -> bytes: ...


class Output(Protocol):
    """An object to which bytes are written."""

    def write(self, data: bytes, /) -> int: ...


class _CompressedOutput:
    def __init__(self, handle: BinaryIO, compressor: Compressor) -> None:
        self._handle = handle
        self._compressor = compressor

    def write(self, data: bytes, /) -> int:
        self._handle.write(self._compressor.compress(data))
        return len(data)


COMPRESSED_ENDINGS = EXTENSIONS
ARCHIVES = (".zip", ".7z", ".rar")


def extension_of(path: str) -> str:
    """Return the ending of a compression (".gz") as it is written in the name, or ""."""
    for extension in COMPRESSED_ENDINGS:
        if path.lower().endswith(extension):
            return path[-len(extension) :]
    return ""


def check_compression(path: str) -> None:
    """Raise UsageError if the name ends in a compression that cannot be written."""
    if path.lower().endswith(ARCHIVES):
        endings = ", ".join(COMPRESSED_ENDINGS)
        raise UsageError(f"{path}: archives cannot be written; choose {endings}, or none")
    _compressor(path)


@contextlib.contextmanager
def compressed(handle: BinaryIO, path: str) -> Iterator[Output]:
    """Yield a writer for the compression in the ending of the name."""
    compressor = _compressor(path)
    if compressor is None:
        yield handle
        return
    yield _CompressedOutput(handle, compressor)
    handle.write(compressor.flush())


def _compressor(path: str) -> Compressor | None:
    extension = extension_of(path).lower()
    if extension == ".gz":
        return zlib.compressobj(wbits=_GZIP_BITS)
    if extension == ".bz2":
        import bz2  # 2 ms

        return bz2.BZ2Compressor()
    if extension == ".xz":
        import lzma  # 2 ms

        return lzma.LZMACompressor()
    if extension != ".zst":
        return None
    try:
        zstd = load_zstd()
    except ImportError as cause:
        raise UsageError(
            f".zst cannot be written: this Python has no module {ZSTD_MODULE}; install it, "
            "or choose another compression, such as .gz"
        ) from cause
    options = {zstd.CompressionParameter.checksum_flag: 1}  # so that readers notice damage
    return cast(Compressor, zstd.ZstdCompressor(options=options))
