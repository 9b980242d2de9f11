"""A Go player's name in the form that the kernel for duplicates compares.

The kernel knows Western names: a surname before a comma, typing errors, initials. This module
converts names so that spellings of the same name are similar there. A possible match is enough for
possible duplicates, so one spelling represents all readings of a Korean name.
"""

from __future__ import annotations

from functools import lru_cache

from ocgdedup.matching.names.go_name import GoName, go_name
from ocgdedup.matching.names.go_spelling import HANGUL, NO_LETTERS
from ocgdedup.matching.names.hangul import korean_given_key, korean_surname_key, romanise
from ocgdedup.matching.names.korean_readings import latin_readings
from ocgdedup.matching.names.romaji import romaji_key

# The kernel's marks of a son and a grandson; it has no others.
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
    bare = tuple(NO_LETTERS.sub("", word) for word in name.words)
    if HANGUL.fullmatch("".join(bare)):
        parts = _of_hangul(bare)
    elif len(bare) > 1:
        parts = _of_latin(name, bare)
    else:
        parts = ("", bare[0])
    mark = _NUMERALS.get(name.number, name.number if name.number.isalpha() else "")
    return " ".join(filter(None, (f"{parts[0]}," if parts[0] else "", parts[1], mark)))


def _of_hangul(bare: tuple[str, ...]) -> tuple[str, str]:
    romanised = romanise(" ".join(bare))
    return _korean(*romanised) if romanised is not None else ("", " ".join(bare))


def _of_latin(name: GoName, bare: tuple[str, ...]) -> tuple[str, str]:
    """Return surname, "" if unknown, and the other words.

    For a name without a comma the kernel tries both ends; it joins given names.
    """
    orders = ((bare[0], name.words[1:]), (bare[-1], name.words[:-1]))
    for surname, given in () if name.is_short else orders:  # "I." is no surname in "Sato I."
        written = "-".join(given)
        if korean_surname_key(surname) and latin_readings(written):
            return _korean(surname, written)
    romaji = [key for word in name.words if (key := romaji_key(word))]
    words = romaji if len(romaji) == len(bare) else list(bare)
    return (words[0], " ".join(words[1:])) if name.is_ordered else ("", " ".join(words))


def _korean(surname: str, given: str) -> tuple[str, str]:
    return korean_surname_key(surname) or surname, korean_given_key(given).lower()
