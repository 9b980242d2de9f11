"""Players of games on Spark: the rows of resolve_players(), and games with resolved players.

A game with resolved players has PERSON_COLUMNS and back-filled FIDE IDs, titles and Elos.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy
import pyarrow
import pyarrow.compute
from pyspark.sql import DataFrame

from ocgdedup.game_kind import CHESS
from ocgdedup.matching.names.name_form import name_key
from ocgdedup.model import Person as NamedPerson
from ocgdedup.pipeline.players.persons import person_key, person_row
from ocgdedup.spark.chunks import SCHEMA as CHUNKS
from ocgdedup.spark.chunks import Chunks, games_of_batches, in_batches
from ocgdedup.spark.messages import Batches, map_batches, record_batch, schema_of, to_bytes
from ocgdedup.spark.part import (
    FILLED_COLUMNS,
    GAMES_SCHEMA,
    PERSON_COLUMNS,
    SIDES,
    Part,
    in_order_of_ids,
)
from ocgdedup.spark.stages import Stages
from ocgdedup.store import canonical_names
from ocgdedup.store import players as store

if TYPE_CHECKING:
    from pyspark.core.broadcast import Broadcast

# `Scope`: "name" for all games of a name, "game" for one side of a game; "spelling": `Person` is
# how an open name is written, "id": beside which name a FIDE ID. `PersonID`: NULL if the player of
# the side is unknown. `IsSure`: probable enough for the
# back-fill. `Titles`: of the person, with the date of the first game with each.
PERSONS = schema_of(
    "Scope string, Name string, GameID int64, Side string, PersonID int64, Person string, "
    "FideID int64, Title string, Country string, BirthYear int32, Rating int32, ListMonth string, "
    " Stage string, Score float64, Reason string, Probability float64, "
    "IsSure bool, Titles",
    Titles=pyarrow.list_(pyarrow.struct(list(schema_of("Title string, Since string")))),
)
NAMED_SCHEMA = pyarrow.schema([*GAMES_SCHEMA, *((name, "int64") for name in PERSON_COLUMNS[:2])])
_FOUND = schema_of("titles binary")
_GAMES_AT_ONCE = 20_000


class Players:
    """Rows of PERSONS, indexed for lookups in workers."""

    def __init__(self, table: pyarrow.Table) -> None:
        self.titles: dict[tuple[int, str], str] = {}  # of first_titles(), of all games
        self._month: str | None = None
        self._persons: dict[int, NamedPerson] = {}
        self._spellings: dict[str, str] = {}
        self._names_of_ids: dict[int, str] = {}
        self._names: dict[str, list[store.Resolution]] = {}  # without the ID of the player
        self._by_name: dict[str, int] = {}
        self._unsure: set[tuple[str, int]] = set()
        self._facts: dict[int, store.PersonFacts] = {}
        sides: list[tuple[int, int, int]] = []
        for row in table.sort_by([("Scope", "descending")]).to_pylist():  # names first
            self._add(row, sides)
        ordered = numpy.array(sorted(sides), "<i8").reshape(-1, 3)
        self._games, self._sides, self._of_sides = ordered.T.copy()

    def _add(self, row: Mapping[str, Any], sides: list[tuple[int, int, int]]) -> None:
        name, person_id = row["Name"] or "", row["PersonID"]
        if row["Scope"] == "spelling":
            self._spellings[name] = row["Person"]
            return
        if row["Scope"] == "id":
            self._names_of_ids[row["FideID"]] = row["Person"]
            return
        self._month = row["ListMonth"]
        if person_id is not None:
            if not row["IsSure"]:
                self._unsure.add((name, person_id))
            facts = ("Person", "FideID", "Title", "Country", "BirthYear")
            person, fide_id, title, country, born = (row[column] for column in facts)
            named = NamedPerson(
                person, fide_id, title or "", country or "", born, rating=row["Rating"]
            )
            self._persons[person_id] = named
            for titled in row["Titles"] or ():
                self.titles[person_id, titled["Title"]] = titled["Since"]
            self._facts[person_id] = store.PersonFacts(fide_id, title, row["Rating"])
        if row["Scope"] == "name":
            self._by_name[name] = person_id
        else:
            sides.append((row["GameID"], SIDES.index(row["Side"]), person_id or 0))
        if person_id is None or (row["Scope"] == "game" and self._by_name.get(name) == person_id):
            return
        rows = self._names.setdefault(name, [])
        same = [index for index, stored in enumerate(rows) if stored.person_id == person_id]
        if not same:
            values = row["Scope"], row["Stage"], row["Score"], row["Reason"], row["Probability"]
            rows.append(store.Resolution(0, person_id, *values))
        elif row["Probability"] < rows[same[0]].probability:
            rows[same[0]] = rows[same[0]]._replace(probability=row["Probability"])

    def write_to(self, part: Part, *, is_filling: bool = False) -> None:
        """Write the persons of the games of a part, and fill the games in."""
        ids = part.name_ids[-1]
        by_name = {number: self._by_name.get(name) for name, number in ids.items()}
        rows = numpy.flatnonzero(numpy.isin(self._games, part.ids))
        columns = (column[rows].tolist() for column in (self._games, self._sides, self._of_sides))
        by_game = [
            (game_id, side, person or None) for game_id, side, person in zip(*columns, strict=True)
        ]
        persons = (*by_name.values(), *(person for _, _, person in by_game))
        playing = {person for person in persons if person is not None}
        self._write_persons(part, playing)
        keys = {person: person_key(self._persons[person]) for person in playing}
        of_names = {number: name_key(name) for name, number in ids.items()}
        filling = store.NO_FILLING
        if is_filling:
            unsure = {(ids[name], person_id) for name, person_id in self._unsure if name in ids}
            filling = store.Filling(self._facts, self._month, unsure, self.titles)
        who = store.GamePersons(by_name, by_game, of_names, keys)
        store.write_players(part.connection, who, filling)

    def _write_persons(self, part: Part, playing: Iterable[int]) -> None:
        ordered = sorted(playing)
        rows = (person_row(person, self._persons[person]) for person in ordered)
        store.write_persons(part.connection, rows)

    def write_names(self, part: Part) -> None:
        """Write the persons of names, for a GameWriter that writes canonical names."""
        rows = [
            row._replace(player_id=number)
            for name, number in part.name_ids[-1].items()
            for row in self._names.get(name, ())
        ]
        playing = {row.person_id for row in rows}
        self._write_persons(part, playing)
        store.write_resolutions(part.connection, rows)
        spellings = {
            number: self._spellings[name]
            for name, number in part.name_ids[-1].items()
            if name in self._spellings
        }
        canonical_names.write_open_names(part.connection, spellings)
        canonical_names.write_names_of_ids(part.connection, self._names_of_ids)
        part.set_list_month(self._month)

    def fide_id(self, person_id: int | None) -> int | None:
        return None if person_id is None else self._persons[person_id].fide_id


PersonsBroadcast: TypeAlias = "Broadcast[pyarrow.Table]"  # rows of PERSONS


def broadcast_persons(persons: DataFrame) -> PersonsBroadcast:
    """Send rows of PERSONS to all workers."""
    table = persons.select(*PERSONS.names).toArrow().cast(PERSONS)
    return persons.sparkSession.sparkContext.broadcast(table)


@lru_cache(maxsize=1)
def players_of(broadcast: PersonsBroadcast) -> Players:
    """Return the indexed rows, built once in each process of a worker."""
    return Players(broadcast.value)


def with_titles(table: pyarrow.Table, chunks: Chunks) -> pyarrow.Table:
    """Return rows of PERSONS with Titles, and the date of the first game with each title."""
    broadcast = chunks.frame.sparkSession.sparkContext.broadcast(table)
    offsets = chunks.offsets

    def found(batches: Batches) -> Batches:
        for games in games_of_batches(offsets, batches):
            yield record_batch(_FOUND, {"titles": [pickle.dumps(_first_titles(games, broadcast))]})

    first: dict[tuple[int, str], str] = {}
    for row in map_batches(chunks.frame.select("Rows"), found, _FOUND).collect():
        for key, day in pickle.loads(row.titles).items():  # the bytes come from our own workers
            first[key] = min(day, first.get(key, day))
    broadcast.unpersist()
    by_person: dict[int, list[dict[str, str]]] = {}
    for (person, title), day in sorted(first.items()):
        by_person.setdefault(person, []).append({"Title": title, "Since": day})
    titles = [by_person.get(person) for person in table["PersonID"].to_pylist()]
    field = PERSONS.field("Titles")
    column = pyarrow.array(titles, field.type)
    return table.set_column(PERSONS.names.index(field.name), field, column)


def _first_titles(games: pyarrow.Table, broadcast: PersonsBroadcast) -> dict[tuple[int, str], str]:
    has_title = pyarrow.compute.match_substring(games["ExtraTags"], 'Title"')
    part = Part(games.select(FILLED_COLUMNS).filter(has_title), CHESS)
    players_of(broadcast).write_to(part)
    titles = store.first_titles(part.connection)
    part.close()
    return titles


class NamedGames(NamedTuple):
    """Games with resolved players, and the persons of names."""

    chunks: Chunks
    persons: PersonsBroadcast


def with_players(chunks: Chunks, broadcast: PersonsBroadcast, stages: Stages) -> Chunks:
    """Return chunks of games with resolved players."""
    offsets = chunks.offsets

    def named(batches: Batches) -> Batches:
        for batch in batches:
            for row, table in enumerate(games_of_batches(offsets, [batch])):
                values = {name: [batch[name][row].as_py()] for name in ("Chunk", "Games", "Sample")}
                yield record_batch(
                    CHUNKS, {**values, "Rows": [to_bytes(_with_players(table, broadcast))]}
                )

    frame = stages.stage(
        "named", lambda folder: map_batches(chunks.frame, named, CHUNKS, folder), CHUNKS
    )
    return Chunks(frame, chunks.summaries, {}, CHESS)


def rows_with_players(games: DataFrame, broadcast: PersonsBroadcast) -> DataFrame:
    """Return numbered games with resolved players."""

    def named(batches: Batches) -> Batches:
        for table in in_batches(batches, _GAMES_AT_ONCE):
            rows = _with_players(table, broadcast).select(NAMED_SCHEMA.names)
            yield from rows.cast(NAMED_SCHEMA).to_batches()

    return map_batches(games.select(*GAMES_SCHEMA.names), named, NAMED_SCHEMA)


def _with_players(table: pyarrow.Table, broadcast: PersonsBroadcast) -> pyarrow.Table:
    """Return games with PERSON_COLUMNS and back-filled values."""
    players = players_of(broadcast)
    table = in_order_of_ids(table)
    part = Part(table.select(FILLED_COLUMNS), CHESS)
    players.write_to(part, is_filling=True)
    columns = part.filled_columns()
    part.close()
    for side in SIDES:
        fide_ids = map(players.fide_id, columns[f"{side}PersonID"].to_pylist())
        columns[f"{side}PersonFideID"] = pyarrow.array(fide_ids, pyarrow.int64())
    for name in ("ExtraTags", "WhiteElo", "BlackElo"):
        table = table.set_column(table.column_names.index(name), name, columns[name])
    for name in PERSON_COLUMNS:
        table = table.append_column(name, columns[name])
    return table
