"""Careers of all players in little memory: events, years and Elos of their certain games.

A lookup has the same result as with a Career of each player (matching/names/evidence.py). The sets
and maps of 64-bit numbers below are sorted arrays, sorted again now and then while they grow: a
number takes 8 bytes, in a Python set at least 60. Add all games before the first lookup.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left

from ocgdedup.store.players import PlayedGame

_NUMBER_BUCKETS = 256  # by the lowest bits, so that little is sorted at once
_FEWEST = 1024  # numbers in a bucket before it is sorted for the first time
_FIRST_LARGE = 1 << 31


class NumberSet:
    """A set of signed 64-bit numbers; a bucket holds all that differ only in the lowest `bits`."""

    def __init__(self, bits: int = 0) -> None:
        self._bits = bits
        self._ends = [0] * _NUMBER_BUCKETS
        self._buckets = [array("q") for _ in range(_NUMBER_BUCKETS)]
        self._limits = [_FEWEST] * _NUMBER_BUCKETS

    def add(self, number: int) -> None:
        """Add a number; call sort() before the next lookup."""
        home = (number >> self._bits) % _NUMBER_BUCKETS
        bucket = self._buckets[home]
        bucket.append(number)
        if len(bucket) >= self._limits[home]:
            self._sort(home)

    def sort(self) -> None:
        end = 0
        for home in range(_NUMBER_BUCKETS):
            self._sort(home)
            end += len(self._buckets[home])
            self._ends[home] = end

    def _sort(self, home: int) -> None:
        bucket = self._buckets[home] = array("q", sorted(set(self._buckets[home])))
        self._limits[home] = max(2 * len(bucket), _FEWEST)

    def __contains__(self, number: int) -> bool:
        bucket = self._buckets[(number >> self._bits) % _NUMBER_BUCKETS]
        index = bisect_left(bucket, number)
        return index < len(bucket) and bucket[index] == number

    def index(self, number: int) -> int | None:
        """Return an index from 0 for each member, None for other numbers."""
        home = (number >> self._bits) % _NUMBER_BUCKETS
        bucket = self._buckets[home]
        index = bisect_left(bucket, number)
        if index == len(bucket) or bucket[index] != number:
            return None
        return self._ends[home] - len(bucket) + index

    def between(self, first: int, end: int) -> array[int]:
        """Return the members from `first` to before `end`, which differ only in the `bits`."""
        bucket = self._buckets[(first >> self._bits) % _NUMBER_BUCKETS]
        begin = bisect_left(bucket, first)
        return bucket[begin : bisect_left(bucket, end, begin)]

    def __len__(self) -> int:
        return sum(map(len, self._buckets))


class Numbering:
    """Maps each number to one below 2**32, most to themselves."""

    def __init__(self) -> None:
        self._large: dict[int, int] = {}

    def __call__(self, number: int) -> int:
        if 0 <= number < _FIRST_LARGE:
            return number
        return self._large.setdefault(number, _FIRST_LARGE + len(self._large))


_SEVERAL = 0  # instead of the number of a source, from 1
_YEAR_BITS = 14
_YEARS_NEAR = 2


class _Events:
    """The only source of each player's games in an event, or a mark that there are several."""

    def __init__(self) -> None:
        self.keys, self.sources = array("q"), array("I")
        self._limit = _FEWEST

    def add(self, key: int, source: int) -> None:
        self.keys.append(key)
        self.sources.append(source)
        if len(self.keys) >= self._limit:
            self.sort()

    def sort(self) -> None:
        sources: dict[int, int] = {}
        for key, source in zip(self.keys, self.sources, strict=True):
            if sources.setdefault(key, source) != source:
                sources[key] = _SEVERAL
        self.keys = array("q", sorted(sources))
        self.sources = array("I", map(sources.__getitem__, self.keys))
        self._limit = max(2 * len(sources), _FEWEST)


