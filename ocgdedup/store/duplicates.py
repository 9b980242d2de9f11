"""SQL on duplicates: candidates by hash, and what was found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import apsw

# The inner query runs on the index of MoveHash alone, where there is one.
_EXACT_CANDIDATES = """
    SELECT MoveHash, ID, FEN, Moves2 FROM Games
    WHERE MoveHash IN (SELECT MoveHash FROM Games GROUP BY MoveHash HAVING count(*) > 1)
        AND PlyCount >= ?
    ORDER BY MoveHash, ID
"""


def exact_candidates(
    connection: apsw.Connection, min_plies: int
) -> Iterator[tuple[int, int, str | None, bytes]]:
    """Yield (hash, ID, FEN, move blob) of the games that share their hash, by hash and ID."""
    return iter(connection.execute(_EXACT_CANDIDATES, (min_plies,)))


def write_exact(connection: apsw.Connection, groups: Iterable[list[int]]) -> None:
    """Replace all flags: each group is its master's ID and those of its copies.

    The caller holds the transaction.
    """
    connection.execute(
        "UPDATE Games SET DuplicateStatus = NULL, DuplicateGroup = NULL "
        "WHERE DuplicateGroup IS NOT NULL OR DuplicateStatus IS NOT NULL"
    )
    masters: list[tuple[int, int]] = []
    copies: list[tuple[int, int]] = []
    for master, *others in groups:
        masters.append((master, master))
        copies.extend((master, copy) for copy in others)
    connection.executemany("UPDATE Games SET DuplicateGroup = ? WHERE ID = ?", masters)
    connection.executemany(
        "UPDATE Games SET DuplicateStatus = 'exact', DuplicateGroup = ? WHERE ID = ?", copies
    )
