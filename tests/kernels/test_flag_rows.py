"""FlagRows writes the changed flags of games in the order of the table."""

from __future__ import annotations

import random
import signal
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocgdedup._kernels import search as search_kernel
from ocgdedup._kernels.search import FlagRows
from ocgdedup.errors import SqliteError
from ocgdedup.pipeline.search.groups import GroupBatch
from ocgdedup.store.connection import FLAG_COLUMNS
from ocgdedup.store.database import create_database
from ocgdedup.store.duplicates import (
    Flags,
    stored_flag_rows,
    stored_flags,
    write_flag_rows,
)
from ocgdedup.store.games import insert_statements, load_kernel
from ocgdedup.store.names import read_state
from ocgdedup.store.search_state import Basis, note_flags, write_basis

IDS = st.integers(1, 30)
FLAGS = st.one_of(
    st.none(),
    st.builds(
        Flags,
        st.sampled_from([None, "exact", "join"]),
        st.integers(-(2**63), 2**63 - 1),
        st.sampled_from([None, "partial", "colours swapped"]),
        st.integers(0, 100),
    ),
)
SMALL_FLAGS = st.builds(
    Flags,
    st.sampled_from([None, "exact", "join", "subsumption"]),
    IDS,
    st.sampled_from([None, "partial", "colours swapped"]),
    st.integers(0, 100),
)


def read_flags(
    rows: FlagRows, *stored: tuple[int, str | None, int, str | None, object, int]
) -> None:
    """Add rows of (ID, status, group, reason, score, is removed)."""
    opened = apsw.Connection(":memory:")
    opened.execute("CREATE TABLE Stored (ID, Status, DuplicateGroup, Reason, Score, IsRemoved)")
    opened.executemany("INSERT INTO Stored VALUES (?, ?, ?, ?, ?, ?)", stored)
    load_kernel(opened, search_kernel)
    rows.read(opened, "SELECT * FROM Stored")
    opened.close()


def with_one() -> FlagRows:
    """Return stored flags."""
    rows = FlagRows()
    rows.add(31, None, 31, None, 0)
    return rows


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[apsw.Connection]:
    opened = create_database(str(tmp_path_factory.mktemp("flags") / "a.db3"))
    opened.executemany("INSERT INTO Games (ID) VALUES (?)", [(number,) for number in range(1, 31)])
    yield opened
    opened.close()


def rows_of(flags: Mapping[int, Flags | None]) -> FlagRows:
    rows = FlagRows()
    for game_id, own in flags.items():
        if own is None:
            rows.add_cleared(game_id)
        else:
            rows.add(game_id, *own)
    return rows


@given(st.dictionaries(IDS, FLAGS), st.dictionaries(IDS, FLAGS))
def test_flags_are_those_written_last(
    connection: apsw.Connection,
    before: dict[int, Flags | None],
    after: dict[int, Flags | None],
) -> None:
    everything = dict.fromkeys(range(1, 31)) | before
    write_flag_rows(connection, rows_of(everything), with_one())
    write_flag_rows(connection, rows_of(after), with_one())
    expected = everything | after
    assert stored_flags(connection) == {k: v for k, v in expected.items() if v is not None}


def test_first_flags_replace_those_of_another_program(tmp_path: Path) -> None:
    connection = create_database(str(tmp_path / "a.db3"))
    connection.executemany("INSERT INTO Games (ID) VALUES (?)", [(1,), (2,), (3,)])
    connection.execute("INSERT INTO DuplicateFlags (GameID, DuplicateGroup) VALUES (3, 2)")
    flags = {1: Flags(None, 1, None, 5), 2: Flags("exact", 1, None, 4)}
    write_flag_rows(connection, rows_of(flags), FlagRows())
    assert stored_flags(connection) == flags
    connection.close()


@given(st.dictionaries(IDS, SMALL_FLAGS), st.dictionaries(IDS, SMALL_FLAGS), st.sets(IDS))
def test_sums_are_those_that_sqlite_counts(
    connection: apsw.Connection, before: dict[int, Flags], after: dict[int, Flags], kept: set[int]
) -> None:
    write_flag_rows(connection, rows_of(dict.fromkeys(range(1, 31)) | before), with_one())
    stored, rows = stored_flag_rows(connection), rows_of(after)
    for game_id in kept.difference(after):
        stored.mark_unchanged(game_id)
    rows.clear_changed(stored)
    sums = write_flag_rows(connection, rows, stored)
    write_basis(connection, Basis("", ""), sums)
    noted = read_state(connection, "Duplicates left as")
    note_flags(connection)
    assert sums is not None
    assert noted == read_state(connection, "Duplicates left as")


