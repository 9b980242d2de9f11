"""Groups of duplicates, kept games and merged headers on Spark; each part has whole components."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
from ocgdedup.model import EventCount, SilentReporter
from ocgdedup.pipeline.ingest.lossless import LosslessReader
from ocgdedup.pipeline.search.consensus import Consensus
from ocgdedup.pipeline.search.detect import SearchResult, possible_duplicates_of
from ocgdedup.pipeline.search.groups import GroupBatch, ResolveOptions
from ocgdedup.pipeline.search.resolve import Plan, resolve
from ocgdedup.spark import messages, search
from ocgdedup.spark.chunks import payloads_of
from ocgdedup.spark.messages import SCHEMA, Batches, Message, Received, Slots
from ocgdedup.spark.part import GAMES_SCHEMA, Part
from ocgdedup.spark.search import EDGES, EVENTS, GAMES, THEORY, Search
from ocgdedup.spark.stages import Stages
from ocgdedup.store.duplicates import stored_flag_rows, stored_flags
from ocgdedup.store.merges import merged_ids, merged_tags
from ocgdedup.store.players import persons_of_games
from ocgdedup.thresholds import EVENT, SITE

# Connected components of pairs, by large stars and small stars.
#
# Kiveris, Lattanzi, Mirrokni, Rastogi and Vassilvitskii, "Connected Components in MapReduce and
# Beyond" (SoCC 2014): each step links neighbours to the least of them, until every component is
# one star.

_MOST_JOIN_ROUNDS = 64  # 2 log2 of the number of games are enough
_COMPONENTS = messages.schema_of("id int64, component int64")
FEW_PAIRS = 20_000_000  # for one worker, in half a gigabyte of memory


def components(pairs: DataFrame, stages: Stages, few: int = FEW_PAIRS) -> DataFrame:
    """Return (id, component) for linked pairs (`first`, `second`); a component is its lowest id.

    One worker takes up to `few` pairs, since rounds of the whole cluster would take longer.
    """
    if pairs.count() <= few:
        return messages.map_batches(pairs.repartition(1), _of_few, _COMPONENTS)
    return _by_stars(pairs, stages)


def _of_few(batches: Batches) -> Batches:
    columns = [[numpy.asarray(batch[name]) for name in ("first", "second")] for batch in batches]
    if not columns:
        return
    first, second = (numpy.concatenate(column) for column in zip(*columns, strict=True))
    ids = numpy.unique(numpy.concatenate((first, second)))
    root_indexes = search_kernel.components(
        numpy.searchsorted(ids, first), numpy.searchsorted(ids, second), len(ids)
    )
    roots = ids[numpy.asarray(root_indexes)]
    yield messages.record_batch(
        _COMPONENTS, {"id": pyarrow.array(ids), "component": pyarrow.array(roots)}
    )


def _by_stars(pairs: DataFrame, stages: Stages) -> DataFrame:
    edges = pairs.select(
        F.greatest("first", "second").alias("u"), F.least("first", "second").alias("v")
    ).distinct()
    state = (-1, 0)
    for number in range(_MOST_JOIN_ROUNDS):
        edges = stages.stage(f"components-{number}", partial(_nearer_stars, edges))
        last, state = state, _state(edges)
        if state == last:
            break
    else:
        raise RuntimeError("components did not end: please report this")
    roots = edges.select(F.col("v").alias("id")).distinct().withColumn("component", F.col("id"))
    return edges.select(F.col("u").alias("id"), F.col("v").alias("component")).union(roots)


def _nearer_stars(edges: DataFrame, _: str | None = None) -> DataFrame:
    """Return the edges after one large-star step and one small-star step."""
    # Link the higher neighbours of each game to the lowest game of its neighbourhood.
    both = edges.union(edges.select(F.col("v").alias("u"), F.col("u").alias("v")))
    least = both.groupBy("u").agg(F.least(F.col("u"), F.min("v")).alias("least"))
    above = both.join(least, "u").where(F.col("v") > F.col("u"))
    edges = above.select(F.col("v").alias("u"), F.col("least").alias("v")).distinct()
    # Link each game, and its lower neighbours, to the lowest of these neighbours.
    least = edges.groupBy("u").agg(F.min("v").alias("least"))
    below = edges.join(least, "u").where(F.col("v") != F.col("least"))
    hung = below.select(F.col("v").alias("u"), F.col("least").alias("v"))
    return hung.union(least.select("u", F.col("least").alias("v"))).distinct()


def _state(edges: DataFrame) -> tuple[int, int]:
    """Return the count and a hash of edges, which differ for different edges."""
    row = edges.agg(F.count("*"), F.sum(F.xxhash64("u", "v").cast("decimal(38,0)"))).first()
    return (0, 0) if row is None else (int(row[0]), int(row[1] or 0))


_INDEX_MASK = (1 << search.PART_BITS) - 1
NAMES, RECORDS = "names", "records"
COMPONENTS, ASKED_NAMES, ASKED_EVENTS = "components", "asked names", "asked events"
_NAME_ROWS = messages.schema_of("kind int32, name string, number int64")
MERGED_PERSONS = ("WhitePersonID", "BlackPersonID")  # NULL for unknown players
MERGED_COLUMNS = (*search.CARRIED[1:], *MERGED_PERSONS)
MERGED = pyarrow.struct(
    [
        *(GAMES_SCHEMA.field(name) for name in search.CARRIED[1:]),
        *((name, pyarrow.int64()) for name in MERGED_PERSONS),
    ]
)
DUPLICATES, POSSIBLE = "duplicates", "possible"  # kinds of messages with results
_MERGED_TAGS = messages.schema_of(
    "Tag string, Before string, After string, FromGameID int64, Reason string"
)
RESULTS = {
    DUPLICATES: messages.schema_of(
        "ID int64, DuplicateStatus string, DuplicateGroup int64, DuplicateReason string, "
        "HeaderScore int32, MergedTags, Merged",
        MergedTags=pyarrow.list_(pyarrow.struct(list(_MERGED_TAGS))),
        Merged=MERGED,
    ),
    POSSIBLE: messages.schema_of(
        "GameID1 int64, GameID2 int64, Class string, Score float64, Evidence string"
    ),
}


class Resolution(NamedTuple):
    """Options for grouping games and merging headers, for the workers."""

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
    folder: str | None,
) -> DataFrame:
    """Return messages of RESULTS: the records of all groups, and the possible duplicates.

    `links`: (first, second) indexes of games that edges or decisions of the user link.
    """
    of_games = _to_parts_of_games(components(links, stages), slots)
    to_components = [
        messages.of_kinds(search_messages, GAMES),
        messages.of_kinds(at_borders, THEORY),
        edges.where(edges["payload"].isNotNull()),
        of_games,
    ]
    work = partial(_to_components, resolution, len(slots))
    sent = stages.stage(
        "components",
        lambda of_components: messages.exchange(to_components, work, slots, of_components),
        SCHEMA,
        by="kind",
    )
    if resolution.has_consensus:
        to_count = messages.of_kinds(sent, NAMES, ASKED_NAMES, ASKED_EVENTS)
        counts = messages.exchange(
            [to_count, messages.of_kinds(search_messages, EVENTS)], _counts, slots, slots.passing
        )
        to_resolve = [messages.of_kinds(sent, GAMES, EDGES), counts]
    else:
        to_resolve = [sent]
    return messages.exchange(to_resolve, partial(_resolved, resolution), slots, folder)


def rows_of_results(results: DataFrame, kind: str) -> DataFrame:
    """Return the rows of one kind of RESULTS from messages of grouped()."""

    def rows(batches: Batches) -> Batches:
        for payload in payloads_of(batches, "payload"):
            yield from messages.from_bytes(payload).to_batches()

    return messages.map_batches(
        messages.of_kinds(results, kind).select("payload"), rows, RESULTS[kind]
    )


def _to_parts_of_games(of_games: DataFrame, slots: Slots) -> DataFrame:
    """Return (id, component) as messages to the parts of the games."""
    numbers = F.array(*map(F.lit, slots))
    part = F.shiftright("id", search.PART_BITS).cast("int")
    return of_games.select(
        F.element_at(numbers, part + 1).cast("int").alias("slot"),
        part.alias("part"),
        F.lit(COMPONENTS).alias("kind"),
        F.lit(None).cast("binary").alias("payload"),
        F.col("id").alias("first"),
        F.col("component").alias("second"),
    ).select(*SCHEMA.names)


def _to_components(resolution: Resolution, parts: int, received: Received) -> Iterator[Message]:
    """Send games and edges to the parts of their components, and request counts for these."""
    table = search.games_of(received)
    if table is None:
        return
    if resolution.has_consensus:
        yield from _name_messages(table, parts)
    if not received.links:
        return
    links = numpy.array(received.links, "<i8")
    links = links[numpy.argsort(links[:, 0])]
    # The part of each component, by a hash: the lowest games of components are in few parts.
    mixed = (links[:, 1].astype("<u8") * numpy.uint64(0x9E3779B97F4A7C15)) >> numpy.uint64(32)
    indexes, homes = links[:, 0], (mixed % numpy.uint64(parts)).astype("<i8")
    for home, (linked,) in messages.by_part(homes, indexes):
        games = table.take(pyarrow.array(linked & _INDEX_MASK))
        yield Message(home, GAMES, messages.to_bytes(games))
        if resolution.has_consensus:
            yield from _questions(home, games, parts)
    columns = messages.unpack_all(received.payloads(EDGES), *search.EDGE_TYPES)
    if len(columns[0]):
        edge_homes = homes[numpy.searchsorted(indexes, columns[0])]
        for home, edges in messages.by_part(edge_homes, *columns):
            yield Message(home, EDGES, messages.pack(received.part, *edges))


def _name_messages(table: pyarrow.Table, parts: int) -> Iterator[Message]:
    """Yield the number of games of a part with each name, to the part that counts the name."""
    rows: dict[int, list[tuple[int, str, int]]] = {}
    for column, kind in NAME_COLUMNS:
        for counted in pyarrow.compute.value_counts(table[column]).to_pylist():
            name = counted["values"] or ""
            rows.setdefault(search.part_of_name(name, parts), []).append(
                (kind, name, counted["counts"])
            )
    for part, counts in rows.items():
        yield Message(part, NAMES, messages.to_bytes(messages.batch_of_rows(_NAME_ROWS, counts)))


def _questions(home: int, table: pyarrow.Table, parts: int) -> Iterator[Message]:
    """Request the counts of names and events for a part of components."""
    asked: dict[tuple[int, str], list[tuple[int, str, int]]] = {}
    for column, kind in NAME_COLUMNS:
        for text in pyarrow.compute.unique(table[column]).to_pylist():
            name = text or ""
            for question in (ASKED_NAMES, ASKED_EVENTS) if kind == EVENT else (ASKED_NAMES,):
                part = search.part_of_name(name, parts)
                asked.setdefault((part, question), []).append((kind, name, home))
    for (part, question), rows in asked.items():
        yield Message(part, question, messages.to_bytes(messages.batch_of_rows(_NAME_ROWS, rows)))


def _counts(received: Received) -> Iterator[Message]:
    """Send the requested counts of names in all games, and the days of the rounds of events."""
    names, asked = received.table(NAMES), received.table(ASKED_NAMES)
    if names is not None and asked is not None:
        sums = names.group_by(["kind", "name"]).aggregate([("number", "sum")])
        joined = asked.join(sums, ["kind", "name"], join_type="inner").combine_chunks()
        counted = joined.select(["kind", "name", "number_sum"]).rename_columns(_NAME_ROWS.names)
        yield from messages.rows_to_parts(RECORDS, counted, numpy.asarray(joined["number"]))
    events, asked = received.table(EVENTS), received.table(ASKED_EVENTS)
    if events is not None and asked is not None:
        keys = [name for name in search.EVENT_ROWS.names if name != "games"]
        sums = events.group_by(keys).aggregate([("games", "sum")])
        sums = sums.rename_columns([*keys, "games"]).select(search.EVENT_ROWS.names)
        asked = asked.select(["name", "number"]).rename_columns(["event", "home"])
        asked = asked.group_by(["event", "home"]).aggregate([])
        joined = asked.join(sums, "event", join_type="inner").combine_chunks()
        homes = numpy.asarray(joined["home"])
        yield from messages.rows_to_parts(EVENTS, joined.select(search.EVENT_ROWS.names), homes)


class _GivenConsensus(Consensus):
    """Consensus with the counts of other parts."""

    def __init__(self, part: Part, search_result: SearchResult, received: Received) -> None:
        super().__init__(part.connection, search_result)
        records, events = received.table(RECORDS), received.table(EVENTS)
        ids = part.name_ids
        counts = [
            (kind, ids[kind][name], count)
            for kind, name, count in _rows(records)
            if name in ids[kind]
        ]
        search_kernel.give_counts(self.counts, counts, list(_event_rows(part, _rows(events))))


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
    part, finder = search.part_with_facts(table, resolution.search)
    by_id = sorted(zip(table["ID"].to_pylist(), table["Place"].to_pylist(), strict=True))
    order = {index: number for number, (_, index) in enumerate(by_id)}
    edges = search.edges_for(
        finder, order, messages.unpack_all(received.payloads(EDGES), *search.EDGE_TYPES)
    )
    decisions = [
        (first, second, is_same)
        for first, second, is_same in resolution.decisions
        if first in finder and second in finder
    ]
    search.end_search(finder, edges, decisions)
    groups = GroupBatch.of_finder(finder)
    search_result = SearchResult(
        finder.games,
        frozenset(),
        groups,
        possible_duplicates_of(finder, groups, frozenset()),
        finder,
        frozenset(game_id for first, second, _ in decisions for game_id in (first, second)),
    )
    consensus = _GivenConsensus(part, search_result, received) if resolution.has_consensus else None
    with part.connection:
        plan = Plan(stored_flag_rows(part.connection), groups, consensus)
        resolve(part.connection, search_result, plan, resolution.resolve, SilentReporter())
    columns = len(RESULTS[POSSIBLE].names)
    results: dict[str, Sequence[Sequence[object]]] = {
        DUPLICATES: _records_of_groups(part.connection),
        POSSIBLE: [suspect[:columns] for suspect in search_result.possible_duplicates],
    }
    part.close()
    for kind, rows in results.items():
        if rows:
            payload = messages.to_bytes(messages.batch_of_rows(RESULTS[kind], rows))
            yield Message(received.part, kind, payload)


def _records_of_groups(connection: apsw.Connection) -> list[tuple[object, ...]]:
    flags = stored_flags(connection)
    tags: dict[int, list[dict[str, object]]] = {}
    for game_id, *values in merged_tags(connection):
        tags.setdefault(game_id, []).append(dict(zip(_MERGED_TAGS.names, values, strict=True)))
    merged = _merged(connection)
    return [
        (game_id, *flag, tags.get(game_id), merged.get(game_id))
        for game_id, flag in sorted(flags.items())
    ]


def _merged(connection: apsw.Connection) -> dict[int, dict[str, object]]:
    """Return the columns of MERGED of each kept game with merged values, by its ID."""
    ids = merged_ids(connection)
    persons = persons_of_games(connection, ids)
    values_by_game = {}
    for columns in LosslessReader(connection).games([ids]):
        for game_id, *values in zip(*columns[: len(search.CARRIED)], strict=True):
            values += persons[game_id]
            values_by_game[game_id] = dict(zip(MERGED_COLUMNS, values, strict=True))
    return values_by_game
