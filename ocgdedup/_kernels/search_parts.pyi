"""A search in parts: facts about the games of one part for other parts that never read them.

For engines that keep no collection in one place (ocgdedup.spark). A place of the whole order is a
64-bit number that rises in this order, such as part << 32 | place in the part.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from typing_extensions import Buffer

from ocgdedup._kernels.header_counts import HeaderCounts
from ocgdedup._kernels.number_buckets import EdgeList, NumberBuckets
from ocgdedup._kernels.sorted_games import SortedGames

Numbers: TypeAlias = Any  # array.array or numpy array, which mypy does not accept as a Buffer

def order_facts(
    games: SortedGames,
) -> tuple[array[int], array[int], array[int], array[int], array[int], array[int], array[int]]:
    """Return facts about each game from the order of a part, after find_ends().

    By place: the ID ("q"); the first place of its mainline ("I"); 1 if games of that mainline are
    not all paired with each other ("B"); the place after the games that continue it ("I"); the
    plies shared with the previous game, -1 if there is none or its start differs ("i"); its plies
    ("I"); its theory ("I"). Raises ValueError once games have been grouped.
    """

def outlines(games: SortedGames) -> array[int]:
    """Return what decides whether two games need their players to be a candidate pair.

    Two numbers for each game ("Q"), by place. Call it after find_lines().
    """

def equal_records(games: SortedGames) -> list[tuple[int, int, int, list[int]]]:
    """Return (ID, roster, rank, sources) of the equal records that several sources have.

    Call it after pair_equal_records(). A roster is a number that only games of this part share;
    records with equal roster and rank are the same game.
    """

def set_theory(games: SortedGames, ids: Numbers, theory: Numbers) -> None:
    """Set the theory of games ("I") by their IDs ("q"), computed where all neighbours are.

    Raises KeyError for an unknown ID.
    """

def set_equal_records(
    games: SortedGames, rows: Iterable[tuple[int, int, int, Sequence[int]]]
) -> None:
    """Set the results of equal_records() of other parts; their rosters must differ."""

def add_pairs(
    games: SortedGames,
    left: Numbers,
    right: Numbers,
    conditions: Numbers,
    pairs: NumberBuckets,
) -> None:
    """Add candidate pairs by the IDs of their games ("q") and conditions ("B"), for judge()."""

def pairs_of(games: SortedGames, pairs: NumberBuckets) -> tuple[array[int], array[int], array[int]]:
    """Return the candidate pairs of a part, in the format of add_pairs()."""

def load_edges_of(games: SortedGames, stored: Buffer) -> EdgeList:
    """Load edges for connect(): 18 bytes each, in the format of judged_edges().

    Games are indexes by rising ID among the games of this part. Raises ValueError for a wrong size
    and for unknown games.
    """

def event_rows(
    counts: HeaderCounts,
) -> list[tuple[int, int | None, int, int, int]]:
    """Return (event ID, source, round, date, games), and (event ID, None, 0, site ID, games).

    The rows cover all events of the games of a part; round and date are in the format of days_of().
    """

def give_counts(
    counts: HeaderCounts,
    records: Iterable[tuple[int, int, int]],
    rows: Iterable[tuple[int, int | None, int, int, int]],
) -> None:
    """Replace the counts of a part by counts over more games.

    `records`: (kind, name ID, records); `rows`: as event_rows() returns them. Afterwards
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
