"""Short forms of a list by a kernel: against a reference that compares each form and name."""

from __future__ import annotations

import random
from array import array

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ocgdedup.matching.names.letters import initial_class
from ocgdedup.matching.names.likelihood import SHORT_FORM_COSTS
from ocgdedup.matching.names.name_list import NameList
from ocgdedup.model import NameForm, Person
from tests.reference.short_forms import Listed, short_forms
from tests.support.listed_names import listed_names
from tests.support.persons import spelling_codes

fixed = settings(max_examples=300)

SURNAMES = st.sampled_from(
    ["Berg", "Van der Berg", "Berg Lopez", "De la Berg y Lopez", "Lopez", "Van", "Müller", "Øen"]
)
GIVEN = st.sampled_from(["Jan", "Yuri", "Pieter", "J", "P", "Magnus", "Éva", "Øystein", "Łukasz"])
NAMES = st.one_of(
    st.builds(lambda surname, given: f"{surname}, {' '.join(given)}", SURNAMES,
              st.lists(GIVEN, max_size=3)),
    st.lists(st.sampled_from(["Berg", "Lopez", "Jan", "Pieter", "de"]), max_size=4).map(" ".join),
    st.just("Berg, Jan van der"),
    st.just("伊, Éva"),
    st.just("Berg, 伊 Jan"),
)  # fmt: skip


def found_and_expected(
    names: list[str], prominence: list[float]
) -> tuple[dict[int, float], dict[int, float]]:
    listed = NameList(map(Person, names), spelling_codes)
    weights = array("d", (prominence[person % len(prominence)] for person in listed.person_of))
    chances = listed.own_short_forms(weights, SHORT_FORM_COSTS)
    actual = {entry: chance for entry, chance in enumerate(chances) if chance >= 0}
    twins = [
        Listed(listed.forms[entry], person, weights[entry])
        for entry, person in enumerate(listed.person_of)
    ]
    return actual, short_forms(twins, listed, SHORT_FORM_COSTS)


@fixed
@given(st.lists(NAMES, max_size=12), st.lists(st.floats(0.5, 400), min_size=1, max_size=5))
@example(["Berg, Jan", "Berg, Jan Pieter", "Berg, Yuri", "Jan Berg"], [1.0, 50.0])
@example(["Müller, Jan", "Mueller, Joe", "Muller, Jan P"], [2.0])
@example(["Berg, Jan", "Van der Berg, Jan", "Berg Lopez, Jan", "Lopez, Jan"], [1.0])
@example(["", "?"], [1.0])
def test_short_forms_equal_the_reference(names, prominence):
    actual, expected = found_and_expected(names, prominence)
    assert actual == pytest.approx(expected, rel=1e-9)


def test_many_names():
    """With a small alphabet, so that many names share a short form."""
    draw = random.Random(12)
    names = [
        f"{draw.choice(['', 'de la ', 'van '])}{draw.choice('ab')}x"
        f"{draw.choice(['', ' Berg', ' Lopez Diaz'])}, {draw.choice('abcijky')}nna"
        f"{draw.choice(['', ' J', ' Maria', ' de Y'])}"
        for _ in range(400)
    ]
    actual, expected = found_and_expected(names, [1.0, 3.0, 90.0])
    assert actual == pytest.approx(expected, rel=1e-9)
    assert 100 < len(actual) < 300


INITIALS = {chr(letter): (initial_class(chr(letter)), 0.04) for letter in range(97, 123)}
FACTORS = {**SHORT_FORM_COSTS, "unlisted": 2000.0}


def one_name():
    listed = listed_names()
    listed.count(listed.add(NameForm(("tal",), ("mikhail",), True)))
    return listed


def test_no_names():
    empty = listed_names().short_forms(array("I"), array("d"), FACTORS, INITIALS)
    assert list(empty) == []


@pytest.mark.parametrize(("persons", "weights"), [(0, 1), (1, 0), (2, 1), (1, 2)])
def test_arrays_of_another_length_are_refused(persons, weights):
    arrays = array("I", [0] * persons), array("d", [1] * weights)
    message = f"{persons} players and {weights} weights for 1 entries"
    with pytest.raises(ValueError, match=message):
        one_name().short_forms(*arrays, FACTORS, INITIALS)


@pytest.mark.parametrize("name", [*SHORT_FORM_COSTS, "unlisted"])
def test_all_factors_are_needed(name):
    factors = {key: value for key, value in FACTORS.items() if key != name}
    with pytest.raises(KeyError, match=name):
        one_name().short_forms(array("I", [0]), array("d", [1]), factors, INITIALS)


def test_other_initials_are_refused():
    for initials in ({}, {**INITIALS, "ä": ("a", 0.1)}, {"é": ("e", 0.1)}):
        with pytest.raises(ValueError, match="initials are not letters from a to z"):
            one_name().short_forms(array("I", [0]), array("d", [1]), FACTORS, initials)
