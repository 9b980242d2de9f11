"""The moves by which a nearly equal copy differs, as variations for its master."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ocgdedup._kernels.blob_compare import common_plies
from ocgdedup._kernels.find_copies import CopyFinder
from ocgdedup.matching.move_differences import differences
from ocgdedup.model import PLY_BYTES, plies_of
from ocgdedup.pipeline.slips import chess_number, mainlines_of
from ocgdedup.store.merged_notes import AddedVariation

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
