"""Find the games that are records of one played game: scan, candidates, verdicts, groups."""

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence

import apsw
from typing_extensions import Buffer

from ocgdedup.model import Comparison

ENTRY_POINT: str
# Names of the weights, of the gates, and of the terms of a score.
WEIGHTS: tuple[str, ...]
GATES: tuple[str, ...]
TERMS: tuple[str, ...]
CONSTANTS: dict[str, int]  # of the enums of the search, under their names
BUCKETS: int
SOURCES: tuple[str, ...]  # of blocking keys: moves, players with dates, addresses on the web
RECORD_BYTES: int  # of a game, its moves aside

class SqliteError(Exception):
    """SQLite refused: its extended result code and its message."""

class NumberBuckets:
    """Blocking keys or candidate pairs: numbers of 64 bits, in BUCKETS buckets by the top bits."""

    def __init__(self, bits: int = 64, first: int = 0, end: int = ...) -> None:
        """Take numbers below 2**bits; drop those of buckets before `first` and from `end` on.

        Raises ValueError for less than 6 bits or more than 64, and for buckets that are not there.
        """

    def count(self, bucket: int) -> int:
        """Return how many numbers a bucket has; all methods raise ValueError for no bucket."""

    def items(self, bucket: int) -> memoryview | bytes:
        """Return the bytes of a bucket, to be used before it changes."""

    def clear(self, bucket: int) -> None:
        """Empty a bucket."""

    def extend(self, bucket: int, items: Buffer) -> None:
        """Add numbers to a bucket, as items() returned them."""

    def take(self, other: NumberBuckets, bucket: int) -> None:
        """Move a bucket of another here, behind what is there."""

class EdgeList:
    """Candidate pairs whose verdict is worth keeping."""

    def __init__(self) -> None: ...
    def take(self, other: EdgeList) -> None:
        """Move the edges of another here."""

