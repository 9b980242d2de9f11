"""Groups of duplicates, kept games and merged headers on Spark: a part holds whole components."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import apsw
import numpy
import pyarrow
import pyarrow.compute
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from ocgdedup._kernels import search as search_kernel
from ocgdedup.matching.consensus import NAME_COLUMNS
from ocgdedup.model import EventCount
from ocgdedup.pipeline.ingest.lossless import LosslessReader
from ocgdedup.pipeline.search.consensus import Consensus
from ocgdedup.pipeline.search.detect import SearchResult, list_suspects
from ocgdedup.pipeline.search.groups import GroupBatch, ResolveOptions
from ocgdedup.pipeline.search.resolve import Plan, resolve
from ocgdedup.spark.chunks import payloads_of
from ocgdedup.spark.messages import (
    SCHEMA,
    Message,
    Numbers,
    Received,
    Slots,
    by_part,
    exchange,
    from_bytes,
    map_batches,
    pack,
    record_batch,
    to_bytes,
    unpack_all,
)
from ocgdedup.spark.part import GAMES_SCHEMA, Part, Quiet
from ocgdedup.spark.search import (
    CARRIED,
    EDGE_TYPES,
    EDGES,
    EVENT_ROWS,
    EVENTS,
    GAMES,
    PART_BITS,
    THEORY,
    Search,
    edges_for,
    end_search,
    games_of,
    part_of_name,
    part_with_facts,
)
from ocgdedup.spark.stages import Stages
from ocgdedup.store.duplicates import stored_flag_rows, stored_flags
from ocgdedup.store.merged_headers import merged_ids, merged_tags
from ocgdedup.store.persons import persons_of_games
from ocgdedup.thresholds import EVENT, SITE

# Connected components of pairs, by large stars and small stars.
#
# Kiveris, Lattanzi, Mirrokni, Rastogi and Vassilvitskii, "Connected Components in MapReduce and
# Beyond" (SoCC 2014): each step links neighbours to the least of them, until every component is
# one star.

_MOST_JOIN_ROUNDS = 64  # 2 log2 of the games would do for any collection
_COMPONENTS = pyarrow.schema([("id", pyarrow.int64()), ("component", pyarrow.int64())])
FEW_PAIRS = 20_000_000  # that one worker takes in half a gigabyte


def components(pairs: DataFrame, stages: Stages, few: int = FEW_PAIRS) -> DataFrame:
    """Return (id, component) of all that pairs `first`, `second` link; a component is its least id.

    Up to `few` pairs one worker takes them all: rounds of the whole cluster would take longer.
    """
    if pairs.count() <= few:
        return map_batches(pairs.repartition(1), _of_few, _COMPONENTS)
    return _by_stars(pairs, stages)


def _of_few(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
    columns = [[numpy.asarray(batch[name]) for name in ("first", "second")] for batch in batches]
    if not columns:
        return
    first, second = (numpy.concatenate(some) for some in zip(*columns, strict=True))
    ids = numpy.unique(numpy.concatenate((first, second)))
    root_places = search_kernel.components(
        numpy.searchsorted(ids, first), numpy.searchsorted(ids, second), len(ids)
    )
    roots = ids[numpy.asarray(root_places)]
    yield record_batch(_COMPONENTS, {"id": pyarrow.array(ids), "component": pyarrow.array(roots)})


def _by_stars(pairs: DataFrame, stages: Stages) -> DataFrame:
    edges = pairs.select(
        F.greatest("first", "second").alias("u"), F.least("first", "second").alias("v")
    ).distinct()
    state = (-1, 0)
    for number in range(_MOST_JOIN_ROUNDS):
        edges = stages.keep(f"components-{number}", partial(_round, edges))
        last, state = state, _state(edges)
        if state == last:
            break
    else:
        raise RuntimeError("components did not end: please report this")
    roots = edges.select(F.col("v").alias("id")).distinct().withColumn("component", F.col("id"))
    return edges.select(F.col("u").alias("id"), F.col("v").alias("component")).union(roots)


def _round(edges: DataFrame) -> DataFrame:
    return _small_star(_large_star(edges))


def _large_star(edges: DataFrame) -> DataFrame:
    """Hang the neighbours above each game on the least game of its neighbourhood."""
    both = edges.union(edges.select(F.col("v").alias("u"), F.col("u").alias("v")))
    least = both.groupBy("u").agg(F.least(F.col("u"), F.min("v")).alias("least"))
    return (
        both.join(least, "u").where(F.col("v") > F.col("u"))
        .select(F.col("v").alias("u"), F.col("least").alias("v"))
        .distinct()
    )  # fmt: skip


def _small_star(edges: DataFrame) -> DataFrame:
    """Hang each game, and its neighbours below, on the least of these."""
    least = edges.groupBy("u").agg(F.min("v").alias("least"))
    below = edges.join(least, "u").where(F.col("v") != F.col("least"))
    hung = below.select(F.col("v").alias("u"), F.col("least").alias("v"))
    return hung.union(least.select("u", F.col("least").alias("v"))).distinct()


def _state(edges: DataFrame) -> tuple[int, int]:
    """Return what is another for other edges, but for one case in 2**63."""
    row = edges.agg(F.count("*"), F.sum(F.xxhash64("u", "v").cast("decimal(38,0)"))).first()
    return (0, 0) if row is None else (int(row[0]), int(row[1] or 0))


_PLACE = (1 << PART_BITS) - 1
NAMES, RECORDS = "names", "records"
COMPONENTS, ASKED_NAMES, ASKED_EVENTS = "components", "asked names", "asked events"
_NAME_ROWS = pyarrow.schema(
    [("kind", pyarrow.int32()), ("name", pyarrow.string()), ("number", pyarrow.int64())]
)
MERGED_PERSONS = ("WhitePersonID", "BlackPersonID")  # NULL where players are not known
MERGED_COLUMNS = (*CARRIED[1:], *MERGED_PERSONS)
MERGED = pyarrow.struct(
    [
        *(GAMES_SCHEMA.field(name) for name in CARRIED[1:]),
        *((name, pyarrow.int64()) for name in MERGED_PERSONS),
    ]
)
DUPLICATES, POSSIBLE = "duplicates", "possible"  # kinds of messages that hold results
_MERGED_TAG = pyarrow.struct(
    [
        ("Tag", pyarrow.string()),
        ("Before", pyarrow.string()),
        ("After", pyarrow.string()),
        ("FromGameID", pyarrow.int64()),
        ("Reason", pyarrow.string()),
    ]
)
RESULTS = {
    DUPLICATES: pyarrow.schema(
        [
            ("ID", pyarrow.int64()),
            ("DuplicateStatus", pyarrow.string()),
            ("DuplicateGroup", pyarrow.int64()),
            ("DuplicateReason", pyarrow.string()),
            ("HeaderScore", pyarrow.int32()),
            ("MergedTags", pyarrow.list_(_MERGED_TAG)),
            ("Merged", MERGED),
        ]
    ),
    POSSIBLE: pyarrow.schema(
        [
            ("GameID1", pyarrow.int64()),
            ("GameID2", pyarrow.int64()),
            ("Class", pyarrow.string()),
            ("Score", pyarrow.float64()),
            ("Evidence", pyarrow.string()),
        ]
    ),
}


class Resolution(NamedTuple):
    """What the workers need to know to group games and merge their headers."""

    search: Search
    resolve: ResolveOptions
    decisions: Sequence[tuple[int, int, bool]] = ()

    @property
    def has_consensus(self) -> bool:
        return self.resolve.has_consensus(self.search.kind)


def grouped(
    search_messages: DataFrame,
    at_borders: DataFrame,
    edges: DataFrame,
    links: DataFrame,
    resolution: Resolution,
    slots: Slots,
    stages: Stages,
) -> DataFrame:
    """Return messages of RESULTS: the records of all groups, and the possible duplicates.

    `links`: (first, second) places of games that edges or decisions of the user link.
    """
    of_games = _to_parts_of_games(components(links, stages), slots)
    messages = [
        search_messages.where(search_messages["kind"] == GAMES),
        at_borders.where(at_borders["kind"] == THEORY),
        edges.where(edges["payload"].isNotNull()),
        of_games,
    ]
    work = partial(_to_components, resolution, len(slots))
    sent = stages.keep("components", lambda: exchange(messages, work, slots), SCHEMA, by="kind")
    if resolution.has_consensus:
        to_count = sent.where(sent["kind"].isin(NAMES, ASKED_NAMES, ASKED_EVENTS))
        counts = exchange(
            [to_count, search_messages.where(search_messages["kind"] == EVENTS)], _counts, slots
        )
        messages = [sent.where(sent["kind"].isin(GAMES, EDGES)), counts]
    else:
        messages = [sent]
    return exchange(messages, partial(_resolved, resolution), slots)


def rows_of_results(done: DataFrame, kind: str) -> DataFrame:
    """Return the rows of one kind of grouped()."""
    payloads = done.where(done["kind"] == kind).select("payload")
    return map_batches(payloads, _rows_of_results, RESULTS[kind])


def _rows_of_results(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
    for payload in payloads_of(batches, "payload"):
        yield from from_bytes(payload).to_batches()


def _to_parts_of_games(of_games: DataFrame, slots: Slots) -> DataFrame:
    """Return (id, component) as messages to the parts of the games."""
    numbers = F.array(*(F.lit(slots.of_part(part)) for part in range(len(slots))))
    part = F.shiftright("id", PART_BITS).cast("int")
    return of_games.select(
        F.element_at(numbers, part + 1).cast("int").alias("slot"),
        part.alias("part"),
        F.lit(COMPONENTS).alias("kind"),
        F.lit(None).cast("binary").alias("payload"),
        F.col("id").alias("first"),
        F.col("component").alias("second"),
    ).select(*SCHEMA.names)


def _to_components(resolution: Resolution, parts: int, received: Received) -> Iterator[Message]:
    """Send games and edges to the parts of their components, and ask for what counts there."""
    table = games_of(received)
    if table is None:
        return
    if resolution.has_consensus:
        yield from _name_messages(table, parts)
    if not received.links:
        return
    links = numpy.array(received.links, "<i8")
    links = links[numpy.argsort(links[:, 0])]
    places, homes = links[:, 0], _home_of(links[:, 1], parts)
    for home, (own,) in by_part(homes, places):
        some = table.take(pyarrow.array(own & _PLACE))
        yield Message(home, GAMES, to_bytes(some))
        if resolution.has_consensus:
            yield from _questions(home, some, parts)
    columns = unpack_all(received.payloads(EDGES), *EDGE_TYPES)
    if len(columns[0]):
        of_edges = homes[numpy.searchsorted(places, columns[0])]
        for home, some_edges in by_part(of_edges, *columns):
            yield Message(home, EDGES, pack(received.part, *some_edges))


def _home_of(of_components: Numbers, parts: int) -> Numbers:
    """Return the part of each component: spread, since components begin in few parts."""
    mixed = (of_components.astype("<u8") * numpy.uint64(0x9E3779B97F4A7C15)) >> numpy.uint64(32)
    return (mixed % numpy.uint64(parts)).astype("<i8")


def _name_messages(table: pyarrow.Table, parts: int) -> Iterator[Message]:
    """Yield how often the games of a part have each name, to the parts that count it."""
    rows: dict[int, list[tuple[int, str, int]]] = {}
    for column, kind in NAME_COLUMNS:
        for counted in pyarrow.compute.value_counts(table[column]).to_pylist():
            name = counted["values"] or ""
            rows.setdefault(part_of_name(name, parts), []).append((kind, name, counted["counts"]))
    for part, own in rows.items():
        yield Message(part, NAMES, _name_bytes(own))


def _name_bytes(rows: Sequence[tuple[int, str, int]]) -> bytes:
    columns = zip(_NAME_ROWS.names, zip(*rows, strict=True), strict=True)
    return to_bytes(record_batch(_NAME_ROWS, dict(columns)))


def _questions(home: int, table: pyarrow.Table, parts: int) -> Iterator[Message]:
    """Ask, for a part of components, how often names occur, and about events."""
    rows: dict[int, list[tuple[int, str, int]]] = {}
    events: dict[int, list[tuple[int, str, int]]] = {}
    for column, kind in NAME_COLUMNS:
        for text in pyarrow.compute.unique(table[column]).to_pylist():
            name = text or ""
            part = part_of_name(name, parts)
            rows.setdefault(part, []).append((kind, name, home))
            if kind == EVENT:
                events.setdefault(part, []).append((kind, name, home))
    for part, own in rows.items():
        yield Message(part, ASKED_NAMES, _name_bytes(own))
    for part, own in events.items():
        yield Message(part, ASKED_EVENTS, _name_bytes(own))


def _counts(received: Received) -> Iterator[Message]:
    """Answer how often names occur in all games, and when the rounds of events were played."""
    names = received.table(NAMES)
    asked = received.table(ASKED_NAMES)
    if names is not None and asked is not None:
        sums = names.group_by(["kind", "name"]).aggregate([("number", "sum")])
        joined = asked.join(sums, ["kind", "name"], join_type="inner").combine_chunks()
        for home, (rows,) in by_part(numpy.asarray(joined["number"]), numpy.arange(len(joined))):
            own = joined.take(pyarrow.array(rows)).select(["kind", "name", "number_sum"])
            yield Message(home, RECORDS, to_bytes(own.rename_columns(_NAME_ROWS.names)))
    events, asked = received.table(EVENTS), received.table(ASKED_EVENTS)
    if events is not None and asked is not None:
        keys = [name for name in EVENT_ROWS.names if name != "games"]
        sums = events.group_by(keys).aggregate([("games", "sum")])
        sums = sums.rename_columns([*keys, "games"]).select(EVENT_ROWS.names)
        asked = asked.select(["name", "number"]).rename_columns(["event", "home"])
        asked = asked.group_by(["event", "home"]).aggregate([])
        joined = asked.join(sums, "event", join_type="inner").combine_chunks()
        for home, (rows,) in by_part(numpy.asarray(joined["home"]), numpy.arange(len(joined))):
            own = joined.take(pyarrow.array(rows)).select(EVENT_ROWS.names)
            yield Message(home, EVENTS, to_bytes(own))


class _GivenConsensus(Consensus):
    """What all records say, counted by other parts."""

    def __init__(self, part: Part, search_result: SearchResult, received: Received) -> None:
        super().__init__(part.connection, search_result)
        records, events = received.table(RECORDS), received.table(EVENTS)
        ids = part.name_ids
        known = [
            (kind, ids[kind][name], count)
            for kind, name, count in _rows(records)
            if name in ids[kind]
        ]
        search_kernel.give_counts(self.counts, known, list(_event_rows(part, _rows(events))))


def _rows(table: pyarrow.Table | None) -> Iterable[tuple[Any, ...]]:
    if table is None:
        return ()
    return zip(*(column.to_pylist() for column in table.columns), strict=True)


def _event_rows(part: Part, rows: Iterable[tuple[Any, ...]]) -> Iterator[EventCount]:
    for event, source, site, round_number, date, games in rows:
        event_id = part.name_ids[EVENT].get(event)
        if event_id is None:
            continue
        if source is not None:
            yield EventCount(event_id, source, round_number, date, games)
        elif site in part.name_ids[SITE]:
            yield EventCount(event_id, None, 0, part.name_ids[SITE][site], games)


def _resolved(resolution: Resolution, received: Received) -> Iterator[Message]:
    table = received.table(GAMES)
    if table is None:
        return
    part, finder = part_with_facts(table, resolution.search)
    places = zip(table["ID"].to_pylist(), table["Place"].to_pylist(), strict=True)
    numbers = {place: number for number, (_, place) in enumerate(sorted(places))}
    edges = edges_for(finder, numbers, unpack_all(received.payloads(EDGES), *EDGE_TYPES))
    decisions = [
        (first, second, is_same)
        for first, second, is_same in resolution.decisions
        if first in finder and second in finder
    ]
    end_search(finder, edges, decisions)
    groups = GroupBatch.of_finder(finder)
    search_result = SearchResult(
        finder.games,
        frozenset(),
        groups,
        list_suspects(finder, groups, frozenset()),
        finder,
        frozenset(game_id for first, second, _ in decisions for game_id in (first, second)),
    )
    consensus = _GivenConsensus(part, search_result, received) if resolution.has_consensus else None
    with part.connection:
        plan = Plan(stored_flag_rows(part.connection), groups, consensus)
        resolve(part.connection, search_result, plan, resolution.resolve, Quiet())
    own = _records_of_groups(part.connection)
    part.close()
    if own["ID"]:
        yield _result(received.part, DUPLICATES, own)
    if search_result.suspects:
        names = RESULTS[POSSIBLE].names
        suspects = (suspect[: len(names)] for suspect in search_result.suspects)
        columns = zip(names, zip(*suspects, strict=True), strict=True)
        yield _result(received.part, POSSIBLE, dict(columns))


def _result(part: int, kind: str, columns: Mapping[str, Sequence[object]]) -> Message:
    return Message(part, kind, to_bytes(record_batch(RESULTS[kind], columns)))


def _records_of_groups(connection: apsw.Connection) -> dict[str, list[object]]:
    flags = stored_flags(connection)
    names = [_MERGED_TAG.field(place).name for place in range(_MERGED_TAG.num_fields)]
    tags: dict[int, list[dict[str, object]]] = {}
    for game_id, *values in merged_tags(connection):
        tags.setdefault(game_id, []).append(dict(zip(names, values, strict=True)))
    merged = _merged(connection)
    ids = sorted(flags)
    return {
        "ID": [*ids],
        "DuplicateStatus": [flags[game_id].status for game_id in ids],
        "DuplicateGroup": [flags[game_id].group for game_id in ids],
        "DuplicateReason": [flags[game_id].reason for game_id in ids],
        "HeaderScore": [flags[game_id].score for game_id in ids],
        "MergedTags": [tags.get(game_id) for game_id in ids],
        "Merged": [merged.get(game_id) for game_id in ids],
    }


def _merged(connection: apsw.Connection) -> dict[int, dict[str, object]]:
    """Return the merged records, as columns of MERGED, by the ID of the kept game."""
    ids = merged_ids(connection)
    persons = persons_of_games(connection, ids)
    values_by_game = {}
    for columns in LosslessReader(connection).games([ids]):
        for game_id, *values in zip(*columns[: len(CARRIED)], strict=True):
            values += persons[game_id]
            values_by_game[game_id] = dict(zip(MERGED_COLUMNS, values, strict=True))
    return values_by_game
