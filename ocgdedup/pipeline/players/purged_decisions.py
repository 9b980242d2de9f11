"""Pass the user's decisions about names in purged games to the kept games of their groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import apsw

from ocgdedup.matching.names.name_decisions import groups, names_of
from ocgdedup.model import DecidedName, NameDecision, Reporter
from ocgdedup.store.deleted_games import games_to_purge
from ocgdedup.store.name_decisions import (
    name_decisions,
    names_in_kept_games,
    write_name_decisions,
)


def carry_name_decisions(connection: apsw.Connection, reporter: Reporter) -> None:
    """Make decisions about names in games that are about to be purged decisions about kept games.

    Such a decision is then about the name that the kept game has for the same player. If the user
    decided otherwise about that name, nothing changes but for a warning.
    """
    rows = name_decisions(connection)
    in_games = {name for row in rows for name in names_of(row) if name.game_id is not None}
    kept = games_to_purge(connection) if in_games else {}
    purged = sorted(name for name in in_games if name.game_id in kept)
    if not purged:
        return
    carried = _carried(rows, names_in_kept_games(connection, purged, kept))
    for name in purged:
        if name not in carried:
            reporter.warn(
                f"your decisions about {name} no longer apply: game {name.game_id} is purged, and "
                f"you decided otherwise about its kept game {kept[name.game_id or 0]}; "
                "players --forget takes them back"
            )
    moved = (
        NameDecision(row.decision, *(carried.get(name, name) for name in (row.name, row.other)))
        for row in rows
    )
    remaining = dict.fromkeys(row for row in moved if row.name != row.other)
    write_name_decisions(connection, list(remaining))


def _carried(
    rows: Sequence[NameDecision], names: Mapping[DecidedName, DecidedName]
) -> dict[DecidedName, DecidedName]:
    """Return the new names of those that the kept game has no other decision for."""
    group_of = {name: group for group in groups(rows) for name in group}
    carried: dict[DecidedName, DecidedName] = {}
    for name, new in names.items():
        if group_of.setdefault(new, group_of[name]) == group_of[name]:
            carried[name] = new
    return carried
