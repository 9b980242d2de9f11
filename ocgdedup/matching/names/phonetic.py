"""Phonetic codes of name parts: names that sound alike share a code. They only propose pairs.

Three systems, since each finds similar names that the others miss: both codes of Double Metaphone
(L. Philips, C/C++ Users Journal, June 2000); every branch of Daitch-Mokotoff soundex (G. Mokotoff,
https://www.avotaynu.com/soundex.htm); and Beider-Morse phonetic matching (2008,
https://stevemorse.org/phonetics/bmpm.htm), generic, approximate, language guessed from the
spelling. The kernel has the first two, and runs the rules that abydos has for the third, which are
compiled here. Codes are those of abydos, except that only the first 64 letters count, and that the
kernel stops at tens of thousands of Beider-Morse codes for a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING

import abydos  # type: ignore[import-untyped]
from abydos.phonetic._beider_morse_data import BMDATA  # type: ignore[import-untyped]

from ocgdedup._kernels.names import Rules

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from ocgdedup._kernels.names import Alternative, Context, Guess, Rule


RULES_VERSION: str = abydos.__version__


def encode(words: Buffer, ends: Buffer) -> tuple[bytes, bytes]:
    """Return the phonetic codes of words as 32-bit hashes: see Rules.encode().

    Hashes of two systems are never equal, since the two highest bits are the system; two codes of
    one system have equal hashes about once in 2**30 pairs. A word with over 32 Beider-Morse codes
    keeps the 32 lowest hashes.
    """
    return rules().encode(words, ends)


# --- Beider-Morse ---------------------------------------------------------------------------------


_ALL_LETTERS = (1 << 256) - 1

# One element of a context: [abc] or [^abc], (a|b|c), or a letter. The rules have no others.
_ELEMENT = re.compile(r"\[(\^?)([^][^$|()\\-]+)\]|\((\w(?:\|\w)*)\)|([^][^$|()\\.*+?{}])")
_ALTERNATIVE = re.compile(r"([A-Za-z0-9]*)(?:\[(\d+)\])?")

RawRule = tuple[str, str, str, str]


class RuleCompiler:
    """Compiles rules for the kernel; equal letter classes are shared."""

    def __init__(self, letters: Mapping[str, int]) -> None:
        self.classes: list[bytes] = []
        self._letters = letters
        self._class_numbers: dict[int, int] = {}

    def context(self, expression: str, letters: Mapping[str, int]) -> tuple[Context, bool]:
        """Return (letter classes, ends with "$") and whether it begins with "^".

        Raise ValueError for an expression that is not a plain sequence of letters and classes.
        """
        at_start = expression.startswith("^")
        at_end = expression.endswith("$")
        inner = expression[at_start : len(expression) - at_end]
        numbers: list[int] = []
        index = 0
        while index < len(inner):
            element = _ELEMENT.match(inner, index)
            if element is None:
                raise ValueError(f"context {expression!r} of a phonetic rule is not understood")
            numbers.append(self._class_number(element, letters))
            index = element.end()
        return (tuple(numbers), at_end), at_start

    def _class_number(self, element: re.Match[str], letters: Mapping[str, int]) -> int:
        negated, listed, choices, single = element.groups()
        bits = 0
        for letter in listed or (choices or single).replace("|", ""):
            bits |= 1 << letters[letter]
        if negated:
            bits ^= _ALL_LETTERS
        if bits not in self._class_numbers:
            self._class_numbers[bits] = len(self.classes)
            self.classes.append(bits.to_bytes(32, "little"))
        return self._class_numbers[bits]

    def guess(self, raw: tuple[str, int, bool], all_languages: int) -> Guess:
        """Compile a rule that accepts or excludes languages."""
        expression, languages, accept = raw
        (numbers, at_end), at_start = self.context(expression, self._letters)
        # The remainder in abydos has the same effect as all_languages & ~languages.
        accepted = languages if accept else ~languages % (all_languages + 1)
        return numbers, at_start, at_end, accepted

    def rules(self, rules: Iterable[RawRule], *, are_final: bool = False) -> list[Rule]:
        """Compile rules that turn letters into phonetic letters, sorted by first letter.

        The first rule that fits is used. `are_final`: the rules turn phonetic letters, which are
        ASCII, into others.
        """
        letters = {chr(code): code for code in range(128)} if are_final else self._letters
        return sorted((self._rule(rule, letters) for rule in rules), key=lambda rule: rule[0][0])

    def _rule(self, rule: RawRule, letters: Mapping[str, int]) -> Rule:
        pattern, left, right, outcome = rule
        (left_numbers, _), to_start = self.context(left, letters)
        right_context, _ = self.context(right, letters)
        # The kernel reads the left context from the pattern outwards.
        left_context = left_numbers[::-1], to_start
        coded = bytes(letters[letter] for letter in pattern)
        return coded, left_context, right_context, _alternatives(outcome)


def _alternatives(outcome: str) -> list[Alternative]:
    """Parse an outcome such as "(s|z[128])": texts with the languages in which they apply."""
    alternatives: list[Alternative] = []
    for text in outcome.removeprefix("(").removesuffix(")").split("|"):
        parts = _ALTERNATIVE.fullmatch(text)
        if parts is None:
            raise ValueError(f"outcome {outcome!r} of a phonetic rule is not understood")
        alternatives.append((parts[1].encode(), None if parts[2] is None else int(parts[2])))
    return alternatives


@cache
def rules() -> Rules:
    """Return the rules of abydos for names of any language, compiled for the kernel."""
    generic = BMDATA["gen"]
    word_rules, final_rules = generic["rules"], generic["approx"]
    languages = [1 << number for number in range(len(generic["languages"]))]
    texts = ["".join(rule[:3]) for group in word_rules.values() for rule in group]
    texts += [guess[0] for guess in generic["language_rules"]]
    letters = "".join(sorted(set("".join(texts)) - set("^$[]()|")))
    compiler = RuleCompiler({letter: number for number, letter in enumerate(letters, start=1)})
    all_languages = sum(languages) - 1
    guesses = [compiler.guess(guess, all_languages) for guess in generic["language_rules"]]
    lists = [
        *(compiler.rules(word_rules[language]) for language in languages),
        *(compiler.rules(final_rules[key], are_final=True) for key in ("common", *languages)),
    ]
    return Rules(letters, compiler.classes, guesses, lists)
