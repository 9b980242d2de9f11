"""Groups of duplicates in arrays: many millions of games in 12 bytes each."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple, overload


class Group(NamedTuple):
    """Records of one played game: rising IDs, and for each the number of its mainline."""

    ids: list[int]
    lines: list[int]


class GroupBatch(Sequence[Group]):
    """Groups one after the other, sorted by their first ID.

    `ids` ("q") and `lines` ("I") of all games; `ends` ("Q"): for each group the place in them
    behind its last game. IDs rise in each group; equal lines are equal mainlines.
    """

    __slots__ = ("ends", "ids", "lines")

    def __init__(
        self,
        ids: array[int] | None = None,
        lines: array[int] | None = None,
        ends: array[int] | None = None,
    ) -> None:
        self.ids = array("q") if ids is None else ids
        self.lines = array("I") if lines is None else lines
        self.ends = array("Q") if ends is None else ends

    @classmethod
    def of(cls, groups: Iterable[tuple[Sequence[int], Sequence[int]]]) -> GroupBatch:
        """Return groups of (IDs, lines) in arrays."""
        batch = cls()
        for ids, lines in groups:
            batch.ids.extend(ids)
            batch.lines.extend(lines)
            batch.ends.append(len(batch.ids))
        return batch

    def __len__(self) -> int:
        return len(self.ends)

    @overload
    def __getitem__(self, place: int) -> Group: ...
    @overload
    def __getitem__(self, place: slice) -> GroupBatch: ...
    def __getitem__(self, place: int | slice) -> Group | GroupBatch:
        """Return a group, or a range of groups as a batch of their own."""
        if isinstance(place, slice):
            return self._part(*place.indices(len(self)))
        if not -len(self) <= place < len(self):
            raise IndexError("no such group")
        place %= len(self)
        start, end = self.start(place), self.ends[place]
        return Group(self.ids[start:end].tolist(), self.lines[start:end].tolist())

    def __iter__(self) -> Iterator[Group]:
        start = 0
        for end in self.ends:
            yield Group(self.ids[start:end].tolist(), self.lines[start:end].tolist())
            start = end

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GroupBatch):
            return NotImplemented
        return (self.ids, self.lines, self.ends) == (other.ids, other.lines, other.ends)

    def __repr__(self) -> str:
        return f"GroupBatch.of({[tuple(group) for group in self]})"

    def without(self, excluded: Collection[int]) -> GroupBatch:
        """Return the groups that have a game which is not excluded."""
        if not excluded:
            return self
        return self.of(group for group in self if any(one not in excluded for one in group.ids))

    def start(self, place: int) -> int:
        """Return the place of the first game of a group in `ids`."""
        return self.ends[place - 1] if place else 0

    def _part(self, first: int, last: int, step: int) -> GroupBatch:
        if step != 1:
            return self.of(self[place] for place in range(first, last, step))
        if first >= last:
            return GroupBatch()
        start, end = self.start(first), self.ends[last - 1]
        ends = array("Q", [place - start for place in self.ends[first:last]])
        return GroupBatch(self.ids[start:end], self.lines[start:end], ends)
