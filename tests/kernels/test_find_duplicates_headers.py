"""Dates, rounds, results, events and sites of two records, and the numbers beside names."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocgdedup._kernels.search import CONSTANTS
from ocgdedup.matching.evidence import TERMS
from tests.reference.evidence import CONFLICT, UNSURE
from tests.reference.evidence import SAME_PERSON as SAME
from tests.reference.header_text import (
    compare_dates,
    compare_events,
    compare_rounds,
    read_date,
    read_event,
    read_round,
)
from tests.support.copy_games import WEIGHTS, Record, Search, line, search

GAME = Record(line(1, 30))
fixed = settings(max_examples=100)


def both(left: dict[str, Any], right: dict[str, Any]) -> Search:
    return search([GAME._replace(**left), GAME._replace(**right)])


def term(result: Search, name: str) -> float:
    return result.compare().terms[TERMS.index(name)]


# --- dates --------------------------------------------------------------------------------------

DATES = [
    ("1929.09.06", "1929.09.06", "SAME_DAY"),
    ("1929.09.06", "1929.09.09", "NEAR"),
    ("1929.12.31", "1930.01.02", "NEAR"),
    ("1928.02.27", "1928.03.01", "NEAR"),  # a leap year
    ("1929.02.25", "1929.03.01", "OTHER_DAY"),
    ("1900.02.26", "1900.03.01", "NEAR"),  # none
    ("1929.02.31", "1929.03.02", "NEAR"),  # no day, but days can be counted from it
    ("1929.09.06", "1929.09.10", "OTHER_DAY"),
    ("1929.09.06", "1929.10.07", "OTHER_DAY"),
    ("1929.09.06", "1929.10.08", "OTHER_MONTH"),
    ("1929.09.06", "1929.06.09", "SLIP"),  # month and day exchanged
    ("1929.09.06", "1930.09.06", "SLIP"),  # the year is another
    ("1927.09.06", "1928.09.06", "SLIP"),  # by 366 days
    ("1929.09.06", "1931.09.06", "YEARS_APART"),
    ("1929.09.06", "1930.09.07", "OTHER_MONTH"),
    ("1929.09.06", "1930.09.08", "YEARS_APART"),
    ("1929.09.06", "1929.09.??", "SAME_MONTH"),
    ("1929.09.06", "1929.??.??", "SAME_YEAR"),
    ("1929.09.06", "1929.??.06", "SAME_YEAR"),
    ("1929.09.06", "1929.10.??", "SAME_YEAR"),
    ("1929.09.06", "1929.11.??", "OTHER_MONTH"),
    ("1929.??.??", "1930.??.??", "OTHER_YEAR"),
    ("1929.12.31", "1930.??.??", "OTHER_YEAR"),
    ("1929.??.??", "1931.??.??", "YEARS_APART"),
    ("1929.09.06", "????.09.06", "UNKNOWN"),
    ("1929.09.06", "", "UNKNOWN"),
    ("1929.09.06", None, "UNKNOWN"),
    ("1929.09.06", "1929", "UNKNOWN"),
    ("1929.09.06", "1929-09-06", "SAME_DAY"),
    ("1929.09.06", "1929.09.06 19:30", "SAME_DAY"),
    ("1929.13.06", "1929.??.??", "SAME_YEAR"),
    ("1929.09.32", "1929.09.??", "SAME_MONTH"),
]


@pytest.mark.parametrize(("left", "right", "expected"), DATES)
def test_dates(left: str, right: str | None, expected: str) -> None:
    assert both({"date": left}, {"date": right}).compare().date == CONSTANTS[f"DATE_{expected}"]


some_dates = st.builds(
    "{:04}.{}.{}".format,
    st.sampled_from([1899, 1900, 1927, 1928, 2000, 9999]),
    st.sampled_from(["??", *(f"{month:02}" for month in range(15))]),
    st.sampled_from(["??", *(f"{day:02}" for day in range(33))]),
)


@pytest.mark.slow
@fixed
@given(st.lists(some_dates, min_size=2, max_size=9))
def test_dates_equal_the_reference(dates: list[str]) -> None:
    result = search([GAME._replace(date=date) for date in dates])
    for left, right in combinations(range(len(dates)), 2):
        expected = compare_dates(read_date(dates[left]), read_date(dates[right]))
        assert result.compare(left, right).date == expected


@pytest.mark.parametrize(
    ("right", "weight"),
    [
        ("1929.09.06", WEIGHTS.same_day),
        ("1929.09.08", WEIGHTS.near),
        ("1929.06.09", WEIGHTS.date_slip),
        ("1929.09.20", WEIGHTS.other_day),
        ("1929.12.06", WEIGHTS.other_month),
        ("1935.09.06", WEIGHTS.years_apart),
        ("1929.09.??", WEIGHTS.same_month),
        ("1929.??.??", WEIGHTS.same_year),
        ("1930.??.??", WEIGHTS.other_year),
        (None, 0.0),
    ],
)
def test_weights_of_dates(right: str | None, weight: float) -> None:
    assert term(both({}, {"date": right}), "date") == weight


# --- rounds -------------------------------------------------------------------------------------

ROUNDS = [
    ("4", "4", "SAME"),
    ("4", "04", "SAME"),
    ("4", "4.1", "PART"),
    ("4", "4.", "SAME"),
    ("4.0", "4.3", "PART"),
    ("4.1", "4.2", "OTHER"),
    ("4.1", "4.1.7", "SAME"),
    ("4", "5", "OTHER"),
    ("4", "?", "UNKNOWN"),
    ("4", "-", "UNKNOWN"),
    ("4", "", "UNKNOWN"),
    ("4", None, "UNKNOWN"),
    ("4", "0", "UNKNOWN"),
    ("4", " ?4", "SAME"),
    ("4", "Final", "UNKNOWN"),
    ("Final", "Final", "SAME"),
    ("Final", "Semifinal", "OTHER"),
    ("29999", "29999", "SAME"),
    ("29999", "30000", "UNKNOWN"),  # a number of that size is no round
    ("20010908", "20010909", "OTHER"),
    (".5", "5", "UNKNOWN"),
    ("2.1", "2(1)", "SAME"),
    ("2.1", "2 (1)", "SAME"),
    ("2.1", "Round 2 Game 1", "SAME"),
    ("2.1", "2(3)", "OTHER"),
    ("2", "2(3)", "PART"),
    ("3", "Game 3", "SAME"),
    ("3", "Rd.3", "SAME"),
    ("3", "3rd round", "SAME"),
    ("Partie #3", "R3", "SAME"),
    ("Game 1", "Game 3", "OTHER"),
    ("1.4", "1/4", "UNKNOWN"),  # a quarter-final
    ("4", "Losers section round 4", "UNKNOWN"),
]


@pytest.mark.parametrize(("left", "right", "expected"), ROUNDS)
def test_rounds(left: str, right: str | None, expected: str) -> None:
    assert both({"round": left}, {"round": right}).compare().round == CONSTANTS[f"ROUND_{expected}"]


@pytest.mark.parametrize(("left", "right"), [("3-2", "32"), ("3 2", "32"), ("1?2", "12")])
def test_numbers_with_something_between_them_are_not_one(left: str, right: str) -> None:
    result = both({"round": left}, {"round": right}).compare().round
    assert result != CONSTANTS["ROUND_SAME"]


@pytest.mark.parametrize("text", ["4.?", "4.-", "4 ", "4?", "4 .", "4?.?.2", "- 4"])
def test_marks_after_a_number_are_ignored(text: str) -> None:
    assert both({"round": "4"}, {"round": text}).compare().round == CONSTANTS["ROUND_SAME"]


some_rounds = st.one_of(
    st.from_regex(r"[-? ]*([0-9]{1,6}[-? ]?(\.[0-9?]{0,3}(\.[0-9a-z]*)?)?)?", fullmatch=True),
    st.text("04.?- ", max_size=7),
    st.text("0123456789.", max_size=7),
    st.sampled_from(["Final", "final", "Rd 4", "4a", "é", "ſt 4", "st4", "[4]", "4(", "rd..4"]),
    st.lists(
        st.sampled_from(["Round", "rd.", "GAME", "g", "of", "1", "23", ".", "(", ")", " ", "#"]),
        max_size=6,
    ).map("".join),
).filter(lambda text: "\n" not in text)


@pytest.mark.slow
@fixed
@given(st.lists(some_rounds, min_size=2, max_size=9))
def test_rounds_equal_the_reference(rounds: list[str]) -> None:
    result = search([GAME._replace(round=text) for text in rounds])
    for left, right in combinations(range(len(rounds)), 2):
        expected = compare_rounds(read_round(rounds[left]), read_round(rounds[right]))
        assert result.compare(left, right).round == expected


@pytest.mark.parametrize(
    ("date", "is_known"),
    [("1929.09.06", True), ("1929.09.??", False), ("1929.??.??", False), ("????.??.??", True)],
)
def test_round_one_without_a_day_says_nothing(date: str, is_known: bool) -> None:
    """Some collections write it for unknown rounds."""
    expected = CONSTANTS["ROUND_SAME" if is_known else "ROUND_UNKNOWN"]
    assert both({"round": "1", "date": date}, {"round": "1"}).compare().round == expected
    assert both({"round": "1.2", "date": date}, {"round": "1.2"}).compare().round == 1


@pytest.mark.parametrize(
    ("right", "weight"),
    [
        ({"round": "4"}, WEIGHTS.same_round),
        ({"round": "4", "event": "Candidates Final 1929"}, WEIGHTS.same_round),
        ({"round": "4", "event": "Olympiad"}, WEIGHTS.same_round_only),
        ({"round": "4", "event": "?"}, WEIGHTS.same_round_only),
        ({"round": "4.2", "event": "Olympiad"}, WEIGHTS.part_of_round),
        ({"round": "5"}, WEIGHTS.other_round_of_source),
        ({"round": "5", "source": 2}, WEIGHTS.other_round),
        ({"round": "5", "event": None}, WEIGHTS.other_round_elsewhere),
        ({"round": "?"}, 0.0),
    ],
)
def test_weights_of_rounds_go_by_the_event(right: dict[str, Any], weight: float) -> None:
    assert term(both({}, right), "round") == weight


def test_rounds_of_one_source_are_slips_only_beside_many_moves() -> None:
    for plies, weight in ((44, WEIGHTS.other_round_of_source), (47, WEIGHTS.other_round)):
        result = both({"moves": line(1, plies)}, {"moves": line(1, plies), "round": "5"})
        assert term(result, "round") == weight


# --- events and sites ---------------------------------------------------------------------------

CHAPTER = {"site": "https://lichess.org/study/abcd1234/wxyz9876"}
NAMED = (
    ("StudyName", "Old masters"),
    ("ChapterName", "Riga"),
    ("ChapterURL", "https://lichess.org/study/abcd1234/wxyz9876"),
)


@pytest.mark.parametrize(
    ("record", "is_event"),
    [
        ({"event": "Old masters: Riga", **CHAPTER}, False),
        ({"event": "Old masters", **CHAPTER}, False),
        ({"event": "Old masters: Riga", "tags": NAMED}, False),
        ({"event": "Riga", "tags": NAMED}, False),
        ({"event": "Team match", "tags": NAMED}, True),
        ({"event": "Old masters: Riga", "tags": NAMED[:2]}, True),  # no address: not of Lichess
        ({"event": "Old masters: Riga", "tags": (("StudyName", "?"), NAMED[2])}, True),
    ],
)
def test_the_name_of_a_study_is_no_event(record: dict[str, Any], is_event: bool) -> None:
    same = {"event": record["event"], "source": 2}
    assert (
        both(record, same).compare().event
        == CONSTANTS["TEXT_EQUAL" if is_event else "TEXT_UNKNOWN"]
    )


TEXTS = [
    ("Candidates Final", "candidates  FINAL", "EQUAL"),
    ("Candidates Final", "Candidates-Final!", "EQUAL"),
    ("Candidates Final", "Candidates", "EQUAL"),  # cut off
    ("Wch", "Wchampionship", "OTHER"),  # three letters are too few for that
    ("Olympiad", "Olympic", "OTHER"),
    ("Linares 1999", "Linares 2000", "SIMILAR"),
    ("Linares 1999", "Linares Torneo 2000", "SIMILAR"),
    ("Festival of a very long name, A", "Festival of a very long name, B", "SIMILAR"),
    ("Hastings Premier", "Hastings Challengers Open Group", "SIMILAR"),
    ("Hastings Premier Section One", "London Hastings Challengers Open", "OTHER"),
    ("1999", "2000", "OTHER"),
    ("Städtekampf", "Städtekampf 2", "EQUAL"),
    ("Турнир", "турнир", "OTHER"),  # only ASCII has small letters here
    ("Olympiad", "?", "UNKNOWN"),
    ("Olympiad", "", "UNKNOWN"),
    ("Olympiad", None, "UNKNOWN"),
]  # fmt: skip


@pytest.mark.parametrize(("left", "right", "expected"), TEXTS)
def test_events_and_sites(left: str, right: str | None, expected: str) -> None:
    result = both({"event": left, "site": right}, {"event": right, "site": left}).compare()
    assert (result.event, result.site) == (CONSTANTS[f"TEXT_{expected}"],) * 2


words = st.lists(
    st.sampled_from(["open", "Open", "of", "1999", "2a", "final", "Zürich", "gp", "-", "x"]),
    unique_by=str.lower,
    max_size=8,
)


@pytest.mark.slow
@fixed
@given(st.lists(words.map(" ".join), min_size=2, max_size=7))
def test_events_equal_the_reference(texts: list[str]) -> None:
    result = search([GAME._replace(event=text, site=text) for text in texts])
    for left, right in combinations(range(len(texts)), 2):
        expected = compare_events(read_event(texts[left]), read_event(texts[right]))
        verdict = result.compare(left, right)
        assert (verdict.event, verdict.site) == (expected, expected)


def test_events_agree_whatever_game_comes_first() -> None:
    codes = [
        both(
            {"event": "Open Open Abcd Defg", "elos": (elo, 0)}, {"event": "Open Ghij Jklm"}
        ).compare().event
        for elo in range(2000, 2020)
    ]  # fmt: skip
    assert len(set(codes)) == 1


@pytest.mark.parametrize(
    ("text", "event", "site"),
    [
        ("Wiesbaden", WEIGHTS.event_equal, WEIGHTS.site_equal),
        ("Alt Wiesbaden", WEIGHTS.event_similar, WEIGHTS.site_similar),
        ("Berlin", WEIGHTS.event_other, WEIGHTS.site_other),
        ("?", 0.0, 0.0),
    ],
)
def test_weights_of_events_and_sites(text: str, event: float, site: float) -> None:
    result = both({"event": "Wiesbaden"}, {"event": text, "site": text})
    assert (term(result, "event"), term(result, "site")) == (event, site)


# --- results and ratings ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "right", "weight"),
    [
        ("1-0", "1-0", WEIGHTS.result_decided),
        ("0-1", "0-1", WEIGHTS.result_decided),
        ("1/2-1/2", "1/2-1/2", WEIGHTS.result_draw),
        ("1-0", "0-1", WEIGHTS.result_other),
        ("1-0", "1/2-1/2", WEIGHTS.result_other),
        ("1-0", "*", 0.0),
        ("*", "*", 0.0),
        ("1-0", None, 0.0),
        ("1-0", "", 0.0),
        ("1/2-1/2", "1/2", WEIGHTS.result_draw),
    ],
)
def test_results(left: str, right: str | None, weight: float) -> None:
    assert term(both({"result": left}, {"result": right}), "result") == weight


@pytest.mark.parametrize(
    ("left", "right", "weight"),
    [
        ((2500, 2600), (2500, 2600), 2 * WEIGHTS.elo_equal),
        ((2500, 2600), (2500, 2610), WEIGHTS.elo_equal + WEIGHTS.elo_other),
        ((2500, 0), (2500, 2600), WEIGHTS.elo_equal),
        ((2500, 0), (0, 2600), 0.0),
        ((4999, 5000), (4999, 5000), WEIGHTS.elo_equal),  # there is no such rating
        ((-1, 70_000), (-1, 70_000), 0.0),
    ],
)
def test_ratings(left: tuple[int, int], right: tuple[int, int], weight: float) -> None:
    assert term(both({"elos": left}, {"elos": right}), "Elo") == weight


def test_ratings_change_sides_with_the_colours() -> None:
    exchanged = {"white": GAME.black, "black": GAME.white, "elos": (2600, 2500)}
    result = both({"elos": (2500, 2600)}, exchanged)
    assert result.compare().is_swapped
    assert term(result, "Elo") == 2 * WEIGHTS.elo_equal


def test_games_of_one_source_are_less_likely_one() -> None:
    assert term(both({"source": 2}, {"source": 2}), "source") == WEIGHTS.one_source
    assert term(both({"source": 2}, {"source": 1}), "source") == 0.0


# --- numbers of identification --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "right", "code"),
    [
        ({"fide_ids": (7, 0)}, {"fide_ids": (7, 0)}, SAME),
        ({"fide_ids": (7, 0)}, {"fide_ids": (8, 0)}, CONFLICT),
        ({"fide_ids": (7, 0)}, {}, 1),
        ({"persons": (7, 0)}, {"persons": (7, 0)}, SAME),
        ({"persons": (7, 0)}, {"persons": (8, 0)}, 1),  # without FIDE IDs they may be one
        ({"persons": (21, 0)}, {"persons": (22, 0)}, CONFLICT),
        ({"persons": (21, 0)}, {"persons": (7, 0)}, 1),
        ({"persons": (21, 0)}, {"fide_ids": (1, 0)}, SAME),
        ({"persons": (21, 0), "fide_ids": (2, 0)}, {"fide_ids": (2, 0)}, CONFLICT),  # a slip
        ({"persons": (21, 0)}, {"persons": (22, 0), "white": "Euwe, Max"}, 5),
        ({"persons": (7, 0), "fide_ids": (1, 0)}, {"persons": (7, 0), "fide_ids": (2, 0)}, SAME),
        ({"persons": (7, 0), "fide_ids": (1, 0)}, {"persons": (8, 0), "fide_ids": (1, 0)}, SAME),
        ({"fide_ids": (7, 0)}, {"fide_ids": (7, 0), "white": "Euwe, Max"}, UNSURE),
        ({"fide_ids": (7, 0)}, {"fide_ids": (8, 0), "white": "Euwe, Max"}, 5),
        ({"persons": (7, 0)}, {"persons": (7, 0), "white": "Euwe, Max"}, SAME),
        ({"persons": (7, 0)}, {"persons": (8, 0), "white": "Euwe, Max"}, 5),
        # Beside no name a number is a slip.
        ({"fide_ids": (7, 0)}, {"fide_ids": (8, 0), "white": "?"}, 0),
        ({"persons": (7, 0), "white": "NN"}, {"persons": (7, 0)}, 0),
        ({"white": None}, {}, 0),
    ],
)  # fmt: skip
def test_numbers_beside_names(left: dict[str, Any], right: dict[str, Any], code: int) -> None:
    weights = {
        0: 0.0, 1: WEIGHTS.name_equal, 5: WEIGHTS.name_different, UNSURE: 0.0,
        SAME: WEIGHTS.same_person, CONFLICT: WEIGHTS.name_conflict,
    }  # fmt: skip
    result = both(left, right)
    assert result.compare().sides[0] == code
    assert term(result, "White") == weights[code]


@pytest.mark.parametrize(
    ("name", "weight"),
    [
        ("Alekhine, Alexander", WEIGHTS.name_equal),
        ("Alekhine, A", WEIGHTS.name_compatible),
        ("Aljechin, Alexander", WEIGHTS.name_similar),
        ("Alekhine, Boris", WEIGHTS.namesake),
        ("Euwe, Max", WEIGHTS.name_different),
        ("?", 0.0),
    ],
)
def test_weights_of_names(name: str, weight: float) -> None:
    assert term(both({}, {"white": name}), "White") == weight
    names = {"white": "Tal, Mihail", "black": "Alekhine, Alexander"}
    assert term(both(names, {**names, "black": name}), "Black") == weight


@pytest.mark.parametrize("name", ["Alekhine, Alexander", "Bogoljubow, Efim", "Tal, Mihail"])
def test_no_player_plays_himself(name: str) -> None:
    """If both sides have the same name, one is a slip, but it is unknown which."""
    for changes in ([{}, {"white": name, "black": name}], [{"white": name, "black": name}, {}]):
        assert both(*changes).compare().sides == (0, 0)
