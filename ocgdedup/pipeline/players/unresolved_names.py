"""The names that do not mean one player in all their games, and what would decide."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import TYPE_CHECKING, NamedTuple

import apsw

from ocgdedup.matching.names.name_decisions import names_of
from ocgdedup.matching.names.name_form import is_unknown
from ocgdedup.store import players as store
from ocgdedup.store.name_decisions import name_decisions

if TYPE_CHECKING:
    from ocgdedup.matching.names.consolidate import Consolidated
    from ocgdedup.pipeline.players.by_game import GamePlayers

_BY_CANDIDATE = "a FIDE ID, title or Elo in the games, or --same with the name of the player"
_BY_NAME = "a spelling file, or --same or --name"
_NOT_LOOKED_UP = "not looked up yet", "players --again"
_LEAST_PROBABILITY = 0.001  # of a listed candidate
_NO_REASON = "no player fits alone"
_ONLY_SOME_GAMES = "its games contradict it"


class UnresolvedName(NamedTuple):
    """A name with games of which no player is known.

    `candidates`: players with their probabilities, the most probable first, as one text.
    `decided_by`: what would decide.
    """

    name: str
    games: int
    candidates: str
    reason: str
    decided_by: str


def unresolved_names(connection: apsw.Connection) -> Iterator[UnresolvedName]:
    """Yield the names with games of unknown players, those with the most games first.

    Candidates are those of the last run that looked up names.
    """
    decided = {name.name for row in name_decisions(connection) for name in names_of(row)}
    for name, games, reason, candidates in store.names_without_player(connection):
        if is_unknown(name):
            continue
        decided_by = _BY_CANDIDATE if candidates else _BY_NAME
        if reason is None:
            reason, decided_by = ("your decision", _BY_NAME) if name in decided else _NOT_LOOKED_UP
        yield UnresolvedName(name, games, candidates or "", reason, decided_by)


def name_candidates(
    consolidated: Consolidated, by_game: GamePlayers, kept: Container[int] = ()
) -> Iterator[tuple[int, str, str]]:
    """Yield name ID, reason and candidates of each name that has no player in some games.

    `kept`: names that keep what is stored of them.
    """
    nobody = {player for _, _, player, person, _ in by_game if person is None}
    for player, identity in consolidated.identities.items():
        if player in kept or (identity.person is not None and player not in nobody):
            continue
        texts = []
        for number, probability in identity.likeliest:
            if probability < _LEAST_PROBABILITY:
                break
            person = consolidated.persons[number]
            fide_id = f"FIDE ID {person.fide_id}, " if person.fide_id else ""
            texts.append(f"{person.name} ({fide_id}{probability:.3f})")
        reason = identity.reason if identity.person is None else _ONLY_SOME_GAMES
        yield player, reason or _NO_REASON, "; ".join(texts)
