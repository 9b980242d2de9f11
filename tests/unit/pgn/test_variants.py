"""Variants without a Variant tag, against the boards of python-chess."""

from __future__ import annotations

import random

import chess
import chess.variant
import pytest

from ocgdedup.pgn.variants import variant_of
from tests.reference.move_blobs import encode_game

BOARDS = {
    "atomic": chess.variant.AtomicBoard,
    "suicide": chess.variant.SuicideBoard,
    "giveaway": chess.variant.GiveawayBoard,
    "antichess": chess.variant.AntichessBoard,
}


def first_odd_move(board: chess.Board, seed: int) -> tuple[list[chess.Move], str]:
    """Play a random game of a variant up to a move that is illegal in chess; return it as SAN."""
    shuffled = random.Random(seed)
    orthodox = chess.Board()
    while not board.is_variant_end() and any(board.legal_moves):
        move = shuffled.choice(list(board.legal_moves))
        san = board.san(move)
        try:
            read = orthodox.parse_san(san)
        except ValueError:
            return list(orthodox.move_stack), san
        if read != move:
            break
        orthodox.push(move)
        board.push(move)
    return [], ""


@pytest.mark.parametrize("name", BOARDS)
def test_named_variants(name: str) -> None:
    found = 0
    for seed in range(40):
        moves, san = first_odd_move(BOARDS[name](), seed)
        if not moves or "=K" in san:
            continue
        found += 1
        blob, _ = encode_game(chess.Board(), moves)
        assert variant_of(f"Thursday {name.upper()} cup", None, blob, f"{san} 1-0") == name
        assert variant_of("Thursday cup", None, blob, f"{san} 1-0") in (None, "antichess")
    assert found > 5


@pytest.mark.parametrize(
    "event", ["Atomic energy cup", "Suicide squad match", "Horde rapid", "Open"]
)
def test_faults_in_chess_are_faults(event: str) -> None:
    for seed in range(40):
        shuffled = random.Random(seed)
        board = chess.Board()
        for _ in range(30):
            board.push(shuffled.choice(list(board.legal_moves)))
            if board.is_game_over():
                board.pop()
                break
        blob, _ = encode_game(chess.Board(), list(board.move_stack))
        for rest in ("Kxa9 e5", "xx Nf3", "Ke4 Nf6", "", "@ e4", "Qh9"):
            assert variant_of(event, None, blob, rest) is None, (seed, rest)


def test_other_boards() -> None:
    kings = "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1"
    assert variant_of("Racing Kings open", None, b"", "Kh3 Ka3") == "racing kings"
    assert kings == chess.variant.RacingKingsBoard.starting_fen
    assert variant_of("Horde open", None, b"", "b6 axb6") == "horde"
    assert variant_of("Open", None, b"", "b6 axb6") is None
    assert variant_of("Bughouse night", None, b"", "N@f3") == "bughouse"


def test_much_text_takes_no_time() -> None:
    assert variant_of("E", None, b"", "Nf6 " + "{" * 1_000_000) is None
