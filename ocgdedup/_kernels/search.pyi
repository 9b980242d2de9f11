"""The search for duplicates: games, candidate pairs, verdicts, groups, merged headers, flags."""

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, Self, TypeAlias

import apsw
from typing_extensions import Buffer, disjoint_base

from ocgdedup.model import (
    Comparison,
    EqualRecord,
    EventCount,
    GameHeader,
    GroupsFound,
    KeptGames,
    Numbers,
    OrderFacts,
    PairColumns,
    PossibleDuplicate,
)

ENTRY_POINT: str  # of the SQLite extension that the module also is

# --- blob_compare ---------------------------------------------------------------------------------
# Similarity of two move blobs.
#
# A move blob is defined in docs/file-format.md: two bytes per ply; an empty blob is a game without
# moves. Moves are compared as stored, not replayed, so blobs with different start positions can be
# compared too, though this may mean little. All functions except prefix_indel_distance() are
# symmetric.
#
# The package calls the first two functions. Only tests call the others, which are the measures that
# the search for duplicates uses in C.
#
# Every function works without the GIL. It raises ValueError for a blob of odd length, for a blob of
# more than 1,048,576 plies, and for a limit out of range.

Blob: TypeAlias = bytes | bytearray | memoryview  # contiguous, of bytes; aligned or not

def common_plies(left: Blob, right: Blob) -> int:
    """Return the number of leading plies that two games share."""

def common_tail(left: Blob, right: Blob) -> int:
    """Return the number of trailing plies that two games share; for equal games, all plies."""

def indel_distance(left: Blob, right: Blob, *, most: int = 64) -> int:
    """Return the least number of insertions plus deletions that turn one game into the other.

    If it exceeds `most` (0 to 64), most + 1 is returned. A missing move counts 1, a replaced move
    2, two exchanged moves of a player 4. The time is plies times distance (Myers 1986).
    """

def prefix_indel_distance(left: Blob, right: Blob, *, most: int = 64) -> tuple[int, int]:
    """Return the least indel distance of `left` to any prefix of `right`, and the prefix's plies.

    The result is (0, plies of left) if `left` is a prefix of `right`. Of prefixes at the same
    distance the longest counts, but a smaller distance comes first: a wrong last ply of `left` is
    one deletion, not a replacement. The result is (most + 1, 0) if the distance exceeds `most` (0
    to 64).
    """

def jaro_winkler(left: Blob, right: Blob) -> float:
    """Return the Jaro-Winkler similarity (Winkler 1990), with moves for letters, 0.0 to 1.0.

    As in rapidfuzz, each of the first four common plies adds 0.1 if the Jaro similarity is above
    0.7, and two empty games are equal. If more than 2,048 plies of both games remain after the
    common opening, the time is quadratic.
    """

def monge_elkan(left: Blob, right: Blob) -> float:
    """Return the Monge-Elkan similarity (1996) of two games (moves for words), 0.0 to 1.0.

    For each ply i of one game, take the best similarity to plies i - 4 to i + 4 of the other game:
    equal moves 1, moves with an equal origin or target square (bits 0 to 5, 6 to 11) 0.5, others 0.
    The result is the mean over the plies of `left` and the mean over those of `right`, averaged. It
    is 1.0 for two empty games, 0.0 if one is empty.
    """

# --- game_batch -----------------------------------------------------------------------------------
# A batch of games for the search for duplicates: read from SQLite, with their texts.

RECORD_BYTES: int  # of a game, without its moves
ORDER_ROW_BYTES: int  # of DeltaFinder.order_rows(), for a game
TAKE_GAME: str  # SQL function of ?1 and the columns of a game, as the only column of a scan

