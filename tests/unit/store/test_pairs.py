"""SQL of pairs: duplicates with kept games, possible duplicates, games to show."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from ocgdedup.store.database import open_database
from ocgdedup.store.duplicates import (
    GameRow,
    PairSide,
    StoredPair,
    build_flag_index,
    game_row,
    group_ids,
    stored_pairs,
    unknown_ids,
)
from ocgdedup.store.possible_duplicates import PossiblePair, possible_duplicate
from tests.support.databases import DROP_VIEWS


def in_group(group: int | None, status: str | None = None, **columns: object) -> dict:
    return {"DuplicateGroup": group, "DuplicateStatus": status, **columns}


def ids(connection: apsw.Connection) -> list[tuple[int, int]]:
    return [(pair.kept.game_id, pair.game.game_id) for pair in stored_pairs(connection)]


def add_suspect(connection: apsw.Connection, *values: object) -> None:
    connection.execute("INSERT INTO Suspects VALUES (?, ?, ?, ?, ?, ?, NULL, NULL)", values)


def opened(path: str) -> apsw.Connection:
    """Open as commands do, which read older versions and files of OCGDB like current ones."""
    return open_database(path).connection


def make_version_2(connection: apsw.Connection) -> None:
    """Remove the additions of version 3 that concern pairs; flags go back to Games."""
    connection.execute(f"{DROP_VIEWS} ALTER TABLE Games DROP COLUMN HeaderOptimized")
    for column in ("DuplicateStatus TEXT", "DuplicateGroup INTEGER"):
        connection.execute(f"ALTER TABLE Games ADD COLUMN {column}")
    connection.execute(
        "UPDATE Games SET DuplicateStatus = Flags.DuplicateStatus, "
        "DuplicateGroup = Flags.DuplicateGroup FROM DuplicateFlags AS Flags WHERE GameID = ID"
    )
    for table in ("Suspects", "RemovedGames", "DuplicateFlags"):
        connection.execute(f"DROP TABLE {table}")
    connection.pragma("user_version", 2)


@pytest.fixture
def games(connection: apsw.Connection, add_games) -> apsw.Connection:
    """Two groups whose kept games are not first, and a single game."""
    add_games(
        in_group(3, "exact"),
        in_group(4, "join", DuplicateReason="partial", Moves2=b"ab"),
        in_group(3, HeaderScore=61),
        in_group(4, White="Gamma", PlyCount=9, HeaderScore=40),
        in_group(3, "subsumption"),
        in_group(None),
    )
    return connection


def test_a_database_without_a_search(connection: apsw.Connection, add_games) -> None:
    add_games({}, {})
    assert ids(connection) == []


def test_copies_come_by_group(games: apsw.Connection) -> None:
    assert ids(games) == [(3, 1), (3, 5), (4, 2)]


def test_all_fields_of_a_copy(games: apsw.Connection) -> None:
    games.execute("INSERT INTO Events VALUES (5, 'Open')")
    games.execute(
        "UPDATE Games SET EventID = 5, Date = '1999.01.02', Round = '3', Result = '1-0', "
        "PlyCount = 8, FEN = 'start', HasComments = 1, HasVariations = 0 WHERE ID = 2"
    )
    games.execute("UPDATE DuplicateFlags SET HeaderScore = 7 WHERE GameID = 2")
    *_, pair = stored_pairs(games)
    game = PairSide(
        2, "Alpha", "Beta", "Open", "1999.01.02", "3", "1-0", 8, "start", b"ab", 7, 1, 0
    )
    master = PairSide(4, "Gamma", "Beta", *[None] * 4, 9, None, None, 40, None, None)
    assert pair == StoredPair("join", 4, "partial", "join", None, None, None, None, game, master)


def test_suspects_come_last(games: apsw.Connection) -> None:
    add_suspect(games, 5, 6, "join", 0.5, "same date", None)
    add_suspect(games, 1, 6, "exact", 0.75, "", "different")
    add_suspect(games, 1, 4, "exact", 0.75, "", None)
    assert ids(games) == [(3, 1), (3, 5), (4, 2), (1, 4), (1, 6), (5, 6)]
    *_, pair = stored_pairs(games)
    assert pair[:7] == ("suspect", None, None, "join", 0.5, "same date", None)


def test_a_suspect_that_was_deleted_is_left_out(games: apsw.Connection) -> None:
    add_suspect(games, 5, 6, "join", 0.5, "", None)
    games.execute("DELETE FROM Games WHERE ID = 6")
    assert ids(games) == [(3, 1), (3, 5), (4, 2)]


def test_version_2(games: apsw.Connection) -> None:
    path = games.filename
    make_version_2(games)
    games.close()
    games = opened(path)
    pairs = [*stored_pairs(games)]
    assert ids(games) == [(3, 1), (3, 5), (4, 2)]
    assert [(pair.status, pair.reason) for pair in pairs] == [
        ("exact", None), ("subsumption", None), ("join", None)
    ]  # fmt: skip
    assert pairs[2].kept.white == "Gamma"
    assert possible_duplicate(games, 1, 2) is None
    assert game_row(games, 2)[15:18] == ("join", 4, None)


def test_a_file_of_ocgdb(tmp_path: Path) -> None:
    path = str(tmp_path / "o.db3")
    connection = apsw.Connection(path)
    for table in ("Events", "Sites", "Players"):
        connection.execute(f"CREATE TABLE {table} (ID INTEGER PRIMARY KEY, Name TEXT)")
    connection.execute(
        "CREATE TABLE Games (ID INTEGER PRIMARY KEY, EventID, SiteID, WhiteID, BlackID, Date, "
        "Round, Result, WhiteElo, BlackElo, TimeControl, ECO, PlyCount, FEN, Moves2)"
    )
    connection.execute("INSERT INTO Players VALUES (7, 'Alpha')")
    connection.execute("INSERT INTO Games (ID, WhiteID, Moves2) VALUES (1, 7, x'00')")
    connection.execute("CREATE TABLE Info (Name, Value)")
    connection.close()
    connection = opened(path)
    assert ids(connection) == []
    assert group_ids(connection, 1) == []
    assert possible_duplicate(connection, 1, 1) is None
    row = game_row(connection, 1)
    assert (row.white, row.moves, row.is_deleted) == ("Alpha", b"\0", 0)
    assert (row.status, row.source, row.has_comments) == (None, None, None)


def test_copies_are_not_sorted_if_there_is_the_index(games: apsw.Connection) -> None:
    build_flag_index(games)
    seen: list[str] = []
    games.trace_v2(apsw.SQLITE_TRACE_STMT, lambda event: seen.append(event["sql"]))
    assert len(ids(games)) == 3
    games.trace_v2(0, None)
    (sql,) = [sql for sql in seen if "ORDER BY Flags.DuplicateGroup" in sql]
    plan = "\n".join(row[3] for row in games.execute(f"EXPLAIN QUERY PLAN {sql}"))
    assert "DuplicateFlagsGroup" in plan
    assert "TEMP B-TREE" not in plan


# --- single games ---------------------------------------------------------------------------------


def test_all_fields_of_a_game(connection: apsw.Connection, add_games) -> None:
    connection.execute("INSERT INTO Events VALUES (5, 'Open')")
    connection.execute("INSERT INTO Sites VALUES (6, 'Linz')")
    connection.execute("INSERT INTO Sources (ID, Name) VALUES (2, 'in.pgn')")
    add_games({
        "EventID": 5, "SiteID": 6, "Date": "1999.01.02", "Round": "3", "Result": "1-0",
        "WhiteElo": 2500, "BlackElo": 2600, "TimeControl": "40/7200", "ECO": "C60", "FEN": "f",
        "ExtraTags": "{}", "Moves2": b"ab", "HasComments": 1, "HasVariations": 0,
        "HeaderOptimized": 1, "SourceID": 2, "SourceNumber": 12,
        **in_group(9, "exact", DuplicateReason="colours swapped"),
    })  # fmt: skip
    assert game_row(connection, 1) == GameRow(
        1, "Open", "Linz", "1999.01.02", "3", "Alpha", "Beta", "1-0", 2500, 2600, "40/7200", "C60",
        "f", "{}", b"ab", "exact", 9, "colours swapped", 1, 0, "in.pgn", 12, 0, 1, None, 0,
    )  # fmt: skip
    assert game_row(connection, 2) is None


def remove(connection: apsw.Connection, game_id: int) -> None:
    connection.execute(
        "INSERT INTO RemovedGames (ID, WhiteID, Moves2, RemovedAt) "
        "SELECT ID, WhiteID, Moves2, '' FROM Games WHERE ID = ?",
        (game_id,),
    )
    connection.execute("DELETE FROM Games WHERE ID = ?", (game_id,))


def test_a_deleted_game_can_still_be_shown(games: apsw.Connection) -> None:
    remove(games, 2)
    row = game_row(games, 2)
    assert (row.game_id, row.white, row.group, row.is_deleted) == (2, "Alpha", 4, 1)
    assert unknown_ids(games, [1, 2, 3]) == []
    assert ids(games) == [(3, 1), (3, 5)]


def test_unknown_ids(games: apsw.Connection) -> None:
    assert unknown_ids(games, [7, 1, -1, 7, 2**62]) == [-1, 7, 2**62]
    assert unknown_ids(games, []) == []


@pytest.mark.parametrize("member", [1, 3, 5])
def test_a_group_has_its_master_first(games: apsw.Connection, member: int) -> None:
    assert group_ids(games, member) == [3, 1, 5]


@pytest.mark.parametrize("other", [6, 99])
def test_no_group(games: apsw.Connection, other: int) -> None:
    assert group_ids(games, other) == []


def test_state_of_two_games_in_any_order(games: apsw.Connection) -> None:
    add_suspect(games, 1, 6, "exact", 0.75, "same date", "same")
    expected = PossiblePair(1, 6, "exact", 0.75, "same date", "same")
    assert possible_duplicate(games, 1, 6) == possible_duplicate(games, 6, 1) == expected
    assert possible_duplicate(games, 1, 5) is None
