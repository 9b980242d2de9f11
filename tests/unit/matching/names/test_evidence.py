"""What a single game says: who can have played it, what weighs more, and when it is enough.

The evidence is that of the reference, to which tests/kernels/test_game_judge.py compares the
kernel.
"""

from __future__ import annotations

from functools import reduce

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocgdedup.matching.names.evidence import NO_TAGS, TagSummary
from ocgdedup.matching.names.name_list import PersonTable
from ocgdedup.matching.names.resolve import Persons
from ocgdedup.model import Person
from tests.reference.game_players import (
    MIN_PROBABILITY_OF_GAME,
    Career,
    GameSide,
    choose,
    revised_probability,
    side_evidence,
)
from tests.support.player_age import age_evidence, is_possible

fixed = settings(max_examples=150)

NOTHING = GameSide(0, 0, "", "", 0, 0, 0, frozenset())
# Both have the same name in a game's tags.
FATHER = Person("Petrosian, Tigran V", 1, "GM", "ARM", 1929, 1984, 2600)
SON = Person("Petrosian, Tigran L", 2, "GM", "ARM", 1984, None, 2610)
PERSONS = Persons(PersonTable([FATHER, SON]))


def said(side: GameSide, number: int, career: Career | None = None, **ids: int) -> float:
    name_ids = {int(key[1:]): count for key, count in ids.items()}
    return side_evidence(side, PERSONS[number], number, career, name_ids)


def chosen(side: GameSide, *, by_name: float = 14.0) -> int | None:
    return choose([(number, by_name + said(side, number)) for number in (0, 1)], PERSONS)[0]


@pytest.mark.parametrize(
    ("year", "possible"),
    [
        (0, True),
        (1929, False),
        (1937, False),
        (1938, True),
        (1984, True),
        (1985, True),
        (1986, False),
    ],
)
def test_played_after_birth_and_before_death(year, possible):
    assert is_possible((FATHER.birth_year, FATHER.death_year or 0), year) is possible


@pytest.mark.parametrize(("age", "alone", "as_child"), [(5, 0, 0), (6, 0, 1), (8, 0, 1), (9, 1, 1)])
def test_small_children_need_more_than_their_name(age, alone, as_child):
    assert is_possible((2001, 0), 2001 + age) == bool(alone)
    assert is_possible((2001, 0), 2001 + age, as_child=True) == bool(as_child)


def test_the_age_counts_more_the_further_it_is_from_that_of_most_players():
    ages = [9, 10, 11, 12, 13, 40, 70]
    values = [age_evidence((1950, 0), 1950 + age, 1950 + age) for age in ages]
    assert values == sorted(values)
    assert values[0] < -4
    assert values[-3:] == [0, 0, 0]
    old = [age_evidence((1900, 0), year, year) for year in (1970, 1980, 1990, 2000)]
    assert old == sorted(old, reverse=True)
    assert age_evidence((2001, 0), 2010, 2010, is_youth=True) == 0
    assert age_evidence((0, 0), 2010, 2010) == 0


def test_a_person_who_can_have_played_few_of_the_years_is_less_probable():
    assert age_evidence((1959, 0), 1939, 2000) < age_evidence((1939, 0), 1939, 2000) < 0
    assert age_evidence((1930, 1985), 1950, 1980) == 0
    assert age_evidence((1930, 1955), 1950, 1980) < 0


def test_tags_that_contradict_a_person():
    person = Person("Novak, Jan", 5, "IM", "CZE", 1970, None, 2400)
    assert not TagSummary("IM", 2000, 2500).contradicts(person, has_rival=False)
    assert TagSummary("IM", 2000, 2500).contradicts(person, has_rival=True)
    assert TagSummary("GM", 2400, 2500).contradicts(person, has_rival=False)
    assert TagSummary("", 2400, 2801).contradicts(person, has_rival=False)
    assert TagSummary(countries=frozenset({"SVK"})).contradicts(person, has_rival=False)
    assert not TagSummary(countries=frozenset({"CZE"})).contradicts(person, has_rival=False)
    assert not TagSummary("GM", 2400, 2900).contradicts(Person("Novak, Jan"), has_rival=True)


@given(st.lists(st.tuples(st.sampled_from(["", "GM", "IM", "WGM"]), st.integers(0, 2900))))
@fixed
def test_summaries_of_tags_merge_in_any_order(games):
    parts = [TagSummary(title, elo, elo) for title, elo in games]
    merged = reduce(TagSummary.joined_with, parts, NO_TAGS)
    assert reduce(TagSummary.joined_with, parts[::-1], NO_TAGS) == merged
    assert merged.highest_elo == max((elo for _, elo in games), default=0)
    assert merged.lowest_elo == min((elo for _, elo in games if elo), default=0)


