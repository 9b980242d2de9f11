"""The stages of the search for duplicates on Spark: the kernels run on parts of the games.

Each stage takes the messages that a part received, and returns those that it sends. The results are
those of ocgdedup.pipeline.search.stages; docs/spark.md explains how games are assigned to parts. An
index of a game, in the order of all games, has the number of its part in the upper bits.
"""

from __future__ import annotations

import struct
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

import numpy
import pyarrow
import pyarrow.compute
from pyspark.sql import DataFrame

from ocgdedup._kernels import search as search_kernel
from ocgdedup._kernels.search import (
    BUCKETS,
    CONSTANTS,
    SOURCES,
    DuplicateFinder,
    EdgeList,
    HeaderCounts,
    NumberBuckets,
)
from ocgdedup.game_kind import CHESS, GameKind
from ocgdedup.model import EqualRecord, EventCount, OrderFacts, PairColumns
from ocgdedup.pipeline.search.detect import SearchOptions, unsearched_finder
from ocgdedup.spark import messages
from ocgdedup.spark.chunks import (
    ChunkOffsets,
    Chunks,
    games_of_batches,
    in_batches,
    line_keys,
    searched_columns,
)
from ocgdedup.spark.messages import Batches, Message, Numbers, Received, Slots
from ocgdedup.spark.part import GAMES_SCHEMA, Part, persons_in
from ocgdedup.thresholds import MOST_NEIGHBOURS

PART_BITS = 32  # of the index in the part, below the number of the part
_INDEX_MASK = (1 << PART_BITS) - 1
_KEY_INDEX_BITS = CONSTANTS["INDEX_BITS"]  # of the index below a blocking key
_KEY_BITS = 64 - _KEY_INDEX_BITS
_BY_PLAYERS = SOURCES[1]
_OPEN = _INDEX_MASK  # the end of a range of games that may go on in the next part
_THEORY_GAMES = 2 * MOST_NEIGHBOURS + 1  # on each side, on which the theory of a game depends
_NEVER = (1 << 62) - 1  # an index after all games
_ROWS_AT_ONCE = 20_000  # of games in one message

EDGE = struct.Struct("<IIdBB")  # as the kernel stores it: games by rising ID, score, verdict, rule
_STORED_EDGE = numpy.dtype(
    [("left", "<u4"), ("right", "<u4"), ("score", "<f8"), ("verdict", "u1"), ("rule", "u1")]
)
# Numbers in messages: see pack().
_KEY_TYPES = "<i8", "<u4", "<u4", "<u4", "<u2", "<u1"
_SUMMARY = "2<u8"  # of a game, beside its keys by players
PAIR_TYPES = "<i8", "<i8", "<u1"
EDGE_TYPES = "<i8", "<i8", "<f8", "<u1", "<u1"

GAMES, GUESTS, KEYS, PAIRS, REQUESTS, EDGES = "games", "guests", "keys", "pairs", "asks", "edges"
BORDER, THEORY, DROPOFFS, EVENTS, DECIDED = "border", "theory", "falls", "events", "decided"

# Columns of messages with games: the values of games, and facts that their part found.
CARRIED = tuple(name for name in GAMES_SCHEMA.names if name != "Faults")
FACTS = ("Place", "Theory", "Roster", "Rank", "RosterSources")


class Search(NamedTuple):
    """The options of a search, for the workers; `decided`: games that the user decided about."""

    options: SearchOptions
    kind: GameKind
    decided: frozenset[int] = frozenset()

    @property
    def columns(self) -> tuple[str, ...]:
        return searched_columns(self.kind)


# --- games to parts ------------------------------------------------------------------------------


def _to_parts(
    search: Search, cuts: Sequence[bytes], offsets: Mapping[int, ChunkOffsets], batches: Batches
) -> Iterator[Message]:
    games = (
        batch
        for table in games_of_batches(offsets, batches)
        for batch in _searched(table, search).to_batches()
    )
    for table in in_batches(games, _ROWS_AT_ONCE):
        keys = line_keys(table, search.kind)
        parts = numpy.fromiter((bisect_right(cuts, key) for key in keys), "<i8", len(keys))
        yield from messages.rows_to_parts(GAMES, table, parts)


