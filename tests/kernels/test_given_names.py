"""Given names: the kernel against the slow reference."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ocgdedup._kernels.names import (
    GIVEN_LEVELS,
    GivenNames,
    beginnings,
    initial_class,
    slavic_skeleton,
)
from ocgdedup.matching.names.given_names import given_names
from tests.reference import given_names as reference

NAMES = given_names()
LISTED = sorted(reference._index().names)
LEVELS = {0: "", **{number: name for name, number in GIVEN_LEVELS.items()}}
# The reference names two levels as the relations.
LEVELS[GIVEN_LEVELS["BEGINNING"]], LEVELS[GIVEN_LEVELS["SLIP"]] = "INITIAL", "CLOSE"

many = settings(max_examples=2000)
listed = st.sampled_from(LISTED)
random_words = st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=12)
# Letters that rules are about, and letters of other scripts.
close_words = st.text("aeiouyhszcktwvjк王é1", min_size=1, max_size=9)


@st.composite
def altered(draw: st.DrawFn) -> str:
    """Return a listed name with an ending, a letter less, or another spelling of a sound."""
    word = draw(listed)
    at = draw(st.integers(0, len(word)))
    ending = draw(st.sampled_from(["", "a", "ah", "ova", "evna", "ovich", "slava", "ka", "y"]))
    changes = [word + ending, word[:at], word[:at] + word[at + 1 :], word[:-1] + ending]
    changes += [word[:at] + word[at:][1:2] + word[at:][:1] + word[at + 2 :]]
    changes += [word.replace("k", "ch"), word.replace("y", "j"), word.replace("i", "ee")]
    return draw(st.sampled_from(changes)) or word


words = st.one_of(listed, altered(), random_words, close_words)
dotted = st.one_of(words, words.map(lambda word: word + "."), st.sampled_from(["", ".", "a.."]))


@many
@given(dotted, dotted)
@example("alex", "alexander")
@example("zhenya", "evgeny")
@example("кирил", "кирилл")
@example("ie", "ieah")
def test_relation_is_that_of_the_reference(left: str, right: str) -> None:
    assert NAMES.relation(left, right) == reference.relation(left, right)


@many
@given(words, words)
@example("mat", "mateusz")
@example("王", "王皓")
@example("王皓", "皓王")
def test_level_is_that_of_the_reference(written: str, listed_word: str) -> None:
    assert LEVELS[NAMES.level(written, listed_word)] == reference.level(written, listed_word)


@many
@given(words)
@example("ivanovna")
@example("sasha")
@example("ahah")
def test_a_word_alone_is_that_of_the_reference(word: str) -> None:
    letters = reference.first_letters(word)
    bits = sum(1 << ord(letter) - ord("a") for letter in letters if "a" <= letter <= "z")
    others = any(not "a" <= letter <= "z" for letter in letters)
    assert NAMES.first_letters(word) == bits | others << 26
    assert NAMES.sex_of(word) == reference.sex_of(word)
    assert slavic_skeleton(word) == reference.slavic_skeleton(word)
    name = reference._find(word)
    assert NAMES.key(word) == (word if name is None else name.key)


def test_listed_names_are_read_as_by_the_reference() -> None:
    for word in LISTED:
        test_a_word_alone_is_that_of_the_reference.hypothesis.inner_test(word)  # type: ignore[attr-defined]


def test_classes_of_other_letters_are_the_letters() -> None:
    assert (initial_class(""), beginnings("")) == ("", "")
    assert (initial_class("юрий"), beginnings("юрий")) == ("ю", "ю")
    assert (initial_class("1a"), beginnings("1a")) == ("1", "1")
    assert (initial_class("jan"), beginnings("hans")) == ("i", "hkg")


def test_only_the_first_64_letters_count() -> None:
    long = "王" * 32 + "bd" * 16
    assert NAMES.relation(long + "x", long + "y") == reference.Relation.EQUAL
    assert NAMES.relation(long[1:] + "x", long[1:] + "y") == reference.Relation.CLOSE
    assert NAMES.sex_of("a" * 300 + "ovich") == ""


@pytest.mark.parametrize(
    ("names", "shared", "message"),
    [
        ([(("jan",), "X", (), (), False)], [], "sex"),
        ([(("Jan",), "M", (), (), False)], [], "other letters"),
        ([(("jan", "jan"), "M", (), (), False)], [], "twice"),
        ([(("jan",), "M", (), (), False)], ["kim"], "not in the table"),
    ],
)
def test_tables_with_errors_are_refused(names: list, shared: list, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GivenNames(names, shared)
