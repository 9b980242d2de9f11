"""Listed names parsed and looked up by a kernel, compared with name_form.py and plain loops."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ocgdedup._kernels.names import ListedNames
from ocgdedup.matching.names.likelihood import Likelihood
from ocgdedup.matching.names.name_form import name_form
from ocgdedup.matching.names.name_list import NameList, initials_of
from ocgdedup.matching.names.phonetic import codes_of
from ocgdedup.model import NameForm, Person
from tests.support.listed_names import listed_names

fixed = settings(max_examples=1500)

WORDS = st.sampled_from(
    """
    Ivanov McDonald O'Brien de Vries JP J. van Smith-Jones GM Dr. Dr Jr II GER NN N Unknown Player
    comp Li na Ana 1977 FARFAN DeJong Müller , , - ( ) _ Sen III white x
    """.split()  # noqa: SIM905
)
names = st.lists(WORDS, max_size=6).map(" ".join) | st.lists(WORDS, max_size=6).map("".join)


@fixed
@given(names | st.text("aAbBnN ,.-'(", max_size=12))
@example("DeJong")
@example("N, N")
@example(", Anna")
@example("Anna,")
@example("FARFAN, ANA")
@example("Vries, Jan de")
@example("Lovelace, Comp")
def test_plain_names_are_parsed_like_other_names(name):
    listed = listed_names()
    if listed.add_plain([name], 0) == 1:
        assert NameForm(*listed.words_of(0)) == name_form(name)
    else:
        assert len(listed) == 0


@pytest.mark.parametrize(
    "name", ["Ivanov, Ivan", "Vries, Jan de", "McDonald, A", "Anand", "Li Wei"]
)
def test_common_names_are_plain(name):
    assert listed_names().add_plain([name], 0) == 1


def test_adding_stops_before_a_name_that_is_not_plain():
    listed = listed_names()
    assert listed.add_plain(["Tal, M", "Tal, M (LAT)", "Tal, N"], 0) == 1
    assert listed.add_plain(["Tal, M", "Tal, M (LAT)", "Tal, N"], 2) == 3
    assert len(listed) == 2


def test_repeated_words_count_each_time():
    listed = listed_names()
    listed.add_plain(["Ivan Ivan, Ivan", "Ivan, Anna J", "Ivan Petrov"], 0)
    assert listed.counts("ivan") == (4, 2)
    assert listed.counts("petrov") == (1, 1)
    assert listed.counts("nobody") == (0, 0)
    assert (listed.surname_words, listed.given_words) == (5, 5)
    assert listed.given_by_first_letter() == {"i": 2, "a": 1, "j": 1, "p": 1}


def test_names_added_without_counting_can_be_counted_later():
    listed = listed_names()
    number = listed.add(("tal",), ("mikhail",), True)
    assert listed.counts("tal") == (0, 0)
    listed.count(number)
    assert listed.counts("tal") == (1, 0)
    assert listed.counts("mikhail") == (0, 1)


def test_surnames_are_found_by_word_and_initials():
    listed = listed_names()
    listed.add_plain(["Tal, M", "Tal Tal, N", "Bo Tal, A", "Talent, M"], 0)
    assert listed.bearers("tal") == 3
    assert listed.with_surname("tal", 2**64 - 1) == [0, 1, 2]
    assert listed.with_surname("tal", initials_of(["mikhail"])) == [0]
    assert listed.with_surname("nobody", 2**64 - 1) == []
    assert sorted(listed.words_in_surnames()) == ["bo", "tal", "talent"]


def test_names_are_found_by_their_letters():
    listed = listed_names()
    listed.add_plain(["Ding, Li Ren", "Liren, Ding", "Ding, Lirem", "Dingli Ren"], 0)
    assert listed.with_letters("dingliren") == [0, 1, 3]
    assert listed.with_letters("lirending") == [0, 1]
    assert listed.with_letters("dingl") == []
    listed.add(("dingliren",), (), False)
    assert listed.with_letters("dingliren") == [0, 1, 3, 4]


def test_words_of_other_scripts_are_kept():
    listed = listed_names()
    listed.add(("ŧal", "李"), ("é",), True)
    assert listed.words_of(0) == (("ŧal", "李"), ("é",), True)
    assert listed.with_letters("ŧal李é") == [0]


def test_many_words_are_distinguished():
    listed = listed_names()
    words = [f"w{number:b}".replace("0", "o").replace("1", "l") for number in range(5000)]
    for word in words:
        listed.add((word,), (), False)
    assert [listed.with_surname(word, 2**64 - 1) for word in words] == [[n] for n in range(5000)]


def test_unknown_entries_are_refused():
    listed = listed_names()
    for call in (listed.words_of, listed.count):
        with pytest.raises(IndexError):
            call(0)
    with pytest.raises(IndexError):
        listed.fitting([0], ("tal",), 1, True, (str, list, len, str.__eq__))
    with pytest.raises(ValueError, match="256 words"):
        listed.add(("a",) * 256, (), False)


@pytest.mark.parametrize("surname", [200, 2, -1])
def test_a_surname_of_more_words_than_the_name_is_refused(surname):
    listed = listed_names()
    listed.add_plain(["Tal, Mikhail"], 0)
    fits = (str, lambda word: [], lambda word: 0, str.__eq__)
    with pytest.raises(ValueError, match=f"surname has {surname} words in a name of 1"):
        listed.fitting([0], ("abc",), surname, False, fits)


def test_adding_during_a_search_is_refused():
    listed = listed_names()
    listed.add_plain(["Tal, Mikhail"], 0)
    calls = (
        lambda: listed.add(("tal",), (), False),
        lambda: listed.add_plain(["Tal, M"], 0),
        lambda: listed.fitting([], ("tal",), 1, False, fits),
    )

    def near(word):
        for call in calls:
            with pytest.raises(ValueError, match="cannot add names or start a search"):
                call()
        raise ZeroDivisionError

    fits = (str, near, lambda word: 0, str.__eq__)
    with pytest.raises(ZeroDivisionError):
        listed.fitting([0], ("talent",), 1, False, fits)
    assert len(listed) == 1
    # Behind the search all may be done again.
    assert listed.add_plain(["Tal, M"], 0) == 1


@pytest.mark.parametrize("name", [None, b"Tal, M", 7])
def test_names_are_texts(name):
    fits = (str, lambda word: [], lambda word: 0, str.__eq__)
    listed = listed_names()
    listed.add(("tal",), (), False)
    for call in (
        lambda: listed.add_plain([name], 0),
        lambda: listed.add((name,), (), False),
        lambda: listed.fitting([0], (name,), 1, False, fits),
        lambda: listed.fitting([0], ("talent",), 1, False, (lambda word: name, *fits[1:])),
        lambda: listed.fitting([0], ("lent",), 1, False, (str, lambda word: [name], *fits[2:])),
    ):
        with pytest.raises((TypeError, AttributeError)):
            call()
    assert len(listed) == 1


@pytest.mark.parametrize("start", [-1, 2, -(2**62)])
def test_a_start_beyond_the_names_is_refused(start):
    with pytest.raises(ValueError, match=f"cannot start at name {start} of 1"):
        listed_names().add_plain(["Tal, M"], start)


def test_a_word_may_be_empty():
    listed = ListedNames(len)
    listed.add(("",), ("",), True)
    assert listed.words_of(0) == (("",), ("",), True)
    fits = (str, lambda word: [], lambda word: 0, str.__eq__)
    assert listed.fitting([0], ("", ""), 1, True, fits) == [0]
    assert listed.fitting([0], ("", "a"), 1, True, fits) == []


small = st.sampled_from(
    """
    iwanow ivanov ivan iwan jan de vries anna ana an a j petrov petr li liang ang chris kris
    """.split()  # noqa: SIM905
)
forms = st.builds(
    NameForm,
    st.lists(small, min_size=1, max_size=4).map(tuple),
    st.lists(small, max_size=3).map(tuple),
    st.just(True),
) | st.builds(
    NameForm, st.lists(small, min_size=1, max_size=4).map(tuple), st.just(()), st.just(False)
)


def encode(words):
    return [codes.tobytes() for codes in codes_of(words)]


@fixed
@given(forms, st.lists(forms, min_size=1, max_size=4))
def test_excluded_persons_have_no_likelihood(written, listed):
    names = NameList([], encode)
    for form in listed:
        names.person_of.append(0)
        names.forms.append(form)
    likelihood = Likelihood(names)
    kept = names.that_may_be(range(len(listed)), written, likelihood.fits)
    impossible = {
        number for number, form in enumerate(listed) if likelihood.of(written, form).value < -1e8
    }
    assert set(range(len(listed))) - set(kept) <= impossible
    assert kept == sorted(kept)


def test_persons_who_cannot_match_are_excluded():
    people = ["Petrov, Anna", "Petrov, Ivan", "Anna Petrov", "Ivan Petrov", "Petrov"]
    names = NameList(map(Person, people), encode)
    fits = Likelihood(names).fits
    assert names.that_may_be(range(5), name_form("Petrov, A"), fits) == [0, 2, 4]
    assert names.that_may_be(range(5), name_form("Ivan Petrov"), fits) == [1, 3, 4]


def test_a_new_word_may_be_near():
    names = NameList([Person("Kramer, Anna")], encode)
    fits = Likelihood(names).fits
    written = name_form("Kramnikk, Anna")
    assert names.that_may_be([0], written, fits) == []
    names.add_spelling(0, "Kramnik, Anna")
    assert names.that_may_be([0, 1], written, fits) == [1]
