"""Signatures of games, compared with slow references and hashlib; laws of rotation."""

import hashlib
import struct

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocgdedup._kernels import chess as chess_kernel
from ocgdedup._kernels import go as go_kernel
from tests.reference import signatures as slow
from tests.reference.go_symmetries import rotated_start
from tests.support.go_games import blob_of as go_blob_of

LINES = st.sampled_from([1, 2, 9, 13, 19, 25])


def blob_of(values):
    return struct.pack(f"<{len(values)}H", *values)


@st.composite
def go_games(draw, most=130):
    """Draw (start, moves): any points, passes, stones of both colours."""
    lines = draw(LINES)
    numbers = st.integers(0, lines - 1)
    points = st.tuples(numbers, numbers)
    move = st.one_of(points, points, points, st.just((31, 31)))
    played = draw(st.lists(st.tuples(move, st.booleans()), max_size=most))
    values = [x | y << 5 | (slow.COLOUR if is_white else 0) for (x, y), is_white in played]
    stones = draw(st.lists(points, max_size=12, unique=True))
    cut = draw(st.integers(0, len(stones)))
    if lines == 19 and not stones and draw(st.booleans()):
        return None, blob_of(values)
    return start_of(lines, stones[:cut], stones[cut:]), blob_of(values)


def start_of(lines, black, white):
    parts = [f"SZ[{lines}]"]
    for name, stones in (("AB", black), ("AW", white)):
        if stones:
            parts.append(name + "".join(f"[{slow.letters(point)}]" for point in sorted(stones)))
    return "".join(parts)


def turned_game(start, moves, symmetry):
    """Return the moves and the start on a rotated board."""
    lines = slow.lines_of(start)
    return go_kernel.rotate_moves(moves, lines, symmetry), rotated_start(start, symmetry)


@given(go_games())
def test_go_rows_equal_the_reference(game):
    assert chess_kernel.signature_rows([(7, *game)], True) == [slow.go_row(7, *game)]


@pytest.mark.parametrize("plies", [0, 1, 19, 20, 27, 28, 31, 49, 50, 51, 60, 71, 99, 100, 101, 400])
@pytest.mark.parametrize("start", [None, "SZ[19]AB[dd][pp]"])
def test_every_length_of_padding(plies, start):
    for more in range(32):
        moves = blob_of([(i % 19) | (i * 7 % 19) << 5 for i in range(plies + more)])
        assert chess_kernel.signature_rows([(1, start, moves)], True) == [
            slow.go_row(1, start, moves)
        ]


@given(go_games(), st.integers(0, 7))
@settings(max_examples=60)
def test_a_rotated_game_has_the_same_symmetric_forms(game, symmetry):
    start, moves = game
    turned_moves, start_turned = turned_game(start, moves, symmetry)
    (row,) = chess_kernel.signature_rows([(1, start, moves)], True)
    (rotated,) = chess_kernel.signature_rows([(1, start_turned, turned_moves)], True)
    assert (rotated[3], rotated[7]) == (row[3], row[7])
    assert chess_kernel.symmetric_form(rotated[1], start_turned) == chess_kernel.symmetric_form(
        row[1], start
    )


@given(go_games(), st.integers(0, 7))
@settings(max_examples=60)
def test_rotation_equals_the_reference(game, symmetry):
    start, moves = game
    lines = slow.lines_of(start)
    rotated = go_kernel.rotate_moves(moves, lines, symmetry)
    assert slow.go_texts(rotated, lines) == slow.go_texts(moves, lines, symmetry)
    assert [text[0] for text in go_kernel.move_texts(rotated)] == [
        text[0] for text in go_kernel.move_texts(moves)
    ]
    back = {2: 6, 6: 2}.get(symmetry, symmetry)
    assert go_kernel.rotate_moves(rotated, lines, back) == moves


def test_moves_off_the_board_cannot_be_rotated():
    left = [20, 20 << 5, 0x800, 0xFFFF, slow.PASS]
    assert go_kernel.rotate_moves(blob_of([*left, 0]), 19, 5) == blob_of([*left, 18])


@given(go_games(), st.lists(st.integers(1, 140), max_size=8))
def test_any_list_of_moves(game, numbers):
    start, moves = game
    lines = slow.lines_of(start)
    picked = [slow.picked(slow.go_texts(moves, lines, s), numbers, "??") for s in range(8)]
    assert chess_kernel.moves_at(moves, numbers, True) == picked[0]
    assert chess_kernel.symmetric_form(picked[0], start) == min(picked)


def test_known_values_of_go():
    """MD5 as in sgfinfo of sgfutils: stones of the root, moves, no colour, a line feed."""
    moves = go_blob_of("Wpd Bdp W Bpp")
    (row,) = chess_kernel.signature_rows([(5, "SZ[19]AB[dd][qq]AW[cc]", moves)], True)
    assert row[:4] == (5, "??????", "??????", "????????????")
    assert row[4].hex() == hashlib.md5(b"ddqqccpddpttpp\n").hexdigest()
    assert row[4].hex() == "900aadb23bf69f236162f086cfed0743"
    assert row[4] == row[5] == row[6]
    assert row[7].hex() == "0981efc4a254a05b4171897a27dcbaaf"


