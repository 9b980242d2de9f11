"""What a search counted, as bytes for the next search: names, days of rounds, flags.

After new games it costs what these cost: only their records are counted, and only those groups are
merged again whose contested values they may decide otherwise.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

import apsw

from ocgdedup._kernels import search as search_kernel
from ocgdedup._kernels.search import GameBatch, HeaderCounts, StoredHeaderCounts
from ocgdedup.store.search_reader import name_ids_after
from ocgdedup.store.search_state import FlagCounts

if TYPE_CHECKING:
    from ocgdedup.pipeline.search.groups import GroupBatch

_COUNTS, _DAYS, _NEW_DAYS, _CONTESTS, _FLAGS = (
    "counts", "days", "days-new", "contests", "flags",
)  # fmt: skip
Blob: TypeAlias = bytes | memoryview
BLOBS = (_COUNTS, _DAYS, _NEW_DAYS, _CONTESTS, _FLAGS)
# Takes the bytes of each name of BLOBS; None: they are unchanged.
WriteState = Callable[[Mapping[str, bytes | None]], None]


class StoredCounts:
    """The counts of the last search; `headers` is None if it did not merge by them."""

    def __init__(self, blobs: Mapping[str, Blob]) -> None:
        """Open the bytes that packed_counts() returned; raise ValueError for others."""
        sums, *numbers = json.loads(bytes(blobs[_FLAGS]))
        self.flags = FlagCounts([tuple(row) for row in sums], *numbers)
        of_headers = [blobs[name] for name in (_COUNTS, _DAYS, _NEW_DAYS, _CONTESTS)]
        self.headers = StoredHeaderCounts(*of_headers) if len(blobs[_COUNTS]) else None

    def unsettled_games(
        self, connection: apsw.Connection, batch: GameBatch, last_id: int, min_plies: int
    ) -> array[int]:
        """Return a game of each group whose merged header the games after `last_id` may change.

        `batch` has loaded all names. Raises ValueError for damaged bytes.
        """
        if self.headers is None:
            return array("q")
        return self.headers.unsettled_groups(batch, *name_ids_after(connection, last_id, min_plies))


def packed_counts(
    counts: HeaderCounts | None, flags: FlagCounts, groups: GroupBatch, scope: frozenset[int] | None
) -> dict[str, bytes | None]:
    """Return the counts after a search as bytes by name; None for bytes that are unchanged.

    `counts`: of headers, None if they are not merged by them. `groups`: those of `scope`.
    """
    packed: dict[str, bytes | None] = {_FLAGS: json.dumps(flags).encode()}
    if counts is None:
        return packed | dict.fromkeys((_COUNTS, _DAYS, _NEW_DAYS, _CONTESTS), b"")
    packed[_COUNTS] = search_kernel.packed_counts(counts)
    packed[_DAYS], packed[_NEW_DAYS] = search_kernel.packed_days(counts)
    games = None if scope is None else array("q", sorted(scope))
    packed[_CONTESTS] = search_kernel.packed_contests(counts, groups.ids, groups.ends, games)
    return packed