@disjoint_base
class GameBatch:
    """The games of one database, or a part of them.

    Call the methods in this order: load_players(), load_events(), load_sites(); open_scan(), then
    scan_more() and load_addresses() until is_read.
    """

    def __new__(cls, is_go: bool = False) -> Self:
        """Create an empty batch of Go games or of chess games."""

    def load_players(
        self,
        connection: apsw.Connection,
        sql: str,
        fold: Callable[[str], str],
        read: Callable[[str], str | None] | None = None,
        rewrite: Callable[[str], str] | None = None,
        persons: array[int] | None = None,
        fide_ids: array[int] | None = None,
    ) -> None:
        """Load players with a statement that returns (ID, name) by rising ID.

        `fold` transliterates names that are not ASCII; `read`, if given, returns the reading in
        Latin letters of a name in a syllabic or logographic script, or None: two names with
        readings are compared as written. `rewrite`, if given, is applied to every name before.
        `persons`: array("q") of the IDs of players with a FIDE ID, rising; `fide_ids`: array("I")
        of their FIDE IDs, which override those of the tags.

        The first method that reads from a connection must be called right after the connection has
        loaded this module by ENTRY_POINT, in the same thread. Like the next two methods, raises
        SqliteError, TypeError for a name that is not text, UnicodeDecodeError, and ValueError for
        an incompatible SQLite.
        """

    def set_different_players(self, unresolved: array[int], different: array[int]) -> None:
        """Set which players the user decided are different, before games are read.

        `unresolved`: array("q"), rising rows of game ID (0: all games), name ID, and a number below
        0 that stands for the player of this name where it has none. `different`: array("q"), rising
        pairs of player IDs or such numbers, in both orders. Raises ValueError for incomplete rows.
        """

    def load_events(self, connection: apsw.Connection, sql: str) -> None:
        """Load events with a statement that returns (ID, text) by rising ID."""

    def load_sites(
        self,
        connection: apsw.Connection,
        sql: str,
        addresses: Iterable[tuple[int, str, bool]] = (),
    ) -> None:
        """Load sites with a statement that returns (ID, text) by rising ID.

        `addresses`: (ID, normal form, True if a game has no other address) of sites that are web
        addresses of games.
        """

    def part(self) -> GameBatch:
        """Return an empty batch that shares the texts of this batch.

        Several threads may read parts, each with a connection of its own. Raises ValueError for a
        part; so does loading texts into a part.
        """

    def append(self, part: GameBatch) -> None:
        """Move the games of a completely read part to the end of this batch.

        Raises ValueError for a part of another batch, and for IDs that do not rise.
        """

    def end(self) -> None:
        """Declare the appended games complete."""

    def expect(self, games: int) -> None:
        """Reserve memory for about `games` games; raise MemoryError if out of memory."""

    def open_scan(
        self,
        connection: apsw.Connection,
        sql: str,
        headers: str | None = None,
        ids: array[int] | None = None,
    ) -> None:
        """Prepare to read games by rising ID, with the columns of store/search_reader.py.

        `headers`: a statement for headers, also by rising ID, that override those of the games.
        `ids`: rising; both statements return the row of one game, whose ID is their parameter. The
        connection must have loaded this module: see load_players(). Raises SqliteError, and
        ValueError for an incompatible SQLite.
        """

    def scan_more(self, most_bytes: int = ...) -> int:
        """Read games until games use `most_bytes`; return the number of games read.

        Raises SqliteError, TypeError for a value of a wrong type, and ValueError for IDs that do
        not rise.
        """

    def end_scan(self) -> None:
        """Finalize the statements of the scan, so that the connection can be closed."""

    @property
    def is_read(self) -> bool:
        """Whether all games have been read."""

    def load_addresses(
        self,
        of_tags: Callable[[list[int]], Iterable[tuple[int, str, bool]]],
        of_comments: Callable[[list[int]], Iterable[tuple[int, str, bool]]],
    ) -> None:
        """Load web addresses that are not in Site, for the games read last.

        The functions take the IDs of games without an address whose tags or comments may hold one,
        and return rows as above, by ID.
        """

    def keep_neighbours(self, ids: array[int]) -> None:
        """Drop the games read since the last call that verdicts on `ids` do not need.

        `ids`: games, rising. They must be read first; a second open_scan() reads the other games.
        """

    def use_neighbours(self) -> None:
        """Use the games that keep_neighbours() kept as all games, after all games are read."""

    def sort_run(self) -> None:
        """Sort the games in memory, which are one run of the collection."""

    def add_samples(self, count: int) -> None:
        """Copy about `count` of the sorted games in memory as samples, evenly spaced."""

    def sort_samples(self) -> int:
        """Sort the samples of all runs; return their number."""

    def take_run(
        self,
        write_records: Callable[[memoryview], object],
        write_moves: Callable[[memoryview], object],
        base: int,
    ) -> int:
        """Write the sorted games in memory with two functions, and drop them.

        `base`: plies already in the file of moves; returns the new number.
        """

    def bound_in_run(self, records: Buffer, moves: Buffer, sample: int) -> int:
        """Return the number of games in a sorted run that come before a sample, given by index."""

    def load_run(self, records: Buffer, moves: Buffer, first: int, end: int) -> int:
        """Add games of a run to those in memory; return the plies of the run before them.

        Raises ValueError for games out of range.
        """

    def use_file(self, records: Buffer, moves: Buffer, release: Callable[[], None]) -> None:
        """Use two mapped files with all games in sorted order from now on.

        The file of moves needs room after its end for the longest game and 8 plies. `release` is
        called from time to time while games are compared; it may hand mapped memory back to the
        system.
        """

    @property
    def held_bytes(self) -> int:
        """Bytes of the games in memory: records and moves."""

    @property
    def plies(self) -> int:
        """Plies of the games in memory."""

    @property
    def longest(self) -> int:
        """Plies of the longest game."""

    def __contains__(self, game_id: int) -> bool:
        """Return whether a game was read."""

    @property
    def is_go(self) -> bool:
        """True for Go games, False for chess games."""

    @property
    def games(self) -> int:
        """Number of games read."""

    @property
    def memory(self) -> int:
        """Bytes used by games and texts."""

# --- sorted_games ---------------------------------------------------------------------------------
# Games of a batch in move order, any two of which can be compared.

# Names of the weights, of the gates, and of the terms of a score.
WEIGHTS: tuple[str, ...]
GATES: tuple[str, ...]
TERMS: tuple[str, ...]

@disjoint_base
class SortedGames:
    """The games of a batch, sorted by moves; two can be compared after the search."""

    def __new__(
        cls,
        batch: GameBatch,
        weights: Mapping[str, float],
        gates: Mapping[str, float],
        named: Mapping[str, float] | None = None,
        min_shorter: int = 0,
    ) -> Self:
        """Set numbers by the names in WEIGHTS and GATES; raise ValueError for any other names.

        `named`: gates of the user, outside which near-identical games are not grouped.
        `min_shorter`: plies that a truncated game must lack to be grouped.
        """

    @property
    def batch(self) -> GameBatch:
        """The games of the search, sorted in place."""

    def sort(self) -> None:
        """Sort the games by start, moves, content and ID; other methods take indexes in this order.

        Raises ValueError if no games have been read, or if they are already sorted.
        """

    def begin_sort(self, parts: int) -> list[tuple[int, int]]:
        """Begin what sort() does; return about `parts` ranges, in any order, for sort_part().

        Threads can sort the ranges at the same time. Raises ValueError as sort() does.
        """

    def sort_part(self, first: int, end: int) -> None:
        """Sort the games of one of the ranges that begin_sort() returned.

        Raises ValueError if it did not, or if the range was passed before; so do reorder_part() and
        copy_moves() for theirs.
        """

    def begin_reordering(self, parts: int) -> list[tuple[int, int]]:
        """Return about `parts` ranges, none if there are few games, for reorder_part().

        Raises ValueError unless sort_part() was called for all its ranges, and for a second call
        before end_sort().
        """

    def reorder_part(self, first: int, end: int) -> None:
        """Put most games in order, by one of the ranges that begin_reordering() returned.

        Threads can do so at the same time.
        """

    def end_sort(self) -> None:
        """Put the remaining games in order.

        Raises ValueError unless reorder_part() was called for all its ranges.
        """

    def begin_move_copy(self, ranges: Sequence[tuple[int, int]]) -> bool:
        """Reserve memory for the moves of all games in the order of the games.

        The stages that follow go through the games in order. Their results are the same without
        the copies, which take at most as much memory as the moves, for a while in addition to them.
        Return False if there is not so much memory. `ranges`: all indexes in a row, for
        copy_moves(). Raises ValueError if they are not, or if the games are in files, where their
        moves are in order already.
        """

    def copy_moves(self, first: int, end: int) -> int:
        """Copy the moves of one of the ranges; return the number of plies copied.

        Moves that several games have are copied once. Threads can copy ranges at the same time.
        """

    def end_move_copy(self) -> None:
        """Replace the moves by the copies.

        Raises ValueError unless copy_moves() was called for all its ranges.
        """

    def start_of_line(self, index: int) -> int:
        """Return the first index from `index` on whose moves differ from the game before."""

    def compare(self, first: int, second: int, lenient: bool = False) -> Comparison:
        """Compare two games; raise KeyError for an unknown ID.

        `lenient`: the games are in one group, so only the relation of their moves is asked for.
        """

    def __contains__(self, game_id: int) -> bool:
        """Return whether a game was read."""

    def has_swapped_colours(self, first: int, second: int) -> bool:
        """Return whether the players of two games agree better with the colours swapped.

        Raises KeyError for an unknown ID.
        """

    def mainline(self, game_id: int) -> bytes:
        """Return the move blob of a game as read; raise KeyError for an unknown ID."""

    def mainline_beside(self, game_id: int, other: int) -> bytes:
        """Return the move blob of a game; a Go game is rotated to match `other` if possible.

        Raises KeyError for an unknown ID.
        """

    def symmetry(self, first: int, second: int) -> int:
        """Return the symmetry that rotates the second game to match the first, 0 if none is needed.

        Symmetries are numbered as in kernels/go/go_symmetry.pxd; 0 is also returned if none
        matches. Raises KeyError for an unknown ID.
        """

    def starts_alike(self, first: int, second: int) -> bool:
        """Return whether two games have the same start up to rotation; KeyError as above."""

    def starts_elsewhere(self, game_id: int) -> bool:
        """Return whether a game has a start other than the standard one; KeyError as above."""

    def stones(self, game_id: int) -> int:
        """Return the number of handicap and setup stones of a Go game; KeyError as above."""

    @property
    def is_go(self) -> bool:
        """True for Go games, False for chess games."""

    @property
    def games(self) -> int:
        """Number of games read."""

