"""What single games say that can be held against a rating list, and which were played on the web.

Owns when a title or an Elo of a game may veto a listed player; how much is too much,
matching/names/evidence.py says.
"""

from __future__ import annotations

from functools import lru_cache

import apsw

from ocgdedup.matching.addresses import address_of, is_of_nicknames, is_played_online
from ocgdedup.matching.names.evidence import Claim
from ocgdedup.matching.names.name_form import is_full, name_form
from ocgdedup.store import fide_players
from ocgdedup.store.names import stored_names
from ocgdedup.store.players import PlayedGame

# Months between a game and the rating list: further apart, a player's strength may have changed.
_MOST_MONTHS = 12


class GameClaims:
    """Tells what can be held against the rating list of a database."""

    def __init__(self, connection: apsw.Connection) -> None:
        sites = stored_names(connection, "Sites")
        events = stored_names(connection, "Events")
        self._sites = {number for number, name, _ in sites if is_played_online(name, "")}
        self._events = {number for number, name, _ in events if is_played_online("", name)}
        known = fide_players.last_list(connection, "fide")
        month = known.month if known is not None else None
        self._list_month = 12 * int(month[:4]) + int(month[5:7]) if month else 0

    def is_on_web(self, game: PlayedGame) -> bool:
        """Tell if a game was played on a site where players have nicknames."""
        if game.site in self._sites or game.event in self._events:
            return True
        address = address_of(game.link) if game.link else None
        return address is not None and is_of_nicknames(address)

    def claim(self, game: PlayedGame, side: int) -> Claim | None:
        """Return title and Elo of a side, None if the list may be too old or too new for them."""
        if self._is_near_list(game) or self.is_on_web(game):
            return Claim(game.titles[side].upper(), game.elos[side])
        return None

    def _is_near_list(self, game: PlayedGame) -> bool:
        if not self._list_month:
            return False
        if not game.month:
            return game.year == (self._list_month - 1) // 12
        return abs(game.month - self._list_month) <= _MOST_MONTHS


@lru_cache(maxsize=1 << 14)
def is_full_name(name: str) -> bool:
    """Tell if a name is a full one in the usual form: surname, comma, given name, or two words."""
    form = name_form(name)
    return is_full(form) and not form.is_handle and (form.is_ordered or " " in name.strip())


@lru_cache(maxsize=1 << 14)
def may_be_nickname(name: str) -> bool:
    """Tell if a name is one that players on the web may have: no comma, and no two words."""
    return not name_form(name).is_ordered and not is_full_name(name)
