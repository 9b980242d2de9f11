"""Words near a word, by definition: slow reference."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz.distance import OSA


def words_without_a_letter(word: bytes) -> set[bytes]:
    """Return the word and all words made by leaving one letter out; none for short ones."""
    if len(word) < 3:
        return set()
    return {word} | {word[:i] + word[i + 1 :] for i in range(len(word))}


def near_words(
    words: Sequence[bytes], codes: Sequence[set[int]], word: bytes, word_codes: set[int], limit: int
) -> list[tuple[int, int, bool]]:
    """Return (number, distance, shares a code) of the words an index should find."""
    near = []
    expected = words_without_a_letter(word)
    for number, other in enumerate(words):
        edits = OSA.distance(word, other)
        sounds = bool(codes[number] & word_codes)
        if (sounds or words_without_a_letter(other) & expected) and 0 < edits <= limit:
            near.append((number, edits, sounds))
    return near
