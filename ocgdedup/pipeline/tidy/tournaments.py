"""Unify the names of events and sites, and fill in rounds and dates, by the games of tournaments.

The evidence is the records as they were read, duplicates included; changed are the current values
of the games that are kept. So a second run changes nothing. The records of one year are in memory
at a time, about 1 KB each. The caller owns the transaction.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Callable, Collection, Mapping

import apsw

from ocgdedup.matching.places import standard_site, town_and_country, town_key
from ocgdedup.matching.tournaments import Season, Tournament
from ocgdedup.model import Reporter, TournamentRecord
from ocgdedup.pgn.dates import UNKNOWN_DATE, parse_date
from ocgdedup.pipeline.tidy.steps import Replaced, TidiedTag
from ocgdedup.store import tidied as store
from ocgdedup.store.tournaments import records_by_year, spelling_corrections

TAGS = EVENT, SITE, ROUND, DATE = "Event", "Site", "Round", "Date"
_YEAR_CHARS, _MONTH_CHARS = 4, 7
_Rule = Callable[[Season, TournamentRecord], str | None]


def tidy_tournaments(
    connection: apsw.Connection, tags: Collection[str], reporter: Reporter
) -> list[TidiedTag]:
    """Tidy some of TAGS; return what was changed, in the order of TAGS."""
    rules = _rules(connection, tags)
    corrected = {tag: store.corrected_games(connection, tag) for tag in rules}
    values: dict[str, dict[int, str]] = {tag: {} for tag in rules}
    changes: dict[str, Counter[tuple[str, str]]] = {tag: Counter() for tag in rules}
    reporter.start("comparing tournaments", None, None)
    games = 0
    for year, records in records_by_year(connection):
        # Without a year, a name may mean the tournaments of many years.
        is_year = year.isascii() and year.isdigit()
        season = Season(int(year), records) if is_year else Season(0, ())
        for record in records:
            for tag, rule in rules.items() if record.is_kept else ():
                before, after = _CURRENT[tag](record), rule(season, record)
                if after and after != before and record.game_id not in corrected[tag]:
                    values[tag][record.game_id] = after
                    changes[tag][before, after] += 1
        games += len(records)
        reporter.advance(games, 0)
    reporter.finish()
    for tag in rules:
        store.write_tidied(connection, tag, values[tag])
    return [_summary(tag, changes[tag]) for tag in rules]


_CURRENT: Mapping[str, Callable[[TournamentRecord], str]] = {
    EVENT: lambda record: record.now_event,
    SITE: lambda record: record.now_site,
    ROUND: lambda record: record.now_round,
    DATE: lambda record: record.now_date,
}


def _rules(connection: apsw.Connection, tags: Collection[str]) -> dict[str, _Rule]:
    """Return by tag the functions that give the tidied value of a record, None for none."""
    events, sites, rounds = (
        _Spellings(connection, section) for section in ("event", "site", "round")
    )
    rules: dict[str, _Rule] = {
        EVENT: lambda season, record: events.corrected(_event(season, record)),
        SITE: lambda season, record: sites.corrected(_site(season, record)),
        ROUND: lambda season, record: rounds.corrected(_round(season, record)),
        DATE: _date,
    }
    return {tag: rules[tag] for tag in TAGS if tag in tags}


def _summary(tag: str, changes: Counter[tuple[str, str]]) -> TidiedTag:
    if tag == DATE:
        return TidiedTag(tag, filled=changes.total())
    filled = sum(games for (before, _), games in changes.items() if not before)
    replaced = [
        Replaced(before, after, games) for (before, after), games in changes.most_common() if before
    ]
    return TidiedTag(tag, filled, changes.total() - filled, replaced)


class _Spellings:
    """Corrects names as the spelling files say that 'players' has read."""

    def __init__(self, connection: apsw.Connection, section: str) -> None:
        self._names: dict[str, str] = {}
        self._parts: list[tuple[str, str, str]] = []
        for kind, right, wrong in spelling_corrections(connection, section):
            if kind == section:
                self._names.setdefault(wrong.casefold(), right)
            else:
                self._parts.append((kind, right, wrong))

    def corrected(self, text: str) -> str:
        if not text:
            return text
        for kind, right, wrong in self._parts:
            if kind == "prefix" and text.startswith(wrong):
                text = right + text.removeprefix(wrong)
            elif kind == "suffix" and text.endswith(wrong):
                text = text.removesuffix(wrong) + right
            elif kind == "infix":
                text = text.replace(wrong, right)
        return self._names.get(text.casefold(), text)


def _tournament(season: Season, record: TournamentRecord) -> Tournament | None:
    """Return the tournament of a record; of its current values, if these are of another one."""
    own = season.tournament(record.event, record.site, record.date)
    if own is not None and record.now_event in season.events_of(own):
        return own
    return season.tournament(record.now_event, record.now_site, record.now_date)


def _event(season: Season, record: TournamentRecord) -> str:
    tournament = _tournament(season, record)
    best = None if tournament is None else season.event_of(tournament)
    return best or record.now_event


def _site(season: Season, record: TournamentRecord) -> str:
    site = standard_site(record.now_site)
    tournament = _tournament(season, record)
    if tournament is None or town_key(tournament.site) != town_key(site):
        return site
    best = season.site_of(tournament)
    # A merge may have given the country, by a record of another name of the tournament.
    loses_country = best and town_and_country(site)[1] and not town_and_country(best)[1]
    return site if loses_country or not best else best


def _round(season: Season, record: TournamentRecord) -> str:
    tournament = _tournament(season, record)
    if record.now_round or tournament is None:
        return record.now_round
    schedule = season.schedule_of(tournament)
    return schedule.round_on(record.now_date, record.white, record.black) or ""


def _date(season: Season, record: TournamentRecord) -> str | None:
    """Return a date with its missing parts, if these are known."""
    date = record.now_date or UNKNOWN_DATE
    if "?" not in date:
        return None
    days = set()
    utc_date = parse_date(record.utc_date)[0]
    if "?" not in utc_date and _agree(date, utc_date):
        days.add(utc_date)
    tournament = _tournament(season, record)
    if tournament is not None:
        schedule = season.schedule_of(tournament)
        number = schedule.day_of_round(record.now_round, record.white, record.black)
        if number is not None:
            day = datetime.date.fromordinal(number).isoformat().replace("-", ".")
            if _agree(date, day):
                days.add(day)
    if days:
        return days.pop() if len(days) == 1 else None
    return _with_month(date, parse_date(record.event_date)[0], tournament)


def _with_month(date: str, first_day: str, tournament: Tournament | None) -> str | None:
    """Return a date with the month in which the event began, if all its days are in that month."""
    month = first_day[:_MONTH_CHARS]
    if "?" in month or "?" in date[:_YEAR_CHARS] or not _agree(date[:_MONTH_CHARS], month):
        return None
    for number in (None if tournament is None else tournament.period) or ():
        if datetime.date.fromordinal(number).isoformat()[:_MONTH_CHARS] != month.replace(".", "-"):
            return None
    return month + date[_MONTH_CHARS:]


def _agree(date: str, other: str) -> bool:
    """Return whether two dates may be one: unknown digits agree with all."""
    return all("?" in pair or pair[0] == pair[1] for pair in zip(date, other, strict=True))
