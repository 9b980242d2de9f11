"""Pairs of opponents and players of events, compared with plain sets."""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from pathlib import Path

import pytest

from ocgdedup.pipeline.players import name_uses
from ocgdedup.pipeline.players.persons import PlayedPairs
from ocgdedup.store.database import open_database
from ocgdedup.store.players import pairs_that_met, played_games, players_of_events
from tests.support.databases import Collection
from tests.support.pgn_text import game

NAMES = ("Alpha, A", "Beta, B", "Gamma, C", "?", "Delta, D")
DATES = ("1999.01.02", "1999.??.??", "2001.05.06", "????.??.??", "199")
EVENTS = ("Open", "Match", "?")


@pytest.fixture
def path(tmp_path: Path) -> str:
    games = [
        game("1. e4 e5 *", White=white, Black=black, Date=date, Event=event)
        for number, (white, black, date, event) in enumerate(product(NAMES, NAMES, DATES, EVENTS))
        if number % 7 in (0, 3)
    ]
    return str(Collection(tmp_path, "".join(games)).path)


def test_pairs_that_met(path: str) -> None:
    database = open_database(path)
    games = list(played_games(database.connection))
    expected = {(min(game.players), max(game.players)) for game in games}
    stored = list(pairs_that_met(database.connection))
    assert stored == sorted(expected)
    met = PlayedPairs(stored)
    ids = range(-1, max(max(pair) for pair in expected) + 2)
    assert {pair for pair in product(ids, ids) if pair in met} == expected
    assert "1" not in met
    database.close()


@pytest.mark.parametrize("most", [1, 3, 600])
def test_events_of_players(path: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names that share an event with many others are no evidence."""
    monkeypatch.setattr(name_uses, "_LARGEST_EVENT", most)
    database = open_database(path)
    took_part = defaultdict(set)
    for played in played_games(database.connection):
        if key := name_uses.event_key(played.event, played.year):
            took_part[key].update(played.players)
    expected = defaultdict(set)
    for key, ids in took_part.items():
        for player in ids if len(ids) <= most else ():
            expected[player].add(key)
    actual = name_uses.events_of_players(players_of_events(database.connection))
    assert {player: set(keys) for player, keys in actual.items()} == expected
    assert all(len(keys) == len(set(keys)) for keys in actual.values())
    rows = list(players_of_events(database.connection))
    database.close()
    parts = [list(name_uses.limited_event_rows(rows[start::2])) for start in (0, 1)]
    actual = name_uses.events_of_players(sorted(parts[0] + parts[1]))
    assert {player: set(keys) for player, keys in actual.items()} == expected
    assert most > 1 or sum(map(len, parts)) < len(rows)
