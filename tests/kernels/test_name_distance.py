"""Words spelled nearly alike: the kernel against its slow twin, and known distances."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocgdedup._kernels.name_distance import WordIndex, distance
from tests.reference.name_distance import near_words, osa_distance

FAR = 255

fixed = settings(max_examples=300)
# Few letters, so that words are near and swaps happen.
small_words = st.text("abc", max_size=9).map(str.encode)
any_words = st.binary(max_size=64)
code_sets = st.sets(st.integers(1, 5), max_size=3)


def packed(codes: set[int]) -> bytes:
    return array("I", sorted(codes)).tobytes()


@pytest.mark.parametrize(
    ("left", "right", "edits"),
    [
        ("kramnik", "kramnik", 0),
        ("karpov", "karpow", 1),
        ("karpov", "karpo", 1),
        ("karpov", "akrpov", 1),
        ("tal", "", 3),
        ("", "", 0),
        ("ca", "abc", 3),  # 2 by the unrestricted distance, which edits between the swapped
        ("schirow", "shirov", 2),
        ("kitten", "sitting", 3),
        ("a" * 64, "b" * 64, 64),
    ],
)
def test_distance_of_known_words(left, right, edits):
    assert distance(left.encode(), right.encode(), 64) == edits
    assert distance(right.encode(), left.encode(), 64) == edits
    assert osa_distance(left.encode(), right.encode()) == edits


@fixed
@given(small_words, small_words, st.integers(0, 9))
def test_distance_equals_its_twin(left, right, limit):
    edits = osa_distance(left, right)
    assert distance(left, right, limit) == (edits if edits <= limit else FAR)


@settings(fixed, max_examples=60)
@given(any_words, any_words)
def test_distance_of_any_bytes(left, right):
    assert distance(left, right, 64) == osa_distance(left, right)


def test_distance_refuses_long_words():
    with pytest.raises(ValueError, match="65"):
        distance(b"a" * 65, b"a", 3)


@fixed
@given(
    st.lists(st.tuples(small_words, code_sets), max_size=12), small_words, code_sets,
    st.integers(1, 3),
)  # fmt: skip
def test_index_finds_what_its_twin_finds(entries, word, codes, limit):
    words = [entry for entry, _ in entries]
    all_codes = [entry_codes for _, entry_codes in entries]
    index = WordIndex(words, list(map(packed, all_codes)))
    expected = near_words(words, all_codes, word, codes, limit)
    assert index.near(word, packed(codes), limit) == expected
    assert index.near(word, packed(codes), limit) == expected  # a search leaves no traces


@fixed
@given(st.lists(st.text("abc", min_size=3, max_size=7).map(str.encode), max_size=20),
       st.text("abc", min_size=3, max_size=7).map(str.encode))  # fmt: skip
def test_index_finds_every_word_within_one_edit(words, word):
    found = {number for number, _, _ in WordIndex(words, [b""] * len(words)).near(word, b"", 1)}
    assert found == {i for i, other in enumerate(words) if osa_distance(word, other) == 1}


def test_index_finds_by_sound_what_is_spelled_otherwise():
    words = [b"schtschukin", b"karpov", b"shchukin"]
    index = WordIndex(words, [packed({7}), packed({8}), packed({7, 9})])
    assert index.near(b"tschukin", packed({7}), 3) == [(0, 3, True), (2, 2, True)]
    assert index.near(b"tschukin", b"", 3) == [(2, 2, False)]  # both are schukin less a letter


def test_index_of_nothing():
    assert WordIndex([], []).near(b"karpov", packed({1}), 3) == []


def test_index_leaves_long_words_out():
    index = WordIndex([b"a" * 65, b"a" * 64], [packed({1}), packed({1})])
    assert index.near(b"a" * 63, packed({1}), 3) == [(1, 1, True)]
    with pytest.raises(ValueError, match="65"):
        index.near(b"a" * 65, b"", 3)


def test_index_refuses_what_does_not_fit_together():
    with pytest.raises(ValueError, match="1 words and codes of 2"):
        WordIndex([b"tal"], [b"", b""])
    with pytest.raises(TypeError):
        WordIndex(["tal"], [b""])  # type: ignore[list-item]


def test_of_very_many_words_of_one_code_the_neighbours_count():
    words = [
        b"k" + bytes((97 + i // 26**2 % 26, 97 + i // 26 % 26, 97 + i % 26)) for i in range(3000)
    ]
    index = WordIndex(words, [packed({1})] * 3000)
    for place in (0, 700, 1500, 2999):
        found = {number for number, _, _ in index.near(words[place], packed({1}), 4, place)}
        assert len(found) <= 2 * 1024
        first = max(0, min(place - 512, 3000 - 1024))
        expected = set(range(first, first + 1024)) - {place}
        assert expected <= found or place == 2999
