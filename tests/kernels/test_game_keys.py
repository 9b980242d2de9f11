"""Hashes and keys of games, against known values and python-chess."""

from __future__ import annotations

import hashlib
import random

import chess
import chess.polyglot
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocgdedup._kernels import chess as chess_kernel
from tests.reference.move_blobs import encode_game, random_moves
from tests.support.reading import parsed, read, rows_of

TAGS = '[Event "E"]\n[White "W"]\n[Black "B"]\n\n'
NEXT = '\n[Event "Next"]\n[White "X"]\n[Black "Y"]\n\n1. d4 d5 1/2-1/2\n'
PROMOTION = '[FEN "8/P3k3/8/8/8/8/p3K3/8 w - - 0 1"]\n\n'


def signed(key: int) -> int:
    return key - (1 << 64) if key >> 63 else key


def keys_of(text: str) -> tuple[int, int, int, int, int]:
    (keys,) = read(text).keys
    return keys


def expected_hash(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big", signed=True)


@pytest.mark.parametrize(
    ("movetext", "hashed"),
    [
        ("1-0", ""),
        ("1. e4 1-0", "e2e4"),
        ("1. e4 -- 2. d4 *", "e2e4 0000 d2d4"),
        ("1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O *", "g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 e1g1"),
    ],
)
def test_hash_is_of_the_uci_moves(movetext: str, hashed: str) -> None:
    assert keys_of(TAGS + movetext)[1] == expected_hash(hashed)


def test_hash_known_value() -> None:
    """The bytes of the file format, not only the rule."""
    assert keys_of(TAGS + "*")[1] == signed(0xE3B0C44298FC1C14)  # SHA-256 of nothing
    assert keys_of(TAGS + "1. e4 e5 *")[1] == signed(0x79B1CFF4A7CE3BFA)


def test_hash_begins_with_the_start_position() -> None:
    text = PROMOTION + "1. a8=N a1=R *"
    assert keys_of(text)[1] == expected_hash("8/P3k3/8/8/8/8/p3K3/8 w - -\na7a8n a2a1r")


def test_hash_leaves_out_the_standard_position_in_a_tag() -> None:
    assert keys_of(f'[FEN "{chess.STARTING_FEN}"]\n\n1. e4 *')[1] == expected_hash("e2e4")


# The test positions of the Polyglot book format.
@pytest.mark.parametrize(
    ("moves", "key"),
    [
        ("", 0x463B96181691FC9C),
        ("e4", 0x823C9B50FD114196),
        ("e4 d5", 0x0756B94461C50FB0),
        ("e4 d5 e5", 0x662FAFB965DB29D4),
        ("e4 d5 e5 f5", 0x22A48B5A8E47FF78),
        ("e4 d5 e5 f5 Ke2", 0x652A607CA3F242C1),
        ("e4 d5 e5 f5 Ke2 Kf7", 0x00FDD303C946BDD9),
        ("a4 b5 h4 b4 c4", 0x3C8123EA7B067637),
        ("a4 b5 h4 b4 c4 bxc3 Ra3", 0x5C3F9B829B279560),
    ],
)
def test_final_zobrist_is_polyglots(moves: str, key: int) -> None:
    assert keys_of(TAGS + moves + " *")[2] == signed(key)


@settings(max_examples=60)
@given(st.integers(0, 2**32))
def test_keys_against_python_chess(seed: int) -> None:
    start = chess.Board()
    moves = random_moves(start, random.Random(seed), 120)
    board = start.copy()
    keys = []
    for move in moves:
        board.push(move)
        keys.append(chess.polyglot.zobrist_hash(board))
    _, san = encode_game(start.copy(), moves)
    plies, _, final, positions, sampled = keys_of(TAGS + " ".join(san) + " *")
    assert plies == len(moves)
    assert final == signed(keys[-1])
    assert positions == signed(sum(keys) % 2**64)
    assert sampled == signed(sum(keys[4::5]) % 2**64)


@pytest.mark.skipif(not chess_kernel.HAVE_SHA_NI, reason="the processor has no SHA instructions")
@settings(max_examples=40)
@given(st.integers(0, 2**32), st.integers(0, 60))
def test_portable_sha256_equals_the_processors(seed: int, plies: int) -> None:
    start = chess.Board()
    _, san = encode_game(start.copy(), random_moves(start, random.Random(seed), plies))
    text = (TAGS + " ".join(san) + " *").encode()
    portable, fast = (rows_of([parsed(text, use_ni=use_ni)]).keys for use_ni in (False, True))
    assert portable == fast
