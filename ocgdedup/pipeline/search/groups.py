"""Groups of duplicates in arrays: many millions of games in 12 bytes each."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, overload

from ocgdedup._kernels.search import DuplicateFinder
from ocgdedup.game_kind import CHESS, GameKind
from ocgdedup.model import ALL_ANNOTATIONS, BEST_HEADER
from ocgdedup.store.duplicates import FlagSums


class Group(NamedTuple):
    """Records of one played game: rising IDs, and for each the number of its mainline."""

    ids: list[int]
    lines: list[int]


class GroupBatch(Sequence[Group]):
    """Groups one after the other, sorted by their first ID.

    `ids` ("q") and `lines` ("I"): of all games; `ends` ("Q"): for each group the index after its
    last game. IDs rise in each group; equal lines are equal mainlines.
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
    def of_finder(cls, finder: DuplicateFinder) -> GroupBatch:
        """Return the groups that a search found."""
        found = finder.groups_found()
        return cls(found.ids, found.lines, found.ends)

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
    def __getitem__(self, index: int) -> Group: ...
    @overload
    def __getitem__(self, index: slice) -> GroupBatch: ...
    def __getitem__(self, index: int | slice) -> Group | GroupBatch:
        """Return a group, or a range of groups as a batch."""
        if isinstance(index, slice):
            return self._part(*index.indices(len(self)))
        if not -len(self) <= index < len(self):
            raise IndexError("no such group")
        index %= len(self)
        start, end = self.start(index), self.ends[index]
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
        """Return the groups with a game that is not excluded."""
        if not excluded:
            return self
        return self.of(
            group for group in self if any(game_id not in excluded for game_id in group.ids)
        )

    def start(self, index: int) -> int:
        """Return the index in `ids` of the first game of a group."""
        return self.ends[index - 1] if index else 0

    def _part(self, first: int, last: int, step: int) -> GroupBatch:
        if step != 1:
            return self.of(self[index] for index in range(first, last, step))
        if first >= last:
            return GroupBatch()
        start, end = self.start(first), self.ends[last - 1]
        ends = array("Q", [group_end - start for group_end in self.ends[first:last]])
        return GroupBatch(self.ids[start:end], self.lines[start:end], ends)


def indexes_of(marks: bytes | bytearray, mark: int) -> Iterator[int]:
    """Yield the indexes of a mark; the caller may change marks up to the yielded index."""
    index = -1
    while (index := marks.find(mark, index + 1)) >= 0:
        yield index


class ResolveOptions(NamedTuple):
    """What to do with groups; its repr() is stored, so the names of its fields must stay.

    `keep`: see choose_master(). `merge`: merge headers and annotations into kept games.
    `merge_variations`: differing moves of near-identical games become variations of the kept game.
    `keep_annotations`: one of ANNOTATIONS.
    """

    keep: str = BEST_HEADER
    merge: bool = True
    merge_variations: bool = False
    keep_annotations: str = ALL_ANNOTATIONS

    def has_consensus(self, kind: GameKind) -> bool:
        """Return whether headers are merged by counts over all records; only chess headers are."""
        return self.merge and kind is CHESS


class Resolved(NamedTuple):
    """Result of a resolution: groups, duplicates by status, and the number of changes.

    `longer`, `diverging`: truncated duplicates with more or as many plies as their kept game.
    `merged`, `noted`: kept games that got headers or annotations of a duplicate. `annotated`:
    duplicates with annotations that their kept game lacks. `flag_sums`: for write_basis().
    """

    groups: int
    duplicates: Mapping[str, int]
    changed_groups: int = 0
    merged: int = 0
    annotations_merged: int = 0
    annotations_left: int = 0
    flag_sums: FlagSums | None = None
    longer: int = 0
    diverging: int = 0
