"""Convert Chinese syllables from Wade-Giles to pinyin.

Hua I-kang is Hua Yigang, Wu Sung-sheng is Wu Songsheng. Most writers leave out the apostrophe that
distinguishes ch' and ch, so a syllable may be several in pinyin: "chen" is chen or zhen. The
caller compares two names and decides. Pure functions.

Source: H. A. Giles, A Chinese-English Dictionary (1912), its table of sounds.
"""

from __future__ import annotations

from functools import cache

from ocgdedup.matching.names.pinyin import SYLLABLES

# Pinyin initials to Wade-Giles initials; j, q and x occur only before i and ü.
_INITIALS = (
    ("zh", "ch"), ("ch", "ch'"), ("sh", "sh"), ("b", "p"), ("p", "p'"), ("d", "t"), ("t", "t'"),
    ("g", "k"), ("k", "k'"), ("j", "ch"), ("q", "ch'"), ("x", "hs"), ("z", "ts"), ("c", "ts'"),
    ("r", "j"), ("y", "y"), ("w", "w"),
)  # fmt: skip
_WHOLE = {
    "zi": "tzu", "ci": "tz'u", "si": "ssu", "zhi": "chih", "chi": "ch'ih", "shi": "shih",
    "ri": "jih", "yi": "i", "you": "yu", "yan": "yen", "ye": "yeh", "yong": "yung", "er": "erh",
    "ge": "ko", "ke": "k'o", "he": "ho", "gui": "kuei", "kui": "k'uei", "yue": "yueh",
}  # fmt: skip
# Rest of the syllable; u means ü only after j, q, x, l and n.
_ENDINGS = {
    "ian": "ien", "ie": "ieh", "iong": "iung", "ong": "ung", "uo": "o", "ue": "ueh", "iu": "iu",
}  # fmt: skip
_KEEP_UO = frozenset(("g", "k", "h", "sh"))


def _spelling(syllable: str) -> str:
    """Return a pinyin syllable in Wade-Giles, ü as u."""
    if syllable in _WHOLE:
        return _WHOLE[syllable]
    for initial, other in _INITIALS:
        if syllable.startswith(initial):
            return other + _ending(initial, syllable[len(initial) :])
    size = 1 if syllable[0] not in "aeiou" else 0
    return syllable[:size] + _ending(syllable[:size], syllable[size:])


def _ending(initial: str, final: str) -> str:
    if initial in ("j", "q", "x", "y") and final == "uan":
        return "uan"
    if initial in ("z", "c", "s", "zh", "ch", "sh", "r", "d", "t", "n", "l") and final == "e":
        return "e"
    if final == "uo" and initial in _KEEP_UO:
        return "uo"
    return _ENDINGS.get(final, final)


@cache
def _table() -> dict[str, frozenset[str]]:
    """Return the possible pinyin syllables of each spelling."""
    meanings: dict[str, set[str]] = {}
    for syllable in SYLLABLES:
        spelling = _spelling(syllable)
        for written in {spelling, spelling.replace("'", "")}:
            meanings.setdefault(written, set()).add(syllable)
    return {written: frozenset(meant) for written, meant in meanings.items()}


def pinyin_of(written: str) -> frozenset[str]:
    """Return the possible pinyin of a lower-case syllable; empty if there is none."""
    return _table().get(written, frozenset())
