"""Relations of the moves of two records, and the verdicts on them."""

from __future__ import annotations

from typing import Any

import chess
import pytest

from ocgdedup.matching.evidence import (
    CONTINUATION,
    EXACT,
    NEAR_IDENTICAL,
    NO_MOVES,
    TRUNCATED,
    TRUNCATED_WITH_SLIP,
    Gates,
    status_of,
)
from tests.support.copy_games import WEIGHTS, Moves, Record, line, nobody, search
from tests.support.random_copies import legal_game

PLIES = 80
MOVES = line(1, PLIES)
GAME = Record(MOVES)
SWAPPED: dict[str, Any] = {"white": GAME.black, "black": GAME.white}


def changed(at: int, *put_in: int, out: int = 1, moves: Moves = MOVES) -> Moves:
    """Return the moves with some at a ply replaced."""
    return moves[:at] + put_in + moves[at + out :]


exchanged = changed(40, MOVES[42], MOVES[41], MOVES[40], out=3)

# The moves of the second record; kind, plies shared, first difference, differences, longer.
KINDS = [
    ("the same", MOVES, (EXACT, 80, 80, 0, 0)),
    ("cut off", MOVES[:60], (TRUNCATED, 60, 60, 0, 20)),
    ("all but one", MOVES[:79], (TRUNCATED, 79, 79, 0, 1)),
    ("one ply", MOVES[:1], (TRUNCATED, 1, 1, 0, 79)),
    ("a move lost", changed(40), (NEAR_IDENTICAL, 79, 40, 1, 0)),
    ("a move too many", changed(40, 7, out=0), (NEAR_IDENTICAL, 80, 40, 1, 0)),
    ("a wrong move", changed(40, 7), (NEAR_IDENTICAL, 79, 40, 2, 0)),
    ("the first move wrong", changed(0, 7), (NEAR_IDENTICAL, 79, 0, 2, 0)),
    ("a wrong last move", changed(79, 7), (NEAR_IDENTICAL, 79, 79, 2, 0)),
    ("two wrong moves", changed(60, 8, moves=changed(30, 7)), (NEAR_IDENTICAL, 78, 30, 4, 0)),
    ("own moves exchanged", exchanged, (NEAR_IDENTICAL, 78, 40, 4, 0)),
    ("a repetition lost", changed(40, out=4), (NEAR_IDENTICAL, 76, 40, 4, 0)),
    ("a move lost, then cut off", changed(40)[:72], (NEAR_IDENTICAL, 72, 40, 8, 0)),
    ("a wrong move, then cut off", changed(20, 7)[:50], (TRUNCATED_WITH_SLIP, 49, 20, 2, 30)),
    ("no moves", (), (NO_MOVES, 0, 0, 0, 80)),
]  # fmt: skip


each_kind = pytest.mark.parametrize(
    ("moves", "expected"), [case[1:] for case in KINDS], ids=[case[0] for case in KINDS]
)


@each_kind
def test_kinds(moves: Moves, expected: tuple[int, ...]) -> None:
    """With equal headers, in either order."""
    for records in ([GAME, Record(moves)], [Record(moves), GAME]):
        result = search(records)
        verdict = result.compare()
        assert expected == (
            verdict.kind, verdict.plies, verdict.first_difference, verdict.differences,
            verdict.longer,
        )  # fmt: skip
        assert result.verdict == "one"


STATUS = {
    EXACT: ("exact", None),
    TRUNCATED: ("subsumption", None),
    NEAR_IDENTICAL: ("join", None),
    TRUNCATED_WITH_SLIP: ("subsumption", "partial"),
    NO_MOVES: ("subsumption", "placeholder"),
}


@each_kind
def test_status_and_reason(moves: Moves, expected: tuple[int, ...]) -> None:
    assert status_of(search([GAME, Record(moves)]).compare()) == STATUS[expected[0]]


