"""From a stream of PGN bytes to parsed blocks, in file order, by one thread or several.

Owns where the stream is cut. A block is cut only where a game begins whatever came before; where
no such place is found the reading kernel itself says how far it came. So neither the size of the
blocks nor the number of threads changes what is read.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Protocol

from ocgdedup._kernels.pgn_read import Block, find_last_boundary

BLOCK_BYTES = 1 << 18  # fits the second-level cache: measured best of 128 kB to 1 MB
# A game longer than this is taken as ending where the text read so far ends.
GAME_BYTES = 1 << 25


class ByteStream(Protocol):
    """Anything that gives bytes in order; b"" at the end."""

    def read(self, size_bytes: int, /) -> bytes: ...


def cut_blocks(stream: ByteStream, block_bytes: int = BLOCK_BYTES) -> Iterator[Block]:
    """Yield blocks in order; those that end between two games are not parsed yet."""
    rest = b""
    # What is carried over doubles what is read: a long game is not parsed anew for each block.
    while text := stream.read(max(block_bytes, len(rest))):
        rest = rest + text if rest else text
        cut = find_last_boundary(rest)
        if cut:
            yield Block(rest[:cut])
            rest = rest[cut:]
        elif len(rest) >= block_bytes:
            block = Block(rest)
            block.parse(len(rest) >= GAME_BYTES)
            if block.consumed:
                rest = rest[block.consumed :]
                yield block
    if rest:
        yield Block(rest)


def parse_stream(
    stream: ByteStream, *, jobs: int = 1, block_bytes: int = BLOCK_BYTES
) -> Iterator[Block]:
    """Yield the parsed blocks of a stream in order; with 2 jobs or more, threads parse."""
    blocks = cut_blocks(stream, block_bytes)
    if jobs <= 1:
        yield from map(_parsed, blocks)
        return
    with ThreadPoolExecutor(jobs, thread_name_prefix="parse") as pool:
        yield from _parse_ahead(blocks, pool, jobs + 1)


def _parsed(block: Block) -> Block:
    if not block.parsed:
        block.parse(True)
    return block


def _parse_ahead(
    blocks: Iterator[Block], pool: ThreadPoolExecutor, ahead: int
) -> Iterator[Block]:
    """Keep `ahead` blocks with the threads; memory does not grow with the stream."""
    pending: deque[Future[Block]] = deque()
    for block in blocks:
        pending.append(pool.submit(_parsed, block))
        if len(pending) > ahead:
            yield pending.popleft().result()
    while pending:
        yield pending.popleft().result()
