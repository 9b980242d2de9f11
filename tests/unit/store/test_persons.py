"""Names, persons, and who played each game."""

from __future__ import annotations

import hashlib

import apsw
import pytest

from ocgdedup.store import players as store
from ocgdedup.store.games import core_hash
from ocgdedup.store.players import GamePersons, Person, Resolution

STATE = "SELECT ID, WhitePersonID, BlackPersonID, CoreHash FROM Games ORDER BY ID"


def rows(connection: apsw.Connection, sql: str) -> list[tuple]:
    return connection.execute(sql).fetchall()


@pytest.mark.parametrize(
    ("white", "black", "expected"),
    [
        ("alpha", "beta", -8786246440433461643),
        ("beta", "alpha", -1628749062700474217),
        ("", "", -1753017881126367248),
    ],
)
def test_core_hash(white: str, black: str, expected: int) -> None:
    assert core_hash(white, black) == expected


def test_core_hash_is_of_utf_8() -> None:
    digest = hashlib.sha256("đorđević:таль".encode()).digest()
    unsigned = int(digest.hex()[:16], 16)
    assert core_hash("đorđević", "таль") % 2**64 == unsigned


def test_distinct_names(connection: apsw.Connection, add_games) -> None:
    add_games(
        {"White": "Delta", "Black": "alpha"}, {"White": "Beta", "Black": "Delta"},
        {"White": "Delta", "Black": ""},
    )  # fmt: skip
    connection.execute("INSERT INTO Players (Name) VALUES ('Without games')")
    names = list(store.distinct_names(connection))
    assert [(name, games) for _, name, games in names] == [
        ("", 1), ("Beta", 1), ("Delta", 3), ("alpha", 1),
    ]  # fmt: skip
    assert {(i, n) for i, n, _ in names} <= set(rows(connection, "SELECT ID, Name FROM Players"))


def test_persons_and_resolutions_are_replaced(connection: apsw.Connection) -> None:
    persons = [
        Person(2, "Polgar, Judit", 700070, "GM", "HUN", 1976),
        Person(9, "Nobody", None, None, None, None),
    ]
    resolutions = [
        Resolution(1, 2, "name", "exact", 1.0, "same name", 1.0),
        Resolution(1, 9, "game", "phonetic", None, None, 0.9),
    ]
    for _ in range(2):
        store.write_persons(connection, iter(persons))
        store.write_resolutions(connection, iter(reversed(resolutions)))
        assert list(store.stored_persons(connection)) == persons
        assert list(store.stored_resolutions(connection)) == resolutions
    store.write_persons(connection, [])
    store.write_resolutions(connection, [])
    assert list(store.stored_persons(connection)) == []
    assert list(store.stored_resolutions(connection)) == []


def names_of(connection: apsw.Connection) -> dict[str, int]:
    return {name: i for i, name in rows(connection, "SELECT ID, Name FROM Players")}


def who(connection: apsw.Connection, **others: object) -> GamePersons:
    """Alpha is person 10, Beta and Gamma are unresolved."""
    ids = names_of(connection)
    given = GamePersons(
        {ids["Alpha"]: 10, ids["Beta"]: None},
        (),
        {i: name.lower() for name, i in ids.items() if name != "Alpha"},
        {10: "p10", 11: "p11"},
    )
    return given._replace(**others)


THREE = ({"Black": "Gamma"}, {}, {"White": "Beta", "Black": "Alpha"})


def test_games_get_their_persons(connection: apsw.Connection, add_games) -> None:
    add_games(*THREE)
    assert store.write_players(connection, who(connection)).changed == 3
    assert rows(connection, STATE) == [
        (1, 10, None, core_hash("p10", "gamma")),
        (2, 10, None, core_hash("p10", "beta")),
        (3, None, 10, core_hash("beta", "p10")),
    ]


def test_exceptions_of_single_games(connection: apsw.Connection, add_games) -> None:
    add_games(*THREE)
    ids = names_of(connection)
    keys = {i: name.lower() for name, i in ids.items()}
    by_game = [(1, 1, 11), (2, 0, 11), (3, 1, None)]
    store.write_players(connection, who(connection, by_game=by_game, key_of_name=keys))
    assert rows(connection, STATE) == [
        (1, 10, 11, core_hash("p10", "p11")),
        (2, 11, None, core_hash("p11", "beta")),
        (3, None, None, core_hash("beta", "alpha")),
    ]


def test_only_changes_are_written(connection: apsw.Connection, add_games) -> None:
    add_games(*THREE)
    store.write_players(connection, who(connection))
    before = connection.total_changes()
    assert store.write_players(connection, who(connection)).changed == 0
    assert connection.total_changes() == before
    assert store.write_players(connection, who(connection, by_game=[(2, 1, 11)])).changed == 1


def test_a_name_without_a_key_is_an_error(connection: apsw.Connection, add_games) -> None:
    add_games({})
    with pytest.raises(KeyError):
        store.write_players(connection, who(connection, key_of_name={}))


def test_games_without_a_player(connection: apsw.Connection, add_games) -> None:
    add_games({})
    connection.execute("UPDATE Games SET WhiteID = NULL")
    store.write_players(connection, who(connection))
    assert rows(connection, STATE) == [(1, None, None, core_hash("", "beta"))]


def test_no_game_is_left_out(connection: apsw.Connection, add_games) -> None:
    """Of several blocks of the kernel."""
    add_games({})
    connection.execute(
        "WITH RECURSIVE N(I) AS (VALUES (2) UNION ALL SELECT I + 1 FROM N WHERE I < 9000) "
        "INSERT INTO Games (ID, WhiteID, BlackID) SELECT I * 7, WhiteID, BlackID FROM N, Games"
    )
    assert store.write_players(connection, who(connection)).changed == 9000
    same = f"SELECT count(*) FROM Games WHERE CoreHash = {core_hash('p10', 'beta')}"
    assert rows(connection, same) == [(9000,)]


def test_the_index_is_built_once(connection: apsw.Connection) -> None:
    store.build_person_indexes(connection)
    store.build_person_indexes(connection)
    stored = rows(
        connection, "SELECT name FROM sqlite_master WHERE type = 'index' AND sql NOT NULL"
    )
    assert stored == [("GamesCoreHash",)]
