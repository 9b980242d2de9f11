"""Count the sides of games by name and player, and by name and FIDE ID, in plain Python."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from ocgdedup.store.players import fide_number


class Sides(NamedTuple):
    """Name IDs and player IDs of White and Black, and the tags of a game."""

    names: tuple[int | None, int | None]
    players: tuple[int | None, int | None]
    tags: str | None


def count_sides(games: Iterable[Sides]) -> tuple[Counter[tuple[int, int]], ...]:
    by_player, by_fide_id = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    for names, players, tags in games:
        values = json.loads(tags or "{}")
        for color, name, player in zip(("White", "Black"), names, players, strict=True):
            if name is not None:
                by_player[name, player or 0] += 1
                by_fide_id[name, fide_number(values.get(f"{color}FideId"))] += 1
    for name, fide_id in [*by_fide_id]:
        if not fide_id:
            del by_fide_id[name, fide_id]
    return by_player, by_fide_id
