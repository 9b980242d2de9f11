"""Games that are deleted, restored and purged."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from ocgdedup.store import deleted_games as store
from ocgdedup.store.duplicates import Flags, are_stale, stored_flags, write_flags
from ocgdedup.store.games import build_note_indexes, next_id
from ocgdedup.store.history import transaction
from ocgdedup.store.merges import Merge, merged_ids, write_merges
from ocgdedup.store.names import write_info
from tests.support.command_line import Command
from tests.support.pgn_text import game

NOTES = ("Comments", "Annotations", "Faults")


@pytest.fixture
def games(connection: apsw.Connection, add_games) -> apsw.Connection:
    add_games(*[{"Round": str(n), "Moves2": bytes(9), "ExtraTags": "{}"} for n in range(1, 6)])
    for game_id in (2, 3, 5):
        values = f"({game_id}, 0, 'text {game_id}', 0)"
        connection.execute(f"INSERT INTO Comments (GameID, Ply, Comment, Position) VALUES {values}")
        values = f"({game_id}, 0, 1, 4)"
        connection.execute(f"INSERT INTO Annotations (GameID, Ply, Position, NAG) VALUES {values}")
        values = f"({game_id}, 7, 1, 'odd', 'rest')"
        connection.execute(f"INSERT INTO Faults (GameID, Line, Ply, Reason, Rest) VALUES {values}")
    build_note_indexes(connection)
    write_info(connection)
    return connection


def rows(connection: apsw.Connection, sql: str) -> list[tuple]:
    return connection.execute(sql).fetchall()


def content(connection: apsw.Connection) -> list[list[tuple]]:
    tables = ("Games", "RemovedGames", "DuplicateFlags", "Info", *NOTES)
    return [rows(connection, f"SELECT * FROM {table} ORDER BY 1") for table in tables]


def count(connection: apsw.Connection, name: str) -> str:
    return dict(rows(connection, "SELECT * FROM Info"))[name]


def test_games_are_moved(games: apsw.Connection) -> None:
    before = rows(games, "SELECT * FROM Games WHERE ID IN (2, 5)")
    assert store.remove_games(games, [5, 2, 4711]) == 2
    assert rows(games, "SELECT ID FROM Games") == [(1,), (3,), (4,)]
    names = [name for (name,) in rows(games, "SELECT name FROM pragma_table_info('Games')")]
    assert rows(games, f"SELECT {', '.join(names)} FROM RemovedGames") == before
    assert len(rows(games, "SELECT RemovedAt FROM RemovedGames")[0][0]) == len(
        "2020-01-02T03:04:05Z"
    )
    assert store.deleted_ids(games) == [2, 5]
    assert count(games, "GameCount") == "3"
    assert count(games, "CommentCount") == "3"  # they stay in their table
    assert [len(rows(games, f"SELECT * FROM {table}")) for table in NOTES] == [3, 3, 3]


def test_numbers_are_not_given_again(games: apsw.Connection, add_games) -> None:
    store.remove_games(games, [5])
    assert next_id(games, "Games") == 6
    add_games({})
    assert rows(games, "SELECT max(ID) FROM Games") == [(6,)]


@pytest.mark.parametrize("ids", [None, [5, 2], [2, 5, 3, 4711]])
def test_all_are_restored(games: apsw.Connection, ids: list[int] | None) -> None:
    before = content(games)
    store.remove_games(games, [2, 5])
    assert store.restore_games(games, ids) == 2
    assert content(games) == before


def test_some_are_restored(games: apsw.Connection) -> None:
    store.remove_games(games, [2, 3, 5])
    assert store.restore_games(games, [3]) == 1
    assert store.deleted_ids(games) == [2, 5]
    assert rows(games, "SELECT ID FROM Games") == [(1,), (3,), (4,)]
    assert count(games, "GameCount") == "3"


def test_nothing_to_restore(games: apsw.Connection) -> None:
    before = content(games)
    assert store.restore_games(games, None) == 0
    assert store.restore_games(games, [1]) == 0
    assert store.remove_games(games, []) == 0
    assert content(games) == before


def test_flags_come_back_and_are_stale(games: apsw.Connection) -> None:
    flags = {1: Flags(None, 1, None, 9), 2: Flags("exact", 1, None, 5)}
    write_flags(games, flags)
    store.remove_games(games, [2])
    assert set(stored_flags(games)) == {1}
    assert not are_stale(games)
    store.restore_games(games, None)
    assert stored_flags(games) == flags
    assert are_stale(games)


def test_what_was_merged_is_taken_back_first(games: apsw.Connection) -> None:
    before = rows(games, "SELECT * FROM Games")
    write_merges(games, [Merge(2, {"Round": "9"}), Merge(3, {"Round": "9"})])
    store.remove_games(games, [2])
    assert merged_ids(games) == [3]
    store.restore_games(games, None)
    assert rows(games, "SELECT * FROM Games WHERE ID = 2") == before[1:2]


def test_columns_that_only_ocgdb_makes(games: apsw.Connection) -> None:
    """Its option moves adds a column between the others."""
    for name in ("Moves", 'odd "name"'):
        quoted = name.replace('"', '""')
        games.execute(f'ALTER TABLE Games ADD COLUMN "{quoted}" TEXT')
    games.execute('UPDATE Games SET Moves = \'e4 \' || ID, "odd ""name""" = \'007\'')
    before = rows(games, "SELECT * FROM Games")
    store.remove_games(games, [1, 2])
    store.remove_games(games, [3])
    store.restore_games(games, None)
    assert rows(games, "SELECT * FROM Games") == before


