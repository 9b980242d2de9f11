"""The moves by which two records of a game differ, for people to read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ocgdedup._kernels.find_copies import CopyFinder
from ocgdedup._kernels.move_decode import decode_san
from ocgdedup.matching.move_differences import Difference, differences, joined
from ocgdedup.model import plies_of
from ocgdedup.pipeline.go_records import sgf_moves
from ocgdedup.wording import counted

_MOST_LINES = 12
_MOST_MOVES = 6  # of a line
_BETWEEN = 2  # moves that are the same, told with those around them


class Mainlines(NamedTuple):
    """Two mainlines as texts, the second of Go turned to lie as the first.

    `place`: what a half-move, counted from 0, is called.
    """

    left: list[str]
    right: list[str]
    place: Callable[[int], str]


def mainlines_of(finder: CopyFinder, first: int, second: int) -> Mainlines | None:
    """Return the moves of two games; None if they start, or move, in ways that cannot be told.

    Go: `W[cd]`. Chess: SAN, from the standard start alone.
    """
    left, right = finder.mainline(first), finder.mainline_beside(second, first)
    if finder.is_go:
        return Mainlines(sgf_moves(left), sgf_moves(right), _go_place)
    if finder.starts_elsewhere(first) or finder.starts_elsewhere(second):
        return None
    try:
        return Mainlines(decode_san(left), decode_san(right), _chess_place)
    except ValueError:  # moves that do not replay, of a database that OCGDB wrote
        return None


def slip_lines(finder: CopyFinder, first: int, second: int) -> list[str]:
    """Say which moves differ: "move 107: W[cd] - W[dc]", "move 12, Black: Nf6 - Nc6".

    Those by which one game only goes on at its end are left out. Raises KeyError for an unknown ID.
    """
    lines = mainlines_of(finder, first, second)
    if lines is None:
        return []
    left, right = finder.mainline(first), finder.mainline_beside(second, first)
    places = differences(plies_of(left), plies_of(right))
    inside = [place for place in places if not _is_end(place, len(lines.left), len(lines.right))]
    slips = joined(inside, _BETWEEN)
    if not slips:
        return []
    shown = [f"  {_line(place, lines)}" for place in slips[:_MOST_LINES]]
    if len(slips) > _MOST_LINES:
        shown.append(f"  and in {counted(len(slips) - _MOST_LINES, 'more place')}")
    return ["Moves that differ (first game - second game):", *shown]


def _is_end(place: Difference, left: int, right: int) -> bool:
    return (place.left_start == place.left_end == left) or (
        place.right_start == place.right_end == right
    )


def _line(place: Difference, lines: Mainlines) -> str:
    own = _moves(lines.left[place.left_start : place.left_end])
    other = _moves(lines.right[place.right_start : place.right_end])
    return f"{lines.place(place.left_start)}: {own} - {other}"


def _moves(moves: Sequence[str]) -> str:
    if not moves:
        return "no move"
    more = f" and {len(moves) - _MOST_MOVES} more" if len(moves) > _MOST_MOVES else ""
    return " ".join(moves[:_MOST_MOVES]) + more


def _go_place(ply: int) -> str:
    return f"move {ply + 1}"


def _chess_place(ply: int) -> str:
    return f"move {ply // 2 + 1}, {'Black' if ply % 2 else 'White'}"


def chess_number(ply: int) -> str:
    """Return the number of a half-move, counted from 0: "12." of White, "12..." of Black."""
    return f"{ply // 2 + 1}{'...' if ply % 2 else '.'}"
