"""Flags of duplicates, and rows of Info about the search."""

from __future__ import annotations

import gzip
from pathlib import Path

import apsw
import pytest

from ocgdedup.store import duplicates as store
from ocgdedup.store.database import open_database
from ocgdedup.store.duplicates import Flags
from ocgdedup.store.migrations import migrate
from tests.support.databases import Silent

FLAGS = (
    "SELECT ID, DuplicateStatus, DuplicateGroup, DuplicateReason, HeaderScore FROM FlaggedGames "
    "WHERE DuplicateGroup IS NOT NULL ORDER BY ID"
)
GROUPS = {
    4: Flags("exact", 2, None, 40),
    2: Flags(None, 2, None, 90),
    5: Flags("subsumption", 2, "partial", 0),
}


@pytest.fixture
def games(connection: apsw.Connection, add_games) -> apsw.Connection:
    add_games(*[{} for _ in range(6)])
    return connection


def rows(connection: apsw.Connection, sql: str) -> list[tuple]:
    return connection.execute(sql).fetchall()


def state(connection: apsw.Connection) -> set[str]:
    return {name for (name,) in rows(connection, "SELECT Name FROM Info")}


def test_a_database_without_a_search(games: apsw.Connection) -> None:
    assert store.stored_flags(games) == {}
    assert not store.has_flags(games)
    store.mark_stale(games)
    assert not store.are_stale(games)
    assert state(games) == set()


def test_flags_come_back(games: apsw.Connection) -> None:
    assert store.write_flags(games, GROUPS) == [2, 4, 5]
    assert rows(games, FLAGS) == [
        (2, None, 2, None, 90), (4, "exact", 2, None, 40), (5, "subsumption", 2, "partial", 0),
    ]  # fmt: skip
    assert store.stored_flags(games) == GROUPS
    assert store.has_flags(games)
    assert state(games) == {"Duplicates flagged"}


def test_only_changes_are_written(games: apsw.Connection) -> None:
    store.write_flags(games, GROUPS)
    games.execute("CREATE TABLE Written (ID INTEGER, Kind TEXT)")
    for kind, row in (("INSERT", "new"), ("UPDATE", "old"), ("DELETE", "old")):
        games.execute(
            f"CREATE TRIGGER Writing{kind} AFTER {kind} ON DuplicateFlags "
            f"BEGIN INSERT INTO Written VALUES ({row}.GameID, '{kind}'); END"
        )
    assert store.write_flags(games, GROUPS) == []
    assert rows(games, "SELECT * FROM Written") == []
    expected = {
        6: Flags("exact", 2, None, 10),  # new
        5: GROUPS[5]._replace(reason=None),
        2: GROUPS[2],
    }  # and 4 is no copy any more
    assert store.write_flags(games, expected) == [4, 5, 6]
    assert rows(games, "SELECT * FROM Written ORDER BY ID") == [
        (4, "DELETE"), (5, "UPDATE"), (6, "INSERT"),
    ]  # fmt: skip
    assert store.stored_flags(games) == expected
    assert rows(games, "SELECT HeaderScore, DuplicateReason FROM FlaggedGames WHERE ID = 4") == [
        (None, None)
    ]


@pytest.mark.parametrize(
    "changed", [{"status": "join"}, {"group": 3}, {"reason": "colours swapped"}, {"score": 41}]
)
def test_each_field_is_a_change(games: apsw.Connection, changed: dict) -> None:
    store.write_flags(games, GROUPS)
    expected = {**GROUPS, 4: GROUPS[4]._replace(**changed)}
    assert store.write_flags(games, expected) == [4]
    assert store.stored_flags(games) == expected


def test_flags_of_another_program_are_replaced(games: apsw.Connection) -> None:
    games.execute("INSERT INTO DuplicateFlags VALUES (3, 'odd', 77, NULL, NULL)")
    assert store.write_flags(games, GROUPS) == [2, 3, 4, 5]
    assert store.stored_flags(games) == GROUPS


def test_flagged_games_are_found_by_an_index(games: apsw.Connection) -> None:
    indexes = "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name IN ({})"
    indexes = indexes.format("'Games', 'RemovedGames', 'DuplicateFlags'")
    assert rows(games, indexes) == []
    store.write_flags(games, {})
    assert rows(games, indexes) == [("DuplicateFlagsGroup",)]
    plan = rows(games, "EXPLAIN QUERY PLAN SELECT ID FROM FlaggedGames WHERE DuplicateGroup = 2")
    assert "DuplicateFlagsGroup" in plan[0][-1]


def test_a_search_clears_the_stale_mark(games: apsw.Connection) -> None:
    store.write_flags(games, GROUPS)
    store.mark_stale(games)
    assert store.are_stale(games)
    assert store.stored_flags(games) == GROUPS
    store.write_flags(games, GROUPS)
    assert not store.are_stale(games)


def test_counts(connection: apsw.Connection) -> None:
    connection.execute("INSERT INTO Info VALUES ('GameCount', '7'), ('EventCount', '2')")
    store.change_count(connection, "GameCount", 4)
    store.change_count(connection, "EventCount", -2)
    store.change_count(connection, "SiteCount", 1)  # not there: nobody counted
    assert rows(connection, "SELECT * FROM Info ORDER BY Name") == [
        ("EventCount", "0"), ("GameCount", "11"),
    ]  # fmt: skip


@pytest.mark.parametrize("version", [1, 2])
def test_an_older_database(tmp_path: Path, version: int) -> None:
    """It can be read unchanged; after the migration all flags are written again."""
    packed = Path(__file__).parents[2] / "schema" / f"version-{version}.db3.gz"
    path = tmp_path / "old.db3"
    path.write_bytes(gzip.decompress(packed.read_bytes()))
    database = open_database(str(path), writable=True)
    flags = {1: Flags(None, 1, None, 0), 2: Flags("exact", 1, None, 0)}
    assert store.stored_flags(database.connection) == flags
    assert not store.are_stale(database.connection)
    migrate(database, Silent())
    assert store.stored_flags(database.connection) == flags
    assert store.are_stale(database.connection)
    assert store.write_flags(database.connection, flags) == [1, 2]  # they had no scores
    database.close()