def test_the_probability_of_a_name_after_the_evidence_of_a_game():
    even = revised_probability(0, 0.9, [(0, 12.0, 12.0), (1, 9.0, 9.0)], PERSONS)
    assert even == pytest.approx(0.9)
    against = revised_probability(0, 0.9, [(0, 12.0, 8.0), (1, 9.0, 9.0)], PERSONS)
    for_rival = revised_probability(0, 0.9, [(0, 12.0, 12.0), (1, 9.0, 13.0)], PERSONS)
    assert against < 0.5
    assert for_rival < even
    assert revised_probability(0, 0.9, [(0, 12.0, -1e9), (1, 9.0, 9.0)], PERSONS) == 0.0
    assert revised_probability(0, 0.9, [(0, 12.0, 16.0), (1, 9.0, 9.0)], PERSONS) > 0.99


def test_played_at_most_at_a_hundred():
    assert is_possible((1900, 0), 2000)
    assert not is_possible((1900, 0), 2001)
    assert is_possible((0, 0), 1700)


@pytest.mark.parametrize(("year", "player"), [(1963, 0), (2009, 1), (0, None)])
def test_the_living_one_played(year, player):
    side = NOTHING._replace(year=year)
    assert chosen(side) == player


def test_the_impossible_is_never_chosen():
    # Everything but the year is for the father.
    side = NOTHING._replace(
        year=2009, fide_id=1, title="GM", country="ARM", in_duplicates=frozenset([0])
    )
    assert choose([(0, 1000.0 + said(side, 0))], PERSONS) == (None, 0.0)
    assert chosen(side) != 0


def test_a_fide_id_beats_an_elo():
    # The Elo of 1960 would be far from the father's: he is meant nevertheless.
    side = NOTHING._replace(fide_id=1, elo=1900)
    rival = Persons(PersonTable([FATHER, Person("Petrosian, T", 3, rating=1900)]))
    weighed = [(n, 10.0 + side_evidence(side, rival[n], n, None, {})) for n in (0, 1)]
    assert choose(weighed, rival)[0] == 0


def test_the_id_of_this_game_says_more_than_that_of_others():
    here = said(NOTHING._replace(fide_id=1), 0)
    elsewhere = said(NOTHING, 0, _1=5)
    assert here > elsewhere > said(NOTHING, 0)


def test_another_fide_id_is_against_him():
    assert said(NOTHING._replace(fide_id=77), 0) < said(NOTHING, 0)


def test_the_same_game_elsewhere_decides():
    assert chosen(NOTHING._replace(in_duplicates=frozenset([1]))) == 1


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"elo": 2610}, {"elo": 2450}),
        ({"elo": 2450}, {"elo": 1500}),
        ({"title": "GM"}, {"title": ""}),
        ({"country": "ARM"}, {"country": "FRA"}),
        ({"country": "URS"}, {"country": "FRA"}),  # Armenia was a part of the Soviet Union
    ],
)
def test_what_fits_better_weighs_more(better, worse):
    assert said(NOTHING._replace(**better), 0) > said(NOTHING._replace(**worse), 0)


def test_a_title_he_never_had_is_against_him():
    weak = Person("Petrosian, T", title="FM")
    side = NOTHING._replace(title="GM")
    assert side_evidence(side, weak, 0, None, {}) < side_evidence(NOTHING, weak, 0, None, {})


def test_a_career_says_where_and_when_he_played():
    career = Career(1960, 1970, {7: {2}}, frozenset([9]), {1963: 2640.0})
    side = NOTHING._replace(year=1963)
    for more in (side._replace(event=7), side._replace(opponent=9), side._replace(elo=2650)):
        assert said(more, 0, career) > said(side, 0, career)
    of_one_source = side._replace(event=7, source=2)
    for less in (side._replace(elo=2000), side._replace(year=1935), of_one_source):
        assert said(less, 0, career) < said(side, 0, career)
    assert said(side, 0, career) > said(side, 0)
    assert said(side._replace(event=8, opponent=8), 0, career) == said(side, 0, career)


evidences = st.lists(st.tuples(st.integers(0, 1), st.floats(-30, 60)), max_size=2,
                     unique_by=lambda candidate: candidate[0])  # fmt: skip


@fixed
@given(evidences)
def test_choice_needs_a_clear_margin(candidates):
    person, probability = choose(candidates, PERSONS)
    assert 0 <= probability <= 1
    again, same_probability = choose(candidates[::-1], PERSONS)
    assert again == person
    assert same_probability == pytest.approx(probability)
    assert (person is not None) == (probability >= MIN_PROBABILITY_OF_GAME)
    if person is not None:
        ours = dict(candidates)[person]
        assert all(ours > other + 2 for n, other in candidates if n != person)
        assert ours > 5  # somebody of no list might be meant


def test_too_little_evidence_is_no_choice():
    assert choose([(0, 3.0)], PERSONS)[0] is None
    assert choose([(0, 30.0), (1, 29.5)], PERSONS)[0] is None
    assert choose([(0, 30.0), (1, 20.0)], PERSONS)[0] == 0
    assert choose([], PERSONS) == (None, 0.0)


def test_huge_evidence_does_not_overflow():
    assert choose([(0, 1e6), (1, 2e6)], PERSONS)[0] == 1
