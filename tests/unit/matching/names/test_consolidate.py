"""All names of a collection: the list first, then the unlisted among themselves; laws."""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocgdedup.matching.names.consolidate import Consolidated, Consolidation, NameUse
from ocgdedup.matching.names.name_form import name_form
from ocgdedup.matching.names.name_list import NameList
from ocgdedup.model import NameForm, Person
from tests.support.persons import crowd, encode, known_persons, list_of, world

fixed = settings(max_examples=30)


def use(
    number: int, name: str, *, ids: tuple[int, ...] = (), events: tuple[int, ...] = ()
) -> NameUse:
    return NameUse(number, name, 10 - number % 3, dict.fromkeys(ids, 3), frozenset(events))


def uses_of(*names: str) -> list[NameUse]:
    return [use(number, name) for number, name in enumerate(names, 1)]


def run(uses: list[NameUse], listed: NameList | None = None) -> Consolidated:
    return Consolidation(listed or world(), encode).run(uses)


def groups(uses: list[NameUse], listed: NameList | None = None) -> list[set[str]]:
    """Return the names that are one person's; each open name is a group of its own."""
    names_by_person: dict[object, set[str]] = {}
    for player_id, identity in run(uses, listed).identities.items():
        key = ("open", player_id) if identity.person is None else identity.person
        name = next(use.name for use in uses if use.player_id == player_id)
        names_by_person.setdefault(key, set()).add(name)
    return sorted(names_by_person.values(), key=sorted)


@cache
def own_names() -> dict[str, str | None]:
    """Return whom each of a list's own names was found to mean."""
    persons = [*known_persons(), *crowd()[:500]]
    uses = [use(number, person.name) for number, person in enumerate(persons)]
    result = run(uses)
    return {
        name_use.name: None if (person := result.identities[name_use.player_id].person) is None
        else result.persons[person].name
        for name_use in uses
    }  # fmt: skip


def test_known_persons_get_their_own_names():
    expected = {person.name for person in known_persons()} - {"Ho, Ng"}  # too short
    assert {name for name in expected if own_names()[name] != name} == set()


def test_nobody_gets_a_name_of_another():
    assert {name for name, person in own_names().items() if person not in (name, None)} == set()
    assert list(own_names().values()).count(None) < len(own_names()) / 20


def test_a_fide_id_gives_each_his_own_name():
    persons = [person for person in known_persons() if person.name != "Ho, Ng"]
    result = run(
        [use(i, listed.name, ids=(listed.fide_id or 0,)) for i, listed in enumerate(persons)]
    )
    numbers = [result.identities[i].person for i in range(len(persons))]
    assert [number is not None and result.persons[number] for number in numbers] == persons


@pytest.mark.parametrize(
    ("name", "years", "is_he"),
    [
        ("Vega Sanchex, Miguel Angel", (0, 0), True),  # born in 1981
        ("Vega Sanchex, Miguel Angel", (1990, 2020), True),
        ("Vega Sanchex, Miguel Angel", (1989, 2020), False),  # another player's game is among them
        ("Vega Sanchex, Miguel Angel", (1989, 2090), False),
        ("Vega Sanchez, Miguel Angel", (1950, 2020), True),  # single games tell
    ],
)
def test_all_games_must_fit_who_is_written_otherwise(
    name: str, years: tuple[int, int], is_he: bool
) -> None:
    result = run([use(1, name)._replace(first_year=years[0], last_year=years[1])])
    actual = result.identities[1].person
    has_fide_id = actual is not None and result.persons[actual].fide_id == 9000038
    assert has_fide_id is is_he


def test_a_fide_id_decides_between_namesakes():
    [first, second] = [p for p in known_persons() if p.name.startswith("Petrosian")]
    uses = [
        use(1, "Petrosian, Tigran", ids=(first.fide_id or 0,)),
        use(2, "Petrosian,Tigran", ids=(second.fide_id or 0,)),
        use(3, "Petrosian, Tigran.", ids=(first.fide_id or 0, second.fide_id or 0)),
    ]
    result = run(uses)
    numbers = [result.identities[number].person for number in (1, 2, 3)]
    assert [n if n is None else result.persons[n] for n in numbers] == [first, second, None]


def test_a_fide_id_of_quite_another_name_is_wrong():
    [shirov] = [person for person in known_persons() if person.name == "Shirov, Alexei"]
    result = run([use(1, "Karpov, Anatoly", ids=(shirov.fide_id or 0,))])
    assert result.persons[result.identities[1].person or 0].name == "Karpov, Anatoly"


def test_unknown_names_have_no_identity():
    result = run(uses_of("?", "NN", "N.N.", "Unknown", "", "???", "NN, NN", "Unknown, Unknown"))
    assert result.identities == {}


@pytest.mark.parametrize(
    "names",
    [
        ("Zwischenfeld, Kunibert", "Zwischenfeld,Kunibert", "Kunibert Zwischenfeld"),
        ("Zwischenfeld, Kunibert", "Zwischenfeld, K", "Zwischenfeld, K."),
        ("Tal, Mikhail", "Tal, Mihail", "Tal, Michail", "Tal, M"),
    ],
)
def test_unlisted_names_are_joined(names):
    assert groups(uses_of(*names)) == [set(names)]


@pytest.mark.parametrize(
    "names",
    [
        ("Tolush, Alexander", "Tolusch, Alexander"),
        ("Spasov, Liuben", "Spassov, Liuben", "Spasow, Ljuben"),
    ],
)
def test_unlisted_spellings_of_one_surname_are_one_person(names):
    assert groups(uses_of(*names)) == [set(names)]


