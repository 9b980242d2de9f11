"""Resolve players on Spark: names part by part, with the lists in each worker, then single games.

The results are those of ocgdedup.pipeline.players.persons. The ID of a player or event is the hash
of its name, so that it is the same in all parts.
"""

from __future__ import annotations

import hashlib
import pickle
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy
import pyarrow
import pyarrow.compute
from pyspark.sql import DataFrame, SparkSession

from ocgdedup._kernels.names import GameJudge, PlayerCareers
from ocgdedup.game_kind import CHESS
from ocgdedup.matching.names.consolidate import Consolidated, Consolidation, Identity, NameUse
from ocgdedup.matching.names.name_form import name_form
from ocgdedup.matching.names.name_list import NameList
from ocgdedup.matching.names.phonetic import encode
from ocgdedup.matching.names.resolve import Persons
from ocgdedup.model import ListFiles, Reporter
from ocgdedup.pipeline.players import name_lists, name_uses
from ocgdedup.pipeline.players.by_game import GamePlayers, judge_of, settled
from ocgdedup.pipeline.players.game_claims import claim_rules
from ocgdedup.pipeline.players.persons import PlayedPairs, person_ids, resolutions
from ocgdedup.pipeline.players.spellings import choose_spellings
from ocgdedup.spark import messages
from ocgdedup.spark.chunks import ChunkOffsets, Chunks, games_of_batches
from ocgdedup.spark.messages import Batches, Message, Numbers, Received, Slots
from ocgdedup.spark.part import SIDES, Part
from ocgdedup.spark.persons import PERSONS, with_titles
from ocgdedup.store import fide_players
from ocgdedup.store.canonical_names import SureName
from ocgdedup.store.database import create_database, database_of_bytes
from ocgdedup.store.players import reading_games
from ocgdedup.thresholds import SURE_PROBABILITY

if TYPE_CHECKING:
    from pyspark.core.broadcast import Broadcast

# Columns with evidence for players.
_READ = (
    "ID", "Event", "Site", "Date", "White", "WhiteElo", "Black", "BlackElo", "PlyCount", "MoveHash",
    "SourceID", "ExtraTags",
)  # fmt: skip
NAMES, EVENTS, MET, LOOKED_UP = "names", "events", "met", "looked up"
NOTES, SURE_PLAYERS, OPEN, DECIDED = "notes", "sure players", "open", "decided"
_RESULTS = messages.schema_of("kind string, payload binary")
_EVENT_ROWS = messages.schema_of("event int64, player int64")
_PAIR_TYPES = "<i8", "<i8"
_SURE_TYPES = "<i8", "<i8", "<i8"


class ReadLists(NamedTuple):
    """The index of names, and the bytes of a database of the lists with phonetic codes.

    `month`: of the FIDE list; `imported`: the result of reading it.
    """

    listed: NameList
    data: bytes
    month: str | None
    imported: name_lists.ImportedList | None


def read_lists(lists: ListFiles, reporter: Reporter) -> ReadLists:
    """Read the lists once for all workers."""
    connection = create_database(":memory:")
    imported = None
    with connection:
        if lists.fide is not None:
            imported = name_lists.import_fide_list(
                connection, lists.fide, reporter, month=lists.month
            )
        if lists.month is not None:
            fide_players.set_month(connection, lists.month)
        if lists.aliases is not None:
            name_lists.import_aliases(connection, lists.aliases, reporter)
        listed = name_lists.stored_name_list(connection)
    rating_list = fide_players.last_list(connection, "fide")
    month = rating_list.month if rating_list else None
    return ReadLists(listed, connection.serialize("main"), month, imported)


class _Lists:
    """The lists for the workers, compared by their content, and the month of the rating list."""

    def __init__(self, spark: SparkSession, read: ReadLists) -> None:
        self.month = read.month
        self._digest = hashlib.sha256(read.data).digest()
        self._data: Broadcast[bytes] = spark.sparkContext.broadcast(read.data)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Lists) and other._digest == self._digest

    def __hash__(self) -> int:
        return hash(self._digest)

    @lru_cache(maxsize=1)  # noqa: B019 -- one for each process of a worker, for all of its tasks
    def listed(self) -> NameList:
        return name_lists.stored_name_list(database_of_bytes(self._data.value))