def test_sums_of_large_numbers_are_counted_by_sqlite() -> None:
    assert rows_of({1: Flags(None, 1 << 56, None, 1)}).sums(FlagRows()) is None
    assert rows_of({1: Flags(None, -1, None, 1)}).sums(FlagRows()) is None
    stored = FlagRows()
    read_flags(stored, (1, None, 1, None, None, 0))
    assert rows_of({}).sums(stored) is None


def test_groups_are_flagged_except_excluded_kinds() -> None:
    rows = FlagRows()
    ids, ends = array("q", [1, 9, 2, 3, 4]), array("Q", [2, 5])
    masters, scores = array("q", [9, 2]), array("h", [5, 6, 7, 8, 9])
    assert rows.add_groups(ids, ends, masters, scores, bytearray([0, 2]), 2, "exact") == 1
    assert (len(rows), rows.group_of(1), rows.group_of(9), rows.group_of(2)) == (2, 9, 9, None)
    assert rows.add_groups(ids, ends, masters, scores, bytearray([2, 0]), 2, "exact") == 2
    assert [game_id in rows for game_id in (1, 2, 3, 4, 5, 9)] == [True] * 4 + [False, True]


def test_reason_is_set_afterwards() -> None:
    rows = rows_of({5: Flags(None, 5, None, 1), 3: Flags("exact", 5, None, 2)})
    rows.set_reason(3, "colours swapped")
    assert rows.get(3) == ("exact", 5, "colours swapped", 2)
    with pytest.raises(KeyError):
        rows.set_reason(4, "colours swapped")


def test_many_flags_are_sorted_by_id() -> None:
    """Thousands are counted or sorted by digits, a few by insertion; IDs may be below 0."""
    draw = random.Random(3)
    for width in (2000, 1 << 15, 1 << 40, 1 << 62):
        ids = {draw.randrange(-width, width) for _ in range(3000)}
        order = draw.sample(sorted(ids), len(ids))
        rows = rows_of({game_id: Flags(None, game_id, None, 1) for game_id in order})
        assert all(rows.group_of(game_id) == game_id for game_id in ids)
        assert max(ids) + 1 not in rows
        assert min(ids) - 1 not in rows


def test_game_that_comes_twice_is_an_error() -> None:
    rows = rows_of({2: None, 1: None})
    rows.add_cleared(2)
    with pytest.raises(ValueError, match="game 2 is flagged twice"):
        assert 1 in rows


@pytest.mark.parametrize("place", [0, 1])
def test_statements_must_take_flags(connection: apsw.Connection, place: int) -> None:
    load_kernel(connection, search_kernel)
    both: list[list[str]] = [[], []]
    both[place] = ["SELECT 1"]
    with pytest.raises(ValueError, match="parameters"):
        FlagRows().write(connection, *both)
    load_kernel(connection, search_kernel)
    both[place] = ["SELECT nothing"]
    with pytest.raises(SqliteError):
        FlagRows().write(connection, *both)
    with pytest.raises(ValueError, match="not just loaded"):
        FlagRows().write(connection, [], [])


def test_stored_flags_must_be_six_columns(connection: apsw.Connection) -> None:
    load_kernel(connection, search_kernel)
    with pytest.raises(ValueError, match="does not have 6 columns"):
        FlagRows().read(connection, "SELECT 1, NULL, 1, NULL, 0")
    load_kernel(connection, search_kernel)
    with pytest.raises(SqliteError):
        FlagRows().read(connection, "SELECT nothing")
    load_kernel(connection, search_kernel)
    overflow = "SELECT abs(column1), NULL, 1, NULL, 0, 0 FROM (VALUES (1), (-9223372036854775808))"
    with pytest.raises(SqliteError, match="overflow"):
        FlagRows().read(connection, overflow)
    with pytest.raises(ValueError, match="not just loaded"):
        FlagRows().read(connection, "SELECT 1, NULL, 1, NULL, 0, 0")


def test_games_with_flags_and_those_with_none_have_statements_of_their_own() -> None:
    opened = apsw.Connection(":memory:")
    opened.execute("CREATE TABLE Written (Kind, ID, Status, DuplicateGroup, Reason, Score)")
    sql = "INSERT INTO Written VALUES ('{}', ?5, ?1, ?2, ?3, ?4)"
    load_kernel(opened, search_kernel)
    rows = rows_of({4: None, 2: Flags("exact", 1, "partial", 7), 1: Flags(None, 1, None, 0)})
    rows.write(opened, [sql.format("flag"), sql.format("again")], [sql.format("none")])
    assert opened.execute("SELECT * FROM Written").fetchall() == [
        ("flag", 1, None, 1, None, 0),
        ("again", 1, None, 1, None, 0),
        ("flag", 2, "exact", 1, "partial", 7),
        ("again", 2, "exact", 1, "partial", 7),
        ("none", 4, None, None, None, None),
    ]
    opened.close()


