"""Restricted Damerau-Levenshtein distance and near words, by the definition: slow and plain."""

from __future__ import annotations

from collections.abc import Sequence


def osa_distance(left: bytes, right: bytes) -> int:
    """Return the fewest edits; neighbours that were swapped are not edited again.

    The recurrence stands in Boytsov, "Indexing methods for approximate dictionary searching"
    (2011), section 2.1; here the whole table is kept.
    """
    table = [
        [i + j if i * j == 0 else 0 for j in range(len(right) + 1)] for i in range(len(left) + 1)
    ]
    for i in range(1, len(left) + 1):
        for j in range(1, len(right) + 1):
            ways = [
                table[i - 1][j] + 1,
                table[i][j - 1] + 1,
                table[i - 1][j - 1] + (left[i - 1] != right[j - 1]),
            ]
            if left[i - 2 : i] == right[j - 2 : j][::-1] and i > 1 and j > 1:
                ways.append(table[i - 2][j - 2] + 1)
            table[i][j] = min(ways)
    return table[-1][-1]


def words_without_a_letter(word: bytes) -> set[bytes]:
    """Return the word and all words made by leaving one letter out; none for short ones."""
    if len(word) < 3:
        return set()
    return {word} | {word[:i] + word[i + 1 :] for i in range(len(word))}


def near_words(
    words: Sequence[bytes], codes: Sequence[set[int]], word: bytes, word_codes: set[int], limit: int
) -> list[tuple[int, int, bool]]:
    """Return (number, distance, shares a code) of the words an index should find."""
    found = []
    wanted = words_without_a_letter(word)
    for number, other in enumerate(words):
        edits = osa_distance(word, other)
        sounds = bool(codes[number] & word_codes)
        if (sounds or words_without_a_letter(other) & wanted) and 0 < edits <= limit:
            found.append((number, edits, sounds))
    return found
