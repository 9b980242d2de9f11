"""The best values of single fields; what ties, ties."""

from __future__ import annotations

from itertools import zip_longest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocgdedup._kernels.search import FIELD_TAGS, HEADER_INDEXES
from ocgdedup.matching import field_choice
from ocgdedup.matching.field_choice import best_values
from ocgdedup.matching.header_merge import BEST_NAMES
from ocgdedup.matching.header_score import EMPTY_TEXTS
from ocgdedup.model import GameHeader
from tests.reference import field_choice as reference
from tests.support.headers import header

TAGS = {
    GameHeader._fields[place]: tag for tag, place in zip(FIELD_TAGS, HEADER_INDEXES, strict=True)
}


def best(field, *values, **others):
    """Return the best of the values; `others`: a list of values for each further field."""
    rows = [dict(zip(others, row, strict=True)) for row in zip(*others.values(), strict=True)]
    rows = rows or [{} for _ in values]
    name = field.removesuffix("s")
    records = [
        header(i, **{name: value}, **row)
        for i, (value, row) in enumerate(zip(values, rows, strict=True))
    ]
    tag = TAGS[name]
    return sorted(BEST_NAMES[tag](records) if tag in BEST_NAMES else best_values(tag, records))


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("Linares", None),
        ("Linares", "?"),
        ("Linares 11th", "Linares"),
        ("Linares 11th", "LINARES 11TH"),
        ("Linares 11th", "Linares 11"),
        ("Linares (11)", "Linares 11"),
        ("Moscow Tal Memorial", "Moscow Tal mem"),
        ("Troll Masters", "ch-NOR"),
    ],
)
def test_events_and_sites_of_two(better, worse):
    assert best("events", better, worse) == [better]
    assert best("sites", better, worse) == [better]


def test_empty_values_give_an_empty_value():
    for field in ("events", "sites", "rounds", "time_controls"):
        assert best(field, None, "?", "-") == []
    assert best("dates", None, "????.??.??", "10 March") == []
    assert best("results", "*", "*") == []
    assert best("ecos", None, "KID", "E9") == []
    assert best("white_elos", None, 0, 99, 4000) == []
    assert best("whites", None, "NN") == []


def test_most_records_beat_the_longer_text():
    assert best("events", "Troll Masters", "ch-NOR", "CH-NOR") == ["ch-NOR"]


def test_a_truncated_text_supports_the_whole_text():
    texts = ["Linares 11th", "Linares", "Linares", "Super GM", "Super GM"]
    assert best("events", *texts) == ["Linares 11th"]
    assert best("events", "Lin", "Lin", "Linares") == ["Linares"]
    assert best("events", "Li", "Li", "Linares") == ["Li"]  # too short to tell


def test_a_place_is_no_event():
    assert best("events", "Linares Spain", "Super GM", site=["?", "Linares (Spain)"]) == [
        "Super GM"
    ]
    # Where all say so, it is.
    assert best("events", "Linares", "LINARES", site=["Linares", None]) == ["Linares"]
    # What is cut off is not better for it.
    assert best("events", "Linar", "Linares", site=["?", "Linares"]) == ["Linares"]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("1993.03.10", "1993.03.??"),
        ("1993.03.??", "1993.??.??"),
        ("1993.??.??", "????.??.??"),
        ("1993.03.??", None),
        ("1993.03.??", "March 1993"),
    ],
)
def test_the_more_exact_date_is_better(better, worse):
    assert best("dates", better, worse) == [better]


def test_full_dates_that_differ_tie():
    assert best("dates", "1993.03.10", "1993.03.11") == ["1993.03.10", "1993.03.11"]


def test_the_date_of_most_records_wins():
    assert best("dates", "1993.03.10", "1993.03.11", "1993.03.10") == ["1993.03.10"]
    assert best("dates", "1993.03.10", "1993.04.10", "1993.04.??") == ["1993.04.10"]


def test_the_date_that_was_read_more_surely():
    assert best("dates", "1993.03.10", "1993.10.03", date_quality=[33, 31]) == ["1993.03.10"]
    assert best("dates", "1993.03.10", "1993.10.03", date_quality=[31, 32]) == ["1993.10.03"]
    dates = ["1993.03.10", "1993.10.03"] * 2
    assert best("dates", *dates, date_quality=[33, 32, 31, 32]) == ["1993.03.10"]


def test_no_game_is_played_before_its_event():
    tags = ['{"EventDate":"1993.03.09"}', None]
    dates = ["1993.03.08", "1993.03.10"]
    assert best("dates", *dates, extra_tags=tags) == ["1993.03.10"]
    assert best("dates", "1993.03.08", "1993.03.09", extra_tags=tags) == ["1993.03.09"]
    assert best("dates", *dates, extra_tags=['{"EventDate":"1993.??.??"}', None]) == dates
    assert best("dates", *dates, extra_tags=['{"EventDate":"1994.01.01"}', None]) == dates


def test_of_two_days_that_the_event_began_the_earlier_one_counts():
    tags = ['{"EventDate":"1993.03.09"}', '{"EventDate":"1993.03.11"}']
    dates = ["1993.03.10", "1993.03.12"]
    assert best("dates", *dates, extra_tags=tags) == dates


