"""Neither the size of blocks nor the number of threads changes the parsed games."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ocgdedup.pgn import blocks
from tests.support.reading import Reading, parsed, read, read_in_blocks

FOLDER = Path(__file__).parent.parent / "corpus" / "malformed"
FILES = [path.read_bytes() for path in sorted(FOLDER.glob("*.pgn"))]
SMALL_FILES = [text for text in FILES if len(text) < 3000]
# What decides where games, comments and lines end.
PIECES = [
    b"{", b"}", b"(", b")", b";", b"%", b'"', b"[", b"]", b"\n", b"\r", b"\r\n", b"\n\n", b"1-0",
    b"*", b"1. e4", b"e5", b'[Event "A"]\n', b'[White "B"]\n', b"\xef\xbb\xbf", b"\0", b"\xe9",
    b'\n\n[Event "A"]\n[Site "S"]\n\n', b"1/2-1/2", b"0-0", b"$5", b"N", b"prose here\n", b"%\n",
]  # fmt: skip


def mutated(rng: random.Random) -> bytes:
    """Return concatenated malformed files, with pieces inserted, removed and repeated."""
    text = bytearray()
    for _ in range(rng.randrange(1, 25)):
        text += rng.choice(SMALL_FILES) + rng.choice([b"", b"\n", b"\n\n", b"\r\n"])
    for _ in range(rng.randrange(12)):
        at = rng.randrange(len(text) + 1)
        action = rng.random()
        if action < 0.6:
            text[at:at] = rng.choice(PIECES)
        elif action < 0.8:
            del text[at : at + rng.randrange(1, 40)]
        else:
            text[at:at] = text[at : at + rng.randrange(300)]
    return bytes(text)


def assert_same(left: Reading, right: Reading) -> None:
    for name in Reading._fields:
        assert getattr(left, name) == getattr(right, name), name


@settings(max_examples=250)
@given(st.integers(0, 2**32), st.integers(1, 9000), st.sampled_from([1, 3]))
@example(0, 1, 1)
def test_cuts_change_nothing(seed: int, block_bytes: int, jobs: int) -> None:
    text = mutated(random.Random(seed))
    if block_bytes < 64:
        text = text[:3000]  # each small step looks at the open game again
    assert_same(read_in_blocks(text, block_bytes, jobs), read(text))


@pytest.mark.parametrize("block_bytes", [1000, 4097, 1 << 16])
@pytest.mark.parametrize("jobs", [1, 3])
def test_all_files_in_a_row(block_bytes: int, jobs: int) -> None:
    text = b"\n".join(FILES)
    assert_same(read_in_blocks(text, block_bytes, jobs), read(text))


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_every_place_of_a_cut(newline: str) -> None:
    games = [
        '[Event "A"]\n[White "B"]\n\n1. e4 {a\n\n[Event "no game"]\n\nb} e5 (1... c5 2. Nf3) 1-0\n',
        '\n[Event "C"]\n[White "D"]\n\n1. d4 {never closed 1/2-1/2\n',
        '\n[Event "E"]\n\n1. c4 ; remark [Event "no game"]\n% escape\nc5 0-1 0-1\n',
        "\nprose between\ngames\n",
        '\n[Event "F"][White "G"]1. Sf3 Sf6 2. Sc3 Sc6 *[Event "H"]\n1. e4\n',
    ]
    text = "".join(games).replace("\n", newline).encode()
    whole = read(text)
    assert whole.plies == [2, 1, 2, 4, 1]
    for block_bytes in range(1, len(text) + 1):
        assert_same(read_in_blocks(text, block_bytes), whole)


@settings(max_examples=100)
@given(st.integers(0, 2**32))
def test_a_game_reads_the_same_alone(seed: int) -> None:
    """The bytes of a game, from its offset to the next, give the same moves without the rest."""
    text = mutated(random.Random(seed))
    reading = read(text)
    starts = [game["SourceOffset"] for game in reading.games]
    ends = sorted([*starts, *(reject.offset for reject in reading.rejects), len(text)])
    for game in reading.games:
        start = game["SourceOffset"]
        end = next(place for place in ends if place > start)
        alone = read(text[start:end])
        assert [g["Moves2"] for g in alone.games] == [game["Moves2"]]


def test_block_is_parsed_once() -> None:
    block = parsed(b"1. e4 *")
    with pytest.raises(ValueError, match="already parsed"):
        block.parse(True)


def test_game_without_end_is_cut_as_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory must not grow with a comment of any length; the reason must be the true one."""
    monkeypatch.setattr(blocks, "GAME_BYTES", 40_000)
    text = '[Event "x"]\n\n1. e4 {' + "a b " * 20_000 + "} e5 1-0\n\n"
    next_game = '[Event "y"]\n[Site "z"]\n\n1. d4 d5 1-0\n'
    reading = read_in_blocks((text + next_game).encode(), 10_000)
    assert reading.plies[0] == 1
    assert reading.plies[-1] == 2
    assert reading.faults[0].reason == "game is longer than 8 MB"
