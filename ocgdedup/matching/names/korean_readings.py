"""Possible Hangul readings of a Korean given name in Latin letters.

Two spellings may be the same name only if some Hangul can be written both ways: Ch'ang-ho and
Changho are 창호; Seunghyun (승현) and Seonghyun (성현) are two people. The keys of hangul.py
propose candidates in chess and do not distinguish ㅡ, ㅜ and ㅓ. In Go they would join too many
names: most are Korean, Chinese or Japanese, and no rating list gives weights.

Possible readings of a letter: Revised Romanisation (2000), McCune-Reischauer (1939) with or without
its breves written as "eo" and "eu", and habit: "Sung" for 성, "Young" for 영, "Hyun" for 현.
Careless spellings ("o" for ㅓ, "yo" for ㅕ, "eu" and "u" for each other) are left out.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import product

# Sounds by spelling; "" is a syllable that begins with a vowel.
_INITIALS = {
    "": "-", "g": "g", "kk": "gg", "gg": "gg", "k": "g k", "k'": "k", "n": "n", "d": "d",
    "t": "d t", "tt": "dd", "t'": "t", "r": "r", "l": "r", "rh": "r", "m": "m", "b": "b",
    "p": "b p", "p'": "p", "bb": "bb", "pp": "bb", "s": "s", "sh": "s", "ss": "ss", "j": "j",
    "ch": "j ch", "ch'": "ch", "tch": "ch", "jj": "jj", "h": "h",
}  # fmt: skip
_MEDIALS = {
    "a": "a", "ae": "ae", "ai": "ae", "ya": "ya", "yae": "yae", "eo": "eo", "e": "e", "yeo": "yeo",
    "ye": "ye", "o": "o", "wa": "wa", "wae": "wae", "oe": "oe", "oi": "oe", "yo": "yo", "u": "u",
    "oo": "u", "woo": "u", "wu": "u", "weo": "wo", "wo": "wo", "we": "we", "wi": "wi", "yu": "yu",
    "yoo": "yu", "eu": "eu", "ui": "ui", "eui": "ui", "ee": "i", "i": "i", "yi": "i", "you": "yeo",
}  # fmt: skip
_FINALS = {
    "": "-", "k": "k", "g": "k", "ck": "k", "n": "n", "l": "l", "r": "l", "m": "m", "p": "p",
    "b": "p", "t": "t", "d": "t", "ng": "ng",
}  # fmt: skip
# Habit, by initial, vowel and final as written: "Sung", "Jung", "Chul", "Bum", "Hyun", "Myung".
_HABITS = (
    (re.compile(r"(?:s|sh) u (?:ng|k|g|ck|b|p)"), "eo"),
    (re.compile(r"(?:j|ch) u ng"), "eo"),
    (re.compile(r"ch'? u l"), "eo"),
    (re.compile(r"b u m"), "eo"),
    (re.compile(r"[dt] u [kg]"), "eo"),
    (re.compile(r"(?:h|k|g|m|b|p|n|l|r) yu (?:n|ng|k|g|ck)"), "yeo"),
    (re.compile(r"h (?:i|ee) "), "ui"),  # 희 is written Hee and Hi
)
_SYLLABLE = re.compile(
    "(tch|ch'|ch|kk|gg|k'|k|tt|t'|t|pp|p'|p|bb|b|ss|sh|s|jj|j|rh|r|g|n|d|l|m|h|)"
    "(yeo|yae|yoo|you|yo|yu|ya|ye|yi|woo|wae|weo|wa|we|wi|wo|wu|eui|eu|eo|ee|ae|ai|oe|oi|oo|ui"
    "|a|e|i|o|u)"
)
_SILENT_H = re.compile("(?<=[aou])h(?![aeiouwy])")  # "Jooah"
_MOST_SYLLABLES = 3


def _sounds(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_FIRST_HANGUL, _LAST_HANGUL = 0xAC00, 0xD7A3
_HANGUL_INITIALS = _sounds("g gg n d dd r m b bb s ss - j jj ch k t p h")
_HANGUL_MEDIALS = _sounds("a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i")
_HANGUL_FINALS = _sounds("- k k k n n n t l k m l l l p l m p p t t ng t t k t p t")

Reading = tuple[str, ...]


def hangul_reading(text: str) -> Reading:
    """Return the syllables of Hangul in this module's spelling, one text each."""
    syllables = []
    for char in unicodedata.normalize("NFC", text):
        if _FIRST_HANGUL <= ord(char) <= _LAST_HANGUL:
            code, final = divmod(ord(char) - _FIRST_HANGUL, len(_HANGUL_FINALS))
            initial, medial = divmod(code, len(_HANGUL_MEDIALS))
            syllables.append(
                f"{_HANGUL_INITIALS[initial]} {_HANGUL_MEDIALS[medial]} {_HANGUL_FINALS[final]}"
            )
    return tuple(syllables)


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
    for vowel in _vowels(match[2]):
        after = match.start(2) + len(vowel)
        for final in _FINALS:
            if part.startswith(final, after):
                sounds = _heard(match[1], vowel, final)
                syllables += [(after + len(final), sound) for sound in sounds]
    return syllables


def _vowels(letters: str) -> list[str]:
    """Return the possible vowels at the beginning: "eui" is also "eu" and "e"."""
    return [letters[:size] for size in range(len(letters), 0, -1) if letters[:size] in _MEDIALS]


def _heard(initial: str, vowel: str, final: str) -> list[str]:
    medials = [_MEDIALS[vowel]]
    written = f"{initial} {vowel} {final}"
    medials += [other for habit, other in _HABITS if habit.fullmatch(written)]
    return [
        f"{first} {medial} {_FINALS[final]}"
        for first in _INITIALS[initial].split()
        for medial in medials
    ]
