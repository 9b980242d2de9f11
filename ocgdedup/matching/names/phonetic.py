"""Phonetic codes of name parts: names that sound alike share a code, whatever their spelling.

Three systems, since each joins names that the others keep apart:

* Double Metaphone (L. Philips, C/C++ Users Journal, June 2000), both codes;
* Daitch-Mokotoff soundex (G. Mokotoff, https://www.avotaynu.com/soundex.htm), every branch;
* Beider-Morse phonetic matching (https://stevemorse.org/phonetics/bmpm.htm), generic, approximate.

Codes only propose names to compare; they decide nothing.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from enum import IntEnum

from abydos.phonetic import (  # type: ignore[import-untyped]
    DaitchMokotoff,
    DoubleMetaphone,
)

from ocgdedup.matching.names.beider_morse import CODE_BITS, codes, hash_code, hash_codes

# Hashes are stored. Raise this number when the hashes of any name part change.
ENCODER_VERSION = 1

# Codes of a part; one part in ten has more.
MAX_BEIDER_MORSE_CODES = 32


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


def beider_morse(part: str) -> tuple[str, ...]:
    """Return all codes in the order of the rules."""
    return tuple(code for code in codes(part) if code)


def codes_of(parts: Sequence[str]) -> list[array[int]]:
    """Return for each name part the 32-bit hashes of its codes, sorted and distinct.

    `parts` are in lower-case letters a to z, best without repetitions. Hashes of two systems are
    never equal (`system_of`); those of two codes of one system are equal about once in 2**30 pairs.
    A part with over 32 Beider-Morse codes keeps the 32 lowest hashes.
    """
    hashes_by_part: list[array[int]] = []
    system = PhoneticSystem.BEIDER_MORSE
    hashed = hash_codes(parts, max_codes=MAX_BEIDER_MORSE_CODES, system=system)
    for part, beider_morse_hashes in zip(parts, hashed, strict=True):
        hashes = array(
            "I", sorted(_hashes(double_metaphone(part), PhoneticSystem.DOUBLE_METAPHONE))
        )
        hashes.extend(sorted(_hashes(daitch_mokotoff(part), PhoneticSystem.DAITCH_MOKOTOFF)))
        hashes.extend(beider_morse_hashes)
        hashes_by_part.append(hashes)
    return hashes_by_part


def system_of(code_hash: int) -> PhoneticSystem:
    """Return the system of a hashed code."""
    return PhoneticSystem(code_hash >> CODE_BITS)


def _hashes(codes: tuple[str, ...], system: int) -> set[int]:
    return {hash_code(code, system) for code in codes}
