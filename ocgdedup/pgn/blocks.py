"""Cut a stream of PGN bytes into parsed blocks, in file order, by one thread or several.

Owns where the stream is cut. A block ends where the next text begins a game, whatever came before.
If there is no such boundary, the block is parsed and ends with its last whole game. So the games
do not depend on the block size or the number of threads.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ocgdedup._kernels.chess import Block, find_first_boundary, find_last_boundary
from ocgdedup.errors import UsageError

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

    from ocgdedup.files.decompress import ByteStream

BLOCK_BYTES = 1 << 18  # fits the second-level cache: measured best of 128 kB to 1 MB
GAME_BYTES = 1 << 23  # a longer game ends where the text read so far ends
_BLANKS = b" \t\n\v\f\r\0"  # is_blank() of the kernel


def cut_blocks(stream: ByteStream, block_bytes: int = BLOCK_BYTES) -> Iterator[Block]:
    """Yield blocks in order; only blocks without a boundary are parsed already."""
    rest = memoryview(b"")  # the text between the last cut and the text just read
    mid_line = False  # `rest` begins inside a line
    next_try = block_bytes  # the size at which a text without a boundary is parsed next
    # Read more if more is carried over, so that a long game is not copied for each block; but not
    # much more, so that its block holds few other games.
    while text := stream.read(max(block_bytes, len(rest) // 4)):
        cut = cut_within(text)
        if cut:  # the usual case; views, so that Block makes the only copy
            view = memoryview(text)
            yield Block(rest, view[:cut], mid_line)
            rest, mid_line, next_try = view[cut:], False, block_bytes
            continue
        rest, text = memoryview(b"".join((rest, text))), b""
        cut = find_last_boundary(rest)
        if cut:
            yield Block(rest[:cut], b"", mid_line)
            rest, mid_line, next_try = rest[cut:], False, block_bytes
        elif len(rest) >= next_try:
            block = Block(rest, b"", mid_line)
            is_too_long = len(rest) >= GAME_BYTES
            block.parse(is_too_long, has_more=is_too_long)
            next_try = min(2 * len(rest), GAME_BYTES)
            if block.consumed:
                rest, mid_line = rest[block.consumed :], block.ends_mid_line
                next_try = block_bytes
                yield block
            del block
    if rest:
        yield Block(rest, b"", mid_line)


def cut_within(text: bytes) -> int:
    """Return an offset at which the text may be cut whatever precedes the text, or 0."""
    cut = find_last_boundary(text)
    # After blanks alone, the boundary may lie within a game that began before the text.
    return cut if text[: min(cut, 64)].strip(_BLANKS) else 0


def first_cut(text: bytes) -> int:
    """Return the first offset at which the text may be cut whatever precedes the text, or 0."""
    blanks = len(text) - len(text.lstrip(_BLANKS))
    cut = find_first_boundary(memoryview(text)[blanks:])
    return blanks + cut if cut else 0


def parse_stream(
    stream: ByteStream, *, jobs: int = 1, block_bytes: int = BLOCK_BYTES
) -> Iterator[Block]:
    """Yield the parsed blocks of a stream in order; with 2 jobs or more, threads parse."""
    blocks = cut_blocks(stream, block_bytes)
    if jobs <= 1:
        yield from map(_parsed, blocks)
        return
    from concurrent.futures import ThreadPoolExecutor  # 12 ms

    with ThreadPoolExecutor(jobs, thread_name_prefix="parse") as pool:
        yield from _parse_ahead(blocks, pool, (jobs + 2) * block_bytes)


def _parsed(block: Block) -> Block:
    if not block.parsed:
        block.parse(True)
    return block


def _parse_ahead(
    blocks: Iterator[Block], pool: ThreadPoolExecutor, ahead_bytes: int
) -> Iterator[Block]:
    """Parse in threads; at most `ahead_bytes` wait, whatever the size of blocks."""
    pending: deque[tuple[int, Future[Block]]] = deque()
    pending_bytes = 0
    for block in blocks:
        size = block.size
        try:
            pending.append((size, pool.submit(_parsed, block)))
        except RuntimeError as cause:  # a system limit
            raise UsageError(f"no thread can be started: {cause}; choose --jobs 1") from cause
        del block  # only the caller should hold a reference
        pending_bytes += size
        while pending_bytes > ahead_bytes:
            size, future = pending.popleft()
            pending_bytes -= size
            yield future.result()
            del future
    while pending:
        yield pending.popleft()[1].result()
