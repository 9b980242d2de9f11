"""Chinese names in Latin letters: syllables and surname in pinyin, and pinyin from Wade-Giles.

Ding Liren, Ding Li Ren and Dingliren get the same reading. The module knows Mandarin only, not the
spellings of Taiwan, Hong Kong and Singapore. Many short European names are valid pinyin, too (Dan,
Lang), so a reading does not prove that a player is Chinese. In Wade-Giles, most writers leave out
the apostrophe that distinguishes ch' and ch: "chen" is chen or zhen in pinyin.

Chinese characters have a reading if dictionaries give only one for each of them.

Sources: chinese_names.txt; chinese_readings.txt; the rule of the Scheme for the Chinese Phonetic
Alphabet (1958; ISO 7098:2015) that a syllable which starts with a, o or e takes an apostrophe.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache

from ocgdedup.matching.names.name_words import read_table

_TABLE = read_table("chinese_names")
SYLLABLES = frozenset(
    initial.strip("-") + final
    for initial, *finals in map(str.split, _TABLE["finals"].splitlines())
    for final in finals
)
_LONGEST = max(map(len, SYLLABLES))
_SURNAMES = frozenset(_TABLE["surnames"].split())
_LONG_SURNAMES = frozenset(_TABLE["long surnames"].split())

_BREAK = re.compile("['\u2018\u2019`\u02bc\u00b4\\s.-]+")
# No syllable ends in l; but "wenyu" is wen yu.
_PASSPORT_U = re.compile("(?<=l)yu|(?<=^n)yu")
_MOST_SYLLABLES = 4


def _letters(text: str) -> str:
    """Remove tone marks, and write ü in all its forms (v, ü, yu in passports) as u."""
    bare = unicodedata.normalize("NFKD", text.lower())
    plain = "".join(c for c in bare if not unicodedata.combining(c))
    return _PASSPORT_U.sub("u", plain.replace("v", "u"))


@lru_cache(maxsize=65536)
def _split(letters: str) -> tuple[str, ...] | None:
    """Return the split with the fewest syllables; of several, the first in alphabetical order.

    It has the shorter syllable at the first difference (yi nan, not yin an), so the next syllable
    starts with the consonant.
    """
    best: list[tuple[int, tuple[str, ...]] | None] = [(0, ()), *[None] * len(letters)]
    for end in range(1, len(letters) + 1):
        for start in range(max(0, end - _LONGEST), end):
            before, last = best[start], letters[start:end]
            if before is not None and last in SYLLABLES:
                split = (before[0] + 1, (*before[1], last))
                best[end] = min(best[end] or split, split)
    whole = best[-1]
    return whole[1] if whole else None


def syllables(word: str) -> list[str] | None:
    """Split a pinyin word into its syllables; None if it is not completely pinyin.

    The fewest syllables win ("xian" is one, "xi'an" two: an apostrophe divides), then a syllable
    that starts with a consonant ("yinan": yi nan, not yin an, which needs an apostrophe). ü, v and
    u are one letter here, written u: "lü" gives "lu".
    """
    parts: list[str] = []
    for piece in filter(None, _BREAK.split(word)):
        split = _split(_letters(piece))
        if split is None:
            return None
        parts.extend(split)
    return parts or None


def chinese_surnames() -> frozenset[str]:
    """Return the Chinese surnames, of one or two syllables, in lower-case pinyin."""
    return _SURNAMES | _LONG_SURNAMES


def _surname_size(lengths: Sequence[int], whole: Sequence[str]) -> int:
    """Return the number of syllables of the surname, 0 if none; `lengths`: syllables of parts."""
    # "gong sunjia" is Gong, though Gongsun is a surname.
    may_be_long = len(lengths) == 1 or lengths[0] == 2 or lengths[:2] == [1, 1]
    if may_be_long and len(whole) > 2 and "".join(whole[:2]) in _LONG_SURNAMES:
        return 2
    # In "dingli ren" the first word would end inside the given name, which nobody writes.
    may_be_short = len(lengths) == 1 or lengths[0] == 1
    return 1 if may_be_short and whole[0] in _SURNAMES else 0


def chinese_reading(parts: Sequence[str]) -> tuple[str, str] | None:
    """Return surname and joined given name of a name written surname first.

    `parts` are its lower-case words with any spaces: "xijunfeng", "ding" + "liren", "wang" + "yi"
    + "fan". None unless every part is pinyin, the first starts with a known surname, a given name
    follows and there are at most four syllables. A reading does not prove a Chinese name; see the
    module.
    """
    splits = [split for split in map(syllables, parts) if split]
    whole = [syllable for split in splits for syllable in split]
    if len(splits) < len(parts) or not 2 <= len(whole) <= _MOST_SYLLABLES:
        return None
    size = _surname_size([len(split) for split in splits], whole)
    return ("".join(whole[:size]), "".join(whole[size:])) if size else None


def chinese_readings(parts: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the readings of a name of two words or more: surname first, then surname last.

    "hao" + "wang" has two (Hao Wang, Wang Hao), "liren" + "ding" has one, a name that is not
    Chinese has none.
    """
    orders = [parts, [parts[-1], *parts[:-1]]] if len(parts) > 1 else [parts]
    return tuple(dict.fromkeys(reading for order in orders if (reading := chinese_reading(order))))


