"""Decisions of the kernel about names, compared with plain loops."""

from __future__ import annotations

from array import array
from math import isnan

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ocgdedup._kernels.names import REFUSALS, NameDecisions
from ocgdedup.matching.names.likelihood import LIMITS
from ocgdedup.matching.names.name_form import name_form
from ocgdedup.matching.names.name_list import NameList
from ocgdedup.matching.names.resolve import GamesOfName, Resolver
from ocgdedup.model import Person
from tests.reference.name_decision import slow_decision
from tests.support.persons import crowd, encode, known_persons, world

SURNAMES = st.sampled_from(
    """
    Iwanow Ivanov Müller Mueller Brandauer Brandaur Brandaueer Li Liang Lee Wang Zhukov Жуков
    Garcia Palermo Kim Vandenberg Ho
    """.split()  # noqa: SIM905
)
GIVEN = st.sampled_from(
    """
    Jan Jane Anna Ana A J Kunibert Kunybert Karl Yi Fan Yifan Sedol Se-dol Carlos Ng K Ca
    """.split()  # noqa: SIM905
)
AFTER = st.sampled_from(["", "", "", " jr", " sr", " (GER)", " (RUS)", " 2", " 1980"])
NAMES = st.builds(
    lambda surnames, given, after, is_ordered: (
        f"{' '.join(surnames)}, {' '.join(given)}{after}"
        if is_ordered
        else f"{' '.join(given)} {' '.join(surnames)}{after}"
    ),
    st.lists(SURNAMES, min_size=1, max_size=2),
    st.lists(GIVEN, max_size=2),
    AFTER,
    st.sampled_from([True, True, False]),
)
YEARS = st.sampled_from([None, 1900, 1950, 1980, 1981, 2012])
PERSONS = st.builds(
    Person,
    NAMES,
    st.integers(1, 9) | st.none(),
    st.sampled_from(["", "FM", "GM"]),
    st.sampled_from(["GER", "RUS", ""]),
    YEARS,
    st.sampled_from([None, None, 1985]),
    st.sampled_from([None, 1400, 1900, 2700]),
    st.just(""),
    st.booleans(),
)
LISTS = st.lists(PERSONS, min_size=1, max_size=7)
CLAIMS = st.tuples(st.sampled_from(["", "FM", "GM"]), st.sampled_from([0, 1500, 2200, 2700]))
GAMES = st.builds(
    lambda fide_ids, years, is_youth, claims: GamesOfName(fide_ids, *years, is_youth, claims),
    st.frozensets(st.integers(1, 9), max_size=2),
    st.lists(st.sampled_from([1890, 1960, 1990, 2020]), min_size=2, max_size=2).map(sorted)
    | st.just((0, 0)),
    st.booleans(),
    st.frozensets(CLAIMS, max_size=2),
)


def assert_decided_as_slowly(lists: list[NameList], name: str, games: GamesOfName) -> str:
    resolver = Resolver(*lists)
    ids = resolver.persons.with_fide_ids()
    [decision] = resolver.decide_each(
        [name], [games], most=3, most_of_sure=1, scored=3, by_fide_id=ids
    )
    slow = slow_decision(lists, name, games)
    refusal = int(decision.columns.refusals[0])
    assert refusal == REFUSALS[slow.refusal]
    assert decision.person == slow.person
    assert (decision.score, decision.probability, decision.listed) == pytest.approx(
        (slow.score, slow.probability, slow.listed), abs=1e-12
    )
    is_sure = slow.person is not None and slow.probability >= LIMITS.sure_probability
    kept = slow.fits[: 1 if is_sure else 3]
    candidates = decision.candidates()
    assert [candidate.person for candidate in candidates] == [fit.number for fit in kept]
    for candidate, fit, probability in zip(candidates, kept, slow.probabilities, strict=False):
        assert candidate.evidence == pytest.approx(fit.evidence, abs=1e-12)
        assert candidate.probability == pytest.approx(probability, abs=1e-12)
    evidence = {fit.number: fit.evidence for fit in slow.fits}
    for fide_id, value in zip(sorted(games.fide_ids), decision.tagged, strict=True):
        expected = evidence.get(ids.get(fide_id, -1))
        assert isnan(value) if expected is None else value == pytest.approx(expected, abs=1e-12)
    return slow.refusal


