"""Similarity scores: 0 to 1, and what they can and cannot tell."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from jellyfish import damerau_levenshtein_distance, jaro_winkler_similarity

from ocgdedup._kernels.names import name_scores
from ocgdedup.matching.names.likelihood import LIMITS
from ocgdedup.matching.names.name_form import name_form
from ocgdedup.model import NameForm
from tests.reference import name_score as slow
from tests.support.real_words import real_words, word_pairs

fixed = settings(max_examples=200)


def score(left: NameForm, right: NameForm) -> float:
    return name_scores(left, right)[0]


words = st.text("abcm", min_size=1, max_size=6)
several_words = st.lists(words, min_size=1, max_size=3).map(tuple)
names = st.builds("{}, {}".format, several_words.map(" ".join), several_words.map(" ".join))


@pytest.mark.slow
@fixed
@given(names, names)
def test_name_score_is_symmetric_and_of_0_to_1(left, right):
    value = score(name_form(left), name_form(right))
    assert 0 <= value <= 1
    assert value == pytest.approx(score(name_form(right), name_form(left)))


@fixed
@given(names)
def test_a_name_is_like_itself(name):
    assert score(name_form(name), name_form(name)) == pytest.approx(1)


def part_similarity(left: Iterable[str], right: Iterable[str]) -> float:
    """Return the similarity of two given names, from the score of names with one surname."""
    first, second = (NameForm(("x",), tuple(words), is_ordered=True) for words in (left, right))
    return (name_scores(first, second)[0] - 0.7) / 0.3


def test_initials_match_the_words_they_begin():
    assert part_similarity(["v"], ["vladimir"]) == pytest.approx(1)
    assert part_similarity(["j", "p"], ["jan", "pieter"]) == pytest.approx(1)
    assert part_similarity(["v"], ["anna"]) == pytest.approx(0)
    assert part_similarity(["garcia", "qqq"], ["garcia"]) == pytest.approx(1)


@settings(max_examples=1000)
@given(*[st.tuples(several_words, st.just(()) | several_words) for _ in range(2)])
@example((("ab", "cd"), ()), (("ba", "éé"), ("李",)))
def test_scores_equal_the_reference(left, right):
    first, second = (NameForm(*words, is_ordered=True) for words in (left, right))
    dice = slow.bigram_dice("".join(first.words), "".join(second.words))
    assert name_scores(first, second) == (slow.name_score(first, second), dice)


@settings(max_examples=500)
@given(st.lists(real_words, min_size=2, max_size=6), st.integers(1, 5))
def test_scores_of_real_words_equal_the_reference(words, at):
    first, second = (
        NameForm(tuple(part[:1]), tuple(part[1:]), is_ordered=True)
        for part in (words[:at] or ["a"], words[at:] or ["b"])
    )
    assert name_scores(first, second)[0] == slow.name_score(first, second)


@fixed
@given(word_pairs)
def test_scores_of_one_word_are_those_of_jellyfish(pair):
    """Of Jaro-Winkler both have Winkler's limit of 0.7 and no rule for long texts.

    The Damerau-Levenshtein distance is the unrestricted one here, unlike that of the kernels. A
    single letter is an initial, for which the score has a rule of its own.
    """
    left, right = pair
    assume(min(len(left), len(right)) > 1)
    alike = jaro_winkler_similarity(left, right)
    assert part_similarity([left], [right]) == pytest.approx(alike)
    kept = 1 - damerau_levenshtein_distance(left, right) / max(len(left), len(right))
    first, second = (NameForm((word,), ("anna",), is_ordered=True) for word in pair)
    assert name_scores(first, second)[0] == pytest.approx(0.5 * alike + 0.3 + 0.2 * kept)


@fixed
@given(st.lists(real_words, min_size=1, max_size=3), st.lists(real_words, min_size=1, max_size=3))
def test_scores_of_several_words_are_means_of_those_of_jellyfish(left, right):
    assume(len(left) + len(right) > 2)
    best = [[jaro_winkler_similarity(word, other) for other in right] for word in left]
    forward = sum(map(max, best)) / len(left)
    back = sum(map(max, zip(*best, strict=True))) / len(right)
    assert part_similarity(left, right) == pytest.approx(max(forward, back))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Shirov, Alexei", "Schirow, Alexej"),
        ("Kasparov, Garry", "Kasparow, Gari"),
        ("Hoffmann, Michael", "Hofman, Michael"),
    ],
)
def test_spellings_score_enough(left, right):
    assert score(name_form(left), name_form(right)) >= LIMITS.min_score


def test_others_do_not():
    assert score(name_form("Shirov, Alexei"), name_form("Kramnik, Vladimir")) < LIMITS.min_score
    assert score(name_form("Spassky, Boris"), name_form("Spasov, Vasil")) < LIMITS.min_score


def test_a_score_does_not_tell_namesakes():
    """Why scores alone make no persons."""
    assert (
        score(name_form("Petrosian, Tigran V"), name_form("Petrosian, Tigran L")) > LIMITS.min_score
    )