# --- header_counts --------------------------------------------------------------------------------
# Count records per event, site and player; find days of rounds and sites of events.

@disjoint_base
class HeaderCounts:
    """Counts over the headers of the games of a search, before any merge."""

    def __new__(
        cls,
        games: SortedGames,
        last_id: int | None = None,
        stored: StoredHeaderCounts | None = None,
    ) -> Self:
        """Count all records, and separately those of IDs after `last_id`, for unsettle().

        `stored`: the counts of the games up to `last_id`, of which none is read. Raises ValueError
        if the search has not ended, and if the stored counts are of other names.
        """

    def frequency_rank(self, table: int, name_id: int, other_id: int) -> int:
        """Return how far a name is ahead of another: of events (0), sites (1) or players (2).

        Names are given by ID; an unknown name has no records. Raises ValueError for another table.
        """

    def names_with(self, word: bytes) -> int:
        """Return how many names of players have a word, in plain lower-case letters."""

    def records_of(self, name: bytes) -> int:
        """Return how many records have a player's name in plain letters, however it is written."""

    def unsettle(self, ids: array[int], ends: array[int], kept: bytearray) -> None:
        """Set kept[i] to 0 for each group whose merge may differ from that at `last_id`.

        `ids`, `ends`: see groups_found() of find_duplicates. `kept`: one byte per group; 0 stays 0.
        Raises ValueError without `last_id`, and KeyError for an unknown game.
        """

    def collect_events(self, ids: array[int], ends: array[int]) -> None:
        """Collect the days of rounds and the sites of events, for days_of() and games_at().

        Covers only events of groups whose records have different days or sites; arguments as above.
        With stored counts, or after collect_all_events(), all events are there.
        """

    def collect_all_events(self) -> None:
        """Collect the days of rounds and the sites of all events."""

    def games_at(self, event: int, site_id: int) -> int:
        """Return the number of records of an event at a site; 0 if the event was not collected.

        `event` as returned by round_of(); the site is given by its ID.
        """

    def round_of(self, game_id: int) -> tuple[int, int, int, int]:
        """Return the event, source, round and date of a game as numbers; KeyError as above.

        The round is 0 if unknown, number << 15 | board or game in the round, or a hash with bit 31
        set. The date is year << 9 | month << 5 | day, with 0 for unknown parts.
        """

    def days_of(self, event: int) -> list[tuple[int, int, int, int]]:
        """Return (source, round, date, games) of an event whose days were collected, else []."""

# --- stored_counts --------------------------------------------------------------------------------
# The counts of a search as bytes, for the next search after new games.

@disjoint_base
class StoredHeaderCounts:
    """The counts of an earlier search, as the functions below packed them."""

    def __new__(cls, counts: Buffer, days: Buffer, new_days: Buffer, contests: Buffer) -> Self:
        """Open the results of packed_counts(), packed_days() and packed_contests().

        Raises ValueError for other bytes.
        """

    def unsettled_groups(
        self, batch: GameBatch, events: array[int], sites: array[int], players: array[int]
    ) -> array[int]:
        """Return the lowest ID of each group whose merge new records may change ("q").

        `events`, `sites`, `players` ("q"): for each new record the IDs of its names; others are
        ignored. `batch` has loaded all names. Raises ValueError for damaged bytes or other names.
        """

def packed_counts(counts: HeaderCounts) -> bytes:
    """Return the numbers of records of all names."""

def packed_days(counts: HeaderCounts) -> tuple[bytes | None, bytes]:
    """Return the days of rounds and sites of all events: old rows, and rows of new games.

    Old rows are None if they are those that were stored.
    """

def packed_contests(
    counts: HeaderCounts, ids: array[int], ends: array[int], scope: array[int] | None = None
) -> bytes:
    """Return the values in which records of groups differ, by the lowest ID of each group.

    `ids`, `ends`: see groups_found() of find_duplicates. `scope` ("q", rising): with stored
    counts, the games whose groups replace the stored ones. Raises KeyError for an unknown game.
    """

# --- number_buckets -------------------------------------------------------------------------------
# Buckets of 64-bit numbers and lists of edges, which the stages of the search exchange.

BUCKETS: int
ORDINAL_BITS: int  # of a blocking key, below its hash
SOURCES: tuple[str, ...]  # of blocking keys: moves, players with dates, web addresses

