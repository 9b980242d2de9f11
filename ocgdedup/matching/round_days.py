"""The day on which a round was played, by the other games of the event.

Owns the rules; the kernel's HeaderCounts has the days of all rounds (`RoundDays`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple, Protocol

from ocgdedup.matching.header_score import EMPTY_TEXTS
from ocgdedup.model import GameHeader
from ocgdedup.thresholds import NAMED_ROUND

_MOST_VALUES = 64  # dates of a group that are compared; real groups have fewer
_TIMES_AS_MANY = 2  # least ratio of the games on the right day to those on any other day
_LEAST_OUT_OF_ORDER = 2  # games of earlier or later rounds that contradict a day
_MOST_DAYS = 60  # between games of one event
_LEAST_ROUNDS = 3  # on one day: the source gives all rounds the first day of the event
# If about one round a day was played, two rounds determine the day of a round near to them.
_MOST_ROUNDS_AWAY = 2
_LEAST_DAYS_A_ROUND, _MOST_DAYS_A_ROUND = 0.8, 1.5
# Most days between the expected day and the right one; least additional days to the next one.
_NEAR_DAY, _OTHER_DAY = 0.5, 0.8
_ROUND_BITS = 15


class RoundDay(NamedTuple):
    """An event, a source, a round and a date, each as a number of the kernel."""

    event: int
    source: int
    round: int
    date: int


class RoundDays(Protocol):
    """The days of rounds in all records of a database."""

    def round_of(self, game_id: int) -> RoundDay:
        """Return the event, source, round and date of a record."""

    def days_of(self, event: int) -> Mapping[RoundDay, int]:
        """Return how many records of an event have each source, round and date."""


class DatedRecord(NamedTuple):
    """The fields of a GameHeader that outweighed_days() reads."""

    game_id: int
    date: str | None
    event: str | None


def outweighed_days(
    records: Sequence[GameHeader | DatedRecord], database: RoundDays
) -> Collection[str]:
    """Return the dates of a group that other games of the event contradict.

    The evidence, in this order: games of the same round; games of the same round number ("2.1" and
    "2.4"); games of earlier rounds on later days, or vice versa; sources that give one day for all
    rounds of an event; about one round a day in the rounds before and after.
    """
    exact = [record for record in records if record.date and "?" not in record.date]
    if len({record.date for record in exact}) < 2:
        return []
    dates = {database.round_of(record.game_id).date: str(record.date) for record in exact}
    days = {date: day for date in dates if (day := _ordinal(date)) is not None}
    if not 2 <= len(days) <= _MOST_VALUES:
        return []
    game_ids = {record.game_id for record in records if record.event not in EMPTY_TEXTS}
    rows = [database.round_of(game_id) for game_id in game_ids]
    whole: dict[RoundDay, int] = {}
    for event in {row.event for row in rows}:
        whole.update(database.days_of(event))
    constant = _sources_with_one_day(whole)
    near = _near_dates({row.date for row in whole}, sorted(days.values()))
    others = Counter(whole)
    others.subtract(rows)
    reliable = {
        row: games
        for row, games in others.items()
        if games > 0 and row.date in near and (row.event, row.source) not in constant
    }
    possible = _dates_by_order(rows, reliable, days)
    if len(possible) == len(days):
        possible = _dates_by_source(rows, whole, days, constant)
    if len(possible) > 1:
        possible = _dates_by_pace(rows, reliable, {date: days[date] for date in possible})
    if len(possible) == len(days):
        return []
    return [text for date, text in dates.items() if date not in possible]


def _near_dates(dates: Iterable[int], days: Sequence[int]) -> set[int]:
    """Return the dates near to one of the sorted days; the others may be of another event."""
    near = set()
    for date in dates:
        day = _ordinal(date)
        if day is not None:
            index = bisect_left(days, day - _MOST_DAYS)
            if index < len(days) and days[index] <= day + _MOST_DAYS:
                near.add(date)
    return near


def _dates_by_order(
    rows: Iterable[RoundDay], others: Mapping[RoundDay, int], days: Mapping[int, int]
) -> Collection[int]:
    """Return the dates that the other games of an event do not contradict."""
    rounds = {(row.event, row.round) for row in rows if row.round}
    in_matches = _are_in_matches(others)
    same: Counter[int] = Counter()
    near: Counter[int] = Counter()
    out_of_order: Counter[int] = Counter()
    for row, games in others.items():
        day = _ordinal(row.date)
        if day is None:
            continue
        for event, number in rounds:
            if event != row.event:
                continue
            if row.round == number:
                same[row.date] += games
            elif (row.round | number) & NAMED_ROUND:
                continue
            elif row.round >> _ROUND_BITS == number >> _ROUND_BITS and not in_matches:
                near[row.date] += games
            else:
                is_earlier = row.round < number
                for date, own_day in days.items():
                    is_wrong = day > own_day if is_earlier else day < own_day
                    if is_wrong and abs(day - own_day) <= _MOST_DAYS:
                        out_of_order[date] += games
    for counts in (same, near):
        first, second = sorted(days, key=lambda date: -counts[date])[:2]
        if counts[first] and counts[first] >= _TIMES_AS_MANY * counts[second]:
            return [first]
    fewest = min(out_of_order[date] for date in days)
    limit = _TIMES_AS_MANY * fewest + _LEAST_OUT_OF_ORDER
    return [date for date in days if out_of_order[date] < limit]


def _are_in_matches(rows: Iterable[RoundDay]) -> bool:
    """Return whether rounds 2.1 and 2.2 are games of one match, on different days in most rounds.

    Otherwise the second number is a board.
    """
    games: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
    dates: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
    for row in rows:
        if row.round and not row.round & NAMED_ROUND:
            key = row.event, row.round >> _ROUND_BITS
            games[key].add(row.round)
            dates[key].add(row.date)
    several = [len(dates[key]) > 1 for key, numbers in games.items() if len(numbers) > 1]
    return 2 * sum(several) > len(several)


def _sources_with_one_day(rows: Mapping[RoundDay, int]) -> set[tuple[int, int]]:
    """Return each (event, source) that has three or more rounds, all with one date."""
    rounds, dates = (_by_source(rows, attrgetter(name)) for name in ("round", "date"))
    return {key for key in rounds if len(rounds[key]) >= _LEAST_ROUNDS and len(dates[key]) == 1}


def _by_source(
    rows: Iterable[RoundDay], value_of: Callable[[RoundDay], int]
) -> Mapping[tuple[int, int], Collection[int]]:
    """Return the values of the rounds of each (event, source): numbers, or dates."""
    values: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
    for row in rows:
        if row.round:
            values[row.event, row.source].add(value_of(row))
    return values


def _dates_by_source(
    rows: Collection[RoundDay],
    event_rows: Iterable[RoundDay],
    days: Mapping[int, int],
    constant: Collection[tuple[int, int]],
) -> Collection[int]:
    """Return the only date that sources with several days have and those with one day lack.

    Return all dates if there is no such date.
    """
    careless = {row.date for row in rows if (row.event, row.source) in constant}
    dates = _by_source(event_rows, attrgetter("date"))
    careful = {row.date for row in rows if len(dates.get((row.event, row.source), ())) > 1}
    reliable = careful - careless
    return reliable if careless and len(reliable) == 1 else list(days)


def _dates_by_pace(
    rows: Collection[RoundDay], others: Iterable[RoundDay], days: Mapping[int, int]
) -> Collection[int]:
    """Return the date that fits about one round a day.

    Return all dates if none clearly fits, or if they have different numbers of records.
    """
    numbers = {row.round >> _ROUND_BITS for row in rows if row.round}
    votes = Counter(row.date for row in rows if row.date in days)
    if (
        len(numbers) != 1
        or any(row.round & NAMED_ROUND for row in rows)
        or len(set(votes.values())) != 1
    ):
        return list(days)
    (number,) = numbers
    rounds: dict[int, set[int]] = defaultdict(set)
    for row in others:
        day = _ordinal(row.date)
        if (
            row.round
            and not row.round & NAMED_ROUND
            and row.round >> _ROUND_BITS != number
            and day is not None
            and all(abs(day - own_day) <= _MOST_DAYS for own_day in days.values())
        ):
            rounds[row.round >> _ROUND_BITS].add(day)
    expected = _expected_day(number, rounds)
    if expected is None:
        return list(days)
    ranked = sorted(days, key=lambda date: abs(days[date] - expected))
    nearest, second = (abs(days[date] - expected) for date in ranked[:2])
    is_clear = nearest <= _NEAR_DAY and second >= nearest + _OTHER_DAY
    return ranked[:1] if is_clear else list(days)


def _expected_day(number: int, rounds: Mapping[int, Collection[int]]) -> float | None:
    """Return the day of a round, by the rounds next to it, or by two rounds before or after it.

    None if these are too far away, or if a round takes several days or much less than one.
    """
    earlier = sorted(other for other in rounds if other < number)[-2:]
    later = sorted(other for other in rounds if other > number)[:2]
    around = [*earlier[-1:], *later[:1]]
    pair = next((pair for pair in (around, earlier, later) if len(pair) == 2), None)
    if pair is None or min(abs(number - other) for other in pair) > _MOST_ROUNDS_AWAY:
        return None
    first, last = pair
    if len(rounds[first]) > 1 or len(rounds[last]) > 1:
        return None
    (first_day,), (last_day,) = rounds[first], rounds[last]
    days_a_round = (last_day - first_day) / (last - first)
    if not _LEAST_DAYS_A_ROUND <= days_a_round <= _MOST_DAYS_A_ROUND:
        return None
    return first_day + days_a_round * (number - first)


@lru_cache(maxsize=1 << 14)
def _ordinal(date: int) -> int | None:
    """Return the ordinal number of a packed date, None if it is not a calendar day."""
    import datetime  # 3 ms

    try:
        return datetime.date(date >> 9, date >> 5 & 15, date & 31).toordinal()
    except ValueError:
        return None
