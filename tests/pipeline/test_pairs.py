"""Pairs in output and reports: the first difference of two games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocgdedup._kernels.chess import decode_san
from ocgdedup.commands.create import CreateRequest, create
from ocgdedup.errors import IntegrityError, UsageError
from ocgdedup.pipeline.search.detect import SearchOptions
from ocgdedup.pipeline.search.overview import reported_pairs
from ocgdedup.pipeline.search.pairs import (
    Overlap,
    ShownGame,
    first_difference,
    games_of,
    ids_of_group,
    overlap_of,
    pairs_of,
)
from ocgdedup.store.connection import Database
from ocgdedup.store.database import open_database
from ocgdedup.store.possible_duplicates import PossiblePair
from tests.reference.ocgdb_database import OcgdbGame, write_ocgdb
from tests.support.databases import Silent, change, flag
from tests.support.pgn_text import game
from tests.support.reading import read

RUY = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6"
AFTER_4_PLIES = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - {}"
REST = "1. Bb5 a6 2. Ba4 Nf6 3. O-O Be7 4. Re1 b5 5. Bb3 d6"


def shown(movetext: str, fen: str | None = None) -> ShownGame:
    tags = {"FEN": fen, "SetUp": "1"} if fen else {}
    (row,) = read(game(f"{movetext} *", **tags)).games
    return ShownGame(1, [], decode_san(row["Moves2"], fen), row["Moves2"], fen)


def overlap(left: ShownGame, right: ShownGame) -> tuple[int, ...] | None:
    overlap_found = overlap_of(left, right)
    return overlap_found and tuple(overlap_found)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (RUY, RUY, (0, 0, 14, 0)),
        (RUY, "1. e4 e5 2. Nf3 Nc6", (0, 0, 4, 0)),
        ("1. e4 e5 2. Nf3 Nc6", RUY, (0, 0, 4, 0)),
        (RUY, RUY.replace("a6", "h6"), (0, 0, 5, 8)),  # one ply replaced
        (RUY, RUY.replace(" 7. Bb3 d6", " 7. Bb3 d5"), (0, 0, 13, 0)),
        (RUY, "1. d4 d5", (0, 0, 0, 0)),
        (RUY, "", (0, 0, 0, 0)),
        ("", "", (0, 0, 0, 0)),
        # Knights that go out and home once more.
        (RUY, "1. Nf3 Nf6 2. Ng1 Ng8 " + RUY, (0, 0, 0, 14)),
    ],
)
def test_overlap_from_one_start(left: str, right: str, expected: tuple[int, ...]) -> None:
    assert overlap(shown(left), shown(right)) == expected


def test_a_game_that_starts_inside_the_other() -> None:
    whole, part = shown(RUY), shown(REST, AFTER_4_PLIES.format("2 3"))
    assert overlap(whole, part) == (4, 0, 10, 0)
    assert overlap(part, whole) == (0, 4, 10, 0)
    slip = shown(REST.replace("a6", "h6"), AFTER_4_PLIES.format("0 1"))
    assert overlap(whole, slip) == (4, 0, 1, 8)


def test_counters_make_no_other_start() -> None:
    games = [shown(REST, AFTER_4_PLIES.format(counters)) for counters in ("2 3", "0 1")]
    assert overlap(*games) == (0, 0, 10, 0)
    standard = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    assert overlap(shown(RUY), shown(RUY, standard)) == (0, 0, 14, 0)


def test_overlap_is_the_longest_of_several() -> None:
    start = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 0 1"
    twice = shown("1. e4 e5 2. Nf3 Nf6 3. Ng1 Ng8 4. Nf3 Nc6 5. Bb5 a6")
    assert overlap(twice, shown("1... Nc6 2. Bb5 a6", start)) == (7, 0, 3, 0)


def test_starts_without_an_overlap() -> None:
    other = shown("1. e4 *", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    assert overlap(shown(RUY), other) is None


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (b"", b"", None),
        (b"aabb", b"aabb", None),
        (b"aabb", b"aacc", 2),
        (b"aabb", b"aa", 2),
        (b"", b"aa", 1),
        (b"axbb", b"aabb", 1),
    ],
)
def test_first_difference(left: bytes, right: bytes, expected: int | None) -> None:
    assert first_difference(left, right) == expected


def test_first_difference_of_start_positions() -> None:
    fen = AFTER_4_PLIES.format
    assert first_difference(b"", b"", fen("2 3")) == 0
    assert first_difference(b"", b"", fen("2 3"), fen("0 1")) is None


blobs = st.lists(st.sampled_from([b"aa", b"ab", b"ba"]), max_size=6)


@given(blobs, blobs)
def test_first_difference_is_that_of_a_loop(left: list[bytes], right: list[bytes]) -> None:
    places = range(max(len(left), len(right)))
    expected = next((i + 1 for i in places if left[i : i + 1] != right[i : i + 1]), None)
    assert first_difference(b"".join(left), b"".join(right)) == expected


# --- out of a database ----------------------------------------------------------------------------


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """Games 1 to 3 are a group with kept game 2; game 4 is a possible duplicate of 3."""
    text = (
        game(f"{RUY} {{good}} 1-0", Date="1999.01.02", Round="3", Result="1-0", WhiteElo="2500")
        + game(f"{RUY} 8. c3 1-0", Result="1-0", Site="Linz", ECO="C90", TimeControl="40/7200")
        + game("1. e4 (1. d4) e5 *", Annotator="Ålesund", WhiteFideId="77")
        + game("*")
    )
    (tmp_path / "in.pgn").write_text(text, encoding="utf-8")
    path = tmp_path / "a.db3"
    create(CreateRequest(str(path), [str(tmp_path / "in.pgn")]), Silent())
    for game_id, status in ((1, "join"), (2, None), (3, "subsumption")):
        flag(path, game_id, status, 2)
    change(
        path, "INSERT INTO Suspects VALUES (3, 4, 'subsumption', 0.5, 'no moves', NULL, NULL, NULL)"
    )
    opened = open_database(str(path))
    yield opened
    opened.close()


def test_tags_are_those_of_an_export(database: Database) -> None:
    first, second, third, fourth = games_of(database, [1, 2, 3, 4])
    assert first.tags == [
        ("Event", "Test"), ("Site", "?"), ("Date", "1999.01.02"), ("Round", "3"),
        ("White", "Alpha, A"), ("Black", "Beta, B"), ("Result", "1-0"), ("WhiteElo", "2500"),
    ]  # fmt: skip
    assert second.tags[7:] == [("ECO", "C90"), ("TimeControl", "40/7200")]
    assert third.tags[7:] == [("Annotator", "Ålesund"), ("WhiteFideId", "77")]
    assert fourth.tags[2:4] == [("Date", "????.??.??"), ("Round", "?")]
    assert fourth.tags[6:] == [("Result", "*")]


def test_the_rest_of_a_game(database: Database) -> None:
    first, second, third = games_of(database, [1, 2, 3])
    assert first.texts[:5] == ["e4", "e5", "Nf3", "Nc6", "Bb5"]
    assert (len(first.texts), len(second.texts), len(third.texts)) == (14, 15, 2)
    assert [(g.status, g.group) for g in (first, second, third)] == [
        ("join", 2), (None, 2), ("subsumption", 2)
    ]  # fmt: skip
    assert (first.has_comments, first.has_variations) == (True, False)
    assert (third.has_comments, third.has_variations) == (False, True)
    assert (third.source or "").endswith("in.pgn")
    assert third.number == 3


def test_pairs_in_the_order_asked_for(database: Database) -> None:
    pairs = [*pairs_of(database, [(1, 3), (3, 1), (3, 4)])]
    assert [(p.left.game_id, p.right.game_id) for p in pairs] == [(1, 3), (3, 1), (3, 4)]
    assert pairs[0].overlap == Overlap(0, 0, 2, 0)
    assert pairs[0].state is None
    assert pairs[2].state == PossiblePair(3, 4, "subsumption", 0.5, "no moves")


@pytest.mark.parametrize("member", [1, 2, 3])
def test_group_by_any_member(database: Database, member: int) -> None:
    pairs = [*pairs_of(database, ids_of_group(database, member))]
    assert [(p.left.game_id, p.right.game_id) for p in pairs] == [(2, 1), (2, 3)]


def test_a_game_without_a_group(database: Database) -> None:
    with pytest.raises(UsageError, match="game 4 is in no group of duplicates"):
        ids_of_group(database, 4)
    with pytest.raises(UsageError, match=r"there is no game with ID 9$"):
        ids_of_group(database, 9)


def test_unknown_games_are_named_before_any_is_shown(database: Database) -> None:
    pairs = pairs_of(database, [(1, 2), (1, 99), (-5, 10**20)])
    with pytest.raises(UsageError, match=r"no game with ID -5, 99, 100000000000000000000$"):
        next(pairs)


def test_damaged_moves(database: Database) -> None:
    change(database.path, "UPDATE Games SET Moves2 = x'ffff' WHERE ID = 2")
    with pytest.raises(IntegrityError, match=r"game 2: .*the stored moves are damaged"):
        games_of(database, [1, 2])


def test_reported_pairs(database: Database) -> None:
    shown_pairs = [
        (r.pair.status, r.pair.kept.game_id, r.pair.game.game_id, r.first_difference)
        for r in reported_pairs(database.connection, SearchOptions())
    ]
    assert shown_pairs == [("join", 2, 1, 15), ("subsumption", 2, 3, 3), ("suspect", 3, 4, 1)]


def test_a_file_of_ocgdb(tmp_path: Path) -> None:
    path = tmp_path / "ocgdb.db3"
    write_ocgdb(path, [OcgdbGame("Alpha", "Beta", "e4 e5"), OcgdbGame("Alpha", "Beta", "e4")])
    database = open_database(str(path))
    assert not database.is_ours
    (pair,) = pairs_of(database, [(1, 2)])
    database.close()
    assert dict(pair.left.tags)["Date"] == "1999.01.02"
    assert (pair.left.texts, pair.right.texts) == (["e4", "e5"], ["e4"])
    assert pair[2:] == (Overlap(0, 0, 1, 0), None, 0)