def _searched(games: pyarrow.Table, search: Search) -> pyarrow.Table:
    """Return games without those that are too short for the search."""
    least = search.options.min_plies
    if least:
        plies = pyarrow.compute.coalesce(games["PlyCount"], 0)
        games = games.filter(pyarrow.compute.greater_equal(plies, least))
    return games.select([*CARRIED, *persons_in(games)])


# --- facts that a part finds about its games ------------------------------------------------------


def facts_of_parts(chunks: Chunks, search: Search, slots: Slots, folder: str | None) -> DataFrame:
    """Sort the games in each part, and find theory, blocking keys, pairs of equal moves, counts."""
    # Each game goes to the part of its mainline; the parts follow the order of games.
    to_parts = partial(_to_parts, search, chunks.cuts(len(slots)), chunks.offsets)
    sent = messages.send(chunks.frame.select("Rows"), to_parts, slots)
    return messages.exchange([sent], partial(_facts, search, len(slots)), slots, folder)


def _order_of(finder: DuplicateFinder) -> OrderFacts:
    return OrderFacts._make(map(numpy.asarray, search_kernel.order_facts(finder)))


def _ordered(table: pyarrow.Table, search: Search) -> tuple[Part, DuplicateFinder]:
    part = Part(table.select([*search.columns, *persons_in(table)]), search.kind)
    finder = unsearched_finder(part.connection, search.options)
    for stage in (finder.find_lines, finder.find_shared, finder.find_theory, finder.find_ends):
        stage(0, finder.games)
    return part, finder


def _facts(search: Search, parts: int, received: Received) -> Iterator[Message]:
    table = received.table(GAMES)
    if table is None:
        return
    part, finder = _ordered(table, search)
    order = _order_of(finder)
    yield from _keys(finder, order, received.part, parts)
    yield _equal_pairs(finder, order, received.part)
    ordered = _with_facts(table, finder, order, received.part)
    for start in range(0, ordered.num_rows, _ROWS_AT_ONCE):
        yield Message(received.part, GAMES, messages.to_bytes(ordered.slice(start, _ROWS_AT_ONCE)))
    yield from _border(ordered, search)
    dropoffs = _dropoffs(order.shared)
    yield Message(0, DROPOFFS, messages.pack(received.part, *dropoffs))
    for row in numpy.flatnonzero(numpy.isin(order.ids, sorted(search.decided))).tolist():
        yield Message(0, DECIDED, None, int(order.ids[row]), received.part << PART_BITS | row)
    end_search(finder, EdgeList())
    yield from _event_messages(search_kernel.event_rows(HeaderCounts(finder)), part, parts)
    part.close()


def _keys(finder: DuplicateFinder, order: OrderFacts, part: int, parts: int) -> Iterator[Message]:
    """Yield the blocking keys, to the parts that pair the games of each key."""
    ends = numpy.where(order.ends == finder.games, _OPEN, order.ends).astype("<u4")
    plies = numpy.minimum(order.plies, 0xFFFF).astype("<u2")
    lines, is_open = order.lines.astype("<u4"), order.is_open.astype("<u1")
    outlines = numpy.asarray(search_kernel.game_summaries(finder)).reshape(-1, 2)
    for source in SOURCES:
        numbers = NumberBuckets(64)
        finder.add_keys(source, 0, finder.games, numbers)
        rows = numpy.concatenate(
            [numpy.frombuffer(numbers.items(bucket), "<u8") for bucket in range(BUCKETS)]
        )
        keys = (rows >> numpy.uint64(_KEY_INDEX_BITS)).astype("<i8")
        indexes = (rows & numpy.uint64((1 << _KEY_INDEX_BITS) - 1)).astype("<u4")
        for other, (sent, games) in messages.by_part(keys * parts >> _KEY_BITS, keys, indexes):
            columns = [sent, games, lines[games], ends[games], plies[games], is_open[games]]
            if source == _BY_PLAYERS:
                columns.append(outlines[games])
            yield Message(other, f"{KEYS}-{source}", messages.pack(part, *columns))


