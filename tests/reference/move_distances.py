"""How alike two lists of moves are, by the definitions: the slow twins of blob_compare."""

from __future__ import annotations

from collections.abc import Sequence

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


def jaro(a: Moves, b: Moves) -> float:
    """Return Jaro's similarity: common moves in a window, half of those out of order taken off."""
    if not a and not b:
        return 1.0
    window = max(max(len(a), len(b)) // 2 - 1, 0)
    places_in_b: list[int] = []  # in the order of a
    for i, move in enumerate(a):
        for j in range(max(i - window, 0), min(i + window + 1, len(b))):
            if b[j] == move and j not in places_in_b:
                places_in_b.append(j)
                break
    common = len(places_in_b)
    if not common:
        return 0.0
    pairs = zip(places_in_b, sorted(places_in_b), strict=True)
    out_of_order = sum(b[i] != b[j] for i, j in pairs)
    return (common / len(a) + common / len(b) + (common - out_of_order // 2) / common) / 3


def jaro_winkler(a: Moves, b: Moves) -> float:
    similarity = jaro(a, b)
    if similarity > 0.7:
        similarity += 0.1 * common_plies(a[:4], b[:4]) * (1 - similarity)
    return similarity


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
