"""How many games a key calls copies, and how many of them their moves confirm. Pure functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

# (key, FEN or None, move blob)
KeyedGame = tuple[Hashable, str | None, bytes]


class KeyCounts(NamedTuple):
    """What a key reports, as games and as pairs.

    A group is all games of one key, two at least. Counted in games, each of a group after the
    first is reported, as a program counts that looks a key up and stores it if it is new. Counted
    in pairs, each is reported once for every one before it, which is OCGDB's count of verified
    duplicates. `true` is the same over the parts of the groups that have equal moves from an
    equal start, so a group of n games in k parts reports n - 1, and n - k of them are true.
    """

    groups: int = 0
    reported: int = 0
    true: int = 0
    reported_pairs: int = 0
    true_pairs: int = 0


def count_groups(games: Iterable[KeyedGame], start_epd: Callable[[str], str | None]) -> KeyCounts:
    """Count what a key reports, of games that come with those of one key together.

    `start_epd` brings a FEN to its normal form, None for the standard start. Holds the moves of
    one group at a time, each blob once.
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
