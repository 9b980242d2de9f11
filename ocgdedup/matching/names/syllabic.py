"""Languages of Chinese and Korean names, whose syllables are one name, however they are spaced.

"Yi Fan", "Yi-fan" and "Yifan" are one name; "Yi" and "Yang Fan" are others. So the kernel compares
such names by all their letters, not word by word. Many Western names could be read as Korean or
Chinese; those in the table of given names count as Western.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from ocgdedup.matching.names.given_names import is_given_name
from ocgdedup.matching.names.hangul import has_korean_syllables, korean_surnames
from ocgdedup.matching.names.pinyin import SYLLABLES, chinese_surnames, syllables

_CHINESE, _KOREAN = 1, 2  # bits of a set of languages


@cache
def languages_of_surnames() -> dict[str, int]:
    """Return the languages of each Chinese or Korean surname."""
    languages = dict.fromkeys(chinese_surnames(), _CHINESE)
    for surname in korean_surnames():
        languages[surname] = languages.get(surname, 0) | _KOREAN
    return languages


def languages_of_given(words: Iterable[str]) -> list[int]:
    """Return for each word the languages of whose syllables it is made as a given name."""
    return list(map(_of_given, words))


def _of_given(word: str) -> int:
    if not word.isascii() or (word not in SYLLABLES and is_given_name(word)):
        return 0
    return _CHINESE * (syllables(word) is not None) | _KOREAN * has_korean_syllables(word)
