"""Undo of dedup: of several runs only the last is undone, exactly."""

from __future__ import annotations

import hashlib
import random

import apsw
import pytest

from ocgdedup.game_kind import CHESS
from ocgdedup.pipeline.search.annotations import AnnotatedDuplicate, merge_annotations
from ocgdedup.store.connection import schema_sql
from ocgdedup.store.deleted_games import deleted_ids, remove_games, restore_games
from ocgdedup.store.duplicates import Flags, are_stale, mark_stale, stored_flags, write_flags
from ocgdedup.store.games import build_note_indexes
from ocgdedup.store.merges import (
    AddedVariation,
    Merge,
    add_variations,
    merged_ids,
    revert_merges,
    write_merges,
)
from ocgdedup.store.names import insert_empty_name, write_info, write_state
from ocgdedup.store.possible_duplicates import (
    SAME,
    PossiblePair,
    stored_possible_duplicates,
    write_decision,
    write_possible_duplicates,
)
from ocgdedup.store.undo import begin_dedup_undo, can_undo_dedup, forget_merges, revert_dedup

CONTENT = (
    "Games", "Comments", "Annotations", "Suspects", "MergedTags", "UnmergedHeaders",
    "MergedNotes", "RemovedGames", "DuplicateFlags",
)  # fmt: skip
LOGS = (
    "UndoInfo", "UndoFlags", "UndoSuspects", "UndoMerges", "UndoMergedTags", "UndoMergedNotes",
    "UndoRemovedGames",
)  # fmt: skip
GAMES = 40


def rows(connection: apsw.Connection, sql: str) -> list[tuple]:
    return connection.execute(sql).fetchall()


def content_hash(connection: apsw.Connection) -> str:
    """Return a hash over all rows of all tables that dedup writes, and the counts in Info."""
    digest = hashlib.sha256()
    for table in CONTENT:
        digest.update(
            repr((table, rows(connection, f"SELECT * FROM {table} ORDER BY 1, 2"))).encode()
        )
    counts = "SELECT * FROM Info WHERE Name IN ('GameCount', 'CommentCount') ORDER BY 1"
    digest.update(repr(rows(connection, counts)).encode())
    return digest.hexdigest()


def log_sizes(connection: apsw.Connection) -> dict[str, int]:
    """Return the number of rows of each non-empty table of the log."""
    sizes = {table: len(rows(connection, f"SELECT * FROM {table}")) for table in LOGS}
    return {table: size for table, size in sizes.items() if size}


def counts_are_right(connection: apsw.Connection) -> bool:
    stored = dict(rows(connection, "SELECT * FROM Info"))
    return all(
        stored[f"{table[:-1]}Count"] == str(rows(connection, f"SELECT count(*) FROM {table}")[0][0])
        for table in ("Games", "Comments", "Events", "Players")
    )


def filled(connection: apsw.Connection) -> apsw.Connection:
    """Add games; every third has comments, every fourth a variation and a NAG."""
    for table in ("Events", "Sites", "Players"):
        insert_empty_name(connection, table)
    for number in range(1, GAMES + 1):
        connection.execute(
            "INSERT INTO Games (EventID, SiteID, WhiteID, BlackID, Date, PlyCount, HasComments, "
            "HasVariations, ExtraTags) VALUES (1, 1, 1, 1, ?, 20, ?, ?, ?)",
            (
                f"2000.01.{number:02}",
                int(number % 3 == 0),
                int(number % 4 == 0),
                f'{{"N":"{number}"}}',
            ),
        )
        if number % 3 == 0:
            comment = "INSERT INTO Comments (GameID, Ply, Comment, Position) VALUES (?, 3, ?, 0)"
            connection.execute(comment, (number, "c" * (1 + number % 5)))
        if number % 4 == 0:
            annotation = (
                "INSERT INTO Annotations (GameID, Ply, Position, NAG, Variation) "
                "VALUES (?1, 5, 0, 2, NULL), (?1, 5, 1, NULL, '3. Nc3')"
            )
            connection.execute(annotation, (number,))
    build_note_indexes(connection)
    write_info(connection)
    return connection


@pytest.fixture
def games(connection: apsw.Connection) -> apsw.Connection:
    return filled(connection)


# --- runs ----------------------------------------------------------------------------------------


def flags_of(*groups: tuple[int, ...]) -> dict[int, Flags]:
    """Return flags of groups, the kept game first."""
    flags = {}
    for master, *copies in groups:
        flags[master] = Flags(None, master, None, 90)
        flags.update({copy: Flags("exact", master, None, 50) for copy in copies})
    return flags


