"""Verdicts on records with similar moves: effects of known lines, names and dates."""

from __future__ import annotations

from typing import Any

import pytest

from ocgdedup.matching.evidence import EXACT
from tests.reference.evidence import CONFLICT
from tests.support.copy_games import (
    WEIGHTS,
    Record,
    line,
    nobody,
    others,
    search,
    somebody,
)

LONG, MIDDLE, SHORT = Record(line(1, 80)), Record(line(1, 30)), Record(line(1, 12))
ELSEWHERE: dict[str, Any] = {"event": "Hastings Premier", "site": "Hastings", "source": 2}


def verdict(left: Record, right: Record, *more: Record) -> str:
    """Return the verdict on the first two of these games."""
    result = search([left, right, *more])
    if any({0, 1} <= set(group) for group in result.groups):
        return "one"
    return "suspects" if (0, 1) in result.suspects else "two"


# --- unknown names ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["?", "NN", "N.N.", "Unknown", "", "Anonymous", None])
def test_an_unknown_player_is_compatible_with_any_player(name: str | None) -> None:
    unknown = LONG._replace(white=name, black=name, fide_ids=(5, 6), source=2)
    assert verdict(LONG._replace(fide_ids=(1, 2)), unknown) == "one"
    assert verdict(LONG, unknown._replace(date="????.??.??", round="?", event="?")) == "one"
    assert verdict(LONG, LONG._replace(white=name)) == "one"


def test_a_short_game_of_unknown_players_is_no_match() -> None:
    unknown = SHORT._replace(**nobody(), round="?", event="?", date="????.??.??", source=2)
    assert verdict(SHORT, unknown) != "one"
    assert verdict(unknown, unknown) != "one"


def test_games_of_unknown_players_are_paired_by_moves() -> None:
    """A fragment from the middle of a game, without names and date, shares a run of moves."""
    slips = (*line(1, 80)[:15], 1, 2, *line(1, 80)[17:])
    unknown = Record(slips, **nobody(), date=None, round=None, event=None, site=None, result="*")
    actual = search([LONG, unknown, *(Record(line(n, 80), **somebody(n)) for n in range(3, 9))])
    assert actual.groups == [[0, 1]]


# --- identification numbers ---------------------------------------------------------------------


def test_two_numbers_for_one_name_are_weak_evidence() -> None:
    left = MIDDLE._replace(fide_ids=(1, 2))
    right = MIDDLE._replace(fide_ids=(1, 3), source=2)
    result = search([left, right])
    assert result.compare().sides[1] == CONFLICT
    assert result.verdict == "one"
    assert verdict(SHORT._replace(fide_ids=(1, 2)), SHORT._replace(fide_ids=(3, 4))) != "one"


def test_a_number_does_not_join_different_games() -> None:
    left = SHORT._replace(fide_ids=(1, 2))
    right = SHORT._replace(fide_ids=(1, 2), date="1931.05.05", round="7", **ELSEWHERE)
    assert verdict(left, right) == "two"


# --- names --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("white", "black"),
    [
        ("Alekhine,A", "Bogoljubow,E"),
        ("Alekhine", "Bogoljubow"),
        ("Alexander Alekhine", "Efim Bogoljubow"),
        ("Aljechin, Alexander", "Bogoljubov, Efim"),
        ("ALEKHINE, ALEXANDER", "Bogoljubow E."),
        ("Alekhine, Aleksander", "Bogoljubow, Yefim"),
    ],
)
def test_names_as_other_sources_write_them(white: str, black: str) -> None:
    for game in (LONG, MIDDLE):
        assert verdict(game, game._replace(white=white, black=black, **ELSEWHERE)) == "one"
    assert verdict(SHORT, SHORT._replace(white=white, black=black, **ELSEWHERE)) != "two"
    assert verdict(SHORT, SHORT._replace(white=white, black=black, source=2)) == "one"


def test_other_people_play_the_same_short_line() -> None:
    for other in (somebody(1), {"white": "Alekhine, Boris", "black": "Bogoljubow, Igor"}):
        assert verdict(SHORT, SHORT._replace(**other)) == "two"
        assert verdict(SHORT, SHORT._replace(**other, date="1950.01.01", **ELSEWHERE)) == "two"