def _rows_of(numbers: Numbers, *others: Numbers) -> list[Numbers]:
    """Return, for each of `others`, the rows of its numbers in a column of distinct numbers."""
    order = numpy.argsort(numbers)
    return [order[numpy.searchsorted(numbers, other, sorter=order)] for other in others]


def _equal_pairs(finder: DuplicateFinder, order: OrderFacts, part: int) -> Message:
    pairs = NumberBuckets(finder.pair_bits)
    finder.pair_equal_records(0, finder.games, pairs)
    finder.pair_equal_games(0, finder.games, pairs)
    ids = search_kernel.pairs_of(finder, pairs)
    first = part << PART_BITS
    sides = _rows_of(order.ids, numpy.asarray(ids.left), numpy.asarray(ids.right))
    columns = [(first + rows).astype("<i8") for rows in sides]
    return Message(part, PAIRS, messages.pack(part, *columns, numpy.asarray(ids.conditions)))


def _with_facts(
    table: pyarrow.Table, finder: DuplicateFinder, order: OrderFacts, part: int
) -> pyarrow.Table:
    """Return sorted games, with the columns FACTS."""
    ids = numpy.asarray(table["ID"])
    (rows,) = _rows_of(ids, order.ids)
    equal = {record.game_id: record for record in search_kernel.equal_records(finder)}
    records = [equal.get(game_id) for game_id in order.ids.tolist()]
    first = part << PART_BITS
    rosters = [first | record.roster if record else None for record in records]
    ranks = [record.rank if record else None for record in records]
    sources = [record.sources if record else None for record in records]
    ordered = table.take(pyarrow.array(rows))
    for name, values, kind in (
        ("Place", first + numpy.arange(len(rows)), pyarrow.int64()),
        ("Theory", order.theory.astype("<i4"), pyarrow.int32()),
        ("Roster", rosters, pyarrow.int64()),
        ("Rank", ranks, pyarrow.int64()),
        ("RosterSources", sources, pyarrow.list_(pyarrow.int32())),
    ):
        ordered = ordered.append_column(name, pyarrow.array(values, kind))
    return ordered


def _border(ordered: pyarrow.Table, search: Search) -> Iterator[Message]:
    """Yield the first and last games of a part, whose facts depend on the neighbouring parts."""
    count = ordered.num_rows
    depth = numpy.minimum(numpy.arange(count), numpy.arange(count)[::-1])  # distance to a border
    rows = numpy.flatnonzero(depth < 2 * _THEORY_GAMES)
    names = [*search.columns, *persons_in(ordered), "Place"]
    near = ordered.select(names).take(pyarrow.array(rows))
    is_open = pyarrow.array(depth[rows] < _THEORY_GAMES)
    yield Message(0, BORDER, messages.to_bytes(near.append_column("IsOpen", is_open)))


def _dropoffs(shared: Numbers) -> tuple[Numbers, Numbers]:
    """Return (index, plies) where the number of plies that all games so far share drops."""
    # The plies that the first game shares with the game before it, in another part, are not known.
    least = numpy.minimum.accumulate(shared[1:]) if len(shared) > 1 else shared[:0]
    rows = numpy.flatnonzero(numpy.r_[True, least[1:] < least[:-1]]) if len(least) else ()
    rows = numpy.asarray(rows, "<i8")
    return (rows + 1).astype("<i8"), least[rows].astype("<i8")


def _event_messages(counts: Iterable[EventCount], part: Part, parts: int) -> Iterator[Message]:
    """Yield the counts of the events of a part, to the parts that add them up."""
    by_event: dict[int, list[tuple[object, ...]]] = {}
    events, sites = part.names[:2]
    for count in counts:
        values = (count.source, None, count.round, count.value) if count.source is not None else (
            None, sites[count.value], 0, 0
        )  # fmt: skip
        name = events[count.event_id]
        by_event.setdefault(part_of_name(name, parts), []).append((name, *values, count.games))
    for other, rows in by_event.items():
        yield Message(other, EVENTS, messages.to_bytes(messages.batch_of_rows(EVENT_ROWS, rows)))


