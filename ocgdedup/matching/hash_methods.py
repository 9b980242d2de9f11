"""Count the duplicates that a key reports, and how many of them have equal moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

# (key, FEN or None, move blob)
KeyedGame = tuple[Hashable, str | None, bytes]


class KeyCounts(NamedTuple):
    """What a key reports, in games and in pairs.

    A group is two or more games with one key. In games, each game of a group after the first is
    reported: so counts a program that looks a key up and stores it if it is new. In pairs, a game
    is reported once for each game before it: so OCGDB counts verified duplicates. `true` counts
    games with equal moves and an equal start in the same way. A group of n games with k different
    mainlines reports n - 1 games, and n - k of them are true.
    """

    groups: int = 0
    reported: int = 0
    true: int = 0
    reported_pairs: int = 0
    true_pairs: int = 0


def count_groups(games: Iterable[KeyedGame], start_epd: Callable[[str], str | None]) -> KeyCounts:
    """Count what a key reports; `games` must be sorted by key.

    `start_epd` returns the normal form of a FEN, None for the standard start. The moves of one
    group at a time are in memory, equal blobs once.
    """
    groups = reported = true = reported_pairs = true_pairs = 0
    for _, members in groupby(games, key=itemgetter(0)):
        parts = Counter((start_epd(fen) if fen else None, blob) for _, fen, blob in members)
        size = parts.total()
        if size == 1:
            continue
        groups += 1
        reported += size - 1
        true += size - len(parts)
        reported_pairs += _pairs(size)
        true_pairs += sum(map(_pairs, parts.values()))
    return KeyCounts(groups, reported, true, reported_pairs, true_pairs)


def _pairs(size: int) -> int:
    return size * (size - 1) // 2
