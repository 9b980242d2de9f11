"""Annotations of duplicates merged into kept games, and their undo."""

from __future__ import annotations

import apsw
import pytest

from ocgdedup.store.games import build_note_indexes, notes_of
from ocgdedup.store.merges import (
    AddedNote,
    AddedVariation,
    Merge,
    add_notes,
    add_variations,
    annotated_among,
    merged_ids,
    revert_merges,
    write_merges,
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
    return notes_of(connection, [game_id]).get(game_id, [])


def content(connection: apsw.Connection) -> list[list[tuple]]:
    tables = ("Games", "Comments", "Annotations", "UnmergedHeaders", "MergedNotes", "MergedTags")
    return [rows(connection, f"SELECT * FROM {table}") for table in tables]


def comment_count(connection: apsw.Connection) -> int:
    return int(dict(rows(connection, "SELECT * FROM Info"))["CommentCount"])


def added(game_id: int, from_id: int, *notes: tuple) -> list[AddedNote]:
    """Return annotations, each (ply, position, kind, value), for a game."""
    return [AddedNote(game_id, *note, from_id) for note in notes]


def add_all_of(connection: apsw.Connection, from_id: int, game_id: int) -> None:
    add_notes(connection, added(game_id, from_id, *notes(connection, from_id)))


def test_a_full_disk_is_reported_and_rolls_back(games: apsw.Connection) -> None:
    path = games.filename
    games.execute("UPDATE Comments SET Comment = ? WHERE GameID = 4", ("x" * 100_000,))
    games.close()
    full = apsw.Connection(path)
    before = content(full)
    full.pragma("max_page_count", full.pragma("page_count"))
    full.execute("BEGIN IMMEDIATE")
    with pytest.raises(apsw.FullError):
        add_all_of(full, 4, 1)
    if full.in_transaction:
        full.execute("ROLLBACK")
    assert content(full) == before
    full.close()


def test_all_kinds_are_added(games: apsw.Connection) -> None:
    own = notes(games, 4)
    add_all_of(games, 4, 1)
    assert notes(games, 1) == notes(games, 4) == own
    assert len(own) == 6
    assert rows(games, FLAGS)[0] == (1, 1, 1, 1)
    assert comment_count(games) == 7
    assert rows(games, "SELECT FromGameID, NoteTable FROM MergedNotes WHERE GameID = 1") == [
        *[(4, "Annotations")] * 3, *[(4, "Comments")] * 3,
    ]  # fmt: skip
    assert merged_ids(games) == [1]


def test_rows_are_noted_by_their_ids(games: apsw.Connection) -> None:
    """Even if an ID is reused or the largest ID is used."""
    games.execute("INSERT INTO Annotations (ID, GameID, Ply, Position, NAG) "
                  "VALUES (9223372036854775807, 6, 1, 0, 3)")  # fmt: skip
    add_notes(games, added(1, 4, (0, 0, 2, 7), (1, 0, 2, 8), (1, 1, 1, "x")))
    stored = rows(
        games,
        "SELECT Note.GameID, NAG FROM MergedNotes JOIN Annotations AS Note ON Note.ID = NoteID "
        "WHERE NoteTable = 'Annotations' ORDER BY NAG",
    )
    assert stored == [(1, 7), (1, 8)]


def test_own_rows_of_an_annotated_game_stay_byte_for_byte(games: apsw.Connection) -> None:
    tables = ("Comments", "Annotations")
    before = [rows(games, f"SELECT * FROM {name} WHERE GameID = 4") for name in tables]
    add_notes(games, added(4, 5, (2, 3, 1, "new"), (2, 1, 2, 5), (7, 0, 3, "4. a3")))
    for name, own in zip(tables, before, strict=True):
        assert rows(games, f"SELECT * FROM {name} WHERE GameID = 4")[: len(own)] == own
    assert len(notes(games, 4)) == 9
    revert_merges(games, [4])
    assert [rows(games, f"SELECT * FROM {name} WHERE GameID = 4") for name in tables] == before


def test_a_merged_nag_comes_before_what_has_its_position(games: apsw.Connection) -> None:
    add_notes(games, added(4, 6, (2, 1, 2, 14), (-1, 0, 2, 22)))
    own_notes = [note[2:] for note in notes(games, 4) if note[0] in (-1, 2)]
    assert own_notes == [(2, 22), (1, "start"), (2, 1), (2, 14), (1, "ça va"), (3, "2. Nf3")]


def test_games_with_nags_alone_are_annotated(games: apsw.Connection) -> None:
    assert annotated_among(games, range(9)) == {4, 6}
    assert rows(games, FLAGS)[5] == (6, 0, 0, None)
    games.execute("DELETE FROM Annotations")
    assert annotated_among(games, range(9)) == set()


def test_nothing_to_add(games: apsw.Connection) -> None:
    before = content(games)
    add_notes(games, [])
    assert content(games) == before


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
    stored = rows(games, "SELECT GameID, FromGameID FROM MergedNotes")
    assert stored == [(3, 1), (4, 1), (4, 2)]


def test_all_is_taken_back(games: apsw.Connection) -> None:
    before = content(games)
    write_merges(games, [Merge(1, {"Round": "7"})])
    add_all_of(games, 4, 1)
    add_all_of(games, 5, 2)
    add_variations(games, [AddedVariation(4, 2, "2. a3", 1), AddedVariation(1, 2, "2. a3", 3)])
    revert_merges(games, [2, 4])
    assert notes(games, 2) == []
    assert len(notes(games, 1)) == 7
    revert_merges(games, None)
    assert content(games) == before
    assert comment_count(games) == 4


def test_a_merge_anew_takes_the_notes_back(games: apsw.Connection) -> None:
    add_all_of(games, 4, 1)
    write_merges(games, [Merge(1, {"Round": "7"})])
    assert notes(games, 1) == []
    assert rows(games, FLAGS)[0] == (1, 0, 0, 1)


def test_a_number_that_was_given_again(games: apsw.Connection) -> None:
    """IDs of Annotations may be reused; the row then belongs to another game, and stays."""
    add_variations(games, [AddedVariation(3, 7, "4... Kf8", 1)])
    (note_id,) = rows(games, "SELECT max(ID) FROM Annotations")[0]
    games.execute("DELETE FROM Annotations WHERE GameID = 3")
    games.execute("INSERT INTO Annotations (GameID, Ply, Position, NAG) VALUES (2, 0, 0, 4)")
    assert rows(games, "SELECT max(ID) FROM Annotations") == [(note_id,)]
    revert_merges(games, None)
    assert notes(games, 2) == [(0, 0, 2, 4)]