EVENT_ROWS = messages.schema_of(
    "event string, source int64, site string, round int64, date int64, games int64"
)


def part_of_name(name: str, parts: int) -> int:
    """Return the part that counts the games of a name."""
    return search_kernel.name_hash(name) % parts


def end_search(
    finder: DuplicateFinder, edges: EdgeList, decisions: Iterable[tuple[int, int, bool]] = ()
) -> None:
    """Group the games of a finder by edges, and end its search."""
    finder.group(0, finder.connect(edges, decisions))
    finder.finish()


# --- games whose neighbours are in another part --------------------------------------------------


def facts_at_borders(
    search_messages: DataFrame, search: Search, slots: Slots, folder: str | None
) -> DataFrame:
    """Find facts that depend on two parts: the theory at borders, and shared plies."""
    return messages.exchange(
        [messages.of_kinds(search_messages, BORDER)], partial(_at_borders, search), slots, folder
    )


def _at_borders(search: Search, received: Received) -> Iterator[Message]:
    table = received.table(BORDER)
    if table is None:
        return
    ids = table["ID"].to_pylist()
    index_of = dict(zip(ids, table["Place"].to_pylist(), strict=True))
    is_open = dict(zip(ids, table["IsOpen"].to_pylist(), strict=True))
    part, finder = _ordered(table, search)
    order = _order_of(finder)
    part.close()
    rows = zip(order.ids.tolist(), order.theory.tolist(), order.shared.tolist(), strict=True)
    open_rows = [
        (index_of[game_id], theory, shared) for game_id, theory, shared in rows if is_open[game_id]
    ]
    indexes, theory, shared = numpy.array(open_rows, "<i8").reshape(-1, 3).T
    for number, columns in messages.by_part(indexes >> PART_BITS, indexes, theory):
        yield Message(number, THEORY, messages.pack(0, *columns))
    is_first = (indexes & _INDEX_MASK) == 0
    for index, plies in zip(indexes[is_first].tolist(), shared[is_first].tolist(), strict=True):
        dropoff = numpy.zeros(1, "<i8"), numpy.array([plies], "<i8")
        yield Message(0, DROPOFFS, messages.pack(index >> PART_BITS, *dropoff))


def same_games(
    search_messages: DataFrame, decisions: Iterable[tuple[int, int, bool]]
) -> list[tuple[int, int]]:
    """Return the indexes of the pairs of games that the user decided are the same."""
    rows = messages.of_kinds(search_messages, DECIDED).select("first", "second").collect()
    index_of = {row.first: row.second for row in rows}
    return [
        (index_of[left], index_of[right])
        for left, right, is_same in decisions
        if is_same and left in index_of and right in index_of
    ]


class PrefixDropoffs:
    """The indexes in all parts where the number of plies shared with the games before drops."""

    def __init__(self, rows: Iterable[tuple[int, int]]) -> None:
        """Take (index, plies); after its first game, plies decrease in each part."""
        self._rows = sorted(rows)
        self._indexes = [index for index, _ in self._rows]
        self.end_of = lru_cache(maxsize=1 << 16)(self._end_of)

    @classmethod
    def of(cls, *frames: DataFrame) -> PrefixDropoffs:
        """Collect the messages of all frames; a part has at most one row for each ply."""
        rows = []
        for frame in frames:
            for row in messages.of_kinds(frame, DROPOFFS).select("payload").collect():
                part, (indexes, plies) = messages.unpack(memoryview(row.payload), "<i8", "<i8")
                first = part << PART_BITS
                rows += [
                    (first + index, shared)
                    for index, shared in zip(indexes.tolist(), plies.tolist(), strict=True)
                ]
        return cls(rows)

    def _end_of(self, part: int, plies: int) -> int:
        """Return the index after the games of later parts that share the last game's `plies`."""
        start = bisect_left(self._indexes, (part + 1) << PART_BITS)
        return next((index for index, shared in self._rows[start:] if shared < plies), _NEVER)

    def __reduce__(self) -> tuple[type[PrefixDropoffs], tuple[list[tuple[int, int]]]]:
        return PrefixDropoffs, (self._rows,)


