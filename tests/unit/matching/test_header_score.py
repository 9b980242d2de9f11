"""The header score: its points one by one."""

from __future__ import annotations

import pytest

from ocgdedup.matching.header_score import header_score, is_named
from tests.support.headers import header

LEAST = 1  # for a length
PLAYED = {"white": "Kasparov, Garry", "black": "Karpov, Anatoly", "result": "1-0"}


def points(**fields):
    return header_score(header(**(PLAYED | fields))) - LEAST


def test_a_bare_header_has_the_point_of_its_length():
    assert header_score(header(**PLAYED)) == LEAST


def test_a_header_without_players_and_result_has_less_than_no_points():
    assert header_score(header()) == LEAST - 10 - 10 - 5


@pytest.mark.parametrize("name", [None, "?", "NN", "N.N.", "Unknown"])
@pytest.mark.parametrize("side", ["white", "black"])
def test_a_missing_name_costs_points(side, name):
    assert points(event="Linares", site="Linares", **{side: name}) == 15 - 10


@pytest.mark.parametrize("result", [None, "", "*"])
def test_a_missing_result_costs_points(result):
    assert points(event="Linares", result=result) == 8 - 5


def test_a_full_header_has_88_points():
    full = header(
        event="Linares",
        site="Linares ESP",
        date="1993.03.10",
        white="Kasparov, Garry",
        black="Karpov, Anatoly",
        result="1-0",
        white_elo=2805,
        black_elo=2725,
        time_control="40/7200",
        eco="E97",
        white_person_id=1,
        black_person_id=2,
        plies=100,
    )
    assert header_score(full) == 88


@pytest.mark.parametrize("side", ["White", "Black"])
@pytest.mark.parametrize(
    ("tags", "expected"),
    [({}, 0), ("4100018", 15), ("0", 0), ("", 0)],
)
def test_a_fide_id_in_a_tag(side, tags, expected):
    tags = {"Opening": "KID", f"{side}FideId": tags} if isinstance(tags, str) else tags
    assert points(white="Kasparov, Garry", black="Karpov, Anatoly", tags=tags) == expected


def test_a_fide_id_of_the_person():
    assert points(white="Kasparov, Garry", white_person_id=1) == 15
    assert points(white="Kasparov, Garry", white_person_id=3) == 0


def test_a_fide_id_counts_once():
    assert points(white="Kasparov, Garry", white_person_id=1, tags={"WhiteFideId": "7"}) == 15


@pytest.mark.parametrize("name", [None, "?", "NN", "N.N.", "Unknown", "unknown player"])
def test_a_fide_id_beside_no_name_counts_nothing(name):
    known = {"white_person_id": 1, "tags": {"WhiteFideId": "7"}, "event": "Linares", "site": "?"}
    assert points(white=name, **known | {"site": "Linares"}) == 15 - 10


@pytest.mark.parametrize(
    ("elo", "expected"), [(None, 0), (0, 0), (99, 0), (100, 10), (3999, 10), (4000, 0)]
)
def test_elos(elo, expected):
    assert points(white_elo=elo) == points(black_elo=elo) == expected


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        ("1993.03.10", 10), ("1993.03.??", 5), ("1993.??.??", 2), ("1993.??.10", 2),
        ("199?.03.10", 0), ("????.??.??", 0), (None, 0),
    ],
)  # fmt: skip
def test_dates(date, expected):
    assert points(date=date) == expected


def test_event_site_and_time_control():
    assert points(event="Linares") == 8
    assert points(site="Linares") == 7
    assert points(time_control="40/7200") == 3
    assert points(event="?", site="", time_control="-") == 0


@pytest.mark.parametrize(
    ("eco", "expected"),
    [("E97", 5), ("E97b", 5), ("F10", 0), ("E9", 0), ("EX7", 0), ("KID", 0), ("", 0)],
)
def test_openings(eco, expected):
    assert points(eco=eco) == expected


@pytest.mark.parametrize(
    ("plies", "expected"), [(0, 1), (19, 1), (20, 2), (79, 4), (80, 5), (100, 5), (400, 5)]
)
def test_lengths(plies, expected):
    assert header_score(header(**PLAYED, plies=plies)) == expected


@pytest.mark.parametrize("name", ["Ni, Hua", "Unkel, K", "N, Nick", "Noname2, X", "Žid, Jan", "Na"])
def test_what_only_begins_like_nobody_is_a_name(name):
    assert is_named(name) == (name != "Na")


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ({"KM": "5.5"}, 3),
        ({"BR": "9p", "WR": "8p"}, 6),
        ({"RE": "B+R", "RU": "Japanese", "HA": "2"}, 6),
        ({"DT": "1996-05-06,07", "GN": "x"}, 0),
    ],
)
def test_tags_of_go(tags, expected):
    assert points(tags=tags) == points() + expected
