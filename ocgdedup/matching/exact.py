"""Exact copies: the same start position and the same move blob, byte for byte.

A hash only proposes; the whole blobs of the candidates decide. Pure functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

Candidate = tuple[int, int, str | None, bytes]
# The move blob, with the start position where it is not the standard one.
Content = bytes | tuple[str, bytes]


def equal_groups(
    candidates: Iterable[Candidate], start_epd: Callable[[str], str | None]
) -> list[list[int]]:
    """Return groups of two or more IDs of equal games, each with its lowest ID first.

    `candidates`: (hash, ID, FEN or None, move blob), those of one hash together and by rising
    ID. `start_epd` brings a FEN to its normal form, None for the standard start: counters do not
    make two positions.
    """
    groups: list[list[int]] = []
    same_hash: dict[Content, list[int]] = {}
    last_hash: int | None = None
    for move_hash, game_id, fen, blob in candidates:
        if move_hash != last_hash:
            groups.extend(same_hash.values())
            same_hash = {}
            last_hash = move_hash
        start = None if fen is None else start_epd(fen)
        content: Content = blob if start is None else (start, blob)
        if content in same_hash:
            same_hash[content].append(game_id)
        else:
            same_hash[content] = [game_id]
    groups.extend(same_hash.values())
    return sorted(ids for ids in groups if len(ids) > 1)
