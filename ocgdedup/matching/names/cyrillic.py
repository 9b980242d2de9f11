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

from ocgdedup.matching.names.name_words import read_table

_Table = Mapping[str, str]

_LETTERS = {
    title: dict(pair.split("=") for pair in text.split())
    for title, text in read_table("cyrillic_letters").items()
}


def _table(*titles: str) -> _Table:
    """Return the common letters with the differences of some sections."""
    return dict(pair for title in ("common", *titles) for pair in _LETTERS[title].items())


_ISO_9 = _table("ISO 9")
_BELARUSIAN, _UKRAINIAN = ("start", "Belarusian"), ("start", "Ukrainian")
# The first match is used. In Russian ъ occurs only before е, ё, ю and я.
_LANGUAGES: tuple[tuple[re.Pattern[str], tuple[_Table, ...]], ...] = (
    (re.compile("[ђћџљњјѓќѕ]"), (_table("Serbian"), _ISO_9)),
    (
        re.compile("ў|і.*[ыэё]|[ыэё].*і"),
        (_table(*_BELARUSIAN), _table(*_BELARUSIAN, "Belarusian g"), _ISO_9),
    ),
    (
        re.compile("[іїєґ]|[сцз]ьк"),
        (_table(*_UKRAINIAN), _table(*_UKRAINIAN, "Ukrainian g"), _ISO_9),
    ),
    (re.compile("ъ(?![еёюя])|ьо"), (_table("Bulgarian"), _ISO_9)),
    (re.compile(""), (_table("Russian"), _table("Russian", "Russian i"), _ISO_9)),
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