@pytest.mark.parametrize(
    "moves",
    [line(2, 80), MOVES[:12] + line(2, 68), MOVES[:40] + line(2, 40), (7, *line(2, 79))],
)
def test_different_moves_are_different_games_even_with_equal_headers(moves: Moves) -> None:
    result = search([GAME, Record(moves)])
    assert result.compare().kind == 0
    assert result.verdict == "two"


def test_a_move_lost_is_within_the_gates() -> None:
    verdict = search([GAME, Record(changed(40))]).compare()
    assert verdict.in_gates
    assert verdict.ratio == pytest.approx(64 / 65)  # of the plies from the 16th on
    assert 0.95 < verdict.winkler < 1.0


def test_outside_the_gates_strong_headers_can_make_a_match() -> None:
    """Two lost repetitions fail the gates, but players, date and place agree."""
    lost = changed(30, out=4, moves=changed(60, out=4))
    result = search([GAME, Record(lost)])
    assert (result.compare().kind, result.compare().in_gates) == (NEAR_IDENTICAL, False)
    assert result.verdict == "one"
    other_day = search([GAME, Record(lost, date="1929.09.16")])
    assert other_day.compare().kind == 0
    assert other_day.verdict == "two"


@pytest.mark.parametrize(("plies", "kind"), [(3, NEAR_IDENTICAL), (4, NEAR_IDENTICAL), (5, 0)])
def test_the_last_plies_may_differ(plies: int, kind: int) -> None:
    """Without strong headers, the last four plies must agree."""
    other = Record(MOVES[: 80 - plies] + line(2, plies), date="1929.09.16")
    assert search([GAME, other]).compare().kind == kind


@pytest.mark.parametrize(("lost", "in_gates"), [(12, True), (13, False)])
def test_near_identical_games_have_similar_lengths(lost: int, in_gates: bool) -> None:
    wide = Gates(max_indel=20, min_ratio=0.5, min_winkler=0.5, max_length_share=0.15)
    verdict = search([GAME, Record(changed(40, out=lost))], gates=wide).compare()
    assert verdict.differences == lost
    assert verdict.in_gates == in_gates


def test_games_that_diverge_for_good_may_be_possible_duplicates() -> None:
    """The end was continued or invented: a duplicate on the same day, but not in another round."""
    parted = MOVES[:60] + line(2, 6)
    assert search([Record(MOVES[:66]), Record(parted)]).verdict == "one"
    again = Record(MOVES[:34] + line(2, 6), round="6", date="1929.??.??", source=2)
    assert search([Record(MOVES[:40], date="1929.??.??"), again]).verdict != "one"


@pytest.mark.parametrize("plies", [30, 39, 40, 60])
def test_a_truncated_game_with_a_slip_needs_a_round_a_day_or_forty_plies(plies: int) -> None:
    """Two games of a match may share a long start."""
    part = Record(changed(20, 7)[: plies + 1], round="?")
    month = part._replace(date="1929.09.??")
    whole = GAME._replace(moves=line(1, 120))
    assert search([whole, part]).compare().kind == TRUNCATED_WITH_SLIP
    assert search([whole, month._replace(round="4")]).compare().kind == TRUNCATED_WITH_SLIP
    assert search([whole, month]).compare().kind == (TRUNCATED_WITH_SLIP if plies >= 40 else 0)
    assert search([whole, month]).compare(lenient=True).kind == TRUNCATED_WITH_SLIP


# --- colours ------------------------------------------------------------------------------------


def test_colours_swapped_in_the_headers() -> None:
    result = search([GAME, GAME._replace(**SWAPPED)])
    assert result.verdict == "one"
    verdict = result.compare()
    assert (verdict.kind, verdict.is_swapped) == (EXACT, True)
    assert status_of(verdict) == ("exact", "colours swapped")


@pytest.mark.parametrize("moves", [MOVES[:60], changed(40), ()])
def test_swapped_colours_need_the_same_moves(moves: Moves) -> None:
    """Two players meet with both colours and play the same opening."""
    result = search([GAME, Record(moves, **SWAPPED)])
    assert result.verdict == "two"


def test_colours_of_unknown_players_are_not_swapped() -> None:
    result = search([GAME, GAME._replace(white="?", black=GAME.white)])
    assert not result.compare().is_swapped


