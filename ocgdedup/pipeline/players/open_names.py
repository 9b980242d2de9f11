"""List the names that do not mean one player in all their games, and what would decide."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import apsw

from ocgdedup.game_kind import CHESS
from ocgdedup.matching.names.name_form import is_too_long, is_unknown
from ocgdedup.matching.names.resolve import Resolver
from ocgdedup.pipeline.players.name_lists import stored_name_list
from ocgdedup.store.names import game_kind
from ocgdedup.store.players import names_without_player

_SHOWN = 5
_BY_CANDIDATE = "a FIDE ID, title or Elo in the games, or --same with the name of the player"
_BY_NAME = "a spelling file, or --same or --name"


class OpenName(NamedTuple):
    """A name with games of which no player is known.

    `candidates`: listed players with their probabilities, the most probable first, as one text.
    `decided_by`: what would decide.
    """

    name: str
    games: int
    candidates: str
    reason: str
    decided_by: str


def open_names(connection: apsw.Connection) -> Iterator[OpenName]:
    """Yield the names with games of unknown players, those with the most games first."""
    rows = [row for row in names_without_player(connection) if not is_unknown(row[0])]
    if not rows:
        return
    if game_kind(connection) is not CHESS:
        for name, games in rows:
            yield OpenName(name, games, "", "no player fits alone", _BY_NAME)
        return
    resolver = Resolver(stored_name_list(connection))
    resolutions = resolver.resolve_each([name for name, _ in rows], shown=_SHOWN)
    for (name, games), resolution in zip(rows, resolutions, strict=True):
        if is_too_long(name):
            yield OpenName(name, games, "", "too long a name", _BY_NAME)
            continue
        texts = []
        for candidate in resolution.candidates:
            person = resolver.persons[candidate.person]
            fide_id = f"FIDE ID {person.fide_id}, " if person.fide_id else ""
            texts.append(f"{person.name} ({fide_id}{candidate.probability:.3f})")
        reason = resolution.reason if resolution.person is None else "its games contradict it"
        yield OpenName(
            name, games, "; ".join(texts), reason, _BY_CANDIDATE if texts else _BY_NAME
        )  # fmt: skip
