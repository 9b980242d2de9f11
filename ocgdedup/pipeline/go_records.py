"""Go games as people read them: moves as SGF writes them, boards, and boards turned alike.

Two records of one game may differ by how the board was turned when they were written down. Before
they are shown beside each other, the second is turned like the first.
"""

from __future__ import annotations

import re
import sys
from array import array
from functools import lru_cache
from operator import eq

from ocgdedup._kernels.blob_compare import common_plies, common_tail
from ocgdedup._kernels.go_moves import COLOUR, PASS, move_texts
from ocgdedup.model import MOST_LINES, USUAL_LINES

TURNS = 8  # as kernels/go_symmetry.pxd numbers them
_LINES = re.compile(r"SZ\[([0-9]+)\]")
_STONES = re.compile(r"(A[BW])((?:\[[a-z]{2}\])+)")
_ROW_BITS = 5
_MOVES = 2 * COLOUR  # numbers that a move can have
_LEAST_ALIKE = 0.5  # of the moves of the shorter game


def sgf_moves(moves: bytes) -> list[str]:
    """Return the moves of a blob as SGF writes them: B[pd]; a pass is B[].

    Raises ValueError for a blob of an odd length, and for a number that no move has.
    """
    texts = _sgf_texts()
    try:
        return [texts[number] for number in _numbers(moves)]
    except KeyError as error:
        raise ValueError(f"stored move 0x{error.args[0]:04x} is on no board") from error


@lru_cache(maxsize=1)
def _sgf_texts() -> dict[int, str]:
    """Return the text of each number: a table is far faster than to write each move."""
    points = [
        column | row << _ROW_BITS for column in range(MOST_LINES) for row in range(MOST_LINES)
    ]
    numbers = [point | colour for point in (*points, PASS) for colour in (0, COLOUR)]
    every = move_texts(b"".join(number.to_bytes(2, "little") for number in numbers))
    return {number: f"{text[0]}[{text[1:]}]" for number, text in zip(numbers, every, strict=True)}


def lines_of(start: str | None) -> int:
    """Return the lines of the board of a start as it is stored; None is the usual board."""
    found = _LINES.match(start or "")
    return int(found[1]) if found else USUAL_LINES


def stones_of(start: str | None) -> dict[str, list[str]]:
    """Return the points of the stones of a start by their property, AB or AW."""
    found: dict[str, list[str]] = {}
    for name, points in _STONES.findall(start or ""):
        found.setdefault(name, []).extend(points[1:-1].split("]["))
    return found


def turned_moves(moves: bytes, lines: int, turn: int) -> bytes:
    """Return a blob with the board turned; passes stay, and so does what is on no board."""
    if not turn:
        return moves
    table = _turn_table(lines, turn)
    turned = array("H", [table[move] if move < _MOVES else move for move in _numbers(moves)])
    if sys.byteorder == "big":
        turned.byteswap()
    return turned.tobytes()


def normal_start(start: str | None) -> str | None:
    """Return a start in the form in which it is stored: points sorted, none twice.

    The usual board without stones has none.
    """
    stones = stones_of(start)
    parts = [f"{name}[{']['.join(sorted(set(points)))}]" for name, points in sorted(stones.items())]
    lines = lines_of(start)
    return f"SZ[{lines}]{''.join(parts)}" if parts or lines != USUAL_LINES else None


def turned_start(start: str | None, turn: int) -> str | None:
    """Return a start with the board turned, in the form in which it is stored."""
    if not start or not turn:
        return start
    table = _turn_table(lines_of(start), turn)
    parts = [f"SZ[{lines_of(start)}]"]
    for name, points in stones_of(start).items():
        turned = sorted(_letters(table[_number(point)]) for point in points)
        parts.append(f"{name}[{']['.join(turned)}]")
    return "".join(parts)


def best_turn(left: bytes, right: bytes, lines: int) -> int:
    """Return the turn of the second game by which most of its moves are those of the first.

    0, as it stands, unless another makes half of the shorter game's moves the same.
    """
    least = _LEAST_ALIKE * min(len(left), len(right)) / 2
    if not least or _alike(left, right) >= least:
        return 0
    alike = [_alike(left, turned_moves(right, lines, turn)) for turn in range(TURNS)]
    most = max(alike)
    return alike.index(most) if most >= least else 0


def _alike(left: bytes, right: bytes) -> int:
    """Count equal moves: at the start and, if one was left out, at the end, or all over."""
    shared = common_plies(left, right)
    everywhere: int = sum(map(eq, _numbers(left), _numbers(right)))
    ends = shared + common_tail(left[2 * shared :], right[2 * shared :])
    return max(ends, everywhere)


def _numbers(moves: bytes) -> array[int]:
    numbers = array("H", moves)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


@lru_cache(maxsize=64)
def _turn_table(lines: int, turn: int) -> list[int]:
    """Return what each move becomes, by its number."""
    table = list(range(_MOVES))
    last = lines - 1
    for column in range(lines):
        for row in range(lines):
            x, y = (row, column) if turn & 2 else (column, row)
            x = last - x if turn & 4 else x
            y = last - y if (turn ^ turn >> 1 ^ turn >> 2) & 1 else y
            for colour in (0, COLOUR):
                table[column | row << _ROW_BITS | colour] = x | y << _ROW_BITS | colour
    return table


def _number(point: str) -> int:
    return (ord(point[0]) - 97) | (ord(point[1]) - 97) << _ROW_BITS


def _letters(point: int) -> str:
    return chr(97 + (point & 31)) + chr(97 + (point >> _ROW_BITS))
