"""From a stream of SGF bytes to parsed blocks, in file order.

Owns what is read at a time. Where a record ends only reading it tells: a block ends with the last
whole record, and what stands behind it is read again with the next. So the size of the blocks
does not change what is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ocgdedup._kernels.go import SgfBlock
from ocgdedup.sgf.charsets import guess_charset

if TYPE_CHECKING:
    from ocgdedup.files.decompress import ByteStream

BLOCK_BYTES = 1 << 18
# A record longer than this is taken as ending where the text read so far ends.
RECORD_BYTES = 1 << 23
_SAMPLE_BYTES = 1 << 16  # of a source, by which its charset is guessed
# "(;", or where the parenthesis is missing ";" and a property that only roots have.
_ROOT_NAME = rb"(?:GM|FF|SZ|CA|EV|PB|PW|GN|AP|DT)\["
_REMARKS = rb"(?:%[^\r\n]*[\s\0]+)*"  # lines of a reject file, or of printpgn
_BEGINNING = (
    rb"(?:\xEF\xBB\xBF)?[\s\0]*" + _REMARKS + rb"(?:\([\s\0]*;|;[\s\0]*" + _ROOT_NAME + rb")"
)
_NAME = r"\.sgf(\.\w+)?$"


def is_sgf(name: str, head: bytes) -> bool:
    """Tell if a text is SGF by its first bytes, or else by the name of its file.

    A mail or a web page may stand before the first game; a tag of PGN stands for itself.
    """
    if re.match(_BEGINNING, head):
        return True
    return bool(re.search(_NAME, name, re.IGNORECASE)) and not head.lstrip().startswith(b"[")


class SgfStream:
    """The blocks of one source; `usual_charset` is that of records which name none."""

    def __init__(self, stream: ByteStream, *, block_bytes: int = BLOCK_BYTES) -> None:
        self.usual_charset: str | None = None
        self._ends = False
        self._stream = stream
        self._block_bytes = block_bytes

    def blocks(self, *, jobs: int = 1) -> Iterator[SgfBlock]:
        """Yield the parsed blocks in order; with 2 jobs or more, a thread reads one ahead."""
        blocks = self._blocks()
        first = next(blocks, None)
        if first is not None:
            yield first
        if jobs <= 1 or self._ends:  # one record a file is usual: no thread for each
            yield from blocks
            return
        from concurrent.futures import ThreadPoolExecutor  # 11 ms

        with ThreadPoolExecutor(1, thread_name_prefix="parse") as pool:
            pending = pool.submit(next, blocks, None)
            while (block := pending.result()) is not None:
                pending = pool.submit(next, blocks, None)
                yield block

    def _blocks(self) -> Iterator[SgfBlock]:
        rest = b""
        # What is carried over doubles what is read: a long record is not read anew so often.
        size_bytes = self._block_bytes
        while text := self._stream.read(size_bytes):
            self._ends = len(text) < size_bytes
            if not rest and self.usual_charset is None:
                self.usual_charset = _usual_charset(text)
            rest += text
            block = SgfBlock(rest, self.usual_charset)
            is_too_long = len(rest) >= RECORD_BYTES
            block.parse(is_too_long, has_more=is_too_long)
            if block.consumed:
                rest = rest[block.consumed :]
                yield block
            size_bytes = max(self._block_bytes, len(rest))
        if rest:
            block = SgfBlock(rest, self.usual_charset)
            block.parse(True)
            yield block


def _usual_charset(text: bytes) -> str | None:
    """Return the charset that a source most likely has if it is no UTF-8, None if it may be."""
    sample = text[:_SAMPLE_BYTES]
    try:
        sample.decode()
    except UnicodeDecodeError as error:
        if error.start > len(sample) - 4:
            return None  # the last letter was cut
        return guess_charset(sample)
    return None
