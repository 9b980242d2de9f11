"""SQL on evidence in games about their players, for resolving names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import apsw

from ocgdedup.store.games import kept_and_removed

# Bits of Games.BackFilled; fields that an earlier run filled in are no evidence.
_SIDES = (("White", 1, 4, 16), ("Black", 2, 8, 32))


_LINK = (
    "coalesce(ExtraTags ->> '$.Link', 'ficsgames.org/cgi-bin/show.cgi?ID=' || "
    "(ExtraTags ->> '$.FICSGamesDBGameNo'))"
)


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


def played_games(connection: apsw.Connection) -> Iterator[PlayedGame]:
    """Yield all games by ID, including removed games, whose evidence counts too."""
    select = kept_and_removed(connection, _select())
    for row in connection.execute(f"{select} ORDER BY 1"):
        game_id, white, black, date, event, key, white_elo, black_elo, source, *tags = row
        year = year_of(date)
        month = 12 * year + int(date[5:7]) if year and date[5:7].isdecimal() else 0
        white_id, black_id, white_title, black_title, white_country, black_country, *rest = tags
        site, link = rest
        yield PlayedGame(
            game_id,
            (white, black),
            year,
            event or 0,
            key or 0,
            (white_elo or 0, black_elo or 0),
            (_number(white_id), _number(black_id)),
            (white_title or "", black_title or ""),
            (white_country or "", black_country or ""),
            source or 0,
            site or 0,
            month,
            link or "",
        )


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


def _select() -> str:
    elos, ids, titles, countries = [], [], [], []
    for side, id_bit, title_bit, elo_bit in _SIDES:
        elos.append(f"CASE WHEN coalesce(BackFilled, 0) & {elo_bit} THEN 0 ELSE {side}Elo END")
        ids.append(_own_tag(f"{side}FideId", id_bit))
        titles.append(_own_tag(f"{side}Title", title_bit))
        countries.append(f"ExtraTags ->> '$.{side}Country'")
    columns = ", ".join([*elos, "SourceID", *ids, *titles, *countries, "SiteID", _LINK])
    return (
        "SELECT ID, coalesce(WhiteID, 0), coalesce(BlackID, 0), Date, EventID, "
        f"CASE WHEN PlyCount >= {MIN_PLIES} THEN MoveHash END, {columns} FROM {{table}}"
    )


def _own_tag(name: str, bit: int) -> str:
    return f"CASE WHEN coalesce(BackFilled, 0) & {bit} THEN NULL ELSE ExtraTags ->> '$.{name}' END"


def year_of(date: str | None) -> int:
    """Return the year of a date, 0 if unknown."""
    return int(date[:4]) if date and date[:4].isdecimal() else 0


def _number(text: object) -> int:
    digits = str(text).strip() if text is not None else ""
    return int(digits) if digits.isdecimal() and len(digits) <= 10 else 0
