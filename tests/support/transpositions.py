"""Openings in another legal order that reaches the same position."""

from __future__ import annotations

import random
from collections.abc import Sequence

import chess

from tests.support.played_games import Moves

_MOST_STEPS = 2000  # of one attempt


def transposed(moves: Sequence[str], plies: int, rng: random.Random) -> Moves | None:
    """Put the first plies (UCI) into another order; None if random tries find none.

    The order reaches the same position: board, castling rights and en passant square.
    """
    board = chess.Board()
    for move in moves[:plies]:
        board.push_uci(move)
    order = _Order(moves[:plies], board.epd(), rng)
    return (*order.found, *moves[plies:]) if order.search(chess.Board()) else None


class _Order:
    """A search, in random order, for another order of the same moves."""

    def __init__(self, moves: Sequence[str], target: str, rng: random.Random) -> None:
        self.found: list[str] = []
        self._moves = list(moves)
        self._left = [list(moves[::2]), list(moves[1::2])]
        self._target = target
        self._rng = rng
        self._steps = 0

    def search(self, board: chess.Board) -> bool:
        """Extend `found` to another order of all moves; return whether there is one."""
        left = self._left[not board.turn]
        if not left:
            return board.epd() == self._target and self.found != self._moves
        for move in self._rng.sample(sorted(set(left)), len(set(left))):
            self._steps += 1
            if self._steps > _MOST_STEPS or not board.is_legal(chess.Move.from_uci(move)):
                continue
            board.push_uci(move)
            left.remove(move)
            self.found.append(move)
            if self.search(board):
                return True
            self.found.pop()
            left.append(move)
            board.pop()
        return False
