"""The stages of the search for duplicates on Spark: the kernels run on parts of the games.

Each round takes the messages that a part got and returns those that it sends. What a stage finds is
what ocgdedup.pipeline.search.stages finds: docs/spark.md says how games come to parts.
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
    Chunks,
    Place,
    games_of_batches,
    in_batches,
    line_keys,
    searched_columns,
)
from ocgdedup.spark.messages import Batches, Message, Numbers, Received, Slots
from ocgdedup.spark.part import GAMES_SCHEMA, Part, persons_in
from ocgdedup.thresholds import MOST_NEIGHBOURS

PART_BITS = 32  # of a place in a part, below the number of the part
_PLACE = (1 << PART_BITS) - 1
_KEY_PLACE_BITS = CONSTANTS["PLACE_BITS"]  # of the place below a blocking key
_KEY_BITS = 64 - _KEY_PLACE_BITS
_BY_PLAYERS = SOURCES[1]
_OPEN = _PLACE  # the end of games that games of another part may continue
_THEORY_GAMES = 2 * MOST_NEIGHBOURS + 1  # on each side, that the theory of a game rests on
_NEVER = (1 << 62) - 1  # a place behind all games
_ROWS_AT_ONCE = 20_000  # of games in one message

EDGE = struct.Struct("<IIdBB")  # as the kernel stores it: games by rising ID, score, verdict, rule
_STORED_EDGE = numpy.dtype(
    [("left", "<u4"), ("right", "<u4"), ("score", "<f8"), ("verdict", "u1"), ("rule", "u1")]
)
# Numbers in messages: see pack().
_KEY_TYPES = "<i8", "<u4", "<u4", "<u4", "<u2", "<u1"
_OUTLINE = "2<u8"  # of a game, beside its keys by players
PAIR_TYPES = "<i8", "<i8", "<u1"
EDGE_TYPES = "<i8", "<i8", "<f8", "<u1", "<u1"

GAMES, GUESTS, KEYS, PAIRS, ASKS, EDGES = "games", "guests", "keys", "pairs", "asks", "edges"
BORDER, THEORY, FALLS, EVENTS, DECIDED = "border", "theory", "falls", "events", "decided"

# Columns that the messages of games have: of games as they are, and what their part found of them.
CARRIED = tuple(name for name in GAMES_SCHEMA.names if name != "Faults")
FACTS = ("Place", "Theory", "Roster", "Rank", "RosterSources")


class Search(NamedTuple):
    """What the workers need to know of a search; `decided`: games that the user decided on."""

    options: SearchOptions
    kind: GameKind
    decided: frozenset[int] = frozenset()

    @property
    def columns(self) -> tuple[str, ...]:
        return searched_columns(self.kind)


# --- games to parts ------------------------------------------------------------------------------


def _to_parts(
    search: Search, cuts: Sequence[bytes], places: Mapping[int, Place], batches: Batches
) -> Iterator[Message]:
    games = (
        batch
        for table in games_of_batches(places, batches)
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


# --- what a part knows of its games --------------------------------------------------------------


def facts_of_parts(chunks: Chunks, search: Search, slots: Slots) -> DataFrame:
    """Have each part order its games: theory, blocking keys, pairs of equal moves, counts."""
    # Each game goes to the part that holds its mainline; parts follow the order of games.
    to_parts = partial(_to_parts, search, chunks.cuts(len(slots)), chunks.places)
    sent = messages.send(chunks.frame.select("Rows"), to_parts, slots)
    return messages.exchange([sent], partial(_facts, search, len(slots)), slots)


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
    falls = _falls(order.shared)
    yield Message(0, FALLS, messages.pack(received.part, *falls))
    own = set(search.decided).intersection(order.ids.tolist()) if search.decided else set()
    for place in numpy.flatnonzero(numpy.isin(order.ids, sorted(own))) if own else ():
        place64 = received.part << PART_BITS | int(place)
        yield Message(0, DECIDED, None, int(order.ids[place]), place64)
    end_search(finder, EdgeList())
    yield from _event_messages(search_kernel.event_rows(HeaderCounts(finder)), part, parts)
    part.close()


def _keys(finder: DuplicateFinder, order: OrderFacts, part: int, parts: int) -> Iterator[Message]:
    """Yield the blocking keys, to the parts that pair the games of each."""
    ends = numpy.where(order.ends == finder.games, _OPEN, order.ends).astype("<u4")
    plies = numpy.minimum(order.plies, 0xFFFF).astype("<u2")
    lines, is_open = order.lines.astype("<u4"), order.is_open.astype("<u1")
    outlines = numpy.asarray(search_kernel.outlines(finder)).reshape(-1, 2)
    for source in SOURCES:
        numbers = NumberBuckets(64)
        finder.add_keys(source, 0, finder.games, numbers)
        own = [numpy.frombuffer(numbers.items(bucket), "<u8") for bucket in range(BUCKETS)]
        rows = numpy.concatenate(own)
        keys = (rows >> numpy.uint64(_KEY_PLACE_BITS)).astype("<i8")
        places = (rows & numpy.uint64((1 << _KEY_PLACE_BITS) - 1)).astype("<u4")
        for other, (some_keys, some) in messages.by_part(keys * parts >> _KEY_BITS, keys, places):
            columns = [some_keys, some, lines[some], ends[some], plies[some], is_open[some]]
            if source == _BY_PLAYERS:
                columns.append(outlines[some])
            yield Message(other, f"{KEYS}-{source}", messages.pack(part, *columns))


def _rows_of(numbers: Numbers, *others: Numbers) -> list[Numbers]:
    """Return at which rows of a column of distinct numbers others are."""
    order = numpy.argsort(numbers)
    return [order[numpy.searchsorted(numbers, some, sorter=order)] for some in others]


def _equal_pairs(finder: DuplicateFinder, order: OrderFacts, part: int) -> Message:
    pairs = NumberBuckets(finder.pair_bits)
    finder.pair_equal_records(0, finder.games, pairs)
    finder.pair_equal_games(0, finder.games, pairs)
    made = search_kernel.pairs_of(finder, pairs)
    first = part << PART_BITS
    rows = _rows_of(order.ids, numpy.asarray(made.left), numpy.asarray(made.right))
    columns = [(first + some).astype("<i8") for some in rows]
    return Message(part, PAIRS, messages.pack(part, *columns, numpy.asarray(made.conditions)))


def _with_facts(
    table: pyarrow.Table, finder: DuplicateFinder, order: OrderFacts, part: int
) -> pyarrow.Table:
    """Return games in their order, with the columns FACTS."""
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
    """Yield the first and last games of a part: what is theirs depends on the parts beside it."""
    count = ordered.num_rows
    depth = numpy.minimum(numpy.arange(count), numpy.arange(count)[::-1])  # games to the next part
    rows = numpy.flatnonzero(depth < 2 * _THEORY_GAMES)
    names = [*search.columns, *persons_in(ordered), "Place"]
    near = ordered.select(names).take(pyarrow.array(rows))
    is_open = pyarrow.array(depth[rows] < _THEORY_GAMES)
    yield Message(0, BORDER, messages.to_bytes(near.append_column("IsOpen", is_open)))


def _falls(shared: Numbers) -> tuple[Numbers, Numbers]:
    """Return (place, plies) wherever fewer plies are shared by all games from the first one on.

    What the first one shares with the game before it, which is in another part, is not known here.
    """
    least = numpy.minimum.accumulate(shared[1:]) if len(shared) > 1 else shared[:0]
    rows = numpy.flatnonzero(numpy.r_[True, least[1:] < least[:-1]]) if len(least) else ()
    rows = numpy.asarray(rows, "<i8")
    return (rows + 1).astype("<i8"), least[rows].astype("<i8")


def _event_messages(counts: Iterable[EventCount], part: Part, parts: int) -> Iterator[Message]:
    """Yield what the games of a part say of their events, to the parts that count it."""
    by_event: dict[int, list[tuple[object, ...]]] = {}
    events, sites = part.names[:2]
    for count in counts:
        values = (count.source, None, count.round, count.value) if count.source is not None else (
            None, sites[count.value], 0, 0
        )  # fmt: skip
        name = events[count.event_id]
        by_event.setdefault(part_of_name(name, parts), []).append((name, *values, count.games))
    for other, own in by_event.items():
        yield Message(other, EVENTS, messages.to_bytes(messages.batch_of_rows(EVENT_ROWS, own)))


EVENT_ROWS = messages.schema_of(
    "event string, source int64, site string, round int64, date int64, games int64"
)


def part_of_name(name: str, parts: int) -> int:
    """Return the part that counts a name."""
    return search_kernel.name_hash(name) % parts


def end_search(
    finder: DuplicateFinder, edges: EdgeList, decisions: Iterable[tuple[int, int, bool]] = ()
) -> None:
    """Group the games of a finder by their edges, and end its search."""
    finder.group(0, finder.connect(edges, decisions))
    finder.finish()


# --- games whose neighbours are in another part --------------------------------------------------


def facts_at_borders(search_messages: DataFrame, search: Search, slots: Slots) -> DataFrame:
    """Find what depends on two parts: the theory of their games, and what parts share."""
    return messages.exchange(
        [messages.of_kinds(search_messages, BORDER)], partial(_at_borders, search), slots
    )


def _at_borders(search: Search, received: Received) -> Iterator[Message]:
    table = received.table(BORDER)
    if table is None:
        return
    ids = table["ID"].to_pylist()
    places = dict(zip(ids, table["Place"].to_pylist(), strict=True))
    is_open = dict(zip(ids, table["IsOpen"].to_pylist(), strict=True))
    part, finder = _ordered(table, search)
    order = _order_of(finder)
    part.close()
    rows = zip(order.ids.tolist(), order.theory.tolist(), order.shared.tolist(), strict=True)
    open_rows = [
        (places[game_id], theory, shared) for game_id, theory, shared in rows if is_open[game_id]
    ]
    some = numpy.array(open_rows, "<i8").reshape(-1, 3)
    for number, (own, theory) in messages.by_part(some[:, 0] >> PART_BITS, some[:, 0], some[:, 1]):
        yield Message(number, THEORY, messages.pack(0, own, theory.astype("<i8")))
    firsts = some[(some[:, 0] & _PLACE) == 0]
    for place, _, shared in firsts.tolist():
        fall = numpy.zeros(1, "<i8"), numpy.array([shared], "<i8")
        yield Message(0, FALLS, messages.pack(place >> PART_BITS, *fall))


def same_places(
    search_messages: DataFrame, decisions: Iterable[tuple[int, int, bool]]
) -> list[tuple[int, int]]:
    """Return the places of the games that the user said are one."""
    rows = messages.of_kinds(search_messages, DECIDED).select("first", "second").collect()
    places = {row.first: row.second for row in rows}
    return [
        (places[left], places[right])
        for left, right, is_same in decisions
        if is_same and left in places and right in places
    ]


class PrefixDropoffs:
    """Where the plies that games share with those before them fall, in all parts."""

    def __init__(self, rows: Iterable[tuple[int, int]]) -> None:
        """Take (place, plies): in each part ever fewer, its first game apart."""
        self._rows = sorted(rows)
        self._places = [place for place, _ in self._rows]
        self._end_of = lru_cache(maxsize=1 << 16)(self._find)

    @classmethod
    def of(cls, *frames: DataFrame) -> PrefixDropoffs:
        """Collect them from messages: at most the plies of a game for each part."""
        rows = []
        for frame in frames:
            for row in messages.of_kinds(frame, FALLS).select("payload").collect():
                part, (places, plies) = messages.unpack(memoryview(row.payload), "<i8", "<i8")
                first = part << PART_BITS
                rows += [
                    (first + place, shared)
                    for place, shared in zip(places.tolist(), plies.tolist(), strict=True)
                ]
        return cls(rows)

    def end_of(self, part: int, plies: int) -> int:
        """Return the place behind the games of later parts that continue the last one's start."""
        return self._end_of(part, plies)

    def _find(self, part: int, plies: int) -> int:
        start = bisect_left(self._places, (part + 1) << PART_BITS)
        return next((place for place, shared in self._rows[start:] if shared < plies), _NEVER)

    def __reduce__(self) -> tuple[type[PrefixDropoffs], tuple[list[tuple[int, int]]]]:
        return PrefixDropoffs, (self._rows,)


