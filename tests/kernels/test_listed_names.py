"""Listed names parsed and looked up by a kernel, compared with name_form.py and plain loops."""

from __future__ import annotations

import io
from array import array

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ocgdedup._kernels.names import ListedNames
from ocgdedup.matching.names.name_form import name_form
from ocgdedup.matching.names.name_list import PersonTable
from ocgdedup.model import NameForm, Person
from tests.support.listed_names import listed_names

fixed = settings(max_examples=1500)

WORDS = st.sampled_from(
    """
    Ivanov McDonald O'Brien de Vries JP J. van Smith-Jones GM Dr. Dr Jr II GER NN N Unknown Player
    comp Li na Ana 1977 FARFAN DeJong Müller , , - ( ) _ Sen III white x
    """.split()  # noqa: SIM905
)


def add_plain(listed: ListedNames, names: list[str], start: int = 0) -> int:
    return listed.add_plain(*PersonTable(map(Person, names)).names(), start)


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
    if add_plain(listed, [name], 0) == 1:
        assert listed.form(0) == name_form(name)
    else:
        assert len(listed) == 0


@pytest.mark.parametrize(
    "name", ["Ivanov, Ivan", "Vries, Jan de", "McDonald, A", "Anand", "Li Wei"]
)
def test_common_names_are_plain(name):
    assert add_plain(listed_names(), [name], 0) == 1


def test_adding_stops_before_a_name_that_is_not_plain():
    listed = listed_names()
    assert add_plain(listed, ["Tal, M", "Tal, M (LAT)", "Tal, N"], 0) == 1
    assert add_plain(listed, ["Tal, M", "Tal, M (LAT)", "Tal, N"], 2) == 3
    assert len(listed) == 2


def test_repeated_words_count_each_time():
    listed = listed_names()
    add_plain(listed, ["Ivan Ivan, Ivan", "Ivan, Anna J", "Ivan Petrov"])
    assert listed.counts("ivan") == (4, 2)
    assert listed.counts("petrov") == (1, 1)
    assert listed.counts("nobody") == (0, 0)
    assert (listed.surname_words, listed.given_words) == (5, 5)


def test_names_added_without_counting_can_be_counted_later():
    listed = listed_names()
    number = listed.add(NameForm(("tal",), ("mikhail",), True))
    assert listed.counts("tal") == (0, 0)
    listed.count(number)
    assert listed.counts("tal") == (1, 0)
    assert listed.counts("mikhail") == (0, 1)


def test_surnames_are_found_by_word():
    listed = listed_names()
    add_plain(listed, ["Tal, M", "Tal Tal, N", "Bo Tal, A", "Talent, M"], 0)
    assert listed.with_surname("tal") == [0, 1, 2]
    assert listed.with_surname("nobody") == []


@pytest.mark.parametrize(
    "form",
    [
        NameForm(("ŧal", "李"), ("é",), True),
        NameForm(("li", "chao"), (), False, number="2"),
        NameForm(("tal",), ("mikhail",), True, "LAT", 1936, "2", "12", True),
        NameForm(("",), ("",), True),
    ],
)
def test_forms_are_kept_with_all_their_parts(form):
    listed = listed_names()
    listed.add(NameForm(("tal",), (), True))
    assert listed.form(listed.add(form)) == form
    assert listed.form(0) == NameForm(("tal",), (), True)


def load(listed, data):
    listed.load(io.BytesIO(data).readinto, len(data))


@pytest.mark.parametrize(
    ("old", "new"), [(b"tal", b"t\xffl"), (b"LAT\0", b"LATV"), (b"12\0\0", b"\xc32\0\0")]
)
def test_damaged_texts_of_a_stored_list_are_refused(old, new):
    listed, form = listed_names(), NameForm(("tal",), ("mikhail",), True, "LAT", number="12")
    listed.add(form)
    data = b"".join(listed.dump())
    assert data.count(old) == 1
    with pytest.raises(ValueError, match="dumped list: a"):
        load(listed_names(), data.replace(old, new))
    loaded = listed_names()
    load(loaded, data)
    assert loaded.form(0) == form


def test_many_words_are_distinguished():
    listed = listed_names()
    words = [f"w{number:b}".replace("0", "o").replace("1", "l") for number in range(5000)]
    for word in words:
        listed.add(NameForm((word,), (), False))
    assert [listed.with_surname(word) for word in words] == [[n] for n in range(5000)]


def test_unknown_entries_are_refused():
    listed = listed_names()
    for call in (listed.form, listed.count):
        with pytest.raises(IndexError):
            call(0)


@pytest.mark.parametrize(
    ("form", "message"),
    [
        (NameForm(("a",) * 256, (), False), "256 words"),
        (NameForm(("tal",), (), False, "LATVIA"), "federation 'LATVIA'"),
        (NameForm(("tal",), (), False, number="12345"), "number '12345'"),
    ],
)
def test_forms_that_no_name_has_are_refused(form, message):
    listed = listed_names()
    with pytest.raises(ValueError, match=message):
        listed.add(form)
    assert len(listed) == 0


@pytest.mark.parametrize("name", [None, b"Tal, M", 7])
def test_names_are_texts(name):
    listed = listed_names()
    with pytest.raises((TypeError, AttributeError)):
        listed.add(NameForm((name,), (), False))
    assert len(listed) == 0


@pytest.mark.parametrize(
    ("begins", "ends"), [([0], [7]), ([4], [3]), ([7], [8]), ([0, 0], [6]), ([2**32 - 1], [1])]
)
def test_names_outside_the_text_are_refused(begins, ends):
    with pytest.raises(ValueError, match=r"name \d+ to|no name of person 1"):
        listed_names().add_plain(b"Tal, M", array("I", begins), array("I", ends), 0)


@pytest.mark.parametrize("start", [-1, 2, -(2**62)])
def test_a_start_beyond_the_names_is_refused(start):
    with pytest.raises(ValueError, match=f"cannot start at name {start} of 1"):
        add_plain(listed_names(), ["Tal, M"], start)
