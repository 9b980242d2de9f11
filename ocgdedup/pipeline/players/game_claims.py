"""Titles and Elos of games that can contradict a rating list; games played online; youth events.

Owns when the title or Elo of a game may exclude a listed player; matching/names/evidence.py owns
the limits.
"""

from __future__ import annotations

from functools import lru_cache

import apsw

from ocgdedup._kernels.names import ClaimRules
from ocgdedup.matching.addresses import address_of, has_nicknames, is_played_online
from ocgdedup.matching.names.name_form import is_full, name_form
from ocgdedup.matching.names.youth_events import is_youth_event
from ocgdedup.store import fide_players
from ocgdedup.store.names import stored_names


def claim_rules(connection: apsw.Connection) -> ClaimRules:
    """Return which games of a database can contradict its rating list, and why."""
    sites = [row[:2] for row in stored_names(connection, "Sites")]
    events = [row[:2] for row in stored_names(connection, "Events")]
    return ClaimRules(
        list_month_number(connection),
        sites=(number for number, name in sites if is_played_online(name, "")),
        events=(number for number, name in events if is_played_online("", name)),
        youth_sites=(number for number, name in sites if is_youth_event(name)),
        youth_events=(number for number, name in events if is_youth_event(name)),
        has_nicknames=is_nickname_address,
    )


def list_month_number(connection: apsw.Connection) -> int:
    """Return the month of the rating list, counted from year 0; 0 if unknown."""
    rating_list = fide_players.last_list(connection, "fide")
    month = rating_list.month if rating_list is not None else None
    return 12 * int(month[:4]) + int(month[5:7]) if month else 0


def is_nickname_address(link: str) -> bool:
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
