"""The moves of a pair as lines: against python-chess, and the cases one by one."""

from __future__ import annotations

import re

import chess
import pytest

from ocgdedup.pipeline.pairs import ShownGame, ShownPair, overlap_of
from ocgdedup.report.compared_moves import MoveLines, move_lines
from tests.unit.report.test_side_by_side import AFTER_OPENING, END, LONG, OPENING, shown


def lines_of(left: ShownGame, right: ShownGame, **limits: int) -> MoveLines:
    return move_lines(ShownPair(left, right, overlap_of(left, right), None), **limits)


def moves(line: str) -> list[str]:
    return re.sub(r"\d+\.(\.\.)?|…", "", line).split()


def test_a_slip() -> None:
    lines = lines_of(shown(1, LONG), shown(2, LONG.replace("9. h3", "9. a3")), before=3)
    assert lines == MoveLines(
        words="They differ at ply 17 alone.",
        before="… 7... d6 8. c3 O-O",
        left=("9. h3", ""),
        right=("9. a3", ""),
        tail="11 plies: 9... Nb8 10. d4 Nbd7 11. Nbd2 Bb7 12. Bc2 Re8 13. Nf1 Bf8 14. Ng3 g6",
    )


def test_the_same_moves() -> None:
    lines = lines_of(shown(1, OPENING), shown(2, OPENING), before=100)
    assert lines.words == "The same moves: 16 plies."
    assert lines.before == OPENING
    assert (lines.left, lines.right, lines.tail) == (("", ""), ("", ""), "")


def test_one_goes_on() -> None:
    lines = lines_of(shown(1, OPENING), shown(2, LONG), after=4)
    assert lines.left == ("(ends here)", "")
    assert lines.right == ("9. h3", "Nb8 10. d4 Nbd7 … and 8 plies more")
    assert lines.tail == ""


def test_moves_are_missing() -> None:
    """A repetition that one record lacks: where it stands in the other, the moves are shown."""
    more = LONG.replace("9. h3", "9. Kh1 Kh8 10. Kg1 Kg8 11. h3")
    more = re.sub(r"\b\d+\. (?=d4|Nbd2|Bc2|Nf1|Ng3)", "", more)
    lines = lines_of(shown(1, LONG), shown(2, more))
    assert lines.left == ("(these moves are missing)", "")
    assert lines.right == ("9. Kh1", "Kh8 10. Kg1 Kg8")
    assert lines.tail.startswith("12 plies: 9. h3 Nb8")


def test_black_differs_first() -> None:
    lines = lines_of(shown(1, "1. e4 e5 2. Nf3"), shown(2, "1. e4 c5 2. Nc3 Nc6"), after=2)
    assert lines.before == "1. e4"
    assert lines.left == ("1... e5", "2. Nf3")
    assert lines.right == ("1... c5", "2. Nc3 … and 1 ply more")


def test_no_moves() -> None:
    lines = lines_of(shown(1, ""), shown(2, OPENING))
    assert lines == MoveLines("Game 1 has no moves.", "", ("", ""), ("", ""), "")


def test_one_starts_in_the_other() -> None:
    lines = lines_of(shown(1, LONG), shown(2, END, AFTER_OPENING))
    assert lines.words.startswith("Game 2 starts from the position after ply 16 of game 1.")
    assert moves(lines.before) == shown(1, LONG).texts[-8:]
    assert "14. Ng3 g6" in lines.before


@pytest.mark.parametrize("cut", range(1, 27))
def test_all_moves_are_there(cut: int) -> None:
    """What stands before, and behind in the longer game, are all the moves python-chess plays."""
    whole = shown(1, LONG)
    board = chess.Board()
    for san in whole.texts[:cut]:
        board.push_san(san)
    short = shown(2, chess.Board().variation_san(board.move_stack))
    lines = lines_of(whole, short, before=100, after=100)
    assert moves(lines.before) + moves(" ".join(lines.left)) == whole.texts
    assert lines.right == ("(ends here)", "")
