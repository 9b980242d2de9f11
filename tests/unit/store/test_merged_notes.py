"""Annotations of copies that go into their masters, and out again."""

from __future__ import annotations

import apsw
import pytest

from ocgdedup.store.games import build_note_indexes, notes_between
from ocgdedup.store.merged_headers import Merge, merged_ids, take_back_merges, write_merges
from ocgdedup.store.merged_notes import (
    AddedVariation,
    CopyWithNotes,
    add_variations,
    copy_notes,
)
from ocgdedup.store.names import write_info

FLAGS = "SELECT ID, HasComments, HasVariations, HeaderOptimized FROM Games ORDER BY ID"


@pytest.fixture
def games(connection: apsw.Connection, add_games) -> apsw.Connection:
    """Games 1 to 3 have no annotations, 4 and 5 all kinds, 6 a NAG alone."""
    add_games(
        *[{"HasComments": int(n in (4, 5)), "HasVariations": int(n == 4)} for n in range(1, 7)]
    )
    connection.execute(
        "INSERT INTO Comments (GameID, Ply, Comment, Position) VALUES "
        "(4, -1, 'start', 0), (5, 3, 'five', 1), (4, 2, 'ça va', 1), (4, 9, 'late', 0)"
    )
    connection.execute(
        "INSERT INTO Annotations (GameID, Ply, Position, NAG, Variation) VALUES "
        "(4, 2, 0, 1, NULL), (4, 2, 2, NULL, '2. Nf3'), (6, 0, 0, 2, NULL), (4, 9, 1, 6, NULL)"
    )
    build_note_indexes(connection)
    write_info(connection)
    return connection


def rows(connection: apsw.Connection, sql: str) -> list[tuple]:
    return connection.execute(sql).fetchall()


def notes(connection: apsw.Connection, game_id: int) -> list[tuple]:
    return notes_between(connection, game_id, game_id).get(game_id, [])


def content(connection: apsw.Connection) -> list[list[tuple]]:
    tables = ("Games", "Comments", "Annotations", "UnmergedHeaders", "MergedNotes", "MergedTags")
    return [rows(connection, f"SELECT * FROM {table}") for table in tables]


def comment_count(connection: apsw.Connection) -> int:
    return int(dict(rows(connection, "SELECT * FROM Info"))["CommentCount"])


def test_a_full_disk_is_told_as_one(games: apsw.Connection) -> None:
    """It rolls back, and with it the temporary table that was to be dropped."""
    path = games.filename
    games.execute("UPDATE Comments SET Comment = ? WHERE GameID = 4", ("x" * 100_000,))
    games.close()
    full = apsw.Connection(path)
    for _ in range(2):
        full.pragma("max_page_count", full.pragma("page_count"))
        full.execute("BEGIN IMMEDIATE")
        with pytest.raises(apsw.FullError):
            copy_notes(full, [CopyWithNotes(1, 4, 10)])
        if full.in_transaction:
            full.execute("ROLLBACK")
    full.pragma("max_page_count", 10_000)
    assert copy_notes(full, [CopyWithNotes(1, 4, 10)]) == {1: 4}
    full.close()


def test_all_kinds_are_copied(games: apsw.Connection) -> None:
    own = notes(games, 4)
    assert copy_notes(games, [CopyWithNotes(1, 4, 10)]) == {1: 4}
    assert notes(games, 1) == notes(games, 4) == own
    assert len(own) == 6
    assert rows(games, FLAGS)[0] == (1, 1, 1, 1)
    assert comment_count(games) == 7
    assert rows(games, "SELECT FromGameID, NoteTable FROM MergedNotes WHERE GameID = 1") == [
        *[(4, "Annotations")] * 3, *[(4, "Comments")] * 3,
    ]  # fmt: skip
    assert merged_ids(games) == [1]


def test_notes_of_plies_that_the_master_lacks_stay(games: apsw.Connection) -> None:
    copy_notes(games, [CopyWithNotes(1, 4, 9), CopyWithNotes(2, 4, 2), CopyWithNotes(3, 4, 3)])
    assert notes(games, 1) == notes(games, 3) == notes(games, 4)[:-2]
    assert notes(games, 2) == [(-1, 0, 1, "start")]
    assert rows(games, FLAGS)[1:3] == [(2, 1, 0, 1), (3, 1, 1, 1)]


