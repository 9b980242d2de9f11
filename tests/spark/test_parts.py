"""Messages between parts give the result of the whole; messages are delivered by the test."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark", reason="the search on Spark needs pyspark")

import numpy
import pyarrow.parquet

from ocgdedup._kernels import search as search_kernel
from ocgdedup._kernels.search import HeaderCounts
from ocgdedup.game_kind import CHESS
from ocgdedup.matching.consensus import NAME_COLUMNS
from ocgdedup.pipeline.search.consensus import Consensus
from ocgdedup.pipeline.search.detect import SearchOptions, find_duplicates
from ocgdedup.pipeline.search.groups import ResolveOptions
from ocgdedup.spark import groups, search
from ocgdedup.spark.chunks import chunk_row, line_keys
from ocgdedup.spark.messages import Message, Received, unpack
from ocgdedup.store.database import open_database
from tests.support.command_line import Command
from tests.support.databases import query
from tests.support.pgn_text import game
from tests.support.played_games import collection_text

PLAN = search.Search(SearchOptions(), CHESS)
LINES = ("1. e4 e5 2. Nf3 Nc6", "1. d4 Nf6 2. c4 e6", "1. e4 e5", "")
Parts = dict[int, Received]


def deliver(*batches: Iterable[Message]) -> Parts:
    delivered: Parts = {}
    for messages in batches:
        for part, kind, payload, first, second in messages:
            received = delivered.setdefault(part, Received(part))
            received.add(kind, None if payload is None else memoryview(payload), first, second)
    return delivered


def work_on(parts: Parts, work: Callable[[Received], Iterable[Message]]) -> list[Message]:
    return [message for part in sorted(parts) for message in work(parts[part])]


def only(messages: Iterable[Message], *kinds: str) -> list[Message]:
    return [message for message in messages if message.kind in kinds]


@pytest.fixture
def table(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pyarrow.Table:
    """Return games with common openings, so that parts share them too."""
    monkeypatch.chdir(tmp_path)
    text = collection_text() + "".join(
        game(f"{LINES[number % 4]} *", White=f"White{number}, A", Black=f"Black{number}, B",
             Date=f"{1900 + number % 90}.0{number % 9 + 1}.03", Event="Open", Round=str(number % 9))
        for number in range(300)
    )  # fmt: skip
    Path("in.pgn").write_text(text, encoding="utf-8")
    assert command("create", "a.db3", "in.pgn", "-q").status == 0
    assert command("export", "a.db3", "--lossless", "-o", "tables", "-q").status == 0
    return pyarrow.parquet.read_table("tables/games.parquet")


def sent(table: pyarrow.Table, parts: int) -> list[Message]:
    """Return the games of a table as messages to a number of parts."""
    keys = sorted(line_keys(table, CHESS))
    cuts = sorted({keys[len(keys) * part // parts] for part in range(1, parts)})
    return list(search._to_parts(PLAN, cuts, {}, [chunk_row(table, CHESS)]))


def facts(table: pyarrow.Table, parts: int) -> tuple[list[Message], list[Message]]:
    facts_found = work_on(deliver(sent(table, parts)), partial(search._facts, PLAN, parts))
    borders = work_on(deliver(only(facts_found, search.BORDER)), partial(search._at_borders, PLAN))
    return facts_found, borders


def whole(table: pyarrow.Table) -> Any:
    part, finder = search._ordered(table, PLAN)
    return part, finder, search._order_of(finder)


@pytest.mark.parametrize("parts", [1, 2, 5, 40])
def test_theory_and_order_are_those_of_the_whole(table: pyarrow.Table, parts: int) -> None:
    _, _, order = whole(table)
    facts_found, borders = facts(table, parts)
    received = deliver(only(facts_found, search.GAMES), only(borders, search.THEORY))
    games = [search.games_of(received[part]) for part in sorted(received)]
    assert [game_id for some in games for game_id in some["ID"].to_pylist()] == order.ids.tolist()
    theory = [plies for some in games for plies in some["Theory"].to_pylist()]
    assert theory == order.theory.tolist()
    assert max(theory) > 3


@pytest.mark.parametrize("parts", [1, 3, 40])
def test_ends_are_those_of_the_whole(table: pyarrow.Table, parts: int) -> None:
    _, _, order = whole(table)
    facts_found, borders = facts(table, parts)
    falls = search.PrefixDropoffs(
        (part << search.PART_BITS | place, plies)
        for message in only(facts_found + borders, search.DROPOFFS)
        for part, (places, shared) in [unpack(memoryview(message.payload), "<i8", "<i8")]
        for place, plies in zip(places.tolist(), shared.tolist(), strict=True)
    )
    starts, at = {}, 0
    received = deliver(only(facts_found, search.GAMES))
    for part in sorted(received):
        starts[part] = at
        at += received[part].table(search.GAMES).num_rows
    expected = dict(zip(range(at), order.ends.tolist(), strict=True))
    seen = {}
    for message in facts_found:
        if message.kind.startswith(search.KEYS):
            source = message.kind.removeprefix(f"{search.KEYS}-")
            columns = search._keys_in(memoryview(message.payload), falls, source)
            for place, end in zip(
                columns["indexes"].tolist(), columns["ends"].tolist(), strict=True
            ):
                seen[whole_place(place, starts, at)] = whole_place(end, starts, at)
    assert len(seen) > 300
    assert seen == {place: expected[place] for place in seen}


def whole_place(place: int, starts: dict[int, int], games: int) -> int:
    part = place >> search.PART_BITS
    return games if part not in starts else starts[part] + (place & (1 << search.PART_BITS) - 1)


def test_counts_are_those_of_all_games(table: pyarrow.Table) -> None:
    parts = 3
    facts_found, _ = facts(table, parts)
    received = deliver(only(facts_found, search.GAMES))
    resolution = groups.Resolution(PLAN, ResolveOptions())
    for part, some in received.items():  # every second game has a component of its own
        count = some.table(search.GAMES).num_rows
        first = part << search.PART_BITS
        some.links = [(first + place, first + place) for place in range(0, count, 2)]
    out = work_on(received, partial(groups._to_components, resolution, parts))
    answers = deliver(work_on(deliver(out, only(facts_found, search.EVENTS)), groups._counts))
    plain = {
        kind: Counter(name or "" for column in columns for name in table[column].to_pylist())
        for kind, columns in enumerate((["Event"], ["Site"], ["White", "Black"]))
    }
    asked: defaultdict[int, set[tuple[int, str]]] = defaultdict(set)
    for home, some in deliver(only(out, search.GAMES)).items():
        own = some.table(search.GAMES)
        for column, kind in NAME_COLUMNS:
            asked[home] |= {(kind, name or "") for name in own[column].to_pylist()}
    for home, names in asked.items():
        rows = answers[home].table(groups.RECORDS).to_pylist()
        counts = {(row["kind"], row["name"]): row["number"] for row in rows}
        assert counts == {(kind, name): plain[kind][name] for kind, name in names}
    part, finder, _ = whole(table)
    search.end_search(finder, search.EdgeList())
    expected = search_kernel.event_rows(HeaderCounts(finder))
    names, sites = part.names[:2]
    all_rows = {
        (names[event], source, sites[number] if source is None else None,
         0 if source is None else round_number, 0 if source is None else number): games
        for event, source, round_number, number, games in expected
    }  # fmt: skip
    for home in asked:
        events = {name for kind, name in asked[home] if kind == 0}
        rows = answers[home].table(search.EVENTS).to_pylist()
        counts = {tuple(row.values())[:-1]: row["games"] for row in rows}
        assert counts == {key: games for key, games in all_rows.items() if key[0] in events}


def test_given_counts_decide_as_counted_ones(table: pyarrow.Table) -> None:
    """With the counts of all games, a part decides on names and days as the whole collection."""
    database = open_database("a.db3")
    result = find_duplicates(database.connection, SearchOptions())
    counted = Consensus(database.connection, result)
    counted.collect_events(result.groups)
    ids = result.groups.ids[:60].tolist()
    some = table.filter(numpy.isin(numpy.asarray(table["ID"]), ids))
    part, finder, _ = whole(some)
    search.end_search(finder, search.EdgeList())
    given = HeaderCounts(finder)
    every, everything, _ = whole(table)
    search.end_search(everything, search.EdgeList())
    names = dict(query("a.db3", "SELECT ID, Name FROM Players"))
    counts = Counter(
        names[player]
        for row in query("a.db3", "SELECT WhiteID, BlackID FROM Games")
        for player in row
    )
    records = [(2, number, counts[name]) for name, number in part.name_ids[2].items()]
    events = part.name_ids[0]
    rows = [
        row._replace(event_id=events[every.names[0][row.event_id]])
        for row in search_kernel.event_rows(HeaderCounts(everything))
        if every.names[0][row.event_id] in events and row.source is not None
    ]
    search_kernel.give_counts(given, records, rows)
    known = [name for name in part.name_ids[2] if name][:12]
    for name in known:
        for other in known:
            ours = given.frequency_rank(2, part.name_ids[2][name], part.name_ids[2][other])
            assert ours == counted.frequency_rank(2, name, other)
    for game_id in ids:
        event, *_ = given.round_of(game_id)
        event_there, *_ = counted.counts.round_of(game_id)
        days = counted.counts.days_of(event_there)
        assert not days or sorted(given.days_of(event)) == sorted(days)
    database.close()
