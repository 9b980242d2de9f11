"""Go games side by side: each move has its own number, the board is at the divergence."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ocgdedup._kernels.go import board_after
from ocgdedup.pipeline.search.pairs import ShownPair, pairs_of
from ocgdedup.reports.compared_moves import difference_words
from ocgdedup.reports.pair_evidence import evidence_text, go_board_lines, handicap_points
from ocgdedup.reports.side_by_side import pair_text
from ocgdedup.store.database import open_database
from tests.reference.go_symmetries import rotated, rotated_point
from tests.support.go_games import GoGame, blob_of, write_go_database
from tests.support.go_moves_text import made_moves

MOVES = [move for move in made_moves(1, 120) if move[1:] not in ("ss", "aa")]


def pair_of(folder: Path, left: list[str], right: list[str], *starts: str | None) -> ShownPair:
    games = [
        GoGame(" ".join(moves), start, "W", "B")
        for moves, start in zip((left, right), starts or (None, None), strict=True)
    ]
    (folder / "go.db3").unlink(missing_ok=True)
    write_go_database(folder / "go.db3", games)
    database = open_database(str(folder / "go.db3"))
    (pair,) = pairs_of(database, [(1, 2)])
    database.close()
    return pair


def sgf(move: str) -> str:
    return f"{move[0]}[{move[1:]}]"


def slip(moves: list[str], place: int, point: str = "ss") -> list[str]:
    return [*moves[:place], moves[place][0] + point, *moves[place + 1 :]]


def flat(text: str) -> str:
    return " ".join(text.split())


def test_a_slip_is_named_with_both_moves(tmp_path: Path) -> None:
    text = flat(pair_text(pair_of(tmp_path, MOVES, slip(MOVES, 106))))
    assert f"The games differ only at move 107. Different: move 107: {sgf(MOVES[106])} - " in text
    assert f"107 {sgf(MOVES[106])} | {sgf(MOVES[106][0] + 'ss')}" in text
    assert "ply" not in text
    assert "plies" not in text


def test_several_slips_are_all_named(tmp_path: Path) -> None:
    text = flat(pair_text(pair_of(tmp_path, MOVES, slip(slip(MOVES, 20), 90, "aa"))))
    slips = [f"{sgf(MOVES[20])} - {MOVES[20][0]}[ss]", f"{sgf(MOVES[90])} - {MOVES[90][0]}[aa]"]
    assert (
        "The games differ in 2 moves, first at move 21. Different: "
        f"move 21: {slips[0]}, move 91: {slips[1]}."
    ) in text


def test_slips_of_a_record_that_ends_early(tmp_path: Path) -> None:
    words = difference_words(pair_of(tmp_path, MOVES, slip(MOVES, 20)[:100]))
    more = len(MOVES) - 100
    assert words.startswith("The games differ in 1 move, first at move 21. Game 1 has ")
    assert f" {more} more moves. Different: move 21: {sgf(MOVES[20])} - " in words


def test_games_that_diverge_have_no_list_of_slips(tmp_path: Path) -> None:
    other = MOVES[:50] + made_moves(9, 361)[50:110]
    words = difference_words(pair_of(tmp_path, MOVES, other))
    assert words.startswith("The games differ from move 51 to the end (")
    assert "Different" not in words


def test_many_slips_have_no_list(tmp_path: Path) -> None:
    other = MOVES
    for place in range(10, 23):
        other = slip(other, 2 * place, MOVES[60 + place][1:])
    words = difference_words(pair_of(tmp_path, MOVES, other))
    assert words.startswith("The games differ in moves 21-45 and agree from move 46 on.")
    assert "Different" not in words


def test_a_move_left_out(tmp_path: Path) -> None:
    text = flat(pair_text(pair_of(tmp_path, MOVES, MOVES[:80] + MOVES[81:])))
    assert "Game 2 lacks 1 move of game 1, from move 81 on." in text
    assert f"81 {sgf(MOVES[80])} < (gap)" in text


def test_the_same_and_a_shorter_one(tmp_path: Path) -> None:
    assert difference_words(pair_of(tmp_path, MOVES, MOVES)) == (
        f"The same moves: {len(MOVES)} moves."
    )
    words = difference_words(pair_of(tmp_path, MOVES, MOVES[:-3]))
    assert words == "Game 2 ends where game 1 has 3 more moves."


def test_the_rotation_of_a_game_is_reported(tmp_path: Path) -> None:
    words = difference_words(pair_of(tmp_path, MOVES, rotated(MOVES, 4)))
    assert words.startswith("Game 2 is shown rotated 180 degrees. The same moves: ")


@pytest.mark.parametrize("symmetry", range(1, 8))
def test_words_for_each_rotation(tmp_path: Path, symmetry: int) -> None:
    """The words determine the images of the top left and top right corners of the second record."""
    pair = pair_of(tmp_path, MOVES, rotated(MOVES, symmetry))
    said = difference_words(pair).split(" is shown ")[1].split(".")[0]
    expected = {
        "mirrored top to bottom": ("as", "ss"),
        "rotated 90 degrees to the left": ("as", "aa"),
        "mirrored along the diagonal from the upper left": ("aa", "as"),
        "rotated 180 degrees": ("ss", "as"),
        "mirrored left to right": ("sa", "aa"),
        "rotated 90 degrees to the right": ("sa", "ss"),
        "mirrored along the diagonal from the upper right": ("ss", "sa"),
    }
    assert pair.right.texts == [sgf(move) for move in MOVES]
    assert tuple(rotated_point(corner, pair.symmetry) for corner in ("aa", "sa")) == expected[said]


def test_handicap_stones_that_were_played(tmp_path: Path) -> None:
    pair = pair_of(tmp_path, ["Bdd", "Bpp", "Wdp"], ["Wdp"], None, "SZ[19]AB[dd][pp]")
    assert difference_words(pair) == (
        "Game 2 starts from the position after move 2 of game 1. The same moves: 1 move."
    )
    pair = pair_of(tmp_path, MOVES, MOVES, None, "SZ[19]AB[ss]")
    assert difference_words(pair).startswith(
        "The games start with different setup stones. The same moves"
    )


def test_boards_of_other_sizes(tmp_path: Path) -> None:
    pair = pair_of(tmp_path, ["Bcc"], ["Bcc"], "SZ[9]", None)
    assert difference_words(pair) == "The boards have 9 and 19 lines."
    assert "X Black" not in evidence_text(pair, [])


@pytest.mark.parametrize(
    ("lines", "count"), [(5, 0), (7, 5), (8, 4), (9, 5), (13, 5), (14, 4), (15, 9), (19, 9)]
)
def test_handicap_points(lines: int, count: int) -> None:
    points = handicap_points(lines)
    assert len(points) == count
    assert {(lines - 1 - column, row) for column, row in points} == points
    assert {(row, column) for column, row in points} == points


def test_a_board() -> None:
    rows = board_after(blob_of("Bgc Wcg"), "SZ[9]")
    assert go_board_lines(rows, ("B[aa]", "W[]"), (5, 9)) == [
        "   a b c d e f g h i",
        "a  1 . . . . . . . .",
        "b  . . . . . . . . .",
        "c  . . + . . . X . .",
        "d  . . . . . . . . .",
        "e  . . . . + . . . .",
        "f  . . . . . . . . .",
        "g  . . O . . . + . .",
        "h  . . . . . . . . .",
        "i  . . . . . . . . .",
        "   X Black, O White",
        "   1: B[aa] of game 5",
        "   2: W[] of game 9",
    ]


def test_the_end_of_a_game_has_no_point() -> None:
    lines = go_board_lines(["." * 3] * 3, ("B[bb]", ""), (5, 9))
    assert lines[-1] == "   2: the end of game 9"
    assert "".join(lines[1:4]).count("2") == 0
    assert lines[2] == "b  . 1 ."


@pytest.mark.parametrize("width", [80, 120])
def test_the_board_is_shown_at_the_divergence(tmp_path: Path, width: int) -> None:
    pair = pair_of(tmp_path, MOVES, slip(MOVES, 60))
    text = evidence_text(
        pair, ["By their moves: near-identical.", "  a line of evidence"], width=width
    )
    drawn = re.findall(r"^([a-s])  ((?:[.XO+12] ?){19})", text, re.MULTILINE)
    assert [letter for letter, _ in drawn] == list("abcdefghijklmnopqrs")
    rows = [squares.split() for _, squares in drawn]
    expected = board_after(blob_of(" ".join(MOVES)), None, 60)
    for row, line in enumerate(rows):
        for column, sign in enumerate(line):
            point = f"{chr(97 + column)}{chr(97 + row)}"
            if point == MOVES[60][1:]:
                assert sign == "1"
            elif point == "ss":
                assert sign == "2"
            else:
                assert {"+": "."}.get(sign, sign) == expected[row][column]
    assert all(len(line) <= width for line in text.splitlines())
    beside = [line for line in text.splitlines() if "a line of evidence" in line]
    assert (len(beside[0]) > 40) == (width == 120)