def merge(master: int, white: str, **values: object) -> Merge:
    return Merge(master, {"White": white, **values}, [("White", "?", white, master + 1, "missing")])


def add_annotations(
    connection: apsw.Connection, *duplicates: tuple[int, int, int], longest: bool = False
) -> None:
    """Merge annotations: (kept game, duplicate, plies in common)."""
    merge_annotations(
        connection,
        [AnnotatedDuplicate(*duplicate) for duplicate in duplicates],
        CHESS,
        longest=longest,
    )


def first_run(connection: apsw.Connection) -> None:
    begin_dedup_undo(connection)
    write_merges(
        connection, [merge(1, "Alpha", Date="1999.09.09"), merge(10, "Beta", Event="Open")]
    )
    add_annotations(connection, (1, 3, 10), (10, 12, 10))
    add_variations(connection, [AddedVariation(1, 5, "3. d4", 2)])
    write_flags(connection, flags_of((1, 2, 3), (10, 11, 12), (20, 21)))
    write_possible_duplicates(
        connection,
        [
            PossiblePair(5, 6, "join", 1.0, "a"),
            PossiblePair(7, 8, "join", 2.0, "b"),
        ],
    )


def second_run(connection: apsw.Connection) -> None:
    """Group 1 gets another kept game, group 10 is dissolved, group 30 is new; 21 is unchanged."""
    begin_dedup_undo(connection)
    revert_merges(connection, [1, 10])
    write_merges(connection, [merge(3, "Gamma", ExtraTags=None), merge(30, "Alpha")])
    add_annotations(connection, (30, 4, 10))
    write_flags(connection, flags_of((3, 1, 2), (20, 21), (30, 4)))
    write_possible_duplicates(
        connection,
        [
            PossiblePair(7, 8, "exact", 2.0, "b"),
            PossiblePair(5, 9, "join", 1.0, "a"),
        ],
    )


def test_the_first_run(games: apsw.Connection) -> None:
    before = content_hash(games)
    info = rows(games, "SELECT * FROM Info WHERE Name NOT LIKE '%Count' ORDER BY 1")
    assert not can_undo_dedup(games)
    first_run(games)
    assert content_hash(games) != before
    assert can_undo_dedup(games)
    assert log_sizes(games) == {}  # nothing was there before: nothing is logged
    assert counts_are_right(games)
    assert revert_dedup(games) == 8
    assert content_hash(games) == before
    assert counts_are_right(games)
    assert not can_undo_dedup(games)
    assert rows(games, "SELECT * FROM Info WHERE Name NOT LIKE '%Count' ORDER BY 1") == info
    assert revert_dedup(games) == 0
    assert content_hash(games) == before


def test_only_the_last_run_is_undone(games: apsw.Connection) -> None:
    first_run(games)
    first = content_hash(games)
    second_run(games)
    assert content_hash(games) != first
    assert counts_are_right(games)
    # games 1 to 4, 10 to 12 and 30; game 3 and 30 are merged, 1 and 10 no longer
    assert revert_dedup(games) == 8
    assert content_hash(games) == first
    assert log_sizes(games) == {}
    assert revert_dedup(games) == 0
    assert content_hash(games) == first


def test_only_what_changes_is_logged(games: apsw.Connection) -> None:
    first_run(games)
    second_run(games)
    sizes = log_sizes(games)
    assert sizes.pop("UndoInfo") == 1
    assert sizes == {
        "UndoFlags": 8, "UndoMerges": 4, "UndoMergedTags": 2, "UndoMergedNotes": 5,
        "UndoSuspects": 3,
    }  # fmt: skip
    begin_dedup_undo(games)
    write_flags(games, stored_flags(games))
    write_possible_duplicates(games, list(stored_possible_duplicates(games)))
    revert_merges(games, [20, 21])
    assert log_sizes(games) == {"UndoInfo": 1}
    before = content_hash(games)
    assert revert_dedup(games) == 0
    assert content_hash(games) == before


def test_removal_is_undone(games: apsw.Connection) -> None:
    first_run(games)
    first = content_hash(games)
    begin_dedup_undo(games)
    revert_merges(games, [10])
    write_flags(games, flags_of((1, 2, 3), (12, 11, 10)))
    remove_games(games, [2, 3, 10, 11])
    removed = content_hash(games)
    assert counts_are_right(games)
    begin_dedup_undo(games)  # this one takes out others, and its undo must not bring back these
    write_flags(games, flags_of((1, 4), (20, 21)))
    remove_games(games, [4])
    revert_dedup(games)
    assert content_hash(games) == removed
    assert deleted_ids(games) == [2, 3, 10, 11]
    assert restore_games(games, None) == 4
    assert counts_are_right(games)
    assert content_hash(games) != first


