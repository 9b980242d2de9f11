"""Moves, boards and keys of Go, compared with sgfmill and a slow reference."""

import hashlib
import random
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill.boards import Board

from ocgdedup._kernels import go as go_kernel
from tests.support.go_games import blob_of


def mixed(number):
    """SplitMix64's finalizer of a multiple of the golden ratio."""
    mask = 2**64 - 1
    x = number * 0x9E3779B97F4A7C15 & mask
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & mask
    x = (x ^ x >> 27) * 0x94D049BB133111EB & mask
    return x ^ x >> 31


def key_of(rows):
    key = 0 if len(rows) == 19 else mixed(4096 + len(rows))
    for row, text in enumerate(rows):
        for column, sign in enumerate(text):
            if sign != ".":
                key ^= mixed(2 * (32 * row + column) + (1 if sign == "X" else 2))
    return key


def signed(number):
    number %= 2**64
    return number - 2**64 if number >= 2**63 else number


@pytest.mark.parametrize(
    ("start", "moves", "keys"),
    [
        (None, "", (-2039914840885289964, 0, 0)),
        (None, "Bpd Wdd", (2701908060849024336, -7993136195863092513, 4455153300827882834)),
        (None, "Bab Waa Bba", (663060940956465325, 3224360419839938625, -7260193831539042743)),
        (
            "SZ[9]AB[gc]",
            "Wcc B Wcg",
            (-3094711803690387177, 6717687394285838414, 2796723303342928100),
        ),
    ],
)
def test_known_values(start, moves, keys):
    assert go_kernel.keys_of(blob_of(moves), start)[:3] == keys
    text = (f"{start}\n" if start else "") + moves
    digest = hashlib.sha256(text.encode()).digest()
    assert keys[0] == int.from_bytes(digest[:8], "big", signed=True)


def test_known_blob():
    assert blob_of("Bpd").hex() == "6f00"
    assert blob_of("B W").hex() == "ff03ff07"


@given(st.integers(2, 9), st.integers(0, 2**32))
def test_played_games_are_those_of_sgfmill(lines, seed):
    """Mainly captures, which are frequent on small boards."""
    chance = random.Random(seed)
    board = Board(lines)
    moves = []
    positions = sampled = 0
    for number in range(1, 60):
        colour = chance.choice("BW")
        row, column = chance.randrange(lines), chance.randrange(lines)
        if board.get(lines - 1 - row, column) is not None:
            moves.append(colour)
        else:
            board.play(lines - 1 - row, column, colour.lower())
            moves.append(f"{colour}{chr(97 + column)}{chr(97 + row)}")
        rows = drawn(board)
        positions += key_of(rows)
        sampled += key_of(rows) if number % 5 == 0 else 0
        assert go_kernel.board_after(blob_of(" ".join(moves)), f"SZ[{lines}]") == rows
    assert go_kernel.move_texts(blob_of(" ".join(moves))) == moves
    keys = go_kernel.keys_of(blob_of(" ".join(moves)), f"SZ[{lines}]")
    assert keys[1:4] == tuple(map(signed, (key_of(rows), positions, sampled)))


def drawn(board):
    signs = {None: ".", "b": "X", "w": "O"}
    return [
        "".join(signs[board.get(row, column)] for column in range(board.side))
        for row in reversed(range(board.side))
    ]


def test_stone_on_a_stone_is_odd():
    assert go_kernel.keys_of(blob_of("Baa Waa"))[4] == 4
    assert go_kernel.keys_of(blob_of("Baa Wab"))[4] == 0
    assert go_kernel.board_after(blob_of("Baa Waa"))[0][0] == "O"


def test_suicide_is_odd_and_takes_its_own_stones():
    moves = blob_of("Bba Wdd Bab Waa")
    assert go_kernel.keys_of(moves)[4] == 4
    assert go_kernel.board_after(moves)[0][0] == "."


def test_board_of_some_moves():
    assert go_kernel.board_after(blob_of("Baa Wba"), None, 1)[0].startswith("X.")


@pytest.mark.parametrize("start", ["", "SZ[19]", "SZ[9]AB[aa][bb]AW[cc]", "SZ[25]AW[yy]", "SZ[1]"])
def test_starts(start):
    go_kernel.keys_of(b"", start)


@pytest.mark.parametrize(
    "start",
    ["SZ", "SZ[", "SZ[0]", "SZ[26]", "SZ[9", "SZ[9]AB", "SZ[9]AB[aa", "SZ[9]AB[jj]", "SZ[9]XX[aa]",
     "SZ[9]AB[a", "SZ[9]AB[aa]x", "SZ[-3]", "nonsense", "SZ[999999999999]"],
)  # fmt: skip
def test_invalid_starts(start):
    with pytest.raises(ValueError, match="not a start position of a Go game"):
        go_kernel.keys_of(b"", start) and go_kernel.board_after(b"", start)


def test_point_off_the_board():
    with pytest.raises(ValueError, match=r"ply 2 of 2: stored move 0x0492 is not on the board"):
        go_kernel.keys_of(blob_of("Baa Wse"), "SZ[9]")


def test_odd_blob():
    with pytest.raises(ValueError, match="odd move blob"):
        go_kernel.keys_of(b"\x00")


@pytest.mark.parametrize("value", [0x0800, 0x001A, 0x0340, 0x8000, 0x03FE])
def test_numbers_that_are_not_moves_on_any_board(value):
    blob = struct.pack("<H", value)
    for refused in (go_kernel.keys_of, go_kernel.move_texts, go_kernel.board_after):
        with pytest.raises(ValueError, match=f"stored move 0x{value:04x} is not on the board"):
            refused(blob)