@disjoint_base
class NumberBuckets:
    """Blocking keys or candidate pairs: 64-bit numbers in BUCKETS buckets by their top bits."""

    def __new__(cls, bits: int = 64, first: int = 0, end: int = ...) -> Self:
        """Accept numbers below 2**bits; drop numbers of buckets outside `first` to before `end`.

        Raises ValueError for less than 6 or more than 64 bits, and for buckets out of range.
        """

    def count(self, bucket: int) -> int:
        """Return the size of a bucket; all methods raise ValueError for one out of range."""

    def items(self, bucket: int) -> memoryview | bytes:
        """Return the bytes of a bucket; use them before it changes."""

    def clear(self, bucket: int) -> None:
        """Empty a bucket."""

    def extend(self, bucket: int, items: Buffer) -> None:
        """Add numbers to a bucket, in the format of items()."""

    def take(self, other: NumberBuckets, bucket: int) -> None:
        """Move the numbers of another object's bucket to the end of this bucket."""

@disjoint_base
class EdgeList:
    """Candidate pairs whose verdict is a match or possible match."""

    def __new__(cls) -> Self: ...
    def take(self, other: EdgeList) -> None:
        """Move the edges of another list here."""

# --- key_runs -------------------------------------------------------------------------------------
# Packed blocking keys of earlier searches: looked up and merged. The caller handles files.
#
# A packed bucket has the keys of one source in one bucket of NumberBuckets: pairs of a 38-bit hash
# and the ordinal of a game, its index by rising ID. A run has packed buckets, then its end.

def pack_keys(keys: NumberBuckets, bucket: int) -> bytes:
    """Sort and pack the keys of a bucket, hash << 26 | ordinal; equal keys stay. b"" for no keys.

    Threads may pack different buckets at the same time.
    """

def run_end(places: Iterable[tuple[str, int, int, int]]) -> bytes:
    """Return the end of a run.

    `places`: source, bucket, offset and size in bytes of each packed bucket but empty ones, which
    follow each other from offset 0 on. Raises ValueError for offsets and sizes that are no
    multiples of 8.
    """

@disjoint_base
class KeyRuns:
    """Packed blocking keys in any number of runs.

    Only what is needed is read. All methods raise ValueError if that is damaged.
    """

    def __new__(cls, runs: Iterable[Buffer]) -> Self:
        """Check the end of each run; raise ValueError also for one that is not aligned."""

    def lookup(self, source: str, hashes: Buffer, games: int) -> array[int]:
        """Return the keys with some hashes, in order: array("Q") of hash << 26 | ordinal.

        `hashes`: of 64 bits, distinct and rising; ValueError for others. `games`: an ordinal that
        is not below it is damage.
        """

    def merged(self, source: str, bucket: int) -> bytes:
        """Return the packed bucket of all runs together."""

# --- find_duplicates ------------------------------------------------------------------------------
# Find duplicate games: candidate pairs, verdicts, groups.

CONSTANTS: dict[str, int]  # enum constants of the search, by name

@disjoint_base
class DuplicateFinder(SortedGames):
    """The search for duplicates among the games of a batch.

    Call the stages once each, in the order in which they are declared here (as
    pipeline/search/stages.py does). After finish(), call the other methods in any order. Stages
    that take a range of indexes or a bucket may run in several threads at once, other methods may
    not.
    """

    def use_previous_search(self, last_id: int) -> None:
        """Set the highest ID of the previous search, before lines and theory are found.

        Since that search, only games with higher IDs have been added.
        """

    def load_previous_edges(self, edges: Buffer) -> None:
        """Load verdicts of the previous search, as judged_edges() yields them, after find_lines().

        Raises ValueError for a wrong size and for edges of unknown games.
        """

    def sort_previous_edges(self) -> None:
        """Sort the loaded verdicts, before pairs are judged."""

    def count_touched(self) -> int:
        """Return the number of games whose verdicts may have changed, after find_theory()."""

    def choose_keys(self, first: int, end: int) -> None:
        """Restrict blocking keys to those of the touched games of a range.

        Call it for one range at a time, before keys are added, and settle_previous_edges() after
        the last range. Call neither to make all keys. Raises ValueError unless
        use_previous_search() was called.
        """

    def settle_previous_edges(
        self, edges: EdgeList, pairs: NumberBuckets, first: int, most: int
    ) -> int:
        """Keep valid previous edges, at most `most` from index `first` on; choose more keys.

        Edges that hold only if the chosen keys make the pair again are left to judge(), and so are
        those of games with more theory than before, which are added to `pairs`. Returns the index
        to continue at, 0 at the end.
        """

    def keep_ordinals(self) -> None:
        """Let find_lines() note the ordinal of each game, its index by rising ID."""

    def ordinals_by_index(self) -> memoryview:
        """Return the ordinals by index, as bytes of 32-bit numbers; the finder must live on.

        Raises ValueError unless keep_ordinals() was called.
        """

    def find_lines(self, first: int, end: int) -> None:
        """Assign numbers to the mainlines of indexes `first` to before `end`, both starts of lines.

        Stages that take a range raise ValueError for indexes out of range.
        """

    def find_shared(self, first: int, end: int) -> None:
        """Count the plies that each game shares with the one before, after find_lines()."""

    def find_theory(self, first: int, end: int) -> None:
        """Count the plies that games share with unrelated games, after find_shared()."""

    def set_theory(self, ids: Buffer, theory: Buffer) -> None:
        """Replace the theory of some games (IDs as "q", plies as "i") where it is not below 0.

        Raises ValueError for unknown games, and for games that are not in move order.
        """

    def find_ends(self, first: int, end: int) -> None:
        """Find which games continue those of a range, after find_shared(); ranges in order."""

    def add_keys(
        self, source: str, first: int, end: int, keys: NumberBuckets, by_line: bool = False
    ) -> None:
        """Add the blocking keys of a range from one of SOURCES.

        With `by_line`, only the first chess game of each mainline gets the keys of moves, on behalf
        of all its games; one with another last position gets a key of its own. Pass the same
        `by_line` to pair_by_keys().
        """

    def pair_by_keys(
        self,
        source: str,
        keys: NumberBuckets,
        bucket: int,
        pairs: NumberBuckets,
        by_line: bool = False,
        packs: bool = False,
    ) -> bytes | None:
        """Add the candidate pairs of one complete bucket of keys; empty the bucket.

        `packs`: return the keys as pack_keys() does; ValueError unless keep_ordinals() was called.
        """

    def pair_equal_games(self, first: int, end: int, pairs: NumberBuckets) -> None:
        """Add candidate pairs of games with equal moves; ranges as in find_lines()."""

    def pair_equal_records(self, first: int, end: int, pairs: NumberBuckets) -> None:
        """Add pairs of equal records of several sources; ranges as in find_lines(), in order."""

    def judge(
        self, pairs: NumberBuckets, bucket: int, edges: EdgeList, first: int, most: int
    ) -> int:
        """Judge the distinct pairs of a complete bucket from index `first` on.

        Judges at most `most` pairs. Returns the index to continue at, or 0 if the bucket is done
        and emptied.
        """

    def judged_edges(self, edges: EdgeList, most: int) -> Iterator[bytes]:
        """Yield all edges, at most `most` at a time, in the format of schema/README.md.

        Call it before connect(); the edges can be taken after it too, while threads group.
        """

    def order_rows(self, first: int, end: int) -> Buffer:
        """Return what the next search needs of a range of indexes, in the kernel's format.

        Call it after find_ends() and before connect(), or raises ValueError.
        """

    def start_spans(self) -> bytes:
        """Return the start positions and the index of the first game of each."""

    def id_ranges(self) -> array[int]:
        """Return the IDs of all games as ranges: first, end, first, end, ..."""

    def connect(self, edges: EdgeList, decisions: Iterable[tuple[int, int, bool]] = ()) -> int:
        """Find the connected components of all edges; return the number of edges within components.

        `decisions`: (ID, ID, True for a match) as declared by the user.
        """

    def group(self, first: int, end: int) -> None:
        """Group the components that begin at edges `first` to before `end`, in component order."""

    def finish(self) -> None:
        """Complete the search; afterwards its results can be queried."""

    def groups_found(self) -> GroupsFound:
        """Return the groups of two or more games."""

    def possible_duplicates(self) -> list[PossibleDuplicate]:
        """Return the possible duplicates, sorted.

        Lists the strongest pair between two groups, and no pair between contradicting groups unless
        an ambiguous game matches both. A group that would have too many possible duplicates has
        none, since a match with so many games proves nothing.
        """

    def are_together(self, first: int, second: int) -> bool:
        """Return whether two games are in one group; raise KeyError for an unknown ID."""

    @property
    def pair_bits(self) -> int:
        """Bits of the number that encodes a candidate pair."""

    @property
    def pairs_judged(self) -> int:
        """Number of candidate pairs whose moves were compared; only tests call it."""

    @property
    def memory(self) -> int:
        """Bytes used by games, pairs and groups."""

