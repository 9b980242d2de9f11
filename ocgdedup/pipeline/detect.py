"""Phase 3: find copies. As yet the exact ones."""

from __future__ import annotations

import apsw

from ocgdedup._kernels.move_decode import start_epd
from ocgdedup.matching.exact import equal_groups
from ocgdedup.model import ExactSummary
from ocgdedup.store import duplicates, games

_STANDARD_EPD = start_epd("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")


def _start(fen: str) -> str | None:
    """Return the normal form of a start position; None for the standard one, as without a FEN."""
    epd = start_epd(fen)
    return None if epd == _STANDARD_EPD else epd


def find_exact(connection: apsw.Connection, *, min_plies: int, write: bool) -> ExactSummary:
    """Find games with equal moves, at least `min_plies` long; flag them if `write`.

    Games without moves are never copies of each other by their moves.
    """
    # SQLite's numbers end at 2**63; no game is longer than 2**31.
    min_plies = min(max(1, min_plies), 2**31)
    candidates = duplicates.exact_candidates(connection, min_plies)
    groups = equal_groups(candidates, _start)
    if write:
        duplicates.write_exact(connection, groups)
    copies = sum(len(group) - 1 for group in groups)
    return ExactSummary(games.count_games(connection), copies, len(groups))