@settings(max_examples=400, deadline=None)
@given(NAMES, LISTS, LISTS, GAMES)
@example("Brandauer, K", [Person("Brandauer, Kunibert", 1, "GM", rating=2700)], [], GamesOfName())
@example("Brandaur, Kunibert", [Person("Brandauer, Kunibert", 1)], [], GamesOfName({1}))
def test_decisions_equal_the_reference(name, listed, others, games):
    lists = [NameList(persons, encode) for persons in (listed, others) if persons]
    assert_decided_as_slowly(lists, name, games)


def test_decisions_by_a_long_list_equal_the_reference():
    refusals = set()
    for person in [*known_persons(), *crowd()[::200]]:
        surname, _, given_name = person.name.partition(", ")
        for name in (
            person.name, f"{surname}, {given_name[:1]}", f"{surname}, {given_name[:2]}",
            surname, f"{surname[:3]}{surname[4:]}, {given_name}", f"{person.name} jr",
            f"{surname[:2]}y{surname[2:]}, {given_name[1:]}", f"{person.name} 2",
            f"{surname}x, {given_name}", f"{surname[1:]}, {given_name[:3]}",
        ):  # fmt: skip
            games = GamesOfName((), 1950, 2000 + len(name) % 20, False, [("", 1300 + len(name))])
            refusals.add(assert_decided_as_slowly([world()], name, games))
    assert refusals >= {
        "", "NOT_LISTED", "TOO_LITTLE", "NUMBERED", "AMBIGUOUS", "ABBREVIATED", "GENERATION",
        "SLIP",
    }  # fmt: skip


def test_excluded_persons_are_nobody():
    resolver = Resolver(world())
    number = resolver.resolve("Shirov, Alexei").person
    assert number is not None
    are_excluded = bytearray(len(resolver.persons))
    are_excluded[number] = True
    [decision] = resolver.decide_each(
        ["Shirov, Alexei"], [GamesOfName()], most=5, most_of_sure=5, are_excluded=are_excluded
    )
    assert number not in [candidate.person for candidate in decision.candidates()]


def columns(count: int) -> tuple[array[int], ...]:
    """Return the columns of names without games."""
    return (
        array("H", bytes(4 * count)), array("B", bytes(count)), array("I", bytes(4 * count)),
        array("q"), array("q"), array("I", bytes(4 * count)), array("q"),
    )  # fmt: skip


def decisions(games: tuple[array[int], ...], excluded: bytes = b"") -> NameDecisions:
    names = NameList([Person("Tal, M"), Person("Tel, M")], encode)
    batch = names.batch([[name_form("Tal")]])
    return NameDecisions([batch], games, LIMITS._asdict(), 1.0, excluded)


@pytest.mark.parametrize(
    ("games", "message"),
    [
        (columns(2), "batch of 1 names, not 2"),
        ((array("H"), *columns(1)[1:]), "years: 0 values, not 2"),
        ((*columns(1)[:2], array("I", [1]), *columns(1)[3:]), "row 0 ends at 1 of 0"),
        ((*columns(1)[:5], array("I", [1]), array("q")), "row 0 ends at 1 of 0"),
    ],
)
def test_columns_of_other_names_are_refused(games, message):
    with pytest.raises(ValueError, match=message):
        decisions(games)


def test_marks_of_too_few_persons_are_refused():
    with pytest.raises(ValueError, match="1 marks of 2 persons"):
        decisions(columns(1), b"\0")


@pytest.mark.parametrize(("begin", "end"), [(-1, 0), (0, 2), (1, 0)])
def test_unknown_names_are_refused(begin, end):
    with pytest.raises(ValueError, match=f"names {begin} to {end} of 1"):
        decisions(columns(1)).decide(begin, end, most=1, most_of_sure=1, scored=1)
