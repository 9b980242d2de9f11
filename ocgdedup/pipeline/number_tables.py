"""Many numbers of 64 bits in little memory: as a set, and as small numbers.

What is added is kept as it comes and put in order now and then: a number takes 8 bytes, where a
set of Python takes 60 and more. To be asked once all is added.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left

# By their lowest bits: what is put in order at once is small.
_BUCKETS = 256
_FEWEST = 1024  # numbers of a bucket that are put in order before the end


class NumberSet:
    """A set of signed 64-bit numbers; those that differ in the lowest `bits` only are together."""

    def __init__(self, bits: int = 0) -> None:
        self._bits = bits
        self._ends = [0] * _BUCKETS
        self._buckets = [array("q") for _ in range(_BUCKETS)]
        self._limits = [_FEWEST] * _BUCKETS

    def add(self, number: int) -> None:
        """Add a number; sort() has to be called before the next question."""
        place = (number >> self._bits) % _BUCKETS
        bucket = self._buckets[place]
        bucket.append(number)
        if len(bucket) >= self._limits[place]:
            self._sort(place)

    def sort(self) -> None:
        """Put in order what was added."""
        end = 0
        for place in range(_BUCKETS):
            self._sort(place)
            end += len(self._buckets[place])
            self._ends[place] = end

    def _sort(self, place: int) -> None:
        bucket = self._buckets[place] = array("q", sorted(set(self._buckets[place])))
        self._limits[place] = max(2 * len(bucket), _FEWEST)

    def __contains__(self, number: int) -> bool:
        bucket = self._buckets[(number >> self._bits) % _BUCKETS]
        place = bisect_left(bucket, number)
        return place < len(bucket) and bucket[place] == number

    def place(self, number: int) -> int | None:
        """Return a number from 0 on for each member, None for others."""
        home = (number >> self._bits) % _BUCKETS
        bucket = self._buckets[home]
        place = bisect_left(bucket, number)
        if place == len(bucket) or bucket[place] != number:
            return None
        return self._ends[home] - len(bucket) + place

    def between(self, first: int, end: int) -> array[int]:
        """Return the members from `first` to before `end`, which differ in the `bits` only."""
        bucket = self._buckets[(first >> self._bits) % _BUCKETS]
        begin = bisect_left(bucket, first)
        return bucket[begin : bisect_left(bucket, end, begin)]

    def __len__(self) -> int:
        return sum(map(len, self._buckets))


class Numbering:
    """Gives each number one below 2**32, for ever the same; most get themselves."""

    def __init__(self) -> None:
        self._large: dict[int, int] = {}

    def __call__(self, number: int) -> int:
        if 0 <= number < _FIRST_LARGE:
            return number
        return self._large.setdefault(number, _FIRST_LARGE + len(self._large))


_FIRST_LARGE = 1 << 31
