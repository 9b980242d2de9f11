"""Beider-Morse phonetic codes by compiled rules: kernels/names/beider_morse.pyx.

A set of languages is an integer with a bit for each; bit 0 alone is "any language". Of a word
only the first 64 letters count.
"""

from collections.abc import Sequence
from typing import TypeAlias

# Numbers of letter classes, and whether the end of the word must follow. A left context lists
# them from the pattern outwards, and its end is the start of the word.
Context: TypeAlias = tuple[tuple[int, ...], bool]
# ASCII text, and the languages it is bound to, None if to none.
Alternative: TypeAlias = tuple[bytes, int | None]
# Pattern, left context, right context, what the pattern becomes.
Rule: TypeAlias = tuple[bytes, Context, Context, list[Alternative]]
# Numbers of letter classes, at the start, at the end, languages that remain possible.
Guess: TypeAlias = tuple[tuple[int, ...], bool, bool, int]

class Rules:
    """Rules of names of one kind. Any number of threads may use one object."""

    def __init__(
        self,
        letters: str,
        classes: Sequence[bytes],
        guesses: Sequence[Guess],
        lists: Sequence[Sequence[Rule]],
    ) -> None:
        """Load compiled rules.

        `letters`: those that words may have, numbered from 1; letter 0 is any other. `classes`:
        sets of letters as 256 bits, the lowest first. `lists`: rules for words of each language,
        rules common to all, final rules of each language; each sorted by the first letter of the
        pattern. Raise ValueError for what does not fit the kernel's tables.
        """

    def guess(self, word: str) -> int:
        """Return the languages that a word in small letters may be of."""

    def codes(self, word: str, languages: int, *, rules_of: int) -> list[str]:
        """Return the distinct codes of one word, in the order of the rules.

        `languages` filter what the rules give; the rules themselves are those of `rules_of`, or
        of any language if that is several. A word that no rule touches has the code "". Raise
        ValueError for languages that the rules do not have.
        """

    def hash_codes(self, words: list[str], *, max_codes: int, system: int) -> list[list[int]]:
        """Return the lowest hashes of each word's codes but "", sorted and distinct.

        A hash is `system` (0 to 3) in two bits above the low 30 bits of the code's CRC-32.
        `max_codes`: 1 to 256. Works without the GIL but for the copying of words and hashes.
        """