# --- delta_search ---------------------------------------------------------------------------------
# The search after new games: arrays for all games, records only of those that it compares.

@disjoint_base
class DeltaFinder(DuplicateFinder):
    """The search for duplicates of new games among those of an earlier search.

    The batch has read the new games. Call the methods once each, in the order in which they are
    declared here (as pipeline/search/delta.py does); those that return IDs name the games whose
    records take() must have before the next call. All raise ValueError if what the earlier search
    left does not fit the games.
    """

    def place(
        self,
        rows: Buffer,
        spans: Buffer,
        id_ranges: Buffer,
        connection: apsw.Connection,
        sql: str,
    ) -> list[int]:
        """Find the places of the new games among those of the earlier search.

        `rows`, `spans`, `id_ranges`: see order_rows(), start_spans(), id_ranges(). `sql` returns
        the moves of the game whose ID is its parameter; the connection has just loaded this module.
        """

    def merge(self, lines: GameBatch, last_id: int) -> None:
        """Put the new games into the order of all games.

        `lines`: the games that place() named. `last_id`: of the earlier search.
        """

    def take(self, part: GameBatch) -> None:
        """Load the records of a part of the batch, before rank_lines()."""

    def change_players(self, ids: Buffer, core_hashes: Buffer, dropped: Buffer) -> None:
        """Let earlier games be judged again, since their players or filled-in fields changed.

        `ids`, `core_hashes` ("q"): the games, with their CoreHash in the earlier search, 0 if a
        player was unknown. `dropped` ("Q"): see dropped_keys(). Raises KeyError for unknown games.
        """

    def find_new_theory(self) -> None:
        """Find the theory of new games, and again that of earlier games beside them."""

    def request_new_lines(self) -> array[int]: ...
    def mark_new_lines(self) -> None:
        """Mark the games whose verdicts may change, among those with the mainline of a new game."""

    def request_touched(self) -> array[int]: ...
    def touched_keys(self, source: str) -> array[int]:
        """Return the hashes of the keys of touched games: array("Q"), distinct and rising."""

    def add_known_keys(self, source: str, entries: Buffer, keys: NumberBuckets) -> None:
        """Add keys of earlier games: numbers as KeyRuns.lookup() returns them."""

    def request_edges(self) -> array[int]: ...
    def shared_keys(self, source: str) -> array[int]:
        """Return the hashes of the keys by which earlier edges may still hold.

        Call it after touched_keys() and settle_previous_edges(); the result is as that of the
        former, without its hashes.
        """

    def add_new_line_keys(self, source: str, keys: NumberBuckets) -> None:
        """Add the keys of all games with the mainline of a new game, as far as they are chosen.

        Also those that games with other players have gained.
        """

    def pair_touched_lines(self, pairs: NumberBuckets) -> None:
        """Add the pairs of games with one mainline, as far as it has touched games."""

    def request_pairs(self, pairs: NumberBuckets) -> array[int]: ...
    def rank_lines(self) -> None:
        """Find the equal records among the games loaded since the last call."""

    def add_keys_of_new_games(self, source: str, keys: NumberBuckets) -> None:
        """Add all keys of new games, and gained ones, with their ordinals, for the next search."""

    def dropped_keys(self) -> bytes:
        """Return the keys ("Q") with ordinals that runs have and games have no longer."""

    def add_to_scope(self, ids: Buffer) -> None:
        """Add games whose components are grouped again for other reasons."""

    def request_scope(self) -> array[int]: ...
    def scope(self) -> list[int]:
        """Return the IDs of the games of all components that may have changed, after connect()."""

# --- known_games ----------------------------------------------------------------------------------
# The games of an earlier search that a few new games may be compared with.

