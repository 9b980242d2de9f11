"""Groups: chains, contradicting games, ambiguous duplicates, user decisions."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest

from ocgdedup._kernels.search import DuplicateFinder, GameBatch
from ocgdedup.pipeline.search.stages import run_stages
from tests.reference.game_record import read_game
from tests.support.copy_games import (
    GATES,
    WEIGHTS,
    Record,
    database,
    finder_of,
    line,
    nobody,
    search,
    somebody,
)

GAME = Record(line(1, 60))
ELSEWHERE: dict[str, Any] = {"event": "Hastings Premier", "site": "Hastings"}

# --- chains -------------------------------------------------------------------------------------


def test_all_versions_of_a_game_are_one_group() -> None:
    records = [
        GAME,
        GAME._replace(source=2, event="Wch Candidates"),
        Record(line(1, 45)),
        Record(line(1, 30)[:20] + line(1, 30)[21:]),
        GAME._replace(white=GAME.black, black=GAME.white),
        GAME._replace(**nobody(), date="????.??.??"),
        GAME._replace(date="1929.06.09", result="0-1"),
    ]
    for order in ([0, 1, 2, 3, 4, 5, 6], [6, 2, 4, 0, 5, 3, 1]):
        assert search([records[place] for place in order]).groups == [list(range(7))]


def test_a_chain_of_cut_offs() -> None:
    records = [Record(line(1, plies)) for plies in range(20, 100, 8)]
    assert search(records).groups == [list(range(len(records)))]


def test_several_groups() -> None:
    records = [Record(line(number % 4, 50), source=number) for number in range(10)]
    result = search(records)
    assert result.groups == [[0, 4, 8], [1, 5, 9], [2, 6], [3, 7]]
    assert result.suspects == []


def test_groups_say_which_games_have_the_same_moves() -> None:
    records = [GAME, Record(line(1, 50)), GAME._replace(source=2)]
    (group,) = search(records).search_result.groups
    assert group.ids == [1, 2, 3]
    first, second, third = group.lines
    assert first == third != second


def test_are_together() -> None:
    finder = search([GAME, GAME._replace(source=2), Record(line(2, 60))]).search_result.finder
    assert [finder.are_together(1, other) for other in (1, 2, 3)] == [True, True, False]


def test_has_swapped_colours() -> None:
    """Independent of the moves."""
    swapped = Record(line(2, 60), white=GAME.black, black=GAME.white)
    finder = search([GAME, swapped, Record(line(2, 60))]).search_result.finder
    assert [finder.has_swapped_colours(1, other) for other in (2, 3)] == [True, False]
    assert finder.has_swapped_colours(3, 2)


def test_groups_are_sorted_by_their_lowest_id() -> None:
    records = [Record(line(number % 5, 50)) for number in range(15)]
    ids = random.Random(3).sample(range(1, 1000), 15)
    result = search(records, ids=ids).search_result
    assert [group.ids for group in result.groups] == sorted(sorted(ids[i::5]) for i in range(5))


# --- a copy that fits two games -----------------------------------------------------------------

START = Record(line(1, 22), source=3)
LEFT = Record(line(1, 22) + line(5, 30))
RIGHT = Record(line(1, 22) + line(6, 30))


def test_a_common_start_of_two_games_joins_neither() -> None:
    for records in permutations([LEFT, RIGHT, START]):
        result = search(records)
        start = records.index(START)
        assert not result.groups
        rest = [place for place in range(3) if place != start]
        assert result.suspects == sorted(tuple(sorted((place, start))) for place in rest)


def test_a_common_start_of_two_games_joins_the_clearly_better_match() -> None:
    other = RIGHT._replace(round="6", date="1929.09.09")
    for records in permutations([LEFT, other, START]):
        result = search(records)
        assert result.groups == [sorted((records.index(LEFT), records.index(START)))]


def test_a_record_without_names_never_joins_two_games() -> None:
    """Two games with the same short line, and a record of it without a header."""
    moves = line(1, 26)
    first = Record(moves, source=1)
    second = Record(moves, **somebody(1), date="1951.01.01", round="2", source=2, **ELSEWHERE)
    blank = Record(moves, **nobody(), date=None, round=None, event=None, site=None, source=3)
    result = search([first, second, blank])
    assert not result.groups
    assert (0, 1) not in result.suspects
    clear = search([first, second, blank._replace(date=first.date, event=first.event)])
    assert clear.groups in ([], [[0, 2]])


def test_duplicates_of_an_ambiguous_game_are_ambiguous() -> None:
    result = search([LEFT, RIGHT, START, START._replace(source=4)])
    for group in result.groups:
        assert not {0, 1} <= set(group)
    assert [2, 3] in result.groups or not result.groups


def test_an_ambiguous_game_excludes_no_other_duplicates() -> None:
    result = search([LEFT, LEFT._replace(source=2), RIGHT, RIGHT._replace(source=2), START])
    assert result.groups == [[0, 1], [2, 3]]
    assert {place for pair in result.suspects for place in pair} > {4}


def test_a_game_that_matches_many_has_no_possible_duplicates() -> None:
    games = [Record(line(1, 22) + line(number, 30)) for number in range(10, 20)]
    assert search([START, *games]).suspects == []


def test_two_games_of_a_match_with_one_opening() -> None:
    games = [
        Record(line(1, 40) + line(number, 30), round=f"{number}", date=f"1995.10.{number:02}")
        for number in (10, 16, 18)
    ]
    assert search(games).groups == []


# --- the user's word ----------------------------------------------------------------------------

UNLIKE = [Record(line(number, 60), **somebody(number)) for number in range(1, 5)]


def test_pairs_that_the_user_declared_matches() -> None:
    assert search(UNLIKE, [(0, 2, True)]).groups == [[0, 2]]
    assert search(UNLIKE, [(2, 0, True)]).groups == [[0, 2]]


def test_the_user_may_join_more_than_two() -> None:
    assert search(UNLIKE, [(0, 1, True), (1, 2, True)]).groups == [[0, 1, 2]]
    assert search(UNLIKE, [(0, 1, True), (2, 3, True)]).groups == [[0, 1], [2, 3]]
    assert search(UNLIKE, [(0, 1, True), (2, 3, True), (3, 1, True)]).groups == [[0, 1, 2, 3]]


def test_decisions_on_other_games_change_nothing() -> None:
    assert search(UNLIKE, [(0, 1, True), (2, 3, False)]).groups == [[0, 1]]
    assert search([GAME, GAME, *UNLIKE[1:]], [(2, 3, False)]).groups == [[0, 1]]


def test_duplicates_of_games_that_the_user_joined_join_too() -> None:
    records = [UNLIKE[0], UNLIKE[0]._replace(source=2), UNLIKE[1], UNLIKE[1]._replace(source=2)]
    assert search(records, [(0, 2, True)]).groups == [[0, 1, 2, 3]]


def test_pairs_that_the_user_declared_non_matches() -> None:
    result = search([GAME, GAME._replace(source=2)], [(1, 0, False)])
    assert (result.groups, result.suspects) == ([], [])


def test_a_third_record_does_not_join_games_that_the_user_separated() -> None:
    records = [GAME, GAME._replace(source=2), GAME._replace(source=3, round="?")]
    result = search(records, [(0, 1, False)])
    assert not any({0, 1} <= set(group) for group in result.groups)


def test_the_user_decides_which_game_an_ambiguous_start_joins() -> None:
    records = [LEFT, RIGHT, START]
    assert search(records, [(2, 1, False)]).groups == [[0, 2]]
    assert search(records, [(2, 0, True)]).groups == [[0, 2]]
    neither = search(records, [(2, 0, False), (2, 1, False)])
    assert (neither.groups, neither.suspects) == ([], [])


def test_a_user_decision_does_not_admit_a_third_game() -> None:
    """A common start of two games joins a game that the user joined with one of them."""
    result = search([LEFT, RIGHT, START, UNLIKE[3]], [(0, 3, True)])
    assert not any({0, 1} <= set(group) for group in result.groups)
    assert any({0, 3} <= set(group) for group in result.groups)


def test_pairs_declared_non_matches_are_no_possible_duplicates() -> None:
    other = GAME._replace(**somebody(1), date="1950.01.01", round="9", **ELSEWHERE)
    assert search([GAME, other]).suspects == [(0, 1)]
    assert search([GAME, other], [(0, 1, False)]).suspects == []


def test_contradicting_user_decisions() -> None:
    """Games declared both a match and a non-match are separate."""
    assert search([GAME, GAME], [(0, 1, True), (0, 1, False)]).groups == []
    assert search([GAME, GAME], [(0, 1, False), (0, 1, True)]).groups == []


def test_decisions_on_missing_games_are_ignored() -> None:
    connection = database([GAME, GAME], [3, 9])
    decisions = [(3, 4, True), (1, 9, False), (9, 10, True), (3, 3, False), (-5, 1 << 40, True)]
    finder = finder_of(connection)
    run_stages(finder, decisions)
    assert [list(part) for part in finder.groups_found()[::2]] == [[3, 9], [2]]


def test_decisions_hold_in_any_order() -> None:
    records = [LEFT, RIGHT, START, *UNLIKE]
    decisions = [(2, 1, False), (3, 4, True), (5, 6, True), (3, 5, False)]
    for order in permutations(decisions):
        assert search(records, order).groups == [[0, 2], [3, 4], [5, 6]]


# --- many equal games ---------------------------------------------------------------------------


def first_of_all(games: list[Record]) -> tuple[Record, Record]:
    """Return two records of one day that sort before all these games with the same moves."""
    least = min(read_game(0, game).content for game in games)
    firsts: list[Record] = []
    for elo in range(100, 4900):
        record = games[0]._replace(date="1890.01.01", elos=(elo, elo), site="Oslo", source=99 + elo)
        if read_game(0, record).content < least:
            firsts.append(record)
        if len(firsts) == 2:
            break
    first, second = firsts
    return first, second


def test_neighbours_of_the_very_first_line_are_compared() -> None:
    """Of more than 24 equal games only neighbours are compared, also for the first games."""
    games = [
        Record(line(3, 13), **nobody(), round="7", date=f"{1900 + 3 * number}.01.01",
               event=f"E{number}xx", site=None, source=number)
        for number in range(1, 25)
    ]  # fmt: skip
    weights = WEIGHTS._replace(accept=5.0)
    result = search([*games, *first_of_all(games)], weights=weights)
    assert result.compare(24, 25).score >= weights.accept
    assert [24, 25] in result.groups


@pytest.mark.parametrize("count", [24, 25, 60])
def test_many_records_of_one_game(count: int) -> None:
    records = [GAME._replace(source=number, site=f"Site {number}") for number in range(count)]
    assert search(records).groups == [list(range(count))]


# --- misuse -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "ask",
    [
        lambda finder: finder.groups_found(),
        lambda finder: finder.possible_duplicates(),
        lambda finder: finder.compare(1, 2),
        lambda finder: finder.mainline(1),
        lambda finder: finder.starts_elsewhere(1),
        lambda finder: finder.are_together(1, 2),
        lambda finder: finder.has_swapped_colours(1, 2),
    ],
)
def test_results_before_the_search_are_refused(ask: Callable[[DuplicateFinder], object]) -> None:
    finders = [
        finder_of(database([GAME, GAME])),
        DuplicateFinder(GameBatch(), WEIGHTS._asdict(), GATES._asdict()),
    ]
    broken = finder_of(database([GAME, GAME]))
    for decisions in ([(1,)], None, [("a", 1, True)]):
        with pytest.raises((TypeError, ValueError)):
            run_stages(broken, decisions)  # type: ignore[arg-type]
    for finder in [*finders, broken]:
        with pytest.raises(ValueError, match="search is not finished"):
            ask(finder)


def test_a_second_search_is_refused() -> None:
    finder = finder_of(database([GAME, GAME]))
    run_stages(finder)
    with pytest.raises(ValueError, match="already sorted"):
        run_stages(finder)
    assert finder.groups_found() == finder.groups_found()
    assert [part.tolist() for part in finder.groups_found()] == [[1, 2], [0, 0], [2]]


def test_unknown_games() -> None:
    finder = finder_of(database([GAME, GAME]))
    run_stages(finder)
    for first, second in permutations((0, 1, 3), 2):
        for ask_of_two in (finder.compare, finder.are_together, finder.has_swapped_colours):
            with pytest.raises(KeyError):
                ask_of_two(first, second)
    for ask in (finder.mainline, finder.starts_elsewhere):
        with pytest.raises(KeyError):
            ask(3)