# --- candidate pairs -----------------------------------------------------------------------------


def candidate_pairs(
    search_messages: DataFrame, dropoffs: PrefixDropoffs, slots: Slots, folder: str | None
) -> DataFrame:
    """Pair the games of each blocking key, and request the later games from their parts."""
    keys = search_messages.where(search_messages["kind"].startswith(KEYS))
    return messages.exchange([keys], partial(_paired, dropoffs), slots, folder)


def _paired(dropoffs: PrefixDropoffs, received: Received) -> Iterator[Message]:
    for source in SOURCES:
        payloads = received.payloads(f"{KEYS}-{source}")
        if not payloads:
            continue
        columns = [_keys_in(payload, dropoffs, source) for payload in payloads]
        arguments = {
            name: numpy.concatenate([keys[name] for keys in columns]) for name in columns[0]
        }
        pairs = PairColumns._make(
            map(numpy.asarray, search_kernel.pair_keyed_games(source, **arguments))
        )
        # Pairs go to the parts of the earlier games, requests to the parts of the later games.
        for part, part_pairs in messages.by_part(pairs.left >> PART_BITS, *pairs):
            yield Message(part, PAIRS, messages.pack(part, *part_pairs))
            others = numpy.unique(part_pairs[1])
            for other, (indexes,) in messages.by_part(others >> PART_BITS, others):
                if other != part:
                    yield Message(other, REQUESTS, messages.pack(part, indexes))


def _keys_in(payload: memoryview, dropoffs: PrefixDropoffs, source: str) -> dict[str, Numbers]:
    """Unpack a message into arguments of pair_keyed_games(); indexes count over all parts."""
    types = (*_KEY_TYPES, _SUMMARY) if source == _BY_PLAYERS else _KEY_TYPES
    part, (keys, indexes, lines, ends, plies, is_open, *outlines) = messages.unpack(payload, *types)
    first = part << PART_BITS
    last = ends.astype("<i8") + first
    for row in numpy.flatnonzero(ends == _OPEN):
        last[row] = dropoffs.end_of(part, int(plies[row]))
    return {
        "keys": keys,
        "indexes": indexes.astype("<i8") + first,
        "lines": lines.astype("<i8") + first,
        "is_open": is_open,
        "ends": last,
    } | ({"summaries": outlines[0]} if outlines else {})


def _requested_games(search: Search, received: Received) -> Iterator[Message]:
    requests: dict[int, list[Numbers]] = {}
    for payload in received.payloads(REQUESTS):
        part, (indexes,) = messages.unpack(payload, "<i8")
        requests.setdefault(part, []).append(indexes)
    table = games_of(received) if requests else None
    if table is None:
        return
    if search.kind is CHESS:
        table = table.drop(["Annotations"])
    for part, requested in requests.items():
        rows = numpy.unique(numpy.concatenate(requested)) & _INDEX_MASK
        yield Message(part, GUESTS, messages.to_bytes(table.take(pyarrow.array(rows))))


def games_of(received: Received) -> pyarrow.Table | None:
    """Return the sorted games of a part, with the theory that was found at its borders."""
    table = received.table(GAMES)
    if table is None:
        return None
    table = table.sort_by("Place")
    indexes, theory = messages.unpack_all(received.payloads(THEORY), "<i8", "<i8")
    if len(indexes):
        values = numpy.asarray(table["Theory"]).copy()
        values[indexes & _INDEX_MASK] = theory
        column = table.column_names.index("Theory")
        table = table.set_column(column, "Theory", pyarrow.array(values, pyarrow.int32()))
    return table


# --- verdicts ------------------------------------------------------------------------------------


