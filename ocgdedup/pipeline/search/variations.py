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

    `place`: what a half-move is called, with its number in braces.
    """

    left: list[str]
    right: list[str]
    place: str


def mainlines_of(finder: DuplicateFinder, first: int, second: int) -> Mainlines | None:
    """Return the moves of two games; None if they start or move in ways that cannot be shown.

    Go: `W[cd]`. Chess: SAN, from the standard start alone.
    """
    left, right = finder.mainline(first), finder.mainline_beside(second, first)
    if finder.is_go:
        return Mainlines(sgf_moves(left), sgf_moves(right), "move {move}")
    if finder.starts_elsewhere(first) or finder.starts_elsewhere(second):
        return None
    try:
        return Mainlines(decode_san(left), decode_san(right), "move {full_move}, {side}")
    except ValueError:  # moves that do not replay, of a database written by OCGDB
        return None


def slip_lines(finder: DuplicateFinder, first: int, second: int) -> list[str]:
    """Say which moves differ: "move 107: W[cd] - W[dc]", "move 12, Black: Nf6 - Nc6".

    Those by which one game only goes on at its end are left out. Raises KeyError for an unknown ID.
    """
    lines = mainlines_of(finder, first, second)
    if lines is None:
        return []
    left, right = finder.mainline(first), finder.mainline_beside(second, first)
    places = differences(plies_of(left), plies_of(right))
    inside = [
        place
        for place in places
        if not place.left_start == place.left_end == len(lines.left)
        and not place.right_start == place.right_end == len(lines.right)
    ]
    slips = joined(inside, _BETWEEN)
    if not slips:
        return []
    shown = [f"  {_line(place, lines)}" for place in slips[:_MOST_SLIPS_SHOWN]]
    if len(slips) > _MOST_SLIPS_SHOWN:
        shown.append(f"  and in {counted(len(slips) - _MOST_SLIPS_SHOWN, 'more place')}")
    return ["Moves that differ (first game - second game):", *shown]


def _line(place: Difference, lines: Mainlines) -> str:
    own = _moves(lines.left[place.left_start : place.left_end])
    other = _moves(lines.right[place.right_start : place.right_end])
    ply = place.left_start
    side = "Black" if ply % 2 else "White"
    name = lines.place.format(move=ply + 1, full_move=ply // 2 + 1, side=side)
    return f"{name}: {own} - {other}"


def _moves(moves: Sequence[str]) -> str:
    if not moves:
        return "no move"
    more = f" and {len(moves) - _MOST_MOVES_SHOWN} more" if len(moves) > _MOST_MOVES_SHOWN else ""
    return " ".join(moves[:_MOST_MOVES_SHOWN]) + more


def chess_number(ply: int) -> str:
    """Return the number of a half-move, counted from 0: "12." of White, "12..." of Black."""
    return f"{ply // 2 + 1}{'...' if ply % 2 else '.'}"


_FORMS = {NOTE_COMMENT: "{{{}}}", NOTE_NAG: "${}", NOTE_VARIATION: "({})"}
_VARIATION_PLIES = 12  # of a variation: the duplicate itself shows the rest


def differing_moves(
    finder: DuplicateFinder, joins: Iterable[tuple[int, int]]
) -> Iterator[AddedVariation]:
    """Yield a variation for each pair (kept game, duplicate), from their first difference on.

    A variation begins with the copy's move instead of the master's, and goes on to where the
    two have the same moves again. Further on they may have come by other moves, so that a
    variation there might not replay. Of copies with the same variation the first one counts.
    Chess games that do not start from the standard position have none, and Go games that do not
    start alike. In Go, the duplicate is first rotated to match the kept
    game.
    """
    yielded: set[tuple[int, int, str]] = set()
    for master, copy in joins:
        if not finder.starts_alike(master, copy):
            continue
        lines = mainlines_of(finder, master, copy)
        if lines is None:
            continue
        left, right = lines.left, lines.right
        blobs = finder.mainline(master), finder.mainline_beside(copy, master)
        first = common_plies(*blobs)
        if first in (len(left), len(right)):
            continue  # one is the start of the other: nothing is played instead of anything
        rests = [plies_of(blob[first * PLY_BYTES :]) for blob in blobs]
        # Plies of the right, 1 at least, before both have the same again.
        apart = max(1, differences(*rests)[0].right_end)
        moves = right[first : first + min(apart, _VARIATION_PLIES)]
        ply, text = first, _numbered(moves, first)
        if finder.is_go:  # a branch belongs to the node before, as an alternative to what follows
            ply, text = first - 1, f"(;{';'.join(moves)})"
        if (master, ply, text) not in yielded:  # several duplicates can have the same slip
            yielded.add((master, ply, text))
            yield AddedVariation(master, ply, text, copy)


def rest_of_moves(
    finder: DuplicateFinder, kept: int, duplicate: int, notes: Sequence[Row]
) -> str | None:
    """Write the moves of a chess game after the end of its kept game, with annotations.

    The variation begins with the last move of the kept game, whose place it takes. None if it
    cannot be written: the kept game has no moves, or a comment has a closing brace or is no text.
    """
    lines = None if finder.is_go else mainlines_of(finder, kept, duplicate)
    if lines is None or not lines.left:
        return None
    first = len(lines.left) - 1
    words = [chess_number(first), lines.right[first]]
    needs_number = False
    by_ply = {ply: list(some) for ply, some in groupby(notes, itemgetter(0))}
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
    """Write moves with their numbers, the first one being half-move `ply`, counted from 0."""
    words = []
    for number, move in enumerate(moves, ply):
        if number % 2 == 0 or number == ply:
            words.append(chess_number(number))
        words.append(move)
    return " ".join(words)
