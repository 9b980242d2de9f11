"""Addresses of games on the web, and sites where people play.

Owns which texts are addresses of a single game, and what two different addresses prove. Home pages,
profiles, tournaments, broadcasts and studies are not addresses of games; a chapter of a study is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from ocgdedup.data_files import read_lines


class GameAddress(NamedTuple):
    """The address of a game in a normal form, equal for all its spellings.

    `is_unique`: the game was played on that site and has no other address. So two different unique
    addresses are of two games.
    """

    text: str
    is_unique: bool


class _Form(NamedTuple):
    """A regular expression for the path of an address, and what its ID means: see the table."""

    path: str
    normal: str  # text before the ID in the normal form
    is_unique: bool


_FORMS: dict[str, list[_Form]] = {}  # by host
for _host, _usage, _normal, _path in map(str.split, read_lines(__file__, "game_addresses.txt")):
    _FORMS.setdefault(_host, []).append(_Form(_path, _normal, _usage == "played"))

_compiled = cache(re.compile)  # on first use: most games were not played on the web
# An address, alone or after a few words: "OGS: https://online-go.com/game/1".
_ADDRESS = r"[^/]{0,40}?(?:\bhttps?:)?(?://)?([\w.-]+\.[a-z]{2,}(?::\d+)?)/(?:[a-z]{2}(?:-[a-z]{2})?/)?(\S+)"
# Parameters that identify a game, and commands in comments: "[%link https://...]".
_PARAMETER = r"[?#&;](art|bd|chessid|g|gameid|gibonum|gid|id|seq)=([\w-]+)"
_COMMAND = r"\[%\w+ +([^\s\]]+) *\]"

# Tags besides Site that may hold an address, and tags with a number that belongs to a site.
ADDRESS_TAGS = (
    "Link", "GameURL", "GameUrl", "GameLink", "LichessURL", "ChapterURL", "URL", "Url", "Source",
    "SourceURL", "SO", "GC",
)  # fmt: skip
FICS_TAG = "FICSGamesDBGameNo"
ID_TAGS = ("GameId", "GameID")
TAGS = (*ADDRESS_TAGS, FICS_TAG, *ID_TAGS)


def address_of(text: str) -> GameAddress | None:
    """Return the game address that a text is, alone or after a few words; else None."""
    match = _compiled(_ADDRESS, re.IGNORECASE).fullmatch(text.strip(" <>()[].,;"))
    if match is None:
        return None
    host = ".".join(match[1].lower().partition(":")[0].split(".")[-2:])
    path = match[2] if match[2].isalnum() else _without_details(match[2])
    for form in _FORMS.get(host, ()):
        match = _compiled(form.path, re.IGNORECASE).fullmatch(path)
        # A word names a page ("training"): IDs have digits or capitals.
        if match is not None and not (match[1].isalpha() and match[1][1:].islower()):
            return GameAddress(form.normal + match[1], form.is_unique)
    return None


def _without_details(path: str) -> str:
    """Return a path with the parameters that identify a game, by name, and without all others."""
    path = re.sub("#/?game/", "/game/", path)
    found = sorted(_compiled(_PARAMETER, re.IGNORECASE).findall(path))
    path = re.split("[?#&;]", path, maxsplit=1)[0].rstrip("/")
    path = re.sub(r"\.(?:pgn|sgf)$", "", path)
    return path + "".join(f"?{name.lower()}={value}" for name, value in found)


def address_in_comment(text: str) -> GameAddress | None:
    """Return the game address in the comment before the first move, None if there is none.

    It is the whole comment, or the value of a command. An address in a sentence may be of another
    game.
    """
    values = (match[1] for match in _compiled(_COMMAND).finditer(text))
    return next(filter(None, map(address_of, (*values, text))), None)


def address_in_tags(tags: Mapping[str, str], site: str, source: int | None) -> GameAddress | None:
    """Return the game address in tags other than Site, None if there is none.

    A number in a GameId tag belongs to `site` if people play there, else to the input file
    (`source`: its ID).
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
    host = playing[0].lower().removeprefix("https://").removeprefix("http://")
    host = host.removeprefix("www.").rstrip("/")
    return address_of(f"{host}/{number}") or GameAddress(f"{host}#{number}", False)


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
    """Return whether Site or Event name a game played on the web, where players use nicknames."""
    site, event = site.strip(), event.strip()
    if event and re.fullmatch(_PLAYED_EVENT, event, re.IGNORECASE):
        return True
    address = address_of(site) if site else None
    if address is not None and has_nicknames(address):
        return True
    is_named = re.match(_PLAYING_SITE, site, re.IGNORECASE) or re.fullmatch(
        _NAMED_SITE, site, re.IGNORECASE
    )
    return bool(site and is_named)


def has_nicknames(address: GameAddress) -> bool:
    """Return whether players use nicknames on the site; on iccf.com they use their names."""
    return address.is_unique and not address.text.startswith("iccf.com/")
