"""Which names of events mean one tournament, by the games: the same players, days and rounds.

A Tournament here is an event and a site, in one period. Two of them are one tournament if they
share games, or most of their players, and no player has two opponents on one day or in one round.
Names alone are never enough: a festival has several tournaments, and a name comes back each year.
"""

from __future__ import annotations

import datetime
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import combinations
from typing import NamedTuple, TypeVar

from ocgdedup.matching.event_names import event_key, is_generic, may_be_one, rank_of_name
from ocgdedup.matching.names.name_form import name_form
from ocgdedup.matching.places import standard_site, town_and_country, town_key
from ocgdedup.model import TournamentRecord

_MOST_DAYS_OFF = 20  # between two days of play of one tournament
_LEAST_SHARED = 3  # games in both
_LEAST_PLAYERS, _LEAST_PLAYERS_OF_NAME = 4, 2
_LEAST_GAMES = 2  # that have a day or a round
_LEAST_ROUNDS = 3  # on one day: the source gives all rounds the first day
_MOST_TOURNAMENTS = 200  # of one town, or with one game, that are compared with each other
_FULL_DATE = re.compile(r"(\d{4})\.(\d\d)\.(\d\d)")
_ROUND = re.compile(r"\d{1,3}(?:\.\d{1,3}){0,2}")
_Time = TypeVar("_Time", int, str)


class PlayedGame(NamedTuple):
    """A game of a tournament; `day`: an ordinal number, None if unknown; `round`: "" if unknown."""

    day: int | None
    round: str
    white: str
    black: str


@lru_cache(maxsize=1 << 14)
def day_of(date: str) -> int | None:
    """Return the ordinal number of a date, None if it is not a calendar day."""
    match = _FULL_DATE.fullmatch(date)
    if match is None:
        return None
    try:
        return datetime.date(*map(int, match.groups())).toordinal()
    except ValueError:
        return None


def round_number(text: str) -> str:
    """Return the number of a round without that of the board: "3" for "3.12"; "" for no number."""
    return text.split(".")[0].lstrip("0") if _ROUND.fullmatch(text) else ""


@lru_cache(maxsize=1 << 16)
def player_key(name: str) -> str:
    """Return a text that is equal for most spellings of one player, "" for an unknown one."""
    form = name_form(name)
    if not form.surname:
        return ""
    return f"{max(form.surname, key=len)} {form.given[0][0] if form.given else ''}"


class Tournament:
    """The played games that records of one event and site have in one period."""

    def __init__(self, event: str, site: str, year: int) -> None:
        self.event, self.site, self.year = event, site, year
        self.games: dict[int, PlayedGame] = {}  # by group

    def add(self, record: TournamentRecord) -> None:
        game = PlayedGame(
            day_of(record.date), round_number(record.round),
            player_key(record.white), player_key(record.black),
        )  # fmt: skip
        before = self.games.get(record.group)
        if before is None or (before.day is None and game.day is not None):
            self.games[record.group] = game

    @cached_property
    def players(self) -> frozenset[str]:
        return frozenset(player for game in self.games.values() for player in game[2:] if player)

    @cached_property
    def period(self) -> tuple[int, int] | None:
        """First and last day, None if no day is known."""
        days = [game.day for game in self.games.values() if game.day is not None]
        return (min(days), max(days)) if days else None

    @cached_property
    def opponents(self) -> Mapping[tuple[str, object], str]:
        """Who played whom on a day, and in a round."""
        opponents: dict[tuple[str, object], str] = {}
        for game in self.games.values():
            for player, other in ((game.white, game.black), (game.black, game.white)):
                for time in (game.day, game.round):
                    if player and time:
                        opponents[player, time] = other
        return opponents


def are_one(left: Tournament, right: Tournament) -> bool:
    """Return whether the games of two names show that they mean one tournament."""
    if not _periods_meet(left.period, right.period):
        return False
    if not may_be_one(left.event, right.event, left.year) or _are_clashing(left, right):
        return False
    small, large = sorted((left, right), key=lambda tournament: len(tournament.games))
    shared = len(small.games.keys() & large.games.keys())
    if shared >= _LEAST_SHARED and 2 * shared >= len(small.games):
        # The games of the same players in the other one.
        rest = sum(
            game.white in small.players and game.black in small.players
            for game in large.games.values()
        )
        return 2 * shared >= rest
    if town_key(left.site) != town_key(right.site) or left.period is None or right.period is None:
        return False
    players = small.players & large.players
    has_one_name = event_key(left.event, left.year) == event_key(right.event, right.year)
    if not has_one_name and not (is_generic(left.event) or is_generic(right.event)):
        return False
    least = _LEAST_PLAYERS_OF_NAME if has_one_name else _LEAST_PLAYERS
    return len(players) >= least and 3 * len(players) >= 2 * len(small.players)


