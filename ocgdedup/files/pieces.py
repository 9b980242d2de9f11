"""Pieces of a file that can be read alone: any bytes of plain text, bzip2 blocks, zstd frames.

Owns where pieces begin. Only complete and undamaged pieces are read: for other data the caller
reads the whole file, which tells what is wrong. Must not know where a game ends.
"""

from __future__ import annotations

import bz2
from collections.abc import Iterator

from ocgdedup.errors import PgnReadError
from ocgdedup.files.decompress import (
    ByteSource,
    DecodedSource,
    RawFile,
    WindowSource,
    codec_by_extension,
    read_up_to,
)

PLAIN, BZIP2, ZSTD = "plain", ".bz2", ".zst"
_READ_BYTES = 1 << 20
# A bzip2 block begins at any bit with 48 bits, and the end of a stream has 48 others and a CRC.
_BLOCK, _END = 0x314159265359, 0x177245385090
_MARKER_BITS, _CRC_BITS = 48, 32
_STREAM = b"BZh"
_FIRST_BIT = 8 * 4  # of the first marker, after "BZh" and a digit
# RFC 8878, 3.1.1: a frame is a header and blocks of at most 128 kB, each with a header of 3 bytes.
_FRAME = b"\x28\xb5\x2f\xfd"
_HEADER_BYTES = 18
_MOST_ZSTD_BLOCK_BYTES = 1 << 17
_BLOCKS_CHECKED = 8
_MOST_FRAME_BYTES = 1 << 26  # of a file that is read in pieces


def form_of(head: bytes) -> str:
    """Return which pieces a file has by its first bytes: BZIP2, ZSTD, or PLAIN for all others."""
    for form in BZIP2, ZSTD:
        if head.startswith(codec_by_extension(form).magics):
            return form
    return PLAIN


def pieces(raw: RawFile, form: str, start: int, end: int, size: int) -> ByteSource:
    """Return the text of the pieces that begin in [start, end) of a file with `size` bytes.

    The text of adjoining spans is the text of the file. Raises PgnReadError, at once or at a read,
    for damage and for pieces that cannot be read alone.
    """
    if form == BZIP2:
        return _Bzip2Blocks(raw, start, end)
    if form == ZSTD:
        start, end = (_first_frame(raw, border, size) for border in (start, end))
    raw.restart_at(start)
    window = WindowSource(raw, start=start, end=max(start, end))
    if form == PLAIN or start >= end:
        return window
    return DecodedSource(window, codec_by_extension(ZSTD), raw.name, offset=start)


def is_single_piece(raw: RawFile, form: str, size: int) -> bool:
    """Return whether a file is a single zstd frame; PgnReadError as for its pieces."""
    return form == ZSTD and _first_frame(raw, 1, size) == size


# --- bzip2 ---------------------------------------------------------------------------------------


class _Bzip2Blocks(ByteSource):
    """The text of the blocks that begin in [start, end)."""

    def __init__(self, raw: RawFile, start: int, end: int) -> None:
        self._blocks = _bzip2_blocks(raw, start, end)
        self._ready = b""

    def read_some(self, limit: int) -> bytes:
        if not self._ready:
            self._ready = next(self._blocks, b"")
        part, self._ready = self._ready[:limit], self._ready[limit:]
        return part


