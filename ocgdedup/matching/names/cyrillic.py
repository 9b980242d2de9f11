"""Cyrillic names in Latin letters: the spellings to look up, the most likely first.

Knows the letters of Russian, Ukrainian, Belarusian, Bulgarian, Serbian and Macedonian. The
language of a name is guessed from letters that only some of them have. Pure functions.

Sources: the common spelling in FIDE's rating list, by country (Sergey, Afanasiev, Djuric,
Hristo); for Ukrainian the rules of 2010 (Cabinet of Ministers, resolution 55), which that list
follows; ISO 9:1995, one Latin letter for one Cyrillic, here without its accents.
"""

# The tables have many letters that look like Latin ones.
# ruff: noqa: RUF001, RUF002, RUF003

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import partial

_Table = Mapping[str, str]


def _pairs(text: str) -> dict[str, str]:
    """Read "a=b" pairs; "ъ=" means that the letter is dropped."""
    return dict(pair.split("=") for pair in text.split())


_COMMON = _pairs(
    "а=a б=b в=v г=g д=d е=e ж=zh з=z и=i й=y к=k л=l м=m н=n о=o п=p р=r с=s т=t у=u ф=f"
    " х=kh ц=ts ч=ch ш=sh щ=shch ъ= ы=y ь= э=e ю=yu я=ya ё=e і=i ї=yi є=ye ґ=g ў=u ѣ=e"
)
# Pairs are tried before single letters; those with й only at the end of a word. "^" marks the
# spelling of a letter at the start of a word.
_RUSSIAN = _COMMON | _pairs("ий=y ый=y ия=ia ья=ia ье=ie ьё=ie")
_RUSSIAN_I = _RUSSIAN | _pairs("й=i ий=i")
_START = _pairs("^ї=yi ^є=ye ^е=ye ^ё=yo ^ю=yu ^я=ya ^й=y")
_UKRAINIAN = _COMMON | _START | _pairs("г=h зг=zgh и=y й=i ї=i є=ie ю=iu я=ia ьо=io ^е=e")
_UKRAINIAN_G = _UKRAINIAN | _pairs("г=g зг=zg ий=y")
_BELARUSIAN = _COMMON | _START | _pairs("г=h й=i ё=io ю=iu я=ia")
_BELARUSIAN_G = _BELARUSIAN | _pairs("г=g")
_BULGARIAN = _COMMON | _pairs("х=h щ=sht ъ=a ь=y ия=ia")
_SERBIAN = _COMMON | _pairs("ж=z х=h ц=c ч=c ш=s ђ=dj ћ=c џ=dz љ=lj њ=nj ј=j ѓ=gj ќ=kj ѕ=dz")
_ISO_9 = _COMMON | _pairs(
    "ж=z й=j х=h ц=c ч=c ш=s щ=s ю=u я=a ї=i є=e ђ=d ћ=c џ=d љ=l њ=n ј=j ѓ=g ќ=k ѕ=z"
)

# The first match is used. In Russian ъ occurs only before е, ё, ю and я.
_LANGUAGES: tuple[tuple[re.Pattern[str], tuple[_Table, ...]], ...] = (
    (re.compile("[ђћџљњјѓќѕ]"), (_SERBIAN, _ISO_9)),
    (re.compile("ў|і.*[ыэё]|[ыэё].*і"), (_BELARUSIAN, _BELARUSIAN_G, _ISO_9)),
    (re.compile("[іїєґ]|[сцз]ьк"), (_UKRAINIAN, _UKRAINIAN_G, _ISO_9)),
    (re.compile("ъ(?![еёюя])|ьо"), (_BULGARIAN, _ISO_9)),
    (re.compile(""), (_RUSSIAN, _RUSSIAN_I, _ISO_9)),
)
_CYRILLIC = re.compile("[\u0400-\u04ff]")
_INNER_APOSTROPHE = re.compile("(?<=[\u0400-\u04ff])['\u2019\u02bc](?=[\u0400-\u04ff])")
_UNIT = re.compile("[иы]й(?!\\w)|ия|ь[яеёо]|зг|[\u0400-\u04ff]", re.IGNORECASE)


def _unit(table: _Table, match: re.Match[str]) -> str:
    lower = match[0].lower()
    at_start = match.start() == 0 or not match.string[match.start() - 1].isalpha()
    latin = table.get("^" + lower) if at_start else None
    if latin is None:
        latin = table.get(lower)
    if latin is None:
        latin = "".join(table.get(letter, letter) for letter in lower)
    return latin.capitalize() if match[0][0].isupper() else latin


def latin_forms(text: str) -> tuple[str, ...]:
    """Return the Latin spellings of a Cyrillic name, to be tried in this order, each once.

    First the common spelling of FIDE's list, then its variant (Russian "i" for й, Ukrainian and
    Belarusian "g" for г), last ISO 9 without accents. Capitals are kept. Letters outside the six
    languages do not change; a text without Cyrillic is returned alone, unchanged.
    """
    if not _CYRILLIC.search(text):
        return (text,)
    joined = _INNER_APOSTROPHE.sub("", unicodedata.normalize("NFC", text))
    lower = joined.lower()
    tables = next(tables for letters, tables in _LANGUAGES if letters.search(lower))
    forms: dict[str, None] = {}
    for table in tables:
        latin = _UNIT.sub(partial(_unit, table), joined)
        forms[latin.upper() if joined.isupper() else latin] = None
    forms.pop("", None)  # a single sign gives no spelling
    return tuple(forms)