def test_a_first_run_with_removal_is_undone(games: apsw.Connection) -> None:
    before = content_hash(games)
    first_run(games)
    remove_games(games, [2, 3, 21])
    assert revert_dedup(games) == 8
    assert content_hash(games) == before


def test_a_restoration_is_undone(games: apsw.Connection) -> None:
    first_run(games)
    remove_games(games, [2, 3, 21])
    games.execute("UPDATE RemovedGames SET RemovedAt = '2001' WHERE ID = 3")
    before = content_hash(games)
    begin_dedup_undo(games)
    restore_games(games, [2, 3])
    remove_games(games, [2])
    write_flags(games, {})
    revert_dedup(games)
    assert content_hash(games) == before


def test_the_first_saved_values_of_a_run_count(games: apsw.Connection) -> None:
    first_run(games)
    first = content_hash(games)
    begin_dedup_undo(games)
    for score in (1.0, 2.0):
        write_flags(games, flags_of((1, int(score) + 4), (20, 3)))
        write_possible_duplicates(
            games,
            [
                PossiblePair(5, 6, "join", score, "a"),
                PossiblePair(7, 9, "join", score, ""),
            ],
        )
    revert_dedup(games)
    assert content_hash(games) == first


@pytest.mark.parametrize("what", ["a removed game", "a suspect", "a merge", "a flag"])
def test_changes_before_the_first_run(games: apsw.Connection, what: str) -> None:
    """With results of an earlier run, undo of the next run must not clear everything."""
    if what == "a removed game":
        remove_games(games, [40])
    elif what == "a suspect":
        write_possible_duplicates(games, [PossiblePair(30, 31, "join", 1.0, "")])
    elif what == "a merge":
        write_merges(games, [merge(1, "Alpha")])
    else:
        write_flags(games, flags_of((30, 31)))
    before = content_hash(games)
    first_run(games)
    revert_dedup(games)
    assert content_hash(games) == before


def random_run(connection: apsw.Connection, chance: random.Random) -> None:
    """Imitate a run, with random groups, merges and possible duplicates."""
    begin_dedup_undo(connection)
    if chance.random() < 0.3:
        restore_games(connection, chance.sample(range(1, GAMES + 1), 20))
    game_ids = [game_id for (game_id,) in rows(connection, "SELECT ID FROM Games")]
    chance.shuffle(game_ids)
    groups = [game_ids[start : start + 3] for start in range(0, 15, 3)]
    groups = [group for group in groups if len(group) > 1]
    revert_merges(connection, None if chance.random() < 0.3 else chance.sample(game_ids, 6))
    masters = [group[0] for group in groups]
    write_merges(
        connection,
        [
            merge(number, f"New {chance.randrange(9)}", Round=chance.choice("12"))
            for number in masters[:3]
        ],
    )
    add_annotations(
        connection,
        *((*group[:2], chance.randrange(9)) for group in groups),
        longest=chance.random() < 0.5,
    )
    add_variations(
        connection, [AddedVariation(number, 5, "3. h4", number + 1) for number in masters[2:4]]
    )
    write_flags(connection, flags_of(*map(tuple, groups)))
    pairs = {tuple(sorted(chance.sample(game_ids, 2))) for _ in range(4)}
    write_possible_duplicates(
        connection,
        [PossiblePair(*pair, "join", chance.randrange(3), "e") for pair in sorted(pairs)],
    )
    if chance.random() < 0.5:
        remove_games(connection, [game_id for group in groups for game_id in group[1:]][:4])


@pytest.mark.parametrize("seed", range(40))
def test_any_runs(seed: int) -> None:
    chance = random.Random(seed)
    connection = apsw.Connection(":memory:")
    connection.execute(schema_sql("schema.sql"))
    filled(connection)
    for _ in range(seed % 5):
        random_run(connection, chance)
    before = content_hash(connection)
    random_run(connection, chance)
    assert counts_are_right(connection)
    revert_dedup(connection)
    assert content_hash(connection) == before
    assert counts_are_right(connection)
    random_run(connection, chance)  # and it goes on from there
    revert_dedup(connection)
    assert content_hash(connection) == before


