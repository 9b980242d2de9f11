"""Go moves as SGF nodes: every point of every board, passes, lines, refusals."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocgdedup._kernels import go as go_kernel
from ocgdedup._kernels.go import move_nodes
from tests.support.go_games import blob_of


def nodes_of(text):
    """Return the moves of a text in the form of go_kernel.move_texts(), by a slow method."""
    return [node.replace("[", "").replace("]", "") for node in text.replace("\n", "").split(";")][
        1:
    ]


@given(st.data(), st.integers(1, 25))
def test_moves_are_those_of_the_blob(data, lines):
    point = st.one_of(
        st.just(31 | 31 << 5),
        st.tuples(st.integers(0, lines - 1), st.integers(0, lines - 1)).map(
            lambda place: place[0] | place[1] << 5
        ),
    )
    move = st.tuples(point, st.sampled_from([0, 1 << 10])).map(sum)
    moves = data.draw(st.lists(move, max_size=40))
    blob = struct.pack(f"<{len(moves)}H", *moves)
    first = data.draw(st.integers(0, len(moves)))
    stop = data.draw(st.integers(first, len(moves)))
    on_line = data.draw(st.integers(0, 12))
    text = move_nodes(blob, first, stop, lines, on_line)
    assert nodes_of(text) == go_kernel.move_texts(blob)[first:stop]
    counts = [line.count(";") for line in text.split("\n")]
    assert max(counts, default=0) <= (on_line or len(moves))
    if text and on_line:
        assert set(counts[:-1]) <= {on_line}
        assert counts[-1] > 0


def test_text_of_nodes():
    assert move_nodes(blob_of("Bpd Wdd B W"), 0, 4, 19, 3) == ";B[pd];W[dd];B[]\n;W[]"


@pytest.mark.parametrize(
    ("moves", "lines", "message"),
    [
        ("Bpd Wjj", 9, "ply 1 of 2: stored move 0x006f is not on the board"),
        ("Baa Wja", 9, "ply 2 of 2: stored move 0x0409 is not on the board"),
        ("Baa Waj", 9, "ply 2 of 2: stored move 0x0520 is not on the board"),
    ],
)
def test_moves_off_the_board(moves, lines, message):
    with pytest.raises(ValueError, match=message):
        move_nodes(blob_of(moves), 0, 2, lines, 10)


@pytest.mark.parametrize("move", [0x0800, 0xFFFF, 31, 31 << 5])
def test_numbers_that_are_no_move(move):
    with pytest.raises(ValueError, match="ply 1 of 1"):
        move_nodes(struct.pack("<H", move), 0, 1, 25, 10)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((b"\x00", 0, 0, 19, 10), "odd move blob of 1 bytes"),
        ((b"\x00\x00", 0, 2, 19, 10), "moves 0 to 2 are out of range: 1 moves"),
        ((b"\x00\x00", -1, 1, 19, 10), "moves -1 to 1 are out of range"),
        ((b"\x00\x00", 1, 0, 19, 10), "moves 1 to 0 are out of range"),
        ((b"\x00\x00", 0, 1, 0, 10), "board size: 0 lines"),
        ((b"\x00\x00", 0, 1, 26, 10), "board size: 26 lines"),
        ((b"\x00\x00", 0, 1, 19, -1), "moves per line: -1"),
    ],
)
def test_wrong_arguments(arguments, message):
    with pytest.raises(ValueError, match=message):
        move_nodes(*arguments)
