"""SQL of tournaments: the records of each year, as they were read, with their current values."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

import apsw

from ocgdedup.model import TournamentRecord
from ocgdedup.store.games import kept_and_deleted

_YEAR_CHARS = 4
# Original values are in UnmergedHeaders, if another value replaced one of them.
_RECORDS = """
    SELECT coalesce(DuplicateGroup, G.ID),
        nullif(nullif(Event.Name, ''), '?'), nullif(nullif(Site.Name, ''), '?'),
        coalesce(nullif(iif(Saved.GameID IS NULL, G.Date, Saved.Date), ''), '????.??.??') AS Day,
        nullif(nullif(iif(Saved.GameID IS NULL, G.Round, Saved.Round), ''), '?'),
        White.Name, Black.Name,
        '{table}' = 'Games' AND DuplicateStatus IS NULL, G.ID,
        nullif(NowEvent.Name, '?'), nullif(NowSite.Name, '?'), G.Date, nullif(G.Round, '?'),
        iif(coalesce(G.Date, '?') LIKE '%?%', {event_date}, NULL),
        iif(coalesce(G.Date, '?') LIKE '%?%', {utc_date}, NULL)
    FROM {table} AS G LEFT JOIN DuplicateFlags ON DuplicateFlags.GameID = G.ID
    LEFT JOIN UnmergedHeaders AS Saved ON Saved.GameID = G.ID
    LEFT JOIN Events AS Event ON Event.ID = iif(Saved.GameID IS NULL, G.EventID, Saved.EventID)
    LEFT JOIN Sites AS Site ON Site.ID = iif(Saved.GameID IS NULL, G.SiteID, Saved.SiteID)
    LEFT JOIN Events AS NowEvent ON NowEvent.ID = G.EventID
    LEFT JOIN Sites AS NowSite ON NowSite.ID = G.SiteID
    LEFT JOIN Players AS White ON White.ID = iif(Saved.GameID IS NULL, G.WhiteID, Saved.WhiteID)
    LEFT JOIN Players AS Black ON Black.ID = iif(Saved.GameID IS NULL, G.BlackID, Saved.BlackID)
"""
_TAG = "iif(json_valid(G.ExtraTags), G.ExtraTags ->> '$.{}', NULL)"


def records_by_year(connection: apsw.Connection) -> Iterator[tuple[str, list[TournamentRecord]]]:
    """Yield the records of each year that was read, "????" if it is unknown; deleted ones too."""
    select = _RECORDS.replace("{event_date}", _TAG.format("EventDate")).replace(
        "{utc_date}", _TAG.format("UTCDate")
    )
    sql = f"SELECT * FROM ({kept_and_deleted(connection, select)}) ORDER BY substr(Day, 1, 4), 9"
    rows = connection.execute(sql)
    year_of = itemgetter(3)
    for year, of_year in groupby(rows, lambda row: str(year_of(row))[:_YEAR_CHARS]):
        yield year, [TournamentRecord._make(value or "" for value in row) for row in of_year]


def spelling_corrections(
    connection: apsw.Connection, section: str
) -> Iterator[tuple[str, str, str]]:
    """Yield (kind, right, wrong) of the lines of spelling files about events, sites or rounds.

    `section`: "event", "site" or "round". The kind is the section for a whole name, else "prefix",
    "infix" or "suffix". The lists are in the order of their import.
    """
    sql = (
        "SELECT Kind, Name, Value FROM SpellingLines WHERE Section = ?1 "
        "AND Kind IN (?1, 'prefix', 'infix', 'suffix') ORDER BY ListID, Line"
    )
    return connection.execute(sql, (section,))
