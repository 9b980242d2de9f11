"""Relation of two games that share both signatures."""

import random

import pytest

from ocgdedup.game_kind import GO
from ocgdedup.pipeline.find.signature_report import (
    ENDING,
    MOST_BY_PAIRS,
    OTHER,
    PREFIX,
    SETUP,
    SLIP,
    MoveDifference,
    compare,
    signature_report,
)
from ocgdedup.store.database import open_database
from tests.support.databases import Silent
from tests.support.go_games import GoGame, blob_of, write_go_database

POINTS = [f"{x}{y}" for x in "abcdefghijklmnopqrs" for y in "abcdefghijklmnopqrs"]


def game(seed, plies):
    """Return a line of different points."""
    points = random.Random(seed).sample(POINTS, plies)
    return [f"{'BW'[i % 2]}{point}" for i, point in enumerate(points)]


LINE = game(1, 200)
FREE = [point for point in POINTS if not any(move[1:] == point for move in LINE)]


def replaced(moves, changes):
    """Return moves with replaced moves at some numbers, from 1."""
    changed = list(moves)
    for number, text in changes.items():
        changed[number - 1] = text
    return changed


def compared(left, right, starts=(None, None)):
    rows = [
        (number, start, blob_of(" ".join(moves)))
        for number, (moves, start) in enumerate(zip((left, right), starts, strict=True), start=1)
    ]
    return compare(*rows, GO)


def shown(move):
    return f"{move[0]}[{move[1:]}]"


def test_a_mistyped_move_is_a_slip():
    other = f"B{FREE[0]}"
    pair = compared(LINE, replaced(LINE, {107: other}))
    assert (pair.kind, pair.shared, pair.plies, pair.total) == (SLIP, 106, (200, 200), 1)
    assert pair.differences == [MoveDifference(107, shown(LINE[106]), shown(other))]


def test_two_moves_in_another_order_are_a_slip():
    pair = compared(LINE, replaced(LINE, {91: LINE[92], 93: LINE[90]}))
    assert (pair.kind, pair.total) == (SLIP, 2)


def test_omitted_moves_are_a_slip_reported_in_few_words():
    pair = compared(LINE, LINE[:100] + LINE[102:])
    assert pair.kind == SLIP
    assert [(difference.number, difference.right) for difference in pair.differences] == [
        (101, None),
        (102, None),
    ]
    pair = compared(LINE[:100] + LINE[102:], LINE)
    assert [(difference.number, difference.left) for difference in pair.differences] == [
        (101, None),
        (102, None),
    ]


def test_moves_left_out_of_a_record_that_was_cut_short():
    pair = compared(LINE, LINE[:100] + LINE[102:150])
    assert (pair.kind, pair.total) == (SLIP, 2)


@pytest.mark.parametrize(("others", "kind"), [(60, SLIP), (80, OTHER)])
def test_half_of_the_rest_must_agree(others, kind):
    changes = {73 + i: f"{LINE[72 + i][0]}{FREE[i]}" for i in range(1, others + 1)}
    assert compared(LINE, replaced(LINE, changes)).kind == kind


def test_a_slip_in_a_record_that_was_cut_short():
    pair = compared(LINE, replaced(LINE[:150], {107: f"B{FREE[0]}"}))
    assert (pair.kind, pair.total) == (SLIP, 1)


def test_a_slip_with_many_differences():
    changes = {number: f"{LINE[number - 1][0]}{FREE[number]}" for number in range(80, 96)}
    pair = compared(LINE, replaced(LINE, changes))
    assert (pair.kind, pair.total, len(pair.differences)) == (SLIP, 16, 6)


def test_a_start_is_a_prefix():
    pair = compared(LINE, LINE[:180])
    assert (pair.kind, pair.shared, pair.total) == (PREFIX, 180, 0)


def test_last_moves_that_differ():
    pair = compared(LINE, replaced(LINE, {199: f"B{FREE[0]}", 200: f"W{FREE[1]}"}))
    assert (pair.kind, pair.total) == (ENDING, 2)


@pytest.mark.parametrize("seed", range(5))
def test_games_that_share_only_a_start_are_different(seed):
    rest = random.Random(seed).sample([move[1:] for move in LINE[73:]] + FREE, 127)
    played = [f"{'WB'[i % 2]}{point}" for i, point in enumerate(rest)]
    pair = compared(LINE, LINE[:73] + played)
    assert pair.kind == OTHER
    assert pair.shared >= 73


def test_different_setup_stones():
    pair = compared(LINE, LINE, ("SZ[19]AB[dd]", "SZ[19]AB[pp]"))
    assert (pair.kind, pair.other_setup, pair.total) == (SETUP, True, 0)


def test_the_report_has_one_of_equal_games(tmp_path):
    slip = replaced(LINE, {107: f"B{FREE[0]}"})
    mirrored = [move[0] + move[2] + move[1] for move in LINE]
    lines = [LINE, slip, LINE, slip, LINE[:30], LINE[:180], mirrored, game(2, 100)]
    path = tmp_path / "go.db3"
    write_go_database(path, [GoGame(" ".join(moves)) for moves in lines])
    database = open_database(str(path))
    report = signature_report(database.connection, Silent())
    database.close()
    assert [(pair.left, pair.right, pair.kind) for pair in report.pairs] == [
        (1, 2, SLIP),
        (2, 6, SLIP),
        (1, 6, PREFIX),
    ]
    counts = report.counts
    assert (counts.games, counts.a, counts.b, counts.both) == (8, 4, 3 + 1, 4)
    assert (counts.symmetric, counts.md5, counts.canonical_md5) == (3, 6, 5)
    assert (report.short, report.unreadable) == (1, 0)


@pytest.mark.parametrize("more", [0, 1])
def test_a_large_group_is_compared_with_its_first_game(tmp_path, more):
    """Thousands of games with one opening would be millions of pairs."""
    count = MOST_BY_PAIRS + more
    path = tmp_path / "go.db3"
    games = [replaced(LINE, {150: f"W{FREE[i]}"}) for i in range(count)]
    write_go_database(path, [GoGame(" ".join(moves)) for moves in games])
    database = open_database(str(path))
    report = signature_report(database.connection, Silent())
    database.close()
    pairs = [(pair.left, pair.right) for pair in report.pairs]
    every = [(i, j) for i in range(1, count + 1) for j in range(i + 1, count + 1)]
    assert pairs == ([pair for pair in every if pair[0] == 1] if more else every)
    assert report.large_groups == more