@given(st.dictionaries(st.integers(1, 60), FLAGS, max_size=50))
def test_flags_are_inserted_in_groups(flags: dict[int, Flags | None]) -> None:
    opened = apsw.Connection(":memory:")
    opened.execute(f"CREATE TABLE Made (GameID INTEGER PRIMARY KEY, {', '.join(FLAG_COLUMNS)})")
    load_kernel(opened, search_kernel)
    rows_of(flags).insert(opened, insert_statements("Made", ("GameID", *FLAG_COLUMNS)))
    assert opened.execute("SELECT * FROM Made").fetchall() == [
        (game_id, *own) for game_id, own in sorted(flags.items()) if own is not None
    ]
    opened.close()


def test_flags_that_cannot_be_inserted() -> None:
    opened = apsw.Connection(":memory:")
    opened.execute("CREATE TABLE Made (GameID INTEGER PRIMARY KEY, Status CHECK (Status != 'bad'))")
    load_kernel(opened, search_kernel)
    with pytest.raises(ValueError, match="does not have 5 parameters"):
        FlagRows().insert(opened, insert_statements("Made", ("GameID",)))
    load_kernel(opened, search_kernel)
    with pytest.raises(SqliteError, match="no such table"):
        FlagRows().insert(opened, insert_statements("Missing", ("GameID", *FLAG_COLUMNS)))
    opened.execute("CREATE VIEW Five AS SELECT GameID, Status, 1 AS A, 2 AS B, 3 AS C FROM Made")
    opened.execute(
        "CREATE TRIGGER Insertion INSTEAD OF INSERT ON Five "
        "BEGIN INSERT INTO Made VALUES (NEW.GameID, NEW.Status); END"
    )
    load_kernel(opened, search_kernel)
    rows = rows_of({1: Flags("bad", 1, None, 1)})
    with pytest.raises(SqliteError, match="CHECK constraint"):
        rows.insert(opened, insert_statements("Five", ("GameID", "Status", "A", "B", "C")))
    opened.close()


def test_too_many_texts_are_an_error() -> None:
    rows = FlagRows()
    for number in range(254):
        rows.add(number, str(number), 1, None, 0)
    with pytest.raises(ValueError, match="too many"):
        rows.add(254, "one more", 1, None, 0)


STORED = st.dictionaries(
    IDS, st.builds(Flags, st.sampled_from([None, "exact"]), IDS, st.none(), IDS)
)
GROUPS = st.lists(st.sets(IDS, min_size=2, max_size=3), max_size=6)


def disjoint(groups: Iterable[set[int]]) -> GroupBatch:
    """Return the groups, with each game only in its first group."""
    taken: set[int] = set()
    left = []
    for group in groups:
        rest = sorted(group - taken)
        taken |= group
        if len(rest) > 1:
            left.append((rest, [0] * len(rest)))
    return GroupBatch.of(left)


@given(STORED, GROUPS, st.sets(IDS))
def test_stored_flags_are_compared_as_dicts_are(
    stored: dict[int, Flags], some: list[set[int]], new: set[int]
) -> None:
    """Half of the groups are stored, so that some are unchanged."""
    groups = disjoint(some)
    for group in groups[::2]:
        for game_id in group.ids:
            stored[game_id] = Flags("exact", group.ids[-1], None, 1)
    rows = FlagRows()
    read_flags(rows, *((game_id, *flags, 0) for game_id, flags in stored.items()))
    are_kept = rows.unchanged_groups(groups.ids, groups.ends)
    sizes = Counter(flags.group for flags in stored.values())
    expected = [
        len({stored[number].group if number in stored else None for number in ids}) == 1
        and ids[0] in stored
        and stored[ids[0]].group in ids
        and sizes[stored[ids[0]].group] == len(ids)
        for ids, _ in groups
    ]
    assert [bool(number) for number in are_kept] == expected
    rows.mark_groups_unchanged(groups.ids, groups.ends, are_kept)
    kept = {i for (ids, _), own in zip(groups, expected, strict=True) if own for i in ids}
    assert {number for number in stored if rows.is_unchanged(number)} == kept
    assert {number for number in stored if rows.is_changed(number)} == stored.keys() - kept
    assert rows.all_unchanged == (kept == stored.keys())
    copies = [flags for game_id, flags in stored.items() if flags.status and game_id in kept]
    assert rows.counts(True)[0] == len({flags.group for flags in copies})
    assert rows.counts(True)[1] == Counter(flags.status for flags in copies)
    changes = rows_of(dict.fromkeys(new, Flags(None, 1, None, 1)))
    changes.clear_changed(rows)
    assert {number for number in range(1, 31) if number in changes} == new | (stored.keys() - kept)


