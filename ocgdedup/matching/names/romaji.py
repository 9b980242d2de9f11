"""Japanese names in Latin letters: one key for all romanisations.

Shoji (Hepburn) and Syozi (Kunrei) have the same key, and so have Otake, Ootake and Ohtake: a long
vowel may be written twice, as "ou", "oh" or not at all. A key does not prove that a player is
Japanese: compare `romaji_key` of both names.

Sources: Cabinet Notification No. 1 of 1954 (Kunrei and Hepburn tables); ISO 3602.
"""

from __future__ import annotations

import re
from functools import lru_cache

# Kunrei spellings with their Hepburn spellings; longer ones first.
_KUNREI = tuple(
    (re.compile(kunrei), hepburn)
    for kunrei, hepburn in (
        ("(?:sy|shy)(?=[auo])", "sh"), ("(?:ty|cy|chy)(?=[auo])", "ch"),
        ("(?:zy|jy|dy)(?=[auo])", "j"), ("si", "shi"), ("ti", "chi"), ("tu", "tsu"),
        ("zi|di", "ji"), ("du|dzu", "zu"), ("(?<![sc])hu", "fu"), ("wo", "o"), ("m(?=[bmp])", "n"),
        ("t(?=ch)", "c"),  # Matchi is Macchi
    )
)  # fmt: skip
# "Ohtake", "Satoh"; but not "Ohira", in which h begins a syllable.
_LONG_BY_H = re.compile("(?<=o)h(?![aiueoy])")
_LONG = re.compile("o[ou]|uu")
_SYLLABLES = re.compile(
    "(?:(?:(?:[kgnhbpmr]y|sh|ch|j)(?=[auo]))[auo]|(?:sh|ch|j)[ie]|ts[u]|f[u]"
    "|[kgszthbpmnrdwyf]?[aiueo]|n|([kstpc])(?=\\1))+"
)
# Surnames with a short o that also exist with a long one: 小野 Ono is not 大野 Oono.
_SHORT = frozenset(("ono", "oda", "oyama", "oka", "oi", "oki"))
_LONG_START = re.compile("o[ou]|oh(?![aiueoy])")


@lru_cache(maxsize=1 << 14)
def romaji_key(word: str) -> str | None:
    """Return the key of a plain lower-case word, None if it cannot be Japanese."""
    if not word.isascii() or not word.isalpha():
        return None
    text = _LONG_BY_H.sub("", word)
    for kunrei, hepburn in _KUNREI:
        text = kunrei.sub(hepburn, text)
    if _SYLLABLES.fullmatch(text) is None:
        return None
    key = _LONG.sub(lambda match: match[0][0], text)
    if key in _SHORT and _LONG_START.match(word):
        return "o" + key
    return key
