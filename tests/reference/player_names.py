"""Parts of the keys of players' names, by regular expressions: slow reference."""

from __future__ import annotations

import re

# The spellings of each sound; letters in no group are omitted.
_SOUNDS = re.compile(
    rb"(?P<s>schtsch|schtch|stsch|szcz|shch|stch|sch|chtsch|chtch|s|z)"
    rb"|(?P<k>tsch|tch|tsh(?!t)|ch|cz|cs|ck|c(?![eiy])|k|q|(?<![^aeiouyj])h(?=[aeiouyj]))"
    rb"|(?P<soft>c)"
    rb"|(?P<vowel>dsch|dzh|[aeiouyj])"
    rb"|th(?=s)|t(?=[sz])|d(?=[szt])|h"
    rb"|(?P<v>ph|[fvw])"
    rb"|(?P<itself>.)",
    re.DOTALL,
)
_SAME = {"s": b"s", "soft": b"s", "k": b"k", "v": b"v", "vowel": b"j"}


def word_sounds(word: bytes) -> bytes:
    """Return the first eight consonants of a word, with j for a vowel at the start."""
    sounds, last = b"", b""
    word = word.replace(b"x", b"ks")
    for match in _SOUNDS.finditer(word):
        group = match.lastgroup
        if group is None:
            continue
        sound = _SAME.get(group, match.group())
        is_again = sound == last and sound.isalpha()
        last = sound
        if not is_again and (group != "vowel" or match.start() == 0):
            sounds += sound
    return sounds[:8]