def resolve(chunks: Chunks, lists: ReadLists, slots: Slots) -> DataFrame:
    """Find the persons of all names and the players of single games; return rows of PERSONS."""
    spark = chunks.frame.sparkSession
    shared = _Lists(spark, lists)
    consolidated, uses = _consolidated(chunks, lists.listed, shared, slots)
    content = pickle.dumps((uses, consolidated.identities, consolidated.persons.tables[1]))
    judge = judge_of(uses, consolidated)
    shared_names = _SharedNames(shared, spark.sparkContext.broadcast(content))
    by_game = _by_game(chunks, consolidated, shared_names, slots)
    consolidated, by_game = settled(consolidated, by_game, uses, judge)
    names = {player: use.name for player, use in uses.items()}
    rows = [
        *_rows(consolidated, by_game, names, lists),
        *_spelling_rows(consolidated, by_game, uses),
    ]
    columns = [name for name in PERSONS.names if name != "Titles"]
    values = zip(*rows, strict=True) if rows else ((),) * len(columns)
    batch = messages.record_batch(PERSONS, dict(zip(columns, values, strict=True)))
    slots.delete_passing()
    return spark.createDataFrame(with_titles(pyarrow.Table.from_batches([batch]), chunks))


def _collected(frame: DataFrame) -> Iterator[tuple[str, Any]]:
    """Yield kind and content of messages to the driver."""
    for row in frame.collect():
        yield row.kind, pickle.loads(row.payload)  # the bytes come from our own workers


# --- names ---------------------------------------------------------------------------------------


def _consolidated(
    chunks: Chunks, listed: NameList, lists: _Lists, slots: Slots
) -> tuple[Consolidated, dict[int, NameUse]]:
    """Look up names in the lists in their parts, and join other names here; also return uses."""
    work = partial(_names, lists.month, chunks.offsets, len(slots))
    sent = messages.send(chunks.frame.select("Rows"), work, slots)
    looked_up = messages.results([sent], partial(_looked_up, lists), slots, _RESULTS)
    uses: dict[int, NameUse] = {}
    identities: dict[int, Identity] = {}
    events: dict[int, list[int]] = {}
    met: set[tuple[int, int]] = set()
    for kind, content in _collected(looked_up):
        if kind == LOOKED_UP:
            uses.update((use.player_id, use) for use in content[0])
            identities.update((identity.player_id, identity) for identity in content[1])
        elif kind == EVENTS:
            for key, players in content:
                for player in players:
                    events.setdefault(player, []).append(key)
        else:
            met.update(content)
    for player, keys in events.items():
        uses[player] = uses[player]._replace(events=frozenset(keys))
    consolidated = Consolidation(listed, encode).run(
        uses.values(),
        met=PlayedPairs(*zip(*sorted(met), strict=True)) if met else (),
        look_up=lambda _, looked_up_uses: [identities[use.player_id] for use in looked_up_uses],
    )
    return consolidated, uses


def _part_of_players(table: pyarrow.Table, month: str | None) -> Part:
    """Return games as a part with the month of the rating list."""
    part = Part(table.select(_READ), CHESS, ids_by_hash=True)
    part.set_list_month(month)
    return part


def _names(
    month: str | None, offsets: Mapping[int, ChunkOffsets], parts: int, batches: Batches
) -> Iterator[Message]:
    """Send facts of names, players of events, and pairs that met to the parts of the names."""
    for games in games_of_batches(offsets, batches):
        part = _part_of_players(games, month)
        played = name_uses.read_games(part.connection, claim_rules(part.connection))
        facts: dict[int, list[name_uses.NameFacts]] = {}
        for row in name_uses.name_facts(played, name_uses.names_with_text(part.connection)):
            facts.setdefault(row.player_id % parts, []).append(row)
        for other, rows in facts.items():
            yield Message(other, NAMES, pickle.dumps(rows))
        rows_of_events = zip(*played.players_of_events(), strict=True)
        events = list(name_uses.limited_events(rows_of_events))
        if events:
            table = pyarrow.Table.from_batches([messages.batch_of_rows(_EVENT_ROWS, events)])
            yield from messages.rows_to_parts(EVENTS, table, numpy.asarray(table["event"]) % parts)
        named = {number for name, number in part.name_ids[-1].items() if name_form(name).surname}
        pairs = [pair for pair in zip(*played.met(), strict=True) if named.issuperset(pair)]
        met = numpy.array(pairs, "<i8").reshape(-1, 2)
        for other, pair in messages.by_part(met[:, 0] % parts, met[:, 0], met[:, 1]):
            yield Message(other, MET, messages.pack(0, *pair))
        part.close()