class _Elos:
    """The sum and the number of the Elos by person and year; sums are exact below 2**53."""

    def __init__(self) -> None:
        self.keys, self.sums, self.counts = array("q"), array("d"), array("I")
        self._limit = _FEWEST

    def add(self, key: int, elo: int) -> None:
        self.keys.append(key)
        self.sums.append(elo)
        self.counts.append(1)
        if len(self.keys) >= self._limit:
            self.sort()

    def sort(self) -> None:
        sums: dict[int, float] = {}
        counts: dict[int, int] = {}
        for key, total, count in zip(self.keys, self.sums, self.counts, strict=True):
            sums[key] = sums.get(key, 0.0) + total
            counts[key] = counts.get(key, 0) + count
        self.keys = array("q", sorted(sums))
        self.sums = array("d", map(sums.__getitem__, self.keys))
        self.counts = array("I", map(counts.__getitem__, self.keys))
        self._limit = max(2 * len(sums), _FEWEST)


class Careers:
    """The careers of persons; add all games, then call sort(), then look up.

    `persons`: their number; persons are numbered from 0.
    """

    def __init__(self, persons: int) -> None:
        self._has_games = bytearray(persons)
        self.first_years = array("H", bytes(2 * persons))
        self.last_years = array("H", bytes(2 * persons))
        self.events = [_Events() for _ in range(_NUMBER_BUCKETS)]
        self.elos = [_Elos() for _ in range(_NUMBER_BUCKETS)]
        self.opponents = NumberSet()
        self.number_of = Numbering()
        self.event_numbers: dict[int, int] = {}
        self.source_numbers: dict[int, int] = {}

    def add(self, person: int, game: PlayedGame, side: int, event: int) -> None:
        """Add a game of a person; `event`: its event_key(), 0 if unknown."""
        self._has_games[person] = True
        opponent = game.players[1 - side]
        self.opponents.add(person << 32 | self.number_of(opponent))
        year = game.year
        if not year:
            return
        if not self.first_years[person] or year < self.first_years[person]:
            self.first_years[person] = year
        self.last_years[person] = max(self.last_years[person], year)
        bucket = person % _NUMBER_BUCKETS
        if event:
            number = self.event_numbers.setdefault(event, len(self.event_numbers))
            source = self.source_numbers.setdefault(game.source, len(self.source_numbers) + 1)
            self.events[bucket].add(person << 32 | number, source)
        if game.elos[side]:
            self.elos[bucket].add(person << _YEAR_BITS | year, game.elos[side])

    def sort(self) -> None:
        self.opponents.sort()
        for events, elos in zip(self.events, self.elos, strict=True):
            events.sort()
            elos.sort()

    def get(self, person: int) -> CareerOf | None:
        """Return the career of a person, None without games."""
        return CareerOf(self, person) if self._has_games[person] else None


class CareerOf:
    """The career of one person, with the interface of matching.names.evidence.Career."""

    __slots__ = ("_careers", "_person", "first_year", "last_year")

    def __init__(self, careers: Careers, person: int) -> None:
        self._careers = careers
        self._person = person
        self.first_year = careers.first_years[person]
        self.last_year = careers.last_years[person]

    def is_of_another_source(self, event: int, source: int) -> bool | None:
        number = self._careers.event_numbers.get(event)
        if number is None:
            return None
        table = self._careers.events[self._person % _NUMBER_BUCKETS]
        key = self._person << 32 | number
        index = bisect_left(table.keys, key)
        if index == len(table.keys) or table.keys[index] != key:
            return None
        only = table.sources[index]
        return only == _SEVERAL or only != self._careers.source_numbers.get(source)

    def has_met(self, opponent: int) -> bool:
        return self._person << 32 | self._careers.number_of(opponent) in self._careers.opponents

    def elos_near(self, year: int) -> list[float]:
        table = self._careers.elos[self._person % _NUMBER_BUCKETS]
        first = self._person << _YEAR_BITS
        index = bisect_left(table.keys, first | max(year - _YEARS_NEAR, 0))
        last = first | min(year + _YEARS_NEAR, (1 << _YEAR_BITS) - 1)
        elos: list[float] = []
        while index < len(table.keys) and table.keys[index] <= last:
            elos.append(table.sums[index] / table.counts[index])
            index += 1
        return elos