# --- candidate pairs -----------------------------------------------------------------------------


def candidate_pairs(search_messages: DataFrame, falls: PrefixDropoffs, slots: Slots) -> DataFrame:
    """Pair the games of each blocking key; ask the parts of the later games for them."""
    keys = search_messages.where(search_messages["kind"].startswith(KEYS))
    return messages.exchange([keys], partial(_paired, falls), slots)


def _paired(falls: PrefixDropoffs, received: Received) -> Iterator[Message]:
    for source in SOURCES:
        payloads = received.payloads(f"{KEYS}-{source}")
        if not payloads:
            continue
        columns = [_keys_in(payload, falls, source) for payload in payloads]
        together = {
            name: numpy.concatenate([some[name] for some in columns]) for name in columns[0]
        }
        pairs = search_kernel.pair_places(source, **together)
        found = PairColumns._make(map(numpy.asarray, pairs))
        # Pairs go to the parts of the earlier games, and requests to those of the later ones.
        for part, of_part in messages.by_part(found.left >> PART_BITS, *found):
            yield Message(part, PAIRS, messages.pack(part, *of_part))
            others = numpy.unique(of_part[1])
            for other, (places,) in messages.by_part(others >> PART_BITS, others):
                if other != part:
                    yield Message(other, ASKS, messages.pack(part, places))


