"""Go games to show: moves as SGF writes them, start positions, and rotations.

Two records of one game may show the board in different orientations. Before they are shown side by
side, the second is rotated to match the first.
"""

from __future__ import annotations

import re
import sys
from array import array
from collections.abc import Iterable, Mapping
from functools import lru_cache
from operator import eq

from ocgdedup._kernels.go import COLOUR, PASS, SYMMETRIES, move_texts, rotate_moves
from ocgdedup._kernels.search import common_plies, common_tail
from ocgdedup.model import MOST_LINES, PLY_BYTES, USUAL_LINES, plies_of

_LINES = re.compile(r"SZ\[([0-9]+)\]")
_STONES = re.compile(r"(A[BW])((?:\[[a-z]{2}\])+)")
_ROW_BITS = 5
_PASSES = frozenset((PASS | colour).to_bytes(PLY_BYTES, "little") for colour in (0, COLOUR))
_LEAST_ALIKE = 0.5  # of the moves of the shorter game


def sgf_moves(moves: bytes) -> list[str]:
    """Return the moves of a blob as SGF writes them: B[pd]; a pass is B[].

    Raises ValueError for a blob of odd length, and for an encoded move that is on no board.
    """
    texts = _sgf_texts()
    try:
        return [texts[number] for number in _numbers(moves)]
    except KeyError as error:
        raise ValueError(f"stored move 0x{error.args[0]:04x} is on no board") from error


@lru_cache(maxsize=1)
def _sgf_texts() -> dict[int, str]:
    """Return the text of each encoded move; a table is far faster than formatting each move."""
    points = [
        column | row << _ROW_BITS for column in range(MOST_LINES) for row in range(MOST_LINES)
    ]
    numbers = [point | colour for point in (*points, PASS) for colour in (0, COLOUR)]
    texts = move_texts(b"".join(number.to_bytes(PLY_BYTES, "little") for number in numbers))
    return {number: f"{text[0]}[{text[1:]}]" for number, text in zip(numbers, texts, strict=True)}


def lines_of(start: str | None) -> int:
    """Return the number of lines of the board of a stored start position; None: 19."""
    match = _LINES.match(start or "")
    return int(match[1]) if match else USUAL_LINES


def stones_of(start: str | None) -> dict[str, list[str]]:
    """Return the points of the setup stones of a start position, by property: AB or AW."""
    stones: dict[str, list[str]] = {}
    for name, points in _STONES.findall(start or ""):
        stones.setdefault(name, []).extend(points[1:-1].split("]["))
    return stones


def rotated_point(point: str, lines: int, symmetry: int) -> str:
    """Return the letters of a point on the rotated board; other characters are only swapped.

    `symmetry`: 0 to 7, numbered as in kernels/go/go_symmetry.pxd.
    """
    letters = point[1::-1] if symmetry & 2 else point[:2]
    flips = symmetry & 4, symmetry.bit_count() & 1
    return "".join(
        chr(2 * ord("a") + lines - 1 - ord(letter)) if is_mirrored and letter.isalpha() else letter
        for letter, is_mirrored in zip(letters, flips, strict=True)
    )


def start_of(lines: int, stones: Mapping[str, Iterable[str]]) -> str:
    """Return a start position in its stored form: points by property, sorted and unique."""
    parts = [f"SZ[{lines}]"]
    for name, points in sorted(stones.items()):
        if points:
            parts.append(f"{name}[{']['.join(sorted(set(points)))}]")
    return "".join(parts)


def normal_start(start: str | None) -> str | None:
    """Return the stored form of a start position; None for an empty board of 19 lines."""
    stones, lines = stones_of(start), lines_of(start)
    return start_of(lines, stones) if stones or lines != USUAL_LINES else None


def rotated_start(start: str | None, symmetry: int) -> str | None:
    """Return the stored form of a start position on the rotated board."""
    if not start or not symmetry:
        return start
    lines = lines_of(start)
    stones = {
        name: [rotated_point(point, lines, symmetry) for point in points]
        for name, points in stones_of(start).items()
    }
    return start_of(lines, stones)


def best_symmetry(
    left: bytes, right: bytes, left_start: str | None = None, right_start: str | None = None
) -> int:
    """Return the symmetry by which the start and most moves of the second game match the first.

    Without passes, it must make at least half of the shorter game's moves equal; else the result
    is 0, no rotation. If a game has no moves, the start positions decide. Boards of different sizes
    are never rotated.
    """
    lines = lines_of(left_start)
    if lines != lines_of(right_start):
        return 0
    fitting = [n for n in range(SYMMETRIES) if rotated_start(right_start, n) == left_start]
    symmetries = fitting or range(SYMMETRIES)
    left, right = (
        b"".join(ply for ply in plies_of(moves) if ply not in _PASSES) for moves in (left, right)
    )
    least = _LEAST_ALIKE * min(len(left), len(right)) / PLY_BYTES
    if not least:
        return symmetries[0]
    if symmetries[0] == 0 and _alike(left, right) >= least:
        return 0
    alike = [_alike(left, rotate_moves(right, lines, symmetry)) for symmetry in symmetries]
    most = max(alike)
    return symmetries[alike.index(most)] if most >= least else 0


def _alike(left: bytes, right: bytes) -> int:
    """Count equal moves: at equal plies or, if more, at the start plus at the end."""
    shared = common_plies(left, right)
    everywhere: int = sum(map(eq, _numbers(left), _numbers(right)))
    ends = shared + common_tail(left[PLY_BYTES * shared :], right[PLY_BYTES * shared :])
    return max(ends, everywhere)


def _numbers(moves: bytes) -> array[int]:
    numbers = array("H", moves)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