@disjoint_base
class KnownOrder:
    """The order that an earlier search left, to choose the games that new ones are compared with.

    Call the methods in the order in which they are declared here (as pipeline/search/new_games.py
    does). All raise ValueError if what the earlier search left does not fit the games.
    """

    def __new__(cls, rows: Buffer, spans: Buffer, id_ranges: Buffer) -> Self:
        """View what order_rows(), start_spans() and id_ranges() returned."""

    @property
    def games(self) -> int:
        """The number of games of the earlier search."""

    def place(self, finder: SortedGames, connection: apsw.Connection, sql: str) -> None:
        """Find the places of the sorted games of `finder`, and choose the games near them.

        `sql` returns the moves of the game whose ID is its parameter; the connection has just
        loaded this module.
        """

    def ask(self, entries: Buffer) -> None:
        """Take keys with ordinals, as KeyRuns.lookup() returns, for find_asked()."""

    def find_asked(self) -> None:
        """Find the places of all games whose ordinals ask() took, in one pass over the rows."""

    def choose_by_keys(self, source: str, keys: Buffer, entries: Buffer) -> None:
        """Choose the games that share keys with new games, and all games of their mainlines.

        `keys`: of the new games, with their indexes; `entries`: as for ask(); both rise.
        """

    def chosen_games(self) -> tuple[array[int], array[int]]:
        """Return the IDs of the chosen games ("q"), and the theory of each ("i").

        -1: new games may change the theory, and the games that it depends on are chosen too.
        """

# --- part_pairs -----------------------------------------------------------------------------------
# Candidate pairs of games in different parts of a search: see the next section.

def pair_keyed_games(
    source: str,
    keys: Numbers,
    indexes: Numbers,
    lines: Numbers,
    is_open: Numbers,
    ends: Numbers,
    summaries: Numbers | None = None,
) -> PairColumns:
    """Return the distinct candidate pairs of games that share a key, by indexes.

    There is a row for each key of each game, in any order; all games of a key must be present.
    `source`: one of SOURCES of the finder; `keys` ("q"): 38-bit keys; `indexes`, `lines`, `ends`
    ("q"): the index of the game, the first index of its mainline, and the index after the games
    that continue it; `is_open` ("B"): see OrderFacts. `summaries` (two "Q" per row): see
    game_summaries(); without them, the condition of pairs by players says that the games
    must be checked. Raises ValueError for columns of different lengths and for 2**26 games or more.
    """

# --- search_parts ---------------------------------------------------------------------------------
# A search in parts: facts about the games of one part for other parts that never read them.
#
# For engines that distribute a collection (ocgdedup.spark). An index in the whole order is a 64-bit
# number, such as part << 32 | index in the part.

def order_facts(games: SortedGames) -> OrderFacts:
    """Return facts about each game from the order of a part, after find_ends().

    Raises ValueError once games have been grouped.
    """

def game_summaries(games: SortedGames) -> array[int]:
    """Return the facts that decide whether two games need their players to be a candidate pair.

    Two numbers for each game ("Q"), by index. Call it after find_lines().
    """

def equal_records(games: SortedGames) -> list[EqualRecord]:
    """Return the equal records that several sources have, after pair_equal_records().

    A roster is a number that only games of this part share.
    """

def set_theory(games: SortedGames, ids: Numbers, theory: Numbers) -> None:
    """Set the theory of games ("I") by their IDs ("q"), computed where all neighbours are.

    Raises KeyError for an unknown ID.
    """

def set_equal_records(games: SortedGames, rows: Iterable[EqualRecord]) -> None:
    """Set the results of equal_records() of other parts; their rosters must differ."""

def add_pairs(
    games: SortedGames,
    left: Numbers,
    right: Numbers,
    conditions: Numbers,
    pairs: NumberBuckets,
) -> None:
    """Add candidate pairs by the IDs of their games ("q") and conditions ("B"), for judge()."""

def pairs_of(games: SortedGames, pairs: NumberBuckets) -> PairColumns:
    """Return the candidate pairs of a part, by IDs, as add_pairs() takes them."""

def load_edges_of(games: SortedGames, stored: Buffer) -> EdgeList:
    """Load edges for connect(): 18 bytes each, in the format of judged_edges().

    Games are indexes by rising ID among the games of this part. Raises ValueError for a wrong size
    and for unknown games.
    """

def event_rows(counts: HeaderCounts) -> list[EventCount]:
    """Return the counts of all events of the games of a part."""

def give_counts(
    counts: HeaderCounts,
    records: Iterable[tuple[int, int, int]],
    rows: Iterable[EventCount],
) -> None:
    """Replace the counts of a part by counts over more games.

    `records`: (table, name ID, records); `rows`: as event_rows() returns them. Afterwards
    collect_events() of these counts does nothing.
    """

def components(first: Numbers, second: Numbers, count: int) -> array[int]:
    """Return for each number below `count` the least number that links lead to ("I").

    `first`, `second` ("q"): the ends of the links. Raises ValueError for a number out of range.
    """

def line_keys(games: SortedGames) -> Iterator[tuple[int, bytes]]:
    """Yield the ID of each game, and bytes that sort by its start and its moves."""

def name_hash(name: str) -> int:
    """Return a 64-bit hash of a name that is the same in every process."""

def line_key(moves: bytes, start: int = 0) -> bytes:
    """Return the bytes of line_keys() for chess moves and a start key (0: the standard start)."""

# --- header_choice --------------------------------------------------------------------------------
# The best value of each field of a header among records of one played game.

FIELD_TAGS: tuple[str, ...]  # that a merge can change
HEADER_INDEXES: tuple[int, ...]  # of these fields in GameHeader
REASON_NAMES: tuple[str, ...]  # of model.Reason, by the number of a reason

@disjoint_base
class HeaderChooser:
    """Chooses among headers of one played game. Only one thread may use it at a time.

    `best_of`: functions that return the best values among some headers, by tag, for fields whose
    rules are not the kernel's. A function must not use the same chooser.
    """

    def __new__(
        cls,
        letters_of: Callable[[str], str],
        event_rank: Callable[[str], int],
        least_elo: int,
        most_elo: int,
    ) -> Self:
        """Set the function for the letters and digits of non-ASCII text, and plausible Elos.

        `event_rank`: 0 for a text that names no event, 1 for a nickname of a game, 2 for others.
        """

    def best_values(self, headers: Sequence[GameHeader], tag: str) -> list[Any]:
        """Return the values of a field that are tied for the best, [] if no header has a value."""

    def chosen(
        self,
        headers: list[GameHeader],
        best_of: Mapping[str, Callable[[Sequence[GameHeader]], Collection[str]]],
        strangers: Mapping[str, Collection[int]],
        outweighed: Mapping[str, Collection[str]],
        eco_of: Callable[[int], str | None] | None = None,
    ) -> list[tuple[str, int, str]]:
        """Return (tag, index of the header, name of the reason) of each value that is merged.

        Of values that are tied for the best, that of the header with the fewest fields worse than
        another header's; then with the most moves; of dates the latest; then of the first header.

        `strangers`: by side, the IDs of games that give nothing to that player. `outweighed`: by
        tag, values that lose against all records of the database. `eco_of`: returns the ECO code
        of the moves of the first header's game by its ID; called if codes differ.
        """

    def worse_fields(
        self,
        headers: list[GameHeader],
        best_of: Mapping[str, Callable[[Sequence[GameHeader]], Collection[str]]],
    ) -> list[int]:
        """Return for each header in how many fields another header is better."""

