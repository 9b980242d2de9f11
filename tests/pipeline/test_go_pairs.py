"""Pairs of Go games: moves in SGF form, the second game rotated to match the first."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ocgdedup._kernels.go import board_after, rotate_moves
from ocgdedup.errors import IntegrityError
from ocgdedup.pipeline.search.detect import SearchOptions
from ocgdedup.pipeline.search.go_records import (
    best_symmetry,
    rotated_start,
    sgf_moves,
)
from ocgdedup.pipeline.search.overview import reported_pairs
from ocgdedup.pipeline.search.pairs import (
    Overlap,
    ShownPair,
    board_before_difference,
    fen_before_difference,
    first_different_moves,
    pairs_of,
)
from ocgdedup.store.connection import Database
from ocgdedup.store.database import open_database
from tests.reference.go_symmetries import rotated, rotated_point
from tests.support.databases import change, flag
from tests.support.go_games import GoGame, blob_of, write_go_database
from tests.support.go_moves_text import made_moves

MOVES = made_moves(1, 60)
SYMMETRIES = range(8)


@contextmanager
def database_of(folder: Path, *games: GoGame) -> Iterator[Database]:
    write_go_database(folder / "go.db3", games)
    database = open_database(str(folder / "go.db3"))
    try:
        yield database
    finally:
        database.close()


def pair_of(folder: Path, left: GoGame, right: GoGame) -> ShownPair:
    with database_of(folder, left, right) as database:
        (pair,) = pairs_of(database, [(1, 2)])
    return pair


def game(moves: list[str], start: str | None = None) -> GoGame:
    return GoGame(" ".join(moves), start)


def slipped(moves: list[str], *places: int) -> list[str]:
    """Return the moves with unique other moves at some places."""
    spare = [f"{colour}{x}s" for x in "abcdefghij" for colour in "BW"]
    spare = [point for point in spare if point[1:] not in {move[1:] for move in moves}]
    return [spare.pop() if place in places else move for place, move in enumerate(moves)]


def test_moves_are_written_as_sgf_does() -> None:
    assert sgf_moves(blob_of("Bpd Wdd B W Baa")) == ["B[pd]", "W[dd]", "B[]", "W[]", "B[aa]"]


@pytest.mark.parametrize("blob", [b"o", b"\x1a\0", b"\0\x10"])
def test_invalid_moves(blob: bytes) -> None:
    with pytest.raises(ValueError, match=r"multiple|is on no board"):
        sgf_moves(blob)


@pytest.mark.parametrize("symmetry", SYMMETRIES)
@pytest.mark.parametrize("lines", [9, 19, 25])
def test_a_board_is_rotated_by_the_documented_rule(symmetry: int, lines: int) -> None:
    moves = [*made_moves(symmetry, 50, lines), "B", "W"]
    expected = blob_of(" ".join(rotated(moves, symmetry, lines)))
    assert rotate_moves(blob_of(" ".join(moves)), lines, symmetry) == expected


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_a_start_is_rotated_and_stays_sorted(symmetry: int) -> None:
    rotated = rotated_start("SZ[13]AB[aa][cd][dc]AW[kl]", symmetry)
    black = sorted(rotated_point(point, symmetry, 13) for point in ("aa", "cd", "dc"))
    assert rotated == f"SZ[13]AB[{']['.join(black)}]AW[{rotated_point('kl', symmetry, 13)}]"
    assert rotated_start(None, symmetry) is None


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_the_rotation_of_a_duplicate_is_found(symmetry: int) -> None:
    """best_symmetry() returns the symmetry that rotates the duplicate back, in spite of slips."""
    copy = rotated(slipped(MOVES, 2, 30, 59), symmetry)
    blob, other = blob_of(" ".join(MOVES)), blob_of(" ".join(copy))
    back = best_symmetry(blob, other)
    assert rotated(copy, back) == slipped(MOVES, 2, 30, 59)


def test_a_move_omitted_in_a_rotated_duplicate() -> None:
    copy = rotated(MOVES[:10] + MOVES[11:], 2)
    assert best_symmetry(blob_of(" ".join(MOVES)), blob_of(" ".join(copy))) == 6


def test_different_games_are_not_rotated() -> None:
    """A few equal moves at the start after a rotation are no evidence."""
    other = rotated(MOVES[:20], 3) + made_moves(7, 361)[20:60]
    assert best_symmetry(blob_of(" ".join(MOVES)), blob_of(" ".join(other))) == 0
    assert best_symmetry(b"", blob_of(" ".join(other))) == 0


def test_passes_and_starts_do_not_hide_a_rotation() -> None:
    moves = [*MOVES[:20], *["B", "W"] * 20]
    left, right = blob_of(" ".join(moves)), blob_of(" ".join(rotated(moves, 5)))
    assert best_symmetry(left, right) == 5
    start = "SZ[9]AB[aa][ba]AW[cc]"
    assert best_symmetry(b"", b"", start, rotated_start(start, 5)) == 5
    assert best_symmetry(left, right, "SZ[13]", None) == 0


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_the_right_game_is_shown_in_the_orientation_of_the_left(
    tmp_path: Path, symmetry: int
) -> None:
    start = "SZ[19]AB[aa][ss]AW[bc]"
    played = [move for move in MOVES if move[1:] not in ("aa", "ss", "bc")]
    other = rotated(slipped(played, 20), symmetry)
    pair = pair_of(tmp_path, game(played, start), game(other, rotated_start(start, symmetry)))
    assert pair.right.fen == pair.left.fen == start
    assert dict(pair.right.tags)["Start"] == start
    assert pair.overlap == Overlap(0, 0, 20, len(played) - 21)
    assert bool(pair.symmetry) == bool(symmetry)
    assert board_before_difference(pair) == board_after(blob_of(" ".join(played)), start, 20)
    assert first_different_moves(pair) == (pair.left.texts[20], pair.right.texts[20])
    assert fen_before_difference(pair) is None


def test_tags_are_those_of_the_game(tmp_path: Path) -> None:
    record = GoGame("Bpd", "SZ[9]AB[cc]", "Yi", "Cho", "Meijin", "Seoul", "2001.02.03", "3", "1-0",
                 {"KM": "6.5", "RE": "W+R"})  # fmt: skip
    pair = pair_of(tmp_path, record._replace(moves="Bdd"), record._replace(moves="Bdd"))
    assert pair.left.tags == [
        ("Event", "Meijin"), ("Site", "Seoul"), ("Date", "2001.02.03"), ("Round", "3"),
        ("White", "Yi"), ("Black", "Cho"), ("Result", "1-0"), ("Start", "SZ[9]AB[cc]"),
        ("KM", "6.5"), ("RE", "W+R"),
    ]  # fmt: skip
    assert board_before_difference(pair) is None


def test_handicap_stones_that_were_played(tmp_path: Path) -> None:
    """A record with setup stones starts from a position of the other record."""
    pair = pair_of(
        tmp_path,
        game(["Bdd", "Bpp", "Wdp", "Bpd"]),
        game(["Wdp", "Bpd"], "SZ[19]AB[dd][pp]"),
    )
    assert pair.overlap == Overlap(2, 0, 2, 0)


def test_other_stones_at_the_start(tmp_path: Path) -> None:
    pair = pair_of(tmp_path, game(MOVES), game(MOVES, "SZ[19]AB[ss]"))
    assert pair.overlap == Overlap(0, 0, 60, 0)


def test_boards_of_other_sizes_have_nothing_in_common(tmp_path: Path) -> None:
    pair = pair_of(tmp_path, game(["Bcc"], "SZ[9]"), game(["Bcc"], "SZ[13]"))
    assert pair.overlap is None
    assert board_before_difference(pair) is None


def test_damaged_moves_are_named(tmp_path: Path) -> None:
    write_go_database(tmp_path / "go.db3", [game(["Bpd"]), game(["Bpd"])])
    change(tmp_path / "go.db3", "UPDATE Games SET Moves2 = x'1303' WHERE ID = 2")
    database = open_database(str(tmp_path / "go.db3"))
    with pytest.raises(IntegrityError, match=r"game 2: ply 1 of 1.*not on the board"):
        list(pairs_of(database, [(1, 2)]))
    database.close()


def test_the_first_difference_of_a_report(tmp_path: Path) -> None:
    """With a rotation it is where the rotated game differs, else where the records differ."""
    copies = [
        game(MOVES),
        game(rotated(MOVES, 5)),
        game(rotated(slipped(MOVES, 33), 6)),
        game(MOVES[:40]),
        game(MOVES, "SZ[19]AB[ss]"),
    ]
    write_go_database(tmp_path / "go.db3", copies)
    for game_id in range(1, len(copies) + 1):
        flag(tmp_path / "go.db3", game_id, "join" if game_id > 1 else None, 1)
    database = open_database(str(tmp_path / "go.db3"))
    reported = reported_pairs(database.connection, SearchOptions())
    plies = {row.pair.game.game_id: row.first_difference for row in reported}
    database.close()
    assert plies == {2: None, 3: 34, 4: 41, 5: 0}