def test_long_games_under_different_names_are_possible_duplicates() -> None:
    other = LONG._replace(**somebody(1), date="1950.01.01", round="7", **ELSEWHERE)
    assert verdict(LONG, other) == "suspects"


# --- dates and rounds ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "date", ["1929.06.09", "1930.09.06", "1929.09.07", "1929.09.??", "????.??.??"]
)
def test_slips_in_a_date(date: str) -> None:
    assert verdict(LONG, LONG._replace(date=date, source=2)) == "one"
    assert verdict(MIDDLE, MIDDLE._replace(date=date, source=2)) == "one"


def test_a_match_has_four_rounds_of_the_same_draw_in_each_source() -> None:
    """Even if another source has them all, too, and even without a day."""
    draw = Record(line(1, 34), result="1/2-1/2", event="Rapid match", elos=(2600, 2610))
    for date in ("1991.11.20", "1991.??.??"):
        rounds = [draw._replace(round=f"2.{n}", date=date) for n in range(1, 5)]
        other = [
            record._replace(source=2, round=f"2({n})", event="Rapid match 1991")
            for n, record in enumerate(rounds, 1)
        ]
        assert search(rounds).groups == []
        assert search(rounds + other).groups == [[n, n + 4] for n in range(4)]


@pytest.mark.parametrize(
    "rounds", [("1", "3"), ("Game 1", "Game 3"), ("2.1", "2.3"), ("1", "2(1)")]
)
def test_a_short_draw_is_played_again_in_a_match_without_days(rounds: tuple[str, str]) -> None:
    draw = SHORT._replace(result="1/2-1/2", date="1929.??.??")
    assert verdict(*(draw._replace(round=text) for text in rounds)) == "two"


def test_round_one_is_unknown_beside_a_more_exact_date() -> None:
    """A file that was put together from several sources has the game twice."""
    left, right = SHORT._replace(date="1929.09.??", round="1"), SHORT._replace(date="1929.??.??")
    assert verdict(left, right) == "one"
    assert verdict(left._replace(date="1929.??.??"), right) == "two"


def test_a_slip_in_a_round_is_found_in_another_source() -> None:
    other = LONG._replace(round="5", source=2)
    assert verdict(LONG, other) == "one"
    assert verdict(LONG, other._replace(source=1)) == "one"
    assert verdict(MIDDLE, MIDDLE._replace(round="5", source=2)) == "one"
    assert verdict(MIDDLE, MIDDLE._replace(round="5")) == "two"


@pytest.mark.parametrize("date", ["????.??.??", "1929.??.??"])
@pytest.mark.parametrize("ply", [4, 9, 13])
def test_a_slip_in_a_short_game_of_one_round(date: str, ply: int) -> None:
    short = Record(line(1, 16), date=date, round="3")
    slip = (*short.moves[:ply], 999, *short.moves[ply + 1 :])
    assert verdict(short, short._replace(moves=slip, source=2)) == "one"
    assert verdict(short, short._replace(moves=slip, source=2, round="?")) != "one"
    assert verdict(short, short._replace(moves=slip, source=2, event="Olympiad")) != "one"


def test_years_and_rounds_are_errors_only_in_long_games() -> None:
    other: dict[str, Any] = {"date": "1936.03.04", "round": "9"}
    assert verdict(LONG, LONG._replace(**other, **ELSEWHERE)) != "two"
    assert verdict(SHORT, SHORT._replace(**other, **ELSEWHERE)) == "two"
    assert verdict(LONG, LONG._replace(date="1936.03.04", round="?", source=2)) == "one"


@pytest.mark.parametrize("other", [{"round": "9"}, {"date": "1929.09.20", "round": "9"}])
def test_the_same_people_play_a_short_line_again(other: dict[str, Any]) -> None:
    """A quick draw in two rounds of one event."""
    assert verdict(SHORT, SHORT._replace(**other)) != "one"


# All that can speak for one game, but for a round and the day.
DRAW = Record(line(1, 16), result="1/2-1/2", round="?", elos=(2500, 2480), date="1999.03.01")


