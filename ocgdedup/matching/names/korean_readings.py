"""Possible Hangul readings of a Korean given name in Latin letters.

Two spellings may be the same name only if some Hangul can be written both ways: Ch'ang-ho and
Changho are 창호; Seunghyun (승현) and Seonghyun (성현) are two people. The keys of hangul.py do not
distinguish ㅡ, ㅜ and ㅓ: in Go, where most names are East Asian, they would join too many.

Possible readings of a letter: Revised Romanisation (2000), McCune-Reischauer (1939) with or without
its breves written as "eo" and "eu", and habit: "Sung" for 성, "Young" for 영, "Hyun" for 현.
Careless spellings ("o" for ㅓ, "yo" for ㅕ, "eu" and "u" for each other) are left out.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import product

from ocgdedup.matching.names.hangul import is_hangul, syllable_letters
from ocgdedup.matching.names.name_words import read_table

# Sounds by spelling; "" is a syllable that begins with a vowel, or ends with one.
_TABLE = read_table("korean_names")
_INITIALS, _MEDIALS, _FINALS = (
    dict(line.split(": ") for line in _TABLE[title].splitlines())
    for title in ("initials", "medials", "finals")
)
_HABITS = [
    (vowel, re.compile(written))
    for vowel, written in (line.split(": ") for line in _TABLE["habits"].splitlines())
]
_SYLLABLE = re.compile(
    "(tch|ch'|ch|kk|gg|k'|k|tt|t'|t|pp|p'|p|bb|b|ss|sh|s|jj|j|rh|r|g|n|d|l|m|h|)"
    "(yeo|yae|yoo|you|yo|yu|ya|ye|yi|woo|wae|weo|wa|we|wi|wo|wu|eui|eu|eo|ee|ae|ai|oe|oi|oo|ui"
    "|a|e|i|o|u)"
)
_SILENT_H = re.compile("(?<=[aou])h(?![aeiouwy])")  # "Jooah"
_MOST_SYLLABLES = 3


Reading = tuple[str, ...]


def hangul_reading(text: str) -> Reading:
    """Return the syllables of a Hangul text, each as "initial vowel final"."""
    composed = filter(is_hangul, unicodedata.normalize("NFC", text))
    return tuple(" ".join(syllable_letters(char)) for char in composed)


@lru_cache(maxsize=1 << 14)
def latin_readings(given: str) -> frozenset[Reading]:
    """Return the possible readings of a lower-case Latin given name; empty if it is not Korean.

    Hyphens and spaces separate syllables; an apostrophe after a consonant marks an aspirated one.
    Names of up to three syllables.
    """
    parts = [_of_part(_SILENT_H.sub("", part)) for part in re.split("[^a-z']+", given) if part]
    if not parts or not all(parts):
        return frozenset()
    joined = (sum(choice, ()) for choice in product(*parts))
    return frozenset(reading for reading in joined if len(reading) <= _MOST_SYLLABLES)


def _of_part(part: str) -> frozenset[Reading]:
    """Return the readings of letters without hyphens and spaces."""
    readings: set[Reading] = set()
    stack: list[tuple[int, Reading]] = [(0, ())]
    while stack:
        start, before = stack.pop()
        if start == len(part):
            readings.add(before)
        elif len(before) < _MOST_SYLLABLES:
            stack += [(end, (*before, sound)) for end, sound in _syllables_at(part, start)]
    return frozenset(readings)


def _syllables_at(part: str, start: int) -> list[tuple[int, str]]:
    """Return the possible ends of a syllable that starts here, with its sound."""
    match = _SYLLABLE.match(part, start)
    if match is None:
        return []
    syllables = []
    # "eui" is also "eu" and "e".
    vowels = (match[2][:size] for size in range(len(match[2]), 0, -1))
    for vowel in filter(_MEDIALS.__contains__, vowels):
        after = match.start(2) + len(vowel)
        for final in _FINALS:
            if part.startswith(final, after):
                medials = [_MEDIALS[vowel]]
                written = f"{match[1]} {vowel} {final}"
                medials += [other for other, habit in _HABITS if habit.fullmatch(written)]
                syllables += [
                    (after + len(final), f"{initial} {medial} {_FINALS[final]}")
                    for initial in _INITIALS[match[1]].split()
                    for medial in medials
                ]
    return syllables
