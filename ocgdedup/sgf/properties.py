"""SGF properties: escaped text, read and written; names and values on output.

Composed values are kept as they were written.
"""

from __future__ import annotations

import re
from functools import lru_cache

# Text of SGF values: escapes and line ends, both ways.
#
# SGF FF[4], "Text": a backslash escapes the character that follows, and a line end behind a
# backslash is removed. In SimpleText every line end is a blank.

_ESCAPED = r"\\(\r\n|\n\r|[\s\S]|$)"
_LINE_END = r"\r\n|\n\r|\r"
_BLANKS = "\t\v\f\0"
_TO_BLANKS = dict.fromkeys(map(ord, _BLANKS), " ")


def text_of(value: str) -> str:
    """Return what a value of Text says; line ends stay, each as one line feed."""
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
    """Return what a value of SimpleText says, on one line, without blanks around it."""
    text = text_of(value)
    return " ".join(text.split("\n")).strip() if "\n" in text else text.strip()


def escaped(text: str) -> str:
    """Return text as a value: brackets that close and backslashes get a backslash."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


# What stands behind a tag that a root had twice: "KM_2".
_NUMBER = r"_[0-9]+$"
_PROPERTY_LETTERS = 32
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
        return name[:_PROPERTY_LETTERS]
    letters = re.sub("[^A-Z]", "", name.upper())[:_PROPERTY_LETTERS]
    return letters if len(letters) > 2 else letters + _NO_OTHERS
