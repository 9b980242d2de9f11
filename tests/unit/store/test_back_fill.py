"""Filled-in fields, and fields not filled in."""

from __future__ import annotations

import json
from collections.abc import Collection

import apsw
import pytest

from ocgdedup.store.players import (
    Filling,
    GamePersons,
    PersonFacts,
    write_players,
)

FILLED = "SELECT ExtraTags, WhiteElo, BlackElo, BackFilled FROM Games ORDER BY ID"
GM = PersonFacts(501, "GM", 2600)
WIM = PersonFacts(502, "WIM", None)


def rows(connection: apsw.Connection, sql: str) -> list[tuple]:
    return connection.execute(sql).fetchall()


def run(
    connection: apsw.Connection,
    persons: dict[str, int],
    facts: dict[int, PersonFacts],
    month: str | None,
    unsure: Collection[str] = (),
) -> dict[str, int]:
    """Set persons by name and fill in fields, as a run of players does."""
    ids = {name: i for i, name in rows(connection, "SELECT ID, Name FROM Players")}
    by_name = {ids[name]: person for name, person in persons.items()}
    keys = {i: name for name, i in ids.items()}
    people = {person: str(person) for person in persons.values()}
    pairs = {(ids[name], persons[name]) for name in unsure}
    who = GamePersons(by_name, (), keys, people)
    return dict(write_players(connection, who, Filling(facts, month, pairs)).filled)


def tags(connection: apsw.Connection) -> list[dict | None]:
    return [text and json.loads(text) for text, *_ in rows(connection, FILLED)]


# --- FIDE IDs ------------------------------------------------------------------------------------


def test_fide_ids_of_both_sides(connection: apsw.Connection, add_games) -> None:
    add_games({}, {"Black": "Gamma"})
    facts = {1: PersonFacts(501, None, None), 2: PersonFacts(502, None, None)}
    counts = run(connection, {"Alpha": 1, "Beta": 2}, facts, None)
    assert counts == {"WhiteFideId": 2, "BlackFideId": 1}
    assert rows(connection, FILLED) == [
        ('{"WhiteFideId":"501","BlackFideId":"502"}', None, None, 3),
        ('{"WhiteFideId":"501"}', None, None, 1),
    ]


def test_the_text_of_other_tags_stays(connection: apsw.Connection, add_games) -> None:
    odd = '{"Opening":"King\\u0027s \\"G\\"\\/","Été":"\\\\","OriginalDate": "1.2.99"}'
    add_games({"ExtraTags": odd})
    run(connection, {"Alpha": 1}, {1: PersonFacts(501, None, None)}, None)
    assert rows(connection, FILLED)[0][0] == odd[:-1] + ',"WhiteFideId":"501"}'


@pytest.mark.parametrize("name", ["WhiteFideId", "WhiteFideID", "whitefideid"])
def test_an_id_that_is_there_stays(connection: apsw.Connection, add_games, name: str) -> None:
    text = f'{{"{name}":"77"}}'
    add_games({"ExtraTags": text})
    assert run(connection, {"Alpha": 1}, {1: PersonFacts(501, None, None)}, None) == {}
    assert rows(connection, FILLED) == [(text, None, None, None)]


def test_without_a_person_nothing_is_filled_in(connection: apsw.Connection, add_games) -> None:
    add_games({"Date": "2020.05.05"})
    assert run(connection, {}, {1: GM}, "2020-05") == {}
    assert run(connection, {"Alpha": 9}, {1: GM}, "2020-05") == {}  # nothing known of this one
    assert rows(connection, FILLED) == [(None, None, None, None)]


# --- titles --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("date", "is_filled"),
    [
        ("2020.04.01", True), ("2020.04.??", True), ("2020.05.09", True), ("2031.01.01", True),
        ("2020.03.31", False), ("2020.??.??", False), ("2021.??.??", False), (None, False),
        ("????.??.??", False), ("1999.12.31", False),
    ],
)  # fmt: skip
def test_titles_from_the_month_before_the_list(
    connection: apsw.Connection, add_games, date: str | None, is_filled: bool
) -> None:
    add_games({"Date": date})
    run(connection, {"Alpha": 1}, {1: PersonFacts(None, "GM", None)}, "2020-05")
    expected = ('{"WhiteTitle":"GM"}', None, None, 4) if is_filled else (None, None, None, None)
    assert rows(connection, FILLED) == [expected]


