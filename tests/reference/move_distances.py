"""Similarity of two lists of moves, by definition and by jellyfish: reference of blob_compare."""

from __future__ import annotations

from collections.abc import Sequence

import jellyfish

Moves = Sequence[int]


def common_plies(a: Moves, b: Moves) -> int:
    shared = 0
    while shared < min(len(a), len(b)) and a[shared] == b[shared]:
        shared += 1
    return shared


def common_tail(a: Moves, b: Moves) -> int:
    return common_plies(a[::-1], b[::-1])


def indel_table(a: Moves, b: Moves) -> list[list[int]]:
    """Return, at [i][j], the indel distance of the first i moves of a and the first j of b."""
    table = [[i + j for j in range(len(b) + 1)] for i in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            table[i][j] = 1 + min(table[i - 1][j], table[i][j - 1])
            if a[i - 1] == b[j - 1]:
                table[i][j] = min(table[i][j], table[i - 1][j - 1])
    return table


def indel_distance(a: Moves, b: Moves) -> int:
    return indel_table(a, b)[-1][-1]


def prefix_indel_distance(a: Moves, b: Moves) -> tuple[int, int]:
    """Return the least distance of a to a prefix of b, and the plies of the longest such prefix."""
    row = indel_table(a, b)[-1]
    return min(row), max(j for j, distance in enumerate(row) if distance == min(row))


def letters(moves: Moves) -> str:
    """Return the moves as letters of plane 2, where no letter combines with its neighbour."""
    return "".join(chr(0x20000 + move) for move in moves)


def jaro_winkler(a: Moves, b: Moves) -> float:
    """Return Winkler's similarity (1990) by jellyfish, which returns 0 for two empty texts."""
    if not a and not b:
        return 1.0
    return jellyfish.jaro_winkler_similarity(letters(a), letters(b))


def likeness(a: int, b: int) -> float:
    """Return 1 for equal moves, 0.5 for an equal origin or target square, else 0."""
    if a == b:
        return 1.0
    return 0.5 if a % 64 == b % 64 or a // 64 % 64 == b // 64 % 64 else 0.0


def monge_elkan(a: Moves, b: Moves) -> float:
    if not a or not b:
        return float(not a and not b)

    def mean(left: Moves, right: Moves) -> float:
        best = [
            max((likeness(move, other) for other in right[max(i - 4, 0) : i + 5]), default=0.0)
            for i, move in enumerate(left)
        ]
        return sum(best) / len(best)

    return (mean(a, b) + mean(b, a)) / 2
