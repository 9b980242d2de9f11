"""Openings of games, compared with python-chess."""

from __future__ import annotations

import random

import chess
import pytest

from ocgdedup._kernels.chess import OpeningTable
from ocgdedup.data_files import read_lines
from ocgdedup.pgn import openings as module
from ocgdedup.pgn.openings import Opening, openings

LINES = [line.split("\t") for line in read_lines(module.__file__, "openings.txt")]
RANDOM_GAMES = 300


def key_of(board: chess.Board) -> str:
    """Return a position without en passant."""
    return board.board_fen() + (" w " if board.turn else " b ") + board.castling_xfen()


def table_of_lines() -> dict[str, Opening]:
    table = {}
    for eco, name, moves in LINES:
        board = chess.Board()
        for move in moves.split():
            board.push_uci(move)
        table[key_of(board)] = Opening(eco, name)
    return table


TABLE = table_of_lines()
LONGEST = max(len(moves.split()) for _, _, moves in LINES)


def blob(moves: list[chess.Move]) -> bytes:
    return b"".join(
        (move.from_square | move.to_square << 6 | (move.promotion or 0) << 12).to_bytes(2, "little")
        for move in moves
    )


def opening_of(moves: list[chess.Move]) -> Opening | None:
    """Return the opening of a game, without the kernel."""
    board, last = chess.Board(), None
    for move in moves[:LONGEST]:
        board.push(move)
        last = TABLE.get(key_of(board), last)
    return last


def random_game(seed: int) -> list[chess.Move]:
    """Return a game that follows a line of the table, or parts of it in another order."""
    rng = random.Random(seed)
    board = chess.Board()
    line = [chess.Move.from_uci(move) for move in rng.choice(LINES)[2].split()]
    white, black = line[::2], line[1::2]
    if rng.random() < 0.6:  # a transposition, as far as it is legal
        rng.shuffle(white)
        rng.shuffle(black)
    for move in [white[i // 2] if i % 2 == 0 else black[i // 2] for i in range(len(line))]:
        if not board.is_legal(move):
            break
        board.push(move)
    while len(board.move_stack) < 60 and (moves := list(board.legal_moves)):
        board.push(rng.choice(moves))
    return board.move_stack


@pytest.mark.parametrize("seed", range(4))
def test_random_games_have_the_openings_of_python_chess(seed: int) -> None:
    games = [random_game(1000 * seed + i) for i in range(RANDOM_GAMES)]
    found = openings().of_games([blob(moves) for moves in games])
    assert list(found) == [opening_of(moves) for moves in games]
    assert len({*found}) > RANDOM_GAMES // 3


def test_each_line_is_its_own_opening() -> None:
    games = [[chess.Move.from_uci(move) for move in moves.split()] for _, _, moves in LINES]
    found = openings().of_games([blob(moves) for moves in games])
    assert list(found) == [opening_of(moves) for moves in games]
    others = [
        (line[1], opening.name)
        for line, opening in zip(LINES, found, strict=True)
        if opening is not None and opening.name != line[1]
    ]
    assert others == [
        ("Van Geet Opening: Nowokunski Gambit", "King's Gambit Accepted: Mason-Keres Gambit")
    ]


def test_no_opening() -> None:
    nothing = [b"", None, blob([chess.Move.from_uci("a2a3")])[:0]]
    assert list(openings().of_games(nothing)) == [None] * 3
    with pytest.raises(ValueError, match="odd"):
        openings().of_games([b"abc"])


@pytest.mark.parametrize("seed", range(20))
def test_damaged_moves_are_read_up_to_a_move_of_no_piece(seed: int) -> None:
    rng = random.Random(seed)
    games = [b"\x1c\x07" + rng.randbytes(2 * rng.randint(1, 40)) for _ in range(200)]
    assert len(openings().of_games([*games])) == len(games)


def test_a_line_that_cannot_be_played() -> None:
    with pytest.raises(ValueError, match="opening 1: ply 2 cannot be played"):
        OpeningTable([b"e2e4", b"e2e4 e2e4"])
