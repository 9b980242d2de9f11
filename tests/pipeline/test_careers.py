"""Compact careers and sets of numbers give the same answers as plain dicts and sets."""

from __future__ import annotations

import random

import pytest

from ocgdedup.pipeline.players import careers
from ocgdedup.pipeline.players.by_game import (
    CareerNotes,
    GamePlayers,
    SurePlayers,
    event_key,
)
from ocgdedup.pipeline.players.careers import Careers, Numbering, NumberSet
from ocgdedup.store.players import PlayedGame

NUMBERS = (-(2**63), -257, -1, 0, 1, 255, 256, 2**31, 2**32 + 1, 2**63 - 1)
PERSONS, IDS, EVENTS, SOURCES = 600, (0, 1, 2, 300, 2**31, 2**40), (0, 1, 2, 3, 258), (0, 1, 2)


@pytest.fixture(params=[1, 3, 1024], autouse=True)
def fewest(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sort added numbers at any time."""
    monkeypatch.setattr(careers, "_FEWEST", request.param)
    monkeypatch.setattr(careers, "_FEWEST", request.param)


def drawn_game(draw: random.Random, number: int) -> PlayedGame:
    return PlayedGame(
        number,
        (draw.choice(IDS), draw.choice(IDS)),
        draw.choice((0, 1, 1990, 1992, 1993, 1996, 9999)),
        draw.choice(EVENTS),
        0,
        (draw.choice((0, 2400, 2401, 2555)), draw.choice((0, 2100, 3000))),
        (0, 0),
        ("", ""),
        ("", ""),
        draw.choice(SOURCES),
    )


@pytest.mark.parametrize("seed", range(3))
def test_careers_answer_as_those_of_single_persons(seed: int) -> None:
    draw = random.Random(seed)
    careers = Careers(PERSONS)
    notes: dict[int, CareerNotes] = {}
    for number in range(300):
        game, side = drawn_game(draw, number), draw.choice((0, 1))
        person = draw.choice((0, 1, 2, 257, PERSONS - 1))
        careers.add(person, game, side, event_key(game.event, game.year))
        notes.setdefault(person, CareerNotes()).add(game, side)
    careers.sort()
    for person in range(PERSONS):
        own = careers.get(person)
        assert (own is None) == (person not in notes)
        if own is None:
            continue
        expected = notes[person].career()
        assert (own.first_year, own.last_year) == (expected.first_year, expected.last_year)
        for opponent in (*IDS, 7, 2**41, -1):
            assert own.has_met(opponent) == expected.has_met(opponent)
        for year in (*range(1987, 2000), 0, 1, 2, 9999):
            assert own.elos_near(year) == sorted_by_year(notes[person], year)
            assert sorted(own.elos_near(year)) == sorted(expected.elos_near(year))
            for event in EVENTS:
                if key := event_key(event, year):
                    for source in (*SOURCES, 9):
                        answer = own.is_of_another_source(key, source)
                        assert answer is expected.is_of_another_source(key, source)


def sorted_by_year(notes: CareerNotes, year: int) -> list[float]:
    near = sorted(
        year_and_elo for year_and_elo in notes.elos.items() if abs(year_and_elo[0] - year) <= 2
    )
    return [total / count for _, (total, count) in near]


@pytest.mark.parametrize("bits", [0, 33])
def test_a_set_of_numbers(bits: int) -> None:
    draw = random.Random(bits)
    numbers = [draw.choice(NUMBERS) for _ in range(40)]
    numbers += [draw.randrange(2**40) for _ in range(4000)]
    result = NumberSet(bits)
    for number in numbers:
        result.add(number)
    result.sort()
    assert len(result) == len(set(numbers))
    assert all(number in result for number in numbers)
    assert sorted(result.index(number) for number in set(numbers)) == list(range(len(result)))
    others = {number + 1 for number in numbers if number < 2**62} - set(numbers)
    assert not any(number in result for number in others)
    assert {result.index(number) for number in others} == {None}


def test_a_set_that_was_given_nothing() -> None:
    assert 5 not in NumberSet()
    assert NumberSet().index(5) is None
    assert not NumberSet()


def test_small_numbers_for_large_ones() -> None:
    number_of = Numbering()
    numbers = [*NUMBERS, 2**31 - 1, *NUMBERS]
    given = {number: number_of(number) for number in numbers}
    assert [number_of(number) for number in numbers] == [given[number] for number in numbers]
    assert len(set(given.values())) == len(given)
    assert all(0 <= number < 2**32 for number in given.values())


def test_sure_players_of_the_same_moves() -> None:
    draw = random.Random(1)
    keys = NumberSet()
    for key in NUMBERS[:-2]:
        keys.add(key)
    keys.sort()
    sure = SurePlayers(keys)
    expected: dict[tuple[int, int], set[int]] = {}
    for _ in range(200):
        row = draw.choice(NUMBERS), draw.choice((0, 1)), draw.choice((0, 1, 400_000, 2**31))
        sure.add(*row)
        expected.setdefault(row[:2], set()).add(row[2])
    sure.sort()
    for key in NUMBERS:
        for side in (0, 1):
            target = expected[key, side] if key in NUMBERS[:-2] else set()
            assert sure.get(key, side) == target


def test_players_of_games() -> None:
    result = GamePlayers()
    rows = [(-3, 1, 7, None, 0.0), (4, 0, 7, 0, 0.5), (4, 1, 8, 5, 1.0), (2**62, 1, 9, 5, 0.97)]
    for game_id, side, player, person, probability in rows:
        result.add(game_id, side, player, (person, probability))
    assert list(result) == rows
    assert len(result) == len(rows)
