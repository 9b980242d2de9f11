#!/usr/bin/env python3
"""Feed the SGF reader mutated and random records, and hold it to its laws.

    scripts/fuzz_sgf.py [--seconds N] [--seed N] [FILE.sgf ...]

Nothing may be lost: but for blanks, each byte is in some record. Keys are those of the moves, and
cutting the text in two reads the same. Exits 1 at the first input that breaks a law, after writing
it to a file. Run under sanitizers by scripts/fuzz_asan.
"""

from __future__ import annotations

import argparse
import io
import random
import sys
import time
from pathlib import Path

from ocgdedup._kernels import go_moves, sgf_read
from ocgdedup.sgf.blocks import SgfStream
from ocgdedup.sgf.charsets import charset_of

_BLANKS = b" \t\n\v\f\r\0\x1a"
_HEAD_BYTES = 50_000
_SEED = (
    b"(;GM[1]FF[4]CA[GB2312]SZ[9]PB[a\\]b]AB[aa:bb][cc]C[x\n(;FF[4\\]y];B[ee]LB[aa:1]"
    b"(;W[gc]C[z];B[];W[tt])(;W[cc](;B[aa])(;B[bb])))\n(;SZ[19]EV[m\nRO[1];W[dd]W[dp];B[pd])"
)
_TOKENS = [
    *b"( ) ; [ ] \\ : B W C AB AW AE SZ GM CA FF PB EV DT LB".split(),
    b"[]", b"[aa]", b"[tt]", b"[aa:cc]", b"[zz]", b"[9]", b"[25]", b"[26]", b"\n(;FF[4]", b"\n",
    b"(;", b";B[aa]", b";W[bb]", b"[Shift_JIS]", b"\x81]", b"\x83\\", b"\xef\xbb\xbf", b"\xff",
    b"\0", b"AB[aa", b"))", b"[pass]", b"BlackWhite", b"A" * 40,
]  # fmt: skip


def main() -> int:
    """Fuzz for the time given; return the exit status."""
    options = _arguments()
    texts = [_SEED, *(Path(name).read_bytes()[:_HEAD_BYTES] for name in options.files)]
    end = time.monotonic() + options.seconds
    number = 0
    while time.monotonic() < end:
        chance = random.Random(f"{options.seed}/{number}")
        raw = _input(chance, texts)
        try:
            _hold(raw, chance)
        except AssertionError as error:
            Path("fuzz-finding.sgf").write_bytes(raw)
            print(f"input {number} of seed {options.seed}: {error}; written to fuzz-finding.sgf")
            return 1
        number += 1
    print(f"{number} inputs of seed {options.seed}: nothing found")
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n", maxsplit=1)[0])
    parser.add_argument("files", nargs="*", metavar="FILE.sgf")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def _input(chance: random.Random, texts: list[bytes]) -> bytes:
    if chance.random() < 0.3:
        return b"".join(chance.choices(_TOKENS, k=chance.randrange(1, 60)))
    raw = bytearray(chance.choice(texts))
    for _ in range(chance.randrange(1, 12)):
        place = chance.randrange(len(raw) + 1)
        if chance.random() < 0.5:
            raw[place:place] = chance.choice(_TOKENS)
        else:
            del raw[place : place + chance.randrange(1, 20)]
    return bytes(raw)


def _hold(raw: bytes, chance: random.Random) -> None:
    usual = chance.choice((None, "Shift_JIS", "GB18030"))
    block = sgf_read.SgfBlock(raw, usual)
    block.parse(True)
    assert block.consumed == len(raw), "the end was not read"
    place = 3 if raw.startswith(b"\xef\xbb\xbf") else 0
    found = block.records(charset_of)
    for record in found:
        assert not raw[place : record[1]].strip(_BLANKS), f"text lost before byte {record[1]}"
        assert place <= record[1] < record[2], f"empty record at byte {place}"
        place = record[2]
        if not record[0]:
            assert go_moves.keys_of(record[5], record[6]) == record[7], "keys of other moves"
    assert not raw[place:].strip(_BLANKS), "text lost at the end"
    _hold_in_parts(raw, [record[5] for record in found if not record[0]], chance)


def _hold_in_parts(raw: bytes, moves: list[bytes], chance: random.Random) -> None:
    """See that blocks of any size hold the same games, if no charset depends on them."""
    if not raw.isascii():
        return
    stream = SgfStream(io.BytesIO(raw), block_bytes=chance.randrange(1, len(raw) + 2))
    parts = [record for block in stream.blocks() for record in block.records(charset_of)]
    assert [record[5] for record in parts if not record[0]] == moves, "blocks change the games"


if __name__ == "__main__":
    sys.exit(main())