def is_date(date: object) -> bool:
    """Return whether a text has the form of a date, with at least one digit; None has not."""

def dates_agree(left: str, right: str) -> bool:
    """Return whether two dates may be the same day; raise ValueError for other texts."""

def are_of_one_name(left: str, right: str) -> bool:
    """Return whether two events, or sites, agree: they are equal, or one is less precise.

    One is empty, or begins the other, or has only words of the other, perhaps abbreviated:
    "Seattle USA", "Seattle, WA USA".
    """

def fuller_of_plain(left: str, right: str) -> str | None:
    """Return the better of two names like "Kasparov,G" and "Kasparov, Garry".

    One must be the other with more letters or words in the given names. None for other names.
    """

@disjoint_base
class HeaderScorer:
    """Computes header scores of headers."""

    def __new__(cls, points: Sequence[int], tags: Sequence[tuple[str, int]]) -> Self:
        """Set POINTS of matching/header_score.py and TAG_POINTS of matching/go_tags.py."""

    def score(self, header: GameHeader, has_white: bool, has_black: bool) -> int:
        """Return the points of a header; `has_white`, `has_black`: whether names are players'."""

def preferred_record(headers: Iterable[GameHeader]) -> GameHeader:
    """Return the record of an equal header score that is kept; there must be one.

    The longest one, then the one with comments and variations, or either; then the lowest ID.
    """

def day_of_event(tags: object) -> str | None:
    """Return the first day of the event, from the tag EventDate in extra tags, None if unknown."""

# --- resolve_groups -------------------------------------------------------------------------------
# Choose the kept game of groups with equal mainlines, and find groups that need no merge.

HEADER_COLUMNS: tuple[str, ...]
TAKE_HEADER: str
OPEN: int
HEADERS: int
NOTES: int
COLOURS: int

class Names(Protocol):
    """Rules for names that the kernel does not handle itself.

    `outweighs`: whether a name replaces a rarer one, given its table, the name, the rarer name, how
    far it is ahead, and the sites of the group if the names are events. `is_named`: whether a name
    is a player's. `event_rank`: see HeaderChooser. `letters`: the letters and digits of a text, in
    small plain letters. `best_of_two`: the best of two spellings, None if they are of different
    players (the last argument: both are in the FIDE list, as one player). `may_be_one`: whether two
    names may be of one player. `no_given_names`: words that may not be given names.
    `unknown_pairs`: UNKNOWN_PAIRS of matching/header_score.py. `eco_of`: the ECO code of a game's
    moves by its ID, None if there is none; or None. `outweighed_days`: the dates that lose, given
    (ID, date, event) of each record of a group. `best_of_votes`: the best of several spellings,
    given each record's, whether it counts, and whether the FIDE list has the player; None if they
    are of different players. Without these two, Python merges such groups.
    """

    @property
    def outweighs(self) -> Callable[[int, str, str, int, tuple[str, ...]], bool]: ...
    @property
    def is_named(self) -> Callable[[str], bool]: ...
    @property
    def event_rank(self) -> Callable[[str], int]: ...
    @property
    def letters(self) -> Callable[[str], str]: ...
    @property
    def best_of_two(self) -> Callable[[str, str, bool], Collection[str] | None]: ...
    @property
    def may_be_one(self) -> Callable[[str, str], bool]: ...
    @property
    def no_given_names(self) -> frozenset[bytes]: ...
    @property
    def unknown_pairs(self) -> bytes: ...
    @property
    def eco_of(self) -> Callable[[int], str | None] | None: ...
    @property
    def outweighed_days(
        self,
    ) -> Callable[[list[tuple[int, str, str]]], Collection[str]] | None: ...
    @property
    def best_of_votes(
        self,
    ) -> Callable[[list[str], list[bool], bool], Collection[str] | None] | None: ...

@disjoint_base
class GroupResolver:
    """Reads the headers of one database in batches; caches facts about names."""

    def __new__(
        cls,
        connection: apsw.Connection,
        points: Sequence[int],
        tags: Sequence[tuple[str, int]],
        names: Names,
        counts: HeaderCounts | None = None,
    ) -> Self:
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
    ) -> KeptGames:
        """Return the needs of each group, and the choices for groups that are not OPEN.

        `ids`, `lines`, `ends`: see GroupsFound. `closed`: 1 for each group that must be left OPEN.
        `sources`: statements that call TAKE_HEADER with ?3 and HEADER_COLUMNS of each game of a
        range of IDs, by rising ID; the first statement that has a game counts. `lookups`:
        statements that select the name of an event, a site and a player, and the FIDE ID of a
        player. `has_swapped`: whether the players of the kept game and another are swapped; if
        given, a group is COLOURS only if they are. `is_merging`: merge groups of two here if the
        rules are simple; such groups are not HEADERS. `merges_again`: also where the kept game has
        a merged header, for logged_games() of the search kernel.

        Raises SqliteError, and KeyError for a game that no statement has.
        """

# --- merge_rows -----------------------------------------------------------------------------------
# Write the merges of the search kernel, or look them up.

def merged_games(merges: bytes) -> list[int]:
    """Return the IDs of the games that values are merged into."""

def write_merges(
    connection: apsw.Connection,
    merges: bytes,
    texts: bytes,
    update: str,
    log: tuple[str, str],
    reasons: Sequence[str],
) -> None:
    """Write merges as returned by GroupResolver.resolve(), by rising ID.

    `update` sets the new values of a game: its ID, the values of FIELD_TAGS (NULL for no change,
    names as IDs), and the DateQuality, which goes with the date. `log`: statements that insert one
    and several changes: ID, tag, old value, new value, ID of the game that had it, and the reason;
    values are logged as shown to users, "?" if missing. `reasons`: texts for missing, supported by
    all records, more reliable record, more exact, majority.

    The connection must have just loaded this module by ENTRY_POINT, in this thread. Raises
    SqliteError.
    """

