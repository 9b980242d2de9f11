"""Original headers, merges into kept games, and their undo."""

from __future__ import annotations

import gzip
from pathlib import Path

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocgdedup.game_columns import MERGED_COLUMNS
from ocgdedup.model import GameHeader
from ocgdedup.store import merges as store
from ocgdedup.store.connection import schema_sql
from ocgdedup.store.database import open_database
from ocgdedup.store.merges import Merge
from ocgdedup.store.names import insert_empty_name, write_info

FULL = {
    "EventID": 2, "SiteID": 2, "Date": "1999.01.02", "Round": "3", "WhiteID": 2, "WhiteElo": 2500,
    "BlackID": 3, "BlackElo": 2400, "Result": "1-0", "TimeControl": "5400+30", "ECO": "C33",
    "DateQuality": 33, "ExtraTags": '{"Été":"\\"x\\""}', "WhitePersonID": 5,
    "BlackPersonID": 6, "CoreHash": -(2**63), "BackFilled": 5, "HasComments": 1,
    "HasVariations": 0, "PlyCount": 80, "Moves2": b"\x01\x02",
}  # fmt: skip
EMPTY = {"EventID": 1, "SiteID": 1, "WhiteID": 1, "BlackID": 1, "Date": "????.??.??",
         "Result": "*", "PlyCount": 0, "HasComments": 0, "HasVariations": 1}  # fmt: skip
HEADERS = [
    GameHeader(
        1, "Open", "Graz", "1999.01.02", "3", "Alpha", "Beta", 2500, 2400, "1-0", "5400+30",
        "C33", 33, '{"Été":"\\"x\\""}', 5, 6, -(2**63), 80, True, False, 77, None,
    ),
    GameHeader(2, None, None, "????.??.??", None, None, None, None, None, "*", None, None, None,
               None, None, None, None, 0, False, True, None, None),
    GameHeader(3, *[None] * 16, 0, False, False, None, None),
]  # fmt: skip


def fill(connection: apsw.Connection) -> apsw.Connection:
    for table in ("Events", "Sites", "Players"):
        insert_empty_name(connection, table)
    connection.execute("INSERT INTO Events VALUES (2, 'Open')")
    connection.execute("INSERT INTO Sites VALUES (2, 'Graz')")
    connection.execute("INSERT INTO Players (ID, Name) VALUES (2, 'Alpha'), (3, 'Beta')")
    connection.execute("INSERT INTO Persons (ID, Name, FideID) VALUES (5, 'A', 77), (6, 'B', NULL)")
    for row in (FULL, EMPTY, {}):
        names, marks = ", ".join(row), ", ".join("?" * len(row))
        sql = (
            f"INSERT INTO Games ({names}) VALUES ({marks})"
            if row
            else "INSERT INTO Games (ID) VALUES (3)"
        )
        connection.execute(sql, tuple(row.values()))
    write_info(connection)
    return connection


@pytest.fixture
def games(connection: apsw.Connection) -> apsw.Connection:
    return fill(connection)


def rows(connection: apsw.Connection, sql: str) -> list[tuple]:
    return connection.execute(sql).fetchall()


def content(connection: apsw.Connection) -> list[list[tuple]]:
    tables = ("Games", "UnmergedHeaders", "MergedTags", "MergedNotes", "Comments", "Annotations")
    return [rows(connection, f"SELECT * FROM {table}") for table in tables]


def row(connection: apsw.Connection, game_id: int) -> dict[str, object]:
    names = (*MERGED_COLUMNS, "HeaderOptimized")
    sql = f"SELECT {', '.join(names)} FROM Games WHERE ID = {game_id}"
    return dict(zip(names, rows(connection, sql)[0], strict=True))


# --- reading -------------------------------------------------------------------------------------


def test_headers_are_read(games: apsw.Connection) -> None:
    assert store.read_headers(games, [1, 2, 3]) == HEADERS


