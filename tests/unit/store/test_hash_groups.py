"""Games by the keys of the six methods."""

from __future__ import annotations

import apsw
import pytest

from ocgdedup.errors import UsageError
from ocgdedup.store.games import build_hash_indexes
from ocgdedup.store.search_reader import METHODS, keyed_games
from tests.support.databases import DROP_VIEWS

KEYS = {"MoveHash": 1, "FinalZobrist": 2, "PositionsKey": 3, "SampledKey": 4, "PlyCount": 9}


def game(**columns: object) -> dict[str, object]:
    return {**KEYS, "Moves2": b"moves", **columns}


def keys(connection: apsw.Connection, method: str, min_plies: int = 1) -> list[tuple]:
    return [result.key for result in keyed_games(connection, method, min_plies)]


@pytest.mark.parametrize(
    ("method", "key"),
    [
        ("last-position", (2,)),
        ("last-position+length", (2, 9)),
        ("all-positions", (3,)),
        ("every-5", (4, 2)),
        ("moves", (1,)),
        ("moves+players", (1, -1, -2)),
    ],
)
def test_each_method_has_its_key(connection, add_games, method: str, key: tuple) -> None:
    add_games(game(FEN="start", Moves2=b"ab"), game(), game(**dict.fromkeys(KEYS, 77)))
    assert [*keyed_games(connection, method, 1)] == [
        (key, 1, 0, "start", b"ab"), (key, 2, 0, None, b"moves"),
    ]  # fmt: skip


def test_all_methods_are_tested() -> None:
    assert METHODS == (
        "last-position", "last-position+length", "all-positions", "every-5", "moves",
        "moves+players",
    )  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
def test_a_game_without_keys_is_left_out(connection, add_games, method: str) -> None:
    keyless = {**game(), **dict.fromkeys(("MoveHash", "FinalZobrist", "PositionsKey"))}
    add_games({**keyless, "SampledKey": None}, {**keyless, "SampledKey": None})
    assert keys(connection, method) == []


def test_games_of_one_key_come_together(connection, add_games) -> None:
    add_games(*(game(FinalZobrist=number % 3 - 1, PlyCount=number % 2) for number in range(12)))
    assert keys(connection, "last-position", 0) == [(-1,)] * 4 + [(0,)] * 4 + [(1,)] * 4
    result = keys(connection, "last-position+length", 0)
    assert result == sorted(result)
    assert len(set(result)) == 6


def test_shorter_games_are_left_out(connection, add_games) -> None:
    add_games(game(PlyCount=19), game(PlyCount=20), game(PlyCount=21))
    assert keys(connection, "last-position+length", 20) == [(2, 20), (2, 21)]


def test_players_are_persons_where_they_are_known(connection, add_games) -> None:
    for number in (1, 2):
        connection.execute("INSERT INTO Persons (ID, Name) VALUES (?, 'x')", (number,))
    add_games(
        game(White="Alpha", WhitePersonID=1),
        game(White="Alfa", WhitePersonID=1),
        game(White="Alfa", WhitePersonID=2),
        game(White="Gamma"),
        game(White="Gamma"),
    )
    assert sorted(white for _, white, _ in keys(connection, "moves+players")) == [
        -4, -4, 1, 1, 2
    ]  # fmt: skip


def test_without_columns_of_persons(connection, add_games) -> None:
    """A database of version 1 has none."""
    add_games(game(), game(White="Gamma"), game())
    connection.execute(DROP_VIEWS)
    for side in ("White", "Black"):
        connection.execute(f"ALTER TABLE Games DROP COLUMN {side}PersonID")
    assert keys(connection, "moves+players") == [(1, -3, -2), (1, -1, -2), (1, -1, -2)]


def test_blobs_are_read_in_the_order_of_the_index(connection, add_games) -> None:
    add_games(*(game(FinalZobrist=number % 50) for number in range(100)))
    build_hash_indexes(connection)
    seen: list[str] = []
    connection.trace_v2(apsw.SQLITE_TRACE_STMT, lambda event: seen.append(event["sql"]))
    keys(connection, "last-position")
    connection.trace_v2(0, None)
    (sql,) = [sql for sql in seen if "Moves2" in sql]
    plan = "\n".join(row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", (1,)))
    assert "USING INDEX GamesFinalZobrist" in plan
    assert "TEMP B-TREE" not in plan


def test_unknown_method(connection) -> None:
    with pytest.raises(UsageError, match=r"^last: unknown key; known are last-position, "):
        keys(connection, "last")


def test_a_database_without_hash_columns() -> None:
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE TABLE Games (ID INTEGER PRIMARY KEY, PlyCount, FEN, Moves2)")
    with pytest.raises(UsageError, match="has no column SampledKey yet; 'ocgdedup dedup --up"):
        keys(connection, "every-5")
