"""Slow reference of the kernel's phonetic codes: abydos, and a name of several words."""

from __future__ import annotations

from collections.abc import Iterator
from unicodedata import normalize
from zlib import crc32

from abydos.phonetic import DaitchMokotoff, DoubleMetaphone
from abydos.phonetic._beider_morse_data import BMDATA

from ocgdedup.matching.names.phonetic import rules
from ocgdedup.thresholds import PHONETIC_LETTERS

DOUBLE_METAPHONE, DAITCH_MOKOTOFF, BEIDER_MORSE = range(3)
BEIDER_MORSE_CODES = 32

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


def hash_code(code: str, system: int) -> int:
    return system << 30 | crc32(code.encode()) & (1 << 30) - 1


def hashes_of(part: str, beider_morse: list[str]) -> list[int]:
    """Return the hashes of a part, whose Beider-Morse codes are given."""
    hashes: list[int] = []
    for codes_of_part, system, most in (
        (double_metaphone(part), DOUBLE_METAPHONE, None),
        (daitch_mokotoff(part), DAITCH_MOKOTOFF, None),
        (beider_morse, BEIDER_MORSE, BEIDER_MORSE_CODES),
    ):
        hashes += sorted({hash_code(code, system) for code in codes_of_part if code})[:most]
    return hashes


# abydos has a set of prefixes and uses the first that matches. For "de la " its result depends on
# the order of the set, which changes from run to run. Here the longest prefix is used.
_PREFIXES = tuple(sorted(BMDATA["gen"]["discards"], key=lambda prefix: (-len(prefix), prefix)))


def _guess(term: str) -> int:
    return rules().guess(term.strip().lower())


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
    """Return the Beider-Morse codes of a name of any number of words, by the kernel.

    Only the first 64 letters count. Names without letters of the rules have the code "".
    """
    term = normalize("NFC", name.strip().lower())[:PHONETIC_LETTERS].strip()
    languages = _guess(term)
    encoded: list[str] = []
    for word, word_languages in _words(term, languages):
        encoded += rules().codes(word, word_languages, rules_of=languages)
    return encoded
