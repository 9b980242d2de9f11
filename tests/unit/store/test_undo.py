"""Undo of players restores all tables."""

from __future__ import annotations

import apsw
import pytest

from ocgdedup.store.duplicates import Flags, mark_stale, write_flags
from ocgdedup.store.players import (
    Filling,
    GamePersons,
    Person,
    PersonFacts,
    Resolution,
    write_persons,
    write_players,
    write_resolutions,
)
from ocgdedup.store.undo import begin_players_undo, can_undo_players, revert_players

CONTENT = ("Games", "Persons", "Resolutions", "Players")
UNDO_TABLES = ("UndoGames", "UndoPersons", "UndoResolutions")
ALPHA = Person(1, "Alpha, Alfred", 501, "GM", "AUT", 1950)
BETA = Person(2, "Beta, Berta", 502, None, None, None)


def content(connection: apsw.Connection, tables: tuple[str, ...] = CONTENT) -> list[list[tuple]]:
    return [connection.execute(f"SELECT * FROM {name}").fetchall() for name in tables]


def consolidate(connection: apsw.Connection, *persons: Person, month: str | None = None) -> None:
    """Name 1 is person 1, name 2 is person 2, as far as given."""
    begin_players_undo(connection)
    write_persons(connection, persons)
    ids = [person.person_id for person in persons]
    write_resolutions(connection, [Resolution(i, i, "name", "exact", 1.0, None, 1.0) for i in ids])
    keys = {i: f"n{i}" for i in range(1, 9)}
    who = GamePersons({i: i for i in ids}, (), keys, {i: f"p{i}" for i in ids})
    facts = {row.person_id: PersonFacts(row.fide_id, row.title, 2500) for row in persons}
    write_players(connection, who, Filling(facts, month))


@pytest.fixture
def games(connection: apsw.Connection, add_games) -> apsw.Connection:
    add_games({"Date": "2020.05.05"}, {"White": "Beta", "Black": "Gamma", "WhiteElo": 0})
    return connection


def test_nothing_to_undo(games: apsw.Connection) -> None:
    before = content(games)
    assert not can_undo_players(games)
    assert revert_players(games) == 0
    assert content(games) == before


def test_the_first_consolidation(games: apsw.Connection) -> None:
    before = content(games)
    consolidate(games, ALPHA, BETA, month="2020-05")
    assert content(games) != before
    assert can_undo_players(games)
    assert revert_players(games) == 2
    assert content(games) == before
    assert content(games, UNDO_TABLES) == [[], [], []]
    assert not can_undo_players(games)
    assert revert_players(games) == 0
    assert games.execute("SELECT Name FROM Info").fetchall() == [("Highest person ID",)]


def test_only_the_last_one_is_undone(games: apsw.Connection) -> None:
    consolidate(games, ALPHA)
    first = content(games)
    consolidate(games, ALPHA._replace(name="Alpha, A"), BETA, month="2020-05")
    assert content(games) != first
    revert_players(games)
    assert content(games) == first


def test_a_consolidation_that_changes_nothing(games: apsw.Connection) -> None:
    consolidate(games, ALPHA, BETA)
    first = content(games)
    consolidate(games, ALPHA, BETA)
    assert content(games, ("UndoGames",)) == [[]]
    assert can_undo_players(games)
    assert revert_players(games) == 0
    assert content(games) == first


def test_games_that_came_or_went_since(games: apsw.Connection, add_games) -> None:
    consolidate(games, ALPHA, BETA)
    games.execute("DELETE FROM Games WHERE ID = 1")
    add_games({"White": "Gamma"})
    assert revert_players(games) == 1
    assert games.execute("SELECT ID, WhitePersonID, CoreHash FROM Games").fetchall() == [
        (2, None, None), (3, None, None),
    ]  # fmt: skip


def stale(connection: apsw.Connection) -> list[tuple]:
    sql = "SELECT Value FROM Info WHERE Name = 'Duplicates stale'"
    return connection.execute(sql).fetchall()


def test_duplicates_are_stale_after_an_undo(games: apsw.Connection) -> None:
    write_flags(games, {1: Flags(None, 1, None, 0), 2: Flags("exact", 1, None, 0)})
    consolidate(games, ALPHA)
    assert stale(games) == []
    revert_players(games)
    assert stale(games) == [("yes",)]
    write_flags(games, {1: Flags(None, 1, None, 0), 2: Flags("exact", 1, None, 0)})
    assert stale(games) == []


def test_duplicates_never_searched_are_not_stale(games: apsw.Connection) -> None:
    mark_stale(games)
    assert stale(games) == []
