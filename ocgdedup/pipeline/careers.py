"""What the games that are surely a person's say of him, for all persons, in little memory.

Answers as the Career of each would (matching/names/evidence.py); a fact takes 8 to 20 bytes.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left

from ocgdedup.pipeline.number_tables import Numbering, NumberSet
from ocgdedup.store.player_games import PlayedGame

_BUCKETS = 256
_FEWEST = 1024  # facts of a bucket that are put in order before the end
_SEVERAL = 0  # sources; others are numbered from 1
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
    """By person and year the sum of the Elos and their number, as floats: exact below 2**53."""

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
    """The careers of persons; all games are to be added, then sort() called, then questions asked.

    `persons`: how many there are; they are numbered from 0.
    """

    def __init__(self, persons: int) -> None:
        self._has_games = bytearray(persons)
        self._first_years = array("H", bytes(2 * persons))
        self._last_years = array("H", bytes(2 * persons))
        self._events = [_Events() for _ in range(_BUCKETS)]
        self._elos = [_Elos() for _ in range(_BUCKETS)]
        self._opponents = NumberSet()
        self._number_of = Numbering()
        self._event_numbers: dict[int, int] = {}
        self._source_numbers: dict[int, int] = {}

    def add(self, person: int, game: PlayedGame, side: int, event: int) -> None:
        """Note a game of a person; `event`: its event_key(), 0 if it is not known."""
        self._has_games[person] = True
        opponent = game.players[1 - side]
        self._opponents.add(person << 32 | self._number_of(opponent))
        year = game.year
        if not year:
            return
        if not self._first_years[person] or year < self._first_years[person]:
            self._first_years[person] = year
        self._last_years[person] = max(self._last_years[person], year)
        bucket = person % _BUCKETS
        if event:
            number = self._event_numbers.setdefault(event, len(self._event_numbers))
            source = self._source_numbers.setdefault(game.source, len(self._source_numbers) + 1)
            self._events[bucket].add(person << 32 | number, source)
        if game.elos[side]:
            self._elos[bucket].add(person << _YEAR_BITS | year, game.elos[side])

    def sort(self) -> None:
        """Put in order what was added."""
        self._opponents.sort()
        for events, elos in zip(self._events, self._elos, strict=True):
            events.sort()
            elos.sort()

    def get(self, person: int) -> CareerOf | None:
        """Return the career of a person, None if none of his games was added."""
        return CareerOf(self, person) if self._has_games[person] else None

    def years(self, person: int) -> tuple[int, int]:
        return self._first_years[person], self._last_years[person]

    def is_of_another_source(self, person: int, event: int, source: int) -> bool | None:
        number = self._event_numbers.get(event)
        if number is None:
            return None
        table = self._events[person % _BUCKETS]
        key = person << 32 | number
        place = bisect_left(table.keys, key)
        if place == len(table.keys) or table.keys[place] != key:
            return None
        only = table.sources[place]
        return only == _SEVERAL or only != self._source_numbers.get(source)

    def has_met(self, person: int, opponent: int) -> bool:
        return person << 32 | self._number_of(opponent) in self._opponents

    def elos_near(self, person: int, year: int) -> list[float]:
        table = self._elos[person % _BUCKETS]
        first = person << _YEAR_BITS
        place = bisect_left(table.keys, first | max(year - _YEARS_NEAR, 0))
        last = first | min(year + _YEARS_NEAR, (1 << _YEAR_BITS) - 1)
        elos: list[float] = []
        while place < len(table.keys) and table.keys[place] <= last:
            elos.append(table.sums[place] / table.counts[place])
            place += 1
        return elos


class CareerOf:
    """The career of one person: asked as matching.names.evidence.Career is."""

    __slots__ = ("_careers", "_person", "first_year", "last_year")

    def __init__(self, careers: Careers, person: int) -> None:
        self._careers = careers
        self._person = person
        self.first_year, self.last_year = careers.years(person)

    def is_of_another_source(self, event: int, source: int) -> bool | None:
        return self._careers.is_of_another_source(self._person, event, source)

    def has_met(self, opponent: int) -> bool:
        return self._careers.has_met(self._person, opponent)

    def elos_near(self, year: int) -> list[float]:
        return self._careers.elos_near(self._person, year)
