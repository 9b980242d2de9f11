"""Spellings of a Go player's name: a key and possible readings.

Names with the same key are the same name: case, accents, spaces, hyphens, ranks and commas do not
matter, nor does the order if only one is possible. Names that share a *reading* are the same name
in two romanisations: Korean, Chinese and Japanese have several. Pure functions; go_persons.py
decides whether the names are of two people all the same.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from ocgdedup.matching.names.go_name import GoName, go_name
from ocgdedup.matching.names.hangul import korean_given_key, korean_surname_key, romanise
from ocgdedup.matching.names.korean_readings import hangul_reading, latin_readings
from ocgdedup.matching.names.letters import skeleton
from ocgdedup.matching.names.pinyin import chinese_reading, chinese_readings, pinyin_of, syllables
from ocgdedup.matching.names.romaji import romaji_key

_HANGUL = re.compile("[\uac00-\ud7a3]+")
_NO_LETTERS = re.compile("['-]")
_KOREAN, _CHINESE, _JAPANESE, _HAN = "ko:", "zh:", "ja:", "han:"
_LEAST_LETTERS = 5  # of a possible Korean or Chinese given name: two syllables
_MOST_SYLLABLES = 4


class Spelling(NamedTuple):
    """Comparison form of a name: `key` is equal for equal names, `readings` are possible readings.

    `letters`: lower-case words as written. `is_short`: too short to identify a player without a
    list.
    """

    key: str
    readings: frozenset[str]
    letters: str
    is_short: bool


@lru_cache(maxsize=1 << 15)
def spelling(text: str) -> Spelling:
    """Return the comparison form of a name; the key is empty for the name of nobody."""
    return _spelling_of(go_name(text))


def may_be_one(left: Spelling, right: Spelling) -> bool:
    """Return whether two names share a reading.

    Two names in valid pinyin, or in valid romaji, are not Korean in two systems.
    """
    shared = left.readings & right.readings
    if not shared:
        return False
    if not all(reading.startswith(_KOREAN) for reading in shared):
        return True
    return not any(
        all(any(reading.startswith(prefix) for reading in name.readings) for name in (left, right))
        for prefix in (_CHINESE, _JAPANESE)
    )


def _spelling_of(name: GoName) -> Spelling:
    if name.is_nobody:
        return Spelling("", frozenset(), "", True)
    if name.members:
        members = sorted(map(_spelling_of, name.members))
        unknown = ["?"] if name.is_short else []
        key = " & ".join([*(member.key for member in members), *unknown])
        letters = " & ".join(member.letters for member in members)
        is_short = name.is_short or any(member.is_short for member in members)
        return Spelling(key, frozenset(), letters, is_short)
    letters = " ".join(name.words)
    mark = f"#{name.number}" if name.number else ""
    bare = tuple(_NO_LETTERS.sub("", word) for word in name.words)
    if len(bare) == 1 or _HANGUL.fullmatch("".join(bare)):
        whole = "".join(bare)
        readings = _readings_of_hangul(bare) if _HANGUL.fullmatch(whole) else {_HAN + whole}
        key = whole
    else:
        surname, given = name_order(name, bare)
        key = f"{surname}, {given}" if surname else given
        readings = _readings_of_latin(name, bare, surname)
    if name.han:
        readings.add(_HAN + name.han)
    marked = frozenset(reading + mark for reading in readings)
    return Spelling(key + mark, marked, letters, name.is_short)


def name_order(name: GoName, bare: tuple[str, ...]) -> tuple[str, str]:
    """Return surname and joined given name if they can be told apart; else "" and sorted words.

    "Liren Ding" can be swapped; "Jie Li" may be another person than "Li Jie".
    """
    if name.is_short:
        return "", " ".join(sorted(bare))  # "I." is no surname in "Sato I."
    readings = chinese_readings(bare) if not name.is_ordered else ()
    if readings:
        return readings[0]
    rest = "".join(bare[1:])
    if _is_korean(bare[0], name.words[1:]):
        return bare[0], rest
    if not name.is_ordered and _is_korean(bare[-1], name.words[:-1]):
        return bare[-1], "".join(bare[:-1])
    if name.is_ordered and chinese_reading(bare):
        return bare[0], rest
    return "", " ".join(sorted(bare))


def _is_korean(surname: str, given: tuple[str, ...]) -> bool:
    return korean_surname_key(surname) is not None and bool(latin_readings("-".join(given)))


def _readings_of_hangul(words: tuple[str, ...]) -> set[str]:
    romanised = romanise(" ".join(words))
    if romanised is None:
        return {_HAN + "".join(words)}
    size = len(words[0]) if len(words) > 1 else len(hangul_reading("".join(words)))
    if len(words) == 1:
        size -= len(romanised[1].split("-"))
    given = hangul_reading("".join(words))[size:]
    surname = korean_surname_key(romanised[0]) or romanised[0]
    return {_KOREAN + f"{surname} {'.'.join(given)}"}


def _readings_of_latin(name: GoName, bare: tuple[str, ...], surname: str) -> set[str]:
    readings = _chinese(name.words, bare)
    if surname:
        readings |= _korean(name.words, bare, surname, is_pinyin=bool(readings))
    romaji = [romaji_key(word) for word in name.words]
    if all(romaji):
        readings.add(_JAPANESE + " ".join(sorted(filter(None, romaji))))
    if not readings:
        # Neither Chinese nor Korean nor Japanese: Western reading of the Latin letters.
        readings.add("eu:" + " ".join(sorted(map(skeleton, bare))))
    readings.add("as written:" + "".join(bare))
    return readings


def _korean(
    words: tuple[str, ...], bare: tuple[str, ...], surname: str, *, is_pinyin: bool
) -> set[str]:
    key = korean_surname_key(surname)
    given = words[1:] if bare[0] == surname else words[:-1]
    if key is None or (is_pinyin and sum(map(len, given)) < _LEAST_LETTERS):
        return set()
    return {_KOREAN + f"{key} {'.'.join(reading)}" for reading in latin_readings("-".join(given))}


def _chinese(words: tuple[str, ...], bare: tuple[str, ...]) -> set[str]:
    """Return a name in pinyin, if it is written in pinyin or in Wade-Giles."""
    reading = chinese_reading(bare)
    if reading is not None:
        return {_CHINESE + " ".join(reading)}
    parts = [part for word in words for part in word.split("-")]
    is_divided = len(parts) > 2 or any("'" in part for part in parts)
    if not is_divided or len(parts) > _MOST_SYLLABLES or all(map(syllables, parts)):
        return set()
    meant = [pinyin_of(part) for part in parts]
    readings = (chinese_reading(choice) for choice in product(*meant))
    return {_CHINESE + " ".join(reading) for reading in readings if reading is not None}


# --- names for the kernel -------------------------------------------------------------------------
#
# The search kernel has rules for Western names: a surname before a comma, typing errors, initials.
# Names are converted so that spellings of one name are similar there. A possible match is enough
# for possible duplicates, so one spelling represents all readings of a Korean name.

# The kernel's marks of a son and a grandson
_NUMERALS = {"2": "II", "3": "III"}


@lru_cache(maxsize=1 << 15)
def plain_go_name(text: str) -> str:
    """Return a name in one plain spelling, without ranks and titles; "?" for nobody.

    "Yi Ch'ang-ho, 9p", "Lee Changho" and 이창호 are equal, and so are Ōtake and Ohtake, 柯潔 and
    柯洁. The surname is followed by a comma in a Korean name, and if the text has one.
    """
    name = go_name(text)
    if name.is_nobody:
        return "?"
    if name.members:
        return " ".join(sorted(_plain(member) for member in name.members)).replace(",", "")
    return _plain(name)


def _plain(name: GoName) -> str:
    bare = tuple(_NO_LETTERS.sub("", word) for word in name.words)
    if _HANGUL.fullmatch("".join(bare)):
        romanised = romanise(" ".join(bare))
        parts = _plain_korean(*romanised) if romanised is not None else ("", " ".join(bare))
    elif len(bare) > 1:
        parts = _plain_latin(name, bare)
    else:
        parts = ("", bare[0])
    mark = _NUMERALS.get(name.number, name.number if name.number.isalpha() else "")
    return " ".join(filter(None, (f"{parts[0]}," if parts[0] else "", parts[1], mark)))


def _plain_latin(name: GoName, bare: tuple[str, ...]) -> tuple[str, str]:
    """Return surname, "" if unknown, and the other words.

    For a name without a comma the kernel tries both ends; it joins given names.
    """
    orders = ((bare[0], name.words[1:]), (bare[-1], name.words[:-1]))
    for surname, given in () if name.is_short else orders:  # "I." is no surname in "Sato I."
        if _is_korean(surname, given):
            return _plain_korean(surname, "-".join(given))
    romaji = [key for word in name.words if (key := romaji_key(word))]
    words = romaji if len(romaji) == len(bare) else list(bare)
    return (words[0], " ".join(words[1:])) if name.is_ordered else ("", " ".join(words))


def _plain_korean(surname: str, given: str) -> tuple[str, str]:
    return korean_surname_key(surname) or surname, korean_given_key(given).lower()
