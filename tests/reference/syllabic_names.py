"""Chinese and Korean given names, whose syllables are one name: slow reference of the kernel.

"Yi Fan", "Yi-fan" and "Yifan" are one name; "Yi" and "Yang Fan" are others. So such names are
compared by all their letters, not word by word. Many Western names could be read as Korean or
Chinese; those in the table of given names count as Western.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ocgdedup.matching.names.hangul import korean_surname_key
from ocgdedup.matching.names.pinyin import SYLLABLES, chinese_surnames, syllables
from tests.reference.given_names import is_given_name

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
    languages = of_surname("".join(surname))
    letters, others, is_first = "", 0, False
    if min(map(len, given), default=0) < 2:
        return None  # initials could be of any syllable
    for word in given if languages else ():
        of_word = languages_of_given(word)
        if of_word:
            languages &= of_word
            letters += word
            is_first |= not others
        else:
            others += 1
    return SyllabicName(letters, others, is_first) if languages and letters else None


@lru_cache(maxsize=1 << 12)
def of_surname(word: str) -> int:
    """Return the languages, as bits, that have a surname."""
    return _CHINESE * (word in chinese_surnames()) | _KOREAN * (
        korean_surname_key(word) is not None
    )


@lru_cache(maxsize=1 << 16)
def languages_of_given(word: str) -> int:
    """Return the languages, as bits, in which a word is made of syllables."""
    if word not in SYLLABLES and is_given_name(word):
        return 0
    return _CHINESE * (syllables(word) is not None) | _KOREAN * has_korean_syllables(word)


_ONE_SYLLABLE = (
    "(?:kk|gg|k|g|n|dd|tt|t|d|rh|r|l|m|bb|pp|p|b|ss|sh|s|jj|tch|ch|j|wh|h)?"
    "(?:yeo|yae|yoo|yuo"  # codespell:ignore yuo
    "|you|yo|yu|ya|ye|yi|woo|wae|weo|wa|we|wi|wo|wu"
    "|eui|ae|eo|eu|ee|oo|ou|oe|ui|a|e|i|o|u)"
    "(?:ng|n|m|ck|k|g|l|t|d|p|b|h)?"
)
_KOREAN_GIVEN = re.compile(f"(?:{_ONE_SYLLABLE}){{1,3}}")


def has_korean_syllables(letters: str) -> bool:
    return _KOREAN_GIVEN.fullmatch(letters) is not None