def test_dates_agree():
    assert field_choice.dates_agree("1993.??.??", "1993.03.10")
    assert field_choice.dates_agree("1993.??.10", "1993.03.??")
    assert not field_choice.dates_agree("1993.04.??", "1993.03.10")


def test_event_date():
    tags = '{"A":"b","EventDate":"1993.02.??"}'
    assert field_choice.event_date(header(extra_tags=tags)) == "1993.02.??"
    for tags in ('{"EventDate":"1993"}', '{"EventDate":"????.??.??"}', '{"A":"b"}', None):
        assert field_choice.event_date(header(extra_tags=tags)) is None


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (("3", None), ["3"]),
        (("3", "?"), ["3"]),
        (("3", "3.2"), ["3.2"]),
        (("3", "?.2"), ["3"]),
        (("3", "30.2"), ["3", "30.2"]),
        (("6", "4.6"), ["4.6", "6"]),
        (("3", "4"), ["3", "4"]),
        (("3", "03", "4"), ["03", "3"]),
        (("3.2", "3", "4", "4"), ["3.2", "4"]),
        (("4.1", "3", "3"), ["3"]),
        (("3(2)", "3"), ["3(2)"]),
    ],
)
def test_rounds(values, expected):
    assert best("rounds", *values) == expected


def test_results():
    assert best("results", "*", "1-0") == ["1-0"]
    assert best("results", "1-0", "0-1", "1-0", plies=[10, 80, 10]) == ["1-0"]
    assert best("results", "1-0", "0-1") == ["0-1", "1-0"]


def test_a_decided_result_of_the_longer_score():
    assert best("results", "1-0", "0-1", plies=[40, 80]) == ["0-1"]
    assert best("results", "1-0", "0-1", plies=[76, 80]) == ["0-1", "1-0"]
    assert best("results", "1-0", "*", plies=[40, 80]) == ["1-0"]


def test_a_result_that_the_movetext_contradicts():
    tags = ['{"MovetextResult":"0-1"}', None]
    assert best("results", "1-0", "0-1", plies=[80, 40], extra_tags=tags) == ["0-1"]


def test_elos():
    assert best("white_elos", 2700, None) == [2700]
    assert best("white_elos", 2700, 2710) == [2700, 2710]
    assert best("white_elos", 2700, 2710, 2710, 5000, 5000, 5000) == [2710]
    assert best("black_elos", 2700, 0, 0) == [2700]


def test_openings():
    assert best("ecos", "E97", "E97b") == ["E97b"]
    assert best("ecos", "E97", "E97b", "E98") == ["E97b"]
    assert best("ecos", "E97", "E98", "E98") == ["E98"]
    assert best("ecos", "E97", "KID", "KID") == ["E97"]
    assert best("ecos", "E97", "E98") == ["E97", "E98"]


def test_time_controls():
    assert best("time_controls", "40/7200", None) == ["40/7200"]
    assert best("time_controls", "40/7200", "-", "-") == ["40/7200"]
    assert best("time_controls", "40/7200", "300", "300") == ["300"]


def test_names_of_either_side():
    assert best("whites", "Kasparov,G", "Kasparov, Garry") == ["Kasparov, Garry"]
    assert best("blacks", "Kasparov,G", "Kasparov, Garry", black_person_id=[1, None]) == [
        "Kasparov,G"
    ]


# --- against slow twins -------------------------------------------------------------------------

_TEXTS = st.lists(
    st.sampled_from(
        ["Lin", "linares", "Linares", "Linares Open", "LINARES OPEN", "Lin. ESP", "[Lin"]
    )
    | st.text("ab .", min_size=1, max_size=5),
    min_size=1,
)
_ROUNDS = st.lists(
    st.lists(st.sampled_from(["1", "01", "2", "2(1)", "?"]), min_size=1, max_size=3).map(".".join),
    min_size=1,
).map(lambda rounds: [text for text in rounds if text not in EMPTY_TEXTS])
_DATES = st.lists(
    st.tuples(
        st.sampled_from(["1999", "2000", "199?"]),
        st.sampled_from(["01", "02", "??"]),
        st.sampled_from(["03", "04", "?4", "??"]),
    ).map(".".join),
    min_size=1,
)


@given(_TEXTS, _TEXTS)
def test_events_equal_the_reference(texts, sites):
    texts = [text for text in texts if text not in EMPTY_TEXTS]
    records = [header(event=text, site=site) for text, site in zip_longest(texts, sites)]
    assert best_values("Event", records) == reference.best_events(texts, sites)


@pytest.mark.slow
@given(_ROUNDS)
def test_rounds_equal_the_reference(rounds):
    records = [header(round=text, date="1999.01.01") for text in rounds]
    assert best_values("Round", records) == reference.best_rounds(rounds)


@given(_DATES)
def test_dates_equal_the_reference(dates):
    assert best_values("Date", [header(date=date) for date in dates]) == reference.best_dates(dates)


def test_one_chooser_takes_groups_of_any_size():
    """Also one after another: its tables grow."""
    chooser = field_choice.header_chooser()
    for count in (1, 2, 16, 17, 18, 40, 33, 64, 65, 130, 1):
        records = [header(i, event=f"Linares {chr(65 + i % 26)}{i}") for i in range(count)]
        assert chooser.best_values(records, "Event") == field_choice.best_values("Event", records)
        assert chooser.best_values(records, "Event") == reference.best_events(
            [record.event for record in records], []
        )
