"""Transposed openings: a match if the following moves are more than a known line."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest

from ocgdedup.matching.evidence import NEAR_IDENTICAL, TRUNCATED_WITH_SLIP, status_of
from tests.support.copy_games import Moves, Record, line, nobody, others, search
from tests.support.transpositions import transposed

DEMO = Path(__file__).parents[2] / "scripts" / "demo_games"
NOTHING_ELSE: dict[str, Any] = {"date": "????.??.??", "round": "?", "event": "?", "site": "?"}


def stored(moves: list[str]) -> Moves:
    parsed = [chess.Move.from_uci(move) for move in moves]
    return tuple(
        move.from_square | move.to_square << 6 | (move.promotion or 0) << 12 for move in parsed
    )


def demo_games() -> list[list[str]]:
    """Return the mainlines of at least 40 plies of the demo games, in UCI."""
    games_by_start = {}
    for path in sorted(DEMO.glob("*.pgn")):
        with path.open(encoding="utf-8") as lines:
            while game := chess.pgn.read_game(lines):
                moves = [move.uci() for move in game.mainline_moves()]
                if len(moves) >= 40 and not game.headers.get("FEN"):
                    games_by_start[" ".join(moves[:40])] = moves
    return list(games_by_start.values())


def reordered(moves: Moves, plies: int) -> Moves:
    """Play the first plies, an even number, in another order: the last move of each side first."""
    pairs = zip(moves[plies - 2 :: -2], moves[plies - 1 :: -2], strict=False)
    return (*(move for pair in pairs for move in pair), *moves[plies:])


@pytest.mark.parametrize("plies", [6, 14, 20])
def test_games_with_their_opening_in_any_order(plies: int) -> None:
    """Twenty equal plies after the opening are enough."""
    rng = random.Random(plies)
    games = [moves for moves in demo_games() if len(moves) >= plies + 20]
    stored_games = [(moves, transposed(moves, plies, rng)) for moves in games for _ in range(2)]
    pairs = [(stored(moves), stored(list(right))) for moves, right in stored_games if right]
    assert len(pairs) >= 20
    for left, right in pairs:
        for end in (None, plies + 20):
            assert search([Record(left[:end]), Record(right[:end], source=2)]).verdict == "one"


def test_the_first_and_the_third_move_exchanged() -> None:
    moves = line(1, 60)
    other = (moves[4], *moves[1:4], moves[0], *moves[5:])
    result = search([Record(moves), Record(other)])
    assert result.verdict == "one"
    assert result.compare().kind == NEAR_IDENTICAL


def test_comparison_of_a_transposed_opening() -> None:
    moves = line(1, 60)
    result = search([Record(moves), Record(reordered(moves, 12))])
    verdict = result.compare()
    assert status_of(verdict) == ("join", "transposed")
    assert (verdict.transposed, verdict.differences, verdict.plies) == (12, 0, 60)
    assert verdict.in_gates


def test_a_transposed_opening_and_a_wrong_move() -> None:
    moves = line(1, 80)
    wrong = (*reordered(moves, 12)[:50], 7, *moves[51:])
    verdict = search([Record(moves), Record(wrong)]).compare()
    assert (verdict.kind, verdict.transposed, verdict.differences) == (NEAR_IDENTICAL, 12, 2)


@pytest.mark.parametrize("date", ["1929.09.06", "1929.??.??"])
@pytest.mark.parametrize("plies", [40, 41, 45, 60])
def test_a_transposed_opening_of_a_truncated_game(plies: int, date: str) -> None:
    moves = line(1, 80)
    records = [Record(moves, date=date), Record(reordered(moves, 20)[:plies], date=date)]
    result = search(records)
    assert result.verdict == "one"
    assert result.compare().kind == TRUNCATED_WITH_SLIP


def test_a_move_of_the_other_side_is_not_transposed() -> None:
    moves = line(1, 60)
    other = (*moves[1:12], moves[0], *moves[12:])  # sides change
    assert search([Record(moves), Record(other)]).compare().transposed == 0


def test_a_transposed_opening_is_worth_less_than_an_equal_one() -> None:
    moves = line(1, 60)
    equal, other = (
        search([Record(moves), Record(second, source=2)]).compare().score
        for second in (moves, reordered(moves, 12))
    )
    assert equal - 6 <= other < equal


def test_a_known_line_that_is_reached_by_two_orders() -> None:
    """Unrelated games share the line up to ply 40, so it proves nothing."""
    moves = line(1, 46)
    records = [
        Record(moves, **NOTHING_ELSE),
        Record(reordered(moves, 12), source=2, **NOTHING_ELSE),
        *others(moves[:40]),
    ]
    result = search(records)
    assert not result.groups
    assert result.compare(0, 1).terms[0] < 0
    assert search(records[:2]).verdict == "one"


def test_a_short_game_in_two_orders_is_a_possible_duplicate() -> None:
    moves = line(1, 20)
    result = search([Record(moves, round="?"), Record(reordered(moves, 12), round="?", source=2)])
    assert result.verdict == "suspects"


def test_nobody_plays_a_long_game_in_two_orders() -> None:
    moves = line(1, 80)
    records = [Record(moves), Record(reordered(moves, 12), **nobody())]
    assert search(records).verdict == "one"


def test_other_people_reach_one_line_by_two_orders() -> None:
    moves = line(1, 44)
    second = Record(reordered(moves, 12), "Euwe, Max", "Flohr, Salo", date="1934.04.01", round="1")
    assert search([Record(moves), second]).verdict == "two"
