"""Games without their moves, by SQL and JSON: reference of kernels/names/played_games.pxi.

Also which games can contradict a rating list: reference of ClaimRules.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import apsw

from ocgdedup.matching.addresses import is_played_online
from ocgdedup.matching.names.evidence import Claim
from ocgdedup.matching.names.youth_events import is_youth_event
from ocgdedup.pipeline.players.game_claims import is_nickname_address, list_month_number
from ocgdedup.store.games import kept_and_deleted
from ocgdedup.store.names import stored_names
from ocgdedup.store.players import MIN_PLIES, fide_number


class PlayedGame(NamedTuple):
    """A game without its moves. Tuples have White's value first; 0 or "" if there is none.

    `event` and `site` are IDs, `year` is that of the date, `month` counts months from year 0 (0 if
    unknown), `key` is MoveHash (0 for games of fewer than MIN_PLIES plies), `link` is the address
    in a Link tag, or that of FICS's number.
    """

    game_id: int
    players: tuple[int, int]
    year: int
    event: int
    key: int
    elos: tuple[int, int]
    fide_ids: tuple[int, int]
    titles: tuple[str, str]
    countries: tuple[str, str]
    source: int = 0
    site: int = 0
    month: int = 0
    link: str = ""


# Fields that were filled in, by the bits of BackFilled, are no evidence.
_YEAR = "CAST(substr(Date, 1, 4) AS INTEGER)"
_HAS_YEAR = "Date GLOB '[0-9][0-9][0-9][0-9]*'"
_SELECT_PLAYED = f"""
    SELECT ID, coalesce(WhiteID, 0), coalesce(BlackID, 0),
        CASE WHEN {_HAS_YEAR} THEN {_YEAR} ELSE 0 END, coalesce(EventID, 0),
        CASE WHEN PlyCount >= {MIN_PLIES} THEN coalesce(MoveHash, 0) ELSE 0 END,
        CASE WHEN coalesce(BackFilled, 0) & 16 THEN 0 ELSE coalesce(WhiteElo, 0) END,
        CASE WHEN coalesce(BackFilled, 0) & 32 THEN 0 ELSE coalesce(BlackElo, 0) END,
        CASE WHEN coalesce(BackFilled, 0) & 1 THEN NULL ELSE ExtraTags ->> '$.WhiteFideId' END,
        CASE WHEN coalesce(BackFilled, 0) & 2 THEN NULL ELSE ExtraTags ->> '$.BlackFideId' END,
        CASE WHEN coalesce(BackFilled, 0) & 4 THEN ''
            ELSE coalesce(ExtraTags ->> '$.WhiteTitle', '') END,
        CASE WHEN coalesce(BackFilled, 0) & 8 THEN ''
            ELSE coalesce(ExtraTags ->> '$.BlackTitle', '') END,
        coalesce(ExtraTags ->> '$.WhiteCountry', ''), coalesce(ExtraTags ->> '$.BlackCountry', ''),
        coalesce(SourceID, 0), coalesce(SiteID, 0),
        CASE WHEN {_HAS_YEAR} AND {_YEAR} AND substr(Date, 6, 2) GLOB '[0-9][0-9]'
            THEN 12 * {_YEAR} + CAST(substr(Date, 6, 2) AS INTEGER) ELSE 0 END,
        coalesce(ExtraTags ->> '$.Link',
            'ficsgames.org/cgi-bin/show.cgi?ID=' || (ExtraTags ->> '$.FICSGamesDBGameNo'), '')
    FROM {{table}}
"""


def played_games(connection: apsw.Connection) -> Iterator[PlayedGame]:
    """Yield all games by ID, deleted games included."""
    select = kept_and_deleted(connection, _SELECT_PLAYED)
    for row in connection.execute(f"{select} ORDER BY 1"):
        fide_ids = fide_number(row[8]), fide_number(row[9])
        yield PlayedGame(
            row[0], row[1:3], row[3], row[4], row[5], row[6:8], fide_ids, row[10:12], row[12:14],
            *row[14:],
        )  # fmt: skip


def event_key(event: int, year: int) -> int:
    """Return one number for an event ID and a year, 0 if either is unknown (event 1 is "")."""
    return event ^ year << 48 if event > 1 and year else 0


def is_near_list(list_month: int, year: int, month: int) -> bool:
    """Return whether a game was played within a year of a list; months count from year 0."""
    if not list_month:
        return False
    return abs(month - list_month) <= 12 if month else year == (list_month - 1) // 12


class Claims:
    """Which games can contradict the rating list of a database."""

    def __init__(self, connection: apsw.Connection) -> None:
        sites = [row[:2] for row in stored_names(connection, "Sites")]
        events = [row[:2] for row in stored_names(connection, "Events")]
        self._sites = {number for number, name in sites if is_played_online(name, "")}
        self._events = {number for number, name in events if is_played_online("", name)}
        self.youth_sites = {number for number, name in sites if is_youth_event(name)}
        self.youth_events = {number for number, name in events if is_youth_event(name)}
        self._list_month = list_month_number(connection)

    def is_on_web(self, game: PlayedGame) -> bool:
        if game.site in self._sites or game.event in self._events:
            return True
        return bool(game.link) and is_nickname_address(game.link)

    def claim(self, game: PlayedGame, side: int) -> Claim | None:
        """Return title and Elo of a side, None if the rating list is much older or newer."""
        if is_near_list(self._list_month, game.year, game.month) or self.is_on_web(game):
            return Claim(game.titles[side].upper(), game.elos[side])
        return None