# --- Wade-Giles -----------------------------------------------------------------------------------


_INITIALS, _WHOLE, _ENDINGS = (
    dict(pair.split("=") for pair in _TABLE[title].split())
    for title in ("initials", "syllables", "endings")
)
_KEEP_UO = frozenset(("g", "k", "h", "sh"))


def _spelling(syllable: str) -> str:
    """Return a pinyin syllable in Wade-Giles, ü as u."""
    if syllable in _WHOLE:
        return _WHOLE[syllable]
    for initial, other in _INITIALS.items():
        if syllable.startswith(initial):
            return other + _ending(initial, syllable[len(initial) :])
    size = 1 if syllable[0] not in "aeiou" else 0
    return syllable[:size] + _ending(syllable[:size], syllable[size:])


def _ending(initial: str, final: str) -> str:
    if initial in ("j", "q", "x", "y") and final == "uan":
        return "uan"
    if initial in ("z", "c", "s", "zh", "ch", "sh", "r", "d", "t", "n", "l") and final == "e":
        return "e"
    if final == "uo" and initial in _KEEP_UO:
        return "uo"
    return _ENDINGS.get(final, final)


@cache
def _table() -> dict[str, frozenset[str]]:
    """Return the possible pinyin syllables of each spelling."""
    meanings: dict[str, set[str]] = {}
    for syllable in SYLLABLES:
        spelling = _spelling(syllable)
        for written in {spelling, spelling.replace("'", "")}:
            meanings.setdefault(written, set()).add(syllable)
    return {written: frozenset(meant) for written, meant in meanings.items()}


def pinyin_of(written: str) -> frozenset[str]:
    """Return the possible pinyin of a lower-case syllable; empty if there is none."""
    return _table().get(written, frozenset())


# --- characters -----------------------------------------------------------------------------------


@cache
def _characters() -> tuple[dict[str, str], dict[str, str], frozenset[str]]:
    """Return the pinyin of characters, the pinyin of surnames, and the long surnames."""
    table = read_table("chinese_readings")
    readings, surnames = (
        {char: line[0] for line in map(str.split, table[title].splitlines()) for char in line[1]}
        for title in ("readings", "surnames")
    )
    return readings, readings | surnames, frozenset(table["long surnames"].split())


def pinyin_of_characters(text: str) -> str | None:
    """Return "Surname, Given" of a name in Chinese characters: 丁立人 is Ding, Liren.

    None if it is not certain: dictionaries read a character in two ways, the surname is not
    Chinese, or the given name has more than two characters.
    """
    readings, surnames, long_surnames = _characters()
    size = 2 if text[:2] in long_surnames else 1
    first, given = text[:size], text[size:]
    pinyin = [surnames.get(char, "") for char in first] + [readings.get(char, "") for char in given]
    if not 1 <= len(given) <= 2 or not all(pinyin):
        return None
    surname = "".join(pinyin[:size])
    if size == 1 and surname not in _SURNAMES:
        return None
    return f"{surname.capitalize()}, {''.join(pinyin[size:]).capitalize()}"
