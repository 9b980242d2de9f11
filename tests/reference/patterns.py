"""Patterns matched by python-chess and row by row: slow reference of the kernel.

A chess query is a tree of tuples, (operator, left, right), (pieces, squares) or a number.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

import chess

Tree = int | tuple[object, ...]

_MEANINGS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": lambda left, right: int(left / right) if right else 0,
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "and": lambda left, right: bool(left) and bool(right),
    "or": lambda left, right: bool(left) or bool(right),
}


def evaluated(tree: Tree, board: chess.Board) -> int:
    """Return the value of a query in a position."""
    if isinstance(tree, int):
        return tree
    if len(tree) == 2:
        name, squares = tree
        assert isinstance(squares, frozenset)
        pieces = [board.piece_at(square) for square in squares]
        if name in ("white", "black"):
            return sum(piece is not None and piece.color == (name == "white") for piece in pieces)
        return sum(piece is not None and piece.symbol() == name for piece in pieces)
    sign, left, right = tree
    return int(_MEANINGS[str(sign)](evaluated(left, board), evaluated(right, board)))  # type: ignore[arg-type]


def first_ply(tree: Tree, boards: Sequence[chess.Board]) -> int | None:
    """Return the plies before a query is first true."""
    return next((ply for ply, board in enumerate(boards) if evaluated(tree, board)), None)


_ALLOWED = {".": ".", "X": "X", "O": "O", "x": ".X", "o": ".O", "?": ".XO"}


def lies_on(
    pattern: Sequence[str],
    rows: Sequence[str],
    edges: str = "",
    place: tuple[int, int] | None = None,
) -> bool:
    """Return whether a pattern is on a board, both in rows; `edges`: of "ltrb", it touches."""
    height, width, lines = len(pattern), len(pattern[0]), len(rows)
    for top in range(lines - height + 1):
        for left in range(lines - width + 1):
            fits = {"l": left == 0, "t": top == 0, "r": left + width == lines,
                    "b": top + height == lines}  # fmt: skip
            if not all(fits[edge] for edge in edges) or place not in (None, (left, top)):
                continue
            if all(
                rows[top + row][left + column] in _ALLOWED[pattern[row][column]]
                for row in range(height)
                for column in range(width)
            ):
                return True
    return False


def all_ways(
    pattern: Sequence[str], edges: str, *, swap: bool
) -> list[tuple[tuple[str, ...], str]]:
    """Return a pattern in all orientations, also with swapped colours if `swap`."""
    orientations = []
    rows, sides = tuple(pattern), edges
    for _ in range(2):
        for _ in range(4):
            orientations.append((rows, sides))
            rows = tuple("".join(column) for column in zip(*rows[::-1], strict=True))
            sides = "".join({"l": "t", "t": "r", "r": "b", "b": "l"}[side] for side in sides)
        rows = tuple(row[::-1] for row in rows)
        sides = "".join({"l": "r", "r": "l"}.get(side, side) for side in sides)
    if swap:
        other = str.maketrans("XOxo", "OXox")
        orientations += [
            (tuple(row.translate(other) for row in rows), sides) for rows, sides in orientations
        ]
    return orientations