APART = [
    ("Brandauer, Zlatomir jr", "Brandauer, Zlatomir sr", "Brandauer, Zlatomir"),
    ("Brandauer, Zlatomir 1950", "Brandauer, Zlatomir 1980", "Brandauer, Zlatomir"),
    ("Ivanov, Sergey 1", "Ivanov, Sergey 2", "Ivanov, Sergey 3"),
    ("Stockfish 12", "Stockfish 13", "Stockfish"),
    ("pawnstorm77", "pawnstorm78"),
    ("Quxley, Bernard", "Quxley, Barbara", "Quxley, B"),
]


@pytest.mark.parametrize("names", APART)
def test_unlisted_names_stay_apart(names):
    assert groups(uses_of(*names)) == sorted(({name} for name in names), key=sorted)


def test_two_names_in_one_event_are_two_persons():
    names = ("Tal, Mikhail", "Tal, Mihail")
    apart = [use(1, names[0], events=(5, 6)), use(2, names[1], events=(6,))]
    assert len(groups(apart)) == 2
    together = [use(1, names[0], events=(5,)), use(2, names[1], events=(6,))]
    assert len(groups(together)) == 1


def test_two_fide_ids_are_two_persons():
    uses = [use(1, "Zhang, Wei", ids=(111,)), use(2, "Zhang, Wei.", ids=(222,)),
            use(3, "Zhang,Wei", ids=(222,))]  # fmt: skip
    assert groups(uses) == [{"Zhang, Wei"}, {"Zhang,Wei", "Zhang, Wei."}]


def test_a_name_of_all_generations_may_be_one_of_the_middle():
    listed = list_of([Person("Brandauer, Kunibert", birth_year=1940, death_year=1990)])
    name_use = NameUse(1, "Brandauer, Kunibert", 90, {}, frozenset(), 1900, 2020)
    identity = run([name_use], listed).identities[1]
    assert identity.person == 0 or 0 in dict(identity.candidates)


def test_a_person_not_yet_born_did_not_play():
    listed = list_of([Person("Brandauer, Kunibert", birth_year=1990)])
    early = NameUse(1, "Brandauer, Kunibert", 9, {}, frozenset(), 1930, 1950)
    assert run([early], listed).identities[1].person != 0


def test_open_names_keep_their_candidates():
    identity = run(uses_of("Lemos, N")).identities[1]
    listed = world().persons
    assert identity.person is None
    assert {listed[n].name for n, _ in identity.candidates} >= {"Lemos, Natalia", "Lemos, Nicolas"}
    assert identity.reason


def test_a_collection_without_a_list():
    empty = list_of([], with_crowd=False)
    assert groups(uses_of("Tal, Mikhail", "Tal,Mikhail", "Keres, Paul"), empty) == [
        {"Keres, Paul"}, {"Tal, Mikhail", "Tal,Mikhail"},
    ]  # fmt: skip


NAMES = [
    *(name for names in APART for name in names),
    "Tal, Mikhail", "Tal, Mihail", "Tal, M", "Tolusch, Alexander", "Tolush, Alexander", "Tolush, A",
    "Schirow, Alexej", "Shirov, A", "Lemos, N", "Petrosian, Tigran", "Karpov, Anatoly", "?",
    "Müller, Kunibert", "Muller, Kunibert", "Mueller, Kunibert", "Lütke, Emil", "Lutke, Emil",
    "Luetke, Emil", "Lvtke, Emil", "Zwischenfeld, Kunibert", "Kunibert Zwischenfeld",
    "Zwischenfeldt, Kunibert", "Zhang, Wei",
]  # fmt: skip
some_names = st.lists(st.sampled_from(NAMES), unique=True, max_size=12)


def test_all_names_in_another_order():
    uses = uses_of(*NAMES)
    assert_equal(run(uses), run(uses[::-1]))


@pytest.mark.slow
@fixed
@given(some_names, st.randoms(use_true_random=False))
def test_the_order_of_the_names_does_not_matter(names, draw: random.Random):
    uses = [use(number, name, events=(number % 4,)) for number, name in enumerate(names)]
    shuffled = draw.sample(uses, len(uses))
    assert_equal(run(uses), run(shuffled))


def assert_equal(first: Consolidated, second: Consolidated) -> None:
    assert second.identities == first.identities
    made = range(len(world().persons), len(first.persons))
    assert len(second.persons) == len(first.persons)
    assert [second.persons[number] for number in made] == [first.persons[number] for number in made]


@pytest.mark.slow
@fixed
@given(some_names)
def test_rivals_of_one_event_are_never_one_unlisted_person(names):
    uses = [use(number, name, events=(number % 3,)) for number, name in enumerate(names)]
    identities = run(uses).identities
    seen: dict[tuple[int | None, frozenset[int]], NameForm] = {}
    for name_use in uses:
        identity = identities.get(name_use.player_id)
        if identity is not None and identity.reason == "not in the list":
            form = name_form(name_use.name)  # accents and commas make no rivals
            assert seen.setdefault((identity.person, name_use.events), form) == form


def test_names_looked_up_in_any_way_are_the_same():
    listed = NameList([Person("Tal, Mikhail", 1), Person("Talanov, Mikhail", 2)], encode)
    uses = [use(number, name) for number, name in enumerate(["Tal, M", "Tal, Mikhail", "Tall, M"])]

    def backwards(find, names):
        return [*find(names[::-1])][::-1]

    consolidated = Consolidation(listed, encode).run(uses)
    other = Consolidation(listed, encode).run(uses, look_up=backwards)
    assert consolidated.identities == other.identities
