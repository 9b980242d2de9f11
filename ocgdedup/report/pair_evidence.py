"""Two games beside each other with the board where they part, and what speaks for one game."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from ocgdedup.pipeline.pairs import ShownPair, fen_before_difference
from ocgdedup.report.side_by_side import MIN_WIDTH, pair_text

_BESIDE = 70  # width from which the evidence stands beside the board, not under it
_BETWEEN = "   "


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
    fen = fen_before_difference(pair)
    board = [] if fen is None else board_lines(fen)
    lines = list(_beside(board, evidence, width) if width >= _BESIDE else _below(board, evidence))
    if width < _BESIDE:
        lines = [part for line in lines for part in _wrapped(line, width)]
    if pair.suspicion is not None:  # its evidence in short is the same
        pair = pair._replace(suspicion=pair.suspicion._replace(evidence=None))
    text = pair_text(pair, title=title, width=width, is_coloured=is_coloured)
    return "\n".join([text.rstrip("\n"), "-" * width, *lines]) + "\n"


def board_lines(fen: str) -> list[str]:
    """Draw a position: White's pieces are capitals, White is below."""
    board, turn = fen.split()[:2]
    lines = []
    for number, rank in zip("87654321", board.split("/"), strict=True):
        squares = "".join("." * int(sign) if sign.isdigit() else sign for sign in rank)
        lines.append(f"{number}  {' '.join(squares)}")
    return [*lines, "   a b c d e f g h", f"   {'White' if turn == 'w' else 'Black'} to move"]


def _beside(board: Sequence[str], evidence: Sequence[str], width: int) -> Iterator[str]:
    column = max(map(len, board), default=-len(_BETWEEN))
    room = width - column - len(_BETWEEN)
    lines = [part for line in evidence for part in _wrapped(line, room)]
    for left, right in zip_longest(board, lines, fillvalue=""):
        yield (f"{left:{column}}{_BETWEEN}{right}" if board else right).rstrip()


def _below(board: Sequence[str], evidence: Sequence[str]) -> Iterator[str]:
    yield from board
    yield from [""] if board else []
    yield from evidence


def _wrapped(line: str, width: int) -> list[str]:
    """Break a line, its blanks kept; what comes after the break stands further in."""
    indent = " " * (len(line) - len(line.lstrip()))
    return textwrap.wrap(
        line, width, drop_whitespace=True, subsequent_indent=f"{indent}  ", replace_whitespace=False
    )
