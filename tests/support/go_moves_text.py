"""Made-up Go games, as texts for tests.support.go_games."""

from __future__ import annotations

import random

LETTERS = "abcdefghijklmnopqrstuvwxy"


def made_moves(seed: int, count: int, lines: int = 19) -> list[str]:
    """Return moves to different points, Black first: "Bpd"."""
    points = [f"{x}{y}" for x in LETTERS[:lines] for y in LETTERS[:lines]]
    random.Random(seed).shuffle(points)
    return [f"{'BW'[number % 2]}{point}" for number, point in enumerate(points[:count])]
