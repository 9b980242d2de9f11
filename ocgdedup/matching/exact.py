"""Exact copies: the same start position and the same move blob, byte for byte.

A hash only proposes; the whole blobs of the candidates decide. Pure functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from operator import itemgetter

Candidate = tuple[int, int, str | None, bytes]


def equal_groups(
    candidates: Iterable[Candidate], start_epd: Callable[[str], str | None]
) -> list[list[int]]:
    """Return groups of two or more IDs of equal games, each with its lowest ID first.

    `candidates`: (hash, ID, FEN or None, move blob), those of one hash together and by rising
    ID. `start_epd` brings a FEN to its normal form: counters do not make two positions.
    """
    groups: list[list[int]] = []
    for _, same_hash in groupby(candidates, key=itemgetter(0)):
        by_content: dict[tuple[str | None, bytes], list[int]] = {}
        for _, game_id, fen, blob in same_hash:
            start = None if fen is None else start_epd(fen)
            by_content.setdefault((start, blob), []).append(game_id)
        groups.extend(ids for ids in by_content.values() if len(ids) > 1)
    groups.sort()
    return groups
