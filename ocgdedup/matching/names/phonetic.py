"""Phonetic codes of name parts: names that sound alike share a code. They only propose pairs.

Three systems, since each finds similar names that the others miss: both codes of Double Metaphone
(L. Philips, C/C++ Users Journal, June 2000); every branch of Daitch-Mokotoff soundex (G. Mokotoff,
https://www.avotaynu.com/soundex.htm); and Beider-Morse phonetic matching (2008,
https://stevemorse.org/phonetics/bmpm.htm), generic, approximate, language guessed from the
spelling. Beider-Morse has the rules of abydos, compiled for the kernel; codes are those of
`abydos.phonetic.BeiderMorse().encode()`, in the same order, except that the kernel reads only the
first 64 letters, and stops at tens of thousands of codes for a word.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING
from unicodedata import normalize
from zlib import crc32

from abydos.phonetic import DaitchMokotoff, DoubleMetaphone  # type: ignore[import-untyped]
from abydos.phonetic._beider_morse_data import BMDATA  # type: ignore[import-untyped]

from ocgdedup._kernels.names import Rules
from ocgdedup.thresholds import PHONETIC_BITS, PHONETIC_LETTERS

if TYPE_CHECKING:
    from ocgdedup._kernels.names import Alternative, Context, Guess, Rule

# Hashes are stored. Raise this number when the hashes of any name part change.
ENCODER_VERSION = 1
_CODE_MASK = (1 << PHONETIC_BITS) - 1

MAX_BEIDER_MORSE_CODES = 32  # of a name part; one part in ten has more


class PhoneticSystem(IntEnum):
    """The two highest bits of a hashed code. Stored: never renumber."""

    DOUBLE_METAPHONE = 0
    DAITCH_MOKOTOFF = 1
    BEIDER_MORSE = 2


_DOUBLE_METAPHONE = DoubleMetaphone()
_DAITCH_MOKOTOFF = DaitchMokotoff()


def double_metaphone(part: str) -> tuple[str, ...]:
    """Return the primary code and, if it differs, the secondary code."""
    primary, secondary = _DOUBLE_METAPHONE.encode(part)
    return tuple(code for code in (primary, secondary) if code)


def daitch_mokotoff(part: str) -> tuple[str, ...]:
    """Return the codes, six digits each, sorted."""
    # Without this test a part without letters would get 000000, like a single vowel.
    return tuple(sorted(_DAITCH_MOKOTOFF.encode(part))) if part else ()


def codes_of(parts: Sequence[str]) -> list[array[int]]:
    """Return for each name part the 32-bit hashes of its codes, sorted and distinct.

    `parts` are in lower-case letters a to z. Hashes of two systems are never equal, since the two
    highest bits are the system; two codes of one system have equal hashes about once in 2**30
    pairs. A part with over 32 Beider-Morse codes keeps the 32 lowest hashes.
    """
    hashes_by_part: list[array[int]] = []
    system = PhoneticSystem.BEIDER_MORSE
    hashed = hash_codes(parts, max_codes=MAX_BEIDER_MORSE_CODES, system=system)
    for part, beider_morse_hashes in zip(parts, hashed, strict=True):
        hashes = array("I")
        for part_codes, number in (
            (double_metaphone(part), PhoneticSystem.DOUBLE_METAPHONE),
            (daitch_mokotoff(part), PhoneticSystem.DAITCH_MOKOTOFF),
        ):
            hashes.extend(sorted({hash_code(code, number) for code in part_codes}))
        hashes.extend(beider_morse_hashes)
        hashes_by_part.append(hashes)
    return hashes_by_part


# --- Beider-Morse ---------------------------------------------------------------------------------


_ALL_LETTERS = (1 << 256) - 1

# One element of a context: [abc] or [^abc], (a|b|c), or a letter. The rules have no others.
_ELEMENT = re.compile(r"\[(\^?)([^][^$|()\\-]+)\]|\((\w(?:\|\w)*)\)|([^][^$|()\\.*+?{}])")
_ALTERNATIVE = re.compile(r"([A-Za-z0-9]*)(?:\[(\d+)\])?")

# abydos has a set of prefixes and uses the first that matches. For "de la " its result depends on
# the order of the set, which changes from run to run. Here the longest prefix is used.
_PREFIXES = tuple(sorted(BMDATA["gen"]["discards"], key=lambda prefix: (-len(prefix), prefix)))

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
def _rules() -> Rules:
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


def _guess(term: str) -> int:
    return _rules().guess(term.strip().lower())


def _words(term: str, languages: int) -> Iterator[tuple[str, int]]:
    """Split a name into words to encode, each with its possible languages.

    The text after a prefix such as "van " is encoded without and with the prefix.
    """
    term = term.replace("-", " ").strip()
    for prefix in _PREFIXES:
        if term.startswith(prefix):
            remainder = term.removeprefix(prefix)
            for part in (remainder, prefix[:-1] + remainder):
                yield from _words(part, _guess(part))
            return
    words = term.split()
    if len(words) < 2:
        yield "".join(words), languages
        return
    for word in words:
        yield from _words(word, _guess(word))


def codes(name: str) -> list[str]:
    """Return the codes of a name of any number of words, joined with spaces as by abydos.

    Only the first 64 letters count. Names without letters of the rules have the code "".
    """
    term = normalize("NFC", name.strip().lower())[:PHONETIC_LETTERS].strip()
    languages = _guess(term)
    encoded: list[str] = []
    for word, word_languages in _words(term, languages):
        encoded += _rules().codes(word, word_languages, rules_of=languages)
    return encoded


def hash_codes(parts: Sequence[str], *, max_codes: int, system: int) -> list[list[int]]:
    """Return for each part the lowest hashes of its codes, sorted and distinct.

    A hash is the low 30 bits of the CRC-32 of the code, with `system` (0 to 3) in the two bits
    above. The lowest `max_codes` hashes (up to 256) of a part are kept, so two parts that share
    many codes share kept hashes, too. Parts of ASCII letters a to z are faster.
    """
    plain = [p if p.isascii() and p.isalpha() and p.islower() else "" for p in parts]
    hashes = _rules().hash_codes(plain, max_codes=max_codes, system=system)
    for number, part in enumerate(parts):
        if not plain[number]:
            part_hashes = {hash_code(code, system) for code in codes(part) if code}
            hashes[number] = sorted(part_hashes)[:max_codes]
    return hashes


def hash_code(code: str, system: int) -> int:
    """Return the 32-bit hash of a code of ASCII letters, as `hash_codes` does."""
    return system << PHONETIC_BITS | crc32(code.encode()) & _CODE_MASK
