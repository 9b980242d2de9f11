"""A search in parts: what one part of the games tells others that never see these games.

For engines that keep no collection in one place (ocgdedup.spark). A place of the whole order is a
number of 64 bits that rises in this order, such as part << 32 | place in the part.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from typing_extensions import Buffer

from ocgdedup._kernels.header_counts import HeaderCounts
from ocgdedup._kernels.number_buckets import EdgeList, NumberBuckets
from ocgdedup._kernels.sorted_games import SortedGames

Numbers: TypeAlias = Any  # array.array or numpy array: mypy does not know that it is a Buffer

def order_facts(
    games: SortedGames,
) -> tuple[array[int], array[int], array[int], array[int], array[int], array[int], array[int]]:
    """Return what the order of the games of a part says of each, after find_ends().

    By place: the ID ("q"), the first place of its mainline ("I"), 1 if not all games of that are
    paired with each other ("B"), the place behind the games that continue it ("I"), the plies that
    it shares with the game before it, -1 if that starts elsewhere or is not there ("i"), its plies
    ("I"), and its theory ("I"). Raises ValueError once games have been grouped.
    """

def outlines(games: SortedGames) -> array[int]:
    """Return what decides whether two games need their players to be a candidate pair.

    Two numbers for each game ("Q"), by place. After find_lines().
    """

def equal_records(games: SortedGames) -> list[tuple[int, int, int, list[int]]]:
    """Return (ID, roster, rank, sources) of the games that several sources have alike.

    After pair_equal_records(). A roster is a number that only games of this part share; records of
    one roster and one rank are one game.
    """

def set_theory(games: SortedGames, ids: Numbers, theory: Numbers) -> None:
    """Take the theory of games ("I") by their IDs ("q"), as a part with all neighbours found it.

    After find_lines(). Raises KeyError for an unknown game, as the next two.
    """

def set_equal_records(
    games: SortedGames, rows: Iterable[tuple[int, int, int, Sequence[int]]]
) -> None:
    """Take what equal_records() returned elsewhere; rosters of several parts must differ."""

def add_pairs(
    games: SortedGames,
    left: Numbers,
    right: Numbers,
    conditions: Numbers,
    pairs: NumberBuckets,
) -> None:
    """Add candidate pairs by the IDs of their games ("q") and conditions ("B"), for judge()."""

def pairs_of(games: SortedGames, pairs: NumberBuckets) -> tuple[array[int], array[int], array[int]]:
    """Return candidate pairs of a part as add_pairs() takes them."""

def load_edges_of(games: SortedGames, stored: Buffer) -> EdgeList:
    """Return edges for connect(): 18 bytes each, as judged_edges() yields them.

    Its games are numbers by rising ID among the games of this part. Raises ValueError for anything
    else.
    """

def event_rows(
    counts: HeaderCounts,
) -> list[tuple[int, int | None, int, int, int]]:
    """Return (event ID, source, round, date, games), and (event ID, None, 0, site ID, games).

    Of all events of the games of a part; round and date as days_of() of header_counts has them.
    """

def give_counts(
    counts: HeaderCounts,
    records: Iterable[tuple[int, int, int]],
    rows: Iterable[tuple[int, int | None, int, int, int]],
) -> None:
    """Take counts over more games than those of a part, in place of its own.

    `records`: (kind, name ID, records); `rows`: as event_rows() returns them. collect_events() of
    these counts does nothing from now on.
    """

def components(first: Numbers, second: Numbers, count: int) -> array[int]:
    """Return for each of `count` numbers the least one that links lead to from it ("I").

    `first`, `second` ("q"): what is linked. Raises ValueError for links to other numbers.
    """

def line_keys(games: SortedGames) -> Iterator[tuple[int, bytes]]:
    """Yield the ID of each game, and bytes that sort as its start and its moves do."""

def name_hash(name: str) -> int:
    """Return a hash of 64 bits of a name, the same in every process."""

def line_key(moves: bytes, start: int = 0) -> bytes:
    """Return the bytes of line_keys() for moves of chess and the key of the start, 0: usual."""