def _keys_in(payload: memoryview, falls: PrefixDropoffs, source: str) -> dict[str, Numbers]:
    """Return the keys of a message with places in the whole order, as pair_places() names them."""
    types = (*_KEY_TYPES, _OUTLINE) if source == _BY_PLAYERS else _KEY_TYPES
    part, (keys, places, lines, ends, plies, is_open, *outlines) = messages.unpack(payload, *types)
    first = part << PART_BITS
    last = ends.astype("<i8") + first
    for row in numpy.flatnonzero(ends == _OPEN):
        last[row] = falls.end_of(part, int(plies[row]))
    return {
        "keys": keys,
        "places": places.astype("<i8") + first,
        "lines": lines.astype("<i8") + first,
        "is_open": is_open,
        "ends": last,
    } | ({"outlines": outlines[0]} if outlines else {})


def _answers(search: Search, received: Received) -> Iterator[Message]:
    asked: dict[int, list[Numbers]] = {}
    for payload in received.payloads(ASKS):
        part, (places,) = messages.unpack(payload, "<i8")
        asked.setdefault(part, []).append(places)
    table = games_of(received) if asked else None
    if table is None:
        return
    if search.kind is CHESS:
        table = table.drop(["Annotations"])
    for part, some in asked.items():
        rows = numpy.unique(numpy.concatenate(some)) & _PLACE
        yield Message(part, GUESTS, messages.to_bytes(table.take(pyarrow.array(rows))))


