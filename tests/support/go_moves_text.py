"""Go games made up for tests, as texts for tests.support.go_games, and turned by plain rules."""

from __future__ import annotations

import random

from tests.reference.go_symmetries import SYMMETRIES

LETTERS = "abcdefghijklmnopqrstuvwxy"


def made_moves(seed: int, count: int, lines: int = 19) -> list[str]:
    """Return moves onto different points, Black first: "Bpd"."""
    points = [f"{x}{y}" for x in LETTERS[:lines] for y in LETTERS[:lines]]
    random.Random(seed).shuffle(points)
    return [f"{'BW'[number % 2]}{point}" for number, point in enumerate(points[:count])]


def turned_point(point: str, turn: int, lines: int = 19) -> str:
    x, y = SYMMETRIES[turn](LETTERS.index(point[0]), LETTERS.index(point[1]), lines - 1)
    return f"{LETTERS[x]}{LETTERS[y]}"


def turned(moves: list[str], turn: int, lines: int = 19) -> list[str]:
    """Turn moves; a pass stays."""
    return [move if len(move) == 1 else move[0] + turned_point(move[1:], turn, lines)
            for move in moves]  # fmt: skip
