"""SGF properties: read and write escaped text, and write property names.

Composed values are kept as they were written.

SGF FF[4], "Text": a backslash escapes the next character, and a line end after a backslash is
removed. In SimpleText every line end is a blank.
"""

from __future__ import annotations

import re
from functools import lru_cache

FORMAT_NAMES = frozenset(("GM", "FF", "CA", "SZ"))  # the writer sets these itself: no tags

_ESCAPED = r"\\(\r\n|\n\r|[\s\S]|$)"
_LINE_END = r"\r\n|\n\r|\r"
_BLANKS = "\t\v\f\0"
_TO_BLANKS = dict.fromkeys(map(ord, _BLANKS), " ")


def text_of(value: str) -> str:
    """Return the text of a Text value; each line end becomes one line feed."""
    if value.isprintable() and "\\" not in value:
        return value
    if "\r" in value:
        value = re.sub(_LINE_END, "\n", value)
    if "\\" in value:
        value = re.sub(_ESCAPED, lambda after: "" if "\n" in after[1] else after[1], value)
    if any(blank in value for blank in _BLANKS):
        value = value.translate(_TO_BLANKS)
    return value


def simple_text_of(value: str) -> str:
    """Return the text of a SimpleText value, on one line, without blanks around it."""
    return text_of(value).replace("\n", " ").strip()


# The number of a repeated tag: "KM_2".
_NUMBER = r"_[0-9]+$"
_NAME_LETTERS = 32
_BOARD_NAMES = frozenset(("B", "W", "AB", "AW", "AE"))  # a move or stones in any node
_SHORT_NAME_ENDING = "TAG"
# Readers that repair forgotten brackets take such a line for a property or another game.
_LIKE_SGF = r"\n(?=[A-Z]{1,2}\[|\(\s*;)"


def value_text(text: str) -> str:
    """Return a text as a value in brackets, escaped."""
    if "]" in text or "\\" in text:
        text = text.replace("\\", "\\\\").replace("]", "\\]")
    if "\n" in text:
        text = re.sub(_LIKE_SGF, r"\n\\", text)
    return f"[{text}]"


@lru_cache(maxsize=1024)
def property_name(tag: str) -> str:
    """Return the SGF property name for a tag.

    A tag in capitals or in small letters alone was read from SGF and stays as it is. Any other tag
    becomes capitals, at least three of them: names of one or two letters have a meaning in SGF.
    """
    name = re.sub(_NUMBER, "", tag)
    is_name = name.isalpha() and name.isascii() and (name.isupper() or name.islower())
    if is_name and name not in _BOARD_NAMES:
        return name[:_NAME_LETTERS]
    letters = re.sub("[^A-Z]", "", name.upper())[:_NAME_LETTERS]
    return letters if len(letters) > 2 else letters + _SHORT_NAME_ENDING
