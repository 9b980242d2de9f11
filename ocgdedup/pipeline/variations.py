"""The moves by which a nearly equal copy differs, as variations for its master."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

from ocgdedup._kernels.blob_compare import common_plies
from ocgdedup._kernels.find_copies import CopyFinder
from ocgdedup._kernels.move_decode import decode_san
from ocgdedup.store.merged_notes import AddedVariation

_MOST_PLIES = 12  # of a variation: what differs further on, the copy itself shows
_PLY_BYTES = 2


def differing_moves(
    finder: CopyFinder, joins: Iterable[tuple[int, int]]
) -> Iterator[AddedVariation]:
    """Yield a variation for each copy where it leaves its master: (master, copy) pairs.

    A variation begins with the copy's move instead of the master's, and goes on to where the
    two have the same moves again. Further on they may have come by other moves, so that a
    variation there might not replay. Of copies with the same variation the first one counts.
    Games that do not start from the standard position have none.
    """
    seen: set[tuple[int, int, str]] = set()
    for master, copy in joins:
        if finder.starts_elsewhere(master) or finder.starts_elsewhere(copy):
            continue
        left, right = finder.mainline(master), finder.mainline(copy)
        first = common_plies(left, right)
        at = first * _PLY_BYTES
        if at == len(left) or at == len(right):
            continue  # one is the start of the other: nothing is played instead of anything
        try:
            san = decode_san(right)
        except ValueError:
            continue  # moves that do not replay, of a database that OCGDB wrote
        last = first + min(_plies_apart(_plies(left[at:]), _plies(right[at:])), _MOST_PLIES)
        text = _numbered(san[first:last], first)
        if (master, first, text) not in seen:  # copies of copies have the same slip
            seen.add((master, first, text))
            yield AddedVariation(master, first, text, copy)


def _plies_apart(left: list[bytes], right: list[bytes]) -> int:
    """Return how many plies of the right, 1 at least, come before both have the same again."""
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    return max(1, next(first for _, first, _ in matcher.get_matching_blocks()))


def _plies(blob: bytes) -> list[bytes]:
    return [blob[at : at + _PLY_BYTES] for at in range(0, len(blob), _PLY_BYTES)]


def _numbered(moves: list[str], ply: int) -> str:
    """Write moves with their numbers, the first one being half-move `ply`, counted from 0."""
    words = []
    for number, move in enumerate(moves, ply):
        if number % 2 == 0:
            words.append(f"{number // 2 + 1}.")
        elif number == ply:
            words.append(f"{number // 2 + 1}...")
        words.append(move)
    return " ".join(words)
