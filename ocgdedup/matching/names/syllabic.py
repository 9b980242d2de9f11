"""Languages of Chinese and Korean names, whose syllables are one name, however they are spaced.

"Yi Fan", "Yi-fan" and "Yifan" are one name; "Yi" and "Yang Fan" are others. So the kernel compares
such names by all their letters, not word by word. Many Western names could be read as Korean or
Chinese; those in the table of given names count as Western.
"""

from __future__ import annotations

from functools import cache

from ocgdedup._kernels.names import SyllableTable
from ocgdedup.matching.names.given_names import given_names
from ocgdedup.matching.names.hangul import korean_surnames
from ocgdedup.matching.names.pinyin import SYLLABLES, chinese_surnames

_CHINESE, _KOREAN = 1, 2  # bits of a set of languages, as in syllables.pxd


@cache
def syllable_table() -> SyllableTable:
    """Return the table of Chinese syllables, and of Chinese and Korean surnames."""
    languages = dict.fromkeys(chinese_surnames(), _CHINESE)
    for surname in korean_surnames():
        languages[surname] = languages.get(surname, 0) | _KOREAN
    # In one order in every process: a stored index numbers the surnames, too.
    return SyllableTable(SYLLABLES, dict(sorted(languages.items())), given_names())
