"""Move blobs from python-chess boards: reference of the kernels that read them."""

from __future__ import annotations

import random
from collections.abc import Iterable

import chess

CHESS960_CASTLING = 0x8000


def encode_move(board: chess.Board, move: chess.Move) -> int:
    """Return the stored form of a legal move: from | to << 6 | promotion << 12."""
    if not move:
        return 0
    start, target = move.from_square, move.to_square
    if board.is_castling(move) and board.chess960:
        rank = chess.square_rank(start)
        kingside = chess.square_file(target) > chess.square_file(start)
        usual_rook = chess.square(7 if kingside else 0, rank)
        if start == chess.square(4, rank) and target == usual_rook:
            return start | chess.square(6 if kingside else 2, rank) << 6
        return start | target << 6 | CHESS960_CASTLING
    return start | target << 6 | (move.promotion or 0) << 12


def encode_game(board: chess.Board, moves: Iterable[chess.Move]) -> tuple[bytes, list[str]]:
    """Play the moves on the board; return their blob and their SAN."""
    blob = bytearray()
    san = []
    for move in moves:
        blob += encode_move(board, move).to_bytes(2, "little")
        san.append(board.san(move))
        board.push(move)
    return bytes(blob), san


def encode_san(fen: str | None, san: str, *, chess960: bool = False) -> tuple[bytes, list[str]]:
    """Return the blob and the SAN of a game given as SAN moves with blanks between them."""
    board = chess.Board(fen or chess.STARTING_FEN, chess960=chess960)
    moves = []
    for token in san.split():
        moves.append(board.push_san(token))
    return encode_game(board.root(), moves)


def random_board(rng: random.Random) -> chess.Board:
    """Return the standard start position, or one of Chess960."""
    if rng.random() < 0.5:
        return chess.Board()
    return chess.Board.from_chess960_pos(rng.randrange(960))


def random_moves(board: chess.Board, rng: random.Random, plies: int) -> list[chess.Move]:
    """Return a random legal game from the board, with more captures, promotions and castling."""
    board = board.copy()
    moves: list[chess.Move] = []
    for _ in range(plies):
        legal = list(board.legal_moves)
        if not legal:
            break
        lively = [
            move
            for move in legal
            if move.promotion
            or board.is_castling(move)
            or board.gives_check(move)
            or board.is_en_passant(move)
        ]
        choice = lively if lively and rng.random() < 0.4 else legal
        # In check, it would allow capturing the king, after which no replay can continue.
        if rng.random() < 0.01 and not board.is_check():
            choice = [chess.Move.null()]
        moves.append(rng.choice(choice))
        board.push(moves[-1])
    return moves
