"""The words that the whole program shares, where code in another language repeats them."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from ocgdedup.matching.evidence import STATUS_OF_KIND
from ocgdedup.store.search_reader import KEYS, reason_of
from ocgdedup.wording import CLASS_WORDS, POSSIBLE_DUPLICATE, REASONS, STATUSES, class_words, joined


def object_in(script: str, name: str) -> dict[str, str]:
    """Return an object of texts that a script of the page declares."""
    text = files("ocgdedup.reports").joinpath("html", script).read_text(encoding="utf-8")
    result = re.search(rf"const {name} = \{{(.*?)\}};", text, re.DOTALL)
    assert result is not None
    return dict(re.findall(r'(\w+): "([^"]*)"', result[1]))


def test_the_page_of_a_report_has_the_same_words() -> None:
    assert object_in("pairs.js", "KIND_NAMES") == {POSSIBLE_DUPLICATE: "possible", **CLASS_WORDS}
    assert set(object_in("pair.js", "KIND_WORDS")) == set(STATUSES)


@pytest.mark.parametrize(
    ("stored", "words"),
    [("join", "near-identical"), ("subsumption (partial)", "truncated (partial)"), (None, ""),
     ("by moves", "by moves")],
)  # fmt: skip
def test_classes_are_shown_in_the_words_of_the_user(stored: str | None, words: str) -> None:
    assert class_words(stored) == words


@pytest.mark.parametrize(
    ("stored", "more_plies", "words"),
    [("subsumption", 0, "diverging"), ("subsumption (partial)", 0, "diverging (partial)"),
     ("subsumption partial", 3, "longer partial"), ("exact", 0, "exact"),
     ("subsumption (partial)", -2, "truncated (partial)"),
     ("subsumption (rotated)", 0, "truncated (rotated)")],
)  # fmt: skip
def test_a_duplicate_is_not_always_truncated(stored: str, more_plies: int, words: str) -> None:
    assert class_words(stored, more_plies) == words


def test_a_search_gives_only_declared_statuses_and_reasons() -> None:
    assert {status for status, _ in STATUS_OF_KIND.values()} == set(STATUSES)
    assert {reason for _, reason in STATUS_OF_KIND.values() if reason} <= set(REASONS)
    assert not {reason_of(key) for key in KEYS} & set(REASONS)


@pytest.mark.parametrize(
    ("words", "text"), [(["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a, b or c")]
)
def test_words_are_joined(words: list[str], text: str) -> None:
    assert joined(words, "or") == text
