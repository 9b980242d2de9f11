"""Letters to plain ones, and the skeleton in which usual ways to spell a sound fall together.

Knows letters only; what is a surname or a title, name_form.py knows.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from ocgdedup._kernels.name_skeleton import skeleton as level_spelling

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


@lru_cache(maxsize=1 << 16)
def skeleton(word: str) -> str:
    """Return a key in which the usual transliterations and spellings of a lower-case word agree.

    -ov, -ow and -off; -ski, -sky and -skij; sch and sh; tsch, tch, cz and ch; w and v; ou and u;
    ue and u; y, i, j and ij; x and ks; ph and f; letters doubled or not. It is coarser than a
    spelling and finer than a phonetic code: vowels stay.
    """
    return level_spelling(word)


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
