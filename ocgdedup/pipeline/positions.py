"""Filters of positions: which games lack one, and writing them."""

from __future__ import annotations

import apsw

from ocgdedup.store.position_filters import fill_filters
from ocgdedup.store.variant import holds_go


def fill_position_filters(connection: apsw.Connection, first_id: int | None = None) -> int:
    """Write PositionFilters of games, removed ones too, that lack one, from an ID on.

    Returns how many. Within the transaction of the caller. Raises StoreError if SQLite refuses.
    """
    return fill_filters(connection, holds_go(connection), first_id)
