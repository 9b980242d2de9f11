"""SQL on evidence in games about their players, for resolving names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import apsw

from ocgdedup.store.games import kept_and_removed


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


# Equal moves of at least this many plies by players with compatible names are one game.
MIN_PLIES = 30
# Fields that an earlier run filled in, by the bits of BackFilled, are no evidence.
_SELECT_PLAYED = f"""
    SELECT ID, coalesce(WhiteID, 0), coalesce(BlackID, 0), Date, EventID,
        CASE WHEN PlyCount >= {MIN_PLIES} THEN MoveHash END,
        CASE WHEN coalesce(BackFilled, 0) & 16 THEN 0 ELSE WhiteElo END,
        CASE WHEN coalesce(BackFilled, 0) & 32 THEN 0 ELSE BlackElo END, SourceID,
        CASE WHEN coalesce(BackFilled, 0) & 1 THEN NULL ELSE ExtraTags ->> '$.WhiteFideId' END,
        CASE WHEN coalesce(BackFilled, 0) & 2 THEN NULL ELSE ExtraTags ->> '$.BlackFideId' END,
        CASE WHEN coalesce(BackFilled, 0) & 4 THEN NULL ELSE ExtraTags ->> '$.WhiteTitle' END,
        CASE WHEN coalesce(BackFilled, 0) & 8 THEN NULL ELSE ExtraTags ->> '$.BlackTitle' END,
        ExtraTags ->> '$.WhiteCountry', ExtraTags ->> '$.BlackCountry', SiteID,
        coalesce(ExtraTags ->> '$.Link',
            'ficsgames.org/cgi-bin/show.cgi?ID=' || (ExtraTags ->> '$.FICSGamesDBGameNo'))
    FROM {{table}}
"""


def played_games(connection: apsw.Connection) -> Iterator[PlayedGame]:
    """Yield all games by ID, including removed games, whose evidence counts too."""
    select = kept_and_removed(connection, _SELECT_PLAYED)
    for row in connection.execute(f"{select} ORDER BY 1"):
        game_id, white, black, date, event, key, white_elo, black_elo, source, *tags = row
        year = year_of(date)
        month = 12 * year + int(date[5:7]) if year and date[5:7].isdecimal() else 0
        white_id, black_id, white_title, black_title, white_country, black_country = tags[:6]
        site, link = tags[6:]
        yield PlayedGame(
            game_id, (white, black), year, event or 0, key or 0,
            (white_elo or 0, black_elo or 0), (_number(white_id), _number(black_id)),
            (white_title or "", black_title or ""), (white_country or "", black_country or ""),
            source or 0, site or 0, month, link or "",
        )  # fmt: skip


def pairs_that_met(connection: apsw.Connection) -> Iterator[tuple[int, int]]:
    """Yield each pair of player IDs that played each other, the lower first; in order."""
    lower, higher = (
        f"{word}(coalesce(WhiteID, 0), coalesce(BlackID, 0))" for word in ("min", "max")
    )
    select = kept_and_removed(connection, f"SELECT {lower} AS A, {higher} AS B FROM {{table}}")
    yield from connection.execute(f"SELECT DISTINCT A, B FROM ({select}) ORDER BY A, B")


def players_of_events(connection: apsw.Connection) -> Iterator[tuple[int, str, int]]:
    """Yield each distinct (event ID, first four characters of the date, player ID); in order."""
    select = kept_and_removed(
        connection,
        "SELECT EventID AS E, substr(Date, 1, 4) AS Y, coalesce(WhiteID, 0) AS P FROM {table} "
        "UNION ALL SELECT EventID, substr(Date, 1, 4), coalesce(BlackID, 0) FROM {table}",
    )
    yield from connection.execute(
        f"SELECT DISTINCT E, Y, P FROM ({select}) WHERE E IS NOT NULL AND Y IS NOT NULL "
        "ORDER BY E, Y, P"
    )


def games_under_other_names(connection: apsw.Connection) -> Iterator[tuple[int, int, int]]:
    """Yield (MoveHash, WhiteID, BlackID) of games whose moves occur under more than one name."""
    records_sql = kept_and_removed(
        connection,
        f"SELECT MoveHash, WhiteID, BlackID FROM {{table}} WHERE PlyCount >= {MIN_PLIES}",
    )
    yield from connection.execute(
        f"SELECT * FROM ({records_sql}) WHERE MoveHash IN (SELECT MoveHash FROM ({records_sql}) "
        "GROUP BY MoveHash HAVING min(WhiteID) < max(WhiteID) OR min(BlackID) < max(BlackID))"
    )


def played_days(connection: apsw.Connection) -> Iterator[tuple[int, int, str, int]]:
    """Yield (WhiteID, BlackID, date, MoveHash) of the games with a known day."""
    select = (
        "SELECT coalesce(WhiteID, 0), coalesce(BlackID, 0), Date, coalesce(MoveHash, ID) "
        "FROM {table} WHERE Date GLOB '[0-9][0-9][0-9][0-9].[0-9][0-9].[0-9][0-9]'"
    )
    yield from connection.execute(kept_and_removed(connection, select))


def year_of(date: str | None) -> int:
    """Return the year of a date, 0 if unknown."""
    return int(date[:4]) if date and date[:4].isdecimal() else 0


def _number(text: object) -> int:
    digits = str(text).strip() if text is not None else ""
    return int(digits) if digits.isdecimal() and len(digits) <= 10 else 0