# --- placeholders ---------------------------------------------------------------------------------


def test_a_record_without_moves_needs_agreeing_headers() -> None:
    assert search([GAME, Record()]).verdict == "one"
    assert search([GAME, Record(round="5")]).verdict == "two"
    assert search([GAME, Record(date="1929.09.16")]).verdict == "two"
    assert search([GAME, Record(white="Euwe, Max")]).verdict == "two"
    assert search([GAME, Record(**nobody())]).verdict == "two"


def test_a_record_without_moves_that_matches_two_games_joins_neither() -> None:
    """Two games of one day and round: a rapid match without numbers of games."""
    result = search([GAME, GAME._replace(moves=line(2, 50)), Record()])
    assert not result.groups
    assert result.suspects == [(0, 2), (1, 2)]


def test_two_records_without_moves() -> None:
    assert search([Record(), Record()]).verdict == "one"
    assert search([Record(), Record()]).compare().kind == EXACT
    for other in ({"white": "Euwe, Max", "black": "Tal, Mihail"}, {"round": "5"}, nobody()):
        assert search([Record(), Record(**other)]).verdict == "two"


# --- start positions ------------------------------------------------------------------------------


@pytest.mark.parametrize(("first", "last"), [(4, 18), (7, 18), (10, 18), (4, 12), (14, 18), (1, 5)])
def test_a_game_that_continues_from_a_fen_inside_another(first: int, last: int) -> None:
    result = search([legal_game(0, 18), legal_game(first, last)])
    assert result.verdict == "one"
    verdict = result.compare()
    assert (verdict.kind, verdict.plies, verdict.longer) == (CONTINUATION, last - first, first)
    assert status_of(verdict) == ("subsumption", "continues from FEN")


def test_a_continuation_may_be_longer_than_the_other_game() -> None:
    verdict = search([legal_game(0, 12), legal_game(4, 18)]).compare()
    assert (verdict.kind, verdict.plies, verdict.longer) == (CONTINUATION, 8, 4)


@pytest.mark.parametrize(
    "part",
    [
        legal_game(15, 18),  # three plies
        legal_game(4, 18)._replace(moves=legal_game(4, 18).moves[:6] + legal_game(11, 18).moves),
        legal_game(4, 18)._replace(fen="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
        legal_game(0, 18)._replace(fen=None, moves=legal_game(4, 18).moves),
    ],
)
def test_games_that_are_not_continuations(part: Record) -> None:
    assert search([legal_game(0, 18), part]).compare().kind != CONTINUATION


def test_only_games_that_replay_are_continued() -> None:
    whole, part = legal_game(0, 18), legal_game(4, 18)
    assert search([whole._replace(replays=False), part]).compare().kind == 0
    wrong = (*whole.moves[:2], 5, *whole.moves[3:])
    assert search([whole._replace(moves=wrong), part]).compare().kind == 0


def test_a_fen_of_the_usual_start_is_none() -> None:
    counted = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3 7"
    for fen in (chess.STARTING_FEN, counted):
        assert search([GAME, GAME._replace(fen=fen)]).compare().kind == EXACT


def test_counters_of_a_fen_make_no_other_start() -> None:
    fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - {}"
    games = [GAME._replace(fen=fen.format(counters)) for counters in ("2 3", "0 1")]
    assert search(games).compare().kind == EXACT


def test_an_empty_fen_is_none() -> None:
    assert search([GAME, GAME._replace(fen="")]).compare().kind == EXACT


def test_a_fen_that_cannot_be_read_is_a_start_of_its_own() -> None:
    assert search([GAME, GAME._replace(fen="nonsense")]).compare().kind == 0
    assert search([GAME._replace(fen="nonsense")] * 2).compare().kind == EXACT


def test_the_same_moves_from_another_start_are_another_game() -> None:
    other = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"
    result = search([GAME, GAME._replace(fen=other)])
    assert result.compare().kind == 0
    assert result.compare().score < WEIGHTS.possible_match or not result.groups
