"""Two games side by side, the board where they diverge, and the evidence that they are one game."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from itertools import zip_longest

from ocgdedup.pipeline.search.pairs import (
    ShownPair,
    board_before_difference,
    fen_before_difference,
    first_different_moves,
)
from ocgdedup.reports.side_by_side import MIN_WIDTH, folded_lines, pair_text
from ocgdedup.reports.terminal_text import printable

_EMPTY = "."
_HANDICAP = "+"
_SIGNS = ("1", "2")  # of the next moves of the left and the right game
_LETTERS = "abcdefghijklmnopqrstuvwxy"


def handicap_points(lines: int) -> set[tuple[int, int]]:
    """Return the points (column, row) that are marked on a board of this size."""
    if lines < 7:
        return set()
    edge = 3 if lines > 12 else 2
    ends = {edge, lines - 1 - edge}
    middle = {lines // 2} if lines % 2 else set()
    points = {(column, row) for column in ends for row in ends}
    points |= {(column, row) for column in middle for row in middle}
    if lines > 13:
        points |= {
            (a, b) for centre in middle for end in ends for a, b in ((centre, end), (end, centre))
        }
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


_LEAST_WIDTH = 49  # of the evidence beside the board; if narrower, it goes below the board
_BETWEEN = "   "
_TERM = re.compile(r"  \w+ +([+-]\d+\.\d)\b")


def evidence_text(
    pair: ShownPair,
    evidence: Sequence[str],
    *,
    title: str = "",
    width: int = 80,
    is_coloured: bool = False,
) -> str:
    """Return a pair as pair_text() does, then the board and the lines of `evidence`."""
    width = max(width, MIN_WIDTH)
    lines = _with_board(pair, evidence, width, between=[""])
    if pair.state is not None:  # its evidence in short is the same
        pair = pair._replace(state=pair.state._replace(evidence=""))
    text = pair_text(pair, title=title, width=width, is_coloured=is_coloured)
    return "\n".join([text.rstrip("\n"), "-" * width, *lines]) + "\n"


def screen_lines(
    pair: ShownPair,
    evidence: Sequence[str],
    *,
    title: str = "",
    width: int = 80,
    is_coloured: bool = False,
) -> list[str]:
    """Return the most important lines about a pair, for a screen of 80 x 24.

    Fields that differ are side by side, equal fields in one line; then the next moves of both games
    and the board with the terms of the score beside it. evidence_text() has everything.
    """
    width = max(width, MIN_WIDTH)
    terms = [line.strip() for line in evidence if _is_shown_term(line)]
    terms.sort(key=_rank)  # so that a small screen cuts off a term, not the verdict
    folded = folded_lines(pair, title=title, width=width, is_coloured=is_coloured)
    return [*folded, *_with_board(pair, terms, width)]


def _is_shown_term(line: str) -> bool:
    """Return whether a line of the evidence is a term that counts, the sum, or the verdict."""
    term = _TERM.match(line)
    return float(term[1]) != 0 if term else line.startswith("Verdict")


def _rank(term: str) -> int:
    """Return 0 for the verdict, 1 for the sum, 2 for all others, which keep their order."""
    return 0 if term.startswith("Verdict") else 1 if term.startswith("sum") else 2


def _board(pair: ShownPair) -> list[str]:
    """Draw the position where two games diverge; nothing if they do not."""
    rows = board_before_difference(pair)
    if rows is not None:
        ids = (pair.left.game_id, pair.right.game_id)
        return go_board_lines(rows, first_different_moves(pair), ids)
    fen = fen_before_difference(pair)
    return [] if fen is None else board_lines(fen)


def board_lines(fen: str) -> list[str]:
    """Draw a position: White's pieces are capitals, White is below."""
    board, turn = fen.split()[:2]
    lines = []
    for number, rank in zip("87654321", board.split("/"), strict=True):
        squares = "".join("." * int(sign) if sign.isdigit() else sign for sign in rank)
        lines.append(f"{number}  {' '.join(squares)}")
    return [*lines, "   a b c d e f g h", f"   {'White' if turn == 'w' else 'Black'} to move"]


def _with_board(
    pair: ShownPair, evidence: Sequence[str], width: int, between: Sequence[str] = ()
) -> list[str]:
    """Return the evidence beside the board, or below it, after `between`, if it is too narrow."""
    board = _board(pair)
    column = max(map(len, board), default=0)
    beside = width - column - len(_BETWEEN) if board else width
    if beside < _LEAST_WIDTH:
        wrapped = [part for line in evidence for part in _wrapped(line, width)]
        return [*board, *(between if board else ()), *wrapped]
    lines = [part for line in evidence for part in _wrapped(line, beside)]
    if not board:
        return [line.rstrip() for line in lines]
    return [
        f"{left:{column}}{_BETWEEN}{right}".rstrip()
        for left, right in zip_longest(board, lines, fillvalue="")
    ]


def _wrapped(line: str, width: int) -> list[str]:
    """Break a line, keeping its blanks; continuation lines are indented."""
    line = printable(line)
    indent = " " * (len(line) - len(line.lstrip()))
    return textwrap.wrap(
        line, width, drop_whitespace=True, subsequent_indent=f"{indent}  ", replace_whitespace=False
    )
