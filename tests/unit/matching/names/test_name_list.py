"""The index over listed persons: who may be meant, which words are alike, how common they are."""

from __future__ import annotations

import gc
import io
import weakref
from itertools import islice, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jellyfish import damerau_levenshtein_distance

from ocgdedup.matching.names.name_form import name_form
from ocgdedup.matching.names.name_list import FideIds, NameList, PersonTable, core_words
from ocgdedup.model import Person
from tests.support.persons import crowd, known_persons, list_of, spelling_codes, world
from tests.support.phonetic import encoder

fixed = settings(max_examples=60)


def candidates(names: NameList, name: str) -> set[str]:
    result = names.candidates(name_form(name))
    return {names.persons[names.person_of[number]].name for number in result}


@pytest.mark.parametrize(
    ("listed", "written"),
    [
        ("Shirov, Alexei", "Shirov, A"),
        ("Shirov, Alexei", "Schirow, A"),
        ("Shirov, Alexei", "Alexei Shirov"),
        ("Shirov, Alexei", "Alexei, Shirov"),
        ("Kramnik, Vladimir", "Kramink, V"),
        ("Kramnik, Vladimir", "Wladimir Kramnik"),
        ("Ding, Liren", "Dingliren"),
        ("Ding, Liren", "DingLiren"),
        ("Garcia Palermo, Carlos", "Palermo, C"),
        ("Garcia Palermo, Carlos", "Garcia, C"),
        ("Polgar, Sofia", "Polgar, Zsofia"),
        ("Efimov, Evgeny", "Efimov, Yevgeny"),
        ("Efimov, Evgeny", "Efimov, Jewgenij"),
        ("Efimenko, Elena", "Efimenko, Jelena"),
        ("Chekhov, Valery", "Tschechow, Waleri"),
    ],
)
def test_the_person_is_a_candidate(listed, written):
    assert listed in candidates(list_of([listed]), written)


def test_of_many_of_one_surname_those_of_other_initials_are_no_candidates():
    listed = {f"Shirov, {letter}lmar" for letter in "ABDELMNPRTU"}
    names = list_of(sorted(listed), with_crowd=False)
    assert candidates(names, "Shirov, B") == {"Shirov, Blmar"}
    assert candidates(names, "Shirov") == listed


def load(parts):
    return PersonTable.load(list(map(len, parts)), io.BytesIO(b"".join(parts)).readinto)


def test_a_table_gives_persons_back():
    persons = [*known_persons(), Person("Tal, Mikhail", sex="M", is_active=False)]
    table = list_of(persons, with_crowd=False).persons
    assert list(table) == persons
    assert table.with_fide_ids() == {p.fide_id: i for i, p in enumerate(persons[:-1])}


@given(st.lists(st.integers(0, 9)), st.lists(st.integers(0, 9)))
def test_persons_are_found_by_fide_id(first, second):
    tables = [PersonTable(Person("", number) for number in ids) for ids in (first, second)]
    tables[0] = load(tables[0].dump())
    expected = {number: place for place, number in enumerate(first + second) if number}
    found = FideIds(tables)
    assert found == expected
    assert [found.get(number) for number in range(11)] == list(map(expected.get, range(11)))
    assert None not in found
    assert 0 not in found


def test_renamed_persons_and_facts_are_stored():
    table = PersonTable([Person("Tal, M", 5, "GM", "LAT"), Person("Tál, \ud800", None, "", "LAT")])
    table.rename(0, "Таль, Михаил")
    table.append(Person("", None, "GM", "LAT"))
    stored = load(table.dump())
    assert [*stored] == [*table]
    assert [person.name for person in stored] == ["Таль, Михаил", "Tál, \ud800", ""]
    stored.append(Person("x", 6, "GM", "LAT"))
    assert stored[3] == Person("x", 6, "GM", "LAT")


@pytest.mark.parametrize("part", range(8))
def test_damaged_persons_are_refused(part):
    parts = list(map(bytes, PersonTable([Person("Tal, M", 5, "GM", "LAT")]).dump()))
    parts[part] = b"" if part < 7 else b"[[], 1, []]"
    with pytest.raises(ValueError, match=r"persons|number"):
        load(parts)


def test_similar_names_of_a_list_are_found_if_it_is_compared_with_itself():
    persons = [Person("Tolusch, Alexander"), Person("Tolush, Alexander")]
    form = name_form("Tolush, Alexander")
    assert NameList(persons, spelling_codes).candidates(form) == [1]
    assert NameList(persons, spelling_codes, is_compared_with_itself=True).candidates(form) == [
        0,
        1,
    ]


def test_another_spelling_finds_the_person():
    names = list_of(["Chigorin, Mikhail"], with_crowd=False)
    names.add_spelling(0, "Tschigorin, Michael Iwanowitsch")
    assert candidates(names, "Tschigorin, M") == {"Chigorin, Mikhail"}
    names.add_spelling(0, "?")
    assert candidates(names, "?") == set()


