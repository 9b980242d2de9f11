"""The rules of age, title and Elo in the kernel equal slow ones."""

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocgdedup._kernels import names

BORN = st.one_of(st.just(0), st.integers(1880, 2015))
DIED = st.one_of(st.just(0), st.integers(1900, 2020))
YEARS = st.lists(st.integers(1850, 2026), min_size=2, max_size=2).map(sorted)


def slow_evidence(born, died, first_year, last_year, is_youth):
    value = 0.0
    if born:
        value -= 1.2 * max(born + (9 if is_youth else 13) - last_year, 0)
        value -= 0.2 * max(first_year - born - 70, 0)
    possible = [
        year
        for year in range(first_year, last_year + 1)
        if (not born or year >= born + 6) and (not died or year <= died + 1)
    ]
    if possible:
        value += log(len(possible) / (last_year - first_year + 1))
    return value


@given(BORN, DIED, YEARS, st.booleans())
def test_evidence_of_age_equals_the_reference(born, died, years, is_youth):
    assert names.age_evidence(born, died, *years, is_youth=is_youth) == pytest.approx(
        slow_evidence(born, died, *years, is_youth), abs=1e-12
    )


@given(BORN, DIED, YEARS, st.booleans())
def test_a_person_can_have_played_if_a_year_is_possible(born, died, years, as_child):
    ages = range((6 if as_child else 9), 101)
    expected = any(
        (not born or year - born in ages) and (not died or year <= died + 1)
        for year in range(years[0], years[1] + 1)
    )
    # Alive in one year, and of age in another: both bounds are tested by themselves.
    alive = not died or years[0] <= died + 1
    of_age = not born or any(year - born in ages for year in range(years[0], years[1] + 1))
    actual = names.can_have_played(born, died, *years, as_child=as_child)
    assert actual is (alive and of_age)
    assert actual or not expected


@pytest.mark.parametrize(
    ("claim", "listed", "expected"),
    [
        ((2500, 0), (True, 2400, 0), True),
        ((2400, 0), (True, 2400, 0), False),
        ((0, 2401), (True, 0, 2000), True),
        ((0, 2400), (True, 0, 2000), False),
        ((0, 2900), (True, 0, 0), False),
        ((2500, 2900), (False, 0, 1200), False),
    ],
)
def test_a_claim_is_too_high_for_a_lower_title_or_400_points(claim, listed, expected):
    has_fide_id, title, rating = listed
    actual = names.claim_is_too_high(
        *claim, has_fide_id=has_fide_id, listed_title=title, rating=rating
    )
    assert actual is expected
