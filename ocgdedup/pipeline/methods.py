"""OCGDB's study on one's own games: what six keys report as copies, and what moves say to that.

Reads only. The keys were computed when the games were loaded, so that what is timed is the
search alone: grouping by the key and comparing whole moves.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import apsw

from ocgdedup._kernels.move_decode import start_epd
from ocgdedup.matching.hash_methods import count_groups
from ocgdedup.store.hash_groups import METHODS, keyed_games
from ocgdedup.store.variant import holds_go

_STANDARD_EPD = start_epd("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")


class MethodResult(NamedTuple):
    """What one method found. `reported` and `true` count games after the first of a group.

    `rejected` is what verification threw out of `reported`; `reported_pairs` and `true_pairs`
    count every two games of a group. Times are wall and processor seconds, verification included.
    """

    method: str
    reported: int
    true: int
    rejected: int
    groups: int
    reported_pairs: int
    true_pairs: int
    elapsed_s: float
    cpu_s: float


def compare_methods(
    connection: apsw.Connection, methods: Sequence[str] = METHODS, min_plies: int = 1
) -> list[MethodResult]:
    """Run each method over all games of `min_plies` plies or more (1 at least); change nothing.

    Raises UsageError for an unknown method, and for a database without hash columns.
    """
    # Games without moves have all keys in common. SQLite's numbers end at 2**63.
    min_plies = min(max(1, min_plies), 2**31)
    # A start of Go is stored in one form.
    start = str if holds_go(connection) else _start
    return [_run(connection, method, min_plies, start) for method in methods]


def _run(
    connection: apsw.Connection, method: str, min_plies: int, start: Callable[[str], str | None]
) -> MethodResult:
    began_s, cpu_began_s = time.monotonic(), time.process_time()
    games = keyed_games(connection, method, min_plies)
    counts = count_groups(((game.key, game.fen, game.moves) for game in games), start)
    return MethodResult(
        method,
        counts.reported,
        counts.true,
        counts.reported - counts.true,
        counts.groups,
        counts.reported_pairs,
        counts.true_pairs,
        time.monotonic() - began_s,
        time.process_time() - cpu_began_s,
    )


def _start(fen: str) -> str | None:
    """Return the normal form of a start position; None for the standard one, as without a FEN."""
    epd = start_epd(fen)
    return None if epd == _STANDARD_EPD else epd