def _looked_up(lists: _Lists, received: Received) -> Batches:
    """Look up the names of a part; return also events and pairs that can separate names."""
    facts: dict[int, list[name_uses.NameFacts]] = {}
    for payload in received.payloads(NAMES):
        for row in pickle.loads(payload):
            facts.setdefault(row.player_id, []).append(row)
    uses = [name_uses.name_use(name_uses.merged_facts(rows)) for rows in facts.values()]
    identities = Consolidation(lists.listed(), encode).by_list(uses)
    yield _result(LOOKED_UP, (uses, identities))
    events = received.table(EVENTS)
    if events is not None:
        rows = zip(*(events[name].to_pylist() for name in _EVENT_ROWS.names), strict=True)
        yield _result(EVENTS, list(name_uses.events_that_met(sorted(set(rows)))))
    unlisted = {identity.player_id for identity in identities if identity.person is None}
    lower, higher = messages.unpack_all(received.payloads(MET), *_PAIR_TYPES)
    met = zip(lower.tolist(), higher.tolist(), strict=True)
    yield _result(MET, {pair for pair in met if pair[0] in unlisted})


def _result(kind: str, content: object) -> pyarrow.RecordBatch:
    return messages.record_batch(_RESULTS, {"kind": [kind], "payload": [pickle.dumps(content)]})


# --- single games --------------------------------------------------------------------------------


def _by_game(
    chunks: Chunks, consolidated: Consolidated, shared: _SharedNames, slots: Slots
) -> GamePlayers:
    """Find the players of single games that the names do not identify."""
    context = chunks.frame.sparkSession.sparkContext
    work = partial(_sides, shared, chunks.offsets, len(slots))
    sides = messages.send(chunks.frame.select("Rows"), work, slots).persist()
    careers = PlayerCareers(len(consolidated.persons))
    for _, notes in _collected(messages.of_kinds(sides, NOTES).select("kind", "payload")):
        careers.load(notes)
    undecided = [messages.of_kinds(sides, SURE_PLAYERS, OPEN)]
    judged = partial(_judged, shared, context.broadcast(careers.dump()))
    by_game = GamePlayers()
    for frame in (
        messages.of_kinds(sides, DECIDED).select("kind", "payload"),
        messages.results(undecided, judged, slots, _RESULTS),
    ):
        for _, columns in _collected(frame):
            by_game.extend(columns)
    sides.unpersist()
    return by_game


class _SharedNames(NamedTuple):
    """The lists, and the names with identities and unlisted persons, for the workers."""

    lists: _Lists
    names: Broadcast[bytes]

    def judge(self) -> GameJudge:
        uses, identities, new_persons = _unpickled(self.names)
        persons = Persons(self.lists.listed().persons, new_persons)
        return judge_of(uses, Consolidated(persons, identities))


@lru_cache(maxsize=1)
def _unpickled(content: Broadcast[bytes]) -> Any:
    return pickle.loads(content.value)


def _sides(
    shared: _SharedNames, offsets: Mapping[int, ChunkOffsets], parts: int, batches: Batches
) -> Iterator[Message]:
    """Decide sides by names; send evidence for the other sides to the parts of equal moves."""
    judge = shared.judge()
    for table in games_of_batches(offsets, batches):
        part = _part_of_players(table, shared.lists.month)
        judge.set_claims(claim_rules(part.connection))
        with reading_games(part.connection) as games:
            judge.split(games.all_games())
        part.close()
        yield Message(0, DECIDED, pickle.dumps(judge.take_decided()))
        keys, persons, sides = _columns(judge.take_sure(), 3)
        for other, columns in messages.by_part(keys % parts, keys, sides, persons):
            yield Message(
                other, SURE_PLAYERS, messages.pack(0, *map(numpy.ascontiguousarray, columns))
            )
        open_games, keys = _columns(judge.take_open(), 2)
        order = numpy.argsort(open_games)
        ids: Numbers = numpy.asarray(table["ID"])
        rows = numpy.flatnonzero(numpy.isin(ids, open_games))
        indexes = order[numpy.searchsorted(open_games, ids[rows], sorter=order)]
        homes = numpy.where(keys, keys, open_games)[indexes] % parts
        yield from messages.rows_to_parts(
            OPEN, table.select(_READ).take(pyarrow.array(rows)), homes
        )
    yield Message(0, NOTES, pickle.dumps(judge.careers.dump()))