def test_flags_of_removed_games_are_not_counted_among_games() -> None:
    rows = FlagRows()
    read_flags(rows, (1, None, 1, None, None, 0), (2, "exact", 1, "partial", 7, 1))
    rows.mark_unchanged(1)
    rows.mark_unchanged(2)
    rows.mark_unchanged(3)
    assert rows.counts(True) == (0, {})
    assert rows.counts(False) == (1, {"exact": 1})
    assert [rows.get(game_id) for game_id in (1, 2, 3)] == [
        (None, 1, None, 0),
        ("exact", 1, "partial", 7),
        None,
    ]


@pytest.mark.parametrize("ends", [[3], [2, 1], [2**63]])
def test_groups_must_end_within_their_games(ends: list[int]) -> None:
    rows = rows_of(dict.fromkeys((1, 2), Flags(None, 1, None, 1)))
    ids, places, marks = array("q", [1, 2]), array("Q", ends), bytearray([1]) * len(ends)
    masters, scores = array("q", [1]) * len(ends), array("h", [1, 1])
    with pytest.raises(ValueError, match="of 2 games"):
        rows.mark_groups_unchanged(ids, places, marks)
    with pytest.raises(ValueError, match="of 2 games"):
        rows.unchanged_groups(ids, places)
    with pytest.raises(ValueError, match="of 2 games"):
        FlagRows().add_groups(ids, places, masters, scores, bytearray(len(ends)), 1, "exact")


def test_groups_need_a_value_each() -> None:
    ids, ends, scores = array("q", [1, 2]), array("Q", [1, 2]), array("h", [1, 1])
    single, two = array("q", [1]), array("q", [1, 2])
    with pytest.raises(ValueError, match="1 kept games and 2 needs for 2 groups"):
        FlagRows().add_groups(ids, ends, single, scores, bytearray(2), 1, "exact")
    with pytest.raises(ValueError, match="2 kept games and 1 needs for 2 groups"):
        FlagRows().add_groups(ids, ends, two, scores, bytearray(1), 1, "exact")
    with pytest.raises(ValueError, match="of 1 games"):
        FlagRows().add_groups(ids, ends, two, scores[:1], bytearray(2), 1, "exact")
    with pytest.raises(ValueError, match="1 marks for 2 groups"):
        FlagRows().mark_groups_unchanged(ids, ends, bytearray(1))


def test_only_groups_with_flags_can_be_kept() -> None:
    rows = rows_of({1: Flags(None, 1, None, 1)})
    with pytest.raises(ValueError, match="game 2 has no flags"):
        rows.mark_groups_unchanged(array("q", [1, 2]), array("Q", [2]), bytearray([1]))


class _Alarm(Exception):
    """Raised by the handler of the signal."""


@pytest.mark.parametrize("is_insertion", [False, True])
def test_a_signal_is_seen_while_flags_are_written(is_insertion: bool) -> None:
    def stop(*_: object) -> None:
        raise _Alarm

    games = 150_000
    rows = rows_of(dict.fromkeys(range(1, games + 1), Flags(None, 1, None, 1)))
    opened = apsw.Connection(":memory:")
    opened.execute("CREATE TABLE DuplicateFlags (GameID INTEGER PRIMARY KEY, HeaderScore)")
    opened.execute(f"CREATE TABLE Made (GameID INTEGER PRIMARY KEY, {', '.join(FLAG_COLUMNS)})")
    ids = ((i,) for i in range(1, games + 1))
    opened.executemany("INSERT INTO DuplicateFlags (GameID) VALUES (?)", ids)
    before = opened.total_changes()
    sql = "UPDATE DuplicateFlags SET HeaderScore = ?4 WHERE GameID = ?5"
    load_kernel(opened, search_kernel)
    handler = signal.signal(signal.SIGVTALRM, stop)
    write = partial(rows.write, opened, [sql], [])
    if is_insertion:
        write = partial(rows.insert, opened, insert_statements("Made", ("GameID", *FLAG_COLUMNS)))
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.005)  # of CPU time
        with pytest.raises(_Alarm):
            write()
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, handler)
    assert opened.total_changes() - before < games
    opened.close()