def test_the_month_before_january(connection: apsw.Connection, add_games) -> None:
    add_games({"Date": "2019.12.31"}, {"Date": "2019.11.30"})
    run(connection, {"Beta": 1}, {1: PersonFacts(None, "GM", None)}, "2020-01")
    assert tags(connection) == [{"BlackTitle": "GM"}, None]


@pytest.mark.parametrize(
    ("known", "date", "is_filled"),
    [
        ("2015.06.09", "2015.06.09", True), ("2015.06.09", "2015.06.08", False),
        ("2015.06.09", "2015.07.??", True), ("2015.06.??", "2015.06.30", False),
        ("2015.06.??", "2015.07.01", True), ("2015.??.??", "2015.12.31", False),
        ("2015.??.??", "2016.??.??", True), ("????.??.??", "2019.01.01", False),
        ("2015.06.09", "????.??.??", False), (None, "2019.01.01", False),
        ("2015.06.09", None, False),
    ],
)  # fmt: skip
@pytest.mark.parametrize("month", [None, "2030-01"])
def test_titles_after_a_game_that_has_it(
    connection: apsw.Connection, add_games, known, date, is_filled: bool, month: str | None
) -> None:
    """Even the latest day that the one game can be of is not after the other's first."""
    add_games(
        {"Black": "Alpha", "White": "Gamma", "Date": known, "ExtraTags": '{"BlackTitle":"GM"}'},
        {"Date": date},
    )
    run(connection, {"Alpha": 1}, {1: PersonFacts(None, "GM", None)}, month)
    assert tags(connection)[1] == ({"WhiteTitle": "GM"} if is_filled else None)


def test_another_title_or_person_proves_nothing(connection: apsw.Connection, add_games) -> None:
    add_games(
        {"Date": "2010.01.01", "ExtraTags": '{"WhiteTitle":"IM"}'},
        {"White": "Gamma", "Date": "2010.01.01", "ExtraTags": '{"WhiteTitle":"GM"}'},
        {"Date": "2015.01.01"},
    )
    run(connection, {"Alpha": 1, "Gamma": 2}, {1: PersonFacts(None, "GM", None)}, None)
    assert tags(connection)[2] is None


def test_the_earliest_game_counts(connection: apsw.Connection, add_games) -> None:
    for date in ("2012.01.01", "2010.01.01", "2014.01.01"):
        add_games({"Date": date, "ExtraTags": '{"WhiteTitle":"GM"}'})
    add_games({"Date": "2011.01.01"})
    run(connection, {"Alpha": 1}, {1: PersonFacts(None, "GM", None)}, None)
    assert tags(connection)[3] == {"WhiteTitle": "GM"}


def test_what_was_filled_in_proves_nothing(connection: apsw.Connection, add_games) -> None:
    add_games({"Date": "2020.05.05"})
    person = {"Alpha": 1}, {1: PersonFacts(None, "GM", None)}
    run(connection, *person, "2020-05")
    add_games({"Date": "2020.06.01"})
    assert run(connection, *person, "2030-01") == {}
    assert tags(connection) == [None, None]


# --- ratings -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("date", "is_filled"),
    [
        ("2020.03.31", False), ("2020.04.01", True), ("2020.05.??", True), ("2020.06.30", True),
        ("2020.07.01", False), ("2020.??.??", False), (None, False),
    ],
)  # fmt: skip
def test_ratings_within_a_month(
    connection: apsw.Connection, add_games, date: str | None, is_filled: bool
) -> None:
    add_games({"Date": date})
    run(connection, {"Beta": 1}, {1: PersonFacts(None, None, 2600)}, "2020-05")
    assert rows(connection, FILLED) == [
        (None, None, 2600, 32) if is_filled else (None, None, None, None)
    ]


