"""Similarity scores: 0 to 1, and what they can and cannot tell."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from jellyfish import damerau_levenshtein_distance, jaro_winkler_similarity

from ocgdedup.matching.names.name_form import name_form
from ocgdedup.matching.names.similarity import (
    MIN_SCORE,
    bigram_dice,
    monge_elkan,
    name_score,
    word_similarity,
)
from ocgdedup.model import NameForm
from tests.support.real_words import real_words, word_pairs

fixed = settings(max_examples=200)
words = st.text("abcm", min_size=1, max_size=6)
several_words = st.lists(words, min_size=1, max_size=3).map(tuple)
names = st.builds("{}, {}".format, several_words.map(" ".join), several_words.map(" ".join))


@pytest.mark.slow
@fixed
@given(names, names)
def test_name_score_is_symmetric_and_of_0_to_1(left, right):
    score = name_score(name_form(left), name_form(right))
    assert 0 <= score <= 1
    assert score == pytest.approx(name_score(name_form(right), name_form(left)))


@fixed
@given(names)
def test_a_name_is_like_itself(name):
    assert name_score(name_form(name), name_form(name)) == pytest.approx(1)


@fixed
@given(several_words, several_words)
def test_word_similarity_is_the_better_direction(left, right):
    both = word_similarity(left, right)
    assert both == pytest.approx(word_similarity(right, left))
    assert both == pytest.approx(max(monge_elkan(left, right), monge_elkan(right, left)))
    assert 0 <= both <= 1


def test_monge_elkan_is_a_mean_of_best_words():
    assert monge_elkan(("garcia",), ("garcia", "palermo")) == 1
    assert monge_elkan(("garcia", "qqq"), ("garcia",)) == 0.5
    assert monge_elkan((), ("garcia",)) == 0


def test_initials_match_the_words_they_begin():
    assert word_similarity(("v",), ("vladimir",)) == 1
    assert word_similarity(("j", "p"), ("jan", "pieter")) == 1
    assert word_similarity(("v",), ("anna",)) == 0


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
    assert word_similarity((left,), (right,)) == pytest.approx(alike)
    kept = 1 - damerau_levenshtein_distance(left, right) / max(len(left), len(right))
    first, second = (NameForm((word,), ("anna",), is_ordered=True) for word in pair)
    assert name_score(first, second) == pytest.approx(0.5 * alike + 0.3 + 0.2 * kept)


@fixed
@given(st.lists(real_words, min_size=1, max_size=3), st.lists(real_words, min_size=1, max_size=3))
def test_scores_of_several_words_are_means_of_those_of_jellyfish(left, right):
    assume(len(left) + len(right) > 2)
    best = [[jaro_winkler_similarity(word, other) for other in right] for word in left]
    forward = sum(map(max, best)) / len(left)
    back = sum(map(max, zip(*best, strict=True))) / len(right)
    assert word_similarity(tuple(left), tuple(right)) == pytest.approx(max(forward, back))


@fixed
@given(st.text("abc", max_size=8), st.text("abc", max_size=8))
def test_bigram_dice_is_symmetric_and_of_0_to_1(left, right):
    assert 0 <= bigram_dice(left, right) <= 1
    assert bigram_dice(left, right) == bigram_dice(right, left)
    assert bigram_dice(left, left) == 1


def test_bigram_dice_of_known_words():
    assert bigram_dice("night", "nacht") == pytest.approx(0.25)  # only "ht", of 4 and 4
    assert bigram_dice("aaaa", "aa") == pytest.approx(0.5)  # bigrams are counted
    assert bigram_dice("a", "b") == 0


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Shirov, Alexei", "Schirow, Alexej"),
        ("Kasparov, Garry", "Kasparow, Gari"),
        ("Hoffmann, Michael", "Hofman, Michael"),
    ],
)
def test_spellings_score_enough(left, right):
    assert name_score(name_form(left), name_form(right)) >= MIN_SCORE


def test_others_do_not():
    assert name_score(name_form("Shirov, Alexei"), name_form("Kramnik, Vladimir")) < MIN_SCORE
    assert name_score(name_form("Spassky, Boris"), name_form("Spasov, Vasil")) < MIN_SCORE


def test_a_score_does_not_tell_namesakes():
    """Why scores alone make no persons."""
    assert (
        name_score(name_form("Petrosian, Tigran V"), name_form("Petrosian, Tigran L")) > MIN_SCORE
    )
