"""Words with similar spellings: the index against a slow reference and jellyfish."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jellyfish import damerau_levenshtein_distance

from ocgdedup._kernels.names import WordIndex
from tests.reference.name_distance import near_words
from tests.support.real_words import SURNAMES, word_pairs

fixed = settings(max_examples=300)
# Few letters, so that words are near and swaps happen.
small_words = st.text("abc", max_size=9).map(str.encode)
code_sets = st.sets(st.integers(1, 5), max_size=3)


def packed(codes: set[int]) -> bytes:
    return array("I", sorted(codes)).tobytes()


@fixed
@given(
    st.lists(st.tuples(small_words, code_sets), max_size=12), small_words, code_sets,
    st.integers(1, 3),
)  # fmt: skip
def test_index_equals_the_reference(entries, word, codes, limit):
    words = [entry for entry, _ in entries]
    all_codes = [entry_codes for _, entry_codes in entries]
    index = WordIndex(words, list(map(packed, all_codes)))
    expected = near_words(words, all_codes, word, codes, limit)
    assert index.near(word, packed(codes), limit) == expected
    assert index.near(word, packed(codes), limit) == expected  # a search leaves no traces


@fixed
@given(st.lists(st.text("abc", min_size=3, max_size=7), max_size=20),
       st.text("abc", min_size=3, max_size=7))  # fmt: skip
def test_index_finds_every_word_within_one_edit(words, word):
    # jellyfish may edit between swapped letters, which takes more than one edit.
    index = WordIndex(list(map(str.encode, words)), [b""] * len(words))
    numbers = {number for number, _, _ in index.near(word.encode(), b"", 1)}
    distances = [damerau_levenshtein_distance(word, other) for other in words]
    assert numbers == {number for number, distance in enumerate(distances) if distance == 1}


SURNAME_INDEX = WordIndex(list(map(str.encode, SURNAMES)), [b""] * len(SURNAMES))


@fixed
@given(word_pairs)
def test_index_finds_every_surname_within_one_edit(pair):
    word = pair[1]
    surnames = {SURNAMES[number] for number, _, _ in SURNAME_INDEX.near(word.encode(), b"", 1)}
    expected = {other for other in SURNAMES if damerau_levenshtein_distance(word, other) == 1}
    # Shorter words are found by sound only.
    assert surnames == {other for other in expected if min(len(word), len(other)) >= 3}


def test_index_finds_other_spellings_by_sound():
    words = [b"schtschukin", b"karpov", b"shchukin"]
    index = WordIndex(words, [packed({7}), packed({8}), packed({7, 9})])
    assert index.near(b"tschukin", packed({7}), 3) == [(0, 3, True), (2, 2, True)]
    assert index.near(b"tschukin", b"", 3) == [(2, 2, False)]  # both are schukin less a letter


def test_empty_index():
    assert WordIndex([], []).near(b"karpov", packed({1}), 3) == []


def test_index_leaves_long_words_out():
    index = WordIndex([b"a" * 65, b"a" * 64], [packed({1}), packed({1})])
    assert index.near(b"a" * 63, packed({1}), 3) == [(1, 1, True)]
    with pytest.raises(ValueError, match="65"):
        index.near(b"a" * 65, b"", 3)


def test_index_refuses_invalid_arguments():
    with pytest.raises(ValueError, match="1 words, but codes for 2"):
        WordIndex([b"tal"], [b"", b""])
    with pytest.raises(TypeError):
        WordIndex(["tal"], [b""])  # type: ignore[list-item]


def test_of_very_many_words_of_one_code_the_neighbours_count():
    words = [
        b"k" + bytes((97 + i // 26**2 % 26, 97 + i // 26 % 26, 97 + i % 26)) for i in range(3000)
    ]
    index = WordIndex(words, [packed({1})] * 3000)
    for place in (0, 700, 1500, 2999):
        numbers = {number for number, _, _ in index.near(words[place], packed({1}), 4, place)}
        assert len(numbers) <= 2 * 1024
        first = max(0, min(place - 512, 3000 - 1024))
        expected = set(range(first, first + 1024)) - {place}
        assert expected <= numbers or place == 2999
