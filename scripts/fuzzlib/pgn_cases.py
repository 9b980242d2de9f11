"""PGN to fuzz with: mutated games, tokens in a row, a few tokens repeated.

Knows nothing of the reader.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from fuzzlib.mutating import draw_size

BLOW_UP_BYTES = 200_000

START_TEXT = b"""[Event "Casual"]
[Site "Berlin"]
[Date "1852.??.??"]
[White "Anderssen, Adolf"]
[Black "Dufresne"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 (2... d6 {Philidor} 3. d4) 3. Bc4 Bc5 $1 4. b4! {Evans} Bxb4 5. c3 Ba5
6. d4 exd4 7. O-O d3 8. Qb3 Qf6 1-0

"""
FEN_TAGS = (
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "4k3/P6P/8/3pP3/8/8/8/4K3 w - d6 0 9",
    "bqnrkbnr/pppppppp/8/8/8/8/PPPPPPPP/BQNRKBNR w HDhd - 0 1",
    "4k3/8/8/8/8/8/8/R2K2R1 b GA - 99 100",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "9/8/8/8/8/8/8/KK6 w KQkq e3 0 0",
    "k7/8/8/8/8/8/8/K6 x - - -1 99999999999",
    "4k3/8/8/8/8/8/8/4K3 w ABCDEFGHabcdefghKQkq h6 4294967296 2147483648",
    "PPPPkPPP/8/8/8/8/8/8/ppppKppp w - - 0 1",
    "rnbqkbnr/pppppppp/////// w",
)
TAG_LINES = (
    '[Event "x"]', '[Event "x"]\n[Site "y"]', '\n\n[Event "a"]\n[Site "b"]\n\n', '[Event x]',
    '[Event "never closed', '[White "O\\"Neil, \\\\ \\"]', '[White ""]', '[Black "?"]', '[A "1"]',
    '[Date "2020.13.99"]', '[Date "1.2.03"]', '[Date "Thu, 3 March"]', '[Result "1:0"]',
    '[Result "draw"]', '[WhiteElo "0000"]', '[BlackElo "2500"]', '[Round "1.2.3"]', '[SetUp "1"]',
    '[Variant "Atomic"]', '[Variant "Chess960"]', '[OriginalDate "2020"]', '[X_@N@ "@N@"]',
    '[TimeControl "40/7200:3600"]', "[", "[[", '["x"]', '[X]', '[White "K\xfchn"]',
)  # fmt: skip
SIGNS = (
    "{", "}", "{{}", "{}", "(", ")", "()", "[", "]", ";", ";\n", "%", "\n%", "%}\n", "$", "$1",
    "$99999999999", '"', "\\", "\0", "\0\0\0", "<", ">", "<x>", ".", "...", "1.", "1...", "12.",
    "99999999999.", " ", "\n", "\r", "\r\n", "\n\n", "\t", "\v", "!", "?", "!?", "+-", "+/-", "=",
    "*", "1-0", "0-1", "1/2-1/2", "1/2", "0-0", "1:0", "0.5-0.5", "1-0 1-0", "\n1. ", "\n\n1. e4",
)  # fmt: skip
MOVES = (
    "e4", "e5", "Nf3", "Nc6", "Bb5", "O-O", "O-O-O", "0-0", "0-0-0", "o-o", "exd5", "ed", "exd",
    "e8=Q", "e8Q", "e8(Q)", "a8(", "axb8=N+", "Nbd2", "N1f3", "Qh4xe1", "e2e4", "e2-e4", "e7e8q",
    "e1h1", "Ke1-g1", "Sf3", "Lb5", "Dxd8+", "Td1", "Cf3", "Pe4", "nf3", "bb5", "Nf3Nc6", "--",
    "Z0", "0000", "null", "@@@@", "N", "TN", "e.p.", "exd6e.p.", "mate", "Kxe9", "a1", "h8#",
    "Nf3!?", "word", "\u041a\u0440f1", "\u0424d8", "\u2658f3", "e4\u2020", "Nf3\u00d7", "Ng1-f3+!!",
)  # fmt: skip
HIGH_BYTES = (
    b"\xff", b"\xef\xbb\xbf", b"\xfe\xff", b"\xbd", b"\xbd-\xbd", b"\xc2\xbd", b"\xc2\xbd-\xc2\xbd",
    b"1\xe2\x80\x930", b"\xe2\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xcf\xf0\xe8", b"\x81",
)  # fmt: skip
TOKENS: tuple[bytes, ...] = (
    *(text.encode("latin-1") for text in TAG_LINES),
    *(f'[FEN "{fen}"]\n'.encode() for fen in FEN_TAGS),
    *(text.encode() for text in (*SIGNS, *SIGNS, *MOVES)),
    *HIGH_BYTES,
)


def draw_excerpt(rng: random.Random, seeds: Sequence[bytes]) -> bytes:
    """Return a part of a seed, mostly a short one from the start of some game."""
    text = rng.choice(seeds)
    start = rng.randrange(len(text)) if len(text) > 2000 and rng.random() < 0.8 else 0
    if rng.random() < 0.8:
        start = max(0, text.find(b"[Event ", start))
    return text[start : start + max(300, draw_size(rng, 20_000))]


def draw_tokens(rng: random.Random, most: int) -> bytes:
    """Return up to `most` tokens in a row."""
    separator = rng.choice((b"", b" ", b" ", b"\n"))
    return separator.join(rng.choice(TOKENS) for _ in range(draw_size(rng, most)))


def blow_up(rng: random.Random) -> bytes:
    """Return a few tokens repeated to many bytes; "@N@" counts."""
    pattern = draw_tokens(rng, 4)
    if rng.random() < 0.3:
        pattern = rng.choice((b"(", b"{", b"{{}", b"[", b"(\n", b"{\n", b"a", b"1", b"\xd0\x90"))
    count = rng.choice((1000, 20_000, BLOW_UP_BYTES)) // len(pattern) + 1
    if b"@N@" in pattern:
        return b"".join(pattern.replace(b"@N@", b"%d" % i) for i in range(count))
    return pattern * count


def mutate(rng: random.Random, text: bytes, seeds: Sequence[bytes]) -> bytes:
    """Return the text with one change."""
    at = rng.randrange(len(text) + 1)
    end = min(len(text), at + draw_size(rng, 200))
    match rng.randrange(9):
        case 0:
            return text[:at] + bytes([rng.randrange(256)]) + text[at + 1 :]
        case 1:
            return text[:at] + text[end:]
        case 2 | 3 | 4:
            return text[:at] + draw_tokens(rng, 4) + text[at:]
        case 5:
            return text[:at] + rng.choice(TOKENS) + text[end:]
        case 6:
            return text[:at] + draw_excerpt(rng, seeds)[-(end - at + 1) * 10 :]
        case 7:
            return text[:at] + text[at:end] * rng.choice((2, 3, 50)) + text[end:]
        case _:
            return text[:at] if rng.random() < 0.3 else text[:at] + text[at:].swapcase()


def make_case(rng: random.Random, seeds: Sequence[bytes]) -> bytes:
    """Return an input made of the seeds."""
    style = rng.random()
    if style < 0.02:
        return rng.randbytes(draw_size(rng, 3000))
    if style < 0.15:
        return draw_tokens(rng, 300)
    text = draw_excerpt(rng, seeds)
    if style < 0.19:
        at = rng.choice((0, len(text), rng.randrange(len(text))))
        return text[:at] + blow_up(rng) + rng.choice((b"", rng.choice(TOKENS), text[at:]))
    if style < 0.25:
        text += rng.choice((b"", b"\n\n")) + draw_excerpt(rng, seeds)
    for _ in range(draw_size(rng, 12)):
        text = mutate(rng, text, seeds)
    return text
