"""Cut a stream of SGF bytes into parsed blocks, in file order.

Owns the size of the blocks. Only the parser knows where a record ends, so a block ends with the
last whole record, and the bytes after it are parsed again with the next block. The records do not
depend on the block size.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ocgdedup._kernels.go import SgfBlock
from ocgdedup.files.other_formats import FORMAT_BYTES
from ocgdedup.sgf.charsets import escapes_of, guess_charset, without_escapes
from ocgdedup.sgf.go_formats import ENDINGS, converted, format_of

if TYPE_CHECKING:
    from ocgdedup.files.decompress import ByteStream

BLOCK_BYTES = 1 << 18
RECORD_BYTES = 1 << 23  # a longer record ends where the text read so far ends
_SAMPLE_BYTES = 1 << 16  # the charset of a source is guessed from its first bytes
# "(;", or, if one of the two is missing, a property that only roots have. FF[3] names have small
# letters.
_ROOT_NAME = (
    rb"(?:G[a-z]*M|F[a-z]*F|S[a-z]*Z|C[a-z]*A|E[a-z]*V|P[a-z]*[BWC]|G[a-z]*N|A[a-z]*P|D[a-z]*T"
    rb"|TE|RD|RE|KO)[a-z]*\["
)
_REMARKS = rb"(?:%[^\r\n]*[\s\0]+)*"  # "%" lines, written by printpgn and in reject files
_BOM = rb"(?:\xEF\xBB\xBF)?[\s\0]*"
_BEGINNING = _BOM + _REMARKS + rb"(?:\([\s\0]*[;(]|[(;]?[\s\0]*" + _ROOT_NAME + rb")"
_NAME = rf"(?:\.sgf|{'|'.join(map(re.escape, ENDINGS))})(\.\w+)?$"


def is_sgf(name: str, head: bytes) -> bool:
    """Return whether a text is SGF, GIB, NGF or UGF, by its first bytes or else by its file name.

    A mail or a web page may precede the first game. A text that begins with a PGN tag is not SGF.
    """
    if re.match(_BEGINNING, head) or format_of(head):
        return True
    return bool(re.search(_NAME, name, re.IGNORECASE)) and not head.lstrip().startswith(b"[")


class SgfStream:
    """The blocks of one source.

    `usual_charset`: of records without `CA`. `decoded_from`: the charset of a text that was decoded
    before it was parsed, since its letters contain brackets or its format is another one.
    """

    def __init__(self, stream: ByteStream, *, block_bytes: int = BLOCK_BYTES) -> None:
        self.usual_charset: str | None = None
        self.decoded_from: str | None = None
        self._escapes: str | None = None
        self._has_begun = self._is_at_end = False
        self._stream = stream
        self._block_bytes = block_bytes

    def blocks(self, *, jobs: int = 1) -> Iterator[SgfBlock]:
        """Yield the parsed blocks in order; with 2 jobs or more, a thread reads one ahead."""
        blocks = self._blocks()
        first = next(blocks, None)
        if first is not None:
            yield first
        if jobs <= 1 or self._is_at_end:  # most files hold one record: start no thread for it
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
        # Read as many bytes as were carried over: the text of a long record then doubles each
        # time, and is parsed only a few times.
        size_bytes = self._block_bytes
        while text := self._read(size_bytes):
            self._is_at_end = len(text) < size_bytes
            if not rest and self.usual_charset is None:
                self.usual_charset = _usual_charset(text)
            rest = self._decoded(rest + text)
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

    def _read(self, size_bytes: int) -> bytes:
        """Return the next bytes; all of them as SGF, if the format is another one."""
        if self._has_begun:
            return self._stream.read(size_bytes)
        self._has_begun = True
        text = self._stream.read(max(size_bytes, FORMAT_BYTES))
        other = format_of(text)
        if other is None:
            return text
        text += self._stream.read(RECORD_BYTES)
        if len(text) >= RECORD_BYTES:
            return text  # no game is so long
        text, self.decoded_from = converted(text, other)
        return text

    def _decoded(self, text: bytes) -> bytes:
        """Return a text in which letters have no escape sequences."""
        self._escapes = self._escapes or escapes_of(text)
        self.decoded_from = self.decoded_from or self._escapes
        return without_escapes(text, self._escapes) if self._escapes else text


def _usual_charset(text: bytes) -> str | None:
    """Return the most likely charset of a source, None if it may be UTF-8."""
    sample = text[:_SAMPLE_BYTES]
    try:
        sample.decode()
    except UnicodeDecodeError as error:
        if error.start > len(sample) - 4:
            return None  # the sample ends within a character
        return guess_charset(sample)
    return None