def games_of(received: Received) -> pyarrow.Table | None:
    """Return the games of a part in their order, with the theory that was found at its borders."""
    table = received.table(GAMES)
    if table is None:
        return None
    table = table.sort_by("Place")
    places, theory = messages.unpack_all(received.payloads(THEORY), "<i8", "<i8")
    if len(places):
        values = numpy.asarray(table["Theory"]).copy()
        values[places & _PLACE] = theory
        at = table.column_names.index("Theory")
        table = table.set_column(at, "Theory", pyarrow.array(values, pyarrow.int32()))
    return table


# --- verdicts ------------------------------------------------------------------------------------


def judged(
    search_messages: DataFrame,
    at_borders: DataFrame,
    pairs: DataFrame,
    search: Search,
    slots: Slots,
) -> DataFrame:
    """Judge the pairs of each part; yield edges, and the places that they link."""
    games, theory = messages.of_kinds(search_messages, GAMES), messages.of_kinds(at_borders, THEORY)
    # Games go to the parts that have asked for them.
    asked = [games, messages.of_kinds(pairs, ASKS), theory]
    guests = messages.exchange(asked, partial(_answers, search), slots)
    own = messages.of_kinds(search_messages, GAMES, PAIRS)
    sent = [own, theory, messages.of_kinds(pairs, PAIRS), guests]
    return messages.exchange(sent, partial(_judged, search), slots)