def test_letters_are_found_wherever_blanks_stand():
    names = list_of(["Ding, Liren", "Ren, Dingli"], with_crowd=False)
    for written in ("Ding Li Ren", "Dingliren", "Ding, Li Ren", "Liren, Ding"):
        assert 0 in names.candidates(name_form(written))
    assert 0 not in names.candidates(name_form("Dongli, Jen"))


def test_a_list_is_freed_without_a_search_for_cycles():
    names = list_of(known_persons())
    list(names.weigh([[name_form("Schirow, A")], [name_form("Tal, M")]]))
    reference = weakref.ref(names)
    gc.collect()
    gc.disable()
    try:
        del names
        assert reference() is None
        assert not gc.collect()
    finally:
        gc.enable()


def test_near_words():
    names = list_of(["Shirov, A", "Schirow, A", "Spassky, B", "Tal, M", "Tel, M"], with_crowd=False)
    assert names.near("shiroff")["schirow"] == (0, True)
    assert "shirov" in names.near("shirova")
    assert "shirov" not in names.near("shirov")
    assert "spassky" in names.near("spasky")
    assert names.near("tal") == {}  # too short
    assert names.near("kramnik") == {}


def test_near_agrees_with_brute_force_at_one_edit():
    names = NameList(crowd()[:400], spelling_codes)
    listed = [word for word in {w for form in names.forms for w in form.surname} if len(word) >= 4]
    for word in listed[:40]:
        slip = word[1:] + word[0]  # another word, about as far from the others
        for written in (word[:-1], word + "x", slip):
            actual = names.near(written).items()
            near = {other for other, (edits, _) in actual if edits == 1}
            expected = {
                other for other in listed if damerau_levenshtein_distance(written, other) == 1
            }
            # Of one skeleton: said to be at no distance.
            assert near <= expected
            assert expected <= near | {
                like for like, (_, sounds) in names.near(written).items() if sounds
            }


@fixed
@given(st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=12))
def test_shares_are_shares(word):
    names = world()
    assert 0 < names.surname_share(word) < 1
    assert 0 < names.given_share(word) < 1


def test_common_words_have_larger_shares():
    names = list_of(["Smith, John", "Smith, Anna", "Shirov, Anna"], with_crowd=False)
    assert names.surname_share("smith") > names.surname_share("shirov")
    assert names.surname_share("shirov") > names.surname_share("kramnik")
    assert names.given_share("anna") > names.given_share("john")
    assert names.given_share("a") > names.given_share("z")


def test_shares_may_be_those_of_a_larger_list():
    small = NameList([Person("Shirov, Alexei")], spelling_codes, shares=world())
    assert small.surname_share("shirov") == world().surname_share("shirov")
    assert small.unlisted == world().unlisted


@pytest.mark.parametrize("word", ["Γ" * 40, "王" * 30, "x" * 200])
def test_a_long_word_is_near_to_nothing(word):
    assert candidates(list_of(["Shirov, Alexei", f"{'王' * 25}, Anna"]), f"{word}, N") == set()


def test_an_empty_list_knows_nobody():
    assert candidates(NameList([], spelling_codes), "Shirov, Alexei") == set()


def test_core_words_are_no_particles():
    assert core_words(("van", "der", "berg")) == ["berg"]
    assert core_words(("van", "der")) == ("van", "der")


# --- very many names alike ----------------------------------------------------------------------


def alike(count: int) -> list[str]:
    """Return words of one sound and skeleton: vowels change, the consonants stay."""
    vowels = product(("a", "e", "i", "o", "u", "y", "ee", "oo"), repeat=5)
    return ["K{}z{}r{}v{}n{}v".format(*some) for some in islice(vowels, count)]


one_code = encoder(lambda _: (1,))  # that all words share


def test_of_very_many_words_alike_the_nearest_count():
    names = NameList([Person(f"{word}, Anna") for word in alike(1500)], one_code)
    near = [names.near(word.lower()) for word in alike(1500)[::100]]
    assert max(map(len, near)) == 256


@pytest.mark.slow
@pytest.mark.parametrize("named", [lambda word: f"{word}, Anna", lambda word: f"Ivanov, {word}"])
def test_a_name_is_compared_with_a_bounded_number_of_others(named):
    persons = [Person(name) for name in sorted(map(named, alike(600)))]
    names = NameList(persons, one_code, is_compared_with_itself=True)
    for number in range(0, 600, 50):
        form = name_form(persons[number].name)
        assert len(names.candidates(form)) <= 2 * 256
        [weighed] = names.weigh([[form]])
        assert number in [match.person for match in weighed]
        assert len(weighed) <= 64
