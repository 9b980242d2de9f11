"""Chinese and Korean given names, whose syllables are one name, however they are spaced.

"Yi Fan", "Yi-fan" and "Yifan" are one name; "Yi" and "Yang Fan" are others. So such names are
compared by all their letters, not word by word. Many Western names could be read as Korean or
Chinese; those in the table of given names count as Western.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from ocgdedup.matching.names.given_names import is_given_name
from ocgdedup.matching.names.hangul import has_korean_syllables, korean_surname_key
from ocgdedup.matching.names.pinyin import SYLLABLES, is_chinese_surname, syllables

_CHINESE, _KOREAN = 1, 2


class SyllabicName(NamedTuple):
    """A given name of Chinese or Korean syllables, perhaps with a Western name.

    `letters`: of all syllables; `others`: number of other words; `is_first`: a syllable is first.
    """

    letters: str
    others: int
    is_first: bool


@lru_cache(maxsize=1 << 15)
def syllabic_name(surname: tuple[str, ...], given: tuple[str, ...]) -> SyllabicName | None:
    """Return the syllables of a Chinese or Korean given name; None for other names."""
    languages = _of_surname("".join(surname))
    letters, others, is_first = "", 0, False
    if min(map(len, given), default=0) < 2:
        return None  # initials could be of any syllable
    for word in given if languages else ():
        of_word = _of_given(word)
        if of_word:
            languages &= of_word
            letters += word
            is_first |= not others
        else:
            others += 1
    return SyllabicName(letters, others, is_first) if languages and letters else None


@lru_cache(maxsize=1 << 12)
def _of_surname(word: str) -> int:
    """Return the languages, as bits, that have a surname."""
    return _CHINESE * is_chinese_surname(word) | _KOREAN * (korean_surname_key(word) is not None)


@lru_cache(maxsize=1 << 16)
def _of_given(word: str) -> int:
    """Return the languages, as bits, in which a word is made of syllables."""
    if word not in SYLLABLES and is_given_name(word):
        return 0
    return _CHINESE * (syllables(word) is not None) | _KOREAN * has_korean_syllables(word)
