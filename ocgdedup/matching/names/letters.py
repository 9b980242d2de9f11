"""Plain letters, and the skeleton of a word, which is equal for common spellings of its sounds.

Knows letters only; name_form.py knows surnames and titles.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from ocgdedup._kernels import names
from ocgdedup.matching.names.name_words import read_table

_TABLE = read_table("latin_letters")
_SINGLE_LETTERS, _UMLAUTS = (
    str.maketrans(dict(pair.split("=") for pair in _TABLE[title].split()))
    for title in ("single letters", "umlauts")
)


def plain_letters(text: str) -> str:
    """Return the text without accents (NFKD), with letters that NFKD misses replaced.

    Letters of other scripts do not change.
    """
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text.translate(_SINGLE_LETTERS))
    kept = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return kept.translate(_SINGLE_LETTERS)


def expanded_umlauts(text: str) -> str:
    """Return the text with ä, ö, ü, å and ø written as two letters."""
    return unicodedata.normalize("NFC", text).translate(_UMLAUTS)


@lru_cache(maxsize=1 << 16)
def skeleton(word: str) -> str:
    """Return a key that is equal for common transliterations and spellings of a lower-case word.

    -ov, -ow and -off; -ski, -sky and -skij; sch and sh; tsch, tch, cz and ch; w and v; ou and u;
    ue and u; y, i, j and ij; x and ks; ph and f; single and double letters. Vowels stay, unlike in
    a phonetic code.
    """
    return names.skeleton(word)


@lru_cache(maxsize=1 << 16)
def initial_class(word: str) -> str:
    """Return the class of the first letter; letters for the same sound have the same class."""
    return names.initial_class(word)
