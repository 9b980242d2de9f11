"""Rotated Go boards: slow reference of kernels/go/go_symmetry.pxd and board_symmetry.pxd.

Moves are texts as in tests/support/go_games.py: "Bpd", a pass "B", and points "pd".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

# The image of a point (x, y), with s = lines - 1, numbered as in sgfinfo of sgfutils.
SYMMETRIES = (
    lambda x, y, s: (x, y),
    lambda x, y, s: (x, s - y),
    lambda x, y, s: (y, s - x),
    lambda x, y, s: (y, x),
    lambda x, y, s: (s - x, s - y),
    lambda x, y, s: (s - x, y),
    lambda x, y, s: (s - y, x),
    lambda x, y, s: (s - y, s - x),
)

ALL = range(len(SYMMETRIES))
_STONES = re.compile(r"(A[BW])((?:\[..\])+)")
_POINT = re.compile(r"\[(..)\]")


def rotated_point(point: str, symmetry: int, lines: int = 19) -> str:
    x, y = (ord(letter) - ord("a") for letter in point)
    return "".join(chr(ord("a") + n) for n in SYMMETRIES[symmetry](x, y, lines - 1))


def rotated(moves: Iterable[str], symmetry: int, lines: int = 19) -> list[str]:
    return [
        move if len(move) == 1 else move[0] + rotated_point(move[1:], symmetry, lines)
        for move in moves
    ]


def lines_of(start: str | None) -> int:
    return int(start[3 : start.index("]")]) if start else 19


def rotated_start(start: str | None, symmetry: int) -> str | None:
    """Return a rotated start, its points sorted as in the database."""
    if start is None:
        return None
    lines = lines_of(start)
    text = f"SZ[{lines}]"
    for name, points in _STONES.findall(start):
        result = sorted(rotated_point(point, symmetry, lines) for point in _POINT.findall(points))
        text += name + "".join(f"[{point}]" for point in result)
    return text


def form_of(moves: Sequence[str], start: str | None = None) -> tuple[str, list[str]]:
    """Return the canonical form of a game, the same for all eight orientations."""
    lines = lines_of(start)
    return min((rotated_start(start, s) or "", rotated(moves, s, lines)) for s in ALL)
