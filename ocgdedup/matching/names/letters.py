"""Letters to plain ones, and the skeleton in which usual ways to spell a sound fall together.

Knows letters only; what is a surname or a title, name_form.py knows.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# Letters that Unicode does not decompose (NFKD) into a base letter and marks.
_SINGLE_LETTERS = str.maketrans(
    {
        "ß": "ss", "ẞ": "SS", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D",
        "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe",
        "ı": "i", "ħ": "h", "Ħ": "H", "ŋ": "n", "Ŋ": "N", "ə": "a", "Ə": "A", "ƒ": "f",
        "‘": "'", "’": "'", "ʻ": "'", "ʼ": "'", "ʹ": "'", "ʺ": "'", "`": "'", "´": "'", "′": "'",
        "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "，": ",", "、": ",",
    }
)  # fmt: skip

# German, Swedish and Finnish names come with either: Mueller and Muller are both Müller.
_UMLAUTS = str.maketrans(
    {"ä": "ae", "Ä": "Ae", "ö": "oe", "Ö": "Oe", "ü": "ue", "Ü": "Ue", "å": "aa", "Å": "Aa",
     "ø": "oe", "Ø": "Oe"}
)  # fmt: skip


def plain_letters(text: str) -> str:
    """Return the text with accents off (NFKD) and the letters that this misses replaced.

    Letters of other scripts stay as they are.
    """
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text.translate(_SINGLE_LETTERS))
    kept = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return kept.translate(_SINGLE_LETTERS)


def expanded_umlauts(text: str) -> str:
    """Return the text with ä, ö, ü, å and ø written as two letters."""
    return unicodedata.normalize("NFC", text).translate(_UMLAUTS)


# In this order. A capital stands for a sound that has no letter of its own: C as in "church",
# S as in "ship", T as in "tsar", Z as in "measure".
_SOUNDS = (
    ("schtsch", "S"), ("shch", "S"), ("stsch", "S"), ("szcz", "S"), ("dzh", "j"), ("dsch", "j"),
    ("tsch", "C"), ("tch", "C"), ("sch", "S"), ("sh", "S"), ("sz", "S"), ("cz", "C"), ("cs", "C"),
    ("ch", "C"), ("zh", "Z"), ("kh", "h"), ("ck", "k"), ("ph", "f"), ("th", "t"), ("dh", "d"),
    ("bh", "b"), ("gh", "g"), ("rh", "r"), ("tz", "T"), ("ts", "T"), ("x", "ks"), ("qu", "k"),
    ("q", "k"), ("w", "v"), ("ou", "u"), ("oo", "u"), ("ee", "i"), ("y", "i"), ("j", "i"),
)  # fmt: skip
_GLIDE = re.compile(r"([aeou])i(?=[aeou])")
_HARD_C = re.compile(r"c(?![eiyj])")
_REPEATED = re.compile(r"(.)\1+")
# Not of Isaev and Guliev: there the letters are two sounds.
_UMLAUT = re.compile(r"([aou])e(?![vwf])")
_RUSSIAN_END = re.compile(r"(?<=[oe])f+$")
# Words that German letters a Russian name in; then "ch" is the sound of "loch".
_GERMAN_RUSSIAN = re.compile(r"tsch|(?:ow|ew|owa|ewa)$")
_GERMAN_CH = re.compile(r"(?<=[aeiouy])ch(?![ck])")


def _german(word: str) -> str:
    return word.replace("schtsch", "S").replace("tsch", "C").replace("sch", "S")


@lru_cache(maxsize=1 << 17)
def skeleton(word: str) -> str:
    """Return a key in which the usual transliterations and spellings of a lower-case word agree.

    -ov, -ow and -off; -ski, -sky and -skij; sch and sh; tsch, tch, cz and ch; w and v; ou and u;
    ue and u; y, i, j and ij; x and ks; ph and f; letters doubled or not. It is coarser than a
    spelling and finer than a phonetic code: vowels stay.
    """
    key = word
    if "ch" in key and _GERMAN_RUSSIAN.search(key):
        key = _GERMAN_CH.sub("h", _german(key))
    key = _UMLAUT.sub(r"\1", key)
    for spelling, sound in _SOUNDS:
        if spelling in key:
            key = key.replace(spelling, sound)
    key = _RUSSIAN_END.sub("v", key)
    key = _HARD_C.sub("k", key)
    key = _REPEATED.sub(r"\1", key)
    key = _GLIDE.sub(r"\1", key).replace("ie", "e")
    return _REPEATED.sub(r"\1", key)


@lru_cache(maxsize=1 << 16)
def initial_class(word: str) -> str:
    """Return the class of the first letter: letters that stand for one sound are one class."""
    return _INITIALS.get(word[:1], word[:1])


# "J. Guskov" is Yuri, "W. Hort" is Vlastimil in German books.
_INITIALS = {"j": "i", "y": "i", "w": "v", "q": "k", "c": "k"}

# Letters that spellings of one name may begin with: Evgeny and Jewgeni, Sofia and Zsofia,
# Hasan and Gasan, Christo and Hristo. Coarser than initial_class: these only propose.
_BEGINNINGS = {
    "e": "i", "j": "i", "y": "i", "w": "v", "z": "s", "c": "ks", "q": "k", "x": "ks", "h": "hkg",
    "g": "gh", "k": "kh", "a": "ai", "o": "oa",
}  # fmt: skip


def beginnings(word: str) -> str:
    """Return the letters for the sounds with which spellings of a word may begin."""
    return _BEGINNINGS.get(word[:1], word[:1])