def _columns(rows: bytes, count: int) -> Numbers:
    """Return the columns of rows of int64."""
    return numpy.frombuffer(rows, "<i8").reshape(-1, count).T


def _judged(
    shared: _SharedNames,
    careers: Broadcast[tuple[bytes, bytes, bytes, bytes]],
    received: Received,
) -> Batches:
    """Decide the games of a part by their evidence."""
    table = received.table(OPEN)
    if table is None:
        return
    judge = shared.judge()
    judge.careers.load(careers.value)
    keys, sides, players = messages.unpack_all(received.payloads(SURE_PLAYERS), *_SURE_TYPES)
    judge.add_sure(keys.data, sides.data, players.data)
    part = _part_of_players(table, shared.lists.month)
    judge.set_claims(claim_rules(part.connection))
    with reading_games(part.connection) as games:
        judge.decide(games.all_games(), len(table))
    yield _result(DECIDED, judge.take_decided())
    part.close()


# --- results -------------------------------------------------------------------------------------


def _rows(
    consolidated: Consolidated, by_game: GamePlayers, names: Mapping[int, str], lists: ReadLists
) -> Iterator[tuple[object, ...]]:
    """Yield rows of PERSONS: of names, and of sides of games that evidence decides."""
    ids = person_ids(consolidated, by_game)
    persons = {person_id: _facts(consolidated, number, lists) for number, person_id in ids.items()}
    is_sure: dict[tuple[int, int], bool] = {}
    for row in resolutions(consolidated, by_game, ids):
        sure = is_sure[row.player_id, row.person_id] = row.probability >= SURE_PROBABILITY
        if row.scope == "name":
            name = "name", names[row.player_id], None, None, row.person_id
            reason = row.stage, row.score, row.reason, row.probability, sure
            yield (*name, *persons[row.person_id], *reason)
    nobody = (*[None] * 6, lists.month)
    for game_id, side, player, number, probability in sorted(by_game, key=itemgetter(0, 1)):
        person_id = None if number is None else ids[number]
        facts = nobody if person_id is None else persons[person_id]
        sure = person_id is not None and is_sure[player, person_id]
        reason = "games", probability, None, probability, sure
        yield ("game", names[player], game_id, SIDES[side], person_id, *facts, *reason)


def _facts(consolidated: Consolidated, number: int, lists: ReadLists) -> tuple[object, ...]:
    """Return the columns Person to ListMonth of a person."""
    person = consolidated.persons[number]
    stored = person.name, person.fide_id, person.title or None, person.country or None
    return (*stored, person.birth_year, person.rating, lists.month)


def _spelling_rows(
    consolidated: Consolidated, by_game: GamePlayers, uses: Mapping[int, NameUse]
) -> Iterator[tuple[object, ...]]:
    """Yield rows of PERSONS: spellings of open names, and names of FIDE IDs."""
    ids = person_ids(consolidated, by_game)
    numbers = {person_id: number for number, person_id in ids.items()}
    sure = []
    for row in resolutions(consolidated, by_game, ids):
        if row.probability >= SURE_PROBABILITY:
            person = consolidated.persons[numbers[row.person_id]]
            of_person = row.person_id, person.name, person.fide_id or 0
            sure.append(SureName(row.player_id, *of_person, row.scope))
    sides = Counter[tuple[int, int]]()
    for _, _, player, number, _ in by_game:
        sides[player, 0 if number is None else ids[number]] += 1
    exceptions = Counter[int]()
    for (player, _), count in sides.items():
        exceptions[player] += count
    for player, use in uses.items():
        identity = consolidated.identities.get(player)
        number = identity.person if identity is not None else None
        sides[player, 0 if number is None else ids[number]] += use.games - exceptions[player]
    chosen = choose_spellings(
        {player: use.name for player, use in uses.items() if use.name},
        sure,
        ((*side, count) for side, count in sides.items() if count),
        ((player, *row) for player, use in uses.items() for row in use.fide_ids.items()),
    )
    nothing = [None] * 10
    for player, spelling in chosen.spellings.items():
        yield ("spelling", uses[player].name, None, None, None, spelling, None, *nothing)
    for fide_id, name in chosen.names_of_ids.items():
        yield ("id", None, None, None, None, name, fide_id, *nothing)
