"""A Go board as text: stones, the handicap points, and the moves with which two games go on."""

from __future__ import annotations

from collections.abc import Sequence

_EMPTY = "."
_HANDICAP = "+"
_SIGNS = ("1", "2")  # of the next moves of the left and the right game
_LETTERS = "abcdefghijklmnopqrstuvwxy"


def handicap_points(lines: int) -> set[tuple[int, int]]:
    """Return the points (column, row) that a board of some lines has marked."""
    if lines < 7:
        return set()
    edge = 3 if lines > 12 else 2
    ends = {edge, lines - 1 - edge}
    middle = {lines // 2} if lines % 2 else set()
    points = {(column, row) for column in ends for row in ends}
    points |= {(column, row) for column in middle for row in middle}
    if lines > 13:
        points |= {(a, b) for one in middle for end in ends for a, b in ((one, end), (end, one))}
    return points


def go_board_lines(rows: Sequence[str], moves: Sequence[str], game_ids: Sequence[int]) -> list[str]:
    """Draw a board of rows of "X", "O" and "."; columns and rows are lettered as SGF does.

    `moves`: the next move of either game as SGF writes it, "" where it has ended; their points
    are marked 1 and 2.
    """
    points = handicap_points(len(rows))
    signs = {
        (column, row): _HANDICAP if sign == _EMPTY and (column, row) in points else sign
        for row, line in enumerate(rows)
        for column, sign in enumerate(line)
    }
    for move, sign in reversed([*zip(moves, _SIGNS, strict=True)]):
        if len(move) > len("B[]"):
            signs[ord(move[2]) - 97, ord(move[3]) - 97] = sign
    letters = _LETTERS[: len(rows)]
    lines = [
        f"{letter}  {' '.join(signs[column, row] for column in range(len(rows)))}"
        for row, letter in enumerate(letters)
    ]
    legend = [
        f"   {sign}: {move or 'the end'} of game {game_id}"
        for sign, move, game_id in zip(_SIGNS, moves, game_ids, strict=True)
    ]
    return [f"   {' '.join(letters)}", *lines, "   X Black, O White", *legend]
