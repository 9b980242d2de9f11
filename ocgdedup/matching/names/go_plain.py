"""A Go player's name as the kernel that looks for copies compares it.

The kernel knows Western names: a surname before a comma, slips, initials. Here a name is brought
into such a form, so that spellings of one name are alike there. "It may be" is enough for pairs of
games that may be copies: one spelling stands for all that a Korean name may be.
"""

from __future__ import annotations

from functools import lru_cache

from ocgdedup.matching.names.go_name import GoName, go_name
from ocgdedup.matching.names.go_spelling import HANGUL, NO_LETTERS
from ocgdedup.matching.names.hangul import korean_given_key, korean_surname_key, romanise
from ocgdedup.matching.names.korean_readings import latin_readings
from ocgdedup.matching.names.romaji import romaji_key

# What the kernel takes for a son and a grandson; it knows no further ones.
_NUMERALS = {"2": "II", "3": "III"}


@lru_cache(maxsize=1 << 15)
def plain_go_name(text: str) -> str:
    """Return a name in one plain spelling, ranks and titles off; "?" for what is nobody's.

    "Yi Ch'ang-ho, 9p" and "Lee Changho" give the same, and so do 이창호, Ōtake and Ohtake, 柯潔 and
    柯洁. A comma stands behind the surname of a Korean name, and where one stood.
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
    mark = _NUMERALS.get(name.mark, name.mark if name.mark.isalpha() else "")
    return " ".join(filter(None, (f"{parts[0]}," if parts[0] else "", parts[1], mark)))


def _of_hangul(bare: tuple[str, ...]) -> tuple[str, str]:
    found = romanise(" ".join(bare))
    return _korean(*found) if found is not None else ("", " ".join(bare))


def _of_latin(name: GoName, bare: tuple[str, ...]) -> tuple[str, str]:
    """Return surname, "" if it is not known, and the other words.

    The kernel tries either end of a name without a comma, and joins given names.
    """
    orders = ((bare[0], name.words[1:]), (bare[-1], name.words[:-1]))
    for surname, given in () if name.is_short else orders:  # "Sato I." is nobody called I
        written = "-".join(given)
        if korean_surname_key(surname) and latin_readings(written):
            return _korean(surname, written)
    romaji = [key for word in name.words if (key := romaji_key(word))]
    words = romaji if len(romaji) == len(bare) else list(bare)
    return (words[0], " ".join(words[1:])) if name.has_comma else ("", " ".join(words))


def _korean(surname: str, given: str) -> tuple[str, str]:
    return korean_surname_key(surname) or surname, korean_given_key(given).lower()
