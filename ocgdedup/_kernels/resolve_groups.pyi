"""Choose the kept game of groups with equal mainlines, and find groups that need no merge."""

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
    """Rules for names that are not of the simple kinds that the kernel knows.

    `outweighs`: whether a name replaces a rarer one, given its kind, the name, the rarer name, how
    far it is ahead, and sites. `is_named`: whether a name is a player's. `is_event_like`: whether
    an event is not a nickname of a game. `best_of_two`: the best of two spellings, None if they are
    of different players (the last argument: both are in the FIDE list, as one player).
    `may_be_one`: whether two names may be of one player. `no_given_names`: words that may not be
    given names. `unknown_pairs`: UNKNOWN_PAIRS of matching/header_score.py.
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
    """Reads the headers of one database in batches; caches what it learns about names."""

    def __init__(
        self,
        connection: apsw.Connection,
        points: Sequence[int],
        tags: Sequence[tuple[str, int]],
        names: Names,
        counts: HeaderCounts | None = None,
    ) -> None:
        """Set POINTS and TAG_POINTS of matching/header_score.py, and the rules for names.

        `counts`: over all records; without them no value outweighs another.

        The connection must have just loaded this module by ENTRY_POINT, in this thread. Raises
        ValueError for a wrong number of points and for an incompatible SQLite.
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
        merges_again: bool = False,
    ) -> tuple[bytearray, array[int], array[int], bytearray, array[int], bytes, bytes]:
        """Return what each group needs, and the choices for groups that are not OPEN.

        `ids`, `lines`, `ends`: see DuplicateFinder.groups_found(). `closed`: 1 for each group that
        must be left OPEN. `sources`: statements that call TAKE_HEADER with COLUMNS of each game of
        a range of IDs, by rising ID; the first statement that has a game counts. `lookups`:
        statements that select the name of an event, a site and a player, and the FIDE ID of a
        player. `has_swapped`: whether the players of the kept game and another are swapped; if
        given, a group is COLOURS only if they are. `is_merging`: merge groups of two here if the
        rules are simple; such groups are not HEADERS. `merges_again`: also where the kept game has
        a merged header, for noted_games() of the kernel merge_rows.

        The result: bits (OPEN, HEADERS, NOTES, COLOURS) and the ID of the kept game by group; the
        header score and the number of kinds of annotations by game; the plies of the kept game by
        group; merges and their texts, for the kernel merge_rows. Raises SqliteError, and KeyError
        for a game that no statement has.
        """