# --- what others do in between -------------------------------------------------------------------


def test_games_that_came_since_stay(games: apsw.Connection) -> None:
    first_run(games)
    first = content_hash(games)
    second_run(games)
    games.execute("INSERT INTO Games (ID, Round) VALUES (99, '1')")
    revert_dedup(games)
    new = "SELECT Round, DuplicateGroup FROM FlaggedGames WHERE ID = 99"
    assert rows(games, new) == [("1", None)]
    assert counts_are_right(games)
    games.execute("DELETE FROM Games WHERE ID = 99")
    write_info(games)
    assert content_hash(games) == first


def test_numbers_of_annotations_that_came_since(games: apsw.Connection) -> None:
    """A restored annotation whose ID was reused gets a new ID."""
    first_run(games)
    copied = "SELECT Ply, Position, NAG, Variation FROM Annotations WHERE GameID IN (1, 10)"
    before = rows(games, copied)
    assert len(before) == 3
    begin_dedup_undo(games)
    revert_merges(games, None)
    games.execute("INSERT INTO Annotations (GameID, Ply, Position, NAG) VALUES (40, 1, 0, 9)")
    revert_dedup(games)
    assert sorted(rows(games, copied), key=repr) == sorted(before, key=repr)
    assert rows(games, "SELECT count(*) FROM Annotations WHERE GameID = 40 AND NAG = 9") == [(1,)]
    revert_merges(games, None)
    assert rows(games, copied) == []


def test_what_a_user_decided_stays(games: apsw.Connection) -> None:
    first_run(games)
    write_decision(games, 5, 6, SAME)
    second_run(games)
    write_decision(games, 7, 8, SAME)
    write_decision(games, 5, 9, SAME)
    revert_dedup(games)
    assert list(stored_possible_duplicates(games)) == [
        PossiblePair(5, 6, "join", 1.0, "a", SAME), PossiblePair(5, 9, "join", 1.0, "a", SAME),
        PossiblePair(7, 8, "join", 2.0, "b", SAME),
    ]  # fmt: skip


def test_what_a_user_decided_after_the_first_run_stays(games: apsw.Connection) -> None:
    first_run(games)
    write_decision(games, 5, 6, SAME)
    revert_dedup(games)
    assert [row[:2] for row in stored_possible_duplicates(games)] == [(5, 6)]


def test_flags_of_another_program_are_restored(games: apsw.Connection) -> None:
    games.execute("INSERT INTO DuplicateFlags VALUES (3, 'odd', 77, NULL, NULL)")
    before = content_hash(games)
    first_run(games)
    revert_dedup(games)
    assert content_hash(games) == before


# --- Info ----------------------------------------------------------------------------------------


def test_inputs_of_the_search_are_restored(games: apsw.Connection) -> None:
    first_run(games)
    write_state(games, "Duplicates searched by", "this")
    games.execute("UPDATE Info SET Value = 'then' WHERE Name = 'Duplicates flagged'")
    mark_stale(games)
    before = rows(games, "SELECT * FROM Info WHERE Name GLOB '*uplicates*' ORDER BY 1")
    second_run(games)
    write_state(games, "Duplicates searched by", "that")
    write_state(games, "Duplicates searched in", "more")
    revert_dedup(games)
    assert rows(games, "SELECT * FROM Info WHERE Name GLOB '*uplicates*' ORDER BY 1") == before


def test_later_stale_marks_stay(games: apsw.Connection) -> None:
    first_run(games)
    second_run(games)
    mark_stale(games)
    revert_dedup(games)
    assert are_stale(games)


# --- before players are consolidated -------------------------------------------------------------


def test_merges_are_forgotten(games: apsw.Connection) -> None:
    headers = "SELECT ID, WhiteID, Date, HasComments, HeaderOptimized FROM Games"
    before = rows(games, headers), rows(games, "SELECT * FROM Comments")
    first_run(games)
    flags = stored_flags(games)
    remove_games(games, [21])
    del flags[21]
    second_run(games)
    write_flags(games, flags)
    forget_merges(games)
    assert are_stale(games)
    restore_games(games, None)
    assert (rows(games, headers), rows(games, "SELECT * FROM Comments")) == before
    assert merged_ids(games) == []
    assert not can_undo_dedup(games)
    assert log_sizes(games) == {}


def test_nothing_to_forget(games: apsw.Connection) -> None:
    before = content_hash(games)
    forget_merges(games)
    assert content_hash(games) == before
    assert not are_stale(games)
