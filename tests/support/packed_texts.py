"""Texts compressed in every way, and functions that read them."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from ocgdedup.errors import PgnReadError
from ocgdedup.files.inputs import InputFile, SourceStream, list_inputs, open_sources

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd
SKIPPABLE_FRAME = b"\x5a\x2a\x4d\x18\x04\x00\x00\x00skip"


def make_text(size_bytes: int, seed: int = 1) -> bytes:
    """Return text that compresses about as well as PGN, into several blocks."""
    chance = random.Random(seed)
    words = [f"{chance.choice('NBRQK')}{chance.choice('abcdefgh')}{i % 8 + 1}" for i in range(300)]
    text = '[Event "Größe"]\n\n' + " ".join(chance.choices(words, k=size_bytes // 3))
    return text.encode()[:size_bytes]


TEXT = make_text(700_000)
COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": lambda text: bz2.compress(text, 1),
    "xz": lzma.compress,
    "zst": lambda text: zstd.compress(text, options={zstd.CompressionParameter.checksum_flag: 1}),
}
each_format = pytest.mark.parametrize("kind", list(COMPRESS))


def read_all(stream: SourceStream, block_bytes: int = 1 << 16) -> bytes:
    return b"".join(iter(lambda: stream.read(block_bytes), b""))


def read_until_error(
    stream: SourceStream, block_bytes: int = 1 << 20
) -> tuple[bytes, PgnReadError]:
    parts = []
    while True:
        try:
            block = stream.read(block_bytes)
        except PgnReadError as failure:
            return b"".join(parts), failure
        assert block, "the text ended without an error"
        parts.append(block)


def count_common(left: bytes, right: bytes) -> int:
    """Return the number of leading bytes that two texts share."""
    pairs = zip(left, right, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(left), len(right)))


def write(path: Path, content: bytes) -> InputFile:
    path.write_bytes(content)
    return list_inputs([str(path)])[0]


def read_file(path: Path, content: bytes) -> bytes:
    (stream,) = (read_all(stream) for stream in open_sources(write(path, content)))
    return stream


def open_one(path: Path, content: bytes) -> SourceStream:
    """Return the only stream of a file, and keep its generator alive."""
    generator = open_sources(write(path, content))
    stream = next(generator)
    stream.keep_open = generator  # type: ignore[attr-defined]
    return stream


def read_by_name(file: InputFile) -> dict[str, bytes]:
    return {stream.name: read_all(stream) for stream in open_sources(file)}


def make_zip(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


class ForwardOnly(io.BytesIO):
    """A pipe for zipfile, so that it writes the lengths after each member."""

    def seekable(self) -> bool:
        return False

    def seek(self, *_: int) -> int:
        raise io.UnsupportedOperation

    def tell(self) -> int:
        raise io.UnsupportedOperation


def make_streamed_zip(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = ForwardOnly()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def use_stdin(monkeypatch: pytest.MonkeyPatch, content: bytes) -> InputFile:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(ForwardOnly(content)))
    return list_inputs(["-"])[0]
