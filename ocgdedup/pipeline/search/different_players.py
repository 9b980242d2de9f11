"""Tell the search which names are of different players by the user's decisions."""

from __future__ import annotations

from itertools import product

import apsw

from ocgdedup.matching.names.name_decisions import (
    DIFFERENT,
    Group,
    different_groups,
    groups,
)
from ocgdedup.store.name_decisions import ids_of_names, name_decisions, players_of_names
from ocgdedup.store.search_reader import DifferentPlayers


def different_players(connection: apsw.Connection) -> DifferentPlayers | None:
    """Return the players of names that the user decided are different; None without decisions.

    The decisions must be applied. Names of one player are in one group. A group has the player of
    its names, and a number below 0 for its names without a player.
    """
    decisions = name_decisions(connection)
    if not any(row.decision == DIFFERENT for row in decisions):
        return None
    found = groups(decisions)
    different = different_groups(decisions, found)
    ids = ids_of_names(connection, {name.name for group in found for name in group})
    unresolved = [
        (name.game_id or 0, ids[name.name], -1 - number)
        for number in different
        for name in found[number]
        if name.name in ids
    ]
    players = {number: _players(connection, found[number], ids) for number in different}
    pairs = {
        pair
        for number, others in different.items()
        for other in others
        for pair in product({*players[number], -1 - number}, {*players[other], -1 - other})
        if pair[0] != pair[1]
    }
    return DifferentPlayers(unresolved, pairs)


def _players(connection: apsw.Connection, group: Group, ids: dict[str, int]) -> set[int]:
    names = [(ids[name.name], name.game_id) for name in group if name.name in ids]
    return players_of_names(connection, names)