def _periods_meet(left: tuple[int, int] | None, right: tuple[int, int] | None) -> bool:
    if left is None or right is None:
        return True
    return left[0] <= right[1] + 1 and right[0] <= left[1] + 1


def _are_clashing(left: Tournament, right: Tournament) -> bool:
    """Return whether players have two opponents on one day, or in one round."""
    small, large = sorted((left.opponents, right.opponents), key=len)
    others = [(other, large[time]) for time, other in small.items() if time in large]
    clashes = sum(other != second for other, second in others)
    return clashes >= 2 and 5 * clashes > len(others)


class Season:
    """The tournaments of one year, in sets of names that mean one tournament."""

    def __init__(self, year: int, records: Iterable[TournamentRecord]) -> None:
        self._by_name: dict[tuple[str, str], list[Tournament]] = {}
        by_name: defaultdict[tuple[str, str], list[TournamentRecord]] = defaultdict(list)
        for record in records:
            if "://" not in record.site:  # an address is that of one game
                by_name[record.event, record.site].append(record)
        for (event, site), of_name in by_name.items():
            self._by_name[event, site] = list(_periods(event, site, year, of_name))
        tournaments = [one for several in self._by_name.values() for one in several]
        self._sets = _sets_of_one(tournaments)
        self._events: dict[int, str | None] = {}
        self._sites: dict[tuple[int, str], str | None] = {}
        self._schedules: dict[int, Schedule] = {}

    def tournament(self, event: str, site: str, date: str) -> Tournament | None:
        """Return the tournament of a game with these values."""
        several = self._by_name.get((event, site), ())
        day = day_of(date)
        if day is None:
            return several[0] if len(several) == 1 else None
        for tournament in several:
            period = tournament.period
            if period is not None and period[0] <= day <= period[1]:
                return tournament
        return None

    def events_of(self, tournament: Tournament) -> Collection[str]:
        """Return the names of a tournament."""
        return {one.event for one in self._sets[id(tournament)]}

    def event_of(self, tournament: Tournament) -> str | None:
        """Return the best name of a tournament, None if none is clearly better."""
        names = self._sets[id(tournament)]
        if id(names) not in self._events:
            self._events[id(names)] = _one_event(names)
        return self._events[id(names)]

    def site_of(self, tournament: Tournament) -> str | None:
        """Return the best form of the site of a tournament, None if none is clearly better."""
        names = self._sets[id(tournament)]
        key = id(names), town_key(tournament.site)
        if key not in self._sites:
            self._sites[key] = _one_site(names, key[1])
        return self._sites[key]

    def schedule_of(self, tournament: Tournament) -> Schedule:
        names = self._sets[id(tournament)]
        if id(names) not in self._schedules:
            self._schedules[id(names)] = Schedule(names)
        return self._schedules[id(names)]


class Schedule:
    """On which days the rounds of a tournament were played, and who played in them."""

    def __init__(self, names: Sequence[Tournament]) -> None:
        """`names`: of one tournament."""
        self._games: defaultdict[tuple[int, str], set[int]] = defaultdict(set)
        self._times: defaultdict[str, set[int | str]] = defaultdict(set)  # by player
        for one in names:
            for group, game in one.games.items():
                if game.day is not None and game.round:
                    self._games[game.day, game.round].add(group)
                for player in (game.white, game.black):
                    self._times[player] |= {game.day or 0, game.round}
        self._days = {day for day, _ in self._games}
        self._rounds = {number for _, number in self._games}

    def round_on(self, date: str, white: str, black: str) -> str | None:
        """Return the only round in which two players may have played on a day, else None."""
        day = day_of(date)
        if day is None or (len(self._rounds) == 1 and len(self._days) > 1):
            return None  # the source gives one round to all games
        played = self._times[player_key(white)] | self._times[player_key(black)]
        rounds = {
            number: len(games)
            for (other, number), games in self._games.items()
            if other == day and number not in played
        }
        return _only(rounds)

    def day_of_round(self, text: str, white: str, black: str) -> int | None:
        """Return the only day on which two players may have played a round, else None."""
        number = round_number(text)
        if not number or (len(self._days) == 1 and len(self._rounds) >= _LEAST_ROUNDS):
            return None  # the source gives the first day to all rounds
        played = self._times[player_key(white)] | self._times[player_key(black)]
        days = {day: len(games) for (day, other), games in self._games.items() if other == number}
        day = _only(days)
        return None if day in played else day