@pytest.mark.parametrize("master", [4, 5, 6])
def test_a_master_with_notes_of_its_own_gets_none(games: apsw.Connection, master: int) -> None:
    before = content(games)
    copies = [CopyWithNotes(master, copy, 100) for copy in (4, 5, 6) if copy != master]
    assert copy_notes(games, copies) == {}
    assert content(games) == before


def test_the_first_copy_with_notes_counts(games: apsw.Connection) -> None:
    copies = [CopyWithNotes(1, 2, 9), CopyWithNotes(1, 5, 3), CopyWithNotes(1, 6, 9),
              CopyWithNotes(2, 5, 9), CopyWithNotes(1, 4, 9), CopyWithNotes(3, 2, 9)]  # fmt: skip
    assert copy_notes(games, copies) == {1: 6, 2: 5}
    assert notes(games, 1) == [(0, 0, 2, 2)]
    assert notes(games, 2) == [(3, 1, 1, "five")]
    assert notes(games, 3) == []
    assert rows(games, FLAGS)[0] == (1, 0, 0, 1)  # neither comments nor variations: a NAG


def test_no_copies_and_no_notes(games: apsw.Connection) -> None:
    assert copy_notes(games, []) == {}
    games.execute("DELETE FROM Comments")
    games.execute("DELETE FROM Annotations")
    assert copy_notes(games, [CopyWithNotes(1, 4, 9)]) == {}
    assert merged_ids(games) == []


def test_comments_without_a_place(games: apsw.Connection) -> None:
    """As OCGDB writes them."""
    games.execute("UPDATE Comments SET Ply = NULL, Position = NULL WHERE GameID = 5")
    assert copy_notes(games, [CopyWithNotes(1, 5, 0)]) == {1: 5}
    assert notes(games, 1) == [(-1, 0, 1, "five")]


def test_variations_are_added_as_the_last_of_their_ply(games: apsw.Connection) -> None:
    add_variations(
        games,
        [AddedVariation(4, 2, "2. a3", 1), AddedVariation(4, 2, "2. h3", 2),
         AddedVariation(3, 7, "4... Kf8", 1)],
    )  # fmt: skip
    assert [note for note in notes(games, 4) if note[0] == 2] == [
        (2, 0, 2, 1), (2, 1, 1, "ça va"), (2, 2, 3, "2. Nf3"), (2, 3, 3, "2. a3"),
        (2, 4, 3, "2. h3"),
    ]  # fmt: skip
    assert notes(games, 3) == [(7, 0, 3, "4... Kf8")]
    assert rows(games, FLAGS)[2:4] == [(3, 0, 1, 1), (4, 1, 1, 1)]
    assert comment_count(games) == 4
    found = rows(games, "SELECT GameID, FromGameID FROM MergedNotes")
    assert found == [(3, 1), (4, 1), (4, 2)]


def test_all_is_taken_back(games: apsw.Connection) -> None:
    before = content(games)
    write_merges(games, [Merge(1, {"Round": "7"})])
    copy_notes(games, [CopyWithNotes(1, 4, 10), CopyWithNotes(2, 5, 10)])
    add_variations(games, [AddedVariation(4, 2, "2. a3", 1), AddedVariation(1, 2, "2. a3", 3)])
    take_back_merges(games, [2, 4])
    assert notes(games, 2) == []
    assert len(notes(games, 1)) == 7
    take_back_merges(games, None)
    assert content(games) == before
    assert comment_count(games) == 4


def test_a_merge_anew_takes_the_notes_back(games: apsw.Connection) -> None:
    copy_notes(games, [CopyWithNotes(1, 4, 10)])
    write_merges(games, [Merge(1, {"Round": "7"})])
    assert notes(games, 1) == []
    assert rows(games, FLAGS)[0] == (1, 0, 0, 1)


def test_a_number_that_was_given_again(games: apsw.Connection) -> None:
    """IDs of Annotations may come again: the row is then somebody else's, and is left alone."""
    add_variations(games, [AddedVariation(3, 7, "4... Kf8", 1)])
    (note_id,) = rows(games, "SELECT max(ID) FROM Annotations")[0]
    games.execute("DELETE FROM Annotations WHERE GameID = 3")
    games.execute("INSERT INTO Annotations (GameID, Ply, Position, NAG) VALUES (2, 0, 0, 4)")
    assert rows(games, "SELECT max(ID) FROM Annotations") == [(note_id,)]
    take_back_merges(games, None)
    assert notes(games, 2) == [(0, 0, 2, 4)]
