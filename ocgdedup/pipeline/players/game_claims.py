"""Titles and Elos of games that can contradict a rating list; games played online; youth events.

Owns when the title or Elo of a game may exclude a listed player; matching/names/evidence.py owns
the limits.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import apsw

from ocgdedup._kernels.names import GameJudge, is_near_list
from ocgdedup.matching.addresses import address_of, has_nicknames, is_played_online
from ocgdedup.matching.names.evidence import Claim
from ocgdedup.matching.names.name_form import is_full, name_form
from ocgdedup.matching.names.youth_events import is_youth_event
from ocgdedup.store import fide_players
from ocgdedup.store.names import stored_names
from ocgdedup.store.players import PlayedGame, games_with_claims

# Months between a game and the rating list: further apart, a player's strength may have changed.
_MOST_MONTHS = 12


class GameClaims:
    """Gives the claims of games that can contradict the rating list of a database."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        sites = [row[:2] for row in stored_names(connection, "Sites")]
        events = [row[:2] for row in stored_names(connection, "Events")]
        self._sites = {number for number, name in sites if is_played_online(name, "")}
        self._events = {number for number, name in events if is_played_online("", name)}
        self.youth_sites = {number for number, name in sites if is_youth_event(name)}
        self.youth_events = {number for number, name in events if is_youth_event(name)}
        rating_list = fide_players.last_list(connection, "fide")
        month = rating_list.month if rating_list is not None else None
        self._list_month = 12 * int(month[:4]) + int(month[5:7]) if month else 0

    def games(self) -> Iterator[PlayedGame]:
        """Yield all games that are on the web or near the list, and others."""
        first, last = (
            (self._list_month + months) // 12 for months in (-_MOST_MONTHS - 1, _MOST_MONTHS)
        )
        years = range(max(first, 0), last + 1) if self._list_month else range(0)
        return games_with_claims(self._connection, self._sites, self._events, years)

    def is_on_web(self, game: PlayedGame) -> bool:
        """Return whether a game was played on a website where players have nicknames."""
        if game.site in self._sites or game.event in self._events:
            return True
        return bool(game.link) and _is_on_web(game.link)

    def claim(self, game: PlayedGame, side: int) -> Claim | None:
        """Return title and Elo of a side, None if the rating list is much older or newer."""
        if is_near_list(self._list_month, game.year, game.month) or self.is_on_web(game):
            return Claim(game.titles[side].upper(), game.elos[side])
        return None

    def set_for(self, judge: GameJudge) -> None:
        """Let a judge decide games of the database."""
        judge.set_claims(
            self._list_month, self._sites, self._events, self.youth_sites, self.youth_events,
            _is_on_web,
        )  # fmt: skip


def _is_on_web(link: str) -> bool:
    """Return whether an address is that of a game on a website where players have nicknames."""
    address = address_of(link)
    return address is not None and has_nicknames(address)


@lru_cache(maxsize=1 << 14)
def is_full_name(name: str) -> bool:
    """Return whether a name is full, with surname and given name in two words or with a comma."""
    form = name_form(name)
    return is_full(form) and not form.is_handle and (form.is_ordered or " " in name.strip())


@lru_cache(maxsize=1 << 14)
def may_be_nickname(name: str) -> bool:
    """Return whether a name can be a nickname on the web: no comma, and not two words."""
    return not name_form(name).is_ordered and not is_full_name(name)