def _only(games: Mapping[_Time, int]) -> _Time | None:
    """Return the only day or round, if enough games have it."""
    if len(games) != 1:
        return None
    ((time, count),) = games.items()
    return time if count >= _LEAST_GAMES else None


def _periods(
    event: str, site: str, year: int, records: Sequence[TournamentRecord]
) -> Iterator[Tournament]:
    """Yield the tournaments of one name: more than one if there are long pauses."""
    dated = sorted((record for record in records if day_of(record.date)), key=_day)
    undated = [record for record in records if not day_of(record.date)]
    parts: list[list[TournamentRecord]] = []
    for record in dated:
        if not parts or _day(record) > _day(parts[-1][-1]) + _MOST_DAYS_OFF:
            parts.append([])
        parts[-1].append(record)
    if len(parts) == 1:
        parts[0] += undated
    elif undated:
        parts.append(undated)
    for part in parts:
        tournament = Tournament(event, site, year)
        for record in part:
            tournament.add(record)
        yield tournament


def _day(record: TournamentRecord) -> int:
    return day_of(record.date) or 0


def _sets_of_one(tournaments: Sequence[Tournament]) -> dict[int, list[Tournament]]:
    """Return by id() the tournaments that are one with each."""
    links: defaultdict[int, list[Tournament]] = defaultdict(list)
    for left, right in _candidates(tournaments):
        if are_one(left, right):
            links[id(left)].append(right)
            links[id(right)].append(left)
    # A name that means either of two tournaments stays.
    for tournament in tournaments:
        near = links.get(id(tournament), ())
        if any(
            other not in links[id(one)] and not _have_one_name(one, other)
            for one, other in combinations(near, 2)
        ):
            for other in near:
                links[id(other)].remove(tournament)
            links[id(tournament)] = []
    sets: dict[int, list[Tournament]] = {}
    for tournament in tournaments:
        if id(tournament) in sets:
            continue
        members, waiting = [], [tournament]
        while waiting:
            member = waiting.pop()
            if id(member) not in sets:
                members.append(member)
                sets[id(member)] = members
                waiting += links.get(id(member), ())
    return sets


def _have_one_name(left: Tournament, right: Tournament) -> bool:
    return event_key(left.event, left.year) == event_key(right.event, right.year)


def _candidates(tournaments: Sequence[Tournament]) -> Iterator[tuple[Tournament, Tournament]]:
    """Yield pairs that share a game, or a town."""
    of_game: defaultdict[int, list[Tournament]] = defaultdict(list)
    of_town: defaultdict[str, list[Tournament]] = defaultdict(list)
    for tournament in tournaments:
        of_town[town_key(tournament.site)].append(tournament)
        for group in tournament.games:
            of_game[group].append(tournament)
    seen = set()
    of_town.pop("", None)
    several = (
        some
        for some in (*of_game.values(), *of_town.values())
        if 1 < len(some) <= _MOST_TOURNAMENTS
    )
    for some in several:
        for pair in combinations(some, 2):
            key = id(pair[0]), id(pair[1])
            if key not in seen:
                seen.add(key)
                yield pair


def _one_event(names: Sequence[Tournament]) -> str | None:
    """Return the event of the names of one tournament: that which says most, then the frequent one.

    Of spellings of one name, that with most letters has no abbreviations. None if none is clearly
    better.
    """
    games: Counter[str] = Counter()
    ranks: dict[str, int] = {}
    spellings: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for one in names:
        key = event_key(one.event, one.year)
        spellings[key][one.event] += len(one.games)
        games[key] += len(one.games)
        ranks[key] = max(ranks.get(key, 0), rank_of_name(one.event, town_key(one.site)))
    best = _clear_best({key: (ranks[key], count) for key, count in games.items()})
    if best is None:
        return None
    return _clear_best(
        {event: (sum(map(str.isalpha, event)), count) for event, count in spellings[best].items()}
    )


def _one_site(names: Sequence[Tournament], town: str) -> str | None:
    """Return the form of a town in a tournament: with the only country that it has there.

    None if no form is clearly better.
    """
    if not town:
        return None
    forms: Counter[str] = Counter()
    countries = set()
    for one in names:
        if town_key(one.site) == town:
            forms[standard_site(one.site)] += len(one.games)
            countries.add(town_and_country(one.site)[1])
    countries.discard("")
    if len(countries) > 1:
        return None
    return _clear_best(
        {form: (bool(town_and_country(form)[1]), games) for form, games in forms.items()}
    )


def _clear_best(ranked: Mapping[str, tuple[int, int]]) -> str | None:
    """Return the text of the highest rank, None for a tie."""
    best, *others = sorted(ranked, key=lambda text: ranked[text], reverse=True)
    return None if others and ranked[others[0]] == ranked[best] else best
