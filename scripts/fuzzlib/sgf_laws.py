"""The SGF reader on any bytes: nothing is lost, keys fit the moves, blocks change nothing."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Iterator, Sequence

from fuzzlib.corpus import CORPUS, corpus_texts
from fuzzlib.model import Failure, Laws, Target
from fuzzlib.mutating import mutate_often
from ocgdedup._kernels import go as go_kernel
from ocgdedup.sgf.blocks import SgfStream
from ocgdedup.sgf.charsets import charset_of

_BLANKS = b" \t\n\v\f\r\0\x1a"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_SEED = (
    b"(;GM[1]FF[4]CA[GB2312]SZ[9]PB[a\\]b]AB[aa:bb][cc]C[x\n(;FF[4\\]y];B[ee]LB[aa:1]"
    b"(;W[gc]C[z];B[];W[tt])(;W[cc](;B[aa])(;B[bb])))\n(;SZ[19]EV[m\nRO[1];W[dd]W[dp];B[pd])"
)
TOKENS: tuple[bytes, ...] = (
    *b"( ) ; [ ] \\ : B W C AB AW AE SZ GM CA FF PB EV DT LB RE HA KM VW".split(),
    b"[]", b"[aa]", b"[tt]", b"[aa:cc]", b"[zz]", b"[9]", b"[0]", b"[25]", b"[26]", b"\n(;FF[4]",
    b"\n", b"(;", b";GM[1]", b";B[aa]", b";W[bb]", b"[Shift_JIS]", b"\x81]", b"\x83\\",
    _BYTE_ORDER_MARK, b"\xff", b"\0", b"AB[aa", b"))", b"[pass]", b"BlackWhite", b"A" * 40,
    b"[R+99999999999]", b"GM[1]", b"SZ[19:13]", b"HA[9999999999]",
)  # fmt: skip


def make_case(rng: random.Random, seeds: Sequence[bytes]) -> bytes:
    if rng.random() < 0.3:
        return b"".join(rng.choices(TOKENS, k=rng.randrange(1, 60)))
    return mutate_often(rng, rng.choice(seeds), TOKENS, seeds)


def check_input(text: bytes, laws: Laws) -> Iterator[Failure | str]:
    """Yield each law that the reading of a text breaks."""
    rng = laws.random()
    block = go_kernel.SgfBlock(text, rng.choice((None, "Shift_JIS", "GB18030")))
    block.parse(True)
    if block.consumed != len(text):
        yield Failure("the end was not read", f"{block.consumed} of {len(text)} bytes")
    place = len(_BYTE_ORDER_MARK) if text.startswith(_BYTE_ORDER_MARK) else 0
    result = block.records(charset_of)
    for record in result:
        if between(text[place : record[1]]):
            yield Failure("text is in no record", f"before byte {record[1]}")
        if not place <= record[1] < record[2]:
            yield Failure("a record is empty or overlaps", f"at byte {place}")
        place = record[2]
        yield "record " + "".join("x" if value else "-" for value in record)
        if not record[0] and go_kernel.keys_of(record[5], record[6]) != record[7]:
            yield Failure("keys are not those of the moves", f"record at byte {record[1]}")
    if between(text[place:]):
        yield Failure("text at the end is in no record", "")
    yield from check_parts(text, [record[5] for record in result if not record[0]], rng)


def between(text: bytes) -> bytes:
    """Return what is left between two records without blanks, parentheses and escape lines."""
    lines = [line.strip(_BLANKS + b"()") for line in re.split(rb"[\r\n]", text)]
    return b"" if all(not line or line.startswith(b"%") for line in lines) else text


def check_parts(text: bytes, moves: list[bytes], rng: random.Random) -> Iterator[Failure]:
    """Blocks of any size hold the same games, if no charset depends on them."""
    if not text.isascii():
        return
    stream = SgfStream(io.BytesIO(text), block_bytes=rng.randrange(1, len(text) + 2))
    parts = [record for block in stream.blocks() for record in block.records(charset_of)]
    if [record[5] for record in parts if not record[0]] != moves:
        yield Failure("blocks change the games", "")


def seeds() -> list[bytes]:
    games = corpus_texts("*.sgf", CORPUS.parents[1] / "scripts" / "demo_go")
    return [_SEED, _SEED[1:], *games, *corpus_texts("*.sgf")]


TARGET = Target("sgf", "the SGF reader", seeds, make_case, check_input)
