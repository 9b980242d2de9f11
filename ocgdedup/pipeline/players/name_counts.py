"""Count the names of players: the numbers that run, players, its report and info print.

A name counts if a game has it, in the header as imported: a merged header hides names, and may have
one that no record has. Deleted games count like all others, purged ones do not. In a file of its
own, since info needs nothing else of players.
"""

from __future__ import annotations

from typing import NamedTuple

import apsw

from ocgdedup.matching.names.name_form import is_unknown
from ocgdedup.store import players as store


class NameTotals(NamedTuple):
    """`names`: without the unknown ones (?, NN, an empty name); `resolved`: those with a player."""

    names: int
    resolved: int
    unknown: int

    @property
    def unresolved(self) -> int:
        return self.names - self.resolved


def count_names(connection: apsw.Connection) -> NameTotals:
    """Count the names of players that games have."""
    names = resolved = unknown = 0
    for name, has_player in store.imported_names(connection):
        if is_unknown(name or ""):
            unknown += 1
        else:
            names += 1
            resolved += has_player
    return NameTotals(names, resolved, unknown)
