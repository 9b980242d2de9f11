"""Addresses of games on the web, and sites where people play.

Owns which text is the address of a single game, and what two different addresses prove. Home
pages, profiles, tournaments, broadcasts and studies are not addresses of games.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from ocgdedup.data_files import read_lines


class GameAddress(NamedTuple):
    """The address of a game in its normal form, which is equal for all spellings.

    `is_only_one`: the game was played on that site and has no other address. So two different
    addresses with this mark are of two games.
    """

    text: str
    is_only_one: bool


class _Form(NamedTuple):
    """A regular expression for the path of an address, and what its ID means: see the table."""

    path: str
    normal: str  # text before the ID in the normal form
    is_only_one: bool


def _read_forms() -> dict[str, list[_Form]]:
    """Return the forms of addresses by host."""
    forms: dict[str, list[_Form]] = {}
    for host, kind, normal, path in map(str.split, read_lines(__file__, "game_addresses.txt")):
        forms.setdefault(host, []).append(_Form(path, normal, kind == "played"))
    return forms


_FORMS = _read_forms()
_compiled = cache(re.compile)  # on first use: most games were not played on the web
_PARAMETERS = r"[&;#].*|\?(?!(?:id|bd|gameid|gid|g)=).*|/$"

# Tags besides Site that may hold an address, and tags with a number that belongs to a site.
ADDRESS_TAGS = ("Link", "GameURL", "GameUrl", "LichessURL", "URL")
FICS_TAG = "FICSGamesDBGameNo"
ID_TAGS = ("GameId", "GameID")
TAGS = (*ADDRESS_TAGS, FICS_TAG, *ID_TAGS)


def address_of(text: str) -> GameAddress | None:
    """Return the game address in a text, None if the text is not one."""
    text = text.strip().removeprefix("https://").removeprefix("http://")
    host, _, path = text.partition("/")
    host = ".".join(host.lower().split(".")[-2:])
    if not path or host not in _FORMS:
        return None
    if path[2:3] == "/" and path[:2].isalpha():
        path = path[3:]  # the language: chess.com/de/live/game/1
    if not path.isalnum() and "#g=" not in path:
        path = re.sub(_PARAMETERS, "", path, flags=re.IGNORECASE)
    for form in _FORMS[host]:
        match = _compiled(form.path, re.IGNORECASE).fullmatch(path)
        # A word names a page ("training"): IDs have digits or capitals.
        if match is not None and not (match[1].isalpha() and match[1][1:].islower()):
            return GameAddress(form.normal + match[1], form.is_only_one)
    return None


def address_in_tags(tags: Mapping[str, str], site: str, source: int | None) -> GameAddress | None:
    """Return the game address in tags other than Site, None if there is none.

    The number in a GameId tag belongs to its site if `site` names one where people play, else to
    the file that the game came from (`source`).
    """
    for tag in ADDRESS_TAGS:
        if tag in tags and (address := address_of(tags[tag])) is not None:
            return address
    number = tags.get(FICS_TAG, "").strip()
    if number.isdecimal() and int(number):
        return GameAddress(f"ficsgames.org/{number}", True)
    for tag in ID_TAGS:
        number = tags.get(tag, "").strip()
        if re.search("[1-9]", number):  # "?", "-" and 0 mean that there is no number
            break
    else:
        return None
    playing = re.match(_PLAYING_SITE, site.strip(), re.IGNORECASE)
    if playing is None:
        return GameAddress(f"source {source}/{number}", False) if source is not None else None
    place = playing[0].lower().removeprefix("https://").removeprefix("http://")
    place = place.removeprefix("www.").rstrip("/")
    return address_of(f"{place}/{number}") or GameAddress(f"{place}#{number}", False)


# Sites where people play under a nickname, as Site tags name them: a name or a home page.
_PLAYING_SITE = (
    r"(?:https?://)?(?:www\.)?(?:lichess\.org|chess\.com|chess24\.com|freechess\.org|"
    r"chessclub\.com|playchess\.com|gameknot\.com|redhotpawn\.com|pychess\.org|chesscube\.com|"
    r"chessassistantclub\.com|chesstempo\.com|chess\.org)(?=/?$|\s)"
)
_NAMED_SITE = (
    r"(?:FICS|ICC|Internet Chess Club|Free Internet Chess Server|PlayChess|Internet|Online)"
    r"(?: freechess\.org| ICC)?(?: INT)?"
)
_PLAYED_EVENT = (
    r"(?:rated|casual) (?:ultrabullet|bullet|blitz|rapid|classical|correspondence|standard) game|"
    r"FICS (?:rated|unrated) .*|Live Chess(?: - .*)?|Let's Play!.*|"
    r".*\blichess\.org/(?:tournament|swiss|simul)/.*"
)


def is_played_online(site: str, event: str) -> bool:
    """Tell if Site or Event say that a game was played on the web, where players use nicknames."""
    site = site.strip()
    if re.match(_PLAYING_SITE, site, re.IGNORECASE):
        return True
    if re.fullmatch(_NAMED_SITE, site, re.IGNORECASE):
        return True
    address = address_of(site)
    if address is not None and is_of_nicknames(address):
        return True
    return re.fullmatch(_PLAYED_EVENT, event.strip(), re.IGNORECASE) is not None


def is_of_nicknames(address: GameAddress) -> bool:
    """Tell if players use nicknames on the site of an address; on iccf.com they use their names."""
    return address.is_only_one and not address.text.startswith("iccf.com/")
