"""Kept games of groups with equal mainlines, chosen by the kernel from the headers.

Owns the SQL for this. Headers are read as before any merge.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

import apsw

from ocgdedup._kernels import search as search_kernel
from ocgdedup._kernels.search import COLOURS, HEADERS, NOTES, OPEN, HeaderCounts
from ocgdedup.errors import StoreError
from ocgdedup.game_columns import MERGED_COLUMNS
from ocgdedup.model import KeptGames
from ocgdedup.store.connection import kernel_errors
from ocgdedup.store.merged_headers import has_merges
from ocgdedup.store.names import NAME_TABLES
from ocgdedup.store.row_writer import load_kernel

__all__ = ("COLOURS", "HEADERS", "NOTES", "OPEN", "GroupHeaders", "NameRules")

# The function returns NULL, so that SQLite goes through a range of IDs in one step.
_OWN = (
    "SELECT 1 FROM Games WHERE ID BETWEEN ?1 AND ?2 "
    f"AND {search_kernel.TAKE_HEADER}(?3, {', '.join(search_kernel.HEADER_COLUMNS)})"
)
_UNMERGED = (
    "SELECT 1 FROM UnmergedHeaders CROSS JOIN Games ON Games.ID = GameID "
    f"WHERE GameID BETWEEN ?1 AND ?2 AND {search_kernel.TAKE_HEADER}(?3, {{}})"
)
_LOOKUPS = (
    *(f"SELECT Name FROM {table} WHERE ID = ?1" for table in NAME_TABLES),
    "SELECT FideID FROM Persons WHERE ID = ?1",
)


class NameRules(NamedTuple):
    """The kernel's questions about names: see Names in its stub."""

    outweighs: Callable[[int, str, str, int], bool]
    is_named: Callable[[str], bool]
    is_event_like: Callable[[str], bool]
    letters: Callable[[str], str]
    best_of_two: Callable[[str, str, bool], Collection[str] | None]
    may_be_one: Callable[[str, str], bool]
    no_given_names: frozenset[bytes]
    unknown_pairs: bytes


class GroupHeaders:
    """Reads headers of one database; caches facts about names while they do not change.

    It does not see merges that are written after its construction.
    """

    def __init__(
        self,
        connection: apsw.Connection,
        points: Sequence[int],
        tags: Sequence[tuple[str, int]],
        names: NameRules,
        counts: HeaderCounts | None = None,
    ) -> None:
        """Set the rules of matching/header_score.py, and those for names.

        `counts`: over all records; without them no value outweighs another.
        """
        self._connection = connection
        self._sources = [_OWN]
        if has_merges(connection):
            columns = [
                f"{'UnmergedHeaders' if name in MERGED_COLUMNS else 'Games'}.{name}"
                for name in search_kernel.HEADER_COLUMNS
            ]
            self._sources.insert(0, _UNMERGED.format(", ".join(columns)))
        load_kernel(connection, search_kernel)
        try:
            self._resolver = search_kernel.GroupResolver(connection, points, tags, names, counts)
        except ValueError as error:
            raise StoreError(str(error)) from error

    def kept_games(
        self,
        ids: array[int],
        lines: array[int],
        ends: array[int],
        closed: bytes | bytearray,
        has_swapped: Callable[[int, int], bool] | None = None,
        *,
        is_merging: bool = False,
        merges_again: bool = False,
    ) -> KeptGames:
        """Choose the kept games of groups; arguments as for GroupResolver.resolve().

        Raises KeyError for an unknown game.
        """
        with kernel_errors(self._connection, "headers of games cannot be read"):
            return self._resolver.resolve(
                ids, lines, ends, closed, self._sources, _LOOKUPS, has_swapped, is_merging,
                merges_again,
            )  # fmt: skip
