"""Changes of bytes: flips, cuts, insertions, repetitions, tokens, huge numbers, deep nesting.

Knows nothing of any format: tokens and other texts to splice in are given.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

NUMBERS = (
    b"0", b"-1", b"00", b"255", b"65536", b"2147483648", b"4294967296", b"9223372036854775807",
    b"9223372036854775808", b"18446744073709551616", b"1" * 20, b"9" * 400, b"1e999", b"0x7f",
    b"1.5", b"-0", b"\xd9\xa1\xd9\xa2",
)  # fmt: skip
NESTS = ((b"(", b")"), (b"{", b"}"), (b"[", b"]"), (b"<a>", b"</a>"), (b"(;", b")"), (b'"', b'"'))
CHARSETS = ("utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1", "cp1251", "shift_jis", "utf-7")
_NUMBER = re.compile(rb"\d+")


def draw_size(rng: random.Random, most: int) -> int:
    """Return a size from 1 to `most`, small ones as likely as large ones."""
    return min(most, max(1, int(2 ** rng.uniform(0, most.bit_length()))))


def mutate(
    rng: random.Random, text: bytes, tokens: Sequence[bytes], donors: Sequence[bytes]
) -> bytes:
    """Return the text with one change."""
    at = rng.randrange(len(text) + 1)
    end = min(len(text), at + draw_size(rng, 300))
    match rng.randrange(11):
        case 0:
            return text[:at] + bytes([rng.randrange(256)]) + text[at + 1 :]
        case 1:
            flipped = bytes(byte ^ (1 << rng.randrange(8)) for byte in text[at : at + 4])
            return text[:at] + flipped + text[at + 4 :]
        case 2:
            return text[:at] + text[end:]
        case 3:
            return text[:at] + text[at:end] * rng.choice((2, 3, 50)) + text[end:]
        case 4:
            donor = rng.choice(donors)
            start = rng.randrange(len(donor) + 1)
            return text[:at] + donor[start : start + draw_size(rng, 500)] + text[end:]
        case 5:
            return replace_number(rng, text, at)
        case 6:
            opened, closed = rng.choice(NESTS)
            depth = draw_size(rng, 4000)
            return text[:at] + opened * depth + text[at:end] + closed * depth + text[end:]
        case 7:
            return text[:at] + rng.randbytes(draw_size(rng, 40)) + text[at:]
        case _:
            return text[:at] + rng.choice(tokens) + text[rng.choice((at, at, end)) :]


def replace_number(rng: random.Random, text: bytes, at: int) -> bytes:
    """Return the text with the next number replaced by an odd one."""
    result = _NUMBER.search(text, at) or _NUMBER.search(text)
    if result is None:
        return text + rng.choice(NUMBERS)
    return text[: result.start()] + rng.choice(NUMBERS) + text[result.end() :]


def recode(rng: random.Random, text: bytes) -> bytes:
    """Return the text in another charset, letters that it lacks as question marks."""
    return text.decode("utf-8", "replace").encode(rng.choice(CHARSETS), "replace")


def mutate_often(
    rng: random.Random,
    text: bytes,
    tokens: Sequence[bytes],
    donors: Sequence[bytes],
    most: int = 12,
    most_bytes: int = 200_000,
) -> bytes:
    """Return the text after some changes; rarely cut at the end or in another charset."""
    for _ in range(draw_size(rng, most)):
        text = mutate(rng, text, tokens, donors)[:most_bytes]
    if rng.random() < 0.1:
        text = text[: rng.randrange(len(text) + 1)]
    return recode(rng, text) if rng.random() < 0.04 else text
