"""Pairs of opponents and players of events, compared with plain sets."""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from pathlib import Path

import pytest

from ocgdedup.pipeline.players import name_uses
from ocgdedup.pipeline.players.game_claims import claim_rules
from ocgdedup.pipeline.players.persons import PlayedPairs
from ocgdedup.store.database import open_database
from tests.reference.played_games import event_key, played_games
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
    lower, higher = name_uses.read_games(
        database.connection, claim_rules(database.connection)
    ).met()
    assert list(zip(lower, higher, strict=True)) == sorted(expected)
    met = PlayedPairs(lower, higher)
    ids = range(-1, max(max(pair) for pair in expected) + 2)
    assert {pair for pair in product(ids, ids) if pair in met} == expected
    assert "1" not in met
    database.close()


@pytest.mark.parametrize("most", [1, 3, 600])
def test_events_of_players(path: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names that share an event with many others are no evidence."""
    monkeypatch.setattr(name_uses, "LARGEST_EVENT", most)
    database = open_database(path)
    took_part = defaultdict(set)
    for played in played_games(database.connection):
        if key := event_key(played.event, played.year):
            took_part[key].update(played.players)
    expected = defaultdict(set)
    for key, ids in took_part.items():
        for player in ids if len(ids) <= most else ():
            expected[player].add(key)
    games = name_uses.read_games(database.connection, claim_rules(database.connection))
    database.close()
    actual = {player: games.events_of(player) for player in games.names()}
    assert {player: set(keys) for player, keys in actual.items() if keys} == expected
    assert all(len(keys) == len(set(keys)) for keys in actual.values())
    rows = list(zip(*games.players_of_events(), strict=True))
    assert rows == sorted({(key, player) for key, ids in took_part.items() for player in ids})
    parts = [list(name_uses.limited_events(rows[start::2])) for start in (0, 1)]
    merged = dict(name_uses.events_that_met(sorted(parts[0] + parts[1])))
    assert merged == {key: sorted(ids) for key, ids in took_part.items() if len(ids) <= most}
    assert most > 1 or sum(map(len, parts)) < len(rows)
