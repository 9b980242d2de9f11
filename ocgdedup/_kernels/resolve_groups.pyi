"""Choose the kept game of groups with equal mainlines, and tell which groups need no merge."""

from array import array
from collections.abc import Callable, Collection, Sequence
from typing import Protocol

import apsw

from ocgdedup._kernels.header_counts import HeaderCounts

ENTRY_POINT: str
COLUMNS: tuple[str, ...]
TAKE_HEADER: str
OPEN: int
HEADERS: int
NOTES: int
COLOURS: int

class Names(Protocol):
    """What is asked about names that are not of the simple kinds known here.

    `outweighs`: does a name (its kind, the name, a rarer one, how far it is ahead, sites) take the
    place of the rarer one; `is_named`: is a name somebody's; `is_event_like`: is an event no
    nickname of a game; `best_of_two`: the best of two spellings, None if they are of different
    people (the last argument: both are found in FIDE's list, as one player); `may_be_one`: may two
    names be of one player; `no_given_names`: words that are none; `unknown_pairs`: UNKNOWN_PAIRS of
    matching/header_score.py.
    """

    @property
    def outweighs(self) -> Callable[[int, str, str, int, tuple[str, ...]], bool]: ...
    @property
    def is_named(self) -> Callable[[str], bool]: ...
    @property
    def is_event_like(self) -> Callable[[str], bool]: ...
    @property
    def best_of_two(self) -> Callable[[str, str, bool], Collection[str] | None]: ...
    @property
    def may_be_one(self) -> Callable[[str, str], bool]: ...
    @property
    def no_given_names(self) -> frozenset[bytes]: ...
    @property
    def unknown_pairs(self) -> bytes: ...

class GroupResolver:
    """Reads the headers of one database, batch by batch; what it learns of names it keeps."""

    def __init__(
        self,
        connection: apsw.Connection,
        points: Sequence[int],
        tags: Sequence[tuple[str, int]],
        names: Names,
        counts: HeaderCounts | None = None,
    ) -> None:
        """Take POINTS and TAG_POINTS of matching/header_score.py, and the rules for names.

        `counts`: of all records; without them no value outweighs another.

        The connection must have just loaded this module by ENTRY_POINT, in this thread. Raises
        ValueError for another number of points and another SQLite than the kernel knows.
        """

    def resolve(
        self,
        ids: array[int],
        lines: array[int],
        ends: array[int],
        closed: bytes | bytearray,
        sources: Sequence[str],
        lookups: Sequence[str],
        has_swapped: Callable[[int, int], bool] | None = None,
        is_merging: bool = False,
    ) -> tuple[bytearray, array[int], array[int], bytearray, array[int], bytes, bytes]:
        """Return what each group needs, and of groups that are not OPEN what was chosen.

        `ids`, `lines`, `ends`: see groups_found() of find_copies. `closed`: 1 for each group that
        is to be left OPEN. `sources`: statements that call TAKE_HEADER with COLUMNS of each game of
        a range of IDs, by rising ID; the first that has a game counts; `lookups`: those that select
        the name of an event, a site and a player, and the FIDE ID of a person. `has_swapped`: tells
        of the kept game and another whether the players are exchanged; then groups are COLOURS only
        if they are. `is_merging`: groups of two are merged here if the rules for that are simple;
        they are not HEADERS then.

        The result: bits (OPEN, HEADERS, NOTES, COLOURS) and the ID of the kept game by group; the
        header score and the number of kinds of annotations by game; the plies of the kept game by
        group; merges and their texts, for the kernel merge_rows. Raises SqliteError, and KeyError
        for a game that no statement has.
        """
