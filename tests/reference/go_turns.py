"""Rotated Go boards: slow reference of kernels/go/go_symmetry.pxd and board_turn.pxd.

Moves are texts as in tests/support/go_games.py: "Bpd", a pass "B", and points "pd".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tests.reference.go_symmetries import SYMMETRIES

ALL = range(len(SYMMETRIES))
_STONES = re.compile(r"(A[BW])((?:\[..\])+)")
_POINT = re.compile(r"\[(..)\]")


def turned_point(point: str, symmetry: int, lines: int = 19) -> str:
    x, y = (ord(letter) - ord("a") for letter in point)
    return "".join(chr(ord("a") + n) for n in SYMMETRIES[symmetry](x, y, lines - 1))


def turned(moves: Iterable[str], symmetry: int, lines: int = 19) -> list[str]:
    return [
        move if len(move) == 1 else move[0] + turned_point(move[1:], symmetry, lines)
        for move in moves
    ]


def lines_of(start: str | None) -> int:
    return int(start[3 : start.index("]")]) if start else 19


def turned_start(start: str | None, symmetry: int) -> str | None:
    """Return a rotated start, its points sorted as in the database."""
    if start is None:
        return None
    lines = lines_of(start)
    text = f"SZ[{lines}]"
    for name, points in _STONES.findall(start):
        result = sorted(turned_point(point, symmetry, lines) for point in _POINT.findall(points))
        text += name + "".join(f"[{point}]" for point in result)
    return text


def form_of(moves: Sequence[str], start: str | None = None) -> tuple[str, list[str]]:
    """Return the canonical form of a game, the same for all eight orientations."""
    lines = lines_of(start)
    return min((turned_start(start, s) or "", turned(moves, s, lines)) for s in ALL)
