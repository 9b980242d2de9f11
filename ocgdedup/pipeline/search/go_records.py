"""Go games as people read them: moves as SGF writes them, boards, and rotations.

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
    every = move_texts(b"".join(number.to_bytes(PLY_BYTES, "little") for number in numbers))
    return {number: f"{text[0]}[{text[1:]}]" for number, text in zip(numbers, every, strict=True)}


def lines_of(start: str | None) -> int:
    """Return the lines of the board of a start as it is stored; None is the usual board."""
    match = _LINES.match(start or "")
    return int(match[1]) if match else USUAL_LINES


def stones_of(start: str | None) -> dict[str, list[str]]:
    """Return the points of the stones of a start by their property, AB or AW."""
    stones: dict[str, list[str]] = {}
    for name, points in _STONES.findall(start or ""):
        stones.setdefault(name, []).extend(points[1:-1].split("]["))
    return stones


def rotated_point(point: str, lines: int, symmetry: int) -> str:
    """Return the letters of a point on the rotated board; a sign that is no letter stays one.

    `symmetry`: 0 to 7, as kernels/go/go_symmetry.pxd numbers them.
    """
    letters = point[1::-1] if symmetry & 2 else point[:2]
    flips = symmetry & 4, symmetry.bit_count() & 1
    return "".join(
        chr(2 * ord("a") + lines - 1 - ord(letter)) if is_mirrored and letter.isalpha() else letter
        for letter, is_mirrored in zip(letters, flips, strict=True)
    )


def start_of(lines: int, stones: Mapping[str, Iterable[str]]) -> str:
    """Return a start as it is stored: points by their property, sorted, none twice."""
    parts = [f"SZ[{lines}]"]
    for name, points in sorted(stones.items()):
        if points:
            parts.append(f"{name}[{']['.join(sorted(set(points)))}]")
    return "".join(parts)


def normal_start(start: str | None) -> str | None:
    """Return a start in the form in which it is stored: points sorted, none twice.

    The usual board without stones has none.
    """
    stones, lines = stones_of(start), lines_of(start)
    return start_of(lines, stones) if stones or lines != USUAL_LINES else None


def rotated_start(start: str | None, symmetry: int) -> str | None:
    """Return a start on the rotated board, in the form in which it is stored."""
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

    0, as it stands, unless another makes half of the shorter game's moves the same, passes left
    out, or, where one has none, the starts. Boards of different sizes are never rotated.
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
    """Count equal moves: at the start and, if one was left out, at the end, or all over."""
    shared = common_plies(left, right)
    everywhere: int = sum(map(eq, _numbers(left), _numbers(right)))
    ends = shared + common_tail(left[PLY_BYTES * shared :], right[PLY_BYTES * shared :])
    return max(ends, everywhere)


def _numbers(moves: bytes) -> array[int]:
    numbers = array("H", moves)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
