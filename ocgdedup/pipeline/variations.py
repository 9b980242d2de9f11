"""Moves of duplicates as variations of their kept games: those that differ, those that go on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from ocgdedup._kernels.blob_compare import common_plies
from ocgdedup._kernels.find_copies import CopyFinder
from ocgdedup.matching.move_differences import differences
from ocgdedup.model import PLY_BYTES, plies_of
from ocgdedup.pipeline.slips import chess_number, mainlines_of
from ocgdedup.store.games import NOTE_COMMENT, NOTE_NAG, NOTE_VARIATION, Row
from ocgdedup.store.merged_notes import AddedVariation

_FORMS = {NOTE_COMMENT: "{{{}}}", NOTE_NAG: "${}", NOTE_VARIATION: "({})"}
_MOST_PLIES = 12  # of a variation: what differs further on, the copy itself shows


def differing_moves(
    finder: CopyFinder, joins: Iterable[tuple[int, int]]
) -> Iterator[AddedVariation]:
    """Yield a variation for each copy where it leaves its master: (master, copy) pairs.

    A variation begins with the copy's move instead of the master's, and goes on to where the
    two have the same moves again. Further on they may have come by other moves, so that a
    variation there might not replay. Of copies with the same variation the first one counts.
    Chess games that do not start from the standard position have none, and Go games that do not
    start alike. A copy of Go is turned to lie as its master.
    """
    seen: set[tuple[int, int, str]] = set()
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
        at = first * PLY_BYTES
        apart = _plies_apart(plies_of(blobs[0][at:]), plies_of(blobs[1][at:]))
        moves = right[first : first + min(apart, _MOST_PLIES)]
        # A branch of Go stands in the node before, instead of what follows there.
        ply = first - 1 if finder.is_go else first
        text = f"(;{';'.join(moves)})" if finder.is_go else _numbered(moves, first)
        if (master, ply, text) not in seen:  # copies of copies have the same slip
            seen.add((master, ply, text))
            yield AddedVariation(master, ply, text, copy)


def rest_of_moves(
    finder: CopyFinder, kept: int, duplicate: int, notes: Sequence[Row]
) -> str | None:
    """Write the moves by which a chess game goes on behind its kept game, with annotations there.

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


def _plies_apart(left: list[bytes], right: list[bytes]) -> int:
    """Return how many plies of the right, 1 at least, come before both have the same again."""
    return max(1, differences(left, right)[0].right_end)


def _numbered(moves: list[str], ply: int) -> str:
    """Write moves with their numbers, the first one being half-move `ply`, counted from 0."""
    words = []
    for number, move in enumerate(moves, ply):
        if number % 2 == 0 or number == ply:
            words.append(chess_number(number))
        words.append(move)
    return " ".join(words)