def _judged(search: Search, received: Received) -> Iterator[Message]:
    left, right, conditions = messages.unpack_all(received.payloads(PAIRS), *PAIR_TYPES)
    table = _games_of_pairs(search, received, left, right)
    if table is None:
        return
    ids, places = numpy.asarray(table["ID"]), numpy.asarray(table["Place"])
    left_ids, right_ids = (ids[rows] for rows in _rows_of(places, left, right))
    part, finder = part_with_facts(table, search)
    pairs, edges = NumberBuckets(finder.pair_bits), EdgeList()
    search_kernel.add_pairs(finder, left_ids, right_ids, conditions, pairs)
    for bucket in range(BUCKETS):
        finder.judge(pairs, bucket, edges, 0, _NEVER)
    stored = numpy.frombuffer(b"".join(finder.judged_edges(edges, 1 << 20)), _STORED_EDGE)
    part.close()
    by_id = places[numpy.argsort(ids)]
    if not len(stored):
        return
    # Edges to their part, and as rows the places that they link.
    left, right = by_id[stored["left"]], by_id[stored["right"]]
    firsts, seconds = numpy.minimum(left, right), numpy.maximum(left, right)
    values = (numpy.ascontiguousarray(stored[name]) for name in ("score", "verdict", "rule"))
    yield Message(received.part, EDGES, messages.pack(received.part, firsts, seconds, *values))
    for first, second in zip(firsts.tolist(), seconds.tolist(), strict=True):
        yield Message(received.part, EDGES, None, first, second)


def _games_of_pairs(
    search: Search, received: Received, left: Numbers, right: Numbers
) -> pyarrow.Table | None:
    """Return the games of a part that are in pairs, with those of other parts."""
    own = games_of(received)
    if own is None or not len(left):
        return None
    needed = numpy.unique(numpy.concatenate((left, right[right >> PART_BITS == received.part])))
    if search.kind is CHESS:
        own = own.drop(["Annotations"])
    table = own.take(pyarrow.array(needed & _PLACE))
    others = received.table(GUESTS)
    if others is None:
        return table
    return pyarrow.concat_tables([table, others.select(table.column_names)])


def part_with_facts(table: pyarrow.Table, search: Search) -> tuple[Part, DuplicateFinder]:
    """Return games with what their own parts found of them, sorted and with their mainlines."""
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
    finder: DuplicateFinder, places: Mapping[int, int], edges: Sequence[Numbers]
) -> EdgeList:
    """Return edges by place as the finder of their games takes them.

    `places`: of each place, the number of its game by rising ID.
    """
    stored = b"".join(
        EDGE.pack(places[left], places[right], score, verdict, rule)
        for left, right, score, verdict, rule in zip(
            *(column.tolist() for column in edges), strict=True
        )
    )
    return search_kernel.load_edges_of(finder, stored)
