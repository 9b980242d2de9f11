"""Names looked up in a list by the kernel, compared with plain loops."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ocgdedup._kernels import names as kernel
from ocgdedup.matching.names.name_form import name_form
from ocgdedup.matching.names.name_list import NameList
from ocgdedup.matching.names.syllabic import syllable_table
from ocgdedup.model import NameForm, Person
from tests.reference.name_search import SlowSearch
from tests.reference.syllabic_names import has_korean_syllables, languages_of_given
from tests.support.persons import crowd, encode, known_persons, world
from tests.support.phonetic import codes_of

WORDS = st.sampled_from(
    """
    iwanow ivanov ivan iwan jan de vries anna ana an a j petrov petr petrow li liang ang chris kris
    yi fan yifan yang wang lee kim sedol se dol van der berg bergh garcia garsia lopez v maria
    schtschukin shchukin mikhail michael mat mateusz alexandre alexandra alex joao é 李
    """.split()  # noqa: SIM905
)
MARKS = (
    st.sampled_from(["", "", "GER", "RUS", "URS"]),
    st.sampled_from([None, None, 1980, 1981]),
    st.sampled_from(["", "", "1", "2"]),
    st.sampled_from(["", "", "1", "2"]),
    st.just(False),
)  # fmt: skip
SURNAMES = st.lists(WORDS, min_size=1, max_size=4).map(tuple)
GIVEN = st.lists(WORDS, max_size=3).map(tuple)
FORMS = st.builds(NameForm, SURNAMES, GIVEN, st.just(True), *MARKS) | st.builds(
    NameForm, SURNAMES, st.just(()), st.just(False), *MARKS
)
COUNTRIES = ["GER", "RUS", "KOR", "CHN", ""]


def list_of_forms(forms: Sequence[NameForm]) -> NameList:
    """Return a list with an entry for each form, two of each person."""
    names = NameList([], encode)
    for number, form in enumerate(forms):
        if number % 2 == 0:
            names.persons.append(
                Person(
                    "",
                    number,
                    ["GM", "", "WFM"][number % 3],
                    COUNTRIES[number % 5],
                    [1980, None, 1981, 2000][number % 4],
                    None,
                    [None, 2700, 1600][number % 3],
                    "M",
                    number % 7 > 1,
                )
            )
        names._add(number // 2, form)
    return names


def slow_search(names: NameList, *written: NameForm) -> SlowSearch:
    words = {word for form in (*written, *names.forms) for word in form.words}
    codes = zip(words, codes_of([*words]), strict=True)
    return SlowSearch(names, {word: set(of_word) for word, of_word in codes})


def assert_equal_weights(names: NameList, written: NameForm, slow: SlowSearch) -> None:
    assert names.candidates(written) == slow.candidates(written)
    [weighed] = names.weigh([[written]])
    expected = slow.weigh(written)
    assert {match.person for match in weighed} == expected.keys()
    for match in weighed:
        *values, kind = expected[match.person]
        assert (match.evidence, match.prominence) == pytest.approx(values, abs=1e-9)
        assert match.kind == kind


@settings(max_examples=1500)
@given(FORMS, st.lists(FORMS, min_size=1, max_size=6))
@example(name_form("Wang, Yi Fan"), [name_form("Wang, Yifan"), name_form("Yi Fan Wang")])
@example(name_form("Santamaria V, Miguel"), [name_form("Santamaria Vega, Miguel")])
@example(name_form("Ding, Li Ren"), [name_form("Dingli, Ren"), name_form("Liren, Ding")])
def test_weights_equal_the_reference(written, listed):
    names = list_of_forms(listed)
    assert_equal_weights(names, written, slow_search(names, written))


WRITTEN = """
    Kasparow, G.; Schirow, Alexej; Petrosian, T. V.; Polgar, Zsofia; Lee Sedol; Yi Se-tol
    Wang, Yi Fan; Berg, J P; Muller, Karsten; Horvath, P jr; Garcia, C; Korchnoy; Abanov
    Hoffman,M (GER); Ivanova, Anna; Jan van der Berg; Petrosjan, Tigran Vartanovich
""".replace("\n", ";").split(";")


def test_weights_in_a_long_list_equal_the_reference():
    names = NameList([*known_persons(), *crowd()[:1500]], encode)
    forms = [name_form(name) for name in WRITTEN if name.strip()]
    forms += [name_form(person.name.replace("o", "u")) for person in crowd()[:1500:100]]
    slow = slow_search(names, *forms)
    for form in forms:
        assert_equal_weights(names, form, slow)


def test_threads_give_the_same_result():
    forms = [[name_form(person.name.replace("a", "e"))] for person in crowd()[:2000]]
    batch = world().batch(forms)
    ends, *columns = batch.weigh(0, len(forms))
    begins = range(0, len(forms), 100)
    with ThreadPoolExecutor(4) as pool:
        parts = [*pool.map(lambda begin: batch.weigh(begin, begin + 100), begins)]
    assert [sum(part[0][-1] for part in parts)] == [ends[-1]]
    for index, column in enumerate(columns, 1):
        assert [value for part in parts for value in part[index]] == [*column]


def test_nothing_is_added_while_names_are_weighed():
    names = NameList(crowd(), encode)
    batch = names.batch([[name_form(person.name)] for person in crowd()])
    with ThreadPoolExecutor(1) as pool:
        weighing = pool.submit(batch.weigh, 0, len(batch))
        while not weighing.running():
            pass
        with suppress(ValueError):  # "names cannot be added during a search"
            names.add_spelling(0, "Other, Name")
        assert len(weighing.result()[0]) == len(batch)
    assert len(names.forms) == len(names.person_of)


def test_a_batch_refuses_columns_of_another_list():
    names = NameList([Person("Tal, M"), Person("Tel, M")], encode)
    names.person_of[1] = 2
    with pytest.raises(ValueError, match="entry 1 is of person 2 of 2"):
        names.weigh([[name_form("Tal")]]).__next__()


@pytest.mark.parametrize(("begin", "end"), [(-1, 0), (0, 2), (1, 0)])
def test_a_batch_refuses_unknown_names(begin, end):
    batch = NameList([Person("Tal, M")], encode).batch([[name_form("Tal")]])
    with pytest.raises(ValueError, match=f"names {begin} to {end} of 1"):
        batch.weigh(begin, end)


@settings(max_examples=1000)
@given(st.text("aeioungkhslyvw", max_size=8) | st.text("xianguolyz", max_size=9))
@example("lyu")
@example("nyu")
@example("anyu")
@example("nvlv")
def test_syllables_equal_the_reference(word):
    assert syllable_table().languages(word) == languages_of_given(word)
    assert kernel.has_korean_syllables(word) == has_korean_syllables(word)
