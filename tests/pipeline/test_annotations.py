"""Annotations of a group's records in the kept game: repetitions, and their places."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

import apsw
import pytest

from ocgdedup.game_kind import CHESS, GO, GameKind
from ocgdedup.pipeline.search.annotations import (
    NO_PLIES,
    AnnotatedDuplicate,
    MergedAnnotations,
    merge_annotations,
)
from ocgdedup.store.database import create_database
from ocgdedup.store.games import build_note_indexes, notes_of
from ocgdedup.store.merges import revert_merges
from ocgdedup.store.names import write_info
from ocgdedup.thresholds import NOTE_COMMENT, NOTE_NAG, NOTE_VARIATION

C, N, V = NOTE_COMMENT, NOTE_NAG, NOTE_VARIATION
Note = tuple[int, int, object]
KEPT = 9


@pytest.fixture
def games(tmp_path) -> apsw.Connection:
    connection = create_database(str(tmp_path / "a.db3"))
    connection.executemany("INSERT INTO Games (ID) VALUES (?)", [(n,) for n in range(1, 20)])
    build_note_indexes(connection)
    write_info(connection)
    return connection


def annotate(connection: apsw.Connection, game_id: int, *notes: Note) -> None:
    """Give a game annotations: (ply, kind, value), by rising ply."""
    places: dict[int, int] = {}
    for ply, kind, value in notes:
        place = places[ply] = places.get(ply, -1) + 1
        if kind == C:
            sql = "INSERT INTO Comments (GameID, Ply, Position, Comment) VALUES (?, ?, ?, ?)"
            connection.execute(sql, (game_id, ply, place, value))
        else:
            pair = (value, None) if kind == N else (None, value)
            connection.execute(
                "INSERT INTO Annotations (GameID, Ply, Position, NAG, Variation) "
                "VALUES (?, ?, ?, ?, ?)",
                (game_id, ply, place, *pair),
            )


def merged(
    connection: apsw.Connection, *ids: int, plies: int = 99, kind: GameKind = CHESS
) -> MergedAnnotations:
    duplicates = [AnnotatedDuplicate(KEPT, game_id, plies) for game_id in ids]
    return merge_annotations(connection, duplicates, kind)


def notes(connection: apsw.Connection, game_id: int = KEPT) -> list[Note]:
    result = notes_of(connection, [game_id]).get(game_id, [])
    return [(ply, kind, value) for ply, _, kind, value in result]


def sources(connection: apsw.Connection) -> list[int]:
    """Return the source game of each merged annotation, in the order of the tables."""
    sql = "SELECT FromGameID FROM MergedNotes ORDER BY NoteTable DESC, NoteID"
    return [game_id for (game_id,) in connection.execute(sql)]


def test_all_kinds_are_merged_behind_the_own_ones(games: apsw.Connection) -> None:
    annotate(games, KEPT, (2, N, 1), (2, C, "mine"), (2, V, "2. d4"))
    annotate(games, 3, (-1, C, "start"), (2, C, "theirs"), (2, N, 6), (2, V, "2. c4"), (7, N, 2))
    assert merged(games, 3) == (1, 0)
    assert notes(games) == [
        (-1, C, "start"), (2, N, 1), (2, N, 6), (2, C, "mine"), (2, V, "2. d4"),
        (2, C, "theirs"), (2, V, "2. c4"), (7, N, 2),
    ]  # fmt: skip


def test_an_unannotated_kept_game_gets_all_with_nags_first(games: apsw.Connection) -> None:
    annotate(games, 3, (2, C, "a"), (2, N, 6), (2, V, "2. c4"), (2, N, 1), (2, C, "b"))
    assert merged(games, 3) == (1, 0)
    assert notes(games) == [(2, N, 6), (2, N, 1), (2, C, "a"), (2, V, "2. c4"), (2, C, "b")]


@pytest.mark.parametrize(
    "repetition",
    [
        (2, C, "A fine move"), (2, C, " A  fine\n move "), (2, C, "fine move"), (2, C, "A"),
        (2, C, ""), (2, C, " "), (2, N, 1), (2, V, "2. d4 exd4"), (2, V, " 2. d4\texd4 "),
    ],
)  # fmt: skip
def test_repetitions_are_dropped(games: apsw.Connection, repetition: Note) -> None:
    own = [(2, N, 1), (2, C, "A fine move"), (2, V, "2. d4 exd4")]
    annotate(games, KEPT, *own)
    annotate(games, 3, repetition)
    assert merged(games, 3) == (0, 0)
    assert notes(games) == own
    assert games.execute("SELECT count(*) FROM UnmergedHeaders").get == 0


@pytest.mark.parametrize(
    "note",
    [
        (3, C, "A fine move"), (2, C, "A fine mov"), (2, C, "a fine move"), (2, C, "fine A"),
        (2, C, "A fine move indeed"), (3, N, 1), (2, N, 2), (3, V, "2. d4 exd4"),
        (2, V, "2. d4"), (2, C, "2. d4 exd4"),
    ],
)  # fmt: skip
def test_longer_text_or_another_ply_is_no_repetition(games: apsw.Connection, note: Note) -> None:
    own = [(2, N, 1), (2, C, "A fine move"), (2, V, "2. d4 exd4")]
    annotate(games, KEPT, *own)
    annotate(games, 3, note)
    assert merged(games, 3) == (1, 0)
    assert sorted(notes(games), key=repr) == sorted([*own, note], key=repr)


def test_comments_that_another_program_has_joined(games: apsw.Connection) -> None:
    annotate(games, KEPT, (2, C, "one"), (2, C, "two"))
    annotate(games, 3, (2, C, "one two"))
    assert merged(games, 3) == (0, 0)


def test_comments_that_another_program_has_taken_apart(games: apsw.Connection) -> None:
    annotate(games, 3, (2, C, "one"), (2, C, "two"))
    annotate(games, 4, (2, C, "one two"))
    assert merged(games, 3, 4) == (1, 0)
    assert notes(games) == [(2, C, "one two")]


def test_comments_of_one_record_do_not_repeat_each_other(games: apsw.Connection) -> None:
    annotate(games, 3, (2, C, "good"), (2, C, "a good move"))
    merged(games, 3)
    assert notes(games) == [(2, C, "good"), (2, C, "a good move")]


def test_order_is_by_most_annotations_then_by_id(games: apsw.Connection) -> None:
    annotate(games, 2, (2, C, "two"))
    annotate(games, 5, (2, C, "five"), (3, N, 1))
    annotate(games, 7, (2, C, "seven"), (3, N, 2))
    for ids in ((2, 5, 7), (7, 5, 2)):
        assert merged(games, *ids) == (1, 0)
        assert [note[2] for note in notes(games)] == ["five", "seven", "two", 1, 2]
        assert sources(games) == [5, 7, 2, 5, 7]
        revert_merges(games, None)


def test_annotations_after_the_divergence_stay_and_are_counted(games: apsw.Connection) -> None:
    annotate(games, KEPT, (5, C, "mine"))
    annotate(games, 3, (-1, C, "start"), (4, N, 1), (5, C, "behind"), (6, V, "4. d4"))
    annotate(games, 4, (4, N, 1))
    annotate(games, 5, (5, C, ""))  # no words, nothing is left
    assert merged(games, 3, 4, 5, plies=5) == (1, 1)
    assert notes(games) == [(-1, C, "start"), (4, N, 1), (5, C, "mine")]


def test_a_record_from_a_later_position(games: apsw.Connection) -> None:
    """Its first move is the sixth move of the kept game."""
    annotate(games, KEPT, (5, C, "mine"))
    annotate(games, 3, (-1, C, "position"), (0, N, 1), (0, V, "6. a3"), (3, C, "last"), (4, N, 2))
    merge = merge_annotations(games, [AnnotatedDuplicate(KEPT, 3, 4, shift=5)], CHESS)
    assert merge == (1, 1)
    assert notes(games) == [
        (4, C, "position"), (5, N, 1), (5, C, "mine"), (5, V, "6. a3"), (8, C, "last"),
    ]  # fmt: skip


def test_a_kept_game_from_a_later_position(games: apsw.Connection) -> None:
    annotate(games, 3, (-1, C, "game"), (-1, N, 1), (3, C, "before"), (5, N, 2), (8, C, "late"))
    merge = merge_annotations(games, [AnnotatedDuplicate(KEPT, 3, 8, shift=-5)], CHESS)
    assert merge == (1, 1)
    assert notes(games) == [(-1, C, "game"), (0, N, 2)]


def test_the_continuation_of_a_longer_duplicate(games: apsw.Connection) -> None:
    asked = []

    def write_rest(kept: int, duplicate: int, rest: Sequence[tuple]) -> str | None:
        asked.append((kept, duplicate, [note[0] for note in rest]))
        return "3. Qh5 {the rest}" if duplicate == 4 else None

    def merged_whole(*ids: int) -> MergedAnnotations:
        duplicates = [
            AnnotatedDuplicate(KEPT, game_id, 5, continues=game_id < 7) for game_id in ids
        ]
        return merge_annotations(games, duplicates, CHESS, write_rest=write_rest)

    annotate(games, 3, (4, N, 1), (5, C, "behind"))
    annotate(games, 4, (4, C, "here"), (5, N, 2), (6, N, 3))
    annotate(games, 5, (4, N, 1))
    annotate(games, 7, (6, N, 1))
    assert merged_whole(3, 4, 5, 7) == (1, 2)
    assert asked == [(KEPT, 3, [5]), (KEPT, 4, [5, 6])]
    assert notes(games) == [(4, N, 1), (4, C, "here"), (4, V, "3. Qh5 {the rest}")]


def test_variations_in_place_of_the_first_ply_that_differs(games: apsw.Connection) -> None:
    annotate(games, 3, (5, C, "behind"), (5, N, 1), (5, V, "3... a6"), (6, V, "4. a3"))
    duplicate = AnnotatedDuplicate(KEPT, 3, 5, branches=True)
    assert merge_annotations(games, [duplicate], CHESS) == (1, 1)
    assert notes(games) == [(5, V, "3... a6")]


def test_no_annotations_can_be_merged(games: apsw.Connection) -> None:
    annotate(games, 3, (-1, C, "start"))
    assert merged(games, 3, plies=NO_PLIES) == (0, 1)
    assert notes(games) == []


def test_comments_without_a_place(games: apsw.Connection) -> None:
    """As written by OCGDB."""
    games.execute("INSERT INTO Comments (GameID, Comment) VALUES (3, 'five'), (?, 'own')", (KEPT,))
    assert merged(games, 3, plies=0) == (1, 0)
    assert notes(games) == [(-1, C, "own"), (-1, C, "five")]


def test_many_games_at_once(games: apsw.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ocgdedup.pipeline.search.annotations._GROUPS_AT_ONCE", 2)
    for game_id in (1, 3, 5, 7, 11):
        annotate(games, game_id, (0, C, f"of {game_id}"))
    pairs = [(2, 1), (4, 3), (6, 5), (8, 7), (10, 11)]
    merge = merge_annotations(games, [AnnotatedDuplicate(*pair, 9) for pair in pairs], CHESS)
    assert merge == (5, 0)
    for kept, game_id in pairs:
        assert notes(games, kept) == [(0, C, f"of {game_id}")]


def test_very_many_comments_at_one_ply(games: apsw.Connection) -> None:
    """Above a limit only exact repetitions are dropped, since the time is quadratic."""
    annotate(games, 3, *((2, C, f"comment {n}") for n in range(100)))
    annotate(games, 4, (2, C, "comment 7"), (2, C, "comment"))
    merged(games, 3, 4)
    assert len(notes(games)) == 101


@pytest.mark.parametrize("seed", range(30))
def test_nothing_is_lost_or_repeated(games: apsw.Connection, seed: int) -> None:
    chance = random.Random(seed)
    words = ["good", "bad", "move", "of", "White"]
    all_notes: dict[int, list[Note]] = {}
    for game_id in (KEPT, 2, 3, 4):
        all_notes[game_id] = [
            chance.choice([
                (ply, C, " ".join(chance.choices(words, k=chance.randrange(4)))),
                (ply, N, chance.randrange(1, 4)),
                (ply, V, f"{ply}. {chance.choice(words)}"),
            ])
            for ply in sorted(chance.choices(range(-1, 3), k=chance.randrange(9)))
        ]  # fmt: skip
        annotate(games, game_id, *all_notes[game_id])
    plies = chance.randrange(4)
    merged(games, 2, 3, 4, plies=plies)
    result = notes(games)
    own = all_notes.pop(KEPT)
    rest = list(result)
    for note in own:
        rest.remove(note)
    assert len(set(rest)) == len(rest)
    assert not set(rest) & set(own)
    for note in (row for some in all_notes.values() for row in some if row[0] < plies):
        ply, kind, value = note
        if kind == C:
            texts = [str(text) for place, is_kind, text in result if (place, is_kind) == (ply, C)]
            joined = " ".join(text for text in texts if text)
            assert f" {value} " in f" {joined} " or not value
        else:
            assert note in result
    revert_merges(games, None)
    assert sorted(notes(games), key=repr) == sorted(own, key=repr)


# --- machine-made annotations ---------------------------------------------------------------------

ANALYSED = [
    (3, N, 2), (3, C, "(0.18 → 1.10) Mistake. Nc6 was best."), (3, C, "[%eval 1.1] [%clk 0:09:59]"),
    (3, V, "2... Nc6 3. Bb5 Nf6"), (4, C, "[%eval 1.05] [%clk 0:09:50]"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("theirs", "new"),
    [
        ((3, C, "[%eval 0.9]"), []),
        ((3, C, "[%eval 0.9] [%clk 0:10:00] [%emt 0:00:02]"), [(3, C, "[%emt 0:00:02]")]),
        ((3, C, "[%eval 0.9] Too slow. [%clk 0:10:00]"), [(3, C, "Too slow.")]),
        ((3, C, "+0.90/18 1.2s"), []),
        ((3, C, "+0.90/18 1.2s, too slow"), [(3, C, "too slow")]),
        ((3, C, "(0.2 → 0.9) Inaccuracy. d6 was best."), []),
        ((3, C, "(0.2 → 0.9) Inaccuracy. d6 was best. I like d6."), [(3, C, "I like d6.")]),
        ((3, C, "[%csl Rf6]"), [(3, C, "[%csl Rf6]")]),
        ((3, C, "[%tqu what now?]"), [(3, C, "[%tqu what now?]")]),
        ((3, V, "2... d6 {[%eval 0.8]} 3. d4"), []),
        ((3, V, "2... Nc6 {[%eval 0.8]} 3. Bb5 Nf6"), []),
        ((3, V, "2... d6 3. d4"), [(3, V, "2... d6 3. d4")]),
        ((3, V, "2... d6 {[%eval 0.8] solid}"), [(3, V, "2... d6 {[%eval 0.8] solid}")]),
        ((3, N, 6), [(3, N, 6)]),
    ],
)
def test_one_set_of_machine_made_annotations(
    games: apsw.Connection, theirs: Note, new: list[Note]
) -> None:
    annotate(games, KEPT, *ANALYSED)
    annotate(games, 3, theirs)
    merged(games, 3)
    assert sorted(notes(games), key=repr) == sorted([*ANALYSED, *new], key=repr)


def test_another_analysis_of_a_game_is_not_mixed_in(games: apsw.Connection) -> None:
    other = [
        (3, N, 6), (3, N, 10), (3, C, "[%eval 0.95] [%clk 0:09:59]"), (3, C, "I was tired"),
        (3, C, "(0.21 → 0.95) Inaccuracy. d6 was best."), (3, V, "2... d6 3. d4 Nf6"),
        (3, V, "2... d5 {a gambit}"), (5, N, 4), (5, C, "[%eval 5.0]"),
        (5, C, "(1.0 → 5.0) Blunder. Qe7 was best."), (5, V, "3... Qe7 4. Nf3"),
    ]  # fmt: skip
    annotate(games, KEPT, *ANALYSED)
    annotate(games, 3, *other)
    assert merged(games, 3) == (1, 1)
    expected = [*ANALYSED, (3, C, "I was tired"), (3, V, "2... d5 {a gambit}"), *other[-4:]]
    assert sorted(notes(games), key=repr) == sorted(expected, key=repr)


def test_what_one_analysis_lacks_comes_from_a_record_with_its_evaluation(
    games: apsw.Connection,
) -> None:
    annotate(games, KEPT, (3, C, "[%eval 1.1]"))
    annotate(games, 3, *ANALYSED)
    assert merged(games, 3) == (1, 0)
    values = [note[2] for note in notes(games)]
    assert values == [
        2, "[%eval 1.1]", "(0.18 → 1.10) Mistake. Nc6 was best.", "[%clk 0:09:59]",
        "2... Nc6 3. Bb5 Nf6", "[%eval 1.05] [%clk 0:09:50]",
    ]  # fmt: skip


def test_nags_without_words_are_a_verdict_too(games: apsw.Connection) -> None:
    annotate(games, KEPT, (3, N, 2), (3, C, "[%eval 1.1]"), (5, N, 4), (6, N, 3), (6, C, "Tal"))
    theirs = [(3, N, 6), (3, C, "[%eval 0.9]"), (3, V, "2... d6 3. d4"), (5, N, 2), (6, N, 6)]
    annotate(games, 3, *theirs, (5, C, "[%eval 5.0]"), (6, C, "[%eval 0.0] dubious"))
    assert merged(games, 3) == (1, 1)
    assert notes(games) == [
        (3, N, 2), (3, C, "[%eval 1.1]"), (5, N, 4), (5, C, "[%eval 5.0]"), (6, N, 3), (6, N, 6),
        (6, C, "Tal"), (6, C, "[%eval 0.0] dubious"),
    ]  # fmt: skip


def test_words_beside_a_new_clock_are_not_repeated(games: apsw.Connection) -> None:
    annotate(games, KEPT, (3, C, "A fine move"))
    annotate(games, 3, (3, C, "[%clk 0:09:59] A fine move"))
    merged(games, 3)
    assert notes(games) == [(3, C, "A fine move"), (3, C, "[%clk 0:09:59]")]


@pytest.mark.parametrize("seed", range(30))
def test_a_ply_has_one_analysis_and_all_words(games: apsw.Connection, seed: int) -> None:
    """Numbers of two records are never beside each other, and no word is lost."""
    chance = random.Random(seed)
    texts: dict[int, list[str]] = {}
    for game_id in (KEPT, 2, 3, 4):
        for ply in range(chance.randrange(4)):
            made = [
                f"[%eval {game_id}.{ply}]",
                f"[%clk 0:0{game_id}:00]",
                f"[%emt 0:00:0{game_id}]",
            ]
            made += [f"(0.00 → {game_id}.00) Mistake. a{game_id} was best.", f"word{game_id}"]
            chosen = chance.sample(made, chance.randrange(1, 6))
            texts.setdefault(ply, []).extend(text for text in chosen if text[0] == "w")
            cut = chance.randrange(len(chosen) + 1)
            annotate(games, game_id, *[
                (ply, C, " ".join(some)) for some in (chosen[:cut], chosen[cut:]) if some
            ])  # fmt: skip
    merged(games, 2, 3, 4)
    for ply, words in texts.items():
        text = " ".join(str(value) for place, _, value in notes(games) if place == ply)
        assert all(word in text.split() for word in words)
        for sign in ("%eval", "%clk", "%emt", "was best"):
            assert text.count(sign) <= 1
        analysed = re.findall(r"%eval (\d)|→ (\d)", text)
        assert len({first or second for first, second in analysed}) <= 1


# --- Go -----------------------------------------------------------------------------------------


def test_comments_and_branches_of_go_join_at_a_node(games: apsw.Connection) -> None:
    annotate(games, KEPT, (3, C, "mine"), (3, V, "LB[aa:1]"), (3, V, "(;B[aa])"))
    annotate(games, 3, (3, C, "theirs"), (3, V, "(;B[bb])"), (3, V, "(;B[aa])"), (4, V, "TR[cc]"))
    assert merged(games, 3, kind=GO) == (1, 0)
    assert notes(games) == [
        (3, C, "mine"), (3, V, "LB[aa:1]"), (3, V, "(;B[aa])"), (3, C, "theirs"),
        (3, V, "(;B[bb])"), (4, V, "TR[cc]"),
    ]  # fmt: skip


def test_properties_of_a_go_node_are_of_one_record(games: apsw.Connection) -> None:
    annotate(games, KEPT, (3, V, "LB[aa:1]"))
    annotate(games, 3, (3, V, "LB[bb:2]"), (4, V, "LB[cc:1]"), (4, V, "TR[dd]"))
    annotate(games, 5, (4, V, "SQ[ee]"), (4, C, "here"))
    assert merged(games, 3, 5, kind=GO) == (1, 2)
    assert notes(games) == [
        (3, V, "LB[aa:1]"), (4, V, "LB[cc:1]"), (4, V, "TR[dd]"), (4, C, "here"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("own", "theirs"),
    [((3, V, ";N[x]"), (3, C, "words")), ((3, C, "words"), (3, V, ";N[x]"))],
)
def test_go_nodes_without_a_move_are_not_mixed(
    games: apsw.Connection, own: Note, theirs: Note
) -> None:
    """Properties after another node would belong to it."""
    annotate(games, KEPT, own)
    annotate(games, 3, theirs)
    assert merged(games, 3, kind=GO) == (0, 1)
    assert notes(games) == [own]


@pytest.mark.parametrize("text", ["AB[aa]", "LB[bb:1]AW [cc]", ";AE[dd]", ";PL[B]AB[aa]C[x]"])
def test_setup_stones_stay_with_the_duplicate(games: apsw.Connection, text: str) -> None:
    """In the kept game they would change the start, and the next search would separate the two."""
    annotate(games, 3, (3, C, "words"), (3, V, text), (4, V, "(;AB[aa])"))
    assert merged(games, 3, kind=GO) == (1, 1)
    assert notes(games) == [(4, V, "(;AB[aa])")]


def test_equal_setup_stones_are_repetitions(games: apsw.Connection) -> None:
    annotate(games, KEPT, (3, V, "AB[aa]"))
    annotate(games, 3, (3, V, "AB[aa]"))
    assert merged(games, 3, kind=GO) == (0, 0)
    annotate(games, 4, (3, V, "AB[bb]"))
    assert merged(games, 4, kind=GO) == (0, 1)


@pytest.mark.parametrize(
    ("own", "theirs", "expected"),
    [("AB[aa]", "LB[bb:longer]", (0, 1)), ("LB[bb:1]", "LB[cc:longer]AB[aa]", (0, 1)),
     ("LB[bb:1]", "LB[cc:longer]", (1, 0))],
)  # fmt: skip
def test_longest_annotations_of_go_unless_stones_are_set_up(
    games: apsw.Connection, own: str, theirs: str, expected: tuple[int, int]
) -> None:
    annotate(games, KEPT, (3, V, own))
    annotate(games, 3, (3, V, theirs))
    duplicate = AnnotatedDuplicate(KEPT, 3, 9)
    assert merge_annotations(games, [duplicate], GO, longest=True) == expected
    assert notes(games) == [(3, V, theirs if expected[0] else own)]


def test_of_equally_long_annotations_the_own_ones_stay(games: apsw.Connection) -> None:
    annotate(games, KEPT, (3, C, "own"))
    annotate(games, 3, (3, C, "new"))
    duplicate = AnnotatedDuplicate(KEPT, 3, 9)
    assert merge_annotations(games, [duplicate], CHESS, longest=True) == (0, 1)
    assert notes(games) == [(3, C, "own")]


def test_longest_is_the_most_text_then_the_most_annotations(games: apsw.Connection) -> None:
    annotate(games, KEPT, (3, C, "12345"))
    annotate(games, 3, (3, C, " 1 2  4 "), (3, N, 1))
    annotate(games, 4, (3, C, "123"), (4, V, "45"), (5, C, "late " * 9))
    duplicates = [AnnotatedDuplicate(KEPT, game_id, 5) for game_id in (3, 4)]
    assert merge_annotations(games, duplicates, CHESS, longest=True) == (1, 1)
    assert notes(games) == [(3, C, " 1 2  4 "), (3, N, 1)][::-1]
    revert_merges(games, None)
    assert notes(games) == [(3, C, "12345")]


def test_a_go_kept_game_without_any_gets_nodes_too(games: apsw.Connection) -> None:
    theirs = [(3, C, "a"), (3, V, ";N[x]"), (3, C, "b"), (3, V, "LB[aa:1]")]
    annotate(games, 3, *theirs)
    assert merged(games, 3, kind=GO) == (1, 0)
    assert notes(games) == theirs


def test_megabytes_of_annotations_are_not_merged(
    games: apsw.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of records that say the same are not counted as left."""
    monkeypatch.setattr("ocgdedup.store.games.NOTES_BYTES", 2000)
    annotate(games, KEPT, *[(ply, C, "kept") for ply in range(10)])
    annotate(games, 1, *[(ply, C, "kept") for ply in range(10)])
    annotate(games, 2, *[(ply, C, "kept") for ply in range(9)], (9, C, "other"))
    annotate(games, 3, (2, C, "small"))
    duplicates = [AnnotatedDuplicate(KEPT, 1, 99), AnnotatedDuplicate(KEPT, 2, 99)]
    small = AnnotatedDuplicate(4, 3, 99)
    assert merge_annotations(games, [*duplicates, small], CHESS) == MergedAnnotations(1, 1)
    assert notes(games) == [(ply, C, "kept") for ply in range(10)]
    assert notes(games, 4) == [(2, C, "small")]
