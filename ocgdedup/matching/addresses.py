"""Addresses of games on the web, and sites where people play.

Owns which text is the address of a single game, and what two different addresses prove. Home
pages, profiles, tournaments, broadcasts and studies are not addresses of games.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple


class GameAddress(NamedTuple):
    """The address of a game in its normal form, which is equal for all spellings.

    `is_only_one`: the game was played on that site and has no other address. So two different
    addresses with this mark are of two games.
    """

    text: str
    is_only_one: bool


class _Form(NamedTuple):
    """How the path of an address names a game.

    `path`: regular expression for the path without scheme, host and language; its group is the ID.
    `normal`: text before the ID in the normal form.
    """

    host: str
    path: str
    normal: str
    is_only_one: bool


# First sites where games are played, then sites that show games played elsewhere. On the latter, a
# game may have several addresses. chess24 did both.
_FORMS = (
    _Form(
        "lichess.org",
        r"(?:game/export/|embed/(?:game/)?|analyse/)?([0-9A-Za-z]{8})(?:[0-9A-Za-z]{4})?(?:\.pgn)?"
        r"(?:/(?:white|black))?(?:/analysis)?",
        "lichess.org/",
        True,
    ),
    _Form(
        "chess.com",
        r"(?:(?:analysis/)?game/live/|live/game/|livechess/game/|live#g=|livechess/game\?id=)"
        r"(\d+)(?:/\w+)?",
        "chess.com/live/",
        True,
    ),
    _Form(
        "chess.com",
        r"(?:(?:analysis/)?game/daily/|daily/game/|echess/game/|echess/game\?id=)(\d+)(?:/\w+)?",
        "chess.com/daily/",
        True,
    ),
    _Form(
        "chess.com",
        r"(?:(?:analysis/)?game/computer/|computer/game/)(\d+)(?:/\w+)?",
        "chess.com/computer/",
        True,
    ),
    _Form("ficsgames.org", r"cgi-bin/show\.cgi\?id=(\d+)", "ficsgames.org/", True),
    _Form("iccf.com", r"(?:game|getpgn\.aspx)\?id=(\d+)", "iccf.com/", True),
    _Form("gameknot.com", r"(?:analyze-board|chess)\.pl\?bd=(\d+)", "gameknot.com/", True),
    _Form(
        "redhotpawn.com",
        r"(?:chess/chess-game-(?:history|analysis)|pagelet/view/game-pgn)\.php\?gameid=(\d+)",
        "redhotpawn.com/",
        True,
    ),
    _Form("pychess.org", r"([0-9A-Za-z]{8})", "pychess.org/", True),
    _Form("online-go.com", r"game/(?:view/)?(\d+)", "online-go.com/", True),
    _Form("chess24.com", r"(?:analysis/)?game/([\w-]{20,24})", "chess24.com/", False),
    _Form(
        "chessgames.com", r"(?:perl|pgn)/chessgame(?:\.pgn)?\?gid=(\d+)", "chessgames.com/", False
    ),
    _Form(
        "365chess.com", r"(?:view_game\.php\?g=|game\.php\?gid=)(\d+)", "365chess.com/", False
    ),
    _Form("chesstempo.com", r"gamedb/game/(\d+)(?:/.*)?", "chesstempo.com/", False),
    _Form("chess.com", r"games/view/(\d+)", "chess.com/games/", False),
)  # fmt: skip

_HOSTS = frozenset(form.host for form in _FORMS)
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
    if not path or host not in _HOSTS:
        return None
    if path[2:3] == "/" and path[:2].isalpha():
        path = path[3:]  # the language: chess.com/de/live/game/1
    if not path.isalnum() and "#g=" not in path:
        path = re.sub(_PARAMETERS, "", path, flags=re.IGNORECASE)
    for expression, normal, is_only_one in _forms_of(host):
        match = expression.fullmatch(path)
        if match is not None and not _is_word(match[1]):
            return GameAddress(normal + match[1], is_only_one)
    return None


def _is_word(text: str) -> bool:
    """Tell if a part of an address names a page ("training"): IDs have digits or capitals."""
    return text.isalpha() and text[1:].islower()


# Compiled on first use: most databases have no games that were played on the web.
@cache
def _forms_of(host: str) -> list[tuple[re.Pattern[str], str, bool]]:
    return [
        (re.compile(form.path, re.IGNORECASE), form.normal, form.is_only_one)
        for form in _FORMS
        if form.host == host
    ]


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
            return _of_game_id(number, site, source)
    return None


def _of_game_id(number: str, site: str, source: int | None) -> GameAddress | None:
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