def make_master(games: apsw.Connection, game_id: int) -> None:
    """Flag all removed games as duplicates of one game."""
    games.execute("INSERT INTO DuplicateFlags (GameID, DuplicateGroup) VALUES (?1, ?1)", (game_id,))
    flag_removed(games, game_id)


def flag_removed(games: apsw.Connection, group: int) -> None:
    games.execute(
        "INSERT OR REPLACE INTO DuplicateFlags (GameID, DuplicateGroup) "
        "SELECT ID, ? FROM RemovedGames",
        (group,),
    )


def test_purge(games: apsw.Connection) -> None:
    kept = [rows(games, f"SELECT * FROM {table} WHERE GameID = 5") for table in NOTES[:2]]
    faults = rows(games, "SELECT * FROM Faults")
    store.remove_games(games, [1, 2, 3])
    assert store.purge(games) == 0  # of nobody that is known: not to be dropped
    flag_removed(games, 777)
    assert store.purge(games) == 0
    make_master(games, 4)
    assert store.purge(games) == 3
    assert store.deleted_ids(games) == []
    assert store.restore_games(games, None) == 0
    assert [rows(games, f"SELECT * FROM {table}") for table in NOTES[:2]] == kept
    assert rows(games, "SELECT * FROM Faults") == faults  # the backup does not have these
    assert (count(games, "GameCount"), count(games, "CommentCount")) == ("2", "1")
    assert rows(games, "SELECT * FROM DuplicateFlags") == []
    assert store.purge(games) == 0


def test_vacuum_shrinks_the_file(games: apsw.Connection, add_games) -> None:
    add_games(*[{"ExtraTags": f'{{"Opening":"{"x" * 1000}"}}'} for _ in range(500)])
    path = Path(games.filename)
    before = path.stat().st_size
    with transaction(games):
        store.remove_games(games, range(6, 506))
        make_master(games, 4)
        assert store.purge(games) == 500
    rest = content(games)
    store.vacuum(games)
    assert path.stat().st_size < before - 400_000
    assert content(games) == rest
    assert rows(games, "PRAGMA integrity_check") == [("ok",)]


def test_commands_pass_over_removed_games(command: Command, tmp_path: Path) -> None:
    path, more = tmp_path / "b.db3", tmp_path / "more.pgn"
    more.write_text(game("{One} 1. e4 *") + game("{Two} 1. d4 *") + game("{Three} 1. Ke2 *"))
    assert command("create", path, more, "-q").status == 1  # a game is cut at a fault
    connection = apsw.Connection(str(path))
    with transaction(connection):
        store.remove_games(connection, [1, 3])
    connection.close()
    exported = command("export", path, "-o", "-").out
    assert (exported.count("[Event "), exported.count("{")) == (1, 1)
    assert "{Two} 1. d4 *" in exported
    assert command("create", path, more, "--append", "--again", "-q").status == 1
    connection = apsw.Connection(str(path))
    assert rows(connection, "SELECT ID FROM Games") == [(2,), (4,), (5,), (6,)]
    assert (count(connection, "GameCount"), count(connection, "CommentCount")) == ("4", "6")
    assert store.restore_games(connection, None) == 2
    connection.close()
    assert command("export", path, "-o", "-").out.count("{One} 1. e4 *") == 2


def test_a_database_without_removed_games(games: apsw.Connection) -> None:
    games.execute("DROP TABLE RemovedGames")  # as in an older version
    assert store.deleted_ids(games) == []