def test_stones_are_sorted_after_rotation():
    """Sorting before rotation, as in sgfinfo, gave one handicap game two canonical MD5s."""
    start, moves = "SZ[19]AB[dd][dp][pd]", blob_of([0x06F | slow.COLOUR])
    rows = []
    for symmetry in range(8):
        rotated, start_turned = turned_game(start, moves, symmetry)
        rows += chess_kernel.signature_rows([(1, start_turned, rotated)], True)
    assert len({row[7] for row in rows}) == 1
    assert len({row[4] for row in rows}) == 8


def test_the_colour_is_in_no_signature():
    (black,) = chess_kernel.signature_rows([(1, None, blob_of([5, 6, 7]))], True)
    (white,) = chess_kernel.signature_rows([(1, None, blob_of([5 | slow.COLOUR, 6, 7]))], True)
    assert black == white


@st.composite
def chess_games(draw):
    board = chess.Board()
    values = []
    for _ in range(draw(st.integers(0, 110))):
        moves = sorted(board.legal_moves, key=chess.Move.uci)
        if not moves:
            break
        move = moves[draw(st.integers(0, len(moves) - 1))]
        values.append(move.from_square | move.to_square << 6 | ((move.promotion or 0) << 12))
        board.push(move)
    return [move.uci() for move in board.move_stack], blob_of(values)


@given(chess_games())
@settings(max_examples=40)
def test_chess_rows_equal_the_reference(game):
    uci, moves = game
    (row,) = chess_kernel.signature_rows([(3, None, moves)], False)
    assert row == slow.chess_row(3, None, moves)
    assert row[4] == slow.md5("".join(uci))
    assert row[1] == slow.picked([text[:4] for text in uci], slow.A, "????")


def test_chess_from_another_position():
    fen = "7k/4P3/8/8/8/8/8/4K3 w - - 3 40"
    moves = blob_of([52 | 60 << 6 | 5 << 12, 0, 4 | 12 << 6])
    (row,) = chess_kernel.signature_rows([(1, fen, moves)], False)
    assert row[4] == slow.md5("7k/4P3/8/8/8/8/8/4K3 w - -\ne7e8q0000e1e2")
    assert chess_kernel.moves_at(moves, [1, 2, 3, 4], False) == "e7e80000e1e2????"


def test_a_fen_of_the_usual_start_changes_nothing():
    moves = blob_of([12 | 28 << 6])
    given_start = chess_kernel.signature_rows([(1, chess.STARTING_FEN, moves)], False)
    assert given_start == chess_kernel.signature_rows([(1, None, moves)], False)
    assert given_start[0][4] == slow.md5("e2e4")
    assert chess_kernel.decode_texts(moves)[0].split() == ["e2e4"]


@pytest.mark.parametrize(
    ("start", "moves", "is_go"),
    [
        (None, b"\x01", True),
        (None, "text", True),
        (5, b"", True),
        ("SZ[9]", blob_of([0x06F]), True),
        (None, blob_of([30]), True),
        (None, blob_of([5, 5 | 1 << 11]), True),
        ("SZ[9]AB[zz]", b"", True),
        ("nonsense", b"", True),
        ("nonsense", blob_of([12 | 28 << 6]), False),
        (None, b"\x01", False),
        (None, blob_of([12 | 28 << 6 | 1 << 12]), False),
        (None, blob_of([12 | 28 << 6 | 7 << 12]), False),
    ],
)
def test_invalid_games_have_no_signature(start, moves, is_go):
    whole = (2, None, blob_of([1, 2]))
    rows = chess_kernel.signature_rows([(1, start, moves), whole], is_go)
    assert rows[0] is None
    assert rows[1] is not None


def test_no_moves():
    for is_go in (True, False):
        rows = chess_kernel.signature_rows([(1, None, None), (1, None, b"")], is_go)
        assert rows[0] == rows[1]
        assert rows[0][4] == hashlib.md5(b"\n").digest()


@pytest.mark.parametrize(
    "call",
    [
        lambda: go_kernel.rotate_moves(b"\x01", 19, 0),
        lambda: go_kernel.rotate_moves(b"", 19, 8),
        lambda: go_kernel.rotate_moves(b"", 26, 0),
        lambda: go_kernel.rotate_moves(b"", 0, 0),
        lambda: chess_kernel.symmetric_form("zz"),
        lambda: chess_kernel.symmetric_form("aab"),
        lambda: chess_kernel.symmetric_form("éé"),
        lambda: chess_kernel.symmetric_form("jj", "SZ[9]"),
        lambda: chess_kernel.symmetric_form("aa", "SZ"),
        lambda: chess_kernel.moves_at(b"\x01", [1], True),
    ],
)
def test_wrong_arguments(call):
    with pytest.raises(ValueError, match=r"\w"):
        call()