def _bzip2_blocks(raw: RawFile, start: int, end: int) -> Iterator[bytes]:
    raw.restart_at(start)
    data, offset = b"", start  # the bytes of the file from `offset` on
    before: int | None = None  # the bit of the marker before
    was_block = False
    while block := raw.read_some(_READ_BYTES):
        searched = max(0, len(data) - _MARKER_BITS // 8)
        data += block
        for bit, is_block in _markers(data, searched):
            if before is not None and bit <= before:
                continue  # found in the data before
            if before is None:
                if not start and bit != _FIRST_BIT:
                    raise _unreadable(raw, "other bytes are before the first block")
                if start and not is_block:  # the block before it belongs to another span
                    continue
            elif was_block:
                yield _decoded(raw, data, before, bit)
            else:
                _require_stream(raw, data, before, bit)
            if is_block and bit >= (end - offset) * 8:
                return
            before, was_block = bit, is_block
        drop = max(0, len(data) - _MARKER_BITS // 8) if before is None else before // 8
        data, offset = data[drop:], offset + drop
        before = None if before is None else before - 8 * drop
    if before is None and start:
        return
    if before is None or was_block or data[_after_end(before) :] or _after_end(before) > len(data):
        raise _unreadable(raw, "the data do not end with a stream")


def _markers(data: bytes, start: int) -> list[tuple[int, bool]]:
    """Return the bits where markers of blocks (True) and of ends begin, sorted, from a byte on."""
    found: list[tuple[int, bool]] = []
    for marker, is_block in ((_BLOCK, True), (_END, False)):
        for shift in range(8):
            # The bytes that only the marker fills; 7 bytes have all of it.
            shifted = (marker << 8 >> shift).to_bytes(7)
            inner = shifted[1:6] if shift else shifted[:6]
            skipped = 1 if shift else 0
            at = data.find(inner, start + skipped)
            while at >= 0:
                first = at - skipped
                word = int.from_bytes(data[first : first + 7].ljust(7, b"\0"))
                is_whole = (first + 7) * 8 - 8 + shift <= len(data) * 8
                if is_whole and word >> (8 - shift) & ((1 << _MARKER_BITS) - 1) == marker:
                    found.append((first * 8 + shift, is_block))
                at = data.find(inner, at + 1)
    return sorted(found)


def _bits(data: bytes, start: int, end: int) -> int:
    """Return the bits [start, end) as a number."""
    word = int.from_bytes(data[start // 8 : -(-end // 8)])
    return word >> -end % 8 & ((1 << (end - start)) - 1)


def _decoded(raw: RawFile, data: bytes, start: int, end: int) -> bytes:
    """Return the text of the block in the bits [start, end), as that of a stream of its own."""
    crc = _bits(data, start + _MARKER_BITS, start + _MARKER_BITS + _CRC_BITS)
    stream = _bits(data, start, end) << _MARKER_BITS | _END
    bits = end - start + _MARKER_BITS + _CRC_BITS
    stream = (stream << _CRC_BITS | crc) << -bits % 8
    decoder = bz2.BZ2Decompressor()
    try:
        text = decoder.decompress(b"BZh9" + stream.to_bytes(-(-bits // 8)))
    except (OSError, ValueError) as cause:
        raise _unreadable(raw, str(cause)) from None
    if not decoder.eof:
        raise _unreadable(raw, "a block has no end")
    return text


def _after_end(end_bit: int) -> int:
    """Return the byte after the marker, at a bit, of the end of a stream."""
    return -(-(end_bit + _MARKER_BITS + _CRC_BITS) // 8)


def _require_stream(raw: RawFile, data: bytes, end_bit: int, bit: int) -> None:
    """Require that nothing but the start of a stream is between the end of another and a marker."""
    between = data[_after_end(end_bit) : bit // 8]
    if bit % 8 or len(between) != _FIRST_BIT // 8 or not between.startswith(_STREAM):
        raise _unreadable(raw, "other bytes follow a stream")


def _unreadable(raw: RawFile, reason: str) -> PgnReadError:
    return PgnReadError(f"{raw.name}: bzip2 blocks cannot be read alone: {reason}")


# --- zstd ----------------------------------------------------------------------------------------


def _first_frame(raw: RawFile, border: int, size: int) -> int:
    """Return where the first frame at or after an offset begins; `size` if there is none.

    Raises PgnReadError for a large frame: each piece would look through all of it.
    """
    offset = border
    while 0 < offset < size:
        if offset > border + _MOST_FRAME_BYTES:
            reason = f"no zstd frame begins in {_MOST_FRAME_BYTES >> 20} MB from byte {border}"
            raise PgnReadError(f"{raw.name}: cannot be read in pieces: {reason}")
        raw.restart_at(offset)
        data = read_up_to(raw.read_some, _READ_BYTES)
        at = data.find(_FRAME)
        if at < 0:
            offset += max(1, len(data) - len(_FRAME) + 1)
        elif _is_frame(raw, offset + at, size):
            return offset + at
        else:
            offset += at + 1
    return min(offset, size)


def _is_frame(raw: RawFile, offset: int, size: int) -> bool:
    """Return whether a frame seems to begin here, by the headers of its first blocks.

    If it is none after all, the text that ends here is truncated, which is noticed.
    """
    raw.restart_at(offset)
    head = read_up_to(raw.read_some, _HEADER_BYTES)
    if len(head) < _HEADER_BYTES // 2:
        return False
    descriptor = head[4]
    if descriptor & 0b1000:  # reserved
        return False
    is_single = descriptor >> 5 & 1
    content_size_bytes = (is_single, 2, 4, 8)[descriptor >> 6]
    offset += 5 + (1 - is_single) + (0, 1, 2, 4)[descriptor & 3] + content_size_bytes
    for _ in range(_BLOCKS_CHECKED):
        raw.restart_at(offset)
        header = int.from_bytes(read_up_to(raw.read_some, 3), "little")
        kind, block_bytes = header >> 1 & 3, header >> 3
        if kind == 3 or block_bytes > _MOST_ZSTD_BLOCK_BYTES:
            return False
        offset += 3 + (1 if kind == 1 else block_bytes)  # kind 1: one byte, repeated
        if offset > size:
            return False
        if header & 1:
            break
    return True