def judged(
    search_messages: DataFrame,
    at_borders: DataFrame,
    pairs: DataFrame,
    search: Search,
    slots: Slots,
    folder: str | None,
) -> DataFrame:
    """Judge the pairs of each part; return the edges, and the indexes of their games."""
    games, theory = messages.of_kinds(search_messages, GAMES), messages.of_kinds(at_borders, THEORY)
    # Games go to the parts that requested them.
    to_send = [games, messages.of_kinds(pairs, REQUESTS), theory]
    guests = messages.exchange(to_send, partial(_requested_games, search), slots, slots.passing)
    games_and_pairs = messages.of_kinds(search_messages, GAMES, PAIRS)
    sent = [games_and_pairs, theory, messages.of_kinds(pairs, PAIRS), guests]
    return messages.exchange(sent, partial(_judged, search), slots, folder)


def _judged(search: Search, received: Received) -> Iterator[Message]:
    left, right, conditions = messages.unpack_all(received.payloads(PAIRS), *PAIR_TYPES)
    table = _games_of_pairs(search, received, left, right)
    if table is None:
        return
    ids, indexes = numpy.asarray(table["ID"]), numpy.asarray(table["Place"])
    left_ids, right_ids = (ids[rows] for rows in _rows_of(indexes, left, right))
    part, finder = part_with_facts(table, search)
    pairs, edges = NumberBuckets(finder.pair_bits), EdgeList()
    search_kernel.add_pairs(finder, left_ids, right_ids, conditions, pairs)
    for bucket in range(BUCKETS):
        finder.judge(pairs, bucket, edges, 0, _NEVER)
    stored = numpy.frombuffer(b"".join(finder.judged_edges(edges, 1 << 20)), _STORED_EDGE)
    part.close()
    by_id = indexes[numpy.argsort(ids)]
    if not len(stored):
        return
    # The edges stay in this part; the indexes that they link are rows of their own.
    left, right = by_id[stored["left"]], by_id[stored["right"]]
    firsts, seconds = numpy.minimum(left, right), numpy.maximum(left, right)
    values = (numpy.ascontiguousarray(stored[name]) for name in ("score", "verdict", "rule"))
    yield Message(received.part, EDGES, messages.pack(received.part, firsts, seconds, *values))
    for first, second in zip(firsts.tolist(), seconds.tolist(), strict=True):
        yield Message(received.part, EDGES, None, first, second)


def _games_of_pairs(
    search: Search, received: Received, left: Numbers, right: Numbers
) -> pyarrow.Table | None:
    """Return the games of pairs, those of the part and those of other parts."""
    table = games_of(received)
    if table is None or not len(left):
        return None
    needed = numpy.unique(numpy.concatenate((left, right[right >> PART_BITS == received.part])))
    if search.kind is CHESS:
        table = table.drop(["Annotations"])
    table = table.take(pyarrow.array(needed & _INDEX_MASK))
    others = received.table(GUESTS)
    if others is None:
        return table
    return pyarrow.concat_tables([table, others.select(table.column_names)])


def part_with_facts(table: pyarrow.Table, search: Search) -> tuple[Part, DuplicateFinder]:
    """Return games as a part, and a finder with the facts that their own parts found."""
    names = [name for name in table.column_names if name not in FACTS]
    part = Part(table.select(names), search.kind)
    finder = unsearched_finder(part.connection, search.options)
    finder.find_lines(0, finder.games)
    ids = table["ID"].to_pylist()
    search_kernel.set_theory(finder, array("q", ids), array("I", table["Theory"].to_pylist()))
    columns = (table[name].to_pylist() for name in ("Roster", "Rank", "RosterSources"))
    records = [
        EqualRecord(game_id, roster, rank, sources)
        for game_id, roster, rank, sources in zip(ids, *columns, strict=True)
        if roster is not None
    ]
    search_kernel.set_equal_records(finder, records)
    return part, finder


def edges_for(
    finder: DuplicateFinder, indexes: Mapping[int, int], edges: Sequence[Numbers]
) -> EdgeList:
    """Return edges between indexes as an EdgeList for a finder.

    `indexes`: by index in all games, the index of the game in the finder's order of IDs.
    """
    stored = b"".join(
        EDGE.pack(indexes[left], indexes[right], score, verdict, rule)
        for left, right, score, verdict, rule in zip(
            *(column.tolist() for column in edges), strict=True
        )
    )
    return search_kernel.load_edges_of(finder, stored)
