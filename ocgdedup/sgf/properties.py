"""Properties of SGF going out: names and values of text. Composed values are kept as they stood."""

from __future__ import annotations

import re
from functools import lru_cache

from ocgdedup.sgf.text import escaped

# What stands behind a tag that a root had twice: "KM_2".
_NUMBER = r"_[0-9]+$"
_MOST_LETTERS = 32
# These are moves and stones wherever they stand.
_OF_THE_BOARD = frozenset(("B", "W", "AB", "AW", "AE"))
_NO_OTHERS = "TAG"
# Readers that mend forgotten brackets take a line that begins so for a property, or another game.
_LIKE_SGF = r"\n(?=[A-Z]{1,2}\[|\(\s*;)"


def value_text(text: str) -> str:
    """Return a value in its brackets, with what must be escaped escaped."""
    if "]" in text or "\\" in text:
        text = escaped(text)
    if "\n" in text:
        text = re.sub(_LIKE_SGF, r"\n\\", text)
    return f"[{text}]"


@lru_cache(maxsize=1024)
def property_name(tag: str) -> str:
    """Return the name that FF[4] allows for a tag: capitals alone.

    One that is no name of SGF gets none of two letters or less, since those have a meaning. One
    of small letters alone, which say nothing, can only be such a name as it was read.
    """
    name = re.sub(_NUMBER, "", tag)
    is_name = name.isalpha() and name.isascii() and (name.isupper() or name.islower())
    if is_name and name not in _OF_THE_BOARD:
        return name[:_MOST_LETTERS]
    letters = re.sub("[^A-Z]", "", name.upper())[:_MOST_LETTERS]
    return letters if len(letters) > 2 else letters + _NO_OTHERS
