"""Counts of the search kernel equal those of SQL."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocgdedup._kernels.search import HeaderCounts
from ocgdedup.pipeline.search.detect import SearchOptions, find_duplicates
from ocgdedup.store.database import create_database
from tests.reference.frequency_rank import frequency_rank

NAMES = 30
TABLES = (("Events", "EventID"), ("Sites", "SiteID"))
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "EventID": st.sampled_from([None, 1, 2, 7, 999]),
            "SiteID": st.sampled_from([None, 1, 2, 30]),
            "WhiteID": st.integers(1, 5),
            "BlackID": st.sampled_from([None, 3, 4, 29]),
            "Date": st.sampled_from(["1999.05.01", "1999.05.02", "1999.05.??", "????.??.??", None]),
            "Round": st.sampled_from(["1", "2", "2.1", "?", "Final", None]),
            "SourceID": st.sampled_from([1, 2]),
        }
    ),
    min_size=1,
    max_size=40,
)


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[apsw.Connection]:
    opened = create_database(str(tmp_path_factory.mktemp("counts") / "a.db3"))
    for table in ("Events", "Sites", "Players"):
        rows = [(number, f"Name {number}") for number in range(1, NAMES + 1)]
        opened.executemany(f"INSERT OR REPLACE INTO {table} (ID, Name) VALUES (?, ?)", rows)
    yield opened
    opened.close()


def counted(connection: apsw.Connection, rows: list[dict], last_id: int | None) -> HeaderCounts:
    connection.execute("DELETE FROM Games")
    for number, row in enumerate(rows, 1):
        names, marks = ", ".join(row), ", ".join("?" * len(row))
        sql = f"INSERT INTO Games (ID, PlyCount, {names}) VALUES (?, 0, {marks})"
        connection.execute(sql, (number, *row.values()))
    return HeaderCounts(find_duplicates(connection, SearchOptions()).finder, last_id)


def counts_by_sql(connection: apsw.Connection, last_id: int) -> list[Counter[int]]:
    counts = []
    for columns in (("EventID",), ("SiteID",), ("WhiteID", "BlackID")):
        own: Counter[int] = Counter()
        for column in columns:
            sql = f"SELECT {column}, count(*) FROM Games WHERE ID <= ? GROUP BY 1"
            own.update(dict(connection.execute(sql, (last_id,))))
        counts.append(own)
    return counts


@given(ROWS)
def test_names_are_counted(connection: apsw.Connection, rows: list[dict]) -> None:
    counts = counted(connection, rows, None)
    for kind, expected in enumerate(counts_by_sql(connection, len(rows))):
        expected.pop(None, None)
        expected.pop(999, None)  # an ID without a name
        for left in range(1, NAMES + 1, 3):
            for right in (1, 2, 3, 7, 29):
                assert counts.frequency_rank(kind, left, right) == frequency_rank(
                    expected[left], expected[right]
                )


@given(ROWS, st.integers(0, 40), st.lists(st.integers(1, 40), min_size=2, max_size=4, unique=True))
def test_groups_are_unsettled_by_other_counts(
    connection: apsw.Connection, rows: list[dict], last_id: int, group: list[int]
) -> None:
    """A group is skipped only if no comparison of its names, days and sites changes."""
    counts = counted(connection, rows, last_id)
    group = sorted(game_id for game_id in group if game_id <= len(rows))
    kept = bytearray([1, 0])
    ends = array("Q", [len(group), len(group)])
    counts.unsettle(array("q", group), ends, kept)
    before, now = counts_by_sql(connection, last_id), counts_by_sql(connection, len(rows))
    members = [rows[game_id - 1] for game_id in group]
    changed = False
    for kind, columns in enumerate((("EventID",), ("SiteID",), ("WhiteID", "BlackID"))):
        names = {row[column] for row in members for column in columns} - {None, 999}
        if len({tuple(row[column] for column in columns) for row in members}) == 1:
            continue  # a merge changes no value in which the records agree
        changed |= any(
            frequency_rank(before[kind][name], before[kind][other])
            != frequency_rank(now[kind][name], now[kind][other])
            for name in names
            for other in names
        )
    days = {row["Date"] for row in members if row["Date"] and "?" not in row["Date"]}
    events = {row["EventID"] for row in members} - {None, 999}
    sites = {row["SiteID"] for row in members} - {None, 999}
    if len(days) > 1 or len(sites) > 1:
        changed |= any(before[0][event] != now[0][event] for event in events)
    assert list(kept) == [not changed, 0]


@given(ROWS)
def test_days_of_events_are_collected(connection: apsw.Connection, rows: list[dict]) -> None:
    counts = counted(connection, rows, None)
    ids = array("q", range(1, len(rows) + 1))
    counts.collect_events(ids, array("Q", [len(ids)]))
    days = {row["Date"] for row in rows if row["Date"] and "?" not in row["Date"]}
    events = {counts.round_of(game_id)[0] for game_id in ids if rows[game_id - 1]["EventID"]}
    expected = Counter(
        (row["EventID"], row["SourceID"], row["Date"])
        for row in rows
        if row["EventID"] not in (None, 999)
        and row["Round"] not in ("?", None)
        and row["Date"] in days
    )
    rows_found = [row for event in events for row in counts.days_of(event)]
    total = sum(games for *_, games in rows_found)
    assert total == (expected.total() if len(days) > 1 else 0)
    by_day = Counter()
    for _, _, date, games in rows_found:
        by_day[f"{date >> 9:04}.{date >> 5 & 15:02}.{date & 31:02}"] += games
    if len(days) > 1:
        assert (
            by_day
            == Counter(
                {day: sum(n for (*_, date), n in expected.items() if date == day) for day in days}
            )
            or not expected
        )
    rounds = {number for _, number, _, _ in rows_found}
    assert 0 not in rounds


@given(ROWS)
def test_sites_of_events_are_collected(connection: apsw.Connection, rows: list[dict]) -> None:
    counts = counted(connection, rows, None)
    ids = array("q", range(1, len(rows) + 1))
    counts.collect_events(ids, array("Q", [len(ids)]))
    expected = Counter((row["EventID"], row["SiteID"]) for row in rows)
    has_sites = len({site for _, site in expected} - {None}) > 1
    for number, row in enumerate(rows, 1):
        event, *_ = counts.round_of(number)
        for site in (1, 2, 30, 999):
            games = expected[row["EventID"], site] if row["EventID"] in (1, 2, 7) else 0
            assert counts.games_at(event, site) == (games if has_sites else 0)


def test_words_of_names_are_counted() -> None:
    connection = create_database(":memory:")
    names = [
        "Carlsen, Magnus",
        "Magnus Carlsen",
        "CARLSEN, H",
        "Carlsen,M 2",
        "이세돌",
        "Lee, Sedol",
    ]
    names += [f"Name{number}, {'x' * (number % 30 + 1)}" for number in range(3000)]
    rows = list(enumerate(names, 2))
    connection.executemany("INSERT INTO Players (ID, Name) VALUES (?, ?)", rows)
    counts = counted(connection, [{"WhiteID": 2}], None)
    assert counts.names_with(b"carlsen") == 4
    assert counts.names_with(b"magnus") == 2
    assert counts.names_with(b"sedol") == 1  # the reading of a name is no name
    assert counts.names_with(b"carslen") == 0
    assert counts.names_with(b"") == 0
    assert counts.records_of(b"carlsen,MAGNUS") == 1
    assert counts.records_of(b"Carlsen, H") == 0
    assert counts.names_with(b"x" * 10) == 100
    assert counts.names_with(b"x" * 40) == counts.names_with(b"x" * 23) == 800


def test_groups_are_unsettled_by_likelier_spellings() -> None:
    """Names that have one rank: another name with a rare word, or other numbers of records."""

    def is_settled(*new: str, before: str = "Other, Name") -> bool:
        connection = create_database(":memory:")
        players = ["Geller, Efim", "Geler, Efim", before, *new]
        names = dict.fromkeys((*players, "Other, Name"))
        connection.executemany("INSERT INTO Players (Name) VALUES (?)", ((n,) for n in names))
        ids = dict(connection.execute("SELECT Name, ID FROM Players"))
        games = [{"WhiteID": ids[name], "BlackID": ids["Other, Name"]} for name in players]
        kept = bytearray([1])
        counts = counted(connection, games, len(games) - len(new))
        counts.unsettle(array("q", [1, 2]), array("Q", [2]), kept)
        return kept == bytearray([1])

    assert is_settled("Other, Name")
    assert not is_settled("Geler, Igor")  # a word of the second name is no longer a slip
    assert is_settled("Geler, Igor", before="Geler, Igor")
    assert not is_settled("geller, EFIM")  # the first name has more records now
    assert is_settled("Geller, Efim", "Geler, Efim")
    assert is_settled("geller, EFIM", before="geller, EFIM")


def test_wrong_arguments(connection: apsw.Connection) -> None:
    counts = counted(connection, [{"WhiteID": 1}], None)
    with pytest.raises(ValueError, match="unknown table of names: 3"):
        counts.frequency_rank(3, 1, 2)
    with pytest.raises(ValueError, match="not counted separately"):
        counts.unsettle(array("q", [1]), array("Q", [1]), bytearray(1))
    with pytest.raises(KeyError):
        counts.collect_events(array("q", [4711]), array("Q", [1]))
    with pytest.raises(KeyError):
        counts.round_of(4711)