@pytest.mark.parametrize(
    "game",
    [
        {"WhiteElo": 2000},
        {"ExtraTags": '{"WhiteElo":"about 2000"}'},  # not a number, but the game's own
    ],
)
def test_a_rating_that_is_there_stays(connection: apsw.Connection, add_games, game: dict) -> None:
    add_games({"Date": "2020.05.05", **game})
    assert run(connection, {"Alpha": 1}, {1: PersonFacts(None, None, 2600)}, "2020-05") == {}


@pytest.mark.parametrize("rating", [None, 0])
def test_no_rating_in_the_list(connection: apsw.Connection, add_games, rating: int | None) -> None:
    add_games({"Date": "2020.05.05", "WhiteElo": 0})
    assert run(connection, {"Alpha": 1}, {1: PersonFacts(None, None, rating)}, "2020-05") == {}


def test_no_month_no_ratings(connection: apsw.Connection, add_games) -> None:
    add_games({"Date": "2020.05.05"})
    assert run(connection, {"Alpha": 1}, {1: GM}, None) == {"WhiteFideId": 1}


# --- a second run --------------------------------------------------------------------------------

BOTH = {"Alpha": 1, "Beta": 2}
FACTS = {1: GM, 2: WIM}


def test_a_second_run_changes_nothing(connection: apsw.Connection, add_games) -> None:
    add_games({"Date": "2020.05.05"}, {"Date": "2020.05.05", "ExtraTags": '{"BlackTitle":"WFM"}'})
    run(connection, BOTH, FACTS, "2020-05")
    before = rows(connection, FILLED)
    assert [row[3] for row in before] == [1 | 2 | 4 | 8 | 16, 1 | 2 | 4 | 16]
    assert run(connection, BOTH, FACTS, "2020-05") == {}
    assert rows(connection, FILLED) == before


GAMES = (
    {"Date": "2020.05.05"},
    {"Date": "2020.05.05", "WhiteElo": 0, "BlackElo": 2100, "ExtraTags": '{"A": "b\\"c"}'},
    {"Date": "1990.05.05", "BlackElo": 0, "ExtraTags": '{"WhiteTitle":"IM","BlackFideId":"4"}'},
    {"White": "Gamma", "ExtraTags": '{"X":",\\"WhiteFideId\\":\\"501\\""}'},
    {"White": "Gamma", "Black": "Gamma"},
)


def test_another_person_gets_his_own(connection: apsw.Connection, add_games) -> None:
    add_games(*GAMES)
    run(connection, BOTH, FACTS, "2020-05")
    facts = {2: WIM, 3: PersonFacts(503, None, 2500)}
    assert run(connection, {"Alpha": 3, "Beta": 2}, facts, "2020-05") == {
        "WhiteFideId": 3, "WhiteElo": 2,
    }  # fmt: skip
    stored = rows(connection, FILLED)
    assert stored[0] == (
        '{"WhiteFideId":"503","BlackFideId":"502","BlackTitle":"WIM"}', 2500, None, 1 | 2 | 8 | 16,
    )  # fmt: skip
    assert stored[1][1:] == (2500, 2100, 1 | 2 | 8 | 16 | 64)


@pytest.mark.parametrize("reason", ["unsure name", "another list", "without its month"])
def test_what_no_longer_follows_is_removed(
    connection: apsw.Connection, add_games, reason: str
) -> None:
    """The result is that of a database without earlier runs."""
    add_games({"Date": "2020.05.05"})
    person = {"Alpha": 1}
    run(connection, person, {1: GM}, "2020-05")
    facts = {1: PersonFacts(501, "IM", 2400) if reason == "another list" else GM}
    month = None if reason == "without its month" else "2020-05"
    run(connection, person, facts, month, unsure={"Alpha"} if reason == "unsure name" else ())
    assert (
        rows(connection, FILLED)
        == {
            "unsure name": [(None, None, None, None)],
            "another list": [('{"WhiteFideId":"501","WhiteTitle":"IM"}', 2400, None, 21)],
            "without its month": [('{"WhiteFideId":"501"}', None, None, 1)],
        }[reason]
    )


def test_a_person_who_is_known_no_more(connection: apsw.Connection, add_games) -> None:
    add_games(*GAMES)
    before = rows(connection, FILLED)
    run(connection, BOTH, FACTS, "2020-05")
    assert run(connection, {}, {}, None) == {}
    assert rows(connection, FILLED) == before