def test_headers_come_in_the_order_of_the_ids(games: apsw.Connection) -> None:
    assert store.read_headers(games, [3, 1]) == [HEADERS[2], HEADERS[0]]
    assert store.read_headers(games, []) == []


def test_many_headers(games: apsw.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "RANGE_GAMES", 2)
    assert store.read_headers(games, [3, 2, 1]) == HEADERS[::-1]


def test_a_game_that_is_not_there(games: apsw.Connection) -> None:
    with pytest.raises(KeyError):
        store.read_headers(games, [1, 4711])


@pytest.mark.parametrize("version", [1, 2])
def test_headers_of_an_older_database(tmp_path: Path, version: int) -> None:
    packed = Path(__file__).parents[2] / "schema" / f"version-{version}.db3.gz"
    path = tmp_path / "old.db3"
    path.write_bytes(gzip.decompress(packed.read_bytes()))
    database = open_database(str(path))
    first, third = store.read_headers(database.connection, [1, 3])
    assert first[:8] == (
        1, "Candidates, Round Robin", "London", "1883.05.??", "1", "Anderssen, Adolf",
        "Kieseritzky, Lionel", None,
    )  # fmt: skip
    assert (first.plies, first.has_comments, first.has_variations) == (9, True, True)
    assert (third.white, third.white_elo, third.time_control) == ("Müller, Jörg", 2310, "5400+30")
    assert third.white_fide_id == (None if version == 1 else 900002)
    database.close()


# --- merging -------------------------------------------------------------------------------------

MERGE = Merge(
    2,
    {"White": "Gamma", "Black": "Beta", "Event": "Open", "Site": "", "WhiteElo": 2300,
     "ExtraTags": '{"A":"b"}', "WhitePersonID": 5, "CoreHash": 7, "Result": "1-0"},
    [
        ("White", "?", "Gamma", 9, "missing"),
        ("Result", "*", "1-0", 1, "majority"),
        ("Event", None, "Open", None, None),
    ],
)  # fmt: skip


def test_a_merge_changes_what_it_names(games: apsw.Connection) -> None:
    before = row(games, 2)
    others = row(games, 1), row(games, 3)
    store.write_merges(games, [MERGE])
    assert row(games, 2) == before | {
        "WhiteID": 4, "BlackID": 3, "EventID": 2, "SiteID": 1, "WhiteElo": 2300,
        "ExtraTags": '{"A":"b"}', "WhitePersonID": 5, "CoreHash": 7, "Result": "1-0",
        "HeaderOptimized": 1,
    }  # fmt: skip
    assert others == (row(games, 1), row(games, 3))
    assert list(store.merged_tags(games)) == [
        (2, "Event", None, "Open", None, None),
        (2, "Result", "*", "1-0", 1, "majority"),
        (2, "White", "?", "Gamma", 9, "missing"),
    ]
    names = ", ".join(MERGED_COLUMNS)
    saved = dict(
        zip(MERGED_COLUMNS, rows(games, f"SELECT {names} FROM UnmergedHeaders")[0], strict=True)
    )
    assert saved | {"HeaderOptimized": None} == before
    assert store.merged_ids(games) == [2]


def test_new_names_are_entered_once_and_counted(games: apsw.Connection) -> None:
    store.write_merges(
        games,
        [
            Merge(1, {"White": "New", "Event": "New", "Black": "Alpha"}),
            Merge(2, {"Black": "New", "Event": "Newer", "Site": "New"}),
        ],
    )
    assert rows(games, "SELECT Name FROM Players ORDER BY ID") == [
        ("",), ("Alpha",), ("Beta",), ("New",),
    ]  # fmt: skip
    assert row(games, 1)["WhiteID"] == row(games, 2)["BlackID"] == 4
    assert rows(games, "SELECT Name FROM Events ORDER BY ID")[2:] == [("New",), ("Newer",)]
    info = dict(rows(games, "SELECT * FROM Info"))
    assert [info[f"{table}Count"] for table in ("Player", "Event", "Site")] == ["4", "4", "3"]


