"""Moves in which two records of a game differ: for people to read, and as variations to store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from ocgdedup._kernels.chess import decode_san
from ocgdedup._kernels.search import DuplicateFinder, common_plies
from ocgdedup.matching.move_differences import Difference, differences, joined
from ocgdedup.model import PLY_BYTES, plies_of
from ocgdedup.pipeline.search.go_records import sgf_moves
from ocgdedup.store.games import Row
from ocgdedup.store.merges import AddedVariation
from ocgdedup.thresholds import NOTE_COMMENT, NOTE_NAG, NOTE_VARIATION
from ocgdedup.wording import counted

_MOST_SLIPS_SHOWN = 12
_MOST_MOVES_SHOWN = 6  # of a line
_BETWEEN = 2  # equal moves between differences that are reported together


class Mainlines(NamedTuple):
    """Two mainlines as texts; a second Go mainline has the orientation of the first.

    `move_format`: a format for the name of a ply, as "move {move}".
    """

    left: list[str]
    right: list[str]
    move_format: str


def mainlines_of(finder: DuplicateFinder, first: int, second: int) -> Mainlines | None:
    """Return the moves of two games; None if their moves do not replay from the standard start.

    Chess moves are in SAN, Go moves as `W[cd]`.
    """
    left, right = finder.mainline(first), finder.mainline_beside(second, first)
    if finder.is_go:
        return Mainlines(sgf_moves(left), sgf_moves(right), "move {move}")
    if finder.starts_elsewhere(first) or finder.starts_elsewhere(second):
        return None
    try:
        return Mainlines(decode_san(left), decode_san(right), "move {full_move}, {side}")
    except ValueError:  # moves that do not replay, only in files of OCGDB
        return None


def slip_lines(finder: DuplicateFinder, first: int, second: int) -> list[str]:
    """Describe the moves that differ: "move 107: W[cd] - W[dc]", "move 12, Black: Nf6 - Nc6".

    Moves after the end of the shorter game are left out. Raises KeyError for an unknown ID.
    """
    lines = mainlines_of(finder, first, second)
    if lines is None:
        return []
    left, right = finder.mainline(first), finder.mainline_beside(second, first)
    inside = [
        slip
        for slip in differences(plies_of(left), plies_of(right))
        if not slip.left_start == slip.left_end == len(lines.left)
        and not slip.right_start == slip.right_end == len(lines.right)
    ]
    slips = joined(inside, _BETWEEN)
    if not slips:
        return []
    shown = [f"  {_line(slip, lines)}" for slip in slips[:_MOST_SLIPS_SHOWN]]
    if len(slips) > _MOST_SLIPS_SHOWN:
        shown.append(f"  and in {counted(len(slips) - _MOST_SLIPS_SHOWN, 'more place')}")
    return ["Moves that differ (first game - second game):", *shown]


def _line(slip: Difference, lines: Mainlines) -> str:
    left = _moves(lines.left[slip.left_start : slip.left_end])
    right = _moves(lines.right[slip.right_start : slip.right_end])
    ply = slip.left_start
    side = "Black" if ply % 2 else "White"
    name = lines.move_format.format(move=ply + 1, full_move=ply // 2 + 1, side=side)
    return f"{name}: {left} - {right}"


def _moves(moves: Sequence[str]) -> str:
    if not moves:
        return "no move"
    more = f" and {len(moves) - _MOST_MOVES_SHOWN} more" if len(moves) > _MOST_MOVES_SHOWN else ""
    return " ".join(moves[:_MOST_MOVES_SHOWN]) + more


def chess_number(ply: int) -> str:
    """Return the move number of a ply, counted from 0: "12." of White, "12..." of Black."""
    return f"{ply // 2 + 1}{'...' if ply % 2 else '.'}"


_FORMS = {NOTE_COMMENT: "{{{}}}", NOTE_NAG: "${}", NOTE_VARIATION: "({})"}
_VARIATION_PLIES = 12  # of a variation: the duplicate itself shows the rest


def differing_moves(
    finder: DuplicateFinder, pairs: Iterable[tuple[int, int]]
) -> Iterator[AddedVariation]:
    """Yield a variation for each pair (kept game, duplicate), from their first difference on.

    A variation begins with the duplicate's move instead of the kept game's, and ends where both
    have the same moves again: later positions may differ, so that a variation there might not
    replay. Equal variations of a kept game are yielded once. Chess games that do not start from the
    standard position and Go games that start differently have none. In Go, the duplicate is first
    rotated to match the kept game.
    """
    yielded: set[tuple[int, int, str]] = set()
    for kept_game, duplicate in pairs:
        if not finder.starts_alike(kept_game, duplicate):
            continue
        lines = mainlines_of(finder, kept_game, duplicate)
        if lines is None:
            continue
        left, right = lines.left, lines.right
        blobs = finder.mainline(kept_game), finder.mainline_beside(duplicate, kept_game)
        first = common_plies(*blobs)
        if first in (len(left), len(right)):
            continue  # one game only continues the other
        rests = [plies_of(blob[first * PLY_BYTES :]) for blob in blobs]
        # The plies of the duplicate, at least 1, before both games have the same moves again.
        plies = max(1, differences(*rests)[0].right_end)
        moves = right[first : first + min(plies, _VARIATION_PLIES)]
        ply, text = first, _numbered(moves, first)
        if finder.is_go:  # SGF attaches a branch to the node before it
            ply, text = first - 1, f"(;{';'.join(moves)})"
        if (kept_game, ply, text) not in yielded:
            yielded.add((kept_game, ply, text))
            yield AddedVariation(kept_game, ply, text, duplicate)


def rest_of_moves(
    finder: DuplicateFinder, kept: int, duplicate: int, notes: Sequence[Row]
) -> str | None:
    """Return a variation with the moves of a duplicate after the end of its kept game.

    The variation begins with the last move of the kept game, which it replaces, and has the
    annotations `notes`. None for Go, if the kept game has no moves, and if a comment has a closing
    brace or is not a text.
    """
    lines = None if finder.is_go else mainlines_of(finder, kept, duplicate)
    if lines is None or not lines.left:
        return None
    first = len(lines.left) - 1
    words = [chess_number(first), lines.right[first]]
    needs_number = False
    by_ply = {ply: list(at_ply) for ply, at_ply in groupby(notes, itemgetter(0))}
    for ply, move in enumerate(lines.right[first + 1 :], first + 1):
        if ply % 2 == 0 or needs_number:
            words.append(chess_number(ply))
        words.append(move)
        needs_number = False
        for _, _, kind, value in by_ply.get(ply, ()):
            needs_number = needs_number or kind != NOTE_NAG
            if kind == NOTE_COMMENT and (not isinstance(value, str) or "}" in value):
                return None
            words.append(_FORMS[kind].format(value))
    return " ".join(words)


def _numbered(moves: list[str], ply: int) -> str:
    """Return moves with their numbers; `ply`: the index of the first move, from 0."""
    words = []
    for number, move in enumerate(moves, ply):
        if number % 2 == 0 or number == ply:
            words.append(chess_number(number))
        words.append(move)
    return " ".join(words)
