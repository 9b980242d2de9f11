"""Beider-Morse phonetic codes by compiled rules: kernels/names/beider_morse.pyx.

A set of languages is an integer with a bit for each; bit 0 alone is "any language". Only the first
64 letters of a word count.
"""

from collections.abc import Sequence
from typing import TypeAlias

# Numbers of letter classes, and True if the end of the word must follow. A left context lists them
# from the pattern outwards, and its end is the start of the word.
Context: TypeAlias = tuple[tuple[int, ...], bool]
# ASCII text, and the languages that it requires, or None.
Alternative: TypeAlias = tuple[bytes, int | None]
# Pattern, left context, right context, replacements of the pattern.
Rule: TypeAlias = tuple[bytes, Context, Context, list[Alternative]]
# Numbers of letter classes, at the start, at the end, languages that remain possible.
Guess: TypeAlias = tuple[tuple[int, ...], bool, bool, int]

class Rules:
    """Rules for names of one kind. Several threads may use one object."""

    def __init__(
        self,
        letters: str,
        classes: Sequence[bytes],
        guesses: Sequence[Guess],
        lists: Sequence[Sequence[Rule]],
    ) -> None:
        """Load compiled rules.

        `letters`: the letters of words, numbered from 1; letter 0 is any other. `classes`: sets of
        letters as 256 bits, the lowest first. `lists`: rules for words of each language, rules
        common to all, final rules of each language; each sorted by the first letter of the pattern.
        Raises ValueError for rules that exceed the kernel's tables.
        """

    def guess(self, word: str) -> int:
        """Return the languages that a lower-case word may be of."""

    def codes(self, word: str, languages: int, *, rules_of: int) -> list[str]:
        """Return the distinct codes of one word, in the order of the rules.

        `languages` filters the output of the rules; the rules themselves are those of `rules_of`,
        or of any language if that is several. A word that no rule matches has the code "". Raises
        ValueError for unknown languages.
        """

    def hash_codes(self, words: list[str], *, max_codes: int, system: int) -> list[list[int]]:
        """Return the lowest hashes of each word's codes except "", sorted and distinct.

        A hash is `system` (0 to 3) in two bits above the low 30 bits of the code's CRC-32.
        `max_codes`: 1 to 256. Works without the GIL except for copying words and hashes.
        """