@pytest.mark.parametrize("name", [None, "", "?"])
def test_the_empty_name(games: apsw.Connection, name: str | None) -> None:
    store.write_merges(games, [Merge(1, {"White": name, "Event": name})])
    assert (row(games, 1)["WhiteID"], row(games, 1)["EventID"]) == (1, 1)


def test_a_value_may_become_null(games: apsw.Connection) -> None:
    store.write_merges(games, [Merge(1, {"WhitePersonID": None, "ExtraTags": None})])
    assert row(games, 1)["WhitePersonID"] is row(games, 1)["ExtraTags"] is None


@pytest.mark.parametrize("column", ["PlyCount", "ID", "Nonsense", "HeaderOptimized"])
def test_other_columns_are_refused(games: apsw.Connection, column: str) -> None:
    with pytest.raises(ValueError, match=column):
        store.write_merges(games, [Merge(1, {column: 1})])


@pytest.mark.parametrize("games_merged", [[1, 4711], [1, 1]])
def test_games_that_cannot_be_merged(games: apsw.Connection, games_merged: list[int]) -> None:
    with pytest.raises(ValueError, match="not there, or comes twice"):
        store.write_merges(games, [Merge(game_id, {"Round": "1"}) for game_id in games_merged])


def test_headers_are_read_as_before_a_merge(games: apsw.Connection) -> None:
    store.write_merges(games, [MERGE])
    assert store.read_headers(games, [3, 2, 1]) == HEADERS[::-1]


def test_a_second_merge_is_of_the_own_header(games: apsw.Connection) -> None:
    store.write_merges(games, [MERGE])
    store.write_merges(games, [Merge(2, {"Round": "1"}, [("Round", "?", "1", 1, "missing")])])
    assert store.read_headers(games, [2]) == [HEADERS[1]]
    assert list(store.merged_tags(games)) == [(2, "Round", "?", "1", 1, "missing")]
    assert row(games, 2)["WhiteElo"] is None
    assert row(games, 2)["Round"] == "1"


# --- taking back ---------------------------------------------------------------------------------


def test_all_is_taken_back(games: apsw.Connection) -> None:
    before = content(games)
    store.write_merges(games, [Merge(1, {"White": "Beta"}), MERGE, Merge(3, {})])
    assert store.merged_ids(games) == [1, 2, 3]
    store.revert_merges(games, None)
    assert content(games) == before


def test_some_are_taken_back(games: apsw.Connection) -> None:
    first = Merge(1, {"White": "Beta"}, [("White", "Alpha", "Beta", 2, "majority")])
    store.write_merges(games, [first])
    expected = content(games)
    store.write_merges(games, [first, MERGE])
    store.revert_merges(games, {2, 3, 4711})
    assert content(games) == expected


def test_nothing_to_take_back(games: apsw.Connection) -> None:
    before = content(games)
    store.revert_merges(games, None)
    store.revert_merges(games, [1, 2])
    assert content(games) == before


# What SQLite may hold, whatever the column says.
ANY = st.one_of(
    st.none(), st.integers(-(2**63), 2**63 - 1), st.text(), st.floats(allow_nan=False), st.binary()
)
VALUES = st.dictionaries(st.sampled_from(MERGED_COLUMNS), ANY)


@settings(max_examples=60)
@given(st.dictionaries(st.sampled_from(MERGED_COLUMNS), ANY), st.lists(st.tuples(VALUES, VALUES)))
def test_every_byte_comes_back(own: dict[str, object], merges: list[tuple[dict, dict]]) -> None:
    connection = apsw.Connection(":memory:")
    connection.execute(schema_sql("schema.sql"))
    fill(connection)
    for name, value in own.items():
        connection.execute(f"UPDATE Games SET {name} = ? WHERE ID = 1", (value,))
    before = content(connection)
    for first, second in merges:
        store.write_merges(connection, [Merge(3, second), Merge(1, first)])
    store.revert_merges(connection, None)
    assert repr(content(connection)) == repr(before)