class CopyFinder:
    """The games of one database, and what of them are copies.

    To be used in this order: load_players(), load_events(), load_sites(), open_scan(),
    scan_more() and load_addresses() until is_read; the stages in the order in which they are
    declared here (pipeline/search.py calls them); then the rest in any order. Stages that take a
    range of places or a bucket may run for several of these at once, other methods not.
    """

    def __init__(
        self,
        weights: Mapping[str, float],
        gates: Mapping[str, float],
        is_go: bool = False,
        named: Mapping[str, float] | None = None,
        min_shorter: int = 0,
    ) -> None:
        """Take numbers by the names in WEIGHTS and GATES; raise ValueError for any other names.

        `is_go`: the games are of Go, else of chess. `named`: gates outside which no near-identical
        games are grouped; `min_shorter`: plies by which a truncated game must be shorter.
        """

    def load_players(self, rows: Iterable[Sequence[object]], fold: Callable[[str], str]) -> None:
        """Enter (ID, name) by rising ID; `fold` brings a name that is not ASCII to ASCII."""

    def load_events(self, rows: Iterable[Sequence[object]]) -> None:
        """Enter (ID, text) by rising ID."""

    def load_sites(
        self, rows: Iterable[Sequence[object]], addresses: Iterable[tuple[int, str, bool]] = ()
    ) -> None:
        """Enter (ID, text) by rising ID.

        `addresses`: (ID, normal form, whether a game has no other address) of those that are
        addresses of games.
        """

    def open_scan(self, connection: apsw.Connection, sql: str, headers: str | None = None) -> None:
        """Prepare to read games by rising ID, the columns of store/copies.py.

        `headers`: reads headers, by rising ID too, that take the place of those of the games. The
        connection must have just loaded this module by ENTRY_POINT, in this thread. Raises
        SqliteError, and ValueError for another SQLite than the kernel knows.
        """

    def scan_more(self, most_bytes: int = ...) -> int:
        """Read games until those in memory take so many bytes; return how many were read.

        Raises SqliteError, TypeError for a value of another type than its column should have, and
        ValueError for IDs that do not rise.
        """

    def end_scan(self) -> None:
        """End the reading of games, if it has not ended: the connection can be closed then."""

    @property
    def is_read(self) -> bool:
        """Whether all games have been read."""

    def load_addresses(
        self, rows_of: Callable[[list[int]], Iterable[tuple[int, str, bool]]]
    ) -> None:
        """Enter addresses from other tags than Site, of the games that were read last.

        `rows_of` takes the IDs of games whose tags may hold one and returns rows as above, by ID.
        """

    def sort_run(self) -> None:
        """Sort the games in memory, which are a part of the collection."""

    def add_samples(self, count: int) -> None:
        """Keep about so many of the sorted games in memory as samples, evenly spaced."""

    def sort_samples(self) -> int:
        """Sort the samples of all runs; return how many there are."""

    def take_run(
        self,
        write_records: Callable[[memoryview], object],
        write_moves: Callable[[memoryview], object],
        base: int,
    ) -> int:
        """Hand the sorted games over to functions that write them, and forget them.

        `base`: plies in the file of moves before theirs; returns how many there are with theirs.
        """

    def bound_in_run(self, records: Buffer, moves: Buffer, sample: int) -> int:
        """Return how many games of a sorted run come before a sample, by its number."""

    def load_run(self, records: Buffer, moves: Buffer, first: int, end: int) -> int:
        """Add games of a run to those in memory; return the plies of the run before theirs.

        Raises ValueError for games that are not there.
        """

    def use_file(self, records: Buffer, moves: Buffer, release: Callable[[], None]) -> None:
        """Take all games, sorted, from two mapped files from now on.

        Behind the moves is room for the longest game and 8 plies. `release` is called now and then
        once games are asked for: it may hand mapped memory back to the system.
        """

    @property
    def plies(self) -> int:
        """Plies of the games in memory."""

    @property
    def longest(self) -> int:
        """Plies of the longest game."""

    def sort(self) -> None:
        """Sort the games by start, moves, content and ID: a place in this order is a game's number.

        Raises ValueError if no games have been read, or if they have been sorted.
        """

    def start_of_line(self, place: int) -> int:
        """Return the first place, from this one on, whose game differs in moves from the last."""

    def find_lines(self, first: int, end: int) -> None:
        """Find the mainlines of places from `first` to before `end`, both starts of lines.

        Stages that take a range raise ValueError for places that are not there.
        """

    def find_shared(self, first: int, end: int) -> None:
        """Find how many plies games of a range share with the one before, once lines are known."""

    def find_theory(self, first: int, end: int) -> None:
        """Find how many plies games of a range share with unrelated ones, after find_shared()."""

    def find_ends(self, first: int, end: int) -> None:
        """Find which games continue those of a range, after find_shared(); ranges in order."""

    def add_keys(self, source: str, first: int, end: int, keys: NumberBuckets) -> None:
        """Add the blocking keys of a range from one of SOURCES."""

    def pair_by_keys(
        self, source: str, keys: NumberBuckets, bucket: int, pairs: NumberBuckets
    ) -> None:
        """Add the candidate pairs of one bucket of keys, which holds all keys of it; empty it."""

    def pair_equal_games(self, first: int, end: int, pairs: NumberBuckets) -> None:
        """Add candidate pairs of games with equal moves; a range as find_lines() takes it."""

    def pair_equal_records(self, first: int, end: int, pairs: NumberBuckets) -> None:
        """Add pairs of equal records of several sources; such ranges in order, one at a time."""

    def judge(
        self, pairs: NumberBuckets, bucket: int, edges: EdgeList, first: int, most: int
    ) -> int:
        """Judge pairs of a bucket, which holds all pairs of it, each once, from number `first` on.

        At most `most` pairs; returns where to go on, 0 if the bucket is done, and empty.
        """

    def connect(self, edges: EdgeList, decisions: Iterable[tuple[int, int, bool]] = ()) -> int:
        """Find connected components; return how many edges they have.

        `decisions`: (ID, ID, whether they are one game) as the user said.
        """

    def group(self, first: int, end: int) -> None:
        """Group the components that begin from edge `first` to before `end`, in component order."""

    def finish(self) -> None:
        """End the search: from now on its results can be asked for."""

    def groups_found(self) -> tuple[array[int], array[int], array[int]]:
        """Return the groups of two or more games, one after the other, sorted by their first ID.

        The IDs ("q"), rising in each group; for each the number of its mainline ("I"), equal for
        equal games; and for each group the place behind its last game ("Q").
        """

    def suspects_found(self) -> list[tuple[int, int, float]]:
        """Return (ID, ID, score) of pairs that are likely one game, but not sure to be; sorted."""

    def compare(self, first: int, second: int, lenient: bool = False) -> Comparison:
        """Compare two games; raise KeyError for an unknown ID.

        `lenient`: they are of one group, the question is only what their moves are to each other.
        """

    def __contains__(self, game_id: int) -> bool:
        """Tell if a game was read."""

    def are_together(self, first: int, second: int) -> bool:
        """Tell if two games came into one group; KeyError for an unknown ID."""

    def has_swapped_colours(self, first: int, second: int) -> bool:
        """Tell if the players of two games agree better with the colours exchanged.

        Raises KeyError for an unknown ID.
        """

    def mainline(self, game_id: int) -> bytes:
        """Return the move blob of a game as it was read; KeyError for an unknown ID."""

    def mainline_beside(self, game_id: int, other: int) -> bytes:
        """Return the move blob of a game; of Go turned to lie as another, if they are alike so.

        Raises KeyError for an unknown ID.
        """

    def turn(self, first: int, second: int) -> int:
        """Return what turns the second game to lie as the first; 0 if nothing does, or none need.

        A symmetry of the board as in kernels/go_symmetry.pxd. Raises KeyError for an unknown ID.
        """

    def starts_alike(self, first: int, second: int) -> bool:
        """Tell if two games start from one position, turned or not; KeyError as above."""

    def starts_elsewhere(self, game_id: int) -> bool:
        """Tell if a game starts from another position than the standard one; KeyError as above."""

    def stones(self, game_id: int) -> int:
        """Return how many stones are on a board of Go before the first move; KeyError as above."""

    @property
    def is_go(self) -> bool:
        """Whether the games are of Go."""

    @property
    def games(self) -> int:
        """Number of games that were read."""

    @property
    def pair_bits(self) -> int:
        """Bits of a candidate pair of these games as a number."""

    @property
    def pairs_judged(self) -> int:
        """Number of candidate pairs whose moves were compared."""

    @property
    def memory(self) -> int:
        """Bytes held for games, pairs and groups."""