def logged_games(
    connection: apsw.Connection,
    merges: bytes,
    texts: bytes,
    has_number: str,
    find: str,
    reasons: Sequence[str],
) -> list[int]:
    """Return the IDs of the games whose logged changes are exactly those of the merges.

    `has_number` has a row if so many changes of a game are logged: its ID, the number. `find` has a
    row if a change is logged; its parameters are the columns that write_merges() inserts. For the
    others and the connection, see there. Raises SqliteError.
    """

# --- flag_rows ------------------------------------------------------------------------------------
# Flags of games, gathered in memory and written in table order.

@disjoint_base
class FlagRows:
    """Flags of games, 24 bytes each, in any order; each game at most once."""

    def __len__(self) -> int: ...
    def __contains__(self, game_id: int) -> bool:
        """Return whether a game has flags; raise ValueError if a game was flagged twice."""

    def add(
        self, game_id: int, status: str | None, group: int, reason: str | None, score: int
    ) -> None:
        """Flag a game."""

    def add_cleared(self, game_id: int) -> None:
        """Clear the flags of a game."""

    def add_groups(
        self,
        ids: array[int],
        ends: array[int],
        kept_ids: array[int],
        scores: array[int],
        needs: bytearray,
        left_out: int,
        status: str,
    ) -> int:
        """Flag the games of groups; return the number of duplicates.

        `kept_ids`, `scores`, `needs`: as GroupResolver.resolve() returns them. Groups that need one
        of the bits `left_out` are skipped. `status`: the status of all duplicates.
        """

    def set_reason(self, game_id: int, reason: str) -> None:
        """Change the reason of a game flagged last; raise KeyError if it has no flags."""

    def group_of(self, game_id: int) -> int | None:
        """Return the group of a game, None if it has none; ValueError as above."""

    def get(self, game_id: int) -> tuple[str | None, int, str | None, int] | None:
        """Return (status, group, reason, score) of a game, None if it has no flags."""

    def read(self, connection: apsw.Connection, sql: str, text: str | None = None) -> None:
        """Load stored flags: rows of (ID, status, group, reason, score, is removed).

        "Is removed" means that the game is no longer in Games. `text`: the first parameter of the
        statement. The connection must have just loaded this module by ENTRY_POINT, in this thread.
        Raises SqliteError.
        """

    def unchanged_groups(self, ids: array[int], ends: array[int]) -> bytearray:
        """Return 1 for each group with the same games as one stored group, else 0.

        The kept game of the stored group must be one of them.
        """

    def mark_unchanged(self, game_id: int) -> None:
        """Mark the flags of a game as unchanged, if it has any."""

    def mark_groups_unchanged(
        self, ids: array[int], ends: array[int], are_unchanged: bytearray
    ) -> None:
        """Mark the flags of groups as unchanged: those with 1 in `are_unchanged`."""

    def is_unchanged(self, game_id: int) -> bool:
        """Return whether a game has flags that are marked as unchanged."""

    def is_changed(self, game_id: int) -> bool:
        """Return whether a game has flags that are not marked as unchanged."""

    def changed_ids(self) -> array[int]:
        """Return the IDs of the games whose flags are not marked as unchanged."""

    @property
    def all_unchanged(self) -> bool:
        """Whether all flags are marked as unchanged."""

    def clear_changed(self, stored: FlagRows) -> None:
        """Clear the stored flags of games that are not unchanged and get no new flags."""

    def counts(self, unchanged_in_games: bool) -> tuple[int, dict[str, int]]:
        """Return the number of groups that have duplicates, and the number of duplicates by status.

        `unchanged_in_games`: count only unchanged flags of games in Games.
        """

    def sums(
        self, stored: FlagRows
    ) -> list[tuple[str | None, str | None, int, int, int, int]] | None:
        """Return (status, reason, games, three sums) of these flags and the unchanged stored flags.

        For the sums, see store/search_state.py. Returns None if the numbers are too large for that,
        or if a stored flag has no header score. No game may be in both, and no game may be removed.
        """

    def insert(self, connection: apsw.Connection, statements: tuple[str, str]) -> None:
        """Insert the flagged games into a table that is empty, in the order of their IDs.

        `statements` insert one row and several rows. The parameters of a row are ID, status, group,
        reason, header score. Connection and errors as in write(); ValueError for other statements.
        """

    def write(
        self, connection: apsw.Connection, flagging: Sequence[str], unflagging: Sequence[str]
    ) -> None:
        """Step the statements `flagging` for each flagged game, `unflagging` for each cleared game.

        Games are in the order of their IDs. The parameters are status, group, reason, header score,
        ID. The connection must have just loaded this module by ENTRY_POINT, in this thread. Raises
        SqliteError.
        """

# --- column_rows ----------------------------------------------------------------------------------
# Insert columns of Arrow arrays into SQLite and read them back, without Python objects.

COLUMN_TYPES: dict[str, int]

# (type, offset of the first row in the buffers, validity bitmap, offsets of text and bytes,
# values): str(type), offset and buffers() of a pyarrow.Array. The last three are buffers, or None.
Column = tuple[str, int, Buffer | None, Buffer | None, Buffer | None]

@disjoint_base
class ColumnWriter:
    """Inserts into one table of a database.

    Only one thread may use the connection at a time, as apsw requires. Raises SqliteError.
    """

    def __new__(cls, connection: apsw.Connection, statements: tuple[str, str]) -> Self:
        """Prepare an INSERT of one row and one of up to 64 rows.

        `connection` must have just loaded this module by ENTRY_POINT, in this thread.
        """

    def write(self, columns: Sequence[Column], rows: int) -> None:
        """Insert rows from one column per parameter. Text must be UTF-8.

        Raises ValueError for buffers that are too short, and KeyError for a type that is not in
        COLUMN_TYPES. Rows before the error may have been inserted.
        """

    def close(self) -> None:
        """Finalize the statements; call it before the connection is closed."""

def read_columns(
    connection: apsw.Connection, sql: str, types: Sequence[str]
) -> tuple[int, list[Column]]:
    """Return the number of rows of a query, and its columns, each of one of COLUMN_TYPES.

    `connection` must have just loaded this module by ENTRY_POINT, in this thread. Raises
    SqliteError, and ValueError for a value that is not of its column's type.
    """