@pytest.mark.parametrize("round_", ["?", None, "-"])
@pytest.mark.parametrize("date", ["1999.03.02", "1999.03.03", "1999.02.26", "1999.03.20"])
@pytest.mark.parametrize("plies", [12, 16])
def test_a_pair_that_draws_again_in_an_event_has_played_two_games(
    plies: int, date: str, round_: str | None
) -> None:
    first = DRAW._replace(moves=line(1, plies))
    second = first._replace(date=date, round=round_, source=2)
    result = search([first, second])
    assert not result.groups
    assert result.compare().score < WEIGHTS.accept


@pytest.mark.parametrize(
    "fields",
    [
        {"moves": line(1, 40)},  # nobody plays so many plies of his own twice
        {"round": "4"},  # of both
        {"event": "Hastings"},  # of one only: where they met on both days is not known
    ],
)
def test_days_apart_are_slips_where_more_says_that_it_is_one_game(fields: dict[str, Any]) -> None:
    first = DRAW._replace(**{**fields, "event": DRAW.event})
    assert verdict(first, DRAW._replace(date="1999.03.03", source=2, **fields)) == "one"


def test_a_line_that_others_play_proves_nothing() -> None:
    later = MIDDLE._replace(date="1931.09.06", round="9", **ELSEWHERE)
    crowd = others(line(1, 30))
    alone, known = search([MIDDLE, later]), search([MIDDLE, later, *crowd])
    assert alone.compare().theory == 0
    assert known.compare().theory == 30
    assert known.compare().terms[0] == WEIGHTS.known_line
    assert known.groups == []
    assert verdict(MIDDLE, later, *crowd) == "two"
    assert verdict(MIDDLE, MIDDLE._replace(source=2), *crowd) == "one"


def test_one_unrelated_game_is_no_theory() -> None:
    """It may be the same game under wrong names."""
    assert search([MIDDLE, MIDDLE, *others(line(1, 30), 1)]).compare().theory == 0


def test_two_records_of_one_unrelated_game_are_no_theory() -> None:
    (other,) = others(line(1, 30), 1)
    assert search([MIDDLE, MIDDLE, other, other._replace(source=2)]).compare().theory == 0


def test_theory_is_what_the_second_unrelated_game_shares() -> None:
    first, second = others(line(1, 30))
    branched = second._replace(moves=line(1, 21) + line(9, 20))
    assert search([MIDDLE, MIDDLE, first, branched]).compare().theory == 21
    assert search([MIDDLE, MIDDLE._replace(source=2), branched, branched]).compare().theory == 0


@pytest.mark.parametrize(
    ("other", "theory"),
    [
        ({"date": "1929.12.06"}, 30),  # months apart
        ({"date": "1935.09.06"}, 30),
        ({"date": "1930.??.??"}, 0),  # neighbouring years: a slip
        ({"date": "1930.??.??", "black": "Tal, Mihail"}, 30),
        ({"date": "1929.09.20"}, 0),
        ({"date": "1935.09.06", "black": "?"}, 0),
    ],
)
def test_which_games_are_certainly_unrelated(other: dict[str, Any], theory: int) -> None:
    records = [MIDDLE, MIDDLE._replace(**other), others(line(1, 30), 1)[0]]
    result = search(records)
    assert result.compare(0, 0).theory == theory


# --- what is left out ---------------------------------------------------------------------------


def test_games_that_are_too_short_are_not_read() -> None:
    records = [SHORT, SHORT, MIDDLE, MIDDLE]
    result = search(records, min_plies=13)
    assert result.groups == [[2, 3]]
    assert result.search_result.games == 2
    with pytest.raises(KeyError):
        result.compare(0, 1)
    assert search(records, min_plies=12).search_result.games == 4
    assert search([Record(), Record()], min_plies=1).search_result.games == 0


def test_games_of_one_source_may_be_copies() -> None:
    result = search([LONG, LONG])
    assert result.compare().kind == EXACT
    assert result.verdict == "one"


@pytest.mark.parametrize("records", [[], [LONG]])
def test_fewer_than_two_games_have_no_pairs(records: list[Record]) -> None:
    result = search(records)
    assert (result.groups, result.suspects, result.search_result.games) == ([], [], len(records))
