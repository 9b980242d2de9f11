"""Counts that were stored and completed by new games equal those of all games."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocgdedup._kernels.search import (
    DuplicateFinder,
    HeaderCounts,
    StoredHeaderCounts,
    packed_contests,
    packed_counts,
    packed_days,
)
from ocgdedup.pipeline.search.detect import SearchOptions, find_duplicates
from ocgdedup.pipeline.search.groups import GroupBatch
from ocgdedup.store.database import create_database
from ocgdedup.store.search_reader import name_ids_after
from tests.kernels.test_header_counts import NAMES, ROWS

Row = dict[str, object]


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[apsw.Connection]:
    opened = create_database(str(tmp_path_factory.mktemp("stored") / "a.db3"))
    yield opened
    opened.close()


def finder_of(connection: apsw.Connection, rows: list[Row]) -> DuplicateFinder:
    """Return a finder of games, whose names come one after the other, as from files."""
    for table in ("Games", "Events", "Sites", "Players"):
        connection.execute(f"DELETE FROM {table}")
    for number, row in enumerate(rows, 1):
        for column, table in (("EventID", "Events"), ("SiteID", "Sites"), ("WhiteID", "Players"),
                              ("BlackID", "Players")):  # fmt: skip
            for name_id in range(1, int(str(row[column] or 0)) + 1 if row[column] != 999 else 1):
                sql = f"INSERT OR IGNORE INTO {table} (ID, Name) VALUES (?, ?)"
                connection.execute(sql, (name_id, f"Name {name_id}"))
        names, marks = ", ".join(row), ", ".join("?" * len(row))
        sql = f"INSERT INTO Games (ID, PlyCount, {names}) VALUES (?, 0, {marks})"
        connection.execute(sql, (number, *row.values()))
    return find_duplicates(connection, SearchOptions()).finder


def groups_of(rng: random.Random, games: int) -> GroupBatch:
    ids = rng.sample(range(1, games + 1), games)
    groups = []
    while len(ids) > 1:
        size = rng.randrange(2, 6)
        groups.append((sorted(ids[:size]), [0] * len(ids[:size])))
        ids = ids[size:]
    return GroupBatch.of(sorted(groups))


def packed(
    counts: HeaderCounts, groups: GroupBatch, before: list[bytes] | None = None
) -> list[bytes]:
    """Return the bytes of counts; those of `before` that are unchanged stay."""
    days, new_days = packed_days(counts)
    if days is None:
        assert before is not None
        days = before[1]
    games = None if before is None else array("q", sorted(groups.ids))
    contests = packed_contests(counts, groups.ids, groups.ends, games)
    return [packed_counts(counts), days, new_days, contests]


@given(ROWS, ROWS, st.integers(0, 999))
def test_stored_counts_are_completed(
    connection: apsw.Connection, old: list[Row], new: list[Row], seed: int
) -> None:
    rng = random.Random(seed)
    finder_of(connection, old + new)
    old_groups = groups_of(rng, len(old))
    before = packed(HeaderCounts(finder_of(connection, old)), old_groups)
    stored = StoredHeaderCounts(*before)
    finder = finder_of(connection, old + new)
    whole, counts = HeaderCounts(finder, len(old)), HeaderCounts(finder, len(old), stored)
    whole.collect_all_events()
    for number in range(1, len(old + new) + 1):
        event = counts.round_of(number)[0]
        assert counts.days_of(event) == whole.days_of(event)
        for site in (1, 2, 30, 999):
            assert counts.games_at(event, site) == whole.games_at(event, site)
    for kind in range(3):
        for left in range(1, NAMES + 1, 3):
            for right in (1, 2, 3, 7, 29):
                assert counts.frequency_rank(kind, left, right) == whole.frequency_rank(
                    kind, left, right
                )
    kept, expected = bytearray(b"\x01") * len(old_groups), bytearray(b"\x01") * len(old_groups)
    counts.unsettle(old_groups.ids, old_groups.ends, kept)
    whole.unsettle(old_groups.ids, old_groups.ends, expected)
    assert kept == expected
    found = stored.unsettled_groups(finder.batch, *name_ids_after(connection, len(old), 0))
    assert found.tolist() == [
        group.ids[0] for group, is_kept in zip(old_groups, kept, strict=True) if not is_kept
    ]


@given(ROWS, ROWS, st.integers(0, 999))
def test_completed_counts_are_packed_as_those_of_all_games(
    connection: apsw.Connection, old: list[Row], new: list[Row], seed: int
) -> None:
    """Groups are replaced in part; days stay apart until they are many."""
    rng = random.Random(seed)
    old_groups = groups_of(rng, len(old))
    before = packed(HeaderCounts(finder_of(connection, old)), old_groups)
    finder = finder_of(connection, old + new)
    counts = HeaderCounts(finder, len(old), StoredHeaderCounts(*before))
    others = range(len(old) + 1, len(old + new) + 1)
    replaced = [group for group in old_groups if rng.random() < 0.5]
    changed = GroupBatch.of(sorted([*replaced, *([(list(others), [0] * len(others))] * bool(new))]))
    after = packed(counts, changed, before)
    all_groups = GroupBatch.of(sorted([*(g for g in old_groups if g not in replaced), *changed]))
    whole = HeaderCounts(finder)
    expected = packed(whole, all_groups)
    assert (after[0], after[3]) == (expected[0], expected[3])
    merged = HeaderCounts(finder, len(old + new), StoredHeaderCounts(*after))
    for number in range(1, len(old + new) + 1):
        event = merged.round_of(number)[0]
        assert merged.days_of(event) == whole.days_of(event)
    if after[1] != before[1]:
        assert after[1:3] == expected[1:3]


def test_wrong_bytes_are_refused(connection: apsw.Connection) -> None:
    row = {"EventID": 1, "SiteID": 1, "WhiteID": 1, "BlackID": 3, "Date": "1999.05.01",
           "Round": "1", "SourceID": 1}  # fmt: skip
    rows = [row, row | {"SiteID": 2, "WhiteID": 2}]
    finder = finder_of(connection, rows)
    blobs = packed(HeaderCounts(finder), GroupBatch.of([([1, 2], [0, 0])]))
    assert StoredHeaderCounts(*map(memoryview, blobs))
    unaligned = [memoryview(b"x" + blob)[1:] for blob in blobs]
    assert HeaderCounts(finder, 2, StoredHeaderCounts(*unaligned)).games_at(0, 2) == 1
    for number in range(4):
        for wrong in (b"", b"1234567", bytes(64), blobs[(number + 1) % 4][:16]):
            if number == 1 and wrong == blobs[2][:16]:
                continue  # rows as well
            given_blobs = [*blobs[:number], wrong, *blobs[number + 1 :]]
            with pytest.raises(ValueError, match="are damaged"):
                StoredHeaderCounts(*given_blobs)
    names = array("q", [1])
    damaged = StoredHeaderCounts(*blobs[:3], blobs[3][:-4])
    with pytest.raises(ValueError, match=r"contests .* are damaged"):
        damaged.unsettled_groups(finder.batch, names, names, names)
    damaged = StoredHeaderCounts(*blobs[:3], blobs[3][:-4] + b"\xff\xff\xff\x7f")
    with pytest.raises(ValueError, match=r"contests .* are damaged"):
        damaged.unsettled_groups(finder.batch, names, names, names)
    fewer = finder_of(connection, rows[:1])
    with pytest.raises(ValueError, match="of other names"):
        HeaderCounts(fewer, 1, StoredHeaderCounts(*blobs))
    with pytest.raises(ValueError, match="need its last ID"):
        HeaderCounts(finder, None, StoredHeaderCounts(*blobs))
